// Replaces the index of `@lumino/widgets`, which includes menus, docks and tab bars: only what ipywidgets uses.
export { Panel } from "../../../node_modules/@lumino/widgets/src/panel";
export { Widget } from "../../../node_modules/@lumino/widgets/src/widget";
import "../../../node_modules/@lumino/widgets/style/widget.css";
