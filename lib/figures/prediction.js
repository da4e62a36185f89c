import {
  arrowKeys, choiceSetting, draggable, format, html, listSetting, liveFigure, numberSetting, onGrid, repeat, scale, set,
  svg, ticks,
} from "./core.js";

// Predict, then see. The reader draws a column for each name, or chooses the one that will be largest; a button shows
// what is true beside it. Nothing is computed here but the distance between the two.

const FINGER = 44;  // the height of what a finger takes hold of

/** Numbers as shares of their sum; all alike where there is nothing. */
export function shares(heights) {
  const total = heights.reduce((a, b) => a + b, 0);
  return heights.map((height) => (total > 0 ? height / total : 1 / heights.length));
}

/** The share of weight that lies in the wrong columns. */
export const misplacedShare = (sketch, truth) =>
  shares(sketch).reduce((sum, share, i) => sum + Math.abs(share - truth[i]), 0) / 2;

/** Heights on the way from one column to another, for a hand that sweeps faster than it is seen. */
export function sweep(heights, [from, start], [to, end]) {
  const swept = [...heights];
  const steps = Math.abs(to - from);
  for (let k = 1; k <= steps; k += 1) swept[from + Math.sign(to - from) * k] = start + ((end - start) * k) / steps;
  swept[to] = end;
  return swept;
}

function layout(width) {
  const left = 46, right = width - 6, top = 34, bottom = 214;
  return { width, left, right, top, bottom, height: bottom + 48 };
}

function elements(stage, kind, nameLabel, heightLabel) {
  const canvas = svg("svg", { class: "canvas" }, stage);
  const add = (tag, name, attributes) => svg(tag, { class: name, ...attributes }, canvas);
  const parts = {
    canvas,
    axes: add("g", "axes"),
    truths: add("g", "truths"),
    sketches: add("g", "sketches"),
    numbers: add("g", "numbers"),
    names: add("g", "names"),
    heightTitle: add("text", "title weight", { text: heightLabel, x: 0, y: 14 }),
    nameTitle: add("text", "title key", { text: nameLabel }),
    legend: add("g", "legend"),
  };
  const role = kind === "winner" ? { role: "radiogroup", "aria-label": "Your choice" } : { role: "group", "aria-label": "Your sketch" };
  parts.hands = html("div", { class: "hands", ...role }, stage);
  parts.show = html("button", { type: "button", class: "show" });
  stage.after(parts.show);
  return parts;
}

