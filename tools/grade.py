"""Grade a folder of assignments: `make grade FOLDER=…` writes FOLDER/grades.csv, one row for each file.

Each submission runs in a process of its own, which sees neither tests nor solutions (tools/grading/sandbox.py). It
sends back numbers and text, and they are scored here. A run that was stopped goes on where it was.
Needs Linux or macOS.
"""

import argparse
import hashlib
import json
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from pathlib import Path

import nbformat
import numpy as np
from grading import questions, tables
from grading.exchange import PATIENCE
from grading.sandbox import UNPROTECTED, Course, Ended, Sandbox
from grading.tables import OWN_FILES, Row

START_SECONDS, CELL_SECONDS, SUBMISSION_SECONDS = 60, 20, 240  # of work; a busy machine takes nothing away
MOST_STARTS = 6  # of a submission whose cells end Python or never end
MUCH_PRINTED = 100_000  # characters
MOST_FILE_BYTES, MOST_LETTERS = 50 * 2**20, 500_000  # with pictures that cells drew, and of text and code alone
STUDENT_ID = re.compile(r"^student_id = .*$", re.MULTILINE)


# ---- One submission -------------------------------------------------------------------------------------------


class Run:
    """A submission's cells, run in a sandbox, which is started again without a cell that ends it."""

    def __init__(self, notebook, assignment, course):
        self.cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
        self.assignment, self.course = assignment, course
        self.errors, self.printed, self.starts = {}, 0, 0
        self.fatal = set()  # cells that ended the process
        self.until = time.monotonic() + PATIENCE * SUBMISSION_SECONDS
        self.sandbox = None

    def without(self, cell):
        """What a cell may not call: what its own question forbids, or what any question does."""
        own = [question for question in self.assignment.questions if question.owns(cell)]
        return sorted({name for question in own or self.assignment.questions for name in question.without})

    def start(self):
        """Run all cells in a new process."""
        while self.starts < MOST_STARTS and time.monotonic() < self.until:
            self.starts += 1
            self.stop()
            self.sandbox = Sandbox(self.course, self.course.way, SUBMISSION_SECONDS)
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
        source = self.cells[i].source
        try:
            self.sandbox.ask("run", CELL_SECONDS, source=source, without=self.without(self.cells[i]))
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
            student = self.sandbox.ask("get", CELL_SECONDS, name="student_id")
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
            if "raises-exception" not in self.cells[i].metadata["tags"]  # a check that students see
        ]
        return remarks + ([f"printed {self.printed} characters"] if self.printed > MUCH_PRINTED else [])


def edited_cells(notebook, assignment):
    """Cells that students were given and have changed; unknown when the ids of cells were lost on the way."""
    given = {cell.id: cell for cell in assignment.student.cells if "answer" not in cell.metadata.get("tags", ())}
    own = {cell.id: cell.source for cell in notebook.cells}
    plain = lambda source: STUDENT_ID.sub("", source).strip()
    if not given.keys() & own.keys():
        return []
    code = {name: cell for name, cell in given.items() if cell.cell_type == "code"}
    return sorted(name for name, cell in code.items() if plain(own.get(name, "")) != plain(cell.source))


def recognised(notebook, assignments):
    """The assignment of a notebook, and a remark if only its answers tell."""
    name = str(notebook.get("metadata", {}).get("assignment"))
    if name in assignments:
        return assignments[name], []
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    for assignment in assignments.values():
        if all(question.is_set_in(code) for question in assignment.questions):
            return assignment, ["the notebook does not say which assignment it is; its answers do"]
    return None, ["a notebook, but of none of the assignments"]


def read_notebook(path):
    """The notebook in a file, or None and why there is none."""
    if path.suffix.lower() != ".ipynb":
        hint = ": unpack it, and grade again" if path.suffix.lower() in (".zip", ".gz", ".7z", ".rar") else ""
        return None, f"a {path.suffix or 'file'} cannot be graded{hint or ', ask for the .ipynb'}"
    if path.stat().st_size > MOST_FILE_BYTES:
        return None, f"more than {MOST_FILE_BYTES // 2**20} megabytes"
    try:
        notebook = nbformat.from_dict(json.loads(path.read_text("utf8")))
        notebook.cells = [plain_cell(cell, i) for i, cell in enumerate(notebook.cells)]
        is_long = sum(len(cell.source) for cell in notebook.cells) > MOST_LETTERS
        return notebook, f"more than {MOST_LETTERS} letters" if is_long else ""
    except Exception as error:
        return None, f"not a notebook ({type(error).__name__})"


def plain_cell(cell, i):
    """A cell with all that grading reads, whatever wrote it."""
    tags = cell.get("metadata", {}).get("tags", [])
    name = "".join(letter for letter in str(cell.get("id", f"cell-{i + 1}"))[:64] if letter.isprintable())
    source = "".join(cell.source)
    return nbformat.NotebookNode(id=name, cell_type=cell.cell_type, source=source, metadata={"tags": list(tags)})


