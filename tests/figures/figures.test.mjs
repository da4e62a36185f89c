// Pure functions of the live figures: text, pixels, and cases that no figure shows. Browser tests compare numbers
// with `lib`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { featuresOf } from "../../lib/figures/random_features/random_features.js";
import { product } from "../../lib/figures/methods/random_features.js";
import { decimalsOf, format, onGrid, percent } from "../../lib/figures/parts/numbers.js";
import { ticks } from "../../lib/figures/parts/plot.js";
import { N_SHADES, shadedPaths } from "../../lib/figures/parts/shades.js";
import { sweep } from "../../lib/figures/prediction/prediction.js";
import { csvOf } from "../../lib/figures/parts/save.js";
import { spelled, wrapped } from "../../lib/figures/parts/tokens.js";
import { estimateAt, fitKeys } from "../../lib/figures/methods/regression.js";
import * as weighing from "../../lib/figures/methods/weights.js";

test("a number snaps to its grid and shows all decimals of the step", () => {
  for (const [step, decimals] of [[10, 0], [1.5, 1], [1, 0], [0.5, 1], [0.25, 2], [0.05, 2], [0.014, 3], [1e-9, 9]]) {
    const grid = [-step, 7 * step, step];
    assert.equal(decimalsOf(grid), decimals);
    for (const [place, nearest] of [[-9, -1], [-0.6, -1], [0.6, 1], [3.4, 3], [7.4, 7], [99, 7]]) {
      assert.ok(Math.abs(onGrid(place * step, grid) / step - nearest) < 1e-9);
    }
  }
});

test("whitespace in a token has a sign, and a token that ends a line breaks it", () => {
  for (const [word, shown] of [[" frog", "frog"], ["\n   ", "↵␣␣␣"], [" ", "␣"], ["\t", "→"], [" the King", "the King"], ["a\u0001", "a�"]])
    assert.equal(spelled(word), shown);
  const { places } = wrapped(["a", "\n   ", " b", "c"], () => 10, { x: 0, y: 0, width: 500 });
  assert.deepEqual(places.map(({ y }) => y > 0), [false, false, true, true]);
});

test("displayed numbers have a true minus sign and few decimals", () => {
  assert.equal(format(-1.25, 1), "−1.3");
  assert.equal(percent(0.0994), "9.9\u00a0%");
  assert.equal(percent(0.0996), "10\u00a0%");
  assert.equal(percent(-0.05), "−5.0\u00a0%");
});

test("ticks are round numbers in the range, of about the requested count", () => {
  for (const [range, count] of [[[-0.13, 5.02], 9], [[0, 1], 4], [[1e6, 1e6 + 7], 5], [[-3e-4, 2e-4], 5]]) {
    const found = ticks(range, count);
    assert.ok(found.length >= count / 2.5 && found.length <= 1.5 * count + 1);
    for (const { value, text } of found) {
      assert.ok(value >= range[0] - 1e-9 && value <= range[1] + 1e-9);
      assert.ok(Math.abs(Number(text.replace("−", "-")) - value) <= 1e-9 * Math.max(1, Math.abs(value)));
    }
  }
});

test("a sweep from one column to a different one fills those in between", () => {
  assert.deepEqual(sweep([9, 9, 9, 9, 9], [0, 1], [3, 4]), [9, 2, 3, 4, 9]);
  assert.deepEqual(sweep([9, 9, 9, 9, 9], [3, 4], [1, 0]), [9, 0, 2, 9, 9]);
  assert.deepEqual(sweep([9, 9], [1, 5], [1, 6]), [9, 6]);
});

test("shades increase with the level, and the lightest cells are not drawn", () => {
  const paths = shadedPaths([0, 0.01, 0.5, 1, 1], (k) => `<${k}>`);
  assert.equal(paths.length, N_SHADES);
  assert.equal(paths.at(-1), "<3><4>");
  assert.equal(paths[N_SHADES / 2 - 1], "<2>");
  assert.equal(paths.join(""), "<2><3><4>");
});

test("ten equal weights need nine keys for 90 %, and zero weights need none", () => {
  assert.equal(weighing.keysForShare(Array(10).fill(0.1), 0.9), 9);
  assert.equal(weighing.keysForShare(weighing.softmax(Array(10).fill(-Infinity)), 0.9), 0);
  assert.deepEqual(weighing.softmax([-800, -Infinity]), [1, 0]);
});

