"""Compare the published model's products in WebAssembly and in JavaScript: the time of 40 tokens, and of one more.

Both run in turn in one process of node, which counts its own time on the processor. Without the file that `make
published-model` downloads, nothing is measured.
"""

import subprocess

from tools.build.bundle_figures import ESBUILD, ROOT, define_products
from tools.build.published_model import CACHE, MODEL

FILE = CACHE / MODEL
SCRIPT = """
import fs from "node:fs";
import { compile } from "./lib/figures/methods/products.js";
import { openModel, runTrained } from "./lib/figures/methods/published_model.js";

const model = openModel(new Uint8Array(fs.readFileSync(process.argv[2])));
const tokens = model.encode("In the well lived a frog called Pimpel Quorr. ".repeat(4)).slice(0, 41);
const code = Buffer.from(globalThis.PRODUCTS, "base64");
const times = { WebAssembly: [[], []], JavaScript: [[], []] };
const median = (all) => all.sort((a, b) => a - b)[all.length >> 1];

function timed(into, tokens, known) {
  const start = process.cpuUsage().user, run = runTrained(model, tokens, known);
  let step = run.next();
  while (!step.done) step = run.next();
  into.push((process.cpuUsage().user - start) / 1000);
  return step.value;
}

for (let repetition = 0; repetition < 3; repetition += 1)
  for (const [language, [whole, more]] of Object.entries(times)) {
    const isMeant = language === "WebAssembly";
    if (compile(isMeant ? code : undefined) !== isMeant) throw new Error("WebAssembly is not available.");
    const run = timed(whole, tokens.slice(0, 40));
    for (let i = 0; i < 3; i += 1) timed(more, tokens, run);
  }
["40 tokens", "one more token"].forEach((name, i) => {
  const [compiled, plain] = Object.values(times).map((all) => median(all[i]));
  const found = `${compiled.toFixed(0)} ms in WebAssembly, ${plain.toFixed(0)} ms in JavaScript`;
  console.log(`${name}: ${found}, ratio ${(plain / compiled).toFixed(1)}`);
});
"""


def main():
    if not FILE.exists():
        return print(f"{FILE.name} is missing: run `make published-model`")
    options = ("--bundle", "--platform=node", "--format=esm", "--log-level=warning", define_products())
    done = subprocess.run(
        [*ESBUILD, *options], input=SCRIPT, stdout=subprocess.PIPE, text=True, cwd=ROOT, check=True
    )
    command = ("node", "--input-type=module", "-", FILE)
    return subprocess.run(command, input=done.stdout, text=True, check=True)


if __name__ == "__main__":
    main()
