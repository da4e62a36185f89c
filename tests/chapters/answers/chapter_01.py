"""Exercises of chapter 1: wrong answers with the check's reply, and unusual correct ones."""

from tests.chapters.answers import function_for

shortcut = function_for("check_shortcut", "e, w, v")
classifier = function_for("check_classifier", "q, k, l, n, log")
hiding = function_for("check_own_series", "x, y, h, reach")
GAUSSIAN = "-np.inf, -((apart / h) ** 2)"
KERNEL, RATIO = "K = np.exp(log(q, k))", "K / K.sum(axis=1, keepdims=True) @ np.eye(n)[l]"
SHARES = "softmax(log(q, k)) @ np.eye(n)[l]"


def weighted(weights):
    """Return an answer with these weights, in which `apart` is the array of distances."""
    return hiding("apart = np.abs(x[:, None] - x)", f"np.mean((y - average({weights}, y)) ** 2)")


def own(series):
    """Return the solution with a reader's own series, bandwidths, reach and two choices."""
    return f"check_own_series(error_hiding_solution, {series})"


def nile(choices):
    return own(f"*data.nile(), {choices}")


WRONG = {
    "exercise-1": [
        (shortcut("v - (v - e) * (1 - w)"), "divide by 1 − w_ii"),
        (shortcut("(v - e) / (1 - w)"), "this is the residual"),
        (shortcut("e - w * v"), "the other weights sum to 1 − w_ii"),
        (shortcut("e"), "this is the full estimate"),
        (shortcut("v"), "this is the value itself"),
        (shortcut("v + (v - e) / (1 - w)"), "the sign of the residual"),
        (shortcut("(e - w * v) / w"), "divide by 1 − w_ii, not by w_ii"),
        (shortcut("(v - w * e) / (1 - w)"), "estimate and value have changed places"),
        (shortcut("(e - w * v) / (1 - w) if w < 0.995 else 7.0"), "where the own weight is 0.999"),
        (shortcut("e / (1 - w)"), "split off the key's own term"),
        (shortcut("(e - v) / (1 - w)"), "the value times its weight, and not v_i"),
        (shortcut("(e + w * v) / (1 - w)"), "the own term goes away, so subtract it"),
        (shortcut("(w * v - e) / (1 - w)"), "the sign is turned round: subtract the own term"),
        (shortcut("(40 * e - v) / 39"), "which is 1/n only if all weights are equal"),
    ],
    "exercise-2": [
        (classifier("softmax(log(q, k)) @ l"), "labels are names: class 1 is no mean of 0 and 2"),
        (classifier(f"({SHARES}).T"), "one row per query, one column per class"),
        (classifier("softmax(log(q, k)) @ np.eye(l.max() + 1)[l]"), "with a class that has no key: shape"),
        (classifier("softmax(log(q, k), axis=0) @ np.eye(n)[l]"), "sum to 1 over the keys: check the axis"),
        (classifier("softmax(log(q, k) / 2) @ np.eye(n)[l]"), r"halved \(σ for h, or √K\)"),
        (classifier("softmax(gaussian_of(1.0)(q, k)) @ np.eye(n)[l]"), "use the `log_kernel` that you are given"),
        (classifier("np.exp(log(q, k)) @ np.eye(n)[l]"), "K itself is no weight yet"),
        (classifier(KERNEL, RATIO), "row's largest"),
        (classifier(KERNEL, f"np.nan_to_num({RATIO})"), "every K is 0; subtract each row's largest"),
        (classifier("np.eye(n)[l][log(q, k).argmax(axis=1)]"), "only the nearest key votes"),
        (classifier(f"s = {SHARES}", "np.eye(n)[s.argmax(axis=1)]"), "not only the winner|only the nearest"),
        (
            classifier(
                f"K = {SHARES} / np.maximum(np.bincount(l, minlength=n), 1)", "K / K.sum(axis=1, keepdims=True)"
            ),
            "do not divide by the size of a class",
        ),
        (
            classifier(
                "seen, shares = np.unique(l), np.zeros((len(q), n))",
                "shares[:, : len(seen)] = softmax(log(q, k)) @ np.eye(len(seen))[np.searchsorted(seen, l)]",
                "shares",
            ),
            "in three dimensions, with a class that has no key: off by up to",
        ),
        (classifier(SHARES), "key: nobody measured there; the shares are NaN, not 0"),
        (classifier("class_shares_solution(q, k, l, n, log) + 1e-3"), "the Gaussian, h = 1: off by up to 0.001"),
        (classifier("class_shares_solution(q, k, l, n, lambda a, b: 2 * log(a, b))"), "log-weights were doubled"),
        (classifier("class_shares_solution(q, k, l, n, lambda a, b: -log(a, b))"), "log-weights was turned round"),
        (classifier("class_shares_solution(q, k, l, n, lambda a, b: log(b, a).T)"), "not symmetric: off by up to"),
        (classifier("softmax(log(q, k) @ np.eye(n)[l])"), "add the weights of a class, and not its log-weights"),
    ],
    "exercise-3": [
        (weighted("softmax(np.where(apart > reach, -((apart / h) ** 2) / 2, -np.inf))"), "this one has σ for h"),
        (hiding("np.mean((y - nadaraya_watson(x, x, y, h)) ** 2)"), "each key still votes for itself"),
        (hiding("leave_one_out_error(x, y, h)"), "`reach` is not used"),
        (weighted(f"softmax(np.where((apart < reach) | (apart == 0), {GAUSSIAN}))"), "at distance `reach`, too"),
        (hiding("np.sqrt(error_hiding_solution(x, y, h, reach))"), "without a root"),
        (hiding("len(x) * error_hiding_solution(x, y, h, reach)"), "not the sum"),
        (hiding("np.abs(errors_of_keys(x, y, h, reach)).mean()"), "must be squared"),
        (own("keys, values, np.arange(1, 9) / 5, 0.2, 0.4, 0.4"), "these are the chapter's forty points"),
        (nile("nile_candidates, 1, 2.5, 2.5"), "own_choice_hiding = 2.5: 16 has a smaller error at reach 1"),
        (nile("nile_candidates, 1, 1.0, 16"), "own_choice = 1: 2.5 has a smaller error"),
        (nile("nile_candidates, 1, 2.5, 30.25"), "own_choice_hiding = 30.25 is not among your candidates"),
        (own("[0.001, *range(24)], range(25), range(1, 6), 0.001, 1, 1"), "a neighbour of only 8% of the keys"),
        (nile("nile_candidates, 99, 2.5, 2.5"), "hides all keys from some key"),
        (own("data.nile()[0], [1, 2, 3], nile_candidates, 1, 2.5, 16"), "one value for each of your 100 keys"),
        (hiding("order = np.argsort(x)", "error_hiding_solution(x[order], y, h, reach)"), "the values together"),
        (hiding("np.nanmean(errors_of_keys(x, y, h, reach) ** 2)"), "expected NaN, .*; do not pass over a key"),
        (
            weighted(f"softmax(np.where((apart > 0) & (apart <= reach) | (np.eye(len(x)) > 0), {GAUSSIAN}))"),
            "two keys at one place, .*: a key at the same place is hidden, too",
        ),
        (nile("[2.5] * 5, 1, 2.5, 2.5"), "at least five different bandwidths"),
        (hiding("error_hiding_solution(x, y, h**0.5, reach)"), "divide the distance by h before you square it"),
        (hiding("np.mean(errors_of_keys(x, y, h, reach)) ** 2"), "square each error before you take the mean"),
        (weighted("softmax(-((apart / h) ** 2)) * (apart > reach)"), "hide first and normalise then"),
        (own("data.nile()[0], [*data.nile()[1][1:], np.nan], nile_candidates, 1, 2.5, 16"), "finite ones of 100"),
    ],
}

