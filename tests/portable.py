"""List the test files that need only `lib`: they also run under Pyodide and with the oldest versions."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
USES_LIB = re.compile(r"^(?:from|import) lib\b", re.MULTILINE)
# Tests that import any of these need a compiler, a browser or the repository's files.
NEEDS_MORE = re.compile(
    r"\b(?:torch|cv2|statsmodels|nbformat|figure_page|subprocess|ast|load_d2l|dask|sklearn)\b"
    r"|def \w+\([^)]*\b(?:page|new_page|site|built_site|browser)\b"
)


def portable_tests():
    """Return the names of these files, relative to the repository's root."""
    texts = {path: path.read_text("utf8") for path in sorted(TESTS.rglob("test_*.py"))}
    chosen = (path for path, text in texts.items() if USES_LIB.search(text) and not NEEDS_MORE.search(text))
    return [path.relative_to(TESTS.parent).as_posix() for path in chosen]


if __name__ == "__main__":
    print(*portable_tests())
