"""review.html: a page beside the tables that shows a class, and each answer beside the expected one.

It is one file, which needs no server. It contains what students wrote, so nothing in it can be code: their text
lies in a block of data, the page writes it as text, and the browser runs only the one script with a known hash.
"""

import base64
import hashlib
import json
import os
from pathlib import Path

HERE = Path(__file__).parent
MOST_ANSWER = 5000  # characters
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Review of a class</title>
<style>{style}</style>
<main>
<h1>Review of a class</h1>
<form>
<label>Search <input name="text" type="search"></label>
<label>Assignment <select name="assignment"><option value="">all</option></select></label>
<label>Show <select name="kind">
<option value="all">all files</option>
<option value="lost">files that lost points</option>
<option value="remarks">files with remarks</option>
<option value="undecided">files to decide</option>
</select></label>
</form>
<p id="count" role="status"></p>
<div class="table" tabindex="0" role="region" aria-label="Files">
<table>
<caption>Choose a student to see the answers.</caption>
<thead><tr><th scope="col">Student</th><th scope="col">File</th><th scope="col">Assignment</th>
<th scope="col">Points</th><th scope="col">Counts</th><th scope="col">Remarks</th></tr></thead>
<tbody></tbody>
</table>
</div>
<div id="detail"></div>
</main>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</html>
"""


def printable(text):
    """A text in lines, without characters that could hide or reorder others."""
    lines = text[:MOST_ANSWER].expandtabs(4).splitlines()
    lines = ["".join(each for each in line if each.isprintable()) for line in lines]
    return "\n".join(lines + ["…"] * (len(text) > MOST_ANSWER))


def answers_in(cells, assignment):
    """What a student's cells give for each question of an assignment."""
    code = [cell for cell in cells if cell.cell_type == "code"]
    return {
        question.name: printable("\n\n".join(cell.source for cell in code if question.owns(cell)))
        for question in assignment.questions
    }


def entry(row):
    """A row as the page needs it."""
    names = ("file", "student", "assignment", "points", "out_of", "counts", "questions", "full", "answers")
    found = {name: getattr(row, name) for name in names}
    found |= {"student": row.owner or row.student, "solution": f"{row.assignment} {row.version}"}
    return found | {"remarks": row.remarks, "feedback": (*row.feedback, *row.comments)}


def inert(value):
    """A value as JSON that contains no markup."""
    text = json.dumps(value, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def page(rows, assignments):
    """The page of some rows, with the solutions of the assignments in all their versions."""
    expected = {
        f"{each.name} {each.version}": answers_in(each.solution.cells, each)
        for versions in assignments.values()
        for each in versions
    }
    script, style = ((HERE / f"review.{kind}").read_text("utf8") for kind in ("js", "css"))
    hash = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hash}'; form-action 'none'"
    data = inert({"rows": [entry(row) for row in rows], "expected": expected})
    return PAGE.format(policy=policy, style=style, script=script, data=data)


def write_review(folder, rows, assignments):
    """Write review.html, which only its owner can read."""
    part = folder / ".review.html"
    with open(
        os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "w", encoding="utf8"
    ) as file:
        file.write(page(rows, assignments))
    os.replace(part, folder / "review.html")