test("features depend on the norm of a token, although the figure's tokens have the same", () => {
  const last = (map) => featuresOf([[0.5, 2]], [[0.3, 0.2]], map).at(-1)[0][0];
  assert.equal(last("positive"), Math.exp(-4.25 / 2) * Math.exp(0.55));
  assert.equal(last("hyperbolic"), Math.exp(-4.25 / 2) * Math.exp(-0.55));
  assert.equal(last("trigonometric"), Math.exp(4.25 / 2) * Math.sin(0.55));
});

test("a matrix product of odd sizes", () => {
  const [x, map] = [35, 77].map((size) => Array.from({ length: size }, (_, i) => ((7 * i) % 13) - 6));
  product(x, map, 7).forEach((found, at) => {
    const [i, j] = [Math.floor(at / 11), at % 11];
    assert.equal(found, x.slice(7 * i, 7 * i + 7).reduce((sum, each, c) => sum + each * map[7 * j + c], 0));
  });
});

test("a CSV file quotes what would break it, and keeps all digits", () => {
  assert.equal(csvOf([["a,b", 'c"d'], [0.1 + 0.2, NaN]]), '"a,b","c""d"\n0.30000000000000004,\n');
});

test("a local line keeps its digits where one key has nearly all the weight", () => {
  const keys = Float64Array.of(0, 1.1, 2.3, 3.7, 40),
    values = keys.map((key) => key + 100);
  for (let query = 0; query <= 31; query += 0.2) {
    const { estimate } = estimateAt(query, { keys, values }, "local-linear", 0.988);
    assert.ok(Math.abs(estimate - query - 100) < 1e-9, `${estimate} at ${query}`);
  }
  const { fitted, left } = fitKeys({ keys, values }, "local-linear", 0.988);
  fitted.forEach((value, i) => assert.ok(Math.abs(value - values[i]) < 1e-9));
  left.slice(0, 4).forEach((value, i) => assert.ok(Math.abs(value - values[i]) < 1e-9));
  const equal = { keys: Float64Array.of(0, 0.3, 0.1 + 0.2), values: Float64Array.of(9, 1, 2) };
  assert.ok(Math.abs(estimateAt(0.5, equal, "local-linear", 0.01).estimate - 1.5) < 1e-12);
});

const FITTED = { gaussian: [0.002, 0.03, 0.4], boxcar: [0.05], triangular: [0.003, 1.2], epanechnikov: [0.05], constant: [1], "local-linear": [0.002, 0.03, 3], nearest: [1, 7], attention: [0.05, 5] };
const DRAWN = {
  distinct: (i) => (i * 0.618034) % 1,
  equal: (i) => ((i * 7) % 13) / 13,
  skewed: (i) => Math.exp(6 * ((i * 0.618034) % 1)),
  "in two groups": (i) => (i % 2) + 0.01 * ((i * 0.618034) % 1),
  "with one far": (i) => (i === 3 ? 40 : (i * 0.618034) % 1),
};

test("fits of all keys from sums are those of one key at a time", () => {
  for (const [drawn, keyOf] of Object.entries(DRAWN)) {
    const keys = Float64Array.from({ length: 700 }, (_, i) => keyOf(i)).sort(),
      data = { keys, values: keys.map((key, i) => 50 + Math.sin(6 * key) + ((i * 0.414214) % 1)) };
    for (const [method, parameters] of Object.entries(FITTED)) {
      const unit = ["nearest", "attention", "constant"].includes(method) ? 1 : keys.at(-1) - keys[0];
      for (const parameter of parameters) {
        const { fitted, left } = fitKeys(data, method, unit * parameter);
        for (let i = 0; i < keys.length; i += 69) {
          const found = [fitted[i], left[i]],
            alone = [-1, i].map((skip) => estimateAt(keys[i], data, method, unit * parameter, skip).estimate);
          found.forEach((number, k) => assert.ok(Object.is(number, alone[k]) || Math.abs(number - alone[k]) < 1e-8, `${drawn} ${method} ${parameter}: ${found}, not ${alone}`));
        }
      }
    }
  }
});

test("a local line takes its slope from the lightest weights that a number can hold", () => {
  const keys = Float64Array.of(0, 1.1, 2.3, 3.7, 40),
    line = { keys, values: keys.map((key) => 100 + key) };
  const { left } = fitKeys(line, "local-linear", 0.221);
  assert.ok(Math.abs(left[0] - 100) < 1e-9 && Math.abs(estimateAt(0, line, "local-linear", 0.221, 0).estimate - 100) < 1e-9, String(left));
});
