// The bar above a chapter in the browser edition: the state of Python, whose copy this is, and a link back.
// JupyterLab loads this file as a handwritten extension, so nothing needs to be bundled: it shares no code with the
// site's pages, and its colours, except text and links, are made for JupyterLab's bars.

/**
 * @typedef {import("@jupyterlab/services").ServiceManager.IManager} Services
 * @typedef {{ serviceManager: Services, restored: Promise<void>, commands: { execute(id: string): Promise<unknown> } }} App
 * @typedef {{ cells: { cell_type: string, source: string | string[] }[] }} Notebook
 */

(() => {
  const PATIENCE = 120; // seconds after which starting Python counts as failed
  const chapter = new URLSearchParams(location.search).get("path") ?? "";
  const config = JSON.parse(document.getElementById("jupyter-config-data")?.textContent ?? "");
  const { version, site } = config.litePluginSettings["course-bar"];
  const sources = (/** @type {Notebook} */ notebook) => JSON.stringify(notebook.cells.map((cell) => [cell.cell_type, [cell.source].flat().join("")]));

  const STYLE = `
    #course-bar { position: fixed; inset: 0 0 auto 0; z-index: 10; height: 48px; box-sizing: border-box; display: flex;
      gap: 12px; align-items: center; padding: 0 12px; font: 14px/1.4 system-ui, sans-serif; color: #111827;
      background: #eef2f7; border-bottom: 1px solid #cbd5e1; }
    #course-bar > div { flex: 1; min-width: 0; }
    #course-bar p { margin: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    #course-bar [data-python] { font-weight: 600; }
    #course-bar [data-python="ready"] { color: #14532d; }
    #course-bar [data-python="lost"] { color: #991b1b; }
    #course-bar a, #course-bar button { font: inherit; color: #0a38c2; flex: none; padding: 4px 8px; }
    #course-bar button { border: 1px solid #0a38c2; border-radius: 4px; background: #fff; cursor: pointer; }
    #jp-NotebookLogo { display: none; }
    body > #main { top: 48px !important; }
    @media (max-width: 700px) { #course-bar .long { display: none; } }
    @media (prefers-color-scheme: dark) {
      #course-bar { color: #f8fafc; background: #1f2733; border-color: #475569; }
      #course-bar [data-python="ready"] { color: #86efac; }
      #course-bar [data-python="lost"] { color: #fca5a5; }
      #course-bar a, #course-bar button { color: #a5bdff; border-color: #a5bdff; }
      #course-bar button { background: transparent; }
    }`;

  /**
   * @template {keyof HTMLElementTagNameMap} Name
   * @param {Name} name
   * @param {Partial<HTMLElementTagNameMap[Name]>} [properties]
   * @returns {HTMLElementTagNameMap[Name]}
   */
  const element = (name, properties) => Object.assign(document.createElement(name), properties);

  // The kernel's indicator shows "idle" long before Python runs, so run a line of Python.
  /** @param {App} app @param {HTMLElement} line */
  const followPython = async (app, line) => {
    /** @param {string} state @param {string} text */
    const say = (state, text) => {
      line.dataset.python = state;
      line.textContent = text;
    };
    const started = performance.now();
    const seconds = () => Math.round((performance.now() - started) / 1000);
    const tick = () =>
      seconds() > PATIENCE
        ? say("lost", "Python did not start here. Reload the page, or open the chapter in Colab or Binder.")
        : say("starting", `Python is starting: ${seconds()} s. The first visit loads 30 MB, later ones little.`);
    tick();
    const clock = setInterval(tick, 1000);
    const { connection, kernel } = await kernelOf(app);
    await kernel.requestIsComplete({ code: "1" });
    clearInterval(clock);
    say("ready", "Python is ready. Run a cell with Shift+Enter.");
    /** @param {unknown} _ @param {string} status */
    const again = (_, status) => {
      if (!status.includes("restarting")) return;
      connection.dispose();
      followPython(app, line);
    };
    kernel.statusChanged.connect(again);
  };

  const kernelOf = async (/** @type {App} */ app) => {
    const { sessions } = app.serviceManager;
    for (;;) {
      const model = [...sessions.running()].find((running) => running.path === chapter && running.kernel);
      if (model) {
        const connection = sessions.connectTo({ model });
        const kernel = /** @type {import("@jupyterlab/services").Kernel.IKernelConnection} */ (connection.kernel);
        return { connection, kernel };
      }
      await new Promise((done) => setTimeout(done, 200));
    }
  };

  // The reader's changes stay in this browser, even when the published chapter changes.
  /** @param {Services["contents"]} contents @param {Element} line */
  const describeCopy = async (contents, line) => {
    const response = await fetch(new URL(`../files/${chapter}`, location.href), { cache: "no-cache" });
    const published = sources(await response.json());
    const own = sources((await contents.get(chapter, { type: "notebook", content: true })).content);
    const remembered = `published:${chapter}`;
    const isEdited = own !== published;
    const hasMovedOn = isEdited && localStorage.getItem(remembered) !== published;
    if (!isEdited) localStorage.setItem(remembered, published);
    const whose = hasMovedOn
      ? "Your copy of an earlier version: the published chapter has changed."
      : isEdited
        ? "Your own copy, kept in this browser."
        : "The published copy; what you change stays in this browser.";
    line.textContent = `Version ${version}. ${whose}`;
  };

  const reset = async (/** @type {App} */ app) => {
    if (!confirm("Discard your changes to this chapter and open the published copy?")) return;
    await app.commands.execute("docmanager:save"); // a notebook without unsaved changes reloads without a prompt
    await app.serviceManager.contents.delete(chapter);
    location.reload();
  };

  const addBar = (/** @type {App} */ app) => {
    const python = element("p", { role: "status" });
    const copy = element("p", { textContent: `Version ${version}` });
    const button = element("button", { title: "Reset this chapter to the published copy" });
    button.innerHTML = 'Reset<span class="long"> this chapter to the published copy</span>';
    button.onclick = () => reset(app);
    const page = chapter.replace(/^assignments\//, "chapters/").replace(/\.ipynb$/, ".html"); // assignments have none
    const link = element("a", { href: `../../${page}` });
    link.innerHTML = 'Read<span class="long"> the chapter</span>';
    const lines = element("div");
    lines.append(python, copy);
    const bar = element("div", { id: "course-bar" });
    bar.append(lines, button, link);
    document.head.append(element("style", { textContent: STYLE }));
    document.body.prepend(bar);
    return { python, copy };
  };

  // The notebooks link to the published site. Here the same pages are local, and need no network.
  const stayOnThisSite = (/** @type {Event} */ { target }) => {
    const link = target instanceof Element ? target.closest("a[href]") : null;
    if (link instanceof HTMLAnchorElement && link.href.startsWith(site)) link.href = new URL(`../../${link.href.slice(site.length)}`, location.href).href;
  };

  const plugin = {
    id: "course-bar:plugin",
    autoStart: true,
    activate: (/** @type {App} */ app) => {
      if (!chapter) return;
      for (const type of ["pointerdown", "click"]) addEventListener(type, stayOnThisSite, { capture: true });
      const { python, copy } = addBar(app);
      followPython(app, python);
      const { contents } = app.serviceManager;
      const describe = () => describeCopy(contents, copy);
      app.restored.then(describe);
      contents.fileChanged.connect((_, change) => change.type === "save" && describe());
    },
  };
  const container = { init: () => {}, get: async () => () => ({ __esModule: true, default: plugin }) };
  (window._JUPYTERLAB ??= {})["course-bar"] = container;
})();
