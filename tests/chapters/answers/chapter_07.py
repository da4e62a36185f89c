"""Exercises of chapter 7: wrong answers with the check's reply, and unusual correct ones."""

from tests.chapters.answers import function_for

answer_errors = function_for("check_errors", "q, k, m")
in_blocks = function_for("check_blocks", "a, b, v, size")
one_step = function_for("check_step", "state, q, k, v")

MINE = "mine = np.random.default_rng(4).normal(size=(30, 5)) + 0.7\n"
SPREAD = "2 * np.trace(np.cov(mine.T))"
BIASED = "2 * np.trace(np.cov(mine.T, bias=True))"
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
START = "S, z = (np.zeros((len(k), len(v))), np.zeros(len(k))) if state is None else state"
WRITTEN = START, "S, z = S + np.outer(k, v), z + k"
READ = "((S, z), q @ S / (q @ z))"
BATCHED = (
    "def batched(a, b, v, size):\n"
    "    n, missing = len(v), -len(v) % size\n"
    "    a, b = (np.concatenate([x, np.ones((missing, x.shape[1]))]) for x in (a, b))\n"
    "    v = np.concatenate([np.column_stack([v, np.ones(n)]), np.zeros((missing, v.shape[1] + 1))])\n"
    "    a, b, v = (x.reshape(-1, size, x.shape[1]) for x in (a, b, v))\n"
    "    after = np.cumsum(np.swapaxes(b, 1, 2) @ v, axis=0)\n"
    "    before = np.concatenate([np.zeros_like(after[:1]), after[:-1]])\n"
    "    totals = a @ before + np.tril(a @ np.swapaxes(b, 1, 2)) @ v\n"
    "    return (totals[..., :-1] / totals[..., -1:]).reshape(-1, v.shape[2] - 1)[:n]\n"
)


def errors(*lines):
    """Return an answer to exercise 7.1, derived from the correct one, `found`."""
    return answer_errors("found = np.array(mean_squared_errors_solution(q, k, m))", *lines)


def counts(needed=NEEDED, largest="5.55", vectors="mine", shortest="1.0"):
    """Return an answer to exercise 7.3 that is correct except for the given changes and the last number."""
    return f"{MINE}check_needed({needed}, {largest}, {vectors}, {shortest})"


def blocks(**changes):
    return BLOCKS.format(**RIGHT_BLOCKS | changes)


