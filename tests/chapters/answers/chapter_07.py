"""Exercises of chapter 7: wrong answers with what the check replies, and unusual right ones."""

VECTORS = "np.random.default_rng(4).normal(size=(30, 5)) + 0.7"
OWN = f"mine = {VECTORS}\n"
NEEDED = "{1: 172, 4: 5360, 9: 810208}"
BLOCKS = (
    "@check_blocks\n"
    "def answer(a, b, v, size):\n"
    "    state, total, parts = np.zeros((b.shape[1], v.shape[1])), np.zeros(b.shape[1]), []\n"
    "    for start in range(0, len(v), size):\n"
    "        q, k, w = (x[start : start + size] for x in (a, b, v))\n"
    "        weights = {weights}\n"
    "        above, below = {above}, {below}\n"
    "        parts.append(above / below[:, None])\n"
    "        {after}\n"
    "    return np.concatenate(parts)"
)
RIGHT_BLOCKS = {
    "weights": "np.tril(q @ k.T)",
    "above": "q @ state + weights @ w",
    "below": "q @ total + weights.sum(axis=1)",
    "after": "state, total = state + k.T @ w, total + k.sum(axis=0)",
}
BATCHED = (
    "def batched(a, b, v, size, product=np.matmul):\n"
    "    n, missing = len(v), -len(v) % size\n"
    "    a, b = (np.concatenate([x, np.ones((missing, x.shape[1]))]) for x in (a, b))\n"
    "    v = np.concatenate([np.column_stack([v, np.ones(n)]), np.zeros((missing, v.shape[1] + 1))])\n"
    "    a, b, v = (x.reshape(-1, size, x.shape[1]) for x in (a, b, v))\n"
    "    after = np.cumsum(product(np.swapaxes(b, 1, 2), v), axis=0)\n"
    "    before = np.concatenate([np.zeros_like(after[:1]), after[:-1]])\n"
    "    totals = product(a, before) + product(np.tril(product(a, np.swapaxes(b, 1, 2))), v)\n"
    "    return (totals[..., :-1] / totals[..., -1:]).reshape(-1, v.shape[2] - 1)[:n]\n"
)


