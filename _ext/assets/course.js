// The button that runs a chapter in the browser needs a server: browsers load no Python from disk.
if (location.protocol === "file:") {
  addEventListener("click", (event) => {
    if (!event.target.closest('a[href*="lite/notebooks/"]')) return;
    event.preventDefault();
    alert("Python cannot start in pages opened from disk. Run serve.py, beside index.html, and open the address it prints.");
  });
}

// A formula wider than the page scrolls inside itself: let the keyboard reach it, and only it, and fade the side where
// there is more of it.
(() => {
  const FORMULAS = "div.math > mjx-container";
  const reach = (formula) => {
    const hidden = formula.scrollWidth - formula.clientWidth;
    if (hidden > 0) formula.tabIndex = 0;
    else formula.removeAttribute("tabindex");
    formula.classList.toggle("more", hidden - formula.scrollLeft > 2);
  };
  const reachAll = () => document.querySelectorAll(FORMULAS).forEach(reach);
  reachAll();
  window.addEventListener("resize", reachAll);
  document.addEventListener("toggle", reachAll, true); // a solution is unfolded
  document.addEventListener("scroll", (event) => event.target.matches?.(FORMULAS) && reach(event.target), true);
})();

// What is copied from a page holds formulas as TeX.
document.addEventListener("copy", (event) => {
  const selection = getSelection();
  if (selection.isCollapsed) return;
  const copied = document.createElement("div");
  for (let i = 0; i < selection.rangeCount; i++) copied.append(selection.getRangeAt(i).cloneContents());
  const formulas = copied.querySelectorAll(".math[data-tex]");
  if (!formulas.length) return;
  for (const formula of formulas) {
    const mark = formula.localName === "div" ? "$$" : "$";
    formula.textContent = mark + formula.dataset.tex + mark;
  }
  event.preventDefault();
  copied.style = "position: fixed; white-space: pre-wrap;"; // laid out, so that paragraphs stay apart
  document.body.append(copied);
  event.clipboardData.setData("text/plain", copied.innerText);
  event.clipboardData.setData("text/html", copied.innerHTML);
  copied.remove();
});
