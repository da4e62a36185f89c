// Pure functions of the live figures beside numbers of `lib`, which tests/figures/test_figure_numbers.py puts into a file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { mappedPairs, rowLogWeights } from "../../lib/figures/attention.js";
import { addressWith, readAddress } from "../../lib/figures/address.js";
import { exactWeights, featuresOf, weightsAfter } from "../../lib/figures/features.js";
import { openSamples } from "../../lib/figures/irregular.js";
import { product, weightsOfFeatures } from "../../lib/figures/matrices.js";
import { decimalsOf, format, onGrid, percent } from "../../lib/figures/numbers.js";
import { path, ticks } from "../../lib/figures/plot.js";
import { sweep } from "../../lib/figures/prediction.js";
import { estimate } from "../../lib/figures/regression.js";
import { dotLogWeights, gaussianLogWeights, keysAt } from "../../lib/figures/same.js";
import { listSetting, numberOn, numberSetting } from "../../lib/figures/settings.js";
import { norm, rotate } from "../../lib/figures/transformer.js";
import * as weighing from "../../lib/figures/weights.js";

// JSON has no −∞ and no NaN: Python writes them as words.
const revive = (_, value) => ({ "-inf": -Infinity, nan: NaN })[value] ?? value;
const cases = JSON.parse(readFileSync(process.env.FIGURE_NUMBERS, "utf8"), revive);

/** Equal to 1e-9, number for number. */
function near(found, expected) {
  const [a, b] = [found, expected].map((numbers) => [numbers].flat(Infinity).flatMap((each) => [...(each.length ? each : [each])]));
  assert.equal(a.length, b.length);
  a.forEach((number, i) => {
    const isNear = Object.is(number, b[i]) || Math.abs(number - b[i]) <= 1e-9 * Math.max(1, Math.abs(b[i]));
    assert.ok(isNear, `${number} is not ${b[i]}, at ${i}`);
  });
}

const FINDERS = {
  local_plane({ samples, fit, bandwidths }) {
    const { planeAt } = openSamples(samples, fit, bandwidths.circles);
    return ["circles", "ellipses"].map((kernel) => samples.values.map((_, i) => planeAt(i, bandwidths[kernel], kernel).height));
  },
  softmax: ({ rows }) => rows.map(weighing.softmax),
  average: ({ rows, values }) => rows.map((row) => weighing.average(row, values)),
  log_kernel: ({ query, keys, bandwidth, kernel }) => weighing.logKernel(query, keys, bandwidth, kernel),
  keys_for_share: ({ rows, share }) => rows.map((row) => weighing.keysForShare(row, share)),
  total_variation: ({ weights, others }) => weighing.totalVariation(weights, others),
  nearest: ({ values, grid }) => values.map((value) => onGrid(value, grid)),
  decimals: ({ grid }) => decimalsOf(grid),
  nadaraya_watson: ({ queries, ...setting }) => queries.map((query) => estimate(query, setting)),
  attention: ({ queries, keys, temperature, causal }) =>
    queries.map((query, i) => weighing.softmax(rowLogWeights(query, keys, temperature, (j) => !causal || j <= i))),
  rotation: ({ token, frequencies, stretches, back }) => mappedPairs(token, frequencies, stretches, back),
  features: ({ tokens, frequencies, map, query, counts }) =>
    weightsAfter(featuresOf(tokens, frequencies, map), query, counts),
  exact: ({ tokens, query }) => exactWeights(tokens, query),
  gaussian: ({ query, keys, bandwidth }) => gaussianLogWeights(query, keys, bandwidth),
  dot: ({ query, keys, temperature }) => dotLogWeights(query, keys, temperature),
  spread: ({ spread, keys }) => keysAt(spread, keys),
  product: ({ x, map, d }) => product(x, map, d),
  positive_features: ({ asked, exponents, m }) =>
    weightsOfFeatures(Float64Array.from(asked), Float64Array.from(exponents), m),
  rms_norm: ({ x, width }) => norm(Float64Array.from(x), width),
  rotary: ({ x, d, base }) => rotate(Float64Array.from(x), d, base),
  softmax_row: ({ x, first, last }) => weighing.softmax(Float64Array.from(x).subarray(first, last + 1)),
};

