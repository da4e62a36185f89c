// What several scripts of the site's pages need. esbuild puts it into each of them: no page loads one file more.

/** A new element with these properties and children. */
export const element = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

/** The text that this browser keeps under a name, or null: nothing is kept, or storage is not allowed. */
export const remembered = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

/** Keep a text under a name; without a text, forget it. Says whether this browser allows it. */
export const remember = (name, text) => {
  try {
    if (text) localStorage.setItem(name, text);
    else localStorage.removeItem(name);
    return true;
  } catch {
    return false;
  }
};
