"""Grade a folder of assignments: `make grade FOLDER=class` writes class-grades/grades.csv, a row a notebook.

Each submission runs in a process that an engine isolates (tools/grading/engines.py). It sees neither tests nor
solutions, sends back numbers and text, and these are scored here. Nothing is written into the folder of
submissions, and nothing in it is trusted. A run that was stopped resumes where it was.
"""

import argparse
import hashlib
import os
import re
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from pathlib import Path

import numpy as np

from tools.grading import decisions, identity, make_assignments, questions, tables
from tools.grading.exchange import PATIENCE
from tools.grading.questions import MASTERS
from tools.grading.results import Results
from tools.grading.sandbox import Course, ProcessDied, Sandbox
from tools.grading.submissions import read_folder
from tools.grading.tables import Row

START_SECONDS, CELL_SECONDS, SUBMISSION_SECONDS = 60, 20, 100  # of CPU time, so a busy machine does not matter
UNIT_SECONDS = 300  # wall-clock time for all notebooks in one student's file
OUT_OF_TIME = f"its file took more than {UNIT_SECONDS // 60} minutes: the rest of it was not graded"
MOST_STARTS = 6  # of a submission whose cells end Python or never end
MUCH_PRINTED = 100_000  # characters
REFRESH_SECONDS = 2  # between two writings of the tables, and two reports while files are read
STUDENT_ID = re.compile(r"^[ \t]*student_id[ \t]*(:[ \t]*\w+[ \t]*)?=.*$", re.MULTILINE)
VERSION = re.compile(r"Version ([0-9a-f]{8})\b")


# ---- One submission -------------------------------------------------------------------------------------------


class Attempt:
    """Run the cells of a submission in a sandbox; restart it without a cell that ends the process."""

    def __init__(self, cells, course, until, forbids_lib):
        self.cells, self.course, self.until, self.forbids_lib = cells, course, until, forbids_lib
        self.errors, self.printed, self.starts, self.left_out = {}, 0, 0, False
        self.fatal = set()  # cells that ended the process
        self.sandbox = None

    def start(self):
        """Run all cells in a new process."""
        while self.starts < MOST_STARTS and time.monotonic() < self.until:
            self.starts += 1
            self.stop()
            left = (self.until - time.monotonic()) / PATIENCE
            self.sandbox = Sandbox(self.course, min(SUBMISSION_SECONDS, left), self.forbids_lib)
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
        return OUT_OF_TIME if time.monotonic() >= self.until else str(error)

    def stop(self):
        if self.sandbox:
            self.sandbox.close()


class Run:
    """A submission's cells: run without `lib` where a question forbids it, and with it where anything needs it."""

    def __init__(self, submission, assignment, course, until):
        self.cells = [cell for cell in submission.cells if cell.cell_type == "code" and cell.source.strip()]
        self.texts = [cell for cell in submission.cells if cell.cell_type != "code"]
        self.is_forbidden = any(question.forbids_lib for question in assignment.questions)
        self.attempts = {}
        self.new_attempt = lambda forbids_lib: Attempt(self.cells, course, until, forbids_lib)

    def start(self):
        """Run the cells, and again with `lib` if nothing forbids it or if anything failed the first time."""
        if self.is_forbidden:
            self.attempt(forbids_lib=True)
        if not self.is_forbidden or self.attempts[True].left_out:
            self.attempt(forbids_lib=False)

    def attempt(self, forbids_lib):
        if forbids_lib not in self.attempts:
            self.attempts[forbids_lib] = self.new_attempt(forbids_lib)
            self.attempts[forbids_lib].start()
        return self.attempts[forbids_lib]

    @property
    def main(self):
        return self.attempts.get(False) or self.attempts[True]

    def student(self):
        try:
            student = self.main.sandbox.ask("student", CELL_SECONDS)
        except RuntimeError:
            student = None
        return student.strip()[:100] if isinstance(student, str) and student.strip().isprintable() else ""

    def verdict(self, question, student):
        """The verdict on one question, with sentences on its own cells."""
        attempt = self.attempts[True] if question.forbids_lib else self.main
        before = attempt.sandbox.left_out
        found = self.scored(question, student, attempt)
        if not question.forbids_lib and attempt.sandbox.left_out > before:  # this answer may use lib, and does
            found = self.scored(question, student, self.attempt(forbids_lib=False))
        if found.points == question.points:
            return found
        own = [text for i, text in self.main.errors.items() if question.owns(self.cells[i])]
        missing = f"there is no {question.answer}"
        rest = [text for text in found.sentences if text != missing]
        if len(rest) < len(found.sentences) and not own:
            rest.append(self.why_missing(question, attempt) or missing)
        return found._replace(sentences=(*own, *rest))

    @staticmethod
    def scored(question, student, attempt):
        """The verdict on one attempt; the process is restarted if the answer ended it."""
        try:
            rng = np.random.default_rng()  # other cases each time
            return questions.score(question, attempt.sandbox, student, rng)
        except ProcessDied as error:
            why = attempt.why_died(error)
            attempt.start()
            return questions.Verdict(0, (f"{question.answer}: {why}",))

    def why_missing(self, question, attempt):
        """The reason why there is no answer, if one is known."""
        if any(cell.id == question.cell or question.is_set_in(cell.source) for cell in self.texts):
            return f"the cell of {question.answer} is text (Markdown): make it a code cell"
        if question.forbids_lib and attempt.left_out:
            return f"{question.answer} needs something that uses lib: nothing of it may be used in this answer"
        return ""

    def stop(self):
        for attempt in self.attempts.values():
            attempt.stop()

    def remarks(self):
        errors = sorted(self.main.errors.items())
        remarks = [f"{self.cells[i].id}: {text}" for i, text in errors if not is_check(self.cells[i])]
        return remarks + ([f"printed {self.main.printed} characters"] if self.main.printed > MUCH_PRINTED else [])


