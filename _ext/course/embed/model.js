// A widget model without Jupyter: the traits of one figure.
export class Model {
  constructor(state) {
    this.state = state;
    this.listeners = [];
  }
  get(name) {
    return this.state[name];
  }
  set(name, value) {
    if (JSON.stringify(this.state[name]) === JSON.stringify(value)) return;
    this.state[name] = value;
    this.listeners.filter(([event]) => event === `change:${name}`).forEach(([, act]) => act());
  }
  on(event, act) {
    this.listeners.push([event, act]);
  }
  off(event, act) {
    this.listeners = this.listeners.filter((each) => each[0] !== event || each[1] !== act);
  }
  save_changes() {}
}