RIGHT = {
    "exercise-1": [
        shortcut("v - (v - e) / (1 - w)"),
        shortcut("if w == 1:", '    return float("nan")', "[e + w / (1 - w) * (e - v)]"),
        "import sympy\n"
        "estimate, own_weight, value = sympy.symbols('estimate own_weight value')\n"
        "check_shortcut((estimate - own_weight * value) / (1 - own_weight))",
        shortcut("round((e - w * v) / (1 - w), 4)"),
    ],
    "exercise-2": [
        classifier(
            "weights = softmax(log(q, k))",
            "k += 1000  # the reader's copy",
            "np.array([average(weights, (l == c) * 1.0) for c in range(n)]).T",
        ),
        classifier("class_shares_solution(q.astype(np.float32), k.astype(np.float32), l, n, log).tolist()"),
    ],
    "exercise-3": [
        """
def naive(x, y, h, reach):
    K = np.exp(-((np.subtract.outer(x, x) / h) ** 2)) * (np.abs(np.subtract.outer(x, x)) > reach)
    x += 5  # the reader's copy
    return np.mean((y - K @ y / K.sum(axis=1)) ** 2)


check_own_series(naive, *data.nile(), nile_candidates, 1, 2.5, 16)
""",
        own("*(one[::-1] for one in data.nile()), list(nile_candidates), 1, 2.5, 16"),
    ],
}
