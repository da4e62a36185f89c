// What other scripts of a page define.

interface Window {
  /** Long values, which pages share: text, or data by their hash (`widget_assets.py`, `embed_pages.py`). */
  figureParts: Record<string, any>;
  /** The sections that the search knows (`search_sections.py`). */
  courseSections: [page: string, anchor: string, pageTitle: string, title: string, text: string, sources: string][];
  /** Resolves when the live figures are drawn. */
  figuresShown?: Promise<unknown>;
  /** The extensions of JupyterLab. */
  _JUPYTERLAB?: Record<string, object>;
}

declare module "*.css";

/** The parts of Reveal.js that the slides use. */
declare const Reveal: {
  initialize(options: { keyboardCondition(event: KeyboardEvent): boolean; [name: string]: unknown }): void;
  on(event: string, act: () => void): void;
  addKeyBinding(key: { keyCode: number; key: string; description: string }, act: () => void): void;
  getIndices(): { h: number };
  slide(index: number): void;
};
