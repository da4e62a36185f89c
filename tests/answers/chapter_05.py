"""Exercises of chapter 5: wrong answers with what the check replies, and unusual right ones."""

WRONG = {
    "exercise-1": [
        ("check_negative(lambda: [[2, 1], [1, 2]])", "the smaller eigenvalue of W is 0.33: not below 0"),
        ("check_negative(lambda: [[1, 2], [3, 1]])", "must be symmetric"),
        ("check_negative(lambda: [[1, -2], [-2, 1]])", "entries here are positive"),
    ],
    "exercise-2": [
        (
            "check_balance(lambda kernel: kernel / kernel.sum(axis=1, keepdims=True))",
            "columns do not sum to 1",
        ),
        ("check_balance(lambda kernel: np.full(kernel.shape, 1 / len(kernel)))", "one factor of its row"),
        (
            "@check_balance\n"
            "def balance(kernel):\n"
            "    for _ in range(2000):\n"
            "        kernel /= kernel.sum(axis=1, keepdims=True)\n"
            "        kernel /= kernel.sum(axis=0)\n"
            "    return kernel",
            "do not change the argument|one factor of its row",
        ),
    ],
    "exercise-3": [
        ("check_collapse(138)", "after 137 it was there already"),
        ("check_collapse(50)", "after 50 the spread is still"),
    ],
}

RIGHT = {}