def grade_notebook(row, notebook, assignments, course):
    """The row of a notebook, whatever its code does."""
    assignment, remarks = recognised(notebook, assignments)
    if assignment is None:
        return row._replace(remarks=tuple(remarks))
    row = row._replace(assignment=assignment.name, out_of=assignment.points)
    run = Run(notebook, assignment, course)
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
    edited = edited_cells(notebook, assignment)
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


def grade_file(path, folder, digest, assignments, course):
    """The row of one file."""
    row = Row(path.relative_to(folder).as_posix(), digest)
    notebook, why = read_notebook(path)
    if why:
        return row._replace(remarks=(why,))
    try:
        return grade_notebook(row, notebook, assignments, course)
    except Exception as error:  # one file must not stop the others
        why = f"could not be graded, and will be tried again ({type(error).__name__}: {error})"
        return row._replace(digest="", remarks=(why[:200],))


# ---- A folder ---------------------------------------------------------------------------------------------------


def handed_in(folder, roster_path=None):
    """The files below a folder that students handed in."""
    ignored = {folder / name for name in OWN_FILES} | {Path(roster_path).resolve() if roster_path else None}
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith((".", "__MACOSX")) for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden and path not in ignored:
            yield path


def digest_of(path, rules):
    """What changes when the file or the rules of grading change."""
    with open(path, "rb") as file:
        return hashlib.sha256(rules + hashlib.file_digest(file, "sha256").digest()).hexdigest()


def rules(masters):
    """All that decides on points."""
    own = [path for name in ("lib", "tools/grading") for path in sorted((questions.ROOT / name).rglob("*.py"))]
    paths = [*sorted(Path(masters).glob("*.ipynb")), *own]
    return hashlib.sha256(b"".join(path.read_bytes() for path in [*paths, Path(__file__)])).digest()


def graded_before(path):
    """The rows that an earlier run wrote, by file and digest; a last line that was cut off is left out."""
    rows = {}
    for line in path.read_text("utf8").splitlines() if path.exists() else ():
        try:
            row = Row(**json.loads(line))
            rows[row.file, row.digest] = row._replace(remarks=tuple(row.remarks), feedback=tuple(row.feedback))
        except (ValueError, TypeError):
            pass
    return rows


def remember(row, journal):
    """Write a row for a later run, unless something other than the file kept it from being graded."""
    if row.digest:
        with open(journal, "a", encoding="utf8") as file:
            print(json.dumps(row._asdict(), ensure_ascii=False), file=file)


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


def fresh_rows(waiting, folder, assignments, course, processes):
    """The rows of files that wait, by path with their digests, as they are graded; closed, it starts no more."""
    with ThreadPoolExecutor(processes or os.cpu_count()) as pool:
        futures = [pool.submit(grade_file, path, folder, waiting[path], assignments, course) for path in waiting]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def grade_folder(folder, masters=questions.MASTERS, roster_path=None, processes=None, report=print):
    """Grade all files below a folder; the rows, also in its tables, which are complete after each file."""
    folder = Path(folder).resolve()
    assignments, the_rules = questions.read_assignments(masters), rules(masters)
    roster = tables.read_roster(roster_path) if roster_path else {}
    paths = {path: digest_of(path, the_rules) for path in handed_in(folder, roster_path)}
    journal = folder / "grades.jsonl"
    before = graded_before(journal)
    names = {path: (path.relative_to(folder).as_posix(), digest) for path, digest in paths.items()}
    rows = [before[name] for name in names.values() if name in before]
    waiting = {path: digest for path, digest in paths.items() if names[path] not in before}
    if rows:
        report(f"{len(rows)} of {len(paths)} files were graded before, and have not changed since.")
    with Course(folder) as course, closing(fresh_rows(waiting, folder, assignments, course, processes)) as fresh:
        if course.way == "none" and waiting:
            report(UNPROTECTED)
        for row in fresh:
            rows.append(row)
            remember(row, journal)
            write_tables(folder, rows, assignments, roster)
            remarks = "; ".join(row.remarks)
            report(f"{len(rows)}/{len(paths)} {row.file}: {row.points:g} of {row.out_of:g} {remarks}")
    rows = write_tables(folder, rows, assignments, roster)
    missing = sorted(set(roster) - {tables.key(row.student) for row in rows})
    if missing:
        report(f"{len(missing)} of the roster handed in nothing: {', '.join(missing)}")
    return rows


def main(arguments):
    parser = argparse.ArgumentParser(prog="make grade FOLDER=…")
    parser.add_argument("folder")
    parser.add_argument("--roster", default="")
    chosen = parser.parse_args(arguments)
    if not Path(chosen.folder).is_dir() or not chosen.folder:
        print("expected a folder of submissions: make grade FOLDER=…", file=sys.stderr)
        return 1
    try:
        rows = grade_folder(chosen.folder, roster_path=chosen.roster or None)
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(rows)} files: {Path(chosen.folder) / 'grades.csv'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
