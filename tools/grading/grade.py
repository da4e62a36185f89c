"""Grade a folder of assignments: `make grade FOLDER=class` writes class-grades/grades.csv, one row for each file.

Each submission runs in a process that an engine shuts off (tools/grading/engines.py). It sees neither tests nor
solutions, sends back numbers and text, and these are scored here. Nothing is written into the folder of
submissions, and nothing that lies there is believed. A run that was stopped goes on where it was.
"""

import argparse
import hashlib
import os
import re
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from pathlib import Path

import numpy as np

from tools.build import find_browser
from tools.grading import make_assignments, questions, tables
from tools.grading.exchange import PATIENCE
from tools.grading.questions import MASTERS
from tools.grading.results import Results
from tools.grading.sandbox import Course, Ended, Sandbox
from tools.grading.submissions import handed_in
from tools.grading.tables import Row

START_SECONDS, CELL_SECONDS, SUBMISSION_SECONDS = 60, 20, 150  # of work; a busy machine takes nothing away
MOST_STARTS = 6  # of a submission whose cells end Python or never end
MUCH_PRINTED = 100_000  # characters
STUDENT_ID = re.compile(r"^\s*student_id\s*(:\s*\w+\s*)?=.*$", re.MULTILINE)
OWN_ID = re.compile(  # a text or a number, and nothing else in its line
    r"""^(student_id)\s*(?::\s*\w+\s*)?=\s*(?:"[^"\n]*"|'[^'\n]*'|\w+)[ \t]*(?:#.*)?$""", re.MULTILINE
)


# ---- One submission -------------------------------------------------------------------------------------------


class Run:
    """A submission's cells, run in a sandbox, which is started again without a cell that ends it."""

    def __init__(self, submission, assignment, course):
        self.cells = [cell for cell in submission.cells if cell.cell_type == "code" and cell.source.strip()]
        self.assignment, self.course = assignment, course
        self.errors, self.printed, self.starts = {}, 0, 0
        self.fatal = set()  # cells that ended the process
        self.until = time.monotonic() + PATIENCE * SUBMISSION_SECONDS
        self.sandbox = None

    def without(self, cell):
        """What a cell may not call: what its own question forbids, or what any does, if it is not a given cell."""
        own = [question for question in self.assignment.questions if question.owns(cell)]
        if not own and is_given(cell, self.assignment):
            return []
        return sorted({name for question in own or self.assignment.questions for name in question.without})

    def others(self, cell):
        """The answers that a cell must not give, because they are to be found without what it may call."""
        without = set(self.without(cell))
        return [question.answer for question in self.assignment.questions if not without >= set(question.without)]

    def start(self):
        """Run all cells in a new process."""
        while self.starts < MOST_STARTS and time.monotonic() < self.until:
            self.starts += 1
            self.stop()
            self.sandbox = Sandbox(self.course, SUBMISSION_SECONDS)
            packages = sorted({name for question in self.assignment.questions for name in question.without})
            self.prepare(packages)
            if all(self.run_cell(i) for i in range(len(self.cells)) if i not in self.fatal):
                return
        raise Ended("its cells end Python, or do not end")

    def prepare(self, packages):
        try:
            self.sandbox.ask("prepare", START_SECONDS, packages=packages)
        except Ended:
            raise OSError("its process did not start") from None

    def run_cell(self, i):
        """Whether the process lives on after this cell."""
        cell = self.cells[i]
        rules = {"without": self.without(cell), "others": self.others(cell)}
        try:
            self.sandbox.ask("run", CELL_SECONDS, source=cell.source, **rules)
            self.errors.pop(i, None)
        except RuntimeError as error:
            self.errors[i] = str(error)
        except Ended as error:
            self.errors[i] = str(error)
            self.fatal.add(i)
            return False
        self.printed = max(self.printed, self.sandbox.printed)
        return True

    def student(self):
        try:
            student = self.sandbox.ask("student", CELL_SECONDS)
        except RuntimeError:
            student = None
        return student.strip()[:100] if isinstance(student, str) and student.strip().isprintable() else ""

    def verdict(self, question, student):
        """The verdict on one question; the process is started again if the answer ended it."""
        rng = np.random.default_rng()  # other cases each time
        try:
            found = questions.score(question, self.sandbox, student, rng)
        except Ended as error:
            found = questions.Verdict(0, (f"{question.answer}: {error}",))
            self.start()
        if found.points == question.points:
            return found
        own = [text for i, text in self.errors.items() if question.owns(self.cells[i])]
        rest = [text for text in found.sentences if not (own and text.startswith("there is no "))]
        return found._replace(sentences=(*own, *rest))

    def stop(self):
        if self.sandbox:
            self.sandbox.close()

    def remarks(self):
        remarks = [
            f"{self.cells[i].id}: {text}"
            for i, text in sorted(self.errors.items())
            if "raises-exception" not in self.cells[i].tags  # a check that students see
        ]
        return remarks + ([f"printed {self.printed} characters"] if self.printed > MUCH_PRINTED else [])


