"""Mutations: small faults that a test of an equation must notice.

`chapter_NN.diff` holds the faults of a chapter, each with the equations each of which must have a failing test:

    lib/weights.py: softmax takes powers of 2
    - weights = np.exp(log_weights - largest)
    + weights = np.exp2(log_weights - largest)
    eq:softmax

The words after the file end the sentence "fails if …", which the ledger shows. The line after `-` stands once in
the file. `__main__.py` puts each fault into a copy of the code and runs the tests that are marked with its labels.
"""

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
FAULT = re.compile(r"(\S+): (.+)\n- (.+)\n\+ (.+)\n(eq:\w+(?:\seq:\w+)*)\n*")


class Mutation(NamedTuple):
    """One fault: in a file of the course, a line that stands there once, and what replaces it."""

    file: str
    words: str
    old: str
    new: str
    labels: tuple

    def apply(self, root):
        """Replace the line in the file below `root`."""
        (Path(root) / self.file).write_text(self.mutated(root), "utf8")

    def mutated(self, root):
        """The text of the file with the fault; a ValueError says which mutation no longer fits."""
        path = Path(root) / self.file
        lines = path.read_text("utf8").splitlines(keepends=True) if path.exists() else []
        found = [i for i, line in enumerate(lines) if line.strip() == self.old]
        if len(found) != 1:
            raise ValueError(
                f"{self.words} ({', '.join(self.labels)}): expected this line once in {self.file}, "
                f"found it {len(found)} times: {self.old}"
            )
        lines[found[0]] = lines[found[0]].replace(self.old, self.new)
        return "".join(lines)


def read(path):
    """The faults of a file. Only its first paragraph may be none."""
    for fault in path.read_text("utf8").split("\n\n")[1:]:
        if not (parts := FAULT.fullmatch(fault)):
            raise ValueError(f"{path.name}: expected file: words, a line -, a line + and labels, got\n{fault}")
        yield Mutation(*parts.groups()[:4], tuple(parts[5].split()))


def mutations():
    """All of them, chapter by chapter."""
    return [mutation for path in sorted(FOLDER.glob("chapter_*.diff")) for mutation in read(path)]