def is_check(cell):
    """Whether a cell is a check that students see, which may fail."""
    return "raises-exception" in cell.tags


def lines_of(source):
    return {line.strip() for line in STUDENT_ID.sub("", source).splitlines() if line.strip()}


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
    """The assignment of a notebook or None, and remarks: how it was recognised, or why it was not."""
    remarks, found = [], assignments.get(submission.assignment, [])
    if not found:
        code = "\n".join(cell.source for cell in submission.cells if cell.cell_type == "code")
        is_set = lambda versions: all(question.is_set_in(code) for question in versions[0].questions)
        found = next(filter(is_set, assignments.values()), [])
        remarks = ["the notebook does not say which assignment it is; its answers do"]
    if not found:
        return None, ["a notebook, but of none of the assignments"]
    version = version_of(submission)
    if version is None:
        same = [each for each in found if not edited_cells(submission, each)]
    else:
        same = [each for each in found if each.version == version]
    if same or version is None and len(found) == 1 and not found[0].version:
        return (same or found)[0], remarks
    return None, [wrong_key(version, [each.version for each in found])]


def wrong_key(version, graded):
    """The remark on a notebook made with a different key; the version is empty without a key, None if unknown."""
    made = (
        f"of version {version}" if version else "made without a key" if version == "" else "made with another key"
    )
    grades = f"version {', '.join(graded)}" if any(graded) else "notebooks made without a key"
    return f"this notebook is {made}, and this run grades {grades}: use the SECRET=… that made it, or none"


def grade_notebook(row, submission, assignments, course, until):
    """The row of a notebook, whatever its code does."""
    assignment, remarks = recognised(submission, assignments)
    if assignment is None:
        return row._replace(remarks=tables.shortened(remarks))
    row = row._replace(assignment=assignment.name, out_of=assignment.points)
    nothing = questions.Verdict(0, ("could not be reached: restart, run all cells, and look",))
    verdicts, student = {question.name: nothing for question in assignment.questions}, ""
    run = Run(submission, assignment, course, until)
    try:
        run.start()
        student = run.student()
        for question in assignment.questions:
            verdicts[question.name] = run.verdict(question, student)
    except ProcessDied as error:
        remarks.append(str(error))
    finally:
        run.stop()
    edited = edited_cells(submission, assignment)
    remarks += [] if student else ["no student id"]
    remarks += [f"changed given cells: {', '.join(edited)}"] if edited else []
    remarks += run.remarks()
    feedback = [f"{name}: {text}" for name, verdict in verdicts.items() for text in verdict.sentences]
    return row._replace(
        student=student,
        points=sum(verdict.points for verdict in verdicts.values()),
        questions={name: verdict.points for name, verdict in verdicts.items()},
        remarks=tables.shortened(remarks),
        feedback=tables.shortened(feedback) or ("all correct",),
    )


