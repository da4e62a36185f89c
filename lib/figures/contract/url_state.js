// The state of the figures in the URL hash: #name=setting:value,setting:value, with one part per figure.

import FORMER from "../former_names.json" with { type: "json" };

/** @type {Record<string, string>} */
const FORMER_FIGURES = FORMER.figures;
/** @type {Record<string, Record<string, string>>} */
const FORMER_SETTINGS = FORMER.settings;
/** @type {Record<string, Record<string, Record<string, string>>>} */
const FORMER_VALUES = FORMER.values;

/** Split a hash into the figures' names and settings. Former names in old links are replaced by the current ones. */
function hashParts(hash = location.hash) {
  const parts = hash.slice(1).split("&").filter(Boolean);
  return parts.map((part) => {
    const [name] = part.split("=", 1);
    return { name: FORMER_FIGURES[name] ?? name, settings: part.slice(name.length + 1), hasSettings: part !== name };
  });
}

/** The text of a figure's settings in a hash, if there is one. @param {string} name @param {string} [hash] */
const textIn = (name, hash) => hashParts(hash).find((part) => part.name === name && part.hasSettings)?.settings;

/**
 * Read the settings of a figure from the URL, or from a link, as text.
 * @param {string} name
 * @param {string} [hash]
 * @returns {Record<string, string>}
 */
export function readState(name, hash) {
  const text = textIn(name, hash) ?? "";
  const pairs = (text.includes(":") ? text : decoded(text)).split(","); // some programs percent-encode the colons too
  const settings = pairs.map((pair) => pair.split(":").map(decoded)).filter((pair) => pair.length === 2);
  return Object.fromEntries(settings.map(([setting, value]) => current(name, setting, value)));
}

/**
 * Replace former names of a setting and its value.
 * @param {string} figure
 * @param {string} setting
 * @param {string} value
 */
function current(figure, setting, value) {
  const name = FORMER_SETTINGS[figure]?.[setting] ?? setting;
  return [name, FORMER_VALUES[figure]?.[name]?.[value] ?? value];
}

/** Percent-decode; an empty string if the sequence is malformed. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/**
 * The part of the hash with these settings; empty if there are none.
 * @param {string} name
 * @param {Record<string, string>} settings
 */
export function stateText(name, settings) {
  const own = Object.entries(settings).map(([setting, value]) => `${setting}:${value}`);
  return own.length ? `${name}=${own.join(",")}` : "";
}

/**
 * Return the URL with these settings. It keeps the parts of other figures and drops page anchors.
 * @param {string} name
 * @param {Record<string, string>} settings
 */
export function urlWith(name, settings) {
  const others = hashParts()
    .filter((part) => part.hasSettings && part.name !== name)
    .map((part) => `${part.name}=${part.settings}`);
  const hash = [...others, stateText(name, settings)].filter(Boolean).join("&");
  return location.pathname + location.search + (hash && `#${hash}`);
}

/** @param {string} link @param {unknown} [state] of the entry in the browser's history */
export function replaceUrl(link, state = history.state) {
  try {
    history.replaceState(state, "", link);
  } catch {
    // A sandboxed frame may not change its URL. The figure works without it.
  }
}

/** Whether this is a page of the course site. In Jupyter, Colab or VS Code a link to a setting would not work. */
export const onSite = () => "page" in document.body.dataset;

/**
 * A figure's part of the URL. A link changes the URL at once and tells the page later, so the settings are written only
 * where the figure knows what stands there.
 * @param {string} name
 * @param {{ read(texts: Record<string, string>): boolean, write(): Record<string, string> }} settings
 */
export function createUrlState(name, settings) {
  let known = textIn(name);
  return {
    /** Apply the settings from the URL. Return whether there were any. */
    take() {
      known = textIn(name);
      return settings.read(readState(name));
    },
    /** Write the settings to the URL, or apply those of a link that was just followed. */
    keep() {
      if (!onSite() || (textIn(name) !== known && this.take())) return;
      replaceUrl(urlWith(name, settings.write()));
      known = textIn(name);
    },
  };
}
