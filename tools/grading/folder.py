"""A folder of submissions: the rows that earlier runs know, and the files that are still to be graded."""

import ast
import hashlib
import os
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import nbformat

from tools.grading import questions
from tools.grading.notebooks import grade_unit
from tools.grading.submissions import read_folder

DOCUMENTED = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
REFRESH_SECONDS = 2  # between two reports while files are read


DECIDE = (  # the files of the grader that a mark depends on; the tables are made again in every run
    *("attempts", "engines", "exchange", "folder", "forbidden", "meter", "notebooks", "questions"),
    *("read_submission", "run_submission", "sandbox", "submissions"),
)


def rules(masters, root=questions.ROOT):
    """A digest of everything that affects the points. Comments, docstrings and formatting do not."""
    lib = [path for path in sorted((root / "lib").rglob("*.py")) if "figures" not in path.parts]
    own = [root / "tools" / "grading" / f"{name}.py" for name in DECIDE]
    data = sorted(path for path in (root / "lib" / "datasets").glob("*") if path.is_file())
    parts = [code_of(path) for path in [*lib, *own]] + [path.read_bytes() for path in data]
    parts += [cells_of(path) for folder in masters for path in sorted(Path(folder).rglob("*.ipynb"))]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).digest()


def code_of(path):
    """A module's syntax tree, without comments, docstrings and positions."""
    tree = ast.parse(path.read_text("utf8"))
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return ast.dump(tree).encode()


def cells_of(path):
    """The code cells of a master, which grade and give the sentences of the feedback, and its version."""
    master = nbformat.read(path, as_version=4)
    cells = [(cell.id, cell.source) for cell in master.cells if cell.cell_type == "code"]
    return repr((path.stem, master.metadata.get("version", ""), cells)).encode()


class Folder:
    """The submissions below a folder: known rows, and units still to be graded."""

    def __init__(self, folder, results, the_rules):
        self.folder, self.results, self.rules = folder, results, the_rules
        self.rows, self.units, self.n_known = [], defaultdict(list), 0
        self.known, self.known_files = results.before()
        self.rows_of, self.expected = defaultdict(list), {}

    def digest_of(self, file):
        text = f"{file.name}\0{file.digest}".encode("utf8", "surrogateescape")
        return hashlib.sha256(self.rules + text).hexdigest()

    def read(self, course, ignored, processes, report):
        """Read all files except those that an earlier run graded completely; report progress now and then."""
        is_known = lambda file: self.digest_of(file) in self.known_files
        since, n_files = time.monotonic(), 0
        report("Reading what was submitted.")
        for file, submissions in read_folder(self.folder, course, ignored, processes, is_known):
            n_files += 1
            digest = self.digest_of(file)
            if file.handle and digest in self.known_files:
                self.rows += self.known_files[digest]
                continue
            self.expected[digest] = len(submissions)
            for each in submissions:
                self.sort(each, digest)
            if time.monotonic() - since > REFRESH_SECONDS:
                report(f"Read {n_files} files.")
                since = time.monotonic()
        self.n_known = len(self.rows)

    def sort(self, submission, of_file):
        digest = submission.digest(self.rules)
        if (submission.file, digest) in self.known:
            self.add(self.known[submission.file, digest], of_file)
        else:
            self.units[submission.unit or submission.file].append((submission, digest, of_file))

    def add(self, row, of_file):
        """Add a row, and store its file once all of the file's rows are complete."""
        self.rows.append(row)
        self.rows_of[of_file].append(row)
        if len(self.rows_of[of_file]) == self.expected[of_file]:
            self.results.remember_file(of_file, self.rows_of[of_file])

    def graded(self, assignments, course, processes):
        """Yield new rows as they are graded, small files first; closing the generator starts no more units."""
        units = sorted(self.units.values(), key=len)
        with ThreadPoolExecutor(processes or os.cpu_count()) as pool:
            futures = {}
            for unit in units:
                own = [(submission, digest) for submission, digest, _ in unit]
                futures[pool.submit(grade_unit, own, assignments, course)] = unit
            try:
                for future in as_completed(futures):
                    for row, (submission, _, of_file) in zip(future.result(), futures[future], strict=True):
                        self.results.remember(row, submission.digest(b""))
                        self.add(row, of_file)
                        yield row
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
