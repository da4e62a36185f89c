"""Mutations: small faults that the tests of an equation must detect.

`chapter_NN.diff` lists a chapter's faults, each with the equations whose tests must fail:

    lib/weights.py: softmax takes powers of 2
    - weights = np.exp(log_weights - largest)
    + weights = np.exp2(log_weights - largest)
    eq:softmax

The text after the file completes "fails if …", which the ledger shows. The line after `-` occurs exactly once in
the file. `__main__.py` applies each fault to a copy of the code and runs the tests marked with its labels.
"""

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
FAULT = re.compile(r"(\S+): (.+)\n- (.+)\n\+ (.+)\n(eq:\w+(?:\seq:\w+)*)\n*")


class Mutation(NamedTuple):
    """A fault: a file of the course, a line that occurs once in it, and the replacement."""

    file: str
    words: str
    old: str
    new: str
    labels: tuple

    def apply(self, root):
        """Apply the fault to the file below `root`."""
        (Path(root) / self.file).write_text(self.mutated(root), "utf8")

    def mutated(self, root):
        """Return the file's text with the fault; raise ValueError if the mutation no longer fits."""
        path = Path(root) / self.file
        lines = path.read_text("utf8").splitlines(keepends=True) if path.exists() else []
        found = [i for i, line in enumerate(lines) if line.strip() == self.old]
        if len(found) != 1:
            raise ValueError(
                f"{self.words} ({', '.join(self.labels)}): expected this line once in {self.file}, "
                f"got {len(found)} times: {self.old}"
            )
        lines[found[0]] = lines[found[0]].replace(self.old, self.new)
        return "".join(lines)


def read(path):
    """Parse the faults of a file. Its first paragraph may be a comment."""
    for fault in path.read_text("utf8").split("\n\n")[1:]:
        if not (parts := FAULT.fullmatch(fault)):
            raise ValueError(f"{path.name}: expected file: words, a line -, a line + and labels, got\n{fault}")
        yield Mutation(*parts.groups()[:4], tuple(parts[5].split()))


def mutations():
    """Return all mutations, chapter by chapter."""
    return [mutation for path in sorted(FOLDER.glob("chapter_*.diff")) for mutation in read(path)]
