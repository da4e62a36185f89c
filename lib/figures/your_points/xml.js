// A scanner of the XML that spreadsheet programs write. Workers have no DOMParser, and a document tree of a large sheet
// would take many times its memory. Entities that a document declares itself are not expanded.

/** @type {Record<string, string>} */
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const TOKEN =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<[?!][^>]*>|<(\/?)(?:[^\s/>:]+:)?([^\s/>]+)((?:"[^"]*"|'[^']*'|[^"'>])*)>|([^<]+)/gy;

/** Text with its entities resolved. @param {string} text */
const resolved = (text) =>
  text.includes("&") ? text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, characterOf) : text;

/** @param {string} entity @param {string} [hex] @param {string} [decimal] @param {string} [name] */
function characterOf(entity, hex, decimal, name) {
  if (name) return ENTITIES[name] ?? entity;
  const code = hex ? parseInt(hex, 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

/** The attributes of a tag by their names without prefix. @param {string} text */
export function attributesOf(text) {
  const /** @type {Record<string, string>} */ found = {};
  for (const [, name, double, single] of text.matchAll(/([^\s=:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    found[name] = resolved(double ?? single);
  return found;
}

/**
 * Call `open(name, attributes)` at each start tag, with its attributes as text, and `close(name, text)` at each
 * end tag, with the text since the last tag. Names have no prefix. Returns whether the document is complete.
 * @typedef {{ open?: (name: string, attributes: string) => void, close?: (name: string, text: string) => void }}
 *   Listener
 * @param {string} xml @param {Listener} listener
 */
export function scan(xml, { open = () => {}, close = () => {} }) {
  const tokens = new RegExp(TOKEN);
  let [depth, at, text] = [0, 0, ""];
  for (let token = tokens.exec(xml); token; token = tokens.exec(xml)) {
    const [, data, end, name, attributes, characters] = token;
    at = tokens.lastIndex;
    text += data ?? resolved(characters ?? "");
    if (name === undefined) continue;
    const isEmpty = attributes.endsWith("/");
    if (!end) open(name, attributes);
    if (end || isEmpty) close(name, end ? text : "");
    depth += isEmpty ? 0 : end ? -1 : 1;
    text = "";
  }
  return depth === 0 && at === xml.length && at > 0;
}
