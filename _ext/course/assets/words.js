// A row of words: the word under the pointer is the query, and the others are shaded by its attention weights, which the
// page has in percent, one row per word. Without a pointer, the query is the page's choice, or the last word. If the
// reader can swap words in menus, the page has the rows of every choice; that of the last menu changes first.
(() => {
  for (const line of document.querySelectorAll("p.words")) {
    const choices = line.dataset.weights.split("|").map((rows) => rows.split(";").map((row) => row.split(" ")));
    const words = [...line.children],
      menus = [...line.querySelectorAll("select")];
    const atRest = Number(line.dataset.query ?? words.length - 1);
    const shade = (query) => {
      const rows = choices[menus.reduce((choice, menu) => choice * menu.length + menu.selectedIndex, 0)];
      words.forEach((word, key) => {
        word.style.setProperty("--share", `${rows[query][key] ?? 0}%`);
        word.classList.toggle("query", key === query);
      });
    };
    const look = ({ target }) => {
      const query = words.findIndex((word) => word.contains(target));
      if (query >= 0) shade(query);
    };
    line.addEventListener("pointerover", look);
    line.addEventListener("pointerdown", look);
    line.addEventListener("pointerleave", () => shade(atRest));
    line.addEventListener("change", () => shade(atRest));
    shade(atRest);
  }
})();
