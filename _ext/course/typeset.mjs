// Typeset formulas with MathJax, one line of JSON in, one line of JSON out:
//
//   {"macros": {…}}                        the first line, without an answer
//   {"tex": "x^2", "display": false}       {"html": "<mjx-container …>", "error": ""}
//   {"tex": "x^2", "mathml": true}         {"html": "<math …>", "error": ""}
//   {}                                     {"sheet": "…"}, the style sheet
//
// Each formula includes MathML for screen readers. The style sheet has the width of each symbol, so lines do not move
// when the fonts arrive.
import { createInterface } from "node:readline";
import mathjax from "mathjax";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { macros } = JSON.parse((await lines.next()).value);
const MathJax = await mathjax.init({
  loader: { load: ["input/tex", "output/chtml", "a11y/assistive-mml"] },
  tex: { macros, packages: { "[-]": ["noundefined", "noerrors"] } }, // an invalid formula is an error
  chtml: { adaptiveCSS: false, fontURL: "mathjax" },
  options: { enableAssistiveMml: true },
  startup: { typeset: false },
});
const adaptor = MathJax.startup.adaptor;

async function answer({ tex, display, mathml }) {
  if (tex === undefined) return { sheet: adaptor.textContent(MathJax.chtmlStylesheet()) };
  const html = mathml
    ? await MathJax.tex2mmlPromise(tex, { display })
    : adaptor.outerHTML(await MathJax.tex2chtmlPromise(tex, { display }));
  return { html, error: html.match(/data-mjx-error="([^"]*)"/)?.[1] ?? "" };
}

for await (const line of lines) process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