def is_given(cell, assignment):
    """Whether a cell is as students got it, but for the id. Checks do not count: they call what students wrote."""
    plain = lambda each: "".join(OWN_ID.sub(r"\1", each.source).split())
    given = (each for each in assignment.student.cells if "raises-exception" not in each.metadata.get("tags", ()))
    return plain(cell) in {plain(each) for each in given}


def edited_cells(submission, assignment):
    """Cells that students were given and have changed; unknown when the ids of cells were lost on the way."""
    given = {cell.id: cell for cell in assignment.student.cells if "answer" not in cell.metadata.get("tags", ())}
    own = {cell.id: cell.source for cell in submission.cells}
    plain = lambda source: "".join(STUDENT_ID.sub("", source).split())
    if not given.keys() & own.keys():
        return []
    code = {name: cell for name, cell in given.items() if cell.cell_type == "code"}
    return sorted(name for name, cell in code.items() if plain(own.get(name, "")) != plain(cell.source))


def recognised(submission, assignments):
    """The assignment of a notebook, and a remark if only its answers tell."""
    if submission.assignment in assignments:
        return assignments[submission.assignment], []
    code = "\n".join(cell.source for cell in submission.cells if cell.cell_type == "code")
    for assignment in assignments.values():
        if all(question.is_set_in(code) for question in assignment.questions):
            return assignment, ["the notebook does not say which assignment it is; its answers do"]
    return None, ["a notebook, but of none of the assignments"]


def grade_notebook(row, submission, assignments, course):
    """The row of a notebook, whatever its code does."""
    assignment, remarks = recognised(submission, assignments)
    if assignment is None:
        return row._replace(remarks=tuple(remarks))
    row = row._replace(assignment=assignment.name, out_of=assignment.points)
    run = Run(submission, assignment, course)
    nothing = questions.Verdict(0, ("could not be reached: restart, run all cells, and look",))
    verdicts, student = {question.name: nothing for question in assignment.questions}, ""
    try:
        run.start()
        student = run.student()
        for question in assignment.questions:
            verdicts[question.name] = run.verdict(question, student)
    except Ended as error:
        remarks.append(str(error))
    finally:
        run.stop()
    edited = edited_cells(submission, assignment)
    remarks += run.remarks()
    remarks += [f"changed given cells: {', '.join(edited)}"] if edited else []
    remarks += [] if student else ["no student id"]
    feedback = [f"{name}: {text}" for name, verdict in verdicts.items() for text in verdict.sentences]
    return row._replace(
        student=student,
        points=sum(verdict.points for verdict in verdicts.values()),
        questions={name: verdict.points for name, verdict in verdicts.items()},
        remarks=tuple(remarks),
        feedback=tuple(feedback) or ("all correct",),
    )


def grade_submission(submission, digest, assignments, course):
    """The row of one submission."""
    row = Row(submission.file, digest)
    if submission.why:
        return row._replace(remarks=(submission.why,))
    try:
        return grade_notebook(row, submission, assignments, course)
    except Exception as error:  # one file must not stop the others
        why = f"could not be graded, and will be tried again ({type(error).__name__}: {error})"
        return row._replace(digest="", remarks=(why[:200],))


# ---- A folder ---------------------------------------------------------------------------------------------------


def rules(masters):
    """All that decides on points."""
    own = [path for name in ("lib", "tools/grading") for path in sorted((questions.ROOT / name).rglob("*.py"))]
    paths = [*sorted(Path(masters).rglob("*.ipynb")), *own]
    return hashlib.sha256(b"".join(path.read_bytes() for path in [*paths, Path(__file__)])).digest()


