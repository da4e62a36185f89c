// Settings: traits of the model, converted to values for the figure and to text for the URL.

import { onGrid } from "../parts/numbers.js";

/**
 * The widget model from Jupyter: traits, some of them shared with sliders.
 * @typedef {{ get(trait: string): unknown, set(trait: string, value: unknown): void, save_changes(): void,
 *   on(event: string, act: () => void): void, off(event: string, act: () => void): void }} Model
 *
 * Conversion of a trait to a `value` of the figure, and to and from text in the URL. Invalid text reads as undefined.
 * @typedef {{ write(stored: unknown): string, read(text: string): unknown,
 *   load?(stored: unknown): unknown, store?(value: unknown): unknown }} Kind
 *
 * @typedef {import("../parts/numbers.js").Grid} Grid
 * @typedef {ReturnType<typeof settingsOf>} Settings
 */

/** A number on a grid. @param {Grid} grid */
export const numberSetting = (grid) => ({
  load: (/** @type {number} */ stored) => onGrid(stored, grid),
  store: (/** @type {number} */ value) => onGrid(value, grid),
  write: (/** @type {number} */ stored) => String(onGrid(stored, grid)),
  read: (/** @type {string} */ text) =>
    Number.isFinite(parseFloat(text)) ? onGrid(parseFloat(text), grid) : undefined,
});

/** One of several names; the trait is its index. @param {string[]} names */
export const choiceSetting = (names) => ({
  load: (/** @type {number} */ index) => names[Math.min(index, names.length - 1)],
  store: (/** @type {string} */ name) => names.indexOf(name),
  write: (/** @type {number} */ index) => names[index],
  read: (/** @type {string} */ text) => (names.includes(text) ? names.indexOf(text) : undefined),
});

/** One of the answers, or none; the URL counts them from 1. @param {string[]} answers */
export const guessSetting = (answers) => ({
  write: (/** @type {string} */ answer) => (answer ? String(answers.indexOf(answer) + 1) : ""),
  read: (/** @type {string} */ text) => answers[Number(text) - 1],
});

/** Any text of at most `longest` characters; the URL's separators are percent-encoded. @param {number} longest */
export const textSetting = (longest) => ({
  write: (/** @type {string} */ text) => encodeURIComponent(wellFormed(text)),
  read: (/** @type {string} */ text) => (text && text.length <= longest ? wellFormed(text) : undefined),
});

/** Replace lone surrogates, which cannot be encoded as UTF-8. @param {string} text */
export const wellFormed = (text) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));

/**
 * A list, of which the URL stores only the entries that differ from the defaults, by index: `3/1.25;7/2` sets the
 * fourth and the eighth. An entry is a number or an array; `make` converts an array to an entry, or to undefined.
 * @template {number | number[]} Entry
 * @param {Entry[]} defaults
 * @param {(numbers: number[]) => Entry | undefined} make
 */
export const listSetting = (defaults, make) => ({
  write: (/** @type {Entry[]} */ list) => {
    const texts = list.map((entry, i) => [i, entry].flat().join("/"));
    return texts.filter((text, i) => text !== [i, defaults[i]].flat().join("/")).join(";");
  },
  read: (/** @type {string} */ text) => {
    const list = [...defaults];
    for (const [i, ...numbers] of text.split(";").map((change) => change.split("/").map(Number))) {
      const entry = i in list ? make(numbers) : undefined;
      if (entry !== undefined) list[i] = entry;
    }
    return list;
  },
});

/**
 * Convert an array of one number to an entry on a grid.
 * @param {Grid} grid
 * @returns {(numbers: number[]) => number | undefined}
 */
export const numberOn =
  (grid) =>
  ([value]) =>
    Number.isFinite(value) ? onGrid(value, grid) : undefined;

/** @param {unknown} value */
const asItIs = (value) => value;

/**
 * The settings of a figure. Python declares for each the name in the URL, the trait, and a grid or names; `own`
 * contains the kinds of all others, by name.
 * @param {Model} model
 * @param {Record<string, Kind>} own
 */
export function settingsOf(model, own) {
  const declared = /** @type {Record<string, { trait: string, grid?: Grid, names?: string[] }>} */ (
    model.get("settings")
  );
  const entries = Object.entries(declared).map(([name, { trait, grid, names }]) => {
    /** @type {Kind} */
    const kind = own[name] ?? (grid ? numberSetting(grid) : choiceSetting(names ?? []));
    return { name, trait, load: asItIs, store: asItIs, ...kind };
  });
  const byName = Object.fromEntries(entries.map((entry) => [entry.name, entry]));
  const traits = entries.map(({ trait }) => trait);
  const defaults = () => /** @type {Record<string, unknown>} */ (structuredClone(model.get("defaults")));
  /** @param {Record<string, unknown>} stored */
  const restore = (stored) => {
    Object.entries(stored).forEach(([trait, value]) => model.set(trait, value));
    model.save_changes();
  };
  return {
    traits,
    restore,
    /** Save all traits, for `restore`. */
    stored: () => Object.fromEntries(traits.map((trait) => [trait, model.get(trait)])),
    /** The values of all settings, by name. */
    now: () => Object.fromEntries(entries.map(({ name, trait, load }) => [name, load(model.get(trait))])),
    /** @param {object} values by the settings' names */
    change(values) {
      const stored = Object.entries(values).map(([name, value]) => [byName[name].trait, byName[name].store(value)]);
      restore(Object.fromEntries(stored));
    },
    /** The values of all settings after `reset`, by name. */
    first() {
      const stored = defaults();
      return Object.fromEntries(entries.map(({ name, trait, load }) => [name, load(stored[trait])]));
    },
    reset: () => restore(defaults()),

    /** Convert the settings that differ from the defaults to text. @returns {Record<string, string>} */
    write() {
      const start = defaults();
      const texts = entries.map(({ name, trait, write }) => ({
        name,
        now: write(model.get(trait)),
        first: write(start[trait]),
      }));
      return Object.fromEntries(texts.filter(({ now, first }) => now !== first).map(({ name, now }) => [name, now]));
    },

    /**
     * Set the defaults, overridden by these texts. If none of the texts is valid, return false and change nothing.
     * @param {Record<string, string>} texts
     */
    read(texts) {
      const known = entries.filter(({ name }) => name in texts);
      const values = known.map(({ name, trait, read }) => /** @type {const} */ ([trait, read(texts[name])]));
      const valid = Object.fromEntries(values.filter(([, value]) => value !== undefined));
      const hasAny = Object.keys(valid).length > 0;
      if (hasAny) restore({ ...defaults(), ...valid });
      return hasAny;
    },
  };
}