def blocks(**changes):
    return BLOCKS.format(**RIGHT_BLOCKS | changes)


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
        ("check_errors(lambda q, k, m: mean_squared_errors_solution(q, k, m)[::-1])", "the other way round"),
        ("check_errors(lambda q, k, m: mean_squared_errors_solution(q, k, 8))", "this is for m = 8"),
        (
            "check_errors(lambda q, k, m: np.divide(mean_squared_errors_solution(q, k, m), m))",
            "divided by m twice",
        ),
        (
            "check_errors(lambda q, k, m: np.sqrt(m) * np.array(mean_squared_errors_solution(q, k, m)))",
            "divided by the root of m",
        ),
        (
            "check_errors(lambda q, k, m: np.array(mean_squared_errors_solution(q, k, m)) / np.exp(2 * q @ k))",
            "the error relative to the kernel",
        ),
        (
            "check_errors(lambda q, k, m: (mean_squared_errors_solution(q, k, m)[0],"
            " np.exp(2 * q @ k + (q + k) @ (q + k)) / m))",
            "positive: the mean square; subtract the square of the mean",
        ),
        ("check_errors(lambda q, k, m: 0.1)", "expected a pair"),
        ("check_errors(lambda q, k, m: (0.1, [0.2, 0.3]))", "expected a pair of numbers"),
        ("check_errors(lambda q, k, m: (q @ k, q @ k))", "trigonometric: not the variance for"),
        (
            "check_errors(lambda q, k, m: mean_squared_errors_solution(q[:2], k[:2], m))",
            "trigonometric: not the variance for",
        ),
        (
            "check_errors(lambda q, k, m: 1.01 * np.array(mean_squared_errors_solution(q, k, m)))",
            "a simulation has noise, enter the formula",
        ),
        (
            "check_errors(lambda q, k, m: (mean_squared_errors_solution(q, k, m)[0],"
            " mean_squared_errors_solution(q, -k, m)[1]))",
            "positive: not the variance for",
        ),
        (
            "check_errors(lambda q, k, m: (2 * mean_squared_errors_solution(q, k, m)[0],"
            " mean_squared_errors_solution(q, k, m)[1]))",
            "trigonometric: not the variance for",
        ),
        ("check_errors(lambda q, k, m: {'trigonometric': 0.1})", "expected a pair"),
    ],
    "exercise-2": [
        (
            "@check_blocks\n"
            "def quadratic(a, b, v, size):\n"
            "    weights = np.tril(a @ b.T)\n"
            "    return weights @ v / weights.sum(axis=1, keepdims=True)",
            "twice the tokens are 4.0 times the work",
        ),
        (
            "@check_blocks\n"
            "def from_scratch(a, b, v, size):\n"
            "    parts = []\n"
            "    for start in range(0, len(v), size):\n"
            "        q, k, w = (x[start : start + size] for x in (a, b, v))\n"
            "        weights = np.tril(q @ k.T)\n"
            "        above = q @ (b[:start].T @ v[:start]) + weights @ w\n"
            "        below = q @ b[:start].sum(axis=0) + weights.sum(axis=1)\n"
            "        parts.append(above / below[:, None])\n"
            "    return np.concatenate(parts)",
            "times the work: it must stay linear",
        ),
        ("check_blocks(lambda a, b, v, size: causal_loop(a, b, v))", "does not grow with `size`"),
        (
            "check_blocks(lambda a, b, v, size: np.array([b[: i + 1] @ a[i] @ v[: i + 1]"
            " / (b[: i + 1] @ a[i]).sum() for i in range(len(v))]))",
            "times the work: it must stay linear",
        ),
        (
            "@check_blocks\n"
            "def only_the_block(a, b, v, size):\n"
            "    starts = range(0, len(v), size)\n"
            "    return np.concatenate([causal_loop(*(x[i : i + size] for x in (a, b, v))) for i in starts])",
            "size 1: the first wrong token is number 1",
        ),
        (blocks(weights="q @ k.T"), "size 8: the first wrong token is number 0"),
        (blocks(weights="np.tril(q @ k.T, -1) + 1e-9"), "size 1: the first wrong token is number 1"),
        (blocks(below="np.ones(len(q))"), "these are sums: divide"),
        (
            "check_blocks(lambda a, b, v, size: average_with_features(a, b, v))",
            "every token sees all keys",
        ),
        (
            "@check_blocks\n"
            "def sums_for_every_token(a, b, v, size):\n"
            "    states = np.cumsum(b[:, :, None] * v[:, None, :], axis=0)\n"
            "    totals = (a * np.cumsum(b, axis=0)).sum(axis=1, keepdims=True)\n"
            "    return np.einsum('nm,nmc->nc', a, states) / totals",
            "does not grow with `size`",
        ),
        (
            "@check_blocks\n"
            "def four_at_once(a, b, v, size):\n"
            "    mask = np.tril(np.ones((len(v), len(v))))\n"
            "    above = np.einsum('nm,km,kc,nk->nc', a, b, v, mask)\n"
            "    return above / np.einsum('nm,km,nk->n', a, b, mask)[:, None]",
            "times the work: it must stay linear",
        ),
        ("check_blocks(lambda a, b, v, size: a)", r"expected shape \(53, 3\), got \(53, 7\)"),
        (
            "check_blocks(lambda a, b, v, size:"
            " causal_in_blocks_solution(*(np.array(x, dtype=float) for x in (a, b, v)), size))",
            "no multiplications were seen",
        ),
        (
            "check_blocks(lambda a, b, v, size: causal_in_blocks_solution(a, b, v, 32))",
            "does not grow with `size`",
        ),
        ("check_blocks(lambda a, b, v, size: causal_in_blocks_solution(a, b, v, 7))", "does not grow with `size`"),
        (
            "@check_blocks\n"
            "def quadratic_behind_a_view(a, b, v, size):\n"
            "    a.T @ b  # a product to be counted\n"
            "    weights = np.tril(a.view(np.ndarray) @ b.view(np.ndarray).T)\n"
            "    return weights @ v.view(np.ndarray) / weights.sum(axis=1, keepdims=True)",
            "times the work: it must stay linear",
        ),
        (blocks(below="q @ total + weights.sum(axis=1) + 1e-6"), "is something added below the line"),
        (blocks(below="np.maximum(q @ total + weights.sum(axis=1), 1e-6)"), "is something added below the line"),
        (blocks(after="state, total = k.T @ w, k.sum(axis=0)"), "size 1: the first wrong token is number 2"),
        (blocks(above="k @ state + weights @ w"), "size 1: the first wrong token is number 1"),
    ],
    "exercise-3": [
        (
            OWN + "check_needed({1: 100, 4: 400, 9: 900}, 5.55, mine, 1.0)",
            "100 frequencies have 1[0-9]",
        ),
        (OWN + "check_needed({1: 172, 4: 400, 9: 900}, 5.55, mine, 1.0)", "400 frequencies have"),
        (OWN + f"check_needed({NEEDED}, 8, mine, 1.0)", "256 frequencies have"),
        (OWN + f"check_needed({NEEDED}, 5.55, mine[:10], 1.0)", "at least 20 rows"),
        (OWN + f"check_needed({NEEDED}, 5.55, np.ones((30, 4)), 1.0)", "all rows are the same"),
        (
            OWN + f"check_needed({NEEDED}, 5.55, mine.reshape(30, 5, 1), 1.0)",
            r"expected shape \(n, d\), one vector per row",
        ),
        (OWN + f"check_needed({NEEDED}, [5.5, 5.6], mine, 1.0)", "largest_for_256: expected one positive number"),
        (OWN + f"check_needed({NEEDED}, 5.55, mine, [1.0, 2.0])", "my_shortest: expected one number"),
        (
            OWN + f"check_needed({NEEDED}, 5.55, mine, np.trace(pair_moment(mine, mine)))",
            "this is without a centre",
        ),
        (
            OWN + f"check_needed({NEEDED}, 5.55, mine, np.trace(pair_moment(mine, centre_keys(mine))))",
            "the mean of the keys alone",
        ),
        (
            OWN + f"check_needed({NEEDED}, 5.55, mine, mine.var(axis=0).sum())",
            "queries and keys both spread",
        ),
        (OWN + f"check_needed({NEEDED}, 5.55, mine, np.sqrt(2 * mine.var(axis=0).sum()))", "this is the root"),
        (OWN + f"check_needed({NEEDED}, 5.55, mine, 2 * mine.var(axis=0).mean())", "per number of a vector"),
        (OWN + f"check_needed({NEEDED}, 5.55, mine, 0.123)", "not the mean"),
        (OWN + "check_needed({1: 172, 4: 5360}, 5.55, mine, 1.0)", "expected the keys 1, 4 and 9"),
        (OWN + "check_needed({1: 215, 4: 5360, 9: 810208}, 5.55, mine, 1.0)", "215 frequencies have 8"),
        (OWN + "check_needed({1: 172, 4: 6700, 9: 810208}, 5.55, mine, 1.0)", "6700 frequencies have 8"),
        (OWN + "check_needed({1: 172, 4: 5360, 9: 1e6}, 5.55, mine, 1.0)", "frequencies have 9"),
        (OWN + f"check_needed({NEEDED}, 5.36, mine, 1.0)", "256 frequencies have 91"),
        (OWN + f"check_needed({NEEDED}, 16, mine, 1.0)", "256 frequencies have"),
        (OWN + f"mine[3, 2] = np.nan\ncheck_needed({NEEDED}, 5.55, mine, 1.0)", "not all numbers are finite"),
        (f"check_needed({NEEDED}, 5.55, [[1, 2], [3]] * 12, 1.0)", "rows of equally many numbers"),
        (
            OWN + f"check_needed({NEEDED}, 5.55, mine, np.trace(np.cov(mine.T)))",
            "queries and keys both spread",
        ),
        (
            OWN + f"check_needed({NEEDED}, 5.55, mine, 4 * mine.var(axis=0).sum())",
            "not the mean",
        ),
    ],
}

