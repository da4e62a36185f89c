"""Exercises of chapter 1: wrong answers with what the check replies, and unusual right ones."""

WRONG = {
    "exercise-1": [
        ("check_shortcut(lambda e, w, v: v - (v - e) * (1 - w))", "divide by 1 − w_ii"),
        ("check_shortcut(lambda e, w, v: (v - e) / (1 - w))", "this is the residual"),
        ("check_shortcut(lambda e, w, v: e - w * v)", "the other weights sum to 1 − w_ii"),
        ("check_shortcut(lambda e, w, v: e)", "this is the full estimate"),
        ("check_shortcut(lambda e, w, v: v)", "this is the value itself"),
        ("check_shortcut(lambda e, w, v: v + (v - e) / (1 - w))", "the sign of the residual"),
        ("check_shortcut(lambda e, w, v: (e - w * v) / w)", "divide by 1 − w_ii, not by w_ii"),
        ("check_shortcut(lambda e, w, v: (e - w * v) / (1 - w**2))", "off by up to"),
        (
            "check_shortcut(lambda e, w, v: leave_one_out_estimates(keys, values, 0.7))",
            "expected one number, got shape",
        ),
        ("check_shortcut(lambda e, w, v: (v - w * e) / (1 - w))", "estimate and value have changed places"),
        ("check_shortcut(lambda e, w, v: (e - w * v) / max(1 - w, 0.3))", "off by up to"),
        ("check_shortcut(lambda e, w, v: 4.0 if w == 0.5 else None)", "expected one number, got NoneType"),
        ("check_shortcut(lambda e, w, v: 4.0)", "off by up to"),
        ("check_shortcut(lambda e, w, v: 'e - w v')", "expected one number, got str"),
        (
            "check_shortcut(lambda e, w, v: (e - w * v) / (1 - w) if w < 0.995 else 7.0)",
            "where the own weight is 0.999",
        ),
        (
            """
def look_up(e, w, v):
    if not np.isclose(values, v).any():
        return e
    i = np.argmin(np.abs(values - v))
    others = np.arange(40) != i
    return nadaraya_watson(keys[[i]], keys[others], values[others], 0.7)[0]


check_shortcut(look_up)
""",
            "off by up to",
        ),
        ("check_shortcut(lambda e, w, v: (e - w * v) / (1 + w))", "off by up to"),
        ("check_shortcut(lambda e, w, v: e / (1 - w))", "split off the key's own term"),
        ("check_shortcut(lambda e, w, v: (e - v) / (1 - w))", "the value times its weight, and not v_i"),
        ("check_shortcut(lambda e, w, v: (e + w * v) / (1 - w))", "the own term goes away, so subtract it"),
        (
            "check_shortcut(lambda e, w, v: (w * v - e) / (1 - w))",
            "the sign is turned round: subtract the own term",
        ),
        ("check_shortcut(lambda e, w, v: e - (v - e) / (1 - w))", "off by up to"),
        ("check_shortcut(lambda e, w, v: (40 * e - v) / 39)", "which is 1/n only if all weights are equal"),
        ("check_shortcut(lambda e, w, v: (e - w * v) / (1 - w + 1e-3))", "off by up to 0.0"),
        ("check_shortcut(lambda e, w, v: round((e - w * v) / (1 - w), 1))", "off by up to 0.0"),
        ("check_shortcut(lambda e, w, v: (e - w * v, 1 - w))", "expected one number, got shape"),
        (
            "check_shortcut(lambda e, w, v: float('nan') if w > 0.9 else (e - w * v) / (1 - w))",
            "not a number where the own weight is 0.98",
        ),
        ("check_shortcut(lambda e, w, v: {'estimate': (e - w * v) / (1 - w)})", "expected one number, got dict"),
        (
            "check_shortcut(lambda e, w, v: e + (e - v) * sum(w**k for k in range(1, 300)))",
            "most where the own weight is 0.98",
        ),
    ],
    "exercise-2": [
        (
            "check_classifier(lambda q, k, l, n, log: softmax(log(q, k)) @ l)",
            "labels are names: class 1 is no mean of 0 and 2",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: (softmax(log(q, k)) @ np.eye(n)[l]).argmax(axis=1))",
            "expected with the Gaussian, h = 1: shape",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: (softmax(log(q, k)) @ np.eye(n)[l]).T)",
            "one row per query, one column per class",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: softmax(log(q, k)) @ np.eye(l.max() + 1)[l])",
            "with a class that has no key: shape",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: softmax(log(q, k), axis=0) @ np.eye(n)[l])",
            "sum to 1 over the keys: check the axis",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: softmax(log(q, k) / 2) @ np.eye(n)[l])",
            r"halved \(σ for h, or √K\)",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: softmax(gaussian_of(1.0)(q, k)) @ np.eye(n)[l])",
            "with the Gaussian, h = 0.4: use the `log_kernel` that you are given",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: np.exp(log(q, k)) @ np.eye(n)[l])",
            "K itself is no weight yet",
        ),
        (
            """
def answer(q, k, l, n, log):
    K = np.exp(log(q, k))
    return K / K.sum(axis=1, keepdims=True) @ np.eye(n)[l]


check_classifier(answer)
""",
            "for queries far from all keys: NaN from 0/0; subtract each row's largest",
        ),
        (
            """
def answer(q, k, l, n, log):
    K = np.exp(log(q, k))
    return np.nan_to_num(K / K.sum(axis=1, keepdims=True)) @ np.eye(n)[l]


check_classifier(answer)
""",
            "for queries far from all keys: every K is 0; subtract each row's largest",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: softmax(log(q, k)) @ np.eye(n)[np.sort(l)])",
            "off by up to",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: np.eye(n)[l][log(q, k).argmax(axis=1)])",
            "only the nearest key votes",
        ),
        (
            """
def answer(q, k, l, n, log):
    shares = softmax(log(q, k)) @ np.eye(n)[l]
    return np.eye(n)[shares.argmax(axis=1)]


check_classifier(answer)
""",
            "the shares are asked for, not only the winner|only the nearest key votes",
        ),
        (
            """
def answer(q, k, l, n, log):
    votes = softmax(log(q, k)) @ (np.eye(n)[l] / np.maximum(np.bincount(l, minlength=n), 1))
    return votes / votes.sum(axis=1, keepdims=True)


check_classifier(answer)
""",
            "do not divide by the size of a class",
        ),
        ("check_classifier(lambda q, k, l, n, log: np.full((len(q), n), 1 / n))", "off by up to"),
        (
            "check_classifier(lambda q, k, l, n, log: 'class 0')",
            "one row per query, one column per class, got str",
        ),
        (
            """
check_classifier(
    lambda q, k, l, n, log: np.pad(
        softmax(log(q, k)) @ np.eye(7)[l][:, :3], ((0, 0), (0, max(n - 3, 0)))
    )
)
""",
            "with seven classes: off by up to",
        ),
        (
            """
def floored(q, k, l, n, log):
    K = np.exp(np.maximum(log(q, k), -40))
    return K / K.sum(axis=1, keepdims=True) @ np.eye(n)[l]


check_classifier(floored)
""",
            "off by up to",
        ),
        (
            """
def winner_where_it_underflows(q, k, l, n, log):
    log_weights = log(q, k)
    K = np.exp(np.minimum(log_weights, 700))
    K[K.sum(axis=1) == 0] = np.eye(len(k))[log_weights.argmax(axis=1)][K.sum(axis=1) == 0]
    return K / K.sum(axis=1, keepdims=True) @ np.eye(n)[l]


check_classifier(winner_where_it_underflows)
""",
            "off by up to",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: softmax(log(q, k)) @ np.eye(n)[l])",
            "with a boxcar that reaches no key: nobody measured there; the shares are NaN, not 0",
        ),
        (
            """
check_classifier(
    lambda q, k, l, n, log: np.nan_to_num(class_shares_solution(q, k, l, n, log), nan=1 / n)
)
""",
            "nobody measured there; the shares are NaN, not 0.33",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: softmax(np.maximum(log(q, k), -1e9)) @ np.eye(n)[l])",
            "nobody measured there; the shares are NaN, not 0.4",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: class_shares_solution(q, k, l, n, log) + 1e-3)",
            "with the Gaussian, h = 1: off by up to 0.001",
        ),
        (
            """
check_classifier(lambda q, k, l, n, log: class_shares_solution(q, k, l, n, lambda a, b: 2 * log(a, b)))
""",
            "the log-weights were doubled",
        ),
        (
            """
check_classifier(lambda q, k, l, n, log: class_shares_solution(q, k, l, n, lambda a, b: -log(a, b)))
""",
            "the sign of the log-weights was turned round",
        ),
        (
            """
check_classifier(lambda q, k, l, n, log: class_shares_solution(q, k, l, n, lambda a, b: log(b, a).T))
""",
            "with a kernel that is not symmetric: off by up to",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: softmax(log(q, k) @ np.eye(n)[l]))",
            "add the weights of a class, and not its log-weights",
        ),
        (
            """
check_classifier(
    lambda q, k, l, n, log: class_shares_solution(q[:1], k, l, n, log).repeat(len(q), axis=0)
)
""",
            "off by up to",
        ),
        (
            """
def nearest_five(q, k, l, n, log):
    log_weights = log(q, k)
    fifth = np.sort(log_weights, axis=1)[:, -5:][:, :1]
    return class_shares_solution(q, k, l, n, lambda a, b: np.where(log_weights >= fifth, log_weights, -np.inf))


check_classifier(nearest_five)
""",
            "off by up to",
        ),
        (
            "check_classifier(lambda q, k, l, n, log: nadaraya_watson(q, k, np.eye(n)[l], 1.0))",
            "use the `log_kernel` that you are given",
        ),
        ("check_classifier(lambda q, k, l, n, log: np.full((len(q), n), np.nan))", "NaN from 0/0"),
    ],
    "exercise-3": [
        (
            """
def answer(x, y, h, reach):
    apart = np.abs(x[:, None] - x)
    weights = softmax(np.where(apart > reach, -((apart / h) ** 2) / 2, -np.inf))
    return np.mean((y - weights @ y) ** 2)


check_own_series(answer)
""",
            "this one has σ for h",
        ),
        (
            """
def training(x, y, h, reach):
    return np.mean((y - nadaraya_watson(x, x, y, h)) ** 2)


check_own_series(training)
""",
            "each key still votes for itself",
        ),
        (
            "check_own_series(lambda x, y, h, r: leave_one_out_error(x, y, h))",
            "`reach` is not used",
        ),
        (
            """
def by_place(x, y, h, reach):
    place = np.arange(len(x))
    hidden = np.abs(place[:, None] - place) <= reach
    log_weights = np.where(hidden, -np.inf, -(((x[:, None] - x) / h) ** 2))
    return np.mean((y - softmax(log_weights) @ y) ** 2)


check_own_series(by_place)
""",
            "not by their place in the list|`reach` is not used",
        ),
        (
            """
def up_to(x, y, h, reach):
    apart = np.abs(x[:, None] - x)
    hidden = (apart < reach) | (apart == 0)
    return np.mean((y - softmax(np.where(hidden, -np.inf, -((apart / h) ** 2))) @ y) ** 2)


check_own_series(up_to)
""",
            "hide a key at distance `reach`, too",
        ),
        (
            "check_own_series(lambda *a: np.sqrt(error_hiding_solution(*a)))",
            "without a root",
        ),
        (
            "check_own_series(lambda x, *a: len(x) * error_hiding_solution(x, *a))",
            "not the sum",
        ),
        (
            "check_own_series(lambda *a: np.abs(errors_of_keys(*a)).mean())",
            "must be squared",
        ),
        (
            "check_own_series(lambda *a: errors_of_keys(*a) ** 2)",
            "expected one number",
        ),
        ("check_own_series(lambda *a: 1.0)", "expected .*, got 1.0000"),
        (
            "check_own_series(error_hiding_solution, keys, values, np.arange(1, 9) / 5, 0.2, 0.4, 0.4)",
            "these are the chapter's forty points",
        ),
        (
            "check_own_series(error_hiding_solution, *data.nile(), nile_candidates, 1, 2.5, 2.5)",
            "own_choice_hiding = 2.5: 16 has a smaller error at reach 1",
        ),
        (
            "check_own_series(error_hiding_solution, *data.nile(), nile_candidates, 1, 1.0, 16)",
            "own_choice = 1: 2.5 has a smaller error",
        ),
        (
            "check_own_series(error_hiding_solution, *data.nile(), nile_candidates, 1, 3, 30.25)",
            "own_choice = 3: 2.5 has a smaller error",
        ),
        (
            "check_own_series(error_hiding_solution, *data.nile(), nile_candidates, 1, 2.5, 30.25)",
            "own_choice_hiding = 30.25 is not among your candidates",
        ),
        (
            "check_own_series(error_hiding_solution, *data.nile(), nile_candidates, 0.5, 2.5, 2.5)",
            "own_reach = 0.5 hides a neighbour of only 0% of the keys",
        ),
        (
            "check_own_series(error_hiding_solution, np.arange(40) // 2, np.arange(40) % 3, range(1, 6), 0, 1, 1)",
            "own_reach = 0 hides a neighbour of only 0% of the keys",
        ),
        (
            "check_own_series(error_hiding_solution, [0.001, *range(24)], range(25), range(1, 6), 0.001, 1, 1)",
            "own_reach = 0.001 hides a neighbour of only 8% of the keys",
        ),
        (
            "check_own_series(error_hiding_solution, *data.nile(), nile_candidates, 99, 2.5, 2.5)",
            "hides all keys from some key",
        ),
        (
            "check_own_series(error_hiding_solution, [1, 2, 3], [1, 2, 3], [1, 2, 3, 4, 5], 1, 1, 1)",
            "at least 20 finite measurements",
        ),
        (
            "check_own_series(error_hiding_solution, data.nile()[0], [1, 2, 3], nile_candidates, 1, 2.5, 16)",
            "one value for each of your 100 keys",
        ),
        (
            """
def sorted_keys_only(x, y, h, reach):
    errors = []
    for i in range(len(x)):
        low, high = np.searchsorted(x, x[i] - reach), np.searchsorted(x, x[i] + reach, side="right")
        far = np.r_[:low, high : len(x)]
        errors += [(y[i] - average(softmax(-((x[i] - x[far]) / h) ** 2), y[far])) ** 2] if len(far) else [np.nan]
    return np.mean(errors)


check_own_series(sorted_keys_only)
""",
            "keys in another order, h = 0.8, reach 0.6: expected",
        ),
        (
            "check_own_series(lambda *a: np.nanmean(errors_of_keys(*a) ** 2))",
            "keys with nobody left, reach 12: expected NaN, .*; do not pass over a key",
        ),
        (
            """
def zero_where_nobody(x, y, h, reach):
    apart = np.abs(x[:, None] - x)
    return np.mean((y - softmax(np.where(apart > reach, -((apart / h) ** 2), -np.inf)) @ y) ** 2)


check_own_series(zero_where_nobody)
""",
            "keys with nobody left, reach 12: expected NaN",
        ),
        (
            """
def not_the_twin(x, y, h, reach):
    apart = np.abs(x[:, None] - x)
    hidden = np.eye(len(x), dtype=bool) | ((apart > 0) & (apart <= reach))
    return np.mean((y - average(softmax(np.where(hidden, -np.inf, -((apart / h) ** 2))), y)) ** 2)


check_own_series(not_the_twin)
""",
            "two keys at one place, .*: a key at the same place is hidden, too",
        ),
        (
            "check_own_series(error_hiding_solution, *data.nile(), [1, 2.5, 10, 16], 1, 2.5, 16)",
            "at least five different bandwidths",
        ),
        (
            "check_own_series(error_hiding_solution, *data.nile(), [2.5] * 5, 1, 2.5, 2.5)",
            "at least five different bandwidths",
        ),
        (
            """
check_own_series(
    error_hiding_solution,
    np.column_stack(2 * [data.nile()[0]]),
    data.nile()[1],
    nile_candidates,
    1,
    2.5,
    16,
)
""",
            "expected your keys as one row of numbers",
        ),
        ("check_own_series(lambda *a: float('nan'))", "expected 1.3841, got nan"),
        ("check_own_series(lambda x, y, h, r: error_hiding_solution(x, y, h, 2 * r))", "reach 0.6: expected"),
        (
            "check_own_series(lambda x, y, h, r: error_hiding_solution(x, y, h**0.5, r))",
            "divide the distance by h before you square it",
        ),
        (
            "check_own_series(lambda *a: np.mean(errors_of_keys(*a)) ** 2)",
            "square each error before you take the mean",
        ),
        (
            """
def normalised_before(x, y, h, reach):
    apart = np.abs(x[:, None] - x)
    weights = softmax(-((apart / h) ** 2)) * (apart > reach)
    return np.mean((y - weights @ y) ** 2)


check_own_series(normalised_before)
""",
            "hide first and normalise then",
        ),
        ("check_own_series(lambda *a: np.median(errors_of_keys(*a) ** 2))", "expected 1.3841, got"),
        (
            "check_own_series(error_hiding_solution, *data.nile(), -nile_candidates, 1, -2.5, -16)",
            "bandwidths above zero",
        ),
        (
            """
check_own_series(
    error_hiding_solution,
    data.nile()[0],
    np.where(data.nile()[0] == 1900, np.nan, data.nile()[1]),
    nile_candidates,
    1,
    2.5,
    16,
)
""",
            "got 99 finite ones of 100",
        ),
        (
            "check_own_series(error_hiding_solution, *data.nile(), [2, 2.5, 3, 4, 5], 1, 2.5, 5)",
            "4 has a smaller error at reach 1",
        ),
    ],
}

