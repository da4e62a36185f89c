// Describe a figure without a page, for tests/without_page.py: node describe.mjs < { script, traits, changes, links }
//
// Prints the state, the sentence and the link of the initial traits and after each change of them, then what each link
// sets the initial traits to.

import { readFileSync } from "node:fs";
import { readState, stateText } from "../lib/figures/contract/url_state.js";

const { script, traits, changes, links } = JSON.parse(readFileSync(0, "utf8"));
const { describe } = (await import(script)).default;

globalThis.document = { body: { dataset: {} } }; // a page that is not of the site

/** The widget model, without a kernel or a page. */
const modelOf = (stored) => ({
  get: (trait) => stored[trait],
  set: (trait, value) => (stored[trait] = value),
  save_changes() {},
});

function described(change) {
  const { settings, state, sentence } = describe(modelOf({ ...traits, ...change }));
  return { state, sentence, link: `#${stateText(traits.address, settings.write())}` };
}

function opened(link) {
  const model = modelOf({ ...traits });
  describe(model).settings.read(readState(traits.address, link));
  return Object.fromEntries(Object.values(traits.settings).map(({ trait }) => [trait, model.get(trait)]));
}

console.log(JSON.stringify({ described: [{}, ...changes].map(described), opened: links.map(opened) }));
