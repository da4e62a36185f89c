import { scoresOf } from "../methods/regression.js";
import { answerJobs } from "../parts/job.js";
import { fitOf } from "./fit.js";
import { workbookOf } from "./workbook.js";

// Web worker that reads a workbook, compares the candidates of a parameter, or fits one of them, so that the page stays
// alive.

answerJobs(({ workbook, sheet, data, method, parameter, candidates }, progress) => {
  if (workbook) return workbookOf(workbook, sheet);
  return candidates ? scoresOf(data, method, candidates, progress) : fitOf(data, method, parameter);
});