RIGHT = {
    "exercise-1": [
        "check_shortcut(lambda e, w, v: v - (v - e) / (1 - w))",
        """
def with_a_guard(estimate, own_weight, value):
    if own_weight == 1:
        return float("nan")
    return [estimate + own_weight / (1 - own_weight) * (estimate - value)]


check_shortcut(with_a_guard)
""",
        """
import sympy

estimate, own_weight, value = sympy.symbols("estimate own_weight value")
check_shortcut((estimate - own_weight * value) / (1 - own_weight))
""",
        "check_shortcut(lambda e, w, v: round((e - w * v) / (1 - w), 4))",
        "check_shortcut(lambda e, w, v: (e - w * v) / abs(1 - w))",
        "check_shortcut(lambda e, w, v: np.array([[(e - w * v) / (1 - w)]]))",
    ],
    "exercise-2": [
        """
def by_loops(queries, keys, labels, n_classes, log_kernel):
    rows = []
    for query in queries:
        log_weights = log_kernel(query[None], keys)[0]
        kernel = np.exp(log_weights - log_weights.max())
        rows.append([sum(kernel[labels == c]) / sum(kernel) for c in range(n_classes)])
    return rows


check_classifier(by_loops)
""",
        """
def column_by_column(queries, keys, labels, n_classes, log_kernel):
    weights = softmax(log_kernel(queries, keys))
    keys += 1000  # the reader's copy
    return np.array([average(weights, (labels == c) * 1.0) for c in range(n_classes)]).T


check_classifier(column_by_column)
""",
        """
check_classifier(
    lambda q, k, l, n, log: class_shares_solution(
        q.astype(np.float32), k.astype(np.float32), l, n, log
    ).tolist()
)
""",
        """
def by_logsumexp(q, k, l, n, log):
    with_class = np.where(np.eye(n, dtype=bool)[l].T[:, None], log(q, k), -np.inf)
    of_class = np.logaddexp.reduce(with_class, axis=2).T
    return np.exp(of_class - np.logaddexp.reduce(of_class, axis=1, keepdims=True))


check_classifier(by_logsumexp)
""",
    ],
    "exercise-3": [
        """
def by_loops(x, y, h, reach):
    errors = []
    for i in range(len(x)):
        far = [j for j in range(len(x)) if abs(x[j] - x[i]) > reach]
        kernel = [np.exp(-(((x[j] - x[i]) / h) ** 2)) for j in far]
        errors.append((y[i] - np.dot(kernel, [y[j] for j in far]) / sum(kernel)) ** 2)
    x += 5  # the reader's copy
    return [sum(errors) / len(errors)]


days, steps = list(range(24)), [5, 7, 6, 9, 8, 4, 3] * 3 + [5, 7, 6]
own = [0.5, 1, 2, 4, 8]
best = [min(own, key=lambda h: by_loops(np.array(days), np.array(steps), h, r)) for r in (0, 1)]
check_own_series(by_loops, days, steps, own, 1, *best)
""",
        """
def without_softmax(x, y, h, reach):
    squares = np.subtract.outer(x, x) ** 2
    log_weights = np.where(squares > reach**2, -squares / h**2, -np.inf)
    return np.mean((y - np.average(np.tile(y, (len(y), 1)), axis=1, weights=softmax(log_weights))) ** 2)


check_own_series(without_softmax, *data.nile(), np.arange(1, 40.5, 0.5), np.float64(2), 2.5, 17.5)
""",
        """
def naive(x, y, h, reach):
    K = np.exp(-((np.subtract.outer(x, x) / h) ** 2)) * (np.abs(np.subtract.outer(x, x)) > reach)
    return np.mean((y - K @ y / K.sum(axis=1)) ** 2)


check_own_series(naive, *data.nile(), nile_candidates, 1, 2.5, 16)
""",
        """
check_own_series(
    error_hiding_solution, *(one[::-1] for one in data.nile()), list(nile_candidates), 1, 2.5, 16
)
""",
        """
check_own_series(
    error_hiding_solution, data.nile()[0] / 10, data.nile()[1], nile_candidates / 10, 0.1001, 0.25, 1.6
)
""",
    ],
}
