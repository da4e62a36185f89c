"""Exercises of chapter 4: wrong answers with the check's reply, and unusual correct ones."""

RIGHT_AXES = "lambda s, h, A, l: [h * (A / l) ** 0.25 * np.sqrt(s + 1), h * (A / l) ** 0.25 / np.sqrt(s + 1)]"
RIGHT_LAMBDA = "lambda s, h, A, across: A * (h / across) ** 4 / (s + 1) ** 2"


def half_axes(along, across):
    """Return a call of the check with these half-axes, where u is (A/λ″)^¼ and v is √(s + 1)."""
    formulas = f"({along}, {across})".replace("u", "((A / l) ** 0.25)").replace("v", "np.sqrt(s + 1)")
    return f"check_ideal_edge(lambda s, h, A, l: {formulas}, {RIGHT_LAMBDA})"


def lambda2(formula):
    return f"check_ideal_edge({RIGHT_AXES}, lambda s, h, A, across: {formula})"


def when_noise_begins(answer):
    return f"check_ideal_edge({RIGHT_AXES}, {RIGHT_LAMBDA}, {answer})"


def edge(distance, profile="soft_step({})"):
    """Return a call of the check with an edge whose profile is a function of this distance."""
    return (
        "@check_edge\n"
        "def edge(degrees):\n"
        "    row, column = np.mgrid[-20:21, -20:21]\n"
        "    t = np.radians(degrees)\n"
        f"    return {profile.format(distance)}"
    )


DISTANCE = "np.cos(t) * row - np.sin(t) * column"
CHESSBOARD = "0.5 + 0.2 * (-1.0) ** np.add(*np.mgrid[:41, :41])"
OWN_PICTURE = "a picture of the chapter: take one of your own"


def noise(picture="None", place="(20, 20)", sigmas="[None] * 3", changes="None"):
    """Return a call of the check with one part of the answer, or all; the other parts are unanswered."""
    return f"check_noise({sigmas}, {picture}, {place}, {changes})"


