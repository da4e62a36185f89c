"""Make the assignments from their masters: `make assignments`.

A master, `teaching/masters/NN_name.ipynb`, holds questions, solutions and how they are graded. From it come
- `assignments/NN_name.ipynb`, what students get, without solutions or grading; it is in the repository, for links
  to open;
- `_build/assignments/NN_name/solution.ipynb`.

`make assignments SECRET=file` makes an examination of `teaching/masters/variants`: the key in the file draws one
variant per question, its numbers, and the data of each student. `ID=…` prints the solutions of one student.
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
from grading.questions import MASTERS, ROOT, read_assignment, with_names

STUDENT = ROOT / "assignments"
PRIVATE = ROOT / "_build" / "assignments"
VARIANTS = MASTERS / "variants"
EXAMINATION = ROOT / "_build" / "examination"
VARIANT = re.compile(r"question-(\d+)([a-z])")
DRAWN = re.compile(r"\bDRAWN_(\w+)")


def write(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(json.loads(nbformat.writes(notebook)), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", "utf8")


def make_assignment(master, student_folder=STUDENT, private_folder=PRIVATE):
    """What students get and the solution of one assignment."""
    assignment = read_assignment(master)
    write(assignment.student, Path(student_folder, f"{assignment.name}.ipynb"))
    write(assignment.solution, Path(private_folder, assignment.name, "solution.ipynb"))
    return assignment


# ---- Examinations -----------------------------------------------------------------------------------------------


def read_key(path):
    """The key in a file, which is made the first time."""
    path = Path(path)
    if not path.exists():
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex() + "\n")
        print(f"{path}: a new key. Keep it, and show it to nobody.")
    key = path.read_bytes().strip()
    if len(key) < 16:
        raise ValueError(f"SECRET: expected a file with a key of at least 16 letters, got {len(key)}")
    return key


def generator(key, purpose):
    """A generator of random numbers for one purpose, the same for the same key."""
    return np.random.default_rng(list(hashlib.sha256(key + f" {purpose}".encode()).digest()))


def draw(master, key):
    """A master with one variant per question; cells `# NUMBERS` draw what stands in place of `DRAWN_…`."""
    letters = {}
    for cell in master.cells:
        if found := VARIANT.match(cell.id):
            letters.setdefault(found[1], set()).add(found[2])
    chosen = {number: str(generator(key, number).choice(sorted(own))) for number, own in letters.items()}
    salt = {"salt": int(generator(key, "data").integers(2**62))}
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
    master.cells = cells
    return master


def make_examination(key, folder=EXAMINATION):
    """The folder of the masters that a key draws; beside it are what students get, and the solutions."""
    masters = Path(folder, "masters")
    for path in sorted(VARIANTS.glob("*.ipynb")):
        write(draw(nbformat.read(path, as_version=4), key), masters / path.name)
        make_assignment(masters / path.name, folder, folder)
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
    parser.add_argument("--secret", default="", help="a file with the key of an examination")
    parser.add_argument("--id", default="", help="print the solutions of this student")
    chosen = parser.parse_args(arguments)
    folder = make_examination(read_key(chosen.secret)) if chosen.secret else MASTERS
    for master in sorted(folder.glob("*.ipynb")):
        if chosen.id:
            print(f"# {master.stem}, {chosen.id}", *solutions_for(chosen.id, master), sep="\n\n")
            continue
        made = read_assignment(master) if chosen.secret else make_assignment(master)
        count = f"{len(made.questions)} questions, {made.points:g} points"
        places = ("_build/examination", EXAMINATION) if chosen.secret else ("assignments", PRIVATE)
        print(
            f"{places[0]}/{master.name}: {count}; {(places[1] / master.stem / 'solution.ipynb').relative_to(ROOT)}"
        )


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (ValueError, OSError) as error:
        sys.exit(str(error))
