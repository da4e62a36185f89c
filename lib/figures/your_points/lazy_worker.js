import { scoresOf } from "../methods/regression.js";
import { answerJobs } from "../parts/job.js";
import { fitOf } from "./fit.js";

// Web worker that compares the candidates of a parameter, or fits one of them, so that the page stays alive.

answerJobs(({ data, method, parameter, candidates }, progress) =>
  candidates ? scoresOf(data, method, candidates, progress) : fitOf(data, method, parameter),
);
