// A formula wider than the page scrolls inside itself: let the keyboard reach it, and only it.
(() => {
  const reach = () => {
    for (const formula of document.querySelectorAll("div.math > mjx-container")) {
      if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
      else formula.removeAttribute("tabindex");
    }
  };
  window.addEventListener("load", () => window.MathJax?.startup?.promise?.then(reach));
  window.addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true); // a solution is unfolded
})();
