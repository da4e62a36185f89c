import { defineFigure, memo } from "../contract/figure.js";
import { onSite, readState } from "../contract/url_state.js";
import { prefersReducedMotion } from "../parts/drag.js";
import { dragQuery, inside, paint, pixelSetting, unpack, withNoise } from "../parts/photograph.js";
import { playButton } from "../parts/play.js";
import { brushFor, dabSetting } from "./brush.js";
import { cleanerInWorker, copiesOf, errorsOf, keepCleaned, missing, opened, resultsOf } from "./copies.js";
import { arrange, cropAround, drawQuery, drawTrail, elements, paintCopies } from "./drawing.js";
import { NO_GUESS, OWN_PHOTOGRAPH, takePhotographs } from "./own_photograph.js";
import { ranked, sentence, verdict } from "./text.js";

/** The course's photograph and the reader's own, what the methods know, and what follows from a setting. */
function withPhotographs(constants) {
  const { methods, moment, disk, noise_std, radius, patch_radius } = constants;
  const [clean, noise, maps, frequencies] = [
    constants.clean,
    constants.noise,
    constants.maps,
    constants.frequencies,
  ].map(unpack);
  const [queryMap, keyMap] = maps.planes;
  const given = { methods, queryMap, keyMap, frequencies: frequencies.planes[0], moment, disk, radius, patch_radius };
  return {
    ...constants,
    clean,
    given,
    photographs: [opened(clean, withNoise(clean, noise, noise_std), given)],
    copiesOf: memo(copiesOf),
    maskOf: memo((photo, dabs) => photo.brush.painted(dabs)),
    resultsAt: memo((copies, row, column) => resultsOf(copies, [row, column])),
  };
}

/** What the address can say. Of a photograph of one's own it says nothing. */
function settings({ clean, methods }, model) {
  const ofCourse = (kind) => ({ ...kind, write: (stored) => (model.get("photo") ? "" : kind.write(stored)) });
  const guesses = [NO_GUESS, ...methods.map(({ name }) => name)];
  return {
    query: ofCourse(pixelSetting(clean)),
    brush: ofCourse(dabSetting(brushFor(clean))),
    guess: { write: (name) => name, read: (text) => (guesses.includes(text) ? text : undefined) },
    photo: { write: () => "", read: () => undefined },
  };
}

function compute({ photographs, copiesOf, maskOf, resultsAt, methods }, setting) {
  const photo = photographs[setting.photo] ?? photographs[0],
    query = inside(photo, setting.query);
  const copies = copiesOf(photo, setting.bandwidth),
    mask = maskOf(photo, setting.brush);
  return { photo, query, copies, mask, results: resultsAt(copies, ...query), errors: errorsOf(copies, mask, methods) };
}

const state = (_, { setting, query, results, errors }) => ({
  query,
  bandwidth: setting.bandwidth,
  guess: setting.guess,
  dabs: setting.brush,
  ...errors,
  ...results.shown,
});

/** What pointer, keys and Play do. */
function letPointerScrub(figure, parts) {
  const { change, setting } = figure,
    { path, moves_first, photographs } = figure.data;
  let from; // where the brush was; a new stroke begins where the pointer goes down
  const scrub = (pixel) => {
    const { photo } = figure.now,
      to = inside(photo, pixel);
    change({
      guess: setting().guess || NO_GUESS,
      query: to,
      brush: photo.brush.along(setting().brush, from ?? to, to),
    });
    from = to;
  };
  figure.stage.addEventListener("pointerdown", () => (from = undefined), { capture: true });
  figure.stage.addEventListener("keydown", () => (from = setting().query), { capture: true });
  const { queryHandle: handle, grip } = parts;
  dragQuery(figure, { handle, pictures: [grip], image: () => figure.now.photo, move: scrub });

  const stroke = (traits) => {
    let brush = [];
    return path.map((query, i) => {
      brush = photographs[0].brush.along(brush, path[Math.max(i - 1, 0)], query);
      return { ...traits, photo: 0, query, brush };
    });
  };
  const frames = () => stroke({ guess: setting().guess || NO_GUESS });
  const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const isOnItsWay = () => {
    const place = ({ photo, query, brush }) => [photo, query, brush];
    return frames().some((frame) => isSame(place(frame), place(setting())));
  };
  const story = { title: "Lead the brush along the tripod", frames, pause: 32 };
  const { play } = playButton(figure, story, parts.buttons);
  const isSent = Object.keys(readState(figure.model.get("address"))).length > 0; // a setting that somebody chose
  const first = setting();
  const isUntouched = () => isSame(setting(), first);
  if (moves_first && onSite() && !prefersReducedMotion() && !isSent)
    whenLookedAt(figure, () => isUntouched() && play(stroke({})));
  /** A guess is about the whole way: a brush that is on it comes to its end. */
  return (guess) => change({ ...(isOnItsWay() ? frames().at(-1) : {}), guess });
}

