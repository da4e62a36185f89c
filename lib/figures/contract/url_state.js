// The state of figures in the URL of a page: #name=setting:value,setting:value, one such part per figure.

import FORMER from "../former_names.json" with { type: "json" };

/** The parts of a hash, each as the name of its figure, which an old link may call otherwise, and its settings. */
function hashParts(hash = location.hash) {
  const parts = hash.slice(1).split("&").filter(Boolean);
  return parts.map((part) => {
    const [name] = part.split("=", 1);
    return { name: FORMER.figures[name] ?? name, settings: part.slice(name.length + 1), hasSettings: part !== name };
  });
}

/** The settings that the address, or a link, holds for the figure of this name, as text. */
export function readState(name, hash = location.hash) {
  const text = hashParts(hash).find((part) => part.name === name && part.hasSettings)?.settings ?? "";
  const pairs = (text.includes(":") ? text : decoded(text)).split(","); // some programs encode the colons too
  const words = pairs.map((pair) => pair.split(":").map(decoded)).filter((pair) => pair.length === 2);
  return Object.fromEntries(words.map(([setting, value]) => [FORMER.settings[name]?.[setting] ?? setting, value]));
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
export function urlWith(name, settings) {
  const others = hashParts()
    .filter((part) => part.hasSettings && part.name !== name)
    .map((part) => `${part.name}=${part.settings}`);
  const own = Object.entries(settings)
    .map(([setting, value]) => `${setting}:${value}`)
    .join(",");
  const hash = [...others, ...(own ? [`${name}=${own}`] : [])].join("&");
  return location.pathname + location.search + (hash && `#${hash}`);
}

export function replaceUrl(link) {
  try {
    history.replaceState(history.state, "", link);
  } catch {
    // A sandboxed frame may not touch its address. The figure works all the same.
  }
}

/** Whether this is a page of the course. From a notebook, in Jupyter, Colab or VS Code, a link to a setting leads nowhere. */
export const onSite = () => "page" in document.body.dataset;
