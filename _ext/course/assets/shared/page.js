// Helpers shared by the site's scripts. esbuild copies them into each, which saves a request.

/**
 * Create an element with these properties and children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [properties]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const element = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

/** Return the element that a selector names, where the page always has it. @param {string} selector */
export const getElement = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

/** Return the element that an event reaches first, or null if it is not an element. @param {Event} event */
export const targetOf = ({ target }) => (target instanceof Element ? target : null);

/** Return the text stored under a name, or null if there is none or storage is blocked. @param {string} name */
export const remembered = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

/**
 * Store a text under a name, or remove it if there is no text. Return whether storage is allowed.
 * @param {string} name
 * @param {string} text
 */
export const remember = (name, text) => {
  try {
    if (text) localStorage.setItem(name, text);
    else localStorage.removeItem(name);
    return true;
  } catch {
    return false;
  }
};
