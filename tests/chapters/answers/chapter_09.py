"""Exercises of chapter 9: wrong answers with the check's reply, and unusual correct ones."""

RIGHT_HILLS = "lambda a: a"
TANH = "lambda q, a, s: a * np.tanh(a * q / s**2)"


def completed(squares, scale="2 * s**2", sign="-"):
    return f"check_complete(lambda q, seen, p, s: np.tensordot(softmax({sign}{squares} / ({scale})), p, axes=1))"


SEEN = "((q - p) ** 2 * seen).sum(axis=(1, 2))"
WEIGHTS = f"softmax(-{SEEN} / (2 * s**2))"

WRONG = {
    "exercise-1": [
        (f"check_two(lambda q, a, s: -a * np.tanh(a * q / s**2), {RIGHT_HILLS})", "the sign"),
        (f"check_two(lambda q, a, s: np.tanh(a * q / s**2), {RIGHT_HILLS})", "multiply by a"),
        (f"check_two(lambda q, a, s: a * np.tanh(2 * a * q / s**2), {RIGHT_HILLS})", "a factor of 2"),
        (f"check_two(lambda q, a, s: a * np.tanh(a * q / (2 * s**2)), {RIGHT_HILLS})", "a factor of 2"),
        (f"check_two(lambda q, a, s: a * np.tanh(a * q / s), {RIGHT_HILLS})", "expected"),
        (f"check_two(lambda q, a, s: a * np.tanh(q / s**2), {RIGHT_HILLS})", "a is missing there"),
        (f"check_two(lambda q, a, s: a * np.tanh(a * q / s**2) + 1e-9j, {RIGHT_HILLS})", "complex"),
        (f"check_two(lambda q, a, s: [q, a], {RIGHT_HILLS})", "expected one number"),
        (f"check_two({TANH}, lambda a: a**2)", "take the root"),
        (f"check_two({TANH}, lambda a: 2 * a)", "the distance between the two numbers"),
        (f"check_two({TANH}, lambda a: a / 2)", "changes at a different noise"),
    ],
    "exercise-2": [
        (completed("((q - p) ** 2).sum(axis=(1, 2))"), "the lost pixels are compared"),
        (completed(SEEN, "s**2"), "2σ², not σ²"),
        (completed(SEEN, "2 * s"), "σ² and not σ"),
        (completed(SEEN, sign="+"), "the sign"),
        (f"check_complete(lambda q, seen, p, s: p[np.argmin({SEEN})])", "the nearest image alone"),
        (
            f"check_complete(lambda q, seen, p, s: np.where(seen, q, np.tensordot({WEIGHTS}, p, axes=1)))",
            "seen pixels are noisy, too",
        ),
        (f"check_complete(lambda q, seen, p, s: {WEIGHTS})", "expected an image of shape"),
        ("check_complete(lambda q, seen, p, s: p.mean(axis=0))", "differs by"),
        ("check_complete(lambda q, seen, p, s: q @ p)", "it failed with|expected an image"),
    ],
    "exercise-3": [
        ("check_level(30)", "none of the levels"),
        ("check_level(LEVELS[-1])", "at a larger level too"),
        ("check_level(LEVELS[0])", "images to carry 90 %"),
        ("check_level(LEVELS[4])", "images to carry 90 %"),
        ("check_level('two')", "expected one number"),
        ("check_level([1.0, 2.0])", "expected one number"),
    ],
    "exercise-4": [
        ("check_own_image(camera(), 'whole')", "here it is"),
        ("check_own_image(camera()[:40], 'whole')", "at least 96 pixels"),
        ("check_own_image(cat(), 'whole')", "expected a grey image"),
        ("check_own_image(255 * camera(), 'whole')", r"expected values in \[0, 1\]"),
        ("check_own_image(camera(), 'network')", "one of the three names"),
        ("check_own_image(np.full((96, 96), 0.5), 'whole')", "nearly constant"),
        ("check_own_image('cat.png', 'whole')", "expected an array of numbers"),
    ],
}

RIGHT = {
    "exercise-1": [
        f"check_two(lambda q, a, s: a * (2 / (1 + np.exp(-2 * a * q / s**2)) - 1), {RIGHT_HILLS})",
        "check_two(lambda q, a, s: [a * np.tanh(a * q / s**2)], lambda a: np.sqrt(a**2))",
    ],
    "exercise-2": [
        "check_complete(lambda q, seen, p, s: np.tensordot("
        "softmax(-((q[seen] - p[:, seen]) ** 2).sum(axis=1) / (2 * s**2)), p, axes=1))",
        f"check_complete(lambda q, seen, p, s: sum(w * k for w, k in zip({WEIGHTS}, p, strict=True)))",
    ],
    "exercise-3": ["check_level([max(alone)])", "check_level(2.64)"],
    "exercise-4": [
        "check_own_image(cat().mean(axis=-1).tolist(), 'patches')",
        "check_own_image(cat()[..., 0], 'patches')",
    ],
}
