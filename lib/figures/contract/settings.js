// What the reader can change: traits of the model, as values that a figure computes with and as text in the address.

import { onGrid } from "../parts/numbers.js";

/**
 * What Jupyter gives a figure: traits, some shared with sliders.
 * @typedef {{ get(trait: string): any, set(trait: string, value: any): void, save_changes(): void,
 *   on(event: string, act: () => void): void, off(event: string, act: () => void): void }} Model
 *
 * How a trait is read and written: as a `value` of the figure, and in the words of the address. Text that makes no
 * sense reads as undefined.
 * @typedef {{ write(stored: any): string, read(text: string): any,
 *   load?(stored: any): any, store?(value: any): any }} Kind
 */

/** A number of a grid. @param {import("../parts/numbers.js").Grid} grid @returns {Kind} */
export const numberSetting = (grid) => ({
  load: (stored) => onGrid(stored, grid),
  store: (value) => onGrid(value, grid),
  write: (stored) => String(onGrid(stored, grid)),
  read: (text) => (Number.isFinite(parseFloat(text)) ? onGrid(parseFloat(text), grid) : undefined),
});

/** One of some names; the trait holds its index. @param {string[]} names @returns {Kind} */
export const choiceSetting = (names) => ({
  load: (index) => names[Math.min(index, names.length - 1)],
  store: (name) => names.indexOf(name),
  write: (index) => names[index],
  read: (text) => (names.includes(text) ? names.indexOf(text) : undefined),
});

/** One of some answers, or none; the address counts them from 1. @param {string[]} answers @returns {Kind} */
export const guessSetting = (answers) => ({
  write: (answer) => (answer ? String(answers.indexOf(answer) + 1) : ""),
  read: (text) => answers[Number(text) - 1],
});

/** Any text up to so many letters; what separates settings in the address is encoded. @returns {Kind} */
export const textSetting = (longest) => ({
  write: (text) => encodeURIComponent(wellFormed(text)),
  read: (text) => (text && text.length <= longest ? wellFormed(text) : undefined),
});

/** The text without halves of letters, which no encoding can write. */
export const wellFormed = (text) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));

/**
 * Only the entries of a list that differ from the default, by their places: `3/1.25;7/2` moves the fourth and the
 * eighth. An entry is a row of numbers; `make` turns such a row into an entry, or into undefined.
 * @param {any[]} defaults
 * @param {(numbers: number[]) => any} make
 * @returns {Kind}
 */
export const listSetting = (defaults, make) => ({
  write: (list) => {
    const texts = list.map((entry, i) => [i, entry].flat().join("/"));
    return texts.filter((text, i) => text !== [i, defaults[i]].flat().join("/")).join(";");
  },
  read: (text) => {
    const list = [...defaults];
    for (const [i, ...numbers] of text.split(";").map((change) => change.split("/").map(Number))) {
      const entry = i in list ? make(numbers) : undefined;
      if (entry !== undefined) list[i] = entry;
    }
    return list;
  },
});

/** Entries of one number of a grid. @param {import("../parts/numbers.js").Grid} grid */
export const numberOn =
  (grid) =>
  ([value]) =>
    Number.isFinite(value) ? onGrid(value, grid) : undefined;

/**
 * The settings of a figure. Python declares them: a name in the address, a trait, and a grid or names; `own` has the
 * kinds of the others, by name.
 * @param {Model} model
 * @param {Record<string, Kind>} own
 */
export function settingsOf(model, own) {
  const same = (value) => value;
  const entries = Object.entries(model.get("settings")).map(([name, { trait, grid, names }]) => {
    const kind = own[name] ?? (grid ? numberSetting(grid) : choiceSetting(names));
    return { name, trait, load: same, store: same, ...kind };
  });
  const byName = Object.fromEntries(entries.map((entry) => [entry.name, entry]));
  const traits = entries.map(({ trait }) => trait);
  const defaults = () => structuredClone(model.get("defaults"));
  const restore = (stored) => {
    Object.entries(stored).forEach(([trait, value]) => model.set(trait, value));
    model.save_changes();
  };
  return {
    traits,
    restore,
    /** All traits as they are, to be restored. */
    stored: () => Object.fromEntries(traits.map((trait) => [trait, model.get(trait)])),
    /** All settings by name, as the figure computes with them. */
    now: () => Object.fromEntries(entries.map(({ name, trait, load }) => [name, load(model.get(trait))])),
    change: (values) =>
      restore(
        Object.fromEntries(
          Object.entries(values).map(([name, value]) => [byName[name].trait, byName[name].store(value)]),
        ),
      ),
    reset: () => restore(defaults()),

    /** In words, only what differs from the defaults. */
    write() {
      const start = defaults();
      const words = entries.map(({ name, trait, write }) => [name, write(model.get(trait)), write(start[trait])]);
      return Object.fromEntries(words.filter(([, now, before]) => now !== before));
    },

    /** The defaults but for these words. Says whether any of them made sense; if none did, nothing changes. */
    read(words) {
      const known = entries.filter(({ name }) => name in words);
      const values = known.map(({ name, trait, read }) => [trait, read(words[name])]);
      const valid = Object.fromEntries(values.filter(([, value]) => value !== undefined));
      const any = Object.keys(valid).length > 0;
      if (any) restore({ ...defaults(), ...valid });
      return any;
    },
  };
}
