"""Exercises of chapter 3: wrong answers with the check's reply, and unusual correct ones."""


def spread(formula):
    return f"check_spread(lambda sigma, G: {formula})"


BLIND = """
def answer(image, pixel, h, patch_radius=2, search_radius=5):
    r, s = patch_radius, search_radius
    around = np.pad(image, r + s)[pixel[0] : pixel[0] + 2 * (r + s) + 1, pixel[1] : pixel[1] + 2 * (r + s) + 1]
    keys = sliding_window_view(around, (2 * r + 1, 2 * r + 1))
    squares, steps = (keys - keys[s, s]) ** 2, np.arange(2 * s + 1) - s
    left_out = np.zeros(squares.shape, bool)
    left_out[:, :, r, r] = True
    near = [(i, j) for i in steps for j in steps if max(abs(i), abs(j)) <= r]
    for i, j in near:
        left_out[s + i, s + j, r - i, r - j] = True
    values, far = keys[:, :, r, r], steps[:, None] ** 2 + steps**2
    is_key = far > 0
    return {}


check_blind(answer, {})
"""
MEAN = "np.ma.masked_array(squares, {}).mean(axis=(2, 3)).data"
AVERAGE = "average(softmax(-{}[is_key] / h**2), values[is_key])"


def blind(left_out="left_out", choice=None, average=AVERAGE):
    """Return an answer to exercise 3.2 that leaves some of the squared differences out."""
    return BLIND.format(average.format(MEAN.format(left_out)), choice)


CENTRE = "np.broadcast_to(np.arange((2 * r + 1) ** 2).reshape(2 * r + 1, -1) == 2 * r * (r + 1), squares.shape)"

PICTURE = """
row, column = np.mgrid[:64, :64]
mine = 0.3 + 0.4 * (row // 4 % 2)
mine[30:34, 40:44] = [[1, 0, 1, 0], [0, 0, 1, 1], [1, 0, 0, 0], [1, 1, 0, 1]]
radii = {{5: 1, 10: 2, 25: 3}}
check_patch_radius({})
"""

WRONG = {
    "exercise-1": [
        (spread("8 * sigma**4 * np.sum(G**2)"), "this is the variance"),
        (spread("sigma**2 * np.sqrt(2 * np.sum(G**2))"), "the noise of both patches"),
        (spread("2 * sigma**2 * np.sqrt(2 / G.size)"), "holds for a uniform G only"),
        (spread("0.2 * sigma * np.sqrt(2 * np.sum(G**2))"), "when σ doubles"),
        (spread("2 * sigma**2"), "this is the mean"),
        (spread("np.sqrt(2 * np.sum(G**2))"), "relative to 2σ²"),
        (spread("2 * sigma**2 * np.sqrt(np.sum(G**2))"), "variance 2v²"),
        (spread("2 * sigma**2 * np.sqrt(2 * np.sum(G))"), "weights are missing"),
        (spread("3 * sigma**2 * np.sum(G**2)"), "your formula gives"),
        (spread("2.008 * sigma**2 * np.sqrt(2 * np.sum(G**2))"), "a formula gives it exactly"),
    ],
    "exercise-2": [
        (
            blind(
                "False",
                average=AVERAGE.replace("[is_key]", "")
                .replace("softmax(", "softmax((")
                .replace("h**2)", "h**2).ravel())")
                .replace("values", "values.ravel()"),
            ),
            "nothing is hidden",
        ),
        (blind("False"), "the patches still compare it"),
        (blind(CENTRE), "leave out one more difference in each"),
        (blind(average="average(softmax((-{} / h**2).ravel()), values.ravel())"), "but still averaged"),
        (blind(average="values[is_key].mean()"), "these are equal weights"),
        (blind(average=AVERAGE.replace("h**2", "h")), "divide d² by h², not by h"),
        (blind(average=AVERAGE.replace("h**2", "(2 * h**2)")), "without a 2"),
        (blind(average=AVERAGE.replace("/ h**2", "* ((2 * r + 1) ** 2 - 1) / h**2")), "not their sum"),
        (blind(average="values"), "expected one number"),
        (blind(average="np.nan * values.mean()"), "not a finite number"),
        (blind(average=AVERAGE.replace("h**2)", "h**2 - far[is_key] / 9)")), "wrong for pixel"),
        (blind(choice=0.6), "another bandwidth brings the estimates nearer"),
        (blind(choice=0.85), "expected one of"),
    ],
    "exercise-3": [
        (PICTURE.format("{5: 3, 10: 2, 25: 1}, mine, (20, 12), (32, 41)"), "= 5: another radius is better than 3"),
        (PICTURE.format("{5: 1.5, 10: 2, 25: 3}, mine, (20, 12), (32, 41)"), "a whole number from 0 to 4"),
        (PICTURE.format("radii, 255 * mine, (20, 12), (32, 41)"), "divide by 255"),
        (PICTURE.format("radii, np.dstack([mine] * 3), (20, 12), (32, 41)"), "average the colours"),
        (PICTURE.format("radii, mine[:20], (10, 12), (12, 41)"), "at least 32 × 32"),
        (PICTURE.format("radii, mine, (32, 41), (20, 12)"), "the two pixels are exchanged"),
        (PICTURE.format("radii, mine, (20, 12), (10, 12)"), "alone: gives itself .* expected more than 50 %"),
        (PICTURE.format("radii, mine, (32, 41), (32, 41)"), "among_many: gives itself .* expected less than 5 %"),
        (PICTURE.format("radii, mine, (20, 12), (70, 12)"), r"inside \(64, 64\)"),
        (PICTURE.format("radii, mine, 20, (32, 41)"), r"among_many: expected two numbers \(row, column\)"),
        (PICTURE.format("{5: 1, 10: 2, 25: 3, 'mine': 3}, mine, (20, 12), (32, 41)"), "the keys 5, 10 and 25"),
        (PICTURE.format("radii, [[0.1, 0.2], [0.3]], (20, 12), (32, 41)"), "an array of numbers"),
        (PICTURE.format("radii, np.rot90(photo), (27, 20), (49, 104)"), "not one of the course's"),
    ],
}

RIGHT = {
    "exercise-1": [
        spread("[float(np.sqrt(sum(8 * sigma**4 * g**2 for g in G.ravel())))]"),
        spread("2 * sigma**2 * np.sqrt(2 * np.multiply(G, G, out=G).sum())"),  # modifies its argument
    ],
    "exercise-2": [
        blind(choice=0.8),
        blind(choice="np.float64(0.9)", average=f"[{AVERAGE}]"),
    ],
    "exercise-3": [
        PICTURE.format("radii, mine.tolist(), [20, 12], np.array([32, 41])"),
        PICTURE.format("dict(zip(np.array([25, 10, 5]), np.array([3, 2, 1]))), mine.T, (12, 20), (41, 32)"),
    ],
}
