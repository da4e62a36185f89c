// The state of figures in the URL of a page: #name=setting:value,setting:value, one such part per figure.

import FORMER from "../former_names.json" with { type: "json" };

/** @type {Record<string, string>} */
const FORMER_FIGURES = FORMER.figures;
/** @type {Record<string, Record<string, string>>} */
const FORMER_SETTINGS = FORMER.settings;

/** The parts of a hash, each as the name of its figure, which an old link may call otherwise, and its settings. */
function hashParts(hash = location.hash) {
  const parts = hash.slice(1).split("&").filter(Boolean);
  return parts.map((part) => {
    const [name] = part.split("=", 1);
    return { name: FORMER_FIGURES[name] ?? name, settings: part.slice(name.length + 1), hasSettings: part !== name };
  });
}

/**
 * The settings that the URL, or a link, holds for the figure of this name, as text.
 * @param {string} name
 * @param {string} [hash]
 * @returns {Record<string, string>}
 */
export function readState(name, hash = location.hash) {
  const text = hashParts(hash).find((part) => part.name === name && part.hasSettings)?.settings ?? "";
  const pairs = (text.includes(":") ? text : decoded(text)).split(","); // some programs encode the colons too
  const settings = pairs.map((pair) => pair.split(":").map(decoded)).filter((pair) => pair.length === 2);
  return Object.fromEntries(settings.map(([setting, value]) => [FORMER_SETTINGS[name]?.[setting] ?? setting, value]));
}

/** Percent signs read as what they stand for; nothing where they stand for no text. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/**
 * The URL with these settings; other figures' parts stay, page anchors go.
 * @param {string} name
 * @param {Record<string, string>} settings
 */
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

/** @param {string} link */
export function replaceUrl(link) {
  try {
    history.replaceState(history.state, "", link);
  } catch {
    // A sandboxed frame may not touch its URL. The figure works all the same.
  }
}

/** Whether this is a page of the course. From a notebook, in Jupyter, Colab or VS Code, a link to a setting leads nowhere. */
export const onSite = () => "page" in document.body.dataset;
