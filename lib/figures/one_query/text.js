import { format, role } from "../parts/numbers.js";

// What the figure says.

/** The methods, the nearest to the photograph without noise first, once pixels have been cleaned. */
export const ranked = (methods, { cleaned, error }) =>
  cleaned ? [...methods].sort((a, b) => error[a.name] - error[b.name]) : [];

/** In few words, beside the photograph. */
export function verdict({ methods }, { setting: { guess }, errors }) {
  if (!guess) return "Six copies, one brush. Which is nearest to the photograph without noise? Press it.";
  const [best] = ranked(methods, errors),
    own = methods.find(({ name }) => name === guess);
  if (!best) return errors.brushed ? "The six methods are at work." : "Lead the brush over it.";
  const off = ({ name }) => `${format(255 * errors.error[name], 1)}\u00a0grey levels off`;
  if (own === best) return `You guessed it: ${best.title} is nearest, ${off(best)}.`;
  return `${best.title} is nearest, ${off(best)}.${own ? ` Your guess, ${own.title}, is ${off(own)}.` : ""}`;
}

const levels = (error) => role("estimate", `${format(255 * error, 1)}\u00a0grey levels`);

export function sentence({ methods, radius }, { setting: { guess }, query: [row, column], results, errors, answers }) {
  const { keys_for_90_percent } = results.shown,
    { brushed, cleaned, error } = errors;
  if (answers.isBroken && !cleaned) return "The six methods could not work here.";
  if (!guess)
    return (
      `Each copy shows, enlarged, what lies in the ${role("key", "large frame")}, clean inside the ${role("query", "line of the brush")}. ` +
      `In the ${role("key", "small frame")} are the pixels that are averaged for ${role("query", "the one in the middle")}.`
    );
  if (!cleaned)
    return brushed ? "The six methods are at work." : "Lead the brush over the photograph: six copies become clean.";
  const order = ranked(methods, { cleaned, error });
  const [best, worst, own] = [order[0], order.at(-1), order.find(({ name }) => name === guess)];
  const judged = !own
    ? ""
    : own === best
      ? "You guessed it. "
      : `You guessed ${own.title}, which is off by ${levels(error[own.name])}. `;
  const counts = ({ name }) => role("weight", `${keys_for_90_percent[name]} of ${(2 * radius + 1) ** 2} pixels`);
  return (
    `${judged}Under the brush, ${best.title} is nearest to the photograph without noise, off by ` +
    `${levels(error[best.name])} of 255, and ${worst.title} is farthest, off by ${levels(error[worst.name])}. For ` +
    `${role("query", `the pixel in row ${row}, column ${column}`)}, 90\u00a0% of the weight lies on ` +
    `${counts(best)} with ${best.title}, and on ${counts(worst)} with ${worst.title}.`
  );
}
