"""What students handed in: regular files below a folder, whatever their names, and the notebooks in them."""

import hashlib
import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import NamedTuple

AT_ONCE = 32  # open files


class Submission(NamedTuple):
    """One notebook with its cells, or why there is none."""

    file: str
    why: str = ""
    assignment: str = ""
    cells: tuple = ()

    def digest(self, rules):
        """What changes when the notebook or the rules of grading change."""
        return hashlib.sha256(rules + json.dumps(self[1:]).encode()).hexdigest()


class Cell(NamedTuple):
    """A cell as it was handed in."""

    id: str
    cell_type: str
    source: str
    tags: list


def shown(name):
    """A file's name that any table and terminal can show; a byte that is no letter is written as a number."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in name)


def files_below(folder, ignored=()):
    """The names below a folder, each with the open file, or with why it cannot be read. Links are not followed."""
    for path, folders, names, handle in os.fwalk(folder, follow_symlinks=False):
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        links = [name for name in folders if stat.S_ISLNK(os.lstat(name, dir_fd=handle).st_mode)]
        for name in sorted([*names, *links]):
            relative = os.path.relpath(os.path.join(path, name), folder)
            if not is_hidden(name) and Path(path, name) not in ignored:
                yield relative, *opened(name, handle)


def is_hidden(name):
    return name.startswith((".", "__MACOSX"))


def opened(name, folder):
    try:
        file = open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder), "rb")
    except OSError:
        is_link = stat.S_ISLNK(os.lstat(name, dir_fd=folder).st_mode)
        return None, "a link, and not a file" if is_link else "cannot be read"
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        return None, "no regular file"
    return file, ""


def submissions_in(name, file, course):
    """The submissions in one open file, as they were read in a sandbox."""
    suffix = Path(shown(name)).suffix.lower()
    for found in course.read(file, suffix):
        inside = f"/{found['inside']}" if found.get("inside") else ""
        cells = tuple(Cell(**cell) for cell in found.get("cells", ()))
        yield Submission(shown(name + inside), found.get("why", ""), found.get("assignment", ""), cells)


def handed_in(folder, course, ignored=(), processes=None):
    """All submissions below a folder, one after the other."""

    def found(name, file, why):
        if file is None:
            return [Submission(shown(name), why)]
        with file:
            return list(submissions_in(name, file, course))

    files = files_below(folder, ignored)
    with ThreadPoolExecutor(processes or os.cpu_count()) as pool:
        while batch := list(islice(files, AT_ONCE)):
            for submissions in pool.map(found, *zip(*batch, strict=True)):
                yield from submissions
