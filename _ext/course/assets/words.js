// A line of words: the one under the pointer is the query, and those that it looks at are shaded by their weights, which
// the page has in per cent, a row per word. At rest it is the word that the page names, or the last.
(() => {
  for (const line of document.querySelectorAll("p.words")) {
    const rows = line.dataset.weights.split(";").map((row) => row.split(" "));
    const words = [...line.children];
    const atRest = Number(line.dataset.query ?? words.length - 1);
    const shade = (query) =>
      words.forEach((word, key) => {
        word.style.setProperty("--share", `${rows[query][key] ?? 0}%`);
        word.classList.toggle("query", key === query);
      });
    const look = ({ target }) => words.includes(target) && shade(words.indexOf(target));
    line.addEventListener("pointerover", look);
    line.addEventListener("pointerdown", look);
    line.addEventListener("pointerleave", () => shade(atRest));
    shade(atRest);
  }
})();
