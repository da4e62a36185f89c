"""What students submitted: regular files below a folder, whatever their names, and the notebooks in them."""

import hashlib
import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from tools.grading.identity import origin

AT_ONCE = 32  # open files


class Submission(NamedTuple):
    """One notebook with its cells, or the reason why there is none; and the files submitted with it."""

    file: str
    why: str = ""
    assignment: str = ""
    version: str = ""
    cells: tuple = ()
    unit: str = ""

    def digest(self, rules):
        """A digest that changes when the notebook or the grading rules change."""
        return hashlib.sha256(rules + json.dumps(self[1:-1]).encode()).hexdigest()


class Cell(NamedTuple):
    """A cell as submitted."""

    id: str
    cell_type: str
    source: str
    tags: list


class File(NamedTuple):
    """A file of the folder: its open handle or why there is none, and the hash of its name and content."""

    name: str
    handle: object
    why: str
    hash: str


def shown(name):
    """A file name that any table or terminal can show, with unprintable characters as numbers."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in name)


def files_below(folder, ignored=()):
    """The files below a folder. Links are not followed."""
    for path, folders, names, handle in os.fwalk(folder, follow_symlinks=False):
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        links = [name for name in folders if stat.S_ISLNK(os.lstat(name, dir_fd=handle).st_mode)]
        for name in sorted([*names, *links]):
            relative = os.path.relpath(os.path.join(path, name), folder)
            if not is_hidden(name) and Path(path, name) not in ignored:
                yield opened(relative, name, handle)


def is_hidden(name):
    return name.startswith((".", "__MACOSX"))


def opened(relative, name, folder):
    try:
        file = open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder), "rb")
    except OSError:
        is_link = stat.S_ISLNK(os.lstat(name, dir_fd=folder).st_mode)
        return File(relative, None, "a link, and not a file" if is_link else "cannot be read", "")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        return File(relative, None, "no regular file", "")
    return File(relative, file, "", hashlib.file_digest(file, "sha256").hexdigest())


def is_class(names, zip_name):
    """Whether the entries of a zip come from many students: the platform has named them all, and not the zip.

    A zip that the platform has named after a student is that student's, whatever the names in it.
    """
    return len(names) > 1 and not origin(zip_name) and all(origin(name) for name in names)


def submissions_in(file, course, is_alone):
    """The submissions in one open file, as they were read in a sandbox."""
    if file.handle is None:
        return [Submission(shown(file.name), file.why)]
    suffix, found = Path(shown(file.name)).suffix.lower(), []
    with file.handle as handle:
        read = course.read(handle, suffix, lambda names: is_alone or is_class(names, file.name))
    of_many = is_alone or is_class([each.get("entry", "") for each in read], file.name)
    for each in read:
        inside = f"/{each['inside']}" if each.get("inside") else ""
        unit = f"{file.name}/{each.get('entry')}" if of_many else file.name
        cells = tuple(Cell(**cell) for cell in each.get("cells", ()))
        told = [each.get(name, "") for name in ("why", "assignment", "version")]
        found.append(Submission(shown(file.name + inside), *told, cells, unit))
    return list(numbered(found))


def numbered(submissions):
    """The submissions, with a number behind a name that occurs again: a zip may hold two files of one name."""
    count = {}
    for each in submissions:
        count[each.file] = number = count.get(each.file, 0) + 1
        yield each if number == 1 else each._replace(file=f"{each.file} ({number})")


def count_files(folder, ignored, most):
    """How many files are below a folder, counted up to `most`."""
    found = list(islice(files_below(folder, ignored), most))
    for file in found:
        if file.handle:
            file.handle.close()
    return len(found)


def read_folder(folder, course, ignored=(), processes=None, is_known=lambda file: False):
    """Each file below a folder with its submissions; known files are not read."""
    is_alone = count_files(folder, ignored, 2) == 1

    def read(file):
        if file.handle and is_known(file):
            file.handle.close()
            return file, ()
        return file, submissions_in(file, course, is_alone)

    files = files_below(folder, ignored)
    with ThreadPoolExecutor(processes or os.cpu_count()) as pool:
        while batch := list(islice(files, AT_ONCE)):
            yield from pool.map(read, batch)