def write_tables(folder, rows, assignments, roster):
    """Write all tables anew; the rows as they stand in grades.csv."""
    rows = tables.with_twins(sorted(rows))
    if roster:
        unknown = lambda row: row.student and tables.key(row.student) not in roster
        rows = [
            row._replace(remarks=(*row.remarks, "this id is not in the roster")) if unknown(row) else row
            for row in rows
        ]
    tables.write_grades(folder, rows)
    titles = {name: assignment.title for name, assignment in assignments.items()}
    tables.write_forms(folder, rows, titles, roster)
    return rows


def fresh_rows(waiting, assignments, course, processes):
    """The rows of submissions that wait, each with its digest, as they are graded; closed, it starts no more."""
    with ThreadPoolExecutor(processes or os.cpu_count()) as pool:
        futures = [pool.submit(grade_submission, *each, assignments, course) for each in waiting]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def time_left(started, done, count):
    minutes = (time.monotonic() - started) / done * (count - done) / 60
    return f"{minutes:.0f} min left" if minutes >= 1 else "less than a minute left" if done < count else "done"


def grade_folder(
    folder, out=None, masters=MASTERS, roster_path=None, processes=None, report=print, protected=True
):
    """Grade all that was handed in below a folder; the rows, also in the tables of `out`, complete after each."""
    folder = Path(folder).resolve()
    results = Results(out or folder.with_name(f"{folder.name}-grades"), folder)
    assignments, the_rules = questions.read_assignments(masters), rules(masters)
    roster = tables.read_roster(roster_path) if roster_path else {}
    with Course([folder, results.folder], protected) as course:
        report(f"Each submission is shut off by {course.engine.name}." if protected else "Nothing is shut off.")
        ignored = [Path(roster_path).resolve()] if roster_path else []
        found = [(each, each.digest(the_rules)) for each in handed_in(folder, course, ignored, processes)]
        before = results.before()
        rows = [before[each.file, digest] for each, digest in found if (each.file, digest) in before]
        waiting = [(each, digest) for each, digest in found if (each.file, digest) not in before]
        if rows:
            report(f"{len(rows)} of {len(found)} files were graded before, and have not changed since.")
        started, graded = time.monotonic(), 0
        with closing(fresh_rows(waiting, assignments, course, processes)) as fresh:
            for row in fresh:
                rows.append(row)
                graded += 1
                results.remember(row)
                write_tables(results.folder, rows, assignments, roster)
                remarks, left = "; ".join(row.remarks), time_left(started, graded, len(waiting))
                report(f"{len(rows)}/{len(found)} {row.file}: {row.points:g} of {row.out_of:g}, {left}. {remarks}")
    rows = write_tables(results.folder, rows, assignments, roster)
    missing = sorted(set(roster) - {tables.key(row.student) for row in rows})
    if missing:
        report(f"{len(missing)} of the roster handed in nothing: {', '.join(missing)}")
    return rows, results.folder


def main(arguments):
    parser = argparse.ArgumentParser(prog="make grade FOLDER=…")
    parser.add_argument("folder")
    parser.add_argument("--out", default="", help="the folder of results, else FOLDER-grades")
    parser.add_argument("--roster", default="", help="a table with a column of ids")
    parser.add_argument("--secret", default="", help="the file with the key of an examination")
    parser.add_argument("--unprotected", action="store_true", help="run submissions on this machine as they are")
    if arguments == ["--install"]:  # where a package can be installed in silence
        return None if shutil.which("bwrap") else find_browser.install(["bubblewrap"])
    chosen = parser.parse_args(arguments)
    if not Path(chosen.folder).is_dir() or not chosen.folder:
        print("expected a folder of submissions: make grade FOLDER=…", file=sys.stderr)
        return 1
    try:
        rows, out = grade_folder(
            chosen.folder,
            chosen.out or None,
            make_assignments.make_examination(make_assignments.read_key(chosen.secret))
            if chosen.secret
            else MASTERS,
            roster_path=chosen.roster or None,
            protected=not chosen.unprotected,
        )
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped. The same command goes on from here.", file=sys.stderr)
        return 130
    print(f"{len(rows)} files: {out / 'grades.csv'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
