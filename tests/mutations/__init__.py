"""Mutations: small faults that a test of an equation must notice.

One module per chapter holds a list `MUTATIONS`. `__main__.py` puts each of them into a copy of the code and runs
the tests that are marked with its labels. The ledger shows the words of each: "fails if the exponent is
doubled".
"""

import importlib
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Mutation:
    """One fault: in a file of the course, an old text that stands there once, and what replaces it.

    `words` end the sentence "fails if …". `labels` are the equations each of which must have a failing test.
    """

    file: str
    old: str
    new: str
    words: str
    labels: tuple = field(default=())

    def apply(self, root):
        """Replace the text in the file below `root`."""
        path = Path(root) / self.file
        path.write_text(self.mutated(root), "utf8")

    def mutated(self, root):
        """The text of the file with the fault; a ValueError says which mutation no longer fits."""
        path = Path(root) / self.file
        text = path.read_text("utf8") if path.exists() else ""
        if text.count(self.old) != 1:
            raise ValueError(
                f"{self.words} ({', '.join(self.labels)}): expected the old text once in {self.file}, "
                f"found it {text.count(self.old)} times: {self.old!r}"
            )
        return text.replace(self.old, self.new)


def mutations():
    """All of them, chapter by chapter."""
    names = sorted(path.stem for path in FOLDER.glob("chapter_*.py"))
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return [mutation for module in modules for mutation in module.MUTATIONS]
