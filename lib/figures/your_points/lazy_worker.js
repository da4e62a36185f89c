import { answerJobs } from "../parts/job.js";
import { criteriaOf, curvesOf, fitOf } from "./fit.js";
import { workbookOf } from "./workbook.js";

// Web worker that reads a workbook, compares the candidates of a parameter, fits one of them, or fits all methods, so that
// the page stays alive.

answerJobs(({ workbook, sheet, data, method, parameter, candidates, compared, isRobust, reach }, progress) => {
  if (workbook) return workbookOf(workbook, sheet);
  if (compared) return curvesOf(data, compared, progress);
  return candidates
    ? criteriaOf(data, method, candidates, reach, progress)
    : fitOf(data, method, parameter, isRobust, progress);
});
