"""Make the assignments from their masters: `make assignments`.

A master, `teaching/masters/NN_name.ipynb`, holds questions, solutions and how they are graded. From it come
- `assignments/NN_name.ipynb`, what students get, without solutions or grading; it is in the repository, for links
  to open;
- `_build/assignments/NN_name/solution.ipynb`.
"""

import json
import sys
from pathlib import Path

import nbformat
from grading.questions import MASTERS, ROOT, read_assignment

STUDENT = ROOT / "assignments"
PRIVATE = ROOT / "_build" / "assignments"


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


def main():
    for master in sorted(MASTERS.glob("*.ipynb")):
        made = make_assignment(master)
        count = f"{len(made.questions)} questions, {made.points:g} points"
        print(f"assignments/{master.name}: {count}; _build/assignments/{master.stem}/solution.ipynb")


if __name__ == "__main__":
    sys.exit(main())
