"""Exercises of chapter 4: wrong answers with what the check replies, and unusual right ones."""

WRONG = {
    "exercise-1": [
        (
            "check_ideal_edge(lambda s, h, A: (h * (1e7 * A) ** 0.25 / np.sqrt(s + 1),"
            " h * (1e7 * A) ** 0.25 * np.sqrt(s + 1)))",
            "the other way round",
        ),
        (
            "check_ideal_edge(lambda s, h, A: (h * np.sqrt(s + 1), h / np.sqrt(s + 1)))",
            "h = 1.0, s = .* expected",
        ),
        (
            "check_ideal_edge(lambda s, h, A: (h * (1e7 * A) ** 0.25 * np.sqrt(s),"
            " h * (1e7 * A) ** 0.25 / np.sqrt(s)))",
            "h = 1.0, s = 3: expected",
        ),
    ],
    "exercise-2": [
        (
            "@check_edge\n"
            "def edge(degrees):\n"
            "    row, column = np.mgrid[-20:21, -20:21]\n"
            "    return soft_step(np.sin(np.radians(degrees)) * row + np.cos(np.radians(degrees)) * column)",
            "across instead of along",
        ),
        (
            "@check_edge\n"
            "def edge(degrees):\n"
            "    row, column = np.mgrid[-20:21, -20:21]\n"
            "    return soft_step(np.cos(np.radians(degrees)) * row + np.sin(np.radians(degrees)) * column)",
            "rows grow downwards",
        ),
    ],
    "exercise-3": [
        ("check_noise({1 / 2: 26, 1 / 4: 26, 1 / 8: 26}, False)", "height 0.25: σ = 25 exceeds 5° already"),
        ("check_noise({1 / 2: 26, 1 / 4: 13, 1 / 8: 7}, True)", "what does it do to eigenvectors"),
    ],
}

RIGHT = {}
