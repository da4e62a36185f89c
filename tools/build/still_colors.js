// Return a theme's colours of each figure, as style declarations. A change of theme restyles the whole page, so all
// figures of a page share it.
(/** @type {Element[]} */ figures, /** @type {string} */ theme) => {
  const COLORS = ["query", "key", "value", "weight", "estimate", "paper", "ink", "muted", "line", "font"];
  const page = document.documentElement.dataset,
    before = page.theme;
  page.theme = theme;
  const declarations = figures.map((figure) => {
    const style = getComputedStyle(figure);
    return COLORS.map((name) => `--figure-${name}: ${style.getPropertyValue(`--figure-${name}`).trim()};`).join(" ");
  });
  page.theme = before;
  return declarations;
};
