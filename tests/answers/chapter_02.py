"""Exercises of chapter 2: wrong answers with what the check replies, and unusual right ones."""

WRONG = {
    "exercise-1": [
        ("check_share(lambda h, s: 1 / (1 + h**2 / s**2))", "mind the 2"),
        ("check_share(lambda h, s: h**2 / (h**2 + 2 * s**2))", "h_y = 1.0, σ = 1.0: expected"),
    ],
    "exercise-2": [
        (
            "check_cross_bilateral(lambda image, guide, *h: bilateral(image, *h))",
            "a constant guide sees no edges",
        ),
        (
            "check_cross_bilateral(lambda image, guide, *h: bilateral(guide, *h))",
            "a constant guide sees no edges",
        ),
        ("check_cross_bilateral(lambda image, guide, *h: image[2:-2, 2:-2])", "expected the shape"),
    ],
    "exercise-3": [
        ("check_threshold(4 / 32, 0.17)", "solve r = 1/2 for h_y"),
        ("check_threshold(math.sqrt(2) * 4 / 32, 0.18)", "at h_y = 0.18 one pass does not steepen"),
        ("check_threshold(math.sqrt(2) * 4 / 32, 0.10)", "at h_y = 0.11 one pass steepens"),
    ],
}

RIGHT = {}
