// A widget model without Jupyter: the traits of one figure.
export class Model {
  /** @param {Record<string, unknown>} state */
  constructor(state) {
    this.state = state;
    /** @type {[event: string, act: () => void][]} */
    this.listeners = [];
  }
  /** @param {string} name */
  get(name) {
    return this.state[name];
  }
  /** @param {string} name @param {unknown} value */
  set(name, value) {
    if (JSON.stringify(this.state[name]) === JSON.stringify(value)) return;
    this.state[name] = value;
    this.listeners.filter(([event]) => event === `change:${name}`).forEach(([, act]) => act());
  }
  /** @param {string} event @param {() => void} act */
  on(event, act) {
    this.listeners.push([event, act]);
  }
  /** @param {string} event @param {() => void} act */
  off(event, act) {
    this.listeners = this.listeners.filter((each) => each[0] !== event || each[1] !== act);
  }
  save_changes() {}
}
