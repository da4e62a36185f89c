// Helpers shared by the site's scripts. esbuild copies them into each, which saves a request.

/** Create an element with these properties and children. */
export const element = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

/** Return the text stored under a name, or null if there is none or storage is blocked. */
export const remembered = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

/** Store a text under a name, or remove it if there is no text. Return whether storage is allowed. */
export const remember = (name, text) => {
  try {
    if (text) localStorage.setItem(name, text);
    else localStorage.removeItem(name);
    return true;
  } catch {
    return false;
  }
};
