"""The folder of results: its tables, and the signed rows that later runs reuse."""

import fcntl
import hashlib
import hmac
import json
import os
import secrets
import stat
from pathlib import Path

from tools.grading.tables import Row

KEY = Path(".config", "kernel-regression-course", "grading.key")  # in the teacher's home
NAME = "grades.jsonl"


def own_key():
    """The key that signs rows, so that rows written by anyone else are rejected."""
    path = Path.home() / KEY
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600), "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            key = file.read()
            if not key:
                file.write(key := secrets.token_bytes(32))
        return key
    except OSError:  # the home is not writable, so later runs cannot reuse these rows
        return secrets.token_bytes(32)


class Results:
    """A folder of results that only its owner can write to."""

    def __init__(self, folder, submissions):
        self.folder, self.key = Path(os.path.abspath(folder)), own_key()
        real, given = self.folder.resolve(), Path(submissions).resolve()
        if self.folder.is_symlink() or any(path.is_symlink() for path in self.own_files()):
            raise ValueError(f"OUT: expected a folder of its own, got a link in {self.folder}")
        if real.is_relative_to(given) or given.is_relative_to(real):
            raise ValueError(f"OUT: expected a folder apart from the submissions, got {self.folder}")
        self.folder.mkdir(mode=0o700, exist_ok=True)
        found = self.folder.stat()
        if found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o022:
            raise ValueError(f"OUT: expected a folder that only you can write, got {self.folder}")

    def own_files(self):
        return self.folder.glob("*") if self.folder.is_dir() else ()

    def mark(self, text):
        return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()

    def remember(self, row, content):
        """Write a row, with a digest of the notebook's content, for a later run.

        Not if something other than the file prevented grading.
        """
        if row.digest:
            self.write({"row": row._asdict(), "content": content})

    def remember_tables(self, rows):
        """Store which rows the tables now show."""
        self.write({"tables": [[row.file, row.digest] for row in rows if row.digest]})

    def remember_file(self, hash, rows):
        """Store which rows a file gave, so that later runs skip it, unless a row has to be graded again."""
        if all(row.digest for row in rows):
            self.write({"hash": hash, "rows": [[row.file, row.digest] for row in rows]})

    def write(self, entry):
        text = json.dumps(entry)
        handle = os.open(self.folder / NAME, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        with open(handle, "w", encoding="utf8") as file:
            print(self.mark(text), text, file=file)

    def entries(self):
        """The rows of earlier runs. Rows with an invalid signature are left out."""
        path = self.folder / NAME
        for line in path.read_text("utf8", "replace").splitlines() if path.exists() else ():
            mark, _, text = line.partition(" ")
            if hmac.compare_digest(mark.encode(), self.mark(text).encode()):
                yield json.loads(text)

    def before(self):
        """The rows that an earlier run wrote, by file and digest, and the rows of each file, by its hash."""
        rows, files = {}, {}
        for entry in self.entries():
            if "row" in entry:
                row = row_of(entry)
                rows[row.file, row.digest] = row
            elif "hash" in entry:
                files[entry["hash"]] = [tuple(each) for each in entry["rows"]]
        return rows, {hash: [rows[each] for each in own] for hash, own in files.items() if rows.keys() >= set(own)}

    def changes(self, rows):
        """Pairs of the row that the tables show and the new one, where the same notebook has different points."""
        known, shown = {}, []
        for entry in self.entries():
            if "row" in entry:
                row = row_of(entry)
                known[row.file, row.digest] = entry.get("content"), row
            shown = entry.get("tables", shown)
        before = {(file, known[file, digest][0]): known[file, digest][1] for file, digest in shown}
        for row in rows:
            content, _ = known.get((row.file, row.digest), (None, None))
            old = before.get((row.file, content), row) if content else row
            if (old.points, old.questions) != (row.points, row.questions):
                yield old, row


def row_of(entry):
    row = Row(**entry["row"])
    return row._replace(remarks=tuple(row.remarks), feedback=tuple(row.feedback))
