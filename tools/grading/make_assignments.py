"""Make the assignments from their masters: `make assignments`.

A master, `teaching/masters/NN_name.ipynb`, holds questions, solutions and how they are graded. From it come
- `assignments/NN_name.ipynb`, what students get, without solutions or grading; it is in the repository, for links
  to open;
- `_build/assignments/NN_name/solution.ipynb`.

`make assignments SECRET=file` makes a set of its own: the key in the file salts the data of all nine, and draws an
examination from `teaching/masters/variants`: one variant per question, and its numbers. `ID=…` prints the
solutions of one student.
"""

import argparse
import hashlib
import inspect
import json
import os
import re
import secrets
import sys
from pathlib import Path

import nbformat
import numpy as np

from tools.grading import papers
from tools.grading.questions import MASTERS, ROOT, read_assignment, with_names

STUDENT = ROOT / "assignments"
PRIVATE = ROOT / "_build" / "assignments"
VARIANTS = MASTERS / "variants"
BUILD = ROOT / "_build"
VARIANT = re.compile(r"question-(\d+)([a-z])")
PRACTICE_KEYS = {"First version": b"one that is public", "Second version": b"another public one"}
DRAWN = re.compile(r"\bDRAWN_(\w+)")
PUBLIC = "public"  # in place of a key, for the notebooks that were made without one


def write(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(json.loads(nbformat.writes(notebook)), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", "utf8")


def make_assignment(master, student_folder=STUDENT, private_folder=PRIVATE):
    """Write the student notebook and the solution of one assignment."""
    assignment = read_assignment(master)
    write(assignment.student, Path(student_folder, f"{assignment.name}.ipynb"))
    write(assignment.solution, Path(private_folder, assignment.name, "solution.ipynb"))
    return assignment


# ---- With a key -------------------------------------------------------------------------------------------------


def read_key(path, make=True):
    """Read the key from a file; create it if it does not exist, unless it must exist."""
    path = Path(path)
    if not path.exists() and not make:
        raise ValueError(
            f"SECRET: expected the file with the key that made the notebooks, got {path}, which is not there"
        )
    if not path.exists():
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex() + "\n")
        print(f"{path}: a new key. Keep it, and show it to nobody.")
    key = path.read_bytes().strip()
    if len(key) < 16:
        raise ValueError(f"SECRET: expected a file with a key of at least 16 characters, got {len(key)}")
    return key


def version(key):
    """The version name for a key, which does not reveal the key."""
    return hashlib.sha256(key + b" version").hexdigest()[:8]


def generator(key, purpose):
    """A random generator for one purpose, seeded by the key."""
    return np.random.default_rng(list(hashlib.sha256(key + f" {purpose}".encode()).digest()))


def draw(master, key, name):
    """A master with one variant per question; cells `# NUMBERS` draw the values that replace `DRAWN_…`."""
    letters = {}
    for cell in master.cells:
        if found := VARIANT.match(cell.id):
            letters.setdefault(found[1], set()).add(found[2])
    chosen = {number: str(generator(key, number).choice(sorted(own))) for number, own in letters.items()}
    salt = {"salt": int(generator(key, f"data of {name}").integers(2**62))}
    names, cells = {number: {"rng": generator(key, f"{number} numbers")} for number in letters}, []
    for cell in master.cells:
        found = VARIANT.match(cell.id)
        if found and found[2] != chosen[found[1]]:
            continue
        own = salt | (names[found[1]] if found else {})
        if cell.source.startswith("# NUMBERS"):
            exec(cell.source, names[found[1]])
            continue
        cell.source = DRAWN.sub(lambda each, own=own: str(own[each[1]]), cell.source)
        cell.id = VARIANT.sub(r"question-\1", cell.id)
        cells.append(cell)
    master.cells, master.metadata["version"] = cells, version(key)
    master.cells[0].source += f"\n\nVersion {version(key)}"
    return master


def draw_paper(key):
    """The written examination of a key, and its solutions, as Markdown."""
    return papers.draw_paper(papers.SOURCE.read_text("utf8"), generator(key, "written"))


def practice_page():
    """The site's public page with two versions of the examination."""
    return papers.site_page({name: draw_paper(key) for name, key in PRACTICE_KEYS.items()})


def make_masters(key, folder=None):
    """Write the masters drawn by a key into a folder that only the user can read; return it."""
    private = Path(folder or BUILD / f"set-{version(key)}") / "private"
    private.mkdir(parents=True, exist_ok=True)
    private.chmod(0o700)
    for path in sorted([*MASTERS.glob("*.ipynb"), *VARIANTS.glob("*.ipynb")]):
        write(draw(nbformat.read(path, as_version=4), key, path.stem), private / "masters" / path.name)
    return private / "masters"


def make_all(key, folder=None):
    """Write a set: the notebooks of students, and apart from them masters and solutions; return the masters."""
    masters = make_masters(key, folder)
    for path in sorted(masters.glob("*.ipynb")):
        make_assignment(path, masters.parents[1] / "students", masters.parent / "solutions")
    return masters


def solutions_for(student, master):
    """The solutions of one student, as text: code, and the value that it has on the student's own data."""
    for question in (assignment := read_assignment(master)).questions:
        solved = next(cell for cell in assignment.solution.cells if cell.id == question.cell)
        yield f"{question.name} ({question.points:g} points)\n{solved.source}"
        for part in question.parts:
            if part.has_cases and "student_id" in inspect.signature(part.function).parameters:
                yield from own_answers(question, part, student)


def own_answers(question, part, student):
    for case in with_names(part.function, {"student_id": student, "rng": np.random.default_rng(0)}):
        answer = question.right(*(case if isinstance(case, tuple) else (case,)))
        yield f"# {question.answer}: {np.array2string(np.asarray(answer), threshold=20)}"


def main(arguments):
    parser = argparse.ArgumentParser(prog="make assignments")
    parser.add_argument("--secret", default="", help="a file with a key of your own")
    parser.add_argument("--id", default="", help="print the solutions of this student")
    chosen = parser.parse_args(arguments)
    if "," in chosen.secret or chosen.secret == PUBLIC:
        raise ValueError(f"SECRET: expected one file with a key, got {chosen.secret}: only grading takes several")
    key = read_key(chosen.secret) if chosen.secret else None
    make = make_masters if chosen.id else make_all  # which leaves the notebooks of students as they are
    masters = make(key) if key else MASTERS
    if chosen.id:
        print_solutions(chosen.id, masters)
        return
    own = masters.parents[1] / "students", masters.parent / "solutions"
    students, solutions = own if chosen.secret else (STUDENT, PRIVATE)
    if key:
        papers.write_papers(masters.parent, version(key), draw_paper(key))
    else:
        papers.SITE_PAGE.write_text(practice_page(), "utf8")
    for master in sorted(masters.glob("*.ipynb")):
        made = read_assignment(master) if chosen.secret else make_assignment(master)
        count = f"{len(made.questions)} questions, {made.points:g} points"
        solution = (solutions / master.stem / "solution.ipynb").relative_to(ROOT)
        print(f"{(students / master.name).relative_to(ROOT)}: {count}; {solution}")
    if key:
        print(f"{masters.parent.relative_to(ROOT) / 'written.html'}: 60 points, to print; written_solutions.html")


def print_solutions(student, masters):
    if masters == MASTERS:
        print("# These belong to the public notebooks. With SECRET=… the data, and so the values, are others.\n")
    for master in sorted(masters.glob("*.ipynb")):
        print(f"# {master.stem}, {student}", *solutions_for(student, master), sep="\n\n")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (ValueError, OSError) as error:
        sys.exit(str(error))
