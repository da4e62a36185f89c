"""The sentences that the chapters conclude, what kind each one is, and what it is bound to.

    python -m tools.build.conclusions           a line for each sentence
    python -m tools.build.conclusions --json    the same as JSON

A sentence stands in the metadata of the cell with its section's heading. It is `defined` (it gives a name),
`derived` (it leads to a labelled equation), or `measured` (a test in `tests/conclusions` tries to break it). One
that is bound to nothing yet is `open`.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from tools.build.sources import fingerprint

ROOT = Path(__file__).resolve().parents[2]


def sentences(root=ROOT):
    """The sentences in the order of the chapters, each with its chapter, section and kind."""
    for path in sorted((root / "chapters").glob("[0-9]*.ipynb")):
        for cell in json.loads(path.read_text("utf8"))["cells"]:
            for section, told in cell["metadata"].get("sentences", {}).items():
                told = {"sentence": told, "kind": "open"} if isinstance(told, str) else told
                yield {"chapter": path.stem[:2], "section": section, **told}


def tests(root=ROOT):
    """What the tests of the conclusions say of themselves, by the conclusion's name; kept until they change."""
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
    """Each sentence, a measured one with its test, the settings that vary with their ends, and the control."""
    measured = tests(root)
    for row in sentences(root):
        if row["kind"] == "measured":
            name = row.pop("conclusion")
            if name not in measured:
                raise SystemExit(f"{name}: expected a test marked with it, for the sentence {row['sentence']!r}")
            row |= {"name": name, **measured.pop(name)}
        yield row
    if measured:
        raise SystemExit(f"expected a sentence in a chapter for the tests of {', '.join(measured)}")


def line(row):
    bound = row.get("equation") or row.get("name") or ""
    return f"{row['chapter']}  {row['kind']:9}{bound:24}{row['sentence']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print all that is known of each sentence")
    found = list(rows())
    if parser.parse_args().json:
        print(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        print(*map(line, found), sep="\n")


if __name__ == "__main__":
    main()
