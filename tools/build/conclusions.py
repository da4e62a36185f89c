"""List the sentence of each section of the chapters, its kind, and the test or cell that supports it.

    python -m tools.build.conclusions           one line per sentence
    python -m tools.build.conclusions --json    the same as JSON

A sentence is in the metadata of the cell with its section's heading. It is a `result` (a definition or a theorem;
the test of its equation repeats it, `says="…"`), an `observation` (its `cell` computes it, and a test in
`tests/conclusions` sweeps it), or an `explanation`. A plain string is a `signpost`: it says what the section
contains.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
from pathlib import Path

from tools.build.sources import fingerprint

ROOT = Path(__file__).resolve().parents[2]


def sentences(root=ROOT):
    """Yield the sentences in the order of the chapters, each with its chapter, section and kind.

    A chapter's further page, such as `further_07`, counts as part of it.
    """
    for path in sorted((root / "chapters").glob("*.ipynb"), key=lambda path: (chapter_of(path), path.stem)):
        for cell in json.loads(path.read_text("utf8"))["cells"]:
            for section, stated in cell["metadata"].get("sentences", {}).items():
                stated = {"sentence": stated, "kind": "signpost"} if isinstance(stated, str) else stated
                yield {"chapter": chapter_of(path), "section": section, **stated}


def chapter_of(path):
    """Return the number of the chapter that a page belongs to.

    >>> [chapter_of(Path(f"{name}.ipynb")) for name in ("07_performer", "further_07", "gallery")]
    ['07', '07', '']
    """
    return next(iter(re.findall(r"\d\d", path.stem)), "")


def tests_that_say(root=ROOT):
    """Return the equations' tests that repeat a sentence, by equation and sentence."""
    found = {}
    for path in sorted((root / "tests").rglob("test_*.py")):
        for function in ast.walk(ast.parse(path.read_text("utf8"))):
            for mark in getattr(function, "decorator_list", []):
                says = {word.arg: word.value for word in getattr(mark, "keywords", [])}.get("says")
                if says and ast.unparse(mark.func).endswith("mark.equation"):
                    place = {"file": path.relative_to(root).as_posix(), "line": function.lineno}
                    place |= {"without": words_of(mark)}
                    found |= {(label.value, says.value): place | {"test": function.name} for label in mark.args}
    return found


def words_of(mark):
    """Return the hypotheses that a mark violates on purpose."""
    dropped = next((word.value.keys for word in mark.keywords if word.arg == "without"), [])
    return [key.value for key in dropped]


def sweeps(root=ROOT):
    """Map each observation to the descriptions of its tests; the result is cached until the tests change."""
    kept = root / "_build" / "conclusion_tests"
    path = kept / f"{fingerprint('conclusion_tests', root)}.json"
    if not path.exists():
        kept.mkdir(parents=True, exist_ok=True)
        options = ["--collect-only", "--quiet", "-p", "no:cacheprovider", f"--list-conclusions={path}"]
        run = [sys.executable, "-m", "pytest", "tests/conclusions", *options]
        done = subprocess.run(run, cwd=root, capture_output=True, text=True)
        if not path.exists():
            raise SystemExit(done.stdout + done.stderr)
        for old in set(kept.iterdir()) - {path}:
            old.unlink(missing_ok=True)
    return json.loads(path.read_text("utf8"))


def rows(root=ROOT):
    """Yield each sentence: a result with the test that repeats it, an observation with its sweep."""
    swept, said = sweeps(root), tests_that_say(root)
    for row in sentences(root):
        if name := row.pop("conclusion", None):
            if name not in swept:
                raise SystemExit(f"{name}: expected a test marked with it, for the sentence {row['sentence']!r}")
            row |= {"name": name, **swept.pop(name)}
        yield row | said.pop((row.get("equation"), row["sentence"]), {})
    if swept:
        raise SystemExit(f"expected a sentence in a chapter for the tests of {', '.join(swept)}")
    if said:
        raise SystemExit(f"expected these sentences in a chapter, which tests repeat: {list(said)}")


def line(row):
    bound = row.get("equation") or row.get("name") or ""
    return f"{row['chapter']}  {row['kind']:12}{bound:24}{row['sentence']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print every field of each sentence")
    found = list(rows())
    if parser.parse_args().json:
        print(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        print(*map(line, found), sep="\n")


if __name__ == "__main__":
    main()
