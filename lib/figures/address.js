// The address of a page: #name=setting:value,setting:value, one such part per figure.

const hashParts = (hash = location.hash) => hash.slice(1).split("&").filter(Boolean);

/** The settings that the address, or a link, holds for the figure of this name, as text. */
export function readAddress(name, hash = location.hash) {
  const part =
    hashParts(hash)
      .find((text) => text.startsWith(`${name}=`))
      ?.slice(name.length + 1) ?? "";
  const pairs = (part.includes(":") ? part : decoded(part)).split(","); // some programs encode the colons too
  const words = pairs.map((pair) => pair.split(":").map(decoded));
  return Object.fromEntries(words.filter((pair) => pair.length === 2));
}

/** Percent signs read as what they stand for; nothing where they stand for no text. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** The address with these settings; other figures' parts stay, page anchors go. */
export function addressWith(name, settings) {
  const others = hashParts().filter((text) => text.includes("=") && !text.startsWith(`${name}=`));
  const own = Object.entries(settings)
    .map(([setting, value]) => `${setting}:${value}`)
    .join(",");
  const hash = [...others, ...(own ? [`${name}=${own}`] : [])].join("&");
  return location.pathname + location.search + (hash && `#${hash}`);
}

export function keepAddress(link) {
  try {
    history.replaceState(history.state, "", link);
  } catch {
    // A sandboxed frame may not touch its address. The figure works all the same.
  }
}

/** Whether this is a page of the course. From a notebook, in Jupyter, Colab or VS Code, a link to a setting leads nowhere. */
export const onSite = () => "page" in document.body.dataset;
