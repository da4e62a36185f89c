"""Submissions by assignment: wrong ones, with the points each question loses, and right ones.

Each is the answers that replace those of the solution, by the number of the question: a whole answer, or passages
of the right one and what stands in their place. Mistakes that a question knows need no submission: the tests
answer with each of them, and `KEPT` says what they are worth. Here is what only a process of its own shows.
"""

# The points that a known mistake keeps, where it keeps some: by assignment, question, and mistake.
KEPT = {
    "01_nadaraya_watson": {"q1": {"sigma_for_h": 1, "not_divided": 1, "line": 1, "nearest": 1}},
    "02_bilateral": {
        "q1": {
            **dict.fromkeys(["sigma_for_h", "added", "by_position", "by_value", "two_for_positions"], 1),
            **dict.fromkeys(["two_for_values", "not_squared", "plain_bandwidth", "sign", "exchanged"], 1),
        },
        "q2": {"in_window": 2, "constant_bandwidths": 2},
    },
    "04_lark": {"q1": {"mean": 1}, "q2": {"column": 1}, "q3": {"without_root": 1, "with_two": 1}},
    "05_unified_kernel": {
        "q1": {"squared": 1, "sigma_for_h": 1, "product": 1},
        "q2": {"only_diagonal": 2, "made_positive": 3, "absolute": 3},
    },
    "06_attention": {
        "q1": dict.fromkeys(["not_scaled", "by_dimension", "transposed", "by_keys", "gaussian", "fourth_root"], 1),
        "q2": {"blind_to_itself": 2, "not_scaled": 2, "by_values_width": 2, "by_dimension": 2},
    },
    "07_performer": {"q1": dict.fromkeys(["without_norm", "whole_norm", "by_number", "not_divided"], 1)},
    "08_language_model": {
        "q1": {
            **dict.fromkeys(["not_scaled", "by_dimension", "by_words", "keys_ask", "turned_twice"], 1),
            "by_32": 2,
        },
    },
    "09_diffusion": {
        "q1": {
            **dict.fromkeys(["without_two", "deviation", "mean_distance", "not_squared", "sign", "nearest"], 1),
            **dict.fromkeys(["squared_sum", "two_inside"], 1),
        },
        "q3": {
            **dict.fromkeys(["variances", "other_share", "whole_way", "no_step", "without_two", "nearest"], 1),
            "not_divided": 1,
        },
    },
}

QUADRATIC = """
def linear_attention(query_features, key_features, values):
    weights = query_features @ key_features.T
    return weights @ values / weights.sum(axis=1, keepdims=True)
"""
A_FEW_QUERIES_AT_A_TIME = """
def linear_attention(query_features, key_features, values):
    found = []
    for start in range(0, len(query_features), 100):
        weights = query_features[start : start + 100] @ key_features.T
        found.append(weights @ values / weights.sum(axis=1, keepdims=True))
    return np.concatenate(found)
"""
A_LITTLE_ADDED = [("key_features.sum(axis=0)", "key_features.sum(axis=0) + 1e-6")]
ARGUMENTS_CHANGED = [
    ("    scores = queries @", "    queries /= np.sqrt(queries.shape[1])\n    scores = queries @"),
    ("keys.T / np.sqrt(queries.shape[1])", "keys.T"),
]
WORDS_MODULO_50 = [
    ("np.tri(len(keys), dtype=bool)", "positions[:, None] >= positions"),
    ("    scores = queries", "    positions = np.arange(len(keys)) % 50\n    scores = queries"),
]
KNOWN = {1: [("/ 0.5) ** 2)", "/ 0.5) ** 2) / 2")], 2: [("np.fill_diagonal(kernel, 0)", "pass")]}
WRONG_SUBMISSIONS = {
    "01_nadaraya_watson": [(KNOWN, {"q1": 1, "q2": 4, "q3": 4})],
    "07_performer": [({2: each}, {"q2": 2}) for each in (QUADRATIC, A_FEW_QUERIES_AT_A_TIME, A_LITTLE_ADDED)],
    "08_language_model": [
        ({1: ARGUMENTS_CHANGED}, {"q1": 4}),
        ({1: WORDS_MODULO_50}, {"q1": 4, "q3": 2}),  # question 3 uses the weights
    ],
}

RIGHT_SUBMISSIONS = {
    "07_performer": {  # four digits, a different order of the products, an integer number of features
        1: """
def positive_features(keys, frequencies):
    exponents = np.einsum("kd,md->km", keys, frequencies) - np.sum(np.square(keys), axis=1)[:, None] / 2
    root = len(frequencies) ** 0.5
    return [[float(f"{np.exp(each) / root:.4g}") for each in row] for row in exponents]
""",
        2: """
def linear_attention(query_features, key_features, values):
    with_one = np.column_stack([values, np.ones(len(values))])
    sums = np.einsum("kc,km->mc", with_one, key_features)
    totals = np.dot(query_features, sums)
    return totals[:, :-1] / totals[:, -1:]
""",
        3: """
def n_features(queries, keys):
    sums = np.sum((queries[:, None] + keys[None]) ** 2, axis=-1)
    return int(np.ceil(400 * (np.exp(np.median(sums)) - 1)))
""",
    }
}
