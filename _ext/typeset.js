// Reads formulas as JSON from standard input, and writes what MathJax sets for them, and its style sheet.
//
//   in:  {"macros": {…}, "formulas": [{"tex": "x^2", "display": false}, …]}
//   out: {"html": ["<mjx-container …>", …], "errors": ["", …], "sheet": "…"}
//
// Each formula brings MathML for screen readers. The width of each sign stands in the style sheet, so a line keeps its
// place before the fonts are there.
import { readFileSync } from "node:fs";
import mathjax from "mathjax";

const { macros, formulas } = JSON.parse(readFileSync(0, "utf8"));
mathjax
  .init({
    loader: { load: ["input/tex", "output/chtml", "a11y/assistive-mml"] },
    tex: { macros, packages: { "[-]": ["noundefined", "noerrors"] } }, // a wrong formula is an error
    chtml: { adaptiveCSS: false, fontURL: "mathjax" },
    options: { enableAssistiveMml: true },
    startup: { typeset: false },
  })
  .then(async (MathJax) => {
    const adaptor = MathJax.startup.adaptor;
    const html = [];
    for (const { tex, display } of formulas) html.push(adaptor.outerHTML(await MathJax.tex2chtmlPromise(tex, { display })));
    const errors = html.map((text) => text.match(/data-mjx-error="([^"]*)"/)?.[1] ?? "");
    process.stdout.write(JSON.stringify({ html, errors, sheet: adaptor.textContent(MathJax.chtmlStylesheet()) }));
  })
  .catch((error) => {
    console.error(error);
    process.exit(1);
  });
