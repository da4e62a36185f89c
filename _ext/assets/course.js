// The button that runs a chapter in the browser needs a server: browsers load no Python from disk.
if (location.protocol === "file:") {
  addEventListener("click", (event) => {
    if (!event.target.closest('a[href*="lite/notebooks/"]')) return;
    event.preventDefault();
    alert("Python cannot start in pages opened from disk. Run serve.py, beside index.html, and open the address it prints.");
  });
}

// Formulas: what the reader sees first is set first, then the figures come, then the other formulas while the browser
// is idle, a few at a time: a hand that drags waits for none of them. Runs before MathJax, which asks for `pageReady`.
(() => {
  const CHUNK = 8;
  const idle = () => new Promise((done) => (window.requestIdleCallback ?? window.setTimeout)(done, { timeout: 2000 }));
  const nearTop = (element) => element.getBoundingClientRect().top < window.innerHeight;

  const typeset = async (formulas) => {
    await MathJax.typesetPromise(formulas);
    formulas.forEach(reach);
  };

  const pageReady = async () => {
    const formulas = [...document.querySelectorAll(".math")];
    const rest = formulas.filter((formula) => !nearTop(formula));
    await typeset(formulas.filter(nearTop));
    await window.figuresShown?.catch(() => {});
    while (rest.length) {
      await idle();
      const middle = window.innerHeight / 2;
      const distance = (formula) => Math.abs(formula.getBoundingClientRect().top - middle);
      const far = new Map(rest.map((formula) => [formula, distance(formula)]));
      rest.sort((one, other) => far.get(one) - far.get(other)); // where the reader is by now
      await typeset(rest.splice(0, CHUNK));
    }
  };

  // A formula wider than the page scrolls inside itself: let the keyboard reach it, and only it.
  const reach = (formula) => {
    const shown = formula.matches("div.math") && formula.querySelector("mjx-container");
    if (!shown) return;
    if (shown.scrollWidth > shown.clientWidth) shown.tabIndex = 0;
    else shown.removeAttribute("tabindex");
  };
  const reachAll = () => document.querySelectorAll("div.math").forEach(reach);
  window.addEventListener("resize", reachAll);
  document.addEventListener("toggle", reachAll, true); // a solution is unfolded

  if (window.MathJax) window.MathJax.startup = { pageReady };
})();
