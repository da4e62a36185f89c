"""Grade a folder of assignments: `make grade FOLDER=class` writes class-grades/grades.csv, a row a notebook.

Each submission runs in a process that an engine isolates (tools/grading/engines.py). It sees neither tests nor
solutions, sends back numbers and text, and these are scored here. Nothing is written into the folder of
submissions, and nothing in it is trusted. A run that was stopped resumes where it was.
"""

import argparse
import sys
import time
from collections import defaultdict
from contextlib import closing
from pathlib import Path

from tools.grading import decisions, identity, make_assignments, questions, review, tables
from tools.grading.folder import Folder, rules
from tools.grading.make_assignments import PUBLIC
from tools.grading.questions import MASTERS
from tools.grading.results import Results
from tools.grading.sandbox import Course

REFRESH_SECONDS = 2  # between two updates of the tables


def write_tables(folder, rows, titles, roster, decided):
    """Rewrite all tables, and return the rows as in grades.csv."""
    rows = tables.completed(rows, roster, decided)
    tables.write_grades(folder, rows)
    tables.write_forms(folder, rows, titles, roster)
    return rows


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
    compare=False,
):
    """Grade all submissions below a folder, write tables and feedback to `out`, and return the rows.

    With `compare`, tables and feedback stay as they are, and marks that would change are reported. What was graded
    is stored, so that the next run does not grade it again.
    """
    folder = Path(folder).resolve()
    results = Results(out or folder.with_name(f"{folder.name}-grades"), folder)
    assignments = questions.read_all(masters)
    titles = {name: versions[0].title for name, versions in assignments.items()}
    roster = identity.read_roster(roster_path, column) if roster_path else identity.NOBODY
    decided, problems = decisions.read_decisions(results.folder / "decisions", assignments)
    found = Folder(folder, results, rules(masters))

    def write():
        """Write the tables unless marks are only compared, and return the rows so far."""
        if compare:
            return found.rows
        return write_tables(results.folder, found.rows, titles, roster, decided)

    with Course([folder, results.folder], protected) as course:
        report(f"Each submission is isolated by {course.engine.name}." if protected else "Nothing is isolated.")
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
            rows = write()
    for line in changed_marks(results.changes(found.rows), compare):
        report(line)
    if compare:
        return rows, results.folder
    results.remember_tables(found.rows)
    tables.write_feedback(results.folder, rows, titles)
    review.write_review(results.folder, rows, assignments)
    decisions.start_tables(results.folder / "decisions", sorted({row.assignment for row in rows} - {""}))
    for line in (*summary(rows, roster), *problems, *decisions.not_applied(rows, decided)):
        report(line)
    return rows, results.folder


def changed_marks(changes, compare):
    """A line on each notebook whose mark differs from the one in the tables, before the teacher's decisions."""
    lines = []
    for old, new in changes:
        names = [name for name in new.questions if new.questions[name] != old.questions.get(name)]
        parts = ", ".join(f"{name} {old.questions.get(name, 0):g} to {new.questions[name]:g}" for name in names)
        lines.append(f"{new.file}: {old.points:g} to {new.points:g} points ({parts})")
    if lines:
        yield f"{len(lines)} marks {'would change' if compare else 'have changed'}, because the rules have:"
    elif compare:
        yield "No mark would change."
    yield from lines


def summary(rows, roster):
    """Summarise in a few lines what the teacher has to know or decide."""
    yield from missing_files(rows, roster)
    undecided = [row for row in rows if row.counts == "no" or any("same id as" in text for text in row.remarks)]
    if undecided:
        yield f"{len(undecided)} rows do not count, or share an id with another: see `remarks` in grades.csv"
    ungraded = sum(not row.is_graded and row.counts != "no" for row in rows)
    if ungraded:
        yield f"{ungraded} files were not graded: see `remarks` in grades.csv"
    if any(tables.AGAIN in text for row in rows for text in row.remarks):
        yield "A file could not be graded, and will be tried again: run the same command once more"
    unchecked = sum(tables.UNCHECKED in row.remarks for row in rows)
    if unchecked:
        yield f"{unchecked} rows have an id that could not be checked: the platform does not say whose they are"
    used = tables.late_days(rows)
    if any(used.values()):
        yield "Late days: " + ", ".join(f"{who} {days:g}" for who, days in used.most_common(300) if days)


def missing_files(rows, roster):
    """A line on each assignment with the students of the roster from whom there is no file.

    Students with a file that no assignment can be found for are in no line: it may be any of them.
    """
    beside, seen = tables.assignments_beside(rows), defaultdict(set)
    for row in rows:
        name = row.assignment or beside.get(tables.place(row), "")
        seen[name] |= {row.owner, roster.of(identity.origin(row.file))}
    unknown = seen.pop("", set())
    for name in sorted(seen):
        if missing := sorted(set(roster.entries) - seen[name] - unknown):
            yield f"{name}: {len(missing)} of the roster handed in nothing: {', '.join(missing[:300])}"


def masters_of(secret):
    """The folders of masters: one for each file with a key, and the public one for `public` or for nothing."""
    names = [name.strip() for name in secret.split(",") if name.strip()] or [PUBLIC]
    keys = {name: make_assignments.read_key(name, make=False) for name in names if name != PUBLIC}
    return [make_assignments.make_masters(keys[name]) if name in keys else MASTERS for name in names]


def main(arguments):
    parser = argparse.ArgumentParser(prog="make grade FOLDER=…")
    parser.add_argument("folder")
    parser.add_argument("--out", default="", help="the folder of results, else FOLDER-grades")
    parser.add_argument("--roster", default="", help="a table with a column of ids")
    parser.add_argument("--column", default="", help="the name of that column, if it is none of the usual ones")
    parser.add_argument(
        "--secret", default="", help="the file with the key of the notebooks, or `public`; several with commas"
    )
    parser.add_argument("--compare", action="store_true", help="list marks that would change; write no table")
    parser.add_argument("--unprotected", action="store_true", help="run submissions on this machine as they are")
    chosen = parser.parse_args(arguments)
    if not Path(chosen.folder).is_dir() or not chosen.folder:
        print(f"FOLDER: expected a folder of submissions, got {chosen.folder!r}", file=sys.stderr)
        return 1
    try:
        rows, out = grade_folder(
            chosen.folder,
            chosen.out or None,
            masters_of(chosen.secret),
            roster_path=chosen.roster or None,
            column=chosen.column,
            protected=not chosen.unprotected,
            compare=chosen.compare,
        )
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped. The same command resumes from here.", file=sys.stderr)
        return 130
    if not chosen.compare:
        print(f"{len(rows)} rows: {out / 'grades.csv'}; feedback for students: {out / 'feedback'}")
        print(f"A page with the answers: {out / 'review.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
