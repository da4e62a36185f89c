"""Typical mistakes of students, and how many of them the feedback names."""

import re
from functools import cache

import numpy as np
import pytest

from tests.teaching.submissions import ASSIGNMENTS, Ran, edited, submission
from tools.grading import questions

# By assignment and question: passages of the solution and what replaces them, or another answer; and words of the
# sentence that names the mistake.
TWO_SQUARES = "-(((positions - pixel) / 3) ** 2) - ((row - row[pixel]) / 0.2) ** 2"
SCORES = "queries @ keys.T / np.sqrt(queries.shape[1])"
SHIFTED = "    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))\n"
DIVIDED = "kernel / kernel.sum(axis=1, keepdims=True)"
MASK = "np.tri(len(queries), dtype=bool)"
SQUARES_09 = "((noisy - pictures) ** 2).sum(axis=(1, 2))"
EXPONENT = "np.exp(-(squares - squares.min()) / (2 * 5**2))"
ADDED = "np.exp(-(((positions - pixel) / 3) ** 2)) + np.exp(-(((row - row[pixel]) / 0.2) ** 2))"
AS_IN_QUESTION_1 = """
def bilateral_row(row, h_x, h_y):
    return np.array([bilateral_weights(row, i) @ row for i in range(len(row))])
"""
OWN_NOISE = """
h_y = np.sqrt(8) * sigma
def h_y_for_a_fifth(sigma):
    return h_y
"""
MASKED_AFTER = """
def causal_attention(queries, keys, values):
    return np.tril(scaled_weights(queries, keys)) @ values
"""
DISTANCES = "-((queries[:, None] - keys) ** 2).sum(axis=2) / (2 * np.sqrt(queries.shape[1]))"
GUESS = "np.tensordot(posterior_weights(pictures, noisy), pictures, axes=1)"
PLAIN = "    kernel = np.exp(scores)\n"
IN_PLACE = """
def bilateral_row(row, h_x, h_y):
    positions = np.arange(len(row))
    for i in positions:
        weights = np.exp(-(((positions - i) / h_x) ** 2) - ((row - row[i]) / h_y) ** 2)
        row[i] = weights @ row / weights.sum()
    return row
"""
WALK = "noisy = guess + next_level / level * (noisy - guess)"
LAST = "        noisy = guess + next_level / level * (noisy - guess)\n    return guess"
RADII = "(None, 1, 6)"
MISTAKES = {
    "02_bilateral": {
        1: [
            ([(TWO_SQUARES, f"({TWO_SQUARES}) / 2")], "σ for h"),
            ([("/ 3) ** 2)", "/ 3) ** 2) / 2")], "exponent of the positions has a 2"),
            ([("/ 0.2) ** 2", "/ 0.2) ** 2 / 2")], "exponent of the values has a 2"),
            ([(TWO_SQUARES, "-np.abs(positions - pixel) / 3 - np.abs(row - row[pixel]) / 0.2")], "not squared"),
            ([(TWO_SQUARES, "-(positions - pixel) ** 2 / 3 - (row - row[pixel]) ** 2 / 0.2")], "h is not squared"),
            ([("kernel / kernel.sum()", "kernel")], "divide them by their sum"),
            ([("kernel / kernel.sum()", "kernel / kernel.max()")], "divide them by their sum"),
            ([(f"np.exp({TWO_SQUARES})", ADDED)], "kernels are added"),
            ([(TWO_SQUARES, "-(((positions - pixel) / 3) ** 2)")], "by position alone"),
            ([(TWO_SQUARES, "-(((row - row[pixel]) / 0.2) ** 2)")], "by value alone"),
            ([(TWO_SQUARES, f"-({TWO_SQUARES})")], "sign"),
            ([(TWO_SQUARES, "-(((positions - pixel) / 0.2) ** 2) - ((row - row[pixel]) / 3) ** 2")], "exchanged"),
        ],
        2: [
            (IN_PLACE, "overwritten"),
            ([("alike)\n", "alike) * (near <= (np.ceil(2.2 * h_x) / h_x) ** 2)\n")], "window"),
            ([("kernel @ row / kernel.sum(axis=1)", "kernel / kernel.sum(axis=0) @ row")], "keepdims"),
            (AS_IN_QUESTION_1, "h_x and h_y are not used"),
        ],
        3: [
            ([("np.sqrt(8) * sigma", "2 * sigma")], "2 of 2σ²"),
            (OWN_NOISE, "right for your own noise alone"),
        ],
    },
    "06_attention": {
        1: [
            ([(" / np.sqrt(queries.shape[1])", "")], "not divided by √d"),
            ([("np.sqrt(queries.shape[1])", "queries.shape[1]")], "divided by d"),
            ([("np.sqrt(queries.shape[1])", "np.sqrt(len(keys))")], "number of keys"),
            ([("np.sqrt(queries.shape[1])", "queries.shape[1] ** 0.25")], "fourth root"),
            ([(SHIFTED, PLAIN), (DIVIDED, "kernel / kernel.sum(axis=0)")], "over the keys"),
            ([(SHIFTED, PLAIN), (DIVIDED, "kernel / kernel.sum()")], "all pairs"),
            ([(SHIFTED, PLAIN), (DIVIDED, "kernel / kernel.sum(axis=1)")], "keepdims"),
            ([(SHIFTED, PLAIN), (DIVIDED, "kernel")], "divide each row"),
            ([("queries @ keys.T", "keys @ queries.T")], "exchanged"),
            ([(SCORES, DISTANCES)], "distance"),
        ],
        2: [
            (MASKED_AFTER, "after softmax"),
            ([(MASK, "np.tri(len(queries), k=-1, dtype=bool)")], "own position"),
            ([(MASK, "np.tri(len(queries), k=1, dtype=bool)")], "next key"),
            ([(MASK, "np.tri(len(queries), dtype=bool).T")], "turned around"),
            ([(MASK, "True")], "no mask"),
            ([("-np.inf", "0")], "masked score is 0"),
            ([(" / np.sqrt(queries.shape[1])", "")], "not divided by √d"),
            ([("np.sqrt(queries.shape[1])", "np.sqrt(values.shape[1])")], "length of a value"),
        ],
        3: [
            ([("float(np.sqrt(2 * np.sqrt(d)))", "2 * np.sqrt(d)")], "take the root"),
            ([("float(np.sqrt(2 * np.sqrt(d)))", "d**0.25")], "2 is forgotten"),
            ([("float(np.sqrt(2 * np.sqrt(d)))", "np.sqrt(d)")], "temperature"),
            ([("float(np.sqrt(2 * np.sqrt(d)))", "np.sqrt(np.sqrt(d) / 2)")], "wrong side"),
        ],
    },
    "09_diffusion": {
        1: [
            ([("(2 * 5**2)", "5**2")], "it is 2σ²"),
            ([("(2 * 5**2)", "(2 * 5)")], "variance"),
            ([("(2 * 5**2)", "(2 * 5) ** 2")], "2 is squared"),
            ([(".sum(axis=(1, 2))", ".mean(axis=(1, 2))")], "averaged over the pixels"),
            ([(SQUARES_09, f"np.sqrt({SQUARES_09})")], "not squared"),
            ([(SQUARES_09, "(noisy - pictures).sum(axis=(1, 2)) ** 2")], "square of the sum"),
            ([(EXPONENT, "(squares == squares.min())")], "nearest image alone"),
            ([("-(squares - squares.min())", "(squares - squares.max())")], "sign"),
        ],
        2: [
            ([(" / 5**2", "")], "divide it by σ²"),
            ([("/ 5**2", "/ 5")], "divided by σ here"),
            ([("(guess - noisy)", "(noisy - guess)")], "downhill"),
            ([("/ 5**2", "/ (2 * 5**2)")], "2 of 2σ² is gone"),
            ([("(guess - noisy) / 5**2", "guess")], "best guess"),
            ([(GUESS, "pictures.mean(axis=0)")], "plain mean"),
        ],
        3: [
            ([("next_level / level", "(next_level / level) ** 2")], "σ′²"),
            ([("next_level / level", "(1 - next_level / level)")], "exchanged"),
            ([(WALK, "noisy = guess")], "all the way"),
            ([(WALK, "noisy = noisy + (level - next_level) * (guess - noisy)")], "divided by"),
            ([(LAST, f"        if next_level: {WALK}\n    return noisy")], "noisy image at the last level"),
            ([("(2 * level**2)", "level**2")], "it is 2σ²"),
            ([("(2 * level**2)", "(2 * levels[0] ** 2)")], "first level"),
        ],
        4: [
            ([("np.sqrt(np.mean((guess - unseen) ** 2))", "np.mean((guess - unseen) ** 2)")], "take their roots"),
            ([(RADII, "(None, 3, 13)")], "taken for radii"),
            ([("pictures, 0.5, radius", "pictures, 0.25, radius")], "variance"),
            ([("(guess - unseen) ** 2", "(guess - unseen - 0.5 * noise) ** 2")], "noisy image"),
            ([("np.sqrt(np.mean((guess - unseen) ** 2))", "np.mean(np.abs(guess - unseen))")], "absolute"),
        ],
    },
}  # fmt: skip
COUNTS = {"02_bilateral": 18, "06_attention": 22, "09_diffusion": 26}