for (const [name, find] of Object.entries(FINDERS)) {
  test(`${name} as in lib`, () => {
    assert.ok(cases[name]?.length, `no case of ${name}`);
    for (const { expected, ...setting } of cases[name]) near(find(setting), expected);
  });
}

test("every case of lib is asked for", () => {
  assert.deepEqual(Object.keys(cases).sort(), Object.keys(FINDERS).sort());
});

test("numbers for the eye have a real minus sign and few decimals", () => {
  assert.equal(format(-1.25, 1), "−1.3");
  assert.equal(percent(0.0994), "9.9\u00a0%");
  assert.equal(percent(0.0996), "10\u00a0%");
  assert.equal(percent(-0.05), "−5.0\u00a0%");
});

test("ticks are round, within the range, and about as many as were asked for", () => {
  for (const [range, count] of [[[-0.13, 5.02], 9], [[0, 1], 4], [[1e6, 1e6 + 7], 5], [[-3e-4, 2e-4], 5]]) {
    const found = ticks(range, count);
    assert.ok(found.length >= count / 2.5 && found.length <= 1.5 * count + 1);
    for (const { value, text } of found) {
      assert.ok(value >= range[0] - 1e-9 && value <= range[1] + 1e-9);
      assert.ok(Math.abs(Number(text.replace("−", "-")) - value) <= 1e-9 * Math.max(1, Math.abs(value)));
    }
  }
});

test("a hand that sweeps from one column to another fills those between", () => {
  assert.deepEqual(sweep([9, 9, 9, 9, 9], [0, 1], [3, 4]), [9, 2, 3, 4, 9]);
  assert.deepEqual(sweep([9, 9, 9, 9, 9], [3, 4], [1, 0]), [9, 0, 2, 9, 9]);
  assert.deepEqual(sweep([9, 9], [1, 5], [1, 6]), [9, 6]);
});

test("a path breaks where there is no value", () => {
  assert.equal(path([[0, 1], [1, 2], [2, NaN], [3, 4], [4, 5]]), "M0.0 1.0L1.0 2.0M3.0 4.0L4.0 5.0");
});

test("shades grow with the level, and the lightest cells are not drawn", () => {
  const paths = weighing.shadedPaths([0, 0.01, 0.5, 1, 1], (k) => `<${k}>`);
  assert.equal(paths.length, weighing.N_SHADES);
  assert.equal(paths.at(-1), "<3><4>");
  assert.equal(paths[weighing.N_SHADES / 2 - 1], "<2>");
  assert.equal(paths.join(""), "<2><3><4>");
});

test("a setting survives the address, and nonsense does not", () => {
  const number = numberSetting([0, 5, 0.01]);
  assert.equal(number.read(number.write(1.234)), 1.23);
  assert.equal(number.read("99"), 5);
  assert.equal(number.read("x"), undefined);
  const list = listSetting([1, 2, 3], numberOn([0, 5, 0.01]));
  assert.equal(list.write([1, 2.5, 3]), "1/2.5");
  assert.deepEqual(list.read("1/2.5;7/1;x/2;0;2/NaN"), [1, 2.5, 3]);
  assert.equal(list.write([1, 2, 3]), "");
});

test("each figure reads its own part of the address", () => {
  globalThis.location = { hash: "#one=a:1,b:2&two=c%3A3&three=%", pathname: "/page", search: "" };
  assert.deepEqual(readAddress("one"), { a: "1", b: "2" });
  assert.deepEqual(readAddress("two"), { c: "3" });
  assert.deepEqual(readAddress("three"), {});
  assert.deepEqual(readAddress("four"), {});
  assert.equal(addressWith("one", { a: "5" }), "/page#two=c%3A3&three=%&one=a:5");
});