function render({ model, el }) {
  const [kind, names, truth, heightGrid, percent, answer] =
    ["kind", "names", "truth", "height_grid", "percent", "answer"].map((name) => model.get(name));
  const choosing = kind === "winner", weighing = kind === "weights";
  const winner = truth.indexOf(Math.max(...truth));
  const defaults = model.get("defaults").sketch;
  const figure = liveFigure({
    model, el, name: "prediction",
    hint: choosing
      ? "Press on a column. Keyboard: Tab, then arrows."
      : `Pull the ends of the columns, or sweep across them.${weighing ? " Only their ratios count." : ""} `
        + "Keyboard: Tab, then left and right for the column, up and down for its height.",
    settings: {
      ...(choosing
        ? { choice: numberSetting("chosen", [-1, names.length - 1, 1]) }
        : { sketch: listSetting("sketch", heightGrid, defaults) }),
      shown: choiceSetting("shown_index", ["no", "yes"]),
    },
  });
  const parts = elements(figure.stage, kind, model.get("name_label"), model.get("height_label"));
  const decimals = heightGrid[1] >= 20 ? 0 : heightGrid[1] >= 2 ? 1 : 2;
  const text = (number) => (percent ? `${format(100 * number, 0)}\u00a0%` : format(number, decimals));
  let at, y, before, column = 0;

  const current = () => ({
    sketch: model.get("sketch"), chosen: model.get("chosen"), shown: model.get("shown_index") === 1,
  });
  const predicted = ({ sketch, chosen }) =>
    (choosing ? chosen >= 0 : sketch.some((height, i) => height !== defaults[i]));
  const columnWidth = () => (at.right - at.left) / names.length;
  const columnLeft = (i) => at.left + i * columnWidth();

  // ---- Drawing ----

  function draw(width) {
    if (width !== at?.width) place(width);
    const setting = current();
    const drawn = weighing && setting.shown ? shares(setting.sketch) : setting.sketch;
    drawColumns(setting, drawn);
    drawHands(setting, drawn);
    drawLegend(setting.shown);
    parts.show.textContent = setting.shown ? "Try again" : "Show the answer";
    parts.show.disabled = !setting.shown && !predicted(setting);
    figure.root.classList.toggle("shown", setting.shown);
    return { state: state(setting), sentence: sentence(setting) };
  }

  function state({ sketch, chosen, shown }) {
    const prediction = choosing ? { choice: names[chosen] ?? null } : { sketch: weighing ? shares(sketch) : sketch };
    const compared = choosing ? { right: chosen === winner } : { off: distance(sketch) };
    return { kind, shown, ...prediction, ...(shown && { truth, ...compared }) };
  }

  /** How far a sketch is from the truth: the share of weight in wrong places, or the mean difference. */
  const distance = (sketch) => (weighing
    ? misplacedShare(sketch, truth)
    : sketch.reduce((sum, height, i) => sum + Math.abs(height - truth[i]), 0) / truth.length);

  function place(width) {
    at = layout(width);
    y = scale([0, heightGrid[1]], [at.bottom, at.top]);
    set(parts.canvas, { width, height: at.height, viewBox: `0 0 ${width} ${at.height}` });
    set(parts.nameTitle, { x: at.right, y: at.height - 6 });
    parts.axes.replaceChildren();
    for (const { value } of ticks([0, heightGrid[1]], 4)) {
      const level = y(value);
      svg("line", { class: value === 0 ? "base" : "grid", x1: at.left, x2: at.right, y1: level, y2: level }, parts.axes);
      svg("text", { class: "tick left", x: at.left - 8, y: level + 4, text: text(value) }, parts.axes);
    }
    repeat(parts.names, "text", names.length, (label, i) => {
      set(label, { class: "tick", x: columnLeft(i) + columnWidth() / 2, y: at.bottom + 18 });
      label.textContent = names[i];
    });
  }

  /** The truth is filled, the reader's own is an outline: they can lie on each other. */
  function drawColumns({ chosen, shown }, drawn) {
    const wide = Math.min(columnWidth() - 4, 56);
    const x = (i) => columnLeft(i) + (columnWidth() - wide) / 2;
    const column = (i, height) => ({ x: x(i), width: wide, y: y(height), height: at.bottom - y(height) });
    repeat(parts.truths, "rect", shown ? names.length : 0, (rect, i) => set(rect, column(i, truth[i])));
    repeat(parts.sketches, "path", names.length, (line, i) => {
      const full = choosing ? heightGrid[1] : drawn[i];
      const top = y(full).toFixed(1), right = (x(i) + wide).toFixed(1);
      set(line, {
        class: choosing ? (i === chosen ? "own" : "empty") : "own",
        d: `M${x(i).toFixed(1)} ${at.bottom}V${top}H${right}V${at.bottom}${choosing ? "z" : ""}`,
      });
    });
    const numbered = shown || kind === "curve";  // a height becomes a weight when all are divided by their sum
    repeat(parts.numbers, "text", numbered ? names.length : 0, (label, i) => {
      const height = shown ? truth[i] : drawn[i];
      const above = Math.max(choosing ? truth[i] : height, shown && !choosing ? drawn[i] : 0);
      set(label, { class: shown ? "truth" : "mine", x: x(i) + wide / 2, y: y(above) - 6 });
      label.textContent = columnWidth() < 40 ? text(height).replace("\u00a0%", "") : text(height);
    });
  }

  /** What hand and keyboard take hold of: the top of each column, or, to choose, the whole of it. */
  function drawHands({ chosen, shown }, drawn) {
    while (parts.hands.children.length < names.length) {
      html("div", { class: "hand", role: choosing ? "radio" : "slider" }, parts.hands);
    }
    const reachable = choosing ? Math.max(chosen, 0) : column;
    [...parts.hands.children].forEach((hand, i) => {
      const top = choosing ? at.top : y(drawn[i]) - FINGER / 2;
      const height = choosing ? at.bottom + 24 - at.top : FINGER;
      hand.style.cssText = `left: ${columnLeft(i)}px; width: ${columnWidth()}px; top: ${top}px; height: ${height}px`;
      set(hand, { tabindex: i === reachable ? 0 : -1, "aria-label": names[i], "aria-disabled": shown });
      if (choosing) set(hand, { "aria-checked": i === chosen });
      else {
        set(hand, {
          "aria-orientation": "vertical", "aria-valuemin": "0", "aria-valuemax": String(heightGrid[1]),
          "aria-valuenow": String(drawn[i]), "aria-valuetext": text(drawn[i]),
        });
      }
    });
  }

  function drawLegend(shown) {
    parts.legend.replaceChildren();
    const entries = [["own", "yours"], ...(shown ? [["computed", "computed"]] : [])];
    let left = at.right;
    for (const [name, words] of entries.reverse()) {
      left -= 7.3 * words.length;
      svg("text", { class: `${name}-word`, x: left, y: 14, text: words }, parts.legend);
      svg("rect", { class: name, x: left - 20, y: 4, width: 14, height: 11 }, parts.legend);
      left -= 38;
    }
  }

  function sentence(setting) {
    const { sketch, chosen, shown } = setting;
    const role = (name, words) => `<b class="${name}">${words}</b>`;
    if (!shown && !predicted(setting)) return choosing ? "Nothing chosen yet." : "Nothing drawn yet.";
    if (choosing) {
      if (!shown) return `You chose ${role("key", names[chosen])}.`;
      const verdict = chosen === winner ? "You were right:" : `You chose ${role("key", names[chosen] ?? "nothing")}, but`;
      return `${verdict} ${role("key", names[winner])} it is, with ${role("weight", text(truth[winner]))}. ${answer}`;
    }
    const mine = weighing ? shares(sketch) : sketch;
    if (!shown) return `You give ${role("key", names[column])} ${role("estimate", text(mine[column]))}${weighing ? " of all you give" : ""}.`;
    const misses = mine.map((height, i) => Math.abs(height - truth[i]));
    const worst = misses.indexOf(Math.max(...misses));
    const off = weighing ? `${text(distance(sketch))} of your weight lies in wrong places` : `You are off by ${text(distance(sketch))} on average`;
    return `${off}, most at ${role("key", names[worst])}: you said ${role("estimate", text(mine[worst]))}, `
      + `it is ${role("weight", text(truth[worst]))}. ${answer}`;
  }

  // ---- Hands and keys ----

  const columnAt = (pixel) => Math.min(Math.max(Math.floor((pixel - at.left) / columnWidth()), 0), names.length - 1);
  const change = (traits) => current().shown || figure.change(traits);
  const setHeight = (i, height) => change({ sketch: current().sketch.with(i, onGrid(height, heightGrid)) });

  function reach(i) {
    column = Math.min(Math.max(i, 0), names.length - 1);
    figure.redraw();
    parts.hands.children[column].focus({ preventScroll: true });
  }

  figure.root.addEventListener("keydown", () => figure.root.classList.remove("by-hand"), { capture: true });

  function grab(event) {
    figure.root.classList.add("by-hand");  // a hand sees what it holds, and needs no ring
    if (current().shown) return undefined;
    before = { sketch: current().sketch, chosen: current().chosen };
    const { left, top } = figure.stage.getBoundingClientRect();
    const place = (e) => [columnAt(e.clientX - left), onGrid(y.invert(e.clientY - top), heightGrid)];
    const hand = event.target.closest(".hand");
    if (choosing) {
      const [i] = place(event);
      parts.hands.children[i].focus({ preventScroll: true });
      return () => change({ chosen: i });
    }
    reach(place(event)[0]);
    const grip = hand ? y(current().sketch[column]) - (event.clientY - top) : 0;  // a hand on the end does not move it
    let last;
    return (e) => {
      const next = [columnAt(e.clientX - left), onGrid(y.invert(e.clientY - top + grip), heightGrid)];
      change({ sketch: sweep(current().sketch, last ?? next, next).map((height) => onGrid(height, heightGrid)) });
      column = next[0];
      last = next;
    };
  }

  draggable(figure.stage, { grab, release: (cancelled) => cancelled && change(before) });
  arrowKeys(parts.hands, (right, up) => {
    if (!choosing && up !== 0) return setHeight(column, current().sketch[column] + up * heightGrid[2]);
    if (!choosing) return reach(column + right);
    const to = Math.min(Math.max(current().chosen + right - up, 0), names.length - 1);
    change({ chosen: to });
    parts.hands.children[to].focus({ preventScroll: true });
    return undefined;
  });
  if (choosing) {
    parts.hands.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      change({ chosen: [...parts.hands.children].indexOf(document.activeElement) });
    });
  }
  parts.show.addEventListener("click", () => {
    if (current().shown) figure.change(structuredClone(model.get("defaults")));
    else figure.change({ shown_index: 1 });
  });

  return figure.start(draw);
}

export default { render };
