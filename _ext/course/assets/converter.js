// The converter of bandwidths: the parameter of another program, and ours. Typing into one field updates the other.

import { element } from "./shared/page.js";

/** @typedef {ReturnType<typeof fieldOf>} Field */
/** @typedef {HTMLOptionElement & { ours(p: number): number, theirs(h: number): number }} Option */

const ROOT2 = Math.SQRT2;
// our h is factor · parameter ** exponent
/** @type {Record<string, [label: string, factor: number, exponent: number][]>} by group */
const PARAMETERS = {
  "in texts": [
    ["standard deviation σ", ROOT2, 1],
    ["2σ² or h²", 1, 0.5],
    ["γ in exp(−γd²)", 1, -0.5],
    ["temperature τ °", ROOT2, 0.5],
    ["numbers in a key, d °", ROOT2, 0.25],
  ],
  "kernel regression": [
    ["statsmodels: bw", ROOT2, 1],
    ["scikit-learn, rbf_kernel: gamma", 1, -0.5],
    ["scikit-learn, RBF: length_scale", ROOT2, 1],
    ["scikit-learn, laplacian_kernel: gamma (our laplacian)", 1, -1],
    ["scikit-learn, neighbours: radius (our boxcar)", 1, 1],
    ["SciPy, gaussian_filter1d: sigma", ROOT2, 1],
    ["pandas: std", ROOT2, 1],
    ["R, ksmooth, normal: bandwidth", ROOT2 * 0.3706506, 1],
    ["R, ksmooth, box: bandwidth (our boxcar)", 0.5, 1],
    ["R, npreg, gaussian: bws", ROOT2, 1],
    ["R, npreg, epanechnikov: bws", Math.sqrt(5), 1],
  ],
  images: [
    ["OpenCV, bilateralFilter: sigmaSpace", ROOT2, 1],
    ["OpenCV, bilateralFilter, 0 to 255: sigmaColor", ROOT2 / 255, 1],
    ["OpenCV, fastNlMeansDenoising: h", 1 / 255, 1],
    ["scikit-image, bilateral: sigma_spatial, sigma_color", ROOT2, 1],
    ["scikit-image, fast non-local means, 7 × 7: h", 7 / 6, 1],
  ],
  "attention and diffusion": [
    ["PyTorch, JAX: scale °", ROOT2, -0.5],
    ["diffusers: sigma", ROOT2, 1],
  ],
};
const START = 4; // attention on keys of 64 numbers

const shown = (/** @type {number} */ number) => String(Number(number.toPrecision(7)));

const positive = (/** @type {string} */ text) => {
  const number = Number(text.trim().replace(",", ".").replace("−", "-") || NaN);
  return number > 0 && number < Infinity ? number : null;
};

const menuOf = () => {
  const menu = element("select", { id: "convert-parameter" });
  for (const [group, parameters] of Object.entries(PARAMETERS)) {
    const options = parameters.map(([label, factor, exponent]) => {
      const option = element("option", { textContent: label });
      const ours = (/** @type {number} */ p) => factor * p ** exponent;
      const theirs = (/** @type {number} */ h) => (h / factor) ** (1 / exponent);
      return Object.assign(option, { ours, theirs });
    });
    menu.append(element("optgroup", { label: group }, ...options));
  }
  return menu;
};

const fieldOf = (/** @type {string} */ id, /** @type {string} */ name) => {
  const input = element("input", { id, type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false });
  input.setAttribute("aria-describedby", "convert-message");
  const label = element("label", { htmlFor: id, textContent: name });
  return { name, input, cell: element("div", { className: "field" }, label, input) };
};

const build = (/** @type {Element} */ place) => {
  const menu = menuOf();
  const selected = () => /** @type {Option} */ (menu.selectedOptions[0]);
  const choice = element(
    "div",
    { className: "field" },
    element("label", { htmlFor: menu.id, textContent: "program and parameter" }),
    menu,
  );
  const [theirs, ours] = [fieldOf("convert-theirs", "its value"), fieldOf("convert-ours", "our h")];
  const message = element("p", { id: "convert-message", className: "message" });
  message.setAttribute("role", "status");
  let bandwidth = START;

  /** @param {Field} typed @param {string} sentence */
  const refuse = (typed, sentence) => {
    for (const field of [theirs, ours]) {
      field.input.setAttribute("aria-invalid", String(field === typed));
      if (field !== typed) field.input.value = "";
    }
    message.textContent = sentence;
  };

  const show = (/** @type {Field | null} */ typed) => {
    const values = { [ours.name]: bandwidth, [theirs.name]: selected().theirs(bandwidth) };
    for (const field of [theirs, ours]) {
      field.input.removeAttribute("aria-invalid");
      if (field !== typed) field.input.value = shown(values[field.name]);
    }
    const square = bandwidth * bandwidth;
    const [h, sigma, gamma, tau] = [bandwidth, bandwidth / ROOT2, 1 / square, square / 2].map(shown);
    message.textContent = `h = ${h} is σ = ${sigma}, γ = ${gamma}, and, for keys of equal norm, τ = ${tau}.`;
  };

  const convert = (/** @type {Field} */ typed) => {
    const number = positive(typed.input.value);
    if (number === null) return refuse(typed, `${typed.name}: expected a number above 0, got “${typed.input.value}”.`);
    const option = selected();
    const h = typed === ours ? number : option.ours(number);
    const all = [h, option.theirs(h), h * h, 1 / (h * h)];
    if (!all.every((value) => value > 0 && value < Infinity))
      return refuse(typed, `${typed.name}: ${number} is out of range.`);
    bandwidth = h;
    show(typed);
  };

  for (const field of [theirs, ours]) field.input.addEventListener("input", () => convert(field));
  menu.addEventListener("change", () => show(null));
  place.replaceChildren(element("div", { className: "fields" }, choice, theirs.cell, ours.cell), message);
  show(null);
};

document.querySelectorAll("div.converter").forEach(build);