def grade_submission(submission, digest, assignments, course, until):
    """The row of one submission."""
    row = Row(submission.file, digest)
    if submission.why:
        return row._replace(remarks=(submission.why,))
    if time.monotonic() > until:
        return row._replace(remarks=(OUT_OF_TIME,))
    try:
        return grade_notebook(row, submission, assignments, course, until)
    except Exception as error:  # one file must not stop the others
        why = f"could not be graded, and will be tried again ({type(error).__name__}: {error})"
        return row._replace(digest="", remarks=tables.shortened([why]))


def grade_unit(unit, assignments, course):
    """Grade one file's submissions one after the other, so that they occupy at most one core."""
    until = time.monotonic() + UNIT_SECONDS
    return [grade_submission(submission, digest, assignments, course, until) for submission, digest in unit]


# ---- A folder ---------------------------------------------------------------------------------------------------


def rules(masters):
    """Everything that affects the points."""
    own = [path for name in ("lib", "tools/grading") for path in sorted((questions.ROOT / name).rglob("*.py"))]
    paths = [path for folder in masters for path in sorted(Path(folder).rglob("*.ipynb"))] + own
    return hashlib.sha256(b"".join(path.read_bytes() for path in [*paths, Path(__file__)])).digest()


class Folder:
    """The submissions below a folder: known rows, and units still to be graded."""

    def __init__(self, folder, results, the_rules):
        self.folder, self.results, self.rules = folder, results, the_rules
        self.rows, self.units, self.n_known = [], defaultdict(list), 0
        self.known, self.known_files = results.before()
        self.rows_of, self.expected = defaultdict(list), {}

    def hash_of(self, file):
        return hashlib.sha256(
            self.rules + f"{file.name}\0{file.hash}".encode("utf8", "surrogateescape")
        ).hexdigest()

    def read(self, course, ignored, processes, report):
        """Read all files except those that an earlier run graded completely; report progress now and then."""
        is_known = lambda file: self.hash_of(file) in self.known_files
        since, n_files = time.monotonic(), 0
        report("Reading what was submitted.")
        for file, submissions in read_folder(self.folder, course, ignored, processes, is_known):
            n_files += 1
            hash = self.hash_of(file)
            if file.handle and hash in self.known_files:
                self.rows += self.known_files[hash]
                continue
            self.expected[hash] = len(submissions)
            for each in submissions:
                self.sort(each, hash)
            if time.monotonic() - since > REFRESH_SECONDS:
                report(f"Read {n_files} files.")
                since = time.monotonic()
        self.n_known = len(self.rows)

    def sort(self, submission, hash):
        digest = submission.digest(self.rules)
        if (submission.file, digest) in self.known:
            self.add(self.known[submission.file, digest], hash)
        else:
            self.units[submission.unit or submission.file].append((submission, digest, hash))

    def add(self, row, hash):
        """Add a row, and store its file once all of the file's rows are complete."""
        self.rows.append(row)
        self.rows_of[hash].append(row)
        if len(self.rows_of[hash]) == self.expected[hash]:
            self.results.remember_file(hash, self.rows_of[hash])

    def graded(self, assignments, course, processes):
        """Yield new rows as they are graded, small files first; closing the generator starts no more units."""
        units = sorted(self.units.values(), key=len)
        with ThreadPoolExecutor(processes or os.cpu_count()) as pool:
            futures = {}
            for unit in units:
                own = [(submission, digest) for submission, digest, _ in unit]
                futures[pool.submit(grade_unit, own, assignments, course)] = [hash for *_, hash in unit]
            try:
                for future in as_completed(futures):
                    for row, hash in zip(future.result(), futures[future], strict=True):
                        self.results.remember(row)
                        self.add(row, hash)
                        yield row
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


def write_tables(folder, rows, assignments, roster, decided):
    """Rewrite all tables, and return the rows as in grades.csv."""
    rows = tables.completed(rows, roster, decided)
    tables.write_grades(folder, rows)
    titles = {name: versions[0].title for name, versions in assignments.items()}
    tables.write_forms(folder, rows, titles, roster)
    return rows, titles