WRONG = {
    "exercise-1": [
        (errors("m * found"), "trigonometric: the variance of one term"),
        (errors("np.sqrt(found)"), "the squared error, without the root"),
        (errors("found[::-1]"), "the other way round"),
        (errors("mean_squared_errors_solution(q, k, 8)"), "this is for m = 8"),
        (errors("found / m"), "divided by m twice"),
        (errors("np.sqrt(m) * found"), "divided by the root of m"),
        (errors("found / np.exp(2 * q @ k)"), "the error relative to the kernel"),
        (errors("(found[0], np.exp(2 * q @ k + (q + k) @ (q + k)) / m)"), "subtract the square of the mean"),
        (errors("(0.1, [0.2, 0.3])"), "expected a pair of numbers"),
        (errors("mean_squared_errors_solution(q[:2], k[:2], m)"), "trigonometric: not the variance for"),
        (errors("1.01 * found"), "a simulation has noise, enter the formula"),
        (errors("(found[0], mean_squared_errors_solution(q, -k, m)[1])"), "positive: not the variance for"),
    ],
    "exercise-2": [
        (blocks(above="q @ (b[:start].T @ v[:start]) + weights @ w"), "times the work: it must stay linear"),
        (
            in_blocks(
                "starts = range(0, len(v), size)",
                "np.concatenate([causal_by_mask(*(x[i : i + size] for x in (a, b, v))) for i in starts])",
            ),
            "size 1: the first wrong token is number 1",
        ),
        (blocks(weights="q @ k.T"), "size 8: the first wrong token is number 0"),
        (blocks(below="np.ones(len(q))"), "these are sums: divide"),
        (in_blocks("average_with_features(a, b, v)"), "every token sees all keys"),
        (
            in_blocks(
                "states = np.cumsum(b[:, :, None] * v[:, None, :], axis=0)",
                "totals = (a * np.cumsum(b, axis=0)).sum(axis=1, keepdims=True)",
                "np.einsum('nm,nmc->nc', a, states) / totals",
            ),
            "does not grow with `size`",
        ),
        (in_blocks("a"), r"expected shape \(53, 3\), got \(53, 7\)"),
        (
            in_blocks("causal_in_blocks_solution(*(np.array(x, dtype=float) for x in (a, b, v)), size)"),
            "no multiplications were seen",
        ),
        (
            in_blocks(
                "a.T @ b  # a product to be counted",
                "weights = np.tril(a.view(np.ndarray) @ b.view(np.ndarray).T)",
                "weights @ v.view(np.ndarray) / weights.sum(axis=1, keepdims=True)",
            ),
            "times the work: it must stay linear",
        ),
        (blocks(below="q @ total + weights.sum(axis=1) + 1e-6"), "what is added to the denominator"),
        (blocks(after="state, total = k.T @ w, k.sum(axis=0)"), "size 1: the first wrong token is number 2"),
    ],
    "exercise-3": [
        (counts(needed="{1: 100, 4: 400, 9: 900}"), "100 frequencies have 1[0-9]"),
        (counts(vectors="mine[:10]"), "at least 20 rows"),
        (counts(needed="[172, 5360, 'many']"), "expected one number, got 'many'"),
        (counts(vectors="np.ones((30, 4))"), "all rows are the same"),
        (counts(shortest="[1.0, 2.0]"), "my_shortest: expected one number"),
        (counts(shortest="np.trace(pair_moment(mine, mine))"), "this is without a centre"),
        (counts(shortest="np.trace(pair_moment(mine, centre_keys(mine)))"), "the mean of the keys alone"),
        (counts(shortest="mine.var(axis=0).sum()"), "queries and keys both spread"),
        (counts(shortest="np.sqrt(2 * mine.var(axis=0).sum())"), "this is the root"),
        (counts(shortest="2 * mine.var(axis=0).mean()"), "per number of a vector"),
        (counts(shortest="0.123"), "not the mean"),
        (counts(largest="5.36"), "256 frequencies have 91"),
        (f"check_needed({NEEDED}, 5.55, [[1, 2], [3]] * 12, 1.0)", "rows of equally many numbers"),
    ],
    "exercise-4": [
        (one_step(*WRITTEN, "((S, z), S)"), "expected an estimate of shape"),
        (one_step(*WRITTEN, "((S, z), q @ S)"), "these are sums: divide"),
        (one_step(START, "((S + np.outer(k, v), z + k), q @ S / (q @ z))"), "the token's own key is missing"),
        (one_step("S, z = np.outer(k, v), k", READ), "the last token alone"),
        (one_step(*WRITTEN, "((S, z), q @ S / (q @ z + 1e-6))"), "what is added to the denominator"),
        (
            one_step(
                "seen = [*(state or []), (k, v)]",
                "(seen, sum((q @ k) * v for k, v in seen) / sum(q @ k for k, _ in seen))",
            ),
            "the state grows from 10 to 530 numbers",
        ),
        (one_step("q @ k * v"), "expected a pair"),
        (one_step(START, "S, z = 0.9 * S + np.outer(k, v), z + k", READ), "the first wrong token is number 1"),
    ],
}

RIGHT = {
    "exercise-1": [
        errors(
            "trigonometric = 2 / m * np.exp(2 * q @ k) * np.sinh((q - k) @ (q - k) / 2) ** 2",
            "[trigonometric, np.exp(2 * q @ k) * np.expm1((q + k) @ (q + k)) / m]",
        ),
        errors("np.array([found]).T"),
        errors("dict(zip(['trigonometric', 'positive'], found))"),
    ],
    "exercise-2": [
        in_blocks("causal_in_blocks_solution(a, b, v, size).tolist()"),
        blocks(above="np.einsum('nm,mc->nc', q, state) + np.dot(weights, w)"),
        BATCHED + "check_blocks(batched)",
        in_blocks("causal_in_blocks_solution(*map(np.array, (a, b, v)), size)"),
    ],
    "exercise-3": [
        counts("{1: 170.5, 4: 5400, 9: 800_000}", "np.log(257)", "mine.tolist()", BIASED),
        counts(shortest=SPREAD),
        counts("[172, 5360, 810208]", "[5.55]", shortest=SPREAD),
    ],
    "exercise-4": [
        one_step(
            "both = np.outer(k, np.append(v, 1)) + (0 if state is None else state)",
            "(both, (q @ both)[:-1] / (q @ both)[-1])",
        ),
        one_step(*WRITTEN, "[{'S': S, 'z': z}.values(), (S.T @ q / (z @ q)).tolist()]"),
    ],
}