RIGHT = {
    "exercise-1": [
        "check_errors(lambda q, k, m: [2 / m * np.exp(2 * q @ k) * np.sinh((q - k) @ (q - k) / 2) ** 2,"
        " np.exp(2 * q @ k) * np.expm1((q + k) @ (q + k)) / m])",
        "check_errors(lambda q, k, m: np.array([mean_squared_errors_solution(q, k, m)]).T)",
        "check_errors(lambda q, k, m: dict(zip(['trigonometric', 'positive'],"
        " mean_squared_errors_solution(q, k, m))))",
        "check_errors(lambda q, k, m: (np.exp(q @ q + k @ k) / m * (0.5 + 0.5 * np.exp(-2 * (q - k) @ (q - k))"
        " - np.exp(-(q - k) @ (q - k))), (np.exp(q @ q + k @ k + 4 * q @ k) - np.exp(2 * q @ k)) / m))",
    ],
    "exercise-2": [
        blocks(),
        "check_blocks(lambda a, b, v, size: causal_in_blocks_solution(a, b, v, size).tolist())",
        blocks(above="np.einsum('nm,mc->nc', q, state) + np.dot(weights, w)"),
        BATCHED + "check_blocks(batched)",
        "check_blocks(lambda a, b, v, size: causal_in_blocks_solution(*map(np.array, (a, b, v)), size))",
        blocks(after="state += k.T @ w; total += k.sum(axis=0)"),
        "@check_blocks\n"
        "def grown_row_by_row(a, b, v, size):\n"
        "    state, total, found = np.zeros((b.shape[1], v.shape[1])), np.zeros(b.shape[1]), None\n"
        "    for start in range(0, len(v), size):\n"
        "        q, k, w = (x[start : start + size] for x in (a, b, v))\n"
        "        weights = np.tril(q @ k.T)\n"
        "        part = (q @ state + weights @ w) / (q @ total + weights.sum(axis=1))[:, None]\n"
        "        found = part if found is None else np.vstack([found, part])\n"
        "        state, total = state + k.T @ w, total + k.sum(axis=0)\n"
        "    return found",
        "@check_blocks\n"
        "def into_an_array(a, b, v, size):\n"
        "    state, total, found = np.zeros((b.shape[1], v.shape[1])), np.zeros(b.shape[1]), np.empty(v.shape)\n"
        "    for start in range(0, len(v), size):\n"
        "        rows = slice(start, start + size)\n"
        "        weights = np.tril(a[rows] @ b[rows].T)\n"
        "        above = a[rows] @ state + weights @ v[rows]\n"
        "        found[rows] = above / (a[rows] @ total + weights.sum(axis=1))[:, None]\n"
        "        state, total = state + b[rows].T @ v[rows], total + b[rows].sum(axis=0)\n"
        "    return found",
        BATCHED + "check_blocks(lambda *given: batched(*given, lambda x, y: np.einsum('bnm,bmc->bnc', x, y)))",
    ],
    "exercise-3": [
        OWN + "check_needed({1: 170.5, 4: 5400, 9: 800_000}, np.log(257), mine.tolist(),"
        " 2 * np.trace(np.cov(mine.T, bias=True)))",
        OWN + f"check_needed({NEEDED}, 5.55, mine, 2 * np.trace(np.cov(mine.T)))",
        OWN + "own = mine - mine.mean(axis=0)\n"
        "pairs = [np.sum((a + b) ** 2) for i, a in enumerate(own) for j, b in enumerate(own) if i != j]\n"
        f"check_needed({NEEDED}, np.log(256), mine, np.mean(pairs))",
        "letters = [[line.count(letter) for letter in 'aeiou'] for line in ['to be or not to be'] * 12"
        " + ['that is the question'] * 13]\n"
        f"check_needed({NEEDED}, 5.6, letters, 2 * np.var(letters, axis=0).sum())",
    ],
}
