"""Set the public URL of the course in every file that states it.

`_config.yml` has the URL. Everything else, from the README to the notebooks' Colab cells, repeats it because those
files are read without the configuration.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = {".png", ".webp", ".woff2", ".npz", ".npy"}
ADDRESS = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+")


def configured_address():
    """Return the URL in `_config.yml`."""
    config = (ROOT / "_config.yml").read_text("utf8")
    return re.search(r"^repository:\n\s+url: (\S+)$", config, re.MULTILINE)[1]


def course_files():
    """Return the text files of the course: those that git tracks or would track."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = [ROOT / name for name in listed.stdout.splitlines()]
    return [path for path in paths if path.is_file() and path.suffix not in BINARY]


def set_address(new):
    """Replace the URL, its short form owner/name and the name of a clone's folder in every file."""
    new = new.strip().removesuffix("/").removesuffix(".git")
    if not ADDRESS.fullmatch(new):
        raise ValueError(f"expected https://github.com/owner/name, which Binder and Colab can open, got {new!r}")
    old = configured_address()
    short_old, short_new = (address.removeprefix("https://github.com/") for address in (old, new))
    folder_old, folder_new = (short.split("/")[1] for short in (short_old, short_new))
    for path in course_files():
        before = path.read_text("utf8")
        text = before.replace(short_old, short_new)
        text = re.sub(rf"^cd {re.escape(folder_old)}$", f"cd {folder_new}", text, flags=re.MULTILINE)
        if text != before:
            path.write_text(text, "utf8")
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    try:
        set_address(sys.argv[1])
    except ValueError as error:
        sys.exit(f"{error}\nUse: make set-url URL=https://github.com/owner/name")
