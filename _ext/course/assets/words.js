// A row of words: the word under the pointer is the query, and the others are shaded by its attention weights, which the
// page has in percent, one row per word. Without a pointer, the query is the page's choice, or the last word.
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
