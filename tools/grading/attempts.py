"""Run the cells of a submission in sandboxes, first without `lib` where a question forbids it, and score them."""

import numpy as np

from tools.grading import questions
from tools.grading.sandbox import START_SECONDS, ProcessDied, Sandbox

CELL_SECONDS = 20  # of processor time
MOST_STARTS = 6  # of a submission whose cells end Python or never end
MUCH_PRINTED = 100_000  # characters
NO_ONE = "nobody"  # whose data a notebook without an id draws
OUT_OF_TIME = "its file used up its time: the rest of it was not graded"


class Attempt:
    """Run the cells of a submission in a sandbox; restart it without a cell that ends the process."""

    def __init__(self, cells, course, budget, forbids_lib):
        self.cells, self.course, self.budget, self.forbids_lib = cells, course, budget, forbids_lib
        self.errors, self.printed, self.starts, self.left_out = {}, 0, 0, False
        self.fatal = set()  # cells that ended the process
        self.sandbox = None

    def start(self):
        """Run all cells in a new process."""
        while self.starts < MOST_STARTS and self.budget.left:
            self.starts += 1
            self.stop()
            self.sandbox = Sandbox(self.course, self.budget, self.forbids_lib)
            self.wait_for_process()
            if all(self.run_cell(i) for i in range(len(self.cells)) if i not in self.fatal):
                return
        raise ProcessDied(self.why_died("its cells end Python, or do not end"))

    def wait_for_process(self):
        try:
            self.sandbox.ask("run", START_SECONDS, source="")
        except ProcessDied:
            raise OSError("its process did not start") from None

    def run_cell(self, i):
        """Whether the process is still alive after this cell."""
        before = self.sandbox.left_out
        try:
            self.sandbox.ask("run", CELL_SECONDS, source=self.cells[i].source)
            self.errors.pop(i, None)
        except RuntimeError as error:
            self.errors[i] = str(error)
        except ProcessDied as error:
            self.errors[i] = self.why_died(error)
            self.fatal.add(i)
            return False
        self.left_out |= self.sandbox.left_out > before and not is_check(self.cells[i])
        self.printed = max(self.printed, self.sandbox.printed)
        return True

    def why_died(self, error):
        return str(error) if self.budget.left else OUT_OF_TIME

    def student(self):
        """The id in the notebook, or an empty text."""
        try:
            student = self.sandbox.ask("student", CELL_SECONDS)
        except RuntimeError:
            student = None
        return student.strip()[:100] if isinstance(student, str) and student.strip().isprintable() else ""

    def verdict(self, question, student, explains=True):
        """Return the verdict on a question, and whether its answer used `lib`; restart an ended process."""
        before = self.sandbox.left_out
        try:
            rng = np.random.default_rng()  # other cases each time
            found = questions.score(question, self.sandbox, student, rng, explains)
            return found, self.sandbox.left_out > before
        except ProcessDied as error:
            why = self.why_died(error)
            self.start()
            return questions.Verdict(0, (f"{question.answer}: {why}",)), False

    def stop(self):
        if self.sandbox:
            self.sandbox.close()


class Run:
    """A submission's cells, run without `lib` where a question forbids it, and then with it if anything needs it.

    The first sandbox has ended before the second one starts, so that nothing can be passed between them.
    """

    def __init__(self, submission, assignment, course, budget):
        self.cells = [cell for cell in submission.cells if cell.cell_type == "code" and cell.source.strip()]
        self.texts = [cell for cell in submission.cells if cell.cell_type != "code"]
        self.questions = assignment.questions
        self.new_attempt = lambda forbids_lib: Attempt(self.cells, course, budget, forbids_lib)
        self.verdicts, self.attempts, self.student = {}, [], ""

    @property
    def is_forbidden(self):
        return any(question.forbids_lib for question in self.questions)

    def grade(self):
        """Run and score everything. If a process cannot continue, `verdicts` keeps the results so far."""
        need_lib = self.score(True, self.questions) if self.is_forbidden else self.questions
        if need_lib or self.attempts[0].left_out:
            self.score(False, [question for question in self.questions if not question.forbids_lib])

    def score(self, forbids_lib, asked):
        """Score questions in one attempt; return those that may use `lib`, and do."""
        attempt, need_lib = self.new_attempt(forbids_lib), []
        self.attempts.append(attempt)
        try:
            attempt.start()
            self.student = attempt.student()
            for question in asked:  # without an id, the notebook has computed with the data of NO_ONE
                is_final = not forbids_lib or question.forbids_lib or not attempt.left_out
                found = attempt.verdict(question, self.student or NO_ONE, explains=is_final)
                self.verdicts[question.name], asks_lib = found
                need_lib += [question] if asks_lib and not question.forbids_lib else []
        finally:
            attempt.stop()
        return need_lib

    def explained(self, question):
        """The verdict on a question, with sentences on its own cells."""
        found = self.verdicts.get(question.name, questions.UNREACHED)
        if found.points == question.points:
            return found
        own = [text for i, text in self.attempts[-1].errors.items() if question.owns(self.cells[i])]
        missing = f"there is no {question.answer}"
        rest = [text for text in found.sentences if text != missing]
        if len(rest) < len(found.sentences) and not own:
            rest.append(self.why_missing(question) or missing)
        return found._replace(sentences=(*own, *rest))

    def why_missing(self, question):
        """The reason why there is no answer, if one is known."""
        if any(cell.id == question.cell or question.is_set_in(cell.source) for cell in self.texts):
            return f"the cell of {question.answer} is text (Markdown): make it a code cell"
        if question.forbids_lib and self.attempts[0].left_out:
            return f"{question.answer} needs something that uses lib: nothing of it may be used in this answer"
        return ""

    def remarks(self):
        last = self.attempts[-1]
        errors = sorted(last.errors.items())
        remarks = [f"{self.cells[i].id}: {text}" for i, text in errors if not is_check(self.cells[i])]
        return remarks + ([f"printed {last.printed} characters"] if last.printed > MUCH_PRINTED else [])


def is_check(cell):
    """Whether a cell is a check that students see, which may fail."""
    return "raises-exception" in cell.tags
