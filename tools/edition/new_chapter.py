"""Start a chapter from the template: `make chapter NAME=my_method`. Undo it with `make chapter REMOVE=my_method`.

It writes the notebook, the test of its equation and a fault for it, wrong answers to its exercises, the teacher's
guide and the still pictures of its two figures, and registers the chapter in the contents, on the front page and
in the table of methods. Everything passes the tests from the start; then replace the placeholder piece by piece.
"""

import json
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def insert_after(path, pattern, text):
    """Insert text after the last match of a pattern in a file."""
    before = path.read_text("utf8")
    matches = list(re.finditer(pattern, before, re.MULTILINE))
    if not matches:
        raise ValueError(f"{path.name}: expected a place that matches {pattern!r}")
    end = matches[-1].end()
    path.write_text(before[:end] + text + before[end:], "utf8")


def table_of_methods(root):
    page = (root / "pages" / "methods.md").read_text("utf8")
    return re.search(r"^\| chapter \| query .*\n\|[:|-]+\|\n(?:\|.*\n)+", page, re.M)[0]


def fill(template, words):
    """Return the template filled in for the chapter; in a notebook's JSON, quotes and line ends are escaped."""
    text = template.read_text("utf8")
    for name, word in words.items():
        text = text.replace(
            f"@{name}@", json.dumps(word, ensure_ascii=False)[1:-1] if template.suffix == ".ipynb" else word
        )
    return text


def as_line(text):
    """Return a line of a cell as it is stored in a notebook's file."""
    return f"    {json.dumps(text, ensure_ascii=False)},\n"


def files_of(stem):
    """Return the files of a chapter, each with its template."""
    nn, address = stem[:2], stem[3:].replace("_", "-")
    return {
        "chapter.ipynb": f"chapters/{stem}.ipynb",
        "equations.py": f"tests/equations/test_equations_{nn}.py",
        "mutations.diff": f"tests/mutations/chapter_{nn}.diff",
        "guide.md": f"teaching/guide_{nn}.md",
        "answers.py": f"tests/chapters/answers/chapter_{nn}.py",
        "figures/live-regression.svg": f"figures/live-{address}.svg",
        "figures/live-prediction-far.svg": f"figures/live-prediction-{address}.svg",
    }


def make_chapter(name, root=ROOT):
    """Create the files of a chapter and register it; return the notebook's path."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        raise ValueError(f"expected a name of lower-case words joined by underscores, got {name!r}")
    chapters = sorted(path.stem for path in (root / "chapters").glob("[0-9]*.ipynb"))
    if name in (stem[3:] for stem in chapters):
        raise ValueError(f"expected a new name, got {name!r}, which is a chapter")
    number = int(chapters[-1][:2]) + 1
    title, nn = name.replace("_", " ").capitalize(), f"{number:02}"
    stem, address = f"{nn}_{name}", name.replace("_", "-")
    row = fill(ROOT / "teaching" / "template" / "row.txt", {"N": str(number), "TITLE": title})
    insert_after(root / "pages" / "methods.md", r"^\| \d+\. .*\n", row)
    words = {"NN": nn, "N": str(number), "NAME": name, "TITLE": title, "STEM": stem, "ADDRESS": address}
    words["TABLE"] = table_of_methods(root).rstrip("\n")
    for source, target in files_of(stem).items():
        if source.startswith("figures/"):
            shutil.copy(root / source, root / target)
        else:
            (root / target).write_text(fill(root / "teaching" / "template" / source, words), "utf8")
    insert_after(root / "_toc.yml", r"^      - file: chapters/\d\d_\w+\n", f"      - file: chapters/{stem}\n")
    insert_after(
        root / "_toc.yml", r"^ +- file: teaching/guide_\d\d\n", f"          - file: teaching/guide_{nn}\n"
    )
    insert_after(
        root / "teaching" / "index.md", r"^\| \d+\. .*\n",
        f'| {number}. {title} | [guide](guide_{nn}.md) | <a href="../slides/{nn}.html">slides</a> | none yet |\n',
    )  # fmt: skip
    link = f"(chapters/{stem}.ipynb)"
    item = f"- [*{number} · year* **{title}**]{link} Alike means … *6 minutes. Needs ….*\n"  # no image yet
    insert_after(root / "intro.ipynb", r'^    "- \[.*\(chapters/\d\d_.*\n', as_line(item))
    return root / "chapters" / f"{stem}.ipynb"


def remove_chapter(name, root=ROOT):
    """Remove what `make_chapter` created, if it is the last chapter, so no number changes. Your additions stay."""
    last = max((root / "chapters").glob("[0-9]*.ipynb")).stem
    if last[3:] != name:
        raise ValueError(f"expected the name of the last chapter, {last[3:]}, got {name!r}")
    number, nn = int(last[:2]), last[:2]
    for target in files_of(last).values():
        (root / target).unlink(missing_ok=True)
    drop_lines(root / "_toc.yml", rf"^ +- file: (?:chapters/{last}|teaching/guide_{nn})\n")
    drop_lines(root / "pages" / "methods.md", rf"^\| {number}\. .*\n")
    drop_lines(root / "teaching" / "index.md", rf"^\| {number}\. .*\n")
    drop_lines(root / "intro.ipynb", rf'^    "- \[.*\(chapters/{last}.*\n')


def drop_lines(path, pattern):
    path.write_text(re.sub(pattern, "", path.read_text("utf8"), flags=re.MULTILINE), "utf8")


USE = "Use: make chapter NAME=my_method, or make chapter REMOVE=my_method"

if __name__ == "__main__":
    try:
        name, removed = sys.argv[1:]
        if removed:
            remove_chapter(removed)
            print(f"Chapter {removed} is removed. `git status` shows what is left of it.")
        else:
            notebook = make_chapter(name).relative_to(ROOT)
            print(f"{notebook} is ready. `make serve` shows it, `make pictures` draws its figures.")
    except ValueError as error:
        sys.exit(f"{error}\n{USE}")
