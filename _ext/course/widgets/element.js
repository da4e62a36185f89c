// Replaces `jquery`, which ipywidgets and anywidget use only to wrap a view's element and to empty it.
/** @param {Element} element */
export default function wrapped(element) {
  return { 0: element, empty: () => element.replaceChildren() };
}