WRONG = {
    "exercise-1": [
        (half_axes("h * u / v", "h * u * v"), "the other way round"),
        (half_axes("h * u * np.sqrt(s)", "h * u / np.sqrt(s)"), "λ′ = 1 is added to both singular values"),
        (half_axes("h * v / l ** 0.25", "h / v / l ** 0.25"), "γ is divided by A"),
        (half_axes("h * (1e7 * A) ** 0.25 * v", "h * (1e7 * A) ** 0.25 / v"), "λ″ is an argument here"),
        (half_axes("h * u**2 * v", "h * u**2 / v"), "α = ½, and not 1"),
        (half_axes("h * u**2 * v**2", "h * u**2 / v**2"), "over the root of an eigenvalue"),
        (half_axes("2**0.5 * h * u * v", "2**0.5 * h * u / v"), "so there is no √2"),
        (half_axes("2 * h * u * v", "2 * h * u / v"), "these are diameters"),
        (half_axes("u * v", "u / v"), "s = 40, h = 2.4.*|the half-axes grow with h"),
        (half_axes("1 / (u * v) ** 2", "(v / u) ** 2"), "these are the eigenvalues of C"),
        (half_axes("h * (A / (l + 1e-9)) ** 0.25 * v", "h * (A / (l + 1e-9)) ** 0.25 / v"), "formula is exact"),
        (f"check_ideal_edge(lambda *_: {{}}, {RIGHT_LAMBDA})", r"expected 2 finite number\(s\)"),
        (when_noise_begins("{'along': 'longer', 'across': 'longer'}"), r"\(c\) along the edge: ϱ falls"),
        (when_noise_begins("{'along': 'shorter', 'across': 'longer'}"), r"\(c\) across the edge: ϱ falls"),
        (lambda2("1.0001 * A * (h / across) ** 4 / (s + 1) ** 2"), "with λ″ = .* the half-axis across is"),
        (lambda2("-A * (h / across) ** 4"), "λ″ is above zero"),
    ],
    "exercise-2": [
        (edge("np.sin(t) * row + np.cos(t) * column"), "across instead of along"),
        (edge("np.cos(t) * row + np.sin(t) * column"), "rows grow downwards"),
        (edge("np.cos(t := np.round(12 * t / np.pi) * np.pi / 12) * row - np.sin(t) * column"), "at (7|38|52.5)°"),
        (edge(DISTANCE, "0.5 + 0.25 * np.tanh(({}) / 3)"), "too soft"),  # seven pixels
        (edge(DISTANCE + " - 0.8"), "misses the middle pixel"),
        (edge(DISTANCE, "0.5 + 0.25 * np.sign({})"), "the edge has stairs"),
        (edge(DISTANCE, "0.25 + 0.5 * np.exp(-({}) ** 2)"), "both sides of the middle are alike"),
        (edge(DISTANCE, "soft_step({}) - 0.25"), "expected values from 0.25 to 0.75"),
        (edge(DISTANCE, "soft_step({})[1:-1]"), r"expected an array of shape \(41, 41\)"),
    ],
    "exercise-3": [
        (noise(sigmas="{1 / 2: 26, 1 / 4: 26, 1 / 8: 26}"), "height 0.25: σ = 25 exceeds 5° already"),
        (noise(sigmas="{1 / 2: 7, 1 / 4: 13, 1 / 8: 26}"), "height 0.5: at σ = 7 the error is still below 5°"),
        (noise(sigmas="{1 / 2: 26.5, 1 / 4: 13, 1 / 8: 7}"), "expected a whole number of 255ths"),
        (noise(sigmas="{}"), "expected one σ for each of the heights"),
        (noise("np.random.default_rng(0).random((41, 41))"), "this place is noise itself"),
        (noise("np.clip(photo + 0.01 * (-1.0) ** np.add(*np.mgrid[:128, :128]), 0, 1)", "(30, 40)"), OWN_PICTURE),
        (noise(changes="{'directions': True, 'sizes': True}"), "leaves eigenvectors as they are"),
        (noise(changes="{'directions': False, 'sizes': False}"), "moves both eigenvalues"),
        (noise(changes="{'direction': False, 'sizes': True}"), 'a dict of "directions" and "sizes"'),
        (noise(changes="{'directions': 0.0, 'sizes': 0.4}"), "True or False"),
        (noise(CHESSBOARD, "(20.5, 20)"), "expected whole numbers"),
        (noise("np.flipud(np.rot90(images.cat()))", "(91, 36)"), OWN_PICTURE),
        (noise(CHESSBOARD, "(3, 20)"), "less than 12 pixels from the border"),
        (noise(f"255 * ({CHESSBOARD})"), r"expected values in \[0, 1\]"),
        (noise("np.full((41, 41), 0.5)"), "the error is only .* σ"),
    ],
}

SHORTER = "{'along': 'shorter', 'across': 'shorter'}"
CHANGES = "{'directions': False, 'sizes': True}"
RIGHT = {
    "exercise-1": [
        when_noise_begins("{'along': 'shorter', 'across': ' Shorter'}"),
        f"check_ideal_edge(lambda s, h, A, l: {{'along': h * (A / l) ** 0.25 * (s + 1) ** 0.5,"
        f" 'across': h * (A / l) ** 0.25 * (s + 1) ** -0.5}}, {RIGHT_LAMBDA}, {SHORTER})",
    ],
    "exercise-2": [
        edge(DISTANCE + " - 0.2"),  # through the centre pixel, but not its centre
        edge(DISTANCE, "soft_step({}).tolist()"),
        edge(DISTANCE, "1 - soft_step({})"),  # the bright side above
        edge(DISTANCE, "np.clip(0.5 + 0.5 * ({}), 0.25, 0.75)"),  # a border of one pixel
    ],
    "exercise-3": [
        noise(
            f"np.rint(255 * ({CHESSBOARD})).astype(np.uint8)", "(20, 20)", "np.array([26, 13, 7]) / 255", CHANGES
        ),
        noise(
            "np.repeat(0.5 + 0.2 * (-1.0) ** np.mgrid[:41, :50][1][..., None], 3, axis=2)",
            "np.array([20, 25])",
            "{0.5: np.int64(26), 0.25: 13.0, 0.125: 7}",
            CHANGES,
        ),
    ],
}
