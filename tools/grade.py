"""Grade a folder of assignments: `make grade FOLDER=…` writes FOLDER/grades.csv, one row a submission.

Each submission runs in a process of its own, with limits of time and memory, so that none harms another. The tests
are those of `_build/assignments`, never the submission's; what it changed in modules is put back before they run.
Grading executes what students wrote: do it where you would run their code yourself. Needs Linux or macOS.
"""

import builtins
import csv
import json
import os
import re
import resource
import signal
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import nbformat

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ROOT / "_build" / "assignments"
PUBLISHED = ROOT / "assignments"
CELL_SECONDS, SUBMISSION_SECONDS = 20, 90
MEMORY = 6 * 2**30
MUCH_PRINTED = 100_000  # characters
MAGIC = re.compile(r"^[ ]*[%!].*$", re.MULTILINE)
STUDENT_ID = re.compile(r"^student_id = .*$", re.MULTILINE)


class Row(NamedTuple):
    """One submission in the table."""

    file: str
    student: str = ""
    assignment: str = ""
    points: float = 0
    out_of: float = 0
    questions: str = ""
    remarks: str = ""
    feedback: str = ""


# ---- In the submission's process ----------------------------------------------------------------------------


class TookTooLong(BaseException):
    """Not an Exception, or a bare `except Exception` in a loop would swallow it."""


def within(seconds, action):
    """Run an action; an error, an exit or too long a time is returned, not raised."""

    def stop(*_):
        raise TookTooLong(f"stopped after {seconds} s: an endless loop?")

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        action()
    except BaseException as error:
        return error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


class Swallow:
    """Standard output that only counts."""

    count = 0

    def write(self, text):
        self.count += len(text)
        return len(text)

    def flush(self):
        pass


def watched_modules():
    names = [name for name in sys.modules if name.partition(".")[0] in ("numpy", "lib", "otter")]
    return [builtins, *(sys.modules[name] for name in names if sys.modules[name])]


def put_back(before):
    """Undo what the submission changed in modules; the names of what it changed."""
    changed = []
    for module, names in before:
        for name, value in names.items():
            if getattr(module, name, None) is not value:
                setattr(module, name, value)
                changed.append(f"{module.__name__}.{name}")
    return changed


def short(error):
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]


def run_tests(folder, namespace):
    """Points by question, and feedback for what failed."""
    from otter.test_files import ExceptionTestFile

    points, feedback = {}, []
    for path in sorted(Path(folder).glob("*.py")):
        test = ExceptionTestFile.from_file(str(path))
        points[test.name] = 0.0
        for case in test.test_cases:
            error = within(CELL_SECONDS, lambda body=case.body: body.call_func(namespace))
            if error is None:
                points[test.name] += case.points
            else:
                because = "" if type(error) is AssertionError else f" ({short(error)})"
                feedback.append(f"{case.failure_message}{because}")
    return points, feedback


def run_submission(path, tests, result):
    """Run the cells one by one, then the tests, and write what came out."""
    os.setsid()  # so that what it starts can be ended with it
    os.chdir(Path(result).parent)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    sys.stdout = sys.stderr = output = Swallow()
    before = [(module, dict(vars(module))) for module in watched_modules()]
    namespace, errors = {"__name__": "__main__"}, []
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code" and "find_spec" not in cell.source:  # not the cell that installs the course
            source = MAGIC.sub("", cell.source)
            error = within(CELL_SECONDS, lambda source=source: exec(compile(source, "cell", "exec"), namespace))
            errors += [f"{cell.get('id', 'cell')}: {short(error)}"] if error else []
    changed = put_back(before)
    points, feedback = run_tests(tests, namespace)
    student = namespace.get("student_id")
    found = {
        "points": points, "feedback": feedback, "errors": errors, "printed": output.count, "changed": changed,
        "student": student if isinstance(student, str) else "",
    }  # fmt: skip
    Path(result).write_text(json.dumps(found), "utf8")


# ---- In the grader's process --------------------------------------------------------------------------------


def edited_cells(notebook, name):
    """Cells that students were given and have changed; unknown when the ids of cells were lost on the way."""
    given = {cell.id: cell for cell in nbformat.read(PUBLISHED / f"{name}.ipynb", as_version=4).cells}
    own = {cell.get("id"): cell.source for cell in notebook.cells}
    if not given.keys() & own.keys():
        return []
    plain = lambda source: STUDENT_ID.sub("", source).strip()
    answers = {key for key, cell in given.items() if cell.metadata.get("otter") or cell.cell_type != "code"}
    return [key for key in given.keys() - answers if plain(own.get(key, "")) != plain(given[key].source)]


