"""Make the quizzes that Canvas imports: `make quizzes` writes a QTI file for each chapter into _build/quizzes.

The questions are in `teaching/quizzes.gift`, the format of Moodle. They become the plain text of text2qti
(https://github.com/gpoore/text2qti), which makes the files. A quiz in them is a practice quiz, as Canvas exports
one: it has no assignment, from which its importer would make a column of the gradebook.
"""

import re
import zipfile
from pathlib import Path
from typing import NamedTuple

from text2qti.config import Config
from text2qti.qti import QTI
from text2qti.quiz import Quiz

ROOT = Path(__file__).resolve().parents[2]
GIFT, OUT = ROOT / "teaching" / "quizzes.gift", ROOT / "_build" / "quizzes"
QUESTION = re.compile(r"^::(\d\.\d):: (.+) \{\n((?:  .+\n)+)\}$", re.MULTILINE)
GRADED, UNGRADED = "<quiz_type>assignment<", "<quiz_type>practice_quiz<"
RESERVED = "Private (Copyrighted) - http://en.wikipedia.org/wiki/Copyright"
LICENCE = "CC Attribution - http://creativecommons.org/licenses/by/4.0"
SOURCE = "From the course <https://github.com/OWNER/from-kernel-regression-to-attention>, CC BY 4.0."
ASSIGNMENT = re.compile(r" *<assignment identifier=.*</assignment_group_identifierref>\n", re.DOTALL)
ESCAPED = re.compile(r"\\([~=#{}:])")
MARKDOWN = re.compile(r"([\\`*_#<>\[\]])")


class Answer(NamedTuple):
    """One answer, and why it is wrong if it is."""

    text: str
    is_right: bool
    reason: str


def read_quizzes(text):
    """For each chapter its title, and its questions with their answers."""
    for part in re.split(r"^\$CATEGORY: .*/", text, flags=re.MULTILINE)[1:]:
        found = [(name, plain(text), list(answers(lines))) for name, text, lines in QUESTION.findall(part)]
        yield part.partition("\n")[0], found


def answers(lines):
    for line in lines.splitlines():
        text, _, reason = line[3:].partition(" #")
        yield Answer(plain(text), line[2] == "=", plain(reason))


def plain(text):
    return ESCAPED.sub(r"\1", text).strip()


def as_text(title, questions):
    """A quiz in the plain text of text2qti, which is Markdown."""
    marked = lambda text: MARKDOWN.sub(r"\\\1", text)
    lines = [f"Quiz title: {title}", f"Quiz description: {SOURCE}", "shuffle answers: true", ""]
    for number, (_, text, given) in enumerate(questions, 1):
        lines.append(f"{number}. {marked(text)}")
        for letter, answer in zip("abcdef", given, strict=False):
            lines.append(f"{'*' if answer.is_right else ''}{letter}) {marked(answer.text)}")
            lines += [f"... {marked(answer.reason)}"] if answer.reason else []
        lines.append("")
    return "\n".join(lines)


def write_quizzes(folder=OUT):
    """The files, one for each chapter."""
    folder.mkdir(parents=True, exist_ok=True)
    for title, questions in read_quizzes(GIFT.read_text("utf8")):
        quiz = Quiz(as_text(title, questions), config=Config())
        path = folder / f"quiz_{title[0]}.zip"
        QTI(quiz).save(path)
        replace_in_zip(path)
        yield path


def replace_in_zip(path):
    """Make the quiz ungraded, and state the course's licence in place of the converter's."""
    with zipfile.ZipFile(path) as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in texts.items():
            packed.writestr(name, ASSIGNMENT.sub("", text.replace(GRADED, UNGRADED).replace(RESERVED, LICENCE)))


if __name__ == "__main__":
    for path in write_quizzes():
        print(path.relative_to(ROOT))
