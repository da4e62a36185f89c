import { answerJobs } from "../parts/job.js";
import { createReader } from "./windows.js";

// Web worker that runs the model, so that typing never waits. Each message contains the stored model, because a worker
// that was cancelled leaves none behind.

/** @type {ReturnType<typeof createReader> | undefined} */
let reader;

answerJobs(({ stored, context, text, query, isWhole }, progress) => {
  reader ??= createReader(stored, context);
  return isWhole ? reader.lossesOf(text, progress) : reader.windowAt(text, query);
});
