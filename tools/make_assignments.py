"""Make the assignments from their masters with otter-grader: `make assignments`.

A master, `teaching/masters/NN_name.ipynb`, holds questions, solutions and hidden tests. From it come
- `assignments/NN_name.ipynb`, what students get, without solutions or tests; it is in the repository, for links
  to open;
- `_build/assignments/NN_name/autograder.zip`, for `make grade` and for every grader that knows otter;
- `_build/assignments/NN_name/solution.ipynb`.
"""

import json
import re
import shutil
import sys
import tempfile
import warnings
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
MASTERS = ROOT / "teaching" / "masters"
STUDENT = ROOT / "assignments"
PRIVATE = ROOT / "_build" / "assignments"
PROMPT = re.compile(r'\n[ ]*"""\s*# BEGIN PROMPT.*?"""\s*# END PROMPT', re.DOTALL)
MARK = re.compile(r"\n?[ ]*# (?:BEGIN SOLUTION(?: NO PROMPT)?|END SOLUTION)(?=\n|$)")


def without_marks(notebook):
    """The solution as one would write it: without the marks that tell otter what to remove."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = MARK.sub("", PROMPT.sub("", cell.source)).lstrip("\n")
    return notebook


def write(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(json.loads(nbformat.writes(notebook)), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", "utf8")


def make_assignment(master, student_folder=STUDENT, private_folder=PRIVATE):
    """The three parts of one assignment."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # otter's own
        from otter.assign import main as assign

        with tempfile.TemporaryDirectory() as folder:
            assign(str(master), folder, no_run_tests=True)
            (package,) = Path(folder, "autograder").glob("*.zip")
            private = private_folder / master.stem
            private.mkdir(parents=True, exist_ok=True)
            shutil.copy(package, private / "autograder.zip")
            solution = nbformat.read(Path(folder, "autograder", master.name), as_version=4)
            student = nbformat.read(Path(folder, "student", master.name), as_version=4)
    write(without_marks(solution), private / "solution.ipynb")
    write(student, student_folder / master.name)


def main():
    for master in sorted(MASTERS.glob("*.ipynb")):
        make_assignment(master)
        print(f"assignments/{master.name}, _build/assignments/{master.stem}/ (autograder.zip, solution.ipynb)")


if __name__ == "__main__":
    sys.exit(main())
