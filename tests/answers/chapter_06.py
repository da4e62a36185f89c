"""Exercises of chapter 6: wrong answers with what the check replies, and unusual right ones."""

WRONG = {
    "exercise-1": [
        ("check_bias(lambda h, squares: (h**2, -squares / h**2))", "has a factor 2"),
        ("check_bias(lambda h, squares: (h**2 / 2, squares / h**2))", "mind its sign"),
        ("check_bias(lambda h, squares: (h**2 / 2, -squares.sum() / h**2))", "expected one number a key"),
    ],
    "exercise-2": [
        ("check_causal(attention)", "the first query sees one key"),
        (
            "check_causal(lambda q, k, v: np.vstack([v[:1], attention(q, k, v)[1:]]))",
            "off by up to|looks ahead",
        ),
        (
            "@check_causal\n"
            "def causal(queries, keys, values):\n"
            "    with np.errstate(all='ignore'):\n"
            "        weights = np.tril(np.exp(queries @ keys.T / np.sqrt(queries.shape[1])))\n"
            "        return weights @ values / weights.sum(axis=1, keepdims=True)",
            "subtract the maximum so far",
        ),
    ],
    "exercise-3": [
        ("check_base(100)", r"attention .*, best bandwidth"),
        ("check_base(10 / (2 * np.pi))", "which frequency is needed|best bandwidth"),
    ],
}

RIGHT = {}
