// The vectors of a question about products: a query and its keys, as arrows from the origin of a plane.

import { path, repeat, scale, set, setText } from "../parts/plot.js";

const MARGIN = 26, // pixels around the arrows, for their names
  HEAD = 7; // length of an arrow's head

/** @typedef {{ query: number[], keys: number[][], names: string[] }} Vectors */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box */

/**
 * Scales of equal unit that show the origin and all vectors in the middle of a box.
 * @param {number[][]} vectors
 * @param {Box} box
 */
function scalesFor(vectors, { left, top, width, height }) {
  const [xs, ys] = [0, 1].map((axis) => vectors.map((vector) => vector[axis]).concat(0));
  const span = (/** @type {number[]} */ numbers) => Math.max(...numbers) - Math.min(...numbers);
  const middle = (/** @type {number[]} */ numbers) => (Math.max(...numbers) + Math.min(...numbers)) / 2;
  const unit = Math.min((width - 2 * MARGIN) / (span(xs) || 1), (height - 2 * MARGIN) / (span(ys) || 1));
  const [across, down] = [left + width / 2, top + height / 2];
  return {
    x: scale([middle(xs), middle(xs) + 1], [across, across + unit]),
    y: scale([middle(ys), middle(ys) + 1], [down, down - unit]),
  };
}

/** The path of an arrow. @type {(from: number[], to: number[]) => string} */
function arrow(from, to) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const barb = (/** @type {number} */ turn) => [
    to[0] - HEAD * Math.cos(angle + turn),
    to[1] - HEAD * Math.sin(angle + turn),
  ];
  return path([from, to]) + path([barb(0.45), to, barb(-0.45)]);
}

/**
 * Draw the arrows into a box. Names are below and above the arrows in turn, because some lie on one line.
 * @param {Element} group @param {Vectors} vectors @param {Box} box
 */
export function drawPlane(group, { query, keys, names }, box) {
  const { x, y } = scalesFor([query, ...keys], box);
  const place = (/** @type {number[]} */ [right, up]) => [x(right), y(up)],
    origin = place([0, 0]);
  const [arrows, labels] = group.children;
  const drawn = [...keys, query];
  repeat(arrows, "path", drawn.length, (line, i) => {
    set(line, { class: i < keys.length ? "key" : "query", d: arrow(origin, place(drawn[i])) });
  });
  repeat(labels, "text", names.length, (label, i) => {
    const [left, level] = place(keys[i]);
    set(label, { x: left, y: level + (i % 2 ? -8 : 20) });
    setText(label, names[i]);
  });
}
