"""Exercises of chapter @N@: wrong answers with what the check replies, and unusual right ones."""

WRONG = {
    "exercise-1": [
        ("check_ratio(lambda d, h: np.exp(-d / h))", "the other way round"),
        ("check_ratio(lambda d, h: np.exp(d**2 / h**2))", "expected 4.055"),
        ("check_ratio(lambda d, h: np.exp(d / (2 * h)))", "expected 4.055"),
        ("check_ratio(lambda d, h: np.exp(d * h))", "expected 4.055"),
        ("check_ratio(lambda d, h: d / h)", "expected 4.055"),
        ("check_ratio(lambda d, h: 1.0)", "expected 4.055"),
    ],
    "exercise-2": [
        ("check_estimate(lambda q, k, v, h: np.exp(-np.abs(q - k) / h) @ v)", "at q = 0.0: expected"),
        ("check_estimate(lambda q, k, v, h: softmax(-(((q - k) / h) ** 2)) @ v)", "at q = 0.0: expected"),
        ("check_estimate(lambda q, k, v, h: softmax(-np.abs(q - k)) @ v)", "at q = 0.0: expected"),
        ("check_estimate(lambda q, k, v, h: softmax(np.abs(q - k) / h) @ v)", "at q = 0.0: expected"),
        ("check_estimate(lambda q, k, v, h: v.mean())", "at q = 0.0: expected"),
        ("check_estimate(lambda q, k, v, h: v[np.argmin(np.abs(q - k))])", "at q = 0.0: expected"),
    ],
    "exercise-3": [
        ("check_n_keys(40)", "the heaviest 40 carry 100.0%"),
        ("check_n_keys(1)", "the heaviest 1 carry"),
        ("check_n_keys(2)", "the heaviest 2 carry"),
        ("check_n_keys(3)", "the heaviest 3 carry"),
        ("check_n_keys(38)", "the heaviest 38 carry"),
        ("check_n_keys(39)", "the heaviest 39 carry"),
    ],
}

RIGHT = {
    "exercise-1": [
        "check_ratio(lambda d, h: np.exp(d / h))",
        "check_ratio(lambda d, h: 1 / np.exp(-d / h))",
    ],
    "exercise-2": [
        "check_estimate(lambda q, k, v, h: np.average(v, weights=np.exp(-np.abs(q - k) / h)))",
        "check_estimate(lambda q, k, v, h: float(softmax(-np.abs(q - k) / h) @ v))",
    ],
    "exercise-3": ["check_n_keys(np.sum(heaviest < 0.9) + 1)", "check_n_keys(float(np.sum(heaviest < 0.9) + 1))"],
}
