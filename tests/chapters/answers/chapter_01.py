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
    ],
}
