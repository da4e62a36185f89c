// Runs between require.js and embed-amd.js, and takes every path from its own address, so that the site works under
// a subpath and from disk.
(() => {
  const here = new URL(".", document.currentScript.src).href;
  window.requirejs.config({
    paths: { anywidget: here + "anywidget", "@jupyter-widgets/html-manager/dist": here.slice(0, -1) },
    waitSeconds: 60,
  });

  // ipywidgets typesets labels with the MathJax 2 call `Hub.Queue`; the page has MathJax 3, or none without formulas.
  const typeset = ([, , element]) => window.MathJax.startup?.promise.then(() => window.MathJax.typesetPromise([element]));
  window.addEventListener("load", () => {
    if (window.MathJax && !window.MathJax.Hub) window.MathJax.Hub = { Queue: typeset };
  });
})();
