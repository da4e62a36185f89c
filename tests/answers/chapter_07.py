"""Exercises of chapter 7: wrong answers with what the check replies, and unusual right ones."""

WRONG = {
    "exercise-1": [
        (
            "check_errors(lambda q, k, m: [m * e for e in mean_squared_errors_solution(q, k, m)])",
            "trigonometric: the variance of one term",
        ),
        (
            "check_errors(lambda q, k, m: np.sqrt(mean_squared_errors_solution(q, k, m)))",
            "the squared error, without the root",
        ),
        (
            "check_errors(lambda q, k, m: mean_squared_errors_solution(q, k, m)[::-1])",
            "trigonometric: expected",
        ),
    ],
    "exercise-2": [
        (
            "@check_blocks\n"
            "def quadratic(a, b, v, size):\n"
            "    weights = np.tril(a @ b.T)\n"
            "    return weights @ v / weights.sum(axis=1, keepdims=True)",
            "memory quadruples",
        ),
        (
            "@check_blocks\n"
            "def only_the_block(a, b, v, size):\n"
            "    starts = range(0, len(v), size)\n"
            "    return np.concatenate([causal_loop(*(x[i : i + size] for x in (a, b, v))) for i in starts])",
            "size 1: the first wrong token is 1",
        ),
    ],
    "exercise-3": [
        ("check_needed({1: 100, 4: 400, 9: 900}, 5.55)", "100 frequencies have 1[0-9]"),
        ("check_needed({1: 172, 4: 400, 9: 900}, 5.55)", "400 frequencies have"),
    ],
}

RIGHT = {}
