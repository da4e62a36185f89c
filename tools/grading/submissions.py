"""What students submitted: regular files below a folder, whatever their names, and the notebooks in them."""

import hashlib
import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from tools.grading.identity import LISTED, origin
from tools.grading.sandbox import MORE, TOO_SLOW

AT_ONCE = 32  # open files
MOST_ZIP_BYTES, MOST_FILE_BYTES = 4 * 2**30, 64 * 2**20  # of a zip, which may hold a class, and of other files
NO_CLASS = (
    "one student's zip, as it lies beside a notebook without a platform's name: separate the two, if it is not"
)
PART = 2**20  # bytes at each end of a large zip that its digest covers, beside its size and its time


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
    """A file of the folder: its open handle or why there is none, and a digest of its content."""

    name: str
    handle: object
    why: str
    digest: str


def shown(name):
    """A file name that any table or terminal can show, with unprintable characters as numbers."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in name)


def opened(relative, name, folder):
    try:
        file = open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder), "rb")
    except OSError:
        is_link = stat.S_ISLNK(os.lstat(name, dir_fd=folder).st_mode)
        return File(relative, None, "a link, and not a file" if is_link else "cannot be read", "")
    status = os.fstat(file.fileno())
    most = MOST_ZIP_BYTES if name.lower().endswith(".zip") else MOST_FILE_BYTES
    is_regular = stat.S_ISREG(status.st_mode)
    if not is_regular or status.st_size > most:
        file.close()
        why = f"more than {most // 2**20} megabytes" if is_regular else "no regular file"
        return File(relative, None, why, "")
    return File(relative, file, "", digest_of(file, status))


def files_below(folder, ignored=(), opened=opened):
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


def digest_of(file, status):
    """A digest of an open file; of a large one, it covers both ends, where a zip lists what it holds."""
    if status.st_size <= MOST_FILE_BYTES:
        return hashlib.file_digest(file, "sha256").hexdigest()
    start, end = file.read(PART), file.seek(-16 * PART, os.SEEK_END) and file.read()
    return hashlib.sha256(start + end + f"{status.st_size} {status.st_mtime_ns}".encode()).hexdigest()


def is_class(names, zip_name):
    """Return whether the entries of a zip come from many students: the platform named each of them, not the zip.

    A zip that the platform has named after a student is that student's, whatever the names in it.
    """
    names = [name for name in names if name.rpartition("/")[2] != LISTED]
    return len(names) > 1 and not origin(zip_name) and all(origin(name) for name in names)


def may_hold_classes(folder, ignored):
    """The folders in which a zip may hold the files of many students.

    Beside a notebook that no platform has named, as in a shared folder, a zip is one student's, whatever it holds.
    """
    names = [Path(name) for name in names_below(folder, ignored)]
    shared = {name.parent for name in names if name.suffix == ".ipynb" and not origin(str(name))}
    return {name.parent for name in names} - shared


def submissions_in(file, course, is_alone, may_be_class=True):
    """The submissions in one open file, as they were read in a sandbox."""
    if file.handle is None:
        return [Submission(shown(file.name), file.why)]
    suffix, found = Path(shown(file.name)).suffix.lower(), []
    from_many = lambda names: is_alone or may_be_class and is_class(names, file.name)
    with file.handle as handle:
        read = course.read(handle, suffix, from_many)
    of_many = from_many([each.get("entry", "") for each in read])
    if read[-1:] in (MORE, TOO_SLOW) and is_class([each["entry"] for each in read[:-1]], file.name):
        read[-1] = {"why": NO_CLASS}
    for each in read:
        inside = f"/{each['inside']}" if each.get("inside") else ""
        unit = f"{file.name}/{each.get('entry')}" if of_many else file.name
        cells = tuple(Cell(**cell) for cell in each.get("cells", ()))
        fields = [each.get(name, "") for name in ("why", "assignment", "version")]
        found.append(Submission(shown(file.name + inside), *fields, cells, unit))
    return list(numbered(found))


def numbered(submissions):
    """The submissions; repeated names get a number, because a zip may contain two files with the same name."""
    count = {}
    for each in submissions:
        count[each.file] = number = count.get(each.file, 0) + 1
        yield each if number == 1 else each._replace(file=f"{each.file} ({number})")


def names_below(folder, ignored=()):
    """The names of the files below a folder."""
    for file in files_below(folder, ignored, lambda relative, *_: File(relative, None, "", "")):
        yield file.name


def read_folder(folder, course, ignored=(), processes=None, is_known=lambda file: False):
    """Each file below a folder with its submissions; known files are not read."""
    is_alone = len(list(islice(names_below(folder, ignored), 2))) == 1
    of_many = may_hold_classes(folder, ignored)

    def read(file):
        if file.handle and is_known(file):
            file.handle.close()
            return file, ()
        return file, submissions_in(file, course, is_alone, Path(file.name).parent in of_many)

    files = files_below(folder, ignored)
    with ThreadPoolExecutor(processes or os.cpu_count()) as pool:
        while batch := list(islice(files, AT_ONCE)):
            yield from pool.map(read, batch)
