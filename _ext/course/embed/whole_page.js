// The page of a figure as one file: it contains the code and data that the page of the site loads.
import { loadPart } from "../../../lib/figures/parts/workers.js";

/**
 * Return the HTML of a figure's page with these values of its traits; `root` is the URL of the site.
 * @param {string} address
 * @param {Record<string, unknown>} values
 * @param {URL} root
 */
export async function wholePage(address, values, root) {
  const known = window.figureParts,
    entry = known[`embed/${address}`];
  await Promise.all(
    entry.scripts.map((/** @type {string} */ name) => loadPart(partIn(name), new URL(`_static/${name}`, root).href)),
  );
  const site = root.protocol === "file:" ? entry.site : root.href, // a saved page leads to the published course
    state = { ...entry.state, ...values };
  const own = { ...entry, state, home: new URL(entry.home, `${site}embed/`).href };
  const texts = ["embed.js", "embed.css", "embed.html", "contract_lazy_worker.js", ...partsOf(state)].map((name) => [
    name,
    known[name],
  ]);
  const parts = Object.fromEntries([...texts, [`embed/${address}`, own]]);
  /** @type {Record<string, string>} */
  const fills = {
    address,
    title: escaped(state.question),
    root: site,
    page: `data-page="embed/${address}" `,
    scripts: `<script>window.figureParts = ${inScript(parts)};</script>`,
  };
  /** @type {string} */
  const page = known["embed.html"];
  return page.replace(/\{\{(\w+)\}\}/g, (_, name) => fills[name]);
}

/** The name under which a script of the site stores its value: its own, or for data the hash. @param {string} script */
const partIn = (script) => script.replace(/^.*\/|\?.*$/g, "").replace(/^([\da-f]{16})\.js$/, "$1");

/** The names of the long values in a figure's state. @param {object} state */
function partsOf(state) {
  /** @type {Set<string>} */
  const names = new Set();
  JSON.stringify(state, (_, value) => {
    for (const name of [value?.part, value?.lazy]) if (name) names.add(name);
    return value;
  });
  return names;
}

const escaped = (/** @type {string} */ text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/**
 * A value as JSON inside a script, which may contain neither its end nor the beginning of a comment.
 * @param {object} value
 */
const inScript = (value) => JSON.stringify(value).replace(/<(?=[/!s])/gi, "\\u003c");