@cache
def solved(name):
    return Ran(submission(ASSIGNMENTS[name].solution))


@pytest.mark.parametrize("name", MISTAKES)
def test_feedback_names_typical_mistakes(name):
    cells = {cell.id: cell.source for cell in ASSIGNMENTS[name].solution.cells}
    for number, mistakes in MISTAKES[name].items():
        question = ASSIGNMENTS[name].questions[number - 1]
        for answer, words in mistakes:
            mistaken = solved(name).with_answer(edited(cells[question.cell], answer))
            found = questions.score(question, mistaken, "ada", np.random.default_rng(1))
            assert found.points < question.points, (number, answer, "no mistake")
            assert re.search(re.escape(words), found.sentences[0]), (number, answer, found)
    assert sum(map(len, MISTAKES[name].values())) == COUNTS[name]


def test_feedback_names_answers_that_are_not_finite():
    """A mistake that no question knows, in an answer with 0/0."""
    name, question = "06_attention", ASSIGNMENTS["06_attention"].questions[0]
    divided = solved(name).with_answer("scaled_weights = lambda queries, keys: 0 * queries @ keys.T / 0")
    found = questions.score(question, divided, "ada", np.random.default_rng(1))
    assert found.points == 0 and "NaN or infinite" in found.sentences[0]
    right = questions.score(question, solved(name), "ada", np.random.default_rng(1))
    assert right.points == question.points and not right.sentences
