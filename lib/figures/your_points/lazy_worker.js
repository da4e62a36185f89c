import { answerJobs } from "../parts/job.js";
import { criteriaOf, curvesOf, fitOf } from "./fit.js";
import { workbookOf } from "./workbook.js";

// Web worker that reads a workbook, compares the candidates of a parameter, fits one of them, or fits all methods,
// so that the page stays alive.

/**
 * @typedef {import("./fit.js").Data} Data
 * @typedef {{ workbook: Uint8Array<ArrayBuffer>, sheet?: number }} Reading
 * @typedef {{ data: Data, compared: import("./fit.js").Compared }} Comparing
 * @typedef {{ data: Data, method: string, candidates: number[], reach: number }} Scoring
 * @typedef {{ data: Data, method: string, parameter: number, isRobust: boolean }} Fitting
 */

answerJobs((/** @type {Reading | Comparing | Scoring | Fitting} */ job, progress) => {
  if ("workbook" in job) return workbookOf(job.workbook, job.sheet);
  if ("compared" in job) return curvesOf(job.data, job.compared, progress);
  return "candidates" in job
    ? criteriaOf(job.data, job.method, job.candidates, job.reach, progress)
    : fitOf(job.data, job.method, job.parameter, job.isRobust, progress);
});