def time_left(started, done, count):
    minutes = (time.monotonic() - started) / done * (count - done) / 60
    return f"{minutes:.0f} min left" if minutes >= 1 else "less than a minute left" if done < count else "done"


def grade_folder(
    folder,
    out=None,
    masters=(MASTERS,),
    roster_path=None,
    column="",
    processes=None,
    report=print,
    protected=True,
):
    """Grade all submissions below a folder, write tables and feedback to `out`, and return the rows."""
    folder = Path(folder).resolve()
    results = Results(out or folder.with_name(f"{folder.name}-grades"), folder)
    assignments = questions.read_all(masters)
    roster = identity.read_roster(roster_path, column) if roster_path else identity.NOBODY
    decided = decisions.read_decisions(folder.with_name(f"{folder.name}-decisions.csv"))
    write = lambda: write_tables(results.folder, found.rows, assignments, roster, decided)
    with Course([folder, results.folder], protected) as course:
        report(f"Each submission is isolated by {course.engine.name}." if protected else "Nothing is isolated.")
        found = Folder(folder, results, rules(masters))
        found.read(course, [Path(roster_path).resolve()] if roster_path else [], processes, report)
        count = sum(map(len, found.units.values()))
        if found.rows:
            report(
                f"{len(found.rows)} of {len(found.rows) + count} were graded before, and have not changed since."
            )
        started = written = time.monotonic()
        try:
            with closing(found.graded(assignments, course, processes)) as fresh:
                for done, row in enumerate(fresh, 1):
                    remarks, left = "; ".join(row.remarks)[:200], time_left(started, done, count)
                    report(f"{done}/{count} {row.file}: {row.points:g} of {row.out_of:g}, {left}. {remarks}")
                    if time.monotonic() - written > REFRESH_SECONDS:
                        write()
                        written = time.monotonic()
        finally:
            rows, titles = write()
    tables.write_feedback(results.folder, rows, titles)
    for line in summary(rows, roster, decided):
        report(line)
    return rows, results.folder


def summary(rows, roster, decided):
    """Summarise in a few lines what the teacher has to know or decide."""
    missing = sorted(set(roster.entries) - {row.owner for row in rows})
    if missing:
        yield f"{len(missing)} of the roster handed in nothing: {', '.join(missing[:300])}"
    undecided = [row for row in rows if row.counts == "no" or any("same id as" in text for text in row.remarks)]
    if undecided:
        yield f"{len(undecided)} rows do not count, or share an id with another: see `remarks` in grades.csv"
    used = tables.late_days(rows)
    if any(used.values()):
        yield "Late days: " + ", ".join(f"{who} {days:g}" for who, days in used.most_common(300) if days)
    files = {row.file for row in rows}
    for each in decided:
        if each.file not in ("", "*") and each.file not in files:
            yield f"decisions, line {each.line}: there is no file {each.file!r}"


def masters_of(secret):
    """The folders of masters: one for each file with a key, or the public one."""
    keys = [make_assignments.read_key(path.strip(), make=False) for path in secret.split(",") if path.strip()]
    return [make_assignments.make_all(key) for key in keys] or [MASTERS]


def main(arguments):
    parser = argparse.ArgumentParser(prog="make grade FOLDER=…")
    parser.add_argument("folder")
    parser.add_argument("--out", default="", help="the folder of results, else FOLDER-grades")
    parser.add_argument("--roster", default="", help="a table with a column of ids")
    parser.add_argument("--column", default="", help="the name of that column, if it is none of the usual ones")
    parser.add_argument(
        "--secret", default="", help="the file with the key that made the notebooks; several with commas"
    )
    parser.add_argument("--unprotected", action="store_true", help="run submissions on this machine as they are")
    chosen = parser.parse_args(arguments)
    if not Path(chosen.folder).is_dir() or not chosen.folder:
        print("expected a folder of submissions: make grade FOLDER=…", file=sys.stderr)
        return 1
    try:
        rows, out = grade_folder(
            chosen.folder,
            chosen.out or None,
            masters_of(chosen.secret),
            roster_path=chosen.roster or None,
            column=chosen.column,
            protected=not chosen.unprotected,
        )
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped. The same command resumes from here.", file=sys.stderr)
        return 130
    print(f"{len(rows)} rows: {out / 'grades.csv'}; feedback for students: {out / 'feedback'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
