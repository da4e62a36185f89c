// Convert a live figure to a still picture, one SVG file: its drawing, the photographs under it, the matching
// style rules, and its colours in both themes, which are style declarations.
(/** @type {Element} */ figure, /** @type {{ light: string, dark: string }} */ colors) => {
  const MARGIN = 8;
  const find = (/** @type {string} */ selector) => /** @type {Element} */ (figure.querySelector(selector));
  const stage = find(".lf-stage"),
    origin = stage.getBoundingClientRect();
  const drawings = [...stage.querySelectorAll("svg")].filter((svg) => !svg.parentElement?.closest("svg"));
  const sizes = drawings.map((svg) => ({ ...offset(svg), ...sizeOf(svg.viewBox.baseVal) }));
  const width = Math.max(...sizes.map(({ x, width }) => x + width));
  const height = Math.max(...sizes.map(({ y, height }) => y + height));

  function offset(/** @type {Element} */ element) {
    const { left, top } = element.getBoundingClientRect();
    return { x: Math.round(left - origin.left), y: Math.round(top - origin.top) };
  }

  function sizeOf(/** @type {DOMRect} */ { width, height }) {
    return { width, height };
  }

  function rules() {
    const all = [...document.styleSheets].flatMap((sheet) => {
      try {
        return [...sheet.cssRules];
      } catch {
        return [];
      } // pages opened from disk may not read linked styles
    });
    /** @param {CSSRule & { selectorText?: string }} rule */
    const touches = ({ selectorText: selector = "" }) =>
      /^\.[a-z-]+-figure /.test(selector) &&
      !/:(hover|focus)/.test(selector) &&
      (selector === ".live-figure svg" || drawings.some((svg) => svg.querySelector(selector)));
    return new Set(all.filter(touches).map((rule) => rule.cssText));
  }

  function drawing(/** @type {Element} */ svg, /** @type {number} */ i) {
    const copy = /** @type {Element} */ (svg.cloneNode(true)),
      { x, y } = sizes[i];
    if (x || y) Object.entries({ x, y }).forEach(([name, value]) => copy.setAttribute(name, String(value)));
    copy.querySelectorAll("a").forEach((link) => link.replaceWith(...link.childNodes)); // links do not work inside an image
    copy.querySelectorAll(".hits, .key-handle, [visibility=hidden]").forEach((element) => element.remove());
    for (const element of copy.querySelectorAll("[role]")) {
      for (const name of element.getAttributeNames().filter((name) => /^(role|tabindex|aria-.*)$/.test(name))) {
        element.removeAttribute(name);
      }
    }
    return copy;
  }

  /** Return the canvases beneath the drawing as images of the same pixels. */
  function photographs() {
    return [...stage.querySelectorAll("canvas")].map((photo) => {
      const { width, height } = photo.style;
      const { imageRendering, clipPath } = getComputedStyle(photo);
      const style = `image-rendering: ${imageRendering}${clipPath === "none" ? "" : `; clip-path: ${clipPath}`}`;
      const place = { ...offset(photo), width, height, preserveAspectRatio: "none", style };
      // Colour noise takes a hundred thousand bytes if compressed losslessly.
      const href = photo.classList.contains("colour") ? photo.toDataURL("image/jpeg", 0.6) : photo.toDataURL();
      return element("image", { href, ...place });
    });
  }

  /** @param {string} tag @param {Record<string, string | number>} attributes @param {(Node | string)[]} children */
  const element = (tag, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, String(value)));
    made.append(...children);
    return made;
  };
  const size = { width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  const style = [
    `.live-figure { ${colors.light} background: var(--figure-paper); font-family: var(--figure-font); }`,
    `@media (prefers-color-scheme: dark) { .live-figure { ${colors.dark} } }`,
    ...rules(),
  ];
  const picture = element(
    "svg",
    { class: figure.className, role: "img", ...size, viewBox: `${-MARGIN} ${-MARGIN} ${size.width} ${size.height}` },
    element("title", {}, find(".lf-question").textContent),
    element("desc", {}, find(".lf-sentence").textContent),
    element("style", {}, style.join("\n")),
    ...photographs(),
    ...drawings.map(drawing),
  );
  return `${new XMLSerializer().serializeToString(picture).replaceAll("><", ">\n<")}\n`;
};
