// Runs after require.js and embed-amd.js, and takes every path from its own address, so that the site works under a
// subpath and from disk.
(() => {
  const here = new URL(".", document.currentScript.src).href;
  window.requirejs.config({ paths: { anywidget: here + "anywidget" }, waitSeconds: 60 });

  // ipywidgets typesets labels with the MathJax 2 call `Hub.Queue`; the page has MathJax 3, or none without formulas.
  const typeset = ([, , element]) => window.MathJax.startup?.promise.then(() => window.MathJax.typesetPromise([element]));
  if (window.MathJax && !window.MathJax.Hub) window.MathJax.Hub = { Queue: typeset };

  window.requirejs(["@jupyter-widgets/html-manager/dist/libembed-amd"], (runtime) => runtime.renderWidgets());
})();
