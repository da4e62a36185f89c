"""One submitted notebook: which assignment it is, what was changed in it, and its row in the table."""

import re

from tools.grading import review, tables
from tools.grading.attempts import NO_ONE, OUT_OF_TIME, Run
from tools.grading.meter import Budget
from tools.grading.sandbox import ProcessDied
from tools.grading.tables import Row

FILE_SECONDS, SLEEP_SECONDS = 120, 30  # of processor time, and of sleep, for all notebooks in one student's file
VERSION = re.compile(r"Version ([0-9a-f]{8})\b")
NO_ID = f"no id in the notebook: it was graded with the data of {NO_ONE!r}"
WRITE_ID = "your notebook has no id: next time, write it into the cell that draws your data"


def lines_of(source):
    """The lines of a cell without the one that sets the id."""
    return {line for each in source.splitlines() if (line := each.strip()) and not line.startswith("student_id")}


def edited_cells(submission, assignment):
    """The given cells that lost a line; added lines, and lines moved to a different cell, do not count."""
    own = set().union(*(lines_of(cell.source) for cell in submission.cells))
    given = [cell for cell in assignment.student.cells if cell.cell_type == "code" and "tags" not in cell.metadata]
    return [cell.id for cell in given if not lines_of(cell.source) <= own]


def version_of(submission):
    """The version stated in a notebook's metadata or text; None if neither states one."""
    texts = "\n".join(cell.source for cell in submission.cells if cell.cell_type == "markdown")
    found = VERSION.search(texts)
    return submission.version or (found and found[1]) or ("" if submission.assignment != "None" else None)


def recognised(submission, assignments):
    """The versions of a notebook's assignment, the one whose key made it or None, and remarks that say why."""
    remarks, found = [], assignments.get(submission.assignment, [])
    if not found:
        code = "\n".join(cell.source for cell in submission.cells if cell.cell_type == "code")
        is_set = lambda versions: all(question.is_set_in(code) for question in versions[0].questions)
        found = next(filter(is_set, assignments.values()), [])
        remarks = ["the notebook does not say which assignment it is; its answers do"]
    if not found:
        return [], None, ["a notebook, but of none of the assignments"]
    version = version_of(submission)
    if version is None:
        same = [each for each in found if not edited_cells(submission, each)]
    else:
        same = [each for each in found if each.version == version]
    if same or version is None and len(found) == 1 and not found[0].version:
        return found, (same or found)[0], remarks
    return found, None, [wrong_key(version, [each.version for each in found])]


def wrong_key(version, graded):
    """The remark on a notebook made with a different key; the version is empty without a key, None if unknown."""
    made = (
        f"of version {version}" if version else "made without a key" if version == "" else "made with another key"
    )
    keyed = [f"version {', '.join(filter(None, graded))}"] if any(graded) else []
    grades = " and ".join(keyed + ["notebooks made without a key"] * ("" in graded))
    return f"this notebook is {made}, and this run grades {grades}: use the SECRET=… that made it, or none"


def not_graded(row, submission, versions, remarks):
    """The row of a notebook of no assignment, or made with a different key; an empty one counts for nothing."""
    row = row._replace(remarks=tables.shortened(remarks))
    if not versions:
        return row
    row = row._replace(assignment=versions[0].name, version=version_of(submission) or "")
    blank = {
        cell.source.strip() for cell in versions[0].student.cells if "answer" in cell.metadata.get("tags", ())
    }
    if blank <= {cell.source.strip() for cell in submission.cells}:
        return row._replace(counts="no", remarks=(*row.remarks, "none of its questions has an answer"))
    return row


def grade_notebook(row, submission, assignments, course, budget):
    """The row of a notebook, whatever its code does."""
    versions, assignment, remarks = recognised(submission, assignments)
    if assignment is None:
        return not_graded(row, submission, versions, remarks)
    run = Run(submission, assignment, course, budget)
    try:
        run.grade()
    except ProcessDied as error:
        remarks.append(str(error))
    edited = edited_cells(submission, assignment)
    remarks += [] if run.student else [NO_ID]
    remarks += [f"changed given cells: {', '.join(edited)}"] if edited else []
    verdicts = {question.name: run.explained(question) for question in assignment.questions}
    feedback = [f"{name}: {text}" for name, verdict in verdicts.items() for text in verdict.sentences]
    return row._replace(
        student=run.student,
        assignment=assignment.name,
        version=assignment.version,
        points=sum(verdict.points for verdict in verdicts.values()),
        out_of=assignment.points,
        questions={name: verdict.points for name, verdict in verdicts.items()},
        full={question.name: question.points for question in assignment.questions},
        answers=review.answers_in(submission.cells, assignment),
        remarks=tables.shortened(remarks + run.remarks()),
        feedback=(*(tables.shortened(feedback) or ("all correct",)), *([] if run.student else [WRITE_ID])),
    )


def grade_submission(submission, digest, assignments, course, budget):
    """The row of one submission."""
    row = Row(submission.file, digest)
    if submission.why:
        return row._replace(remarks=(submission.why,))
    if not budget.left:
        return row._replace(remarks=(OUT_OF_TIME,))
    try:
        return grade_notebook(row, submission, assignments, course, budget)
    except Exception as error:  # one file must not stop the others
        why = f"{tables.AGAIN} ({type(error).__name__}: {error})"
        return row._replace(digest="", remarks=tables.shortened([why]))


def grade_unit(unit, assignments, course):
    """Grade one file's submissions one after the other, so that they occupy at most one core."""
    budget = Budget(FILE_SECONDS, SLEEP_SECONDS)
    return [grade_submission(submission, digest, assignments, course, budget) for submission, digest in unit]