const LOOKED_AT = 1200; // milliseconds

/** Once, when the figure has been in view for a while and nobody has touched anything. */
function whenLookedAt({ stage, signal }, act) {
  const waiting = new AbortController();
  let clock;
  const end = () => {
    clearTimeout(clock);
    seen.disconnect();
    waiting.abort();
  };
  const seen = new IntersectionObserver(
    ([{ isIntersecting }]) => {
      clearTimeout(clock);
      if (isIntersecting)
        clock = setTimeout(() => {
          end();
          act();
        }, LOOKED_AT);
    },
    { threshold: 0.6 },
  );
  for (const gesture of ["pointerdown", "keydown", "hashchange"]) {
    addEventListener(gesture, end, { capture: true, once: true, signal: waiting.signal });
  }
  signal.addEventListener("abort", end);
  seen.observe(stage);
}

function view(figure) {
  const { data, root, stage } = figure,
    { methods, given, photographs } = data;
  root.classList.add("photograph-figure");
  const parts = elements(stage, methods, (name) => {
    guess(name);
    parts.queryHandle.focus({ preventScroll: true });
  });
  let now, coming; // a frame that will show what the worker has sent

  const arranged = memo((photo, width) => {
    const at = arrange(root, parts, photo, width);
    paint(parts.photo, photo.noisy);
    parts.note.textContent = photo === photographs[0] ? "" : OWN_PHOTOGRAPH;
    return at;
  });
  // What the worker sends changes neither the trail nor the weights.
  const paintCopiesAt = memo((at, copies, mask, query, _nCleaned) => paintCopies(parts, at, copies, mask, query));
  const drawTrailAt = memo((at, photo, mask) => drawTrail(parts, at, photo, mask));
  const drawQueryAt = memo((at, { weights, shown }, query) => {
    drawQuery(parts, at, now.photo, query, shown.noisy);
    const [top, left] = cropAround(now.photo, query, at.crop),
      here = [query[0] - top, query[1] - left];
    methods.forEach(({ name }, k) =>
      parts.methods[k].drawQuery(at, here, weights[name], shown.keys_for_90_percent[name]),
    );
  });

  function draw(drawn, { width }) {
    now = drawn;
    const { photo, copies, mask, errors, results, setting } = now,
      { guess } = setting;
    const at = arranged(photo, width);
    paintCopiesAt(at, copies, mask, now.query, copies.nCleaned);
    drawTrailAt(at, photo, mask);
    drawQueryAt(at, results, now.query);
    root.classList.toggle("veiled", !guess);
    const [nearest] = guess ? ranked(methods, errors) : [];
    methods.forEach((method, k) =>
      parts.methods[k].say(guess ? errors.error[method.name] : null, method === nearest, method.name === guess),
    );
    parts.verdict.textContent = verdict(data, now);
    figure.setPending(errors.cleaned < errors.brushed && !now.answers.isBroken);
    cleaner.next();
  }

  const cleaner = cleanerInWorker(data.worker_code, {
    sent: undefined, // the photograph that the worker has
    wanted() {
      const { photo, copies, mask, query } = now;
      const pixels = missing(copies, mask, query);
      if (!pixels.length) return undefined;
      const open = this.sent === photo ? undefined : { noisy: photo.noisy, given };
      this.sent = photo;
      return { run: photographs.indexOf(photo), open, bandwidth: copies.bandwidth, pixels };
    },
    listen({ run, bandwidth, pixels, estimates }) {
      const { copies } = now;
      if (photographs[run] !== copies.photo || bandwidth !== copies.bandwidth) return;
      keepCleaned(copies, pixels, estimates);
      cancelAnimationFrame(coming);
      coming = requestAnimationFrame(figure.redraw);
    },
    fail: () => figure.answer({ isBroken: true }),
  });
  const guess = letPointerScrub(figure, parts);
  takePhotographs(figure, parts);
  figure.signal.addEventListener("abort", () => {
    cancelAnimationFrame(coming);
    cleaner.end();
  });
  return draw;
}

export default defineFigure("one-query", {
  hint: "Lead the brush with mouse or finger. Keyboard: Tab, arrow keys; with Shift, ten pixels at a time.",
  data: withPhotographs,
  answers: () => ({ isBroken: false }), // the worker
  settings,
  compute,
  state,
  sentence,
  view,
});
