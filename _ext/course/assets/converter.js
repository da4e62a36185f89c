// The bandwidth converter of the notation page: one squared bandwidth, h², under the names that other texts use.
// Typing into a field updates the others.

import { element } from "./shared/page.js";

(() => {
  const QUANTITIES = [
    { symbol: "h", name: "bandwidth, as in this course", of: (h2) => Math.sqrt(h2), squared: (h) => h * h },
    { symbol: "h²", name: "squared bandwidth", of: (h2) => h2, squared: (h2) => h2 },
    { symbol: "σ", name: "standard deviation", of: (h2) => Math.sqrt(h2 / 2), squared: (sigma) => 2 * sigma * sigma },
    { symbol: "2σ²", name: "in the normal density", of: (h2) => h2, squared: (h2) => h2 },
    { symbol: "γ", name: "scikit-learn’s gamma", of: (h2) => 1 / h2, squared: (gamma) => 1 / gamma },
    { symbol: "τ", name: "temperature *", of: (h2) => h2 / 2, squared: (tau) => 2 * tau },
    { symbol: "√d", name: "attention’s scale *", of: (h2) => h2 / 2, squared: (root) => 2 * root },
    { symbol: "d", name: "numbers in a key *", of: (h2) => (h2 / 2) ** 2, squared: (d) => 2 * Math.sqrt(d) },
  ];
  const START = 16; // attention on keys of 64 numbers

  const shown = (number) => String(Number(number.toPrecision(7)));

  const positive = (text) => {
    const number = Number(text.trim().replace(",", ".").replace("−", "-") || NaN);
    return number > 0 && number < Infinity ? number : null;
  };

  const build = (place) => {
    const fields = QUANTITIES.map((quantity, index) => {
      const id = `convert-${index}`;
      const input = element("input", { id, type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false });
      const label = element("label", { htmlFor: id }, element("span", { className: "symbol", textContent: quantity.symbol }));
      label.append(element("span", { className: "name", textContent: quantity.name }));
      input.setAttribute("aria-describedby", "convert-message");
      return { ...quantity, input, cell: element("div", { className: "field" }, label, input) };
    });
    const message = element("p", { id: "convert-message", className: "message" });
    message.setAttribute("role", "status");

    const refuse = (typed, sentence) => {
      for (const field of fields) {
        field.input.setAttribute("aria-invalid", field === typed);
        if (field !== typed) field.input.value = "";
      }
      message.textContent = sentence;
    };

    const follow = (typed, h2) => {
      for (const field of fields) {
        field.input.removeAttribute("aria-invalid");
        if (field !== typed) field.input.value = shown(field.of(h2));
      }
      const [h, , sigma, , gamma, tau] = fields.map((field) => shown(field.of(h2)));
      message.textContent = `h = ${h} is σ = ${sigma}, γ = ${gamma}, and, for keys of equal norm, τ = ${tau}.`;
    };

    const convert = (typed) => {
      const number = positive(typed.input.value);
      if (number === null) return refuse(typed, `${typed.symbol}: expected a number above 0, got “${typed.input.value}”.`);
      const h2 = typed.squared(number);
      const all = fields.map((field) => field.of(h2));
      if (!all.every((value) => value > 0 && value < Infinity)) return refuse(typed, `${typed.symbol}: ${number} is out of range.`);
      follow(typed, h2);
    };

    fields.forEach((field) => field.input.addEventListener("input", () => convert(field)));
    place.replaceChildren(element("div", { className: "fields" }, ...fields.map((field) => field.cell)), message);
    follow(null, START);
  };

  document.querySelectorAll("div.converter").forEach(build);
})();