def total_points(tests):
    return sum(
        float(points) for path in Path(tests).glob("*.py") for points in POINTS.findall(path.read_text("utf8"))
    )


POINTS = re.compile(r"@test_case\(points=([\d.]+)")


def run_apart(path, tests, folder):
    """What a submission's process wrote, or None and why there is nothing."""
    result = Path(folder, "result.json")
    process = CONTEXT.Process(target=run_submission, args=(str(path), str(tests), str(result)))
    process.start()
    process.join(SUBMISSION_SECONDS)
    stopped = process.is_alive()
    try:
        os.killpg(process.pid, signal.SIGKILL)  # also what it left running
    except (ProcessLookupError, PermissionError):
        pass
    process.join()
    if result.exists():
        return json.loads(result.read_text("utf8")), ""
    return (
        None,
        f"stopped after {SUBMISSION_SECONDS} s" if stopped else f"it ended Python (code {process.exitcode})",
    )


def grade_submission(path, folder):
    """The row of one submission, whatever it does."""
    row = Row(path.relative_to(folder).as_posix())
    try:
        notebook = nbformat.read(path, as_version=4)
        name = notebook.metadata["otter"]["assignment_name"]
        package = PACKAGES / name / "autograder.zip"
        if not package.exists():
            return row._replace(remarks=f"no assignment is called {name!r}; run `make assignments` first")
    except Exception as error:
        return row._replace(remarks=f"not a notebook of an assignment ({short(error)})")
    with tempfile.TemporaryDirectory() as temporary:
        with zipfile.ZipFile(package) as archive:
            archive.extractall(Path(temporary, "package"))
        tests = Path(temporary, "package", "tests")
        work = Path(temporary, "work")
        work.mkdir()
        found, why = run_apart(path, tests, work)
        row = row._replace(assignment=name, out_of=total_points(tests))
    if found is None:
        return row._replace(remarks=why, feedback="nothing could be graded: restart, run all cells, and look")
    remarks = list(found["errors"])
    edited = edited_cells(notebook, name)
    remarks += [f"changed given cells: {', '.join(sorted(edited))}"] if edited else []
    remarks += [f"changed {', '.join(found['changed'][:3])}, put back"] if found["changed"] else []
    remarks += [f"printed {found['printed']} characters"] if found["printed"] > MUCH_PRINTED else []
    remarks += ["no student id"] if not found["student"].strip() else []
    return row._replace(
        student=found["student"].strip(),
        points=sum(found["points"].values()),
        questions=" ".join(f"{question}:{points:g}" for question, points in found["points"].items()),
        remarks="; ".join(remarks),
        feedback=" | ".join(found["feedback"]) or "all correct",
    )


def mark_twins(rows):
    """Say which submissions to one assignment carry the same id."""
    marked = []
    for row in rows:
        twins = [
            other.file
            for other in rows
            if other is not row
            and row.student
            and (other.student.lower(), other.assignment) == (row.student.lower(), row.assignment)
        ]
        remark = "; ".join(filter(None, [row.remarks, f"same id as {', '.join(twins)}" if twins else ""]))
        marked.append(row._replace(remarks=remark))
    return marked


def grade_folder(folder, processes=None, report=print):
    """Grade all notebooks below a folder; the rows, also in `grades.csv`."""
    folder = Path(folder)
    paths = sorted(path for path in folder.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
    rows = []
    with ThreadPoolExecutor(processes or os.cpu_count()) as pool:
        waiting = [pool.submit(grade_submission, path, folder) for path in paths]
        for done, future in enumerate(as_completed(waiting), 1):
            row = future.result()
            rows.append(row)
            report(f"{done}/{len(paths)} {row.file}: {row.points:g} of {row.out_of:g} {row.remarks}")
    rows = mark_twins(sorted(rows))
    with open(
        folder / "grades.csv", "w", newline="", encoding="utf-8-sig"
    ) as file:  # a spreadsheet sees that it is UTF-8
        writer = csv.writer(file)
        writer.writerow(Row._fields)
        writer.writerows(row._replace(points=f"{row.points:g}", out_of=f"{row.out_of:g}") for row in rows)
    return rows


CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["nbformat", "otter.test_files", "lib.assignments", "lib.filters", "lib.regression",
                                "lib.unified", "lib.attention", "lib.random_features"])  # fmt: skip


def main(arguments):
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("expected a folder of submissions: make grade FOLDER=…", file=sys.stderr)
        return 1
    rows = grade_folder(arguments[0])
    print(f"{len(rows)} submissions: {Path(arguments[0]) / 'grades.csv'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
