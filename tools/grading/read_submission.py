"""Extract the cells of a submitted file: `read_submission.py .suffix 0 < file`.

The file may be anything, so this runs in a sandbox. A zip may hold the files of a whole class, so the first line
of JSON lists the names of its entries. Then, for each entry, one line is its name and the next one the list of its
submissions. An entry that takes too long ends this process between the two, and the grader restarts it behind this
entry. Outputs, images and whatever else a notebook carries are left behind.
"""

import io
import json
import math
import resource
import stat
import sys
import time
import zipfile

MOST_NOTEBOOK_BYTES, MOST_CELL_BYTES, MOST_CELLS, MOST_FILES = 50 * 2**20, 5 * 2**20, 500, 1000
MEMORY_BYTES, MOST_ENTRY_BYTES, MOST_NAME = 3 * 2**30, 8 * 2**20, 300
ENTRY_SECONDS = 8  # of work
TEXT = (".ipynb", ".json", ".txt", "")
INSTEAD = (".pdf", ".py", ".html", ".doc", ".docx", ".odt", ".rtf")  # handed in for a notebook
PACKED = (".gz", ".tgz", ".tar", ".7z", ".rar", ".xz", ".bz2")


class NoNotebook(Exception):
    """The submitted file is not a notebook; the message says what it is."""


def text_of(cell, name):
    """The text of a cell, which some editors write as a list of lines."""
    value = cell.get(name, "")
    return "".join(value) if isinstance(value, list) else str(value)


def plain_cell(cell, i):
    """A cell with all fields that grading reads, whichever editor wrote it."""
    tags = (cell.get("metadata") or {}).get("tags") or []
    own = str(cell.get("id", f"cell-{i + 1}"))[:64]
    return {
        "id": "".join(character for character in own if character.isprintable()),
        "cell_type": text_of(cell, "cell_type"),
        "source": text_of(cell, "source").replace("\r\n", "\n").replace("\r", "\n"),
        "tags": [str(tag)[:64] for tag in tags[:16]],
    }


def decoded(data):
    """Parse JSON in any encoding that editors write."""
    try:
        return json.loads(data)
    except UnicodeDecodeError:
        return json.loads(data.decode("cp1252", "replace"))


def notebook(data, suffix):
    """The name of its assignment and its cells."""
    start = data[:200].lstrip(b"\xef\xbb\xbf \r\n\t")
    if not start:
        raise NoNotebook("an empty file")
    if suffix in PACKED:
        raise NoNotebook(f"a {suffix} file cannot be unpacked here: unpack it, or pack it as a zip")
    if suffix not in TEXT:
        raise NoNotebook(f"a {suffix} file cannot be graded, ask for the .ipynb")
    if start[:1] == b"<":
        what = "a notebook with an unfinished merge" if start[:7] == b"<<<<<<<" else "a web page"
        raise NoNotebook(f"{what}, ask for the .ipynb")
    try:
        found = decoded(data)
        if "worksheets" in found:
            raise NoNotebook("a notebook of before 2015: open it, save it, and hand it in again")
        cells = [plain_cell(cell, i) for i, cell in enumerate(found["cells"])]
        metadata = found.get("metadata") or {}
        name, version = str(metadata.get("assignment"))[:100], str(metadata.get("version", ""))[:16]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise NoNotebook("not a notebook") from None
    if len(cells) > MOST_CELLS:
        raise NoNotebook(f"more than {MOST_CELLS} cells")
    if sum(len(json.dumps(cell)) for cell in cells) > MOST_CELL_BYTES:
        raise NoNotebook(f"more than {MOST_CELL_BYTES // 2**20} megabytes of text and code")
    return {"assignment": name, "version": version, "cells": cells}


def submission(file, suffix):
    """The notebook in an open file, or why there is none."""
    try:
        data = file.read(MOST_NOTEBOOK_BYTES + 1)
        if len(data) > MOST_NOTEBOOK_BYTES:
            raise NoNotebook(f"more than {MOST_NOTEBOOK_BYTES // 2**20} megabytes")
        return notebook(data, suffix)
    except NoNotebook as error:
        return {"why": str(error)}
    except MemoryError:
        return {"why": "too large to be read"}


def is_hidden(name):
    return any(part.startswith((".", "__MACOSX")) for part in name.split("/"))


def suffix_of(name):
    stem, dot, last = name.rpartition("/")[2].rpartition(".")
    return (dot + last).lower() if stem and len(last) < 8 else ""


def entries_of(packed):
    """The files in a zip."""
    entries = [entry for entry in packed.infolist() if not entry.is_dir() and not is_hidden(entry.filename)]
    if len(entries) > MOST_FILES:
        raise NoNotebook(f"a zip of more than {MOST_FILES} files")
    return entries


def in_zip(file):
    """The submissions in a nested zip."""
    with zipfile.ZipFile(file) as packed:
        inside = lambda entry: {"inside": entry.filename[-MOST_NAME:]}
        return [inside(entry) | each for entry in entries_of(packed) for each in in_entry(packed, entry, depth=1)]


def in_entry(packed, entry, depth=0):
    """The submissions in one file of a zip; none if it accompanies a notebook and is not one itself."""
    suffix = suffix_of(entry.filename)
    if stat.S_ISLNK(entry.external_attr >> 16):
        return [{"why": "a link, and not a file"}]
    if suffix not in (".zip", *TEXT, *INSTEAD, *PACKED):
        return []
    try:
        with packed.open(entry) as file:
            if suffix != ".zip":
                return [submission(file, suffix)]
            if depth:
                return [{"why": "a zip in a zip in a zip: unpack it"}]
            return in_zip(io.BytesIO(file.read(MOST_NOTEBOOK_BYTES)))
    except NoNotebook as error:
        return [{"why": str(error)}]
    except Exception as error:  # an unknown compression, a password, a wrong checksum
        return [{"why": f"cannot be unpacked ({type(error).__name__})"}]


def entries(file, suffix):
    """The name of each entry of an open file, and what reads it. A file that is not a zip is one entry."""
    if not file.seekable():
        file = io.BytesIO(file.read(2**30))
    is_zip = file.read(4) == b"PK\x03\x04"
    file.seek(0)
    if not is_zip or suffix not in (".zip", *TEXT):
        return [("", lambda: [submission(file, suffix)])]
    try:
        packed = zipfile.ZipFile(file)
        found = [(each.filename, lambda each=each: in_entry(packed, each)) for each in entries_of(packed)]
        return found or [("", lambda: [])]
    except NoNotebook as error:
        why = str(error)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        why = "a damaged zip"
    return [("", lambda: [{"why": why}])]


def limit_work(seconds):
    """End this process after this many more seconds of CPU time."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + seconds, hard))


def main(suffix, first):
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    limit_work(ENTRY_SECONDS)
    found = entries(sys.stdin.buffer, suffix)
    print(json.dumps([name[-MOST_NAME:] for name, _ in found]), flush=True)
    for name, read in found[int(first) :]:
        limit_work(ENTRY_SECONDS)
        print(json.dumps(name[-MOST_NAME:]), flush=True)
        submissions = json.dumps(read())
        if len(submissions) > MOST_ENTRY_BYTES:
            submissions = json.dumps(
                [{"why": f"more than {MOST_ENTRY_BYTES // 2**20} megabytes of text and code"}]
            )
        print(submissions, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
