"""Submissions by assignment: plausible wrong ones, with the points each question loses, and right ones.

Each is the answers that replace those of the solution, by the number of the question: a whole answer, or passages
of the right one and what stands in their place.
"""

HALF_AXES = "2.4 * np.sqrt(elongation / scale), 2.4 / np.sqrt(elongation * scale)"
CAUSAL = "    scores = np.where(np.tri(len({}), dtype=bool), scores, -np.inf)\n"
SOFTMAX = "kernel / kernel.sum(axis=1, keepdims=True)"
HIDDEN = "log_probability({(b, h): hide([darkest])})"
SCALE = "np.sqrt(np.mean(keys**2) / np.mean(queries**2))"
STEP = "guess + next_level / level * (noisy - guess)"
ROOT = "float(np.sqrt(np.mean((guess - unseen) ** 2)))"
OWN_WEIGHTS = (  # a second answer that does not rest on the first
    "guess = np.tensordot(weights",
    """squares = ((noisy - pictures) ** 2).sum(axis=(1, 2))
own = np.exp(-(squares - squares.min()) / (2 * 5**2))
own /= own.sum()
guess = np.tensordot(own""",
)

WRONG_SUBMISSIONS = {
    "01_nadaraya_watson": [
        ({1: [("/ 0.5) ** 2)", "/ 0.5) ** 2) / 2")]}, {"q1": 2}),  # σ for h
        # the error on the training data, which chooses the smallest bandwidth
        ({2: [("np.fill_diagonal(kernel, 0)", "pass")]}, {"q2": 4, "q3": 3}),
        (  # the root of the mean, which has its smallest value at the same place; and a sum for an average
            {1: [(" / weights.sum()", "")], 2: [("float(np.mean(", "np.sqrt(np.mean(")]},
            {"q1": 3, "q2": 4},
        ),
        (  # the own key left out of the values but not of the weights; the first candidate without a comparison
            {
                2: [
                    ("np.fill_diagonal", "total = kernel.sum(axis=1)\n    np.fill_diagonal"),
                    ("/ kernel.sum(axis=1)", "/ total"),
                ],
                3: "best_bandwidth = 0.05",
            },
            {"q2": 4, "q3": 3},
        ),
        # the mean of all values; the largest candidate
        ({1: "estimate_at_2 = values.mean()", 3: "best_bandwidth = 1.5"}, {"q1": 3, "q3": 3}),
        (  # the value of the nearest key; the sum of squares for their mean
            {1: "estimate_at_2 = values[np.argmin(np.abs(keys - 2))]", 2: [("np.mean", "np.sum")]},
            {"q1": 2, "q2": 4},
        ),
    ],
    "02_bilateral": [
        ({1: [(" / kernel.sum()", "")]}, {"q1": 3}),  # not normalised
        (  # the sum of two kernels instead of their product: wide in values, it is no blur; the 2 of 2σ² forgotten
            {2: [("np.exp(-near - alike)", "np.exp(-near) + np.exp(-alike)")], 3: "h_y_for_a_fifth = 2 * sigma"},
            {"q2": 4, "q3": 3},
        ),
        (  # σ for h in both
            {
                1: [("/ 3) ** 2)", "/ 3) ** 2) / 2"), ("/ 0.2) ** 2", "/ 0.2) ** 2 / 2")],
                2: [("-near - alike", "(-near - alike) / 2")],
            },
            {"q1": 2, "q2": 4},
        ),
        (  # by position alone; the pixel itself left out; one fifth of the noise removed
            {
                1: [(" - ((row - row[pixel]) / 0.2) ** 2", "")],
                2: [("-near - alike)", "-near - alike)\n    np.fill_diagonal(kernel, 0)")],
                3: "h_y_for_a_fifth = sigma / np.sqrt(2)",
            },
            {"q1": 2, "q2": 4, "q3": 3},
        ),
        (  # the kernels added; not normalised; the root forgotten
            {
                1: [(" - ((row - row[pixel]) / 0.2) ** 2)", ") + np.exp(-(((row - row[pixel]) / 0.2) ** 2))")],
                2: [(" / kernel.sum(axis=1)", "")],
                3: "h_y_for_a_fifth = 8 * sigma**2",
            },
            {"q1": 2, "q2": 4, "q3": 3},
        ),
        (  # the row as it came; one fifth of the variance
            {
                2: "bilateral_row = lambda row, h_x, h_y: row",
                3: "h_y_for_a_fifth = sigma * np.sqrt(2 * (np.sqrt(5) - 1))",
            },
            {"q2": 4, "q3": 3},
        ),
    ],
    "03_nonlocal_means": [
        ({1: [("np.mean", "np.sum")]}, {"q1": 3}),  # the sum for the mean
        (  # leaves itself out; one noisy patch for two
            {2: [("bandwidth**2)", "bandwidth**2)\n    kernel[6, 6] = 0")], 3: "noise_floor = sigma**2"},
            {"q2": 4, "q3": 3},
        ),
        ({2: [("np.mean", "np.sum")]}, {"q2": 4}),  # the sum for the mean: right only in the limit of a plain mean
        (  # the root of the mean; σ for h; one noise for two, as standard deviations
            {
                1: [("float(np.mean(", "np.sqrt(np.mean(")],
                2: [("bandwidth**2", "(2 * bandwidth**2)")],
                3: "noise_floor = np.sqrt(2) * sigma",
            },
            {"q1": 3, "q2": 4, "q3": 3},
        ),
        (  # patches of 3 × 3; whole patches averaged for their middles
            {
                1: [("mine - theirs", "mine[1:-1, 1:-1] - theirs[1:-1, 1:-1]")],
                2: [("image[row - 6 : row + 7, column - 6 : column + 7]", "window.mean(axis=(2, 3))")],
            },
            {"q1": 3, "q2": 4},
        ),
        (  # single pixels compared, as the bilateral filter does: right only in the limit of a plain mean
            {
                2: [
                    ("np.mean((window -", "((window[:, :, 2, 2] -"),
                    ("patches[row - 2, column - 2]) ** 2, axis=(2, 3))", "image[pixel]) ** 2)"),
                ]
            },
            {"q2": 4},
        ),
        (  # a window one pixel off the middle; the sum over the patch for the floor
            {
                2: [
                    ("row - 8 : row + 5, column - 8 : column + 5", "row - 7 : row + 6, column - 7 : column + 6"),
                    ("row - 6 : row + 7, column - 6 : column + 7", "row - 5 : row + 8, column - 5 : column + 8"),
                ],
                3: "noise_floor = 25 * 2 * sigma**2",
            },
            {"q2": 4, "q3": 3},
        ),
    ],
    "04_lark": [
        ({1: "tensor = np.cov(gradients.T)"}, {"q1": 3, "q3": 3}),  # the mean subtracted, and a mean for a sum
        ({1: "tensor = gradients.T @ gradients / len(gradients)"}, {"q1": 2, "q3": 3}),  # a mean for a sum
        (  # across instead of along, in the direction and in the lengths
            {2: [("[1][:, 0]", "[1][:, 1]")], 3: [(HALF_AXES, f"({HALF_AXES})[::-1]")]},
            {"q2": 4, "q3": 3},
        ),
        (  # rows that grow upwards: right for straight edges; eigenvalues for their roots
            {
                2: [("arctan2(down", "arctan2(-down")],
                3: [("np.sqrt(np.linalg.eigvalsh(tensor))", "np.linalg.eigvalsh(tensor)")],
            },
            {"q2": 3, "q3": 3},
        ),
        ({3: [("np.sqrt((larger", "((larger")]}, {"q3": 2}),  # no root over the scale
        # the 2 of the exponent taken into the ellipse, a list for a pair
        ({3: [(HALF_AXES, f"[2**0.5 * half for half in ({HALF_AXES})]")]}, {"q3": 2}),
        ({3: "half_axes = 2.4, 2.4"}, {"q3": 3}),  # a circle
        (  # the larger column of the tensor in place of an eigenvector: right for straight edges
            {
                2: [
                    ("np.linalg.eigh(tensor)[1][:, 0]", "tensor[:, np.argmax(np.diag(tensor))]"),
                    ("np.degrees(np.arctan2(down, right))", "(np.degrees(np.arctan2(down, right)) + 90)"),
                ]
            },
            {"q2": 3},
        ),
        ({2: [("% 180", "% 180 - 540")]}, {"q2": 4}),  # right directions, but not from 0 to 180
    ],
    "05_unified_kernel": [
        (  # columns normalised; the total variation of the sum, not half of it
            {
                1: [("axis=1, keepdims=True", "axis=0")],
                3: [(" - A", " - kernel / kernel.sum(axis=1, keepdims=True)"), (".mean() / 2", ".mean()")],
            },
            {"q1": 3, "q3": 3},
        ),
        (  # only the diagonal of Q; M = Q, without the 2
            {
                2: [("metric, differences", "np.diag(np.diag(metric)), differences")],
                3: [("[1 / 2, 1 / 2, 40]", "[1 / 4, 1 / 4, 20]")],
            },
            {"q2": 2, "q3": 3},
        ),
        (  # the inverse for Q; the keys' norms subtracted, so that nothing moves
            {2: [("metric, differences", "np.linalg.inv(metric), differences")], 3: "moved_weight = 0.0"},
            {"q2": 4, "q3": 3},
        ),
        (  # bandwidths for Q: the square is missing
            {1: [("[1 / 4, 1 / 4, 20]", "[1 / 16, 1 / 16, 400]")], 3: "moved_weight = 1.0"},
            {"q1": 2, "q3": 3},
        ),
        (  # σ for h: half of Q, and a sum in place of an average
            {
                1: [("[1 / 4, 1 / 4, 20]", "[1 / 8, 1 / 8, 10]")],
                2: [(" / kernel.sum(axis=1)", "")],
                3: [(" - A", " - kernel**2 / (kernel**2).sum(axis=1, keepdims=True)")],
            },
            {"q1": 2, "q2": 4},
        ),
        (  # the kernel, not normalised; the softmax over the queries
            {
                1: [(" / kernel.sum(axis=1, keepdims=True)", "")],
                3: [
                    ("scores.max(axis=1, keepdims=True)", "scores.max(axis=0)"),
                    ("by_product.sum(axis=1, keepdims=True)", "by_product.sum(axis=0)"),
                    (" - A", " - A / A.sum(axis=1, keepdims=True)"),
                ],
            },
            {"q1": 3, "q3": 3},
        ),
        (  # features of Cholesky's factor, which only a positive definite metric has
            {
                2: """
def unified_filter(t, y, metric):
    features = t @ np.linalg.cholesky(metric)
    kernel = np.exp(-((features[:, None] - features) ** 2).sum(axis=2))
    return kernel @ y / kernel.sum(axis=1)
"""
            },
            {"q2": 1},
        ),
        # the absolute value of the quadratic form
        ({2: [("np.einsum", "np.abs(np.einsum"), ("metric, differences)", "metric, differences))")]}, {"q2": 1}),
        (  # negative eigenvalues set to zero
            {
                2: """
def unified_filter(t, y, metric):
    eigenvalues, vectors = np.linalg.eigh(metric)
    features = t @ vectors * np.sqrt(np.maximum(eigenvalues, 0))
    kernel = np.exp(-((features[:, None] - features) ** 2).sum(axis=2))
    return kernel @ y / kernel.sum(axis=1)
"""
            },
            {"q2": 1},
        ),
    ],
    "06_attention": [
        ({2: "causal_attention = lambda queries, keys, values: values"}, {"q2": 4}),  # no attention at all
        ({1: [(" / np.sqrt(queries.shape[1])", "")]}, {"q1": 2}),  # no √d
        (  # the mask after softmax; the square of h
            {
                2: [
                    (CAUSAL.format("queries"), ""),
                    (f"kernel @ values{SOFTMAX[6:]}", f"np.tril({SOFTMAX}) @ values"),
                ],
                3: "bandwidth = 2 * np.sqrt(queries.shape[1])",
            },
            {"q2": 4, "q3": 3},
        ),
        (  # the axis of the queries; blind to the diagonal: sees 0, …, i − 1 and itself only at the start
            {
                1: [
                    ("scores.max(axis=1, keepdims=True)", "scores.max(axis=0)"),
                    ("kernel.sum(axis=1, keepdims=True)", "kernel.sum(axis=0)"),
                ],
                2: [("keepdims=True))", "keepdims=True))\n    np.fill_diagonal(kernel[1:, 1:], 0)")],
            },
            {"q1": 3, "q2": 2},
        ),
        (  # d for √d; the 2 of the mixed term forgotten
            {1: [("np.sqrt(queries.shape[1])", "queries.shape[1]")], 3: "bandwidth = queries.shape[1] ** 0.25"},
            {"q1": 2, "q3": 3},
        ),
        (  # not normalised; the mask turned around
            {
                1: "weights = np.exp(queries @ keys.T / np.sqrt(queries.shape[1]))",
                2: [("dtype=bool)", "dtype=bool).T")],
            },
            {"q1": 3, "q2": 4},
        ),
        (  # a masked score of 0 for −∞; the temperature for the bandwidth
            {2: [("-np.inf", "0")], 3: "bandwidth = np.sqrt(queries.shape[1])"},
            {"q2": 4, "q3": 3},
        ),
    ],
    "07_performer": [
        ({1: "key_features = np.exp(keys @ frequencies.T) / 8"}, {"q1": 2}),  # the norm forgotten
        (  # no denominator; the error for its square
            {2: [(" / denominator[:, None]", "")], 3: [("0.05**2", "0.05")]},
            {"q2": 4, "q3": 3},
        ),
        (  # right, and quadratic; the mean square for the variance
            {
                2: """
def linear_attention(query_features, key_features, values):
    weights = query_features @ key_features.T
    return weights @ values / weights.sum(axis=1, keepdims=True)
""",
                3: [(" - 1", "")],
            },
            {"q2": 2, "q3": 3},
        ),
        (  # quadratic, a few queries at a time; the largest pair
            {
                2: """
def linear_attention(query_features, key_features, values):
    found = []
    for start in range(0, len(query_features), 100):
        weights = query_features[start : start + 100] @ key_features.T
        found.append(weights @ values / weights.sum(axis=1, keepdims=True))
    return np.concatenate(found)
""",
                3: [("np.median", "max")],
            },
            {"q2": 2, "q3": 3},
        ),
        # a little added below the line
        ({2: [("key_features.sum(axis=0)", "key_features.sum(axis=0) + 1e-6")]}, {"q2": 2}),
        # divided by m for √m; the difference of query and key for their sum
        ({1: [("np.sqrt(64)", "64")], 3: [("q + k", "q - k")]}, {"q1": 2, "q3": 3}),
        (  # not divided by √m; divided by the number of keys
            {1: [(" / np.sqrt(64)", "")], 2: [("denominator[:, None]", "len(key_features)")]},
            {"q1": 2, "q2": 4},
        ),
        (  # the plain mean for each query; the variance of one feature forgotten
            {
                2: """
def linear_attention(query_features, key_features, values):
    return np.tile(values.mean(axis=0), (len(query_features), 1))
""",
                3: "n_features = 1 / 0.05**2",
            },
            {"q2": 4, "q3": 3},
        ),
    ],
    "08_language_model": [
        (  # not scaled; the other sign; queries and keys as the model has them
            {
                1: [(" / np.sqrt(queries.shape[1])", "")],
                2: [(f"log_probability() - {HIDDEN}", f"{HIDDEN} - log_probability()")],
                3: [(f"np.sqrt({SCALE})", "1")],
            },
            {"q1": 2, "q2": 3, "q3": 3},
        ),
        (  # divided by d; differences of probabilities; h² = √d
            {
                1: [("np.sqrt(queries.shape[1])", "queries.shape[1]")],
                2: [(f"log_probability() - {HIDDEN}", f"np.exp(log_probability()) - np.exp({HIDDEN})")],
                3: [("(2 * np.sqrt(32))", "np.sqrt(32)")],
            },
            {"q1": 2, "q2": 3, "q3": 3},
        ),
        (  # no mask; differences of logits; the whole sum of the differences
            {
                1: [(CAUSAL.format("keys"), "")],
                2: [(" - logits.max() - np.log(np.exp(logits - logits.max()).sum())", "")],
                3: [(".mean() / 2", ".mean()")],
            },
            {"q1": 3, "q2": 3, "q3": 3},
        ),
        (  # a mask of zeros in the scores; hidden from all heads; no mask of the Gaussian
            {
                1: [("-np.inf", "0")],
                2: [("{(b, h): hide", '{"all": hide')],
                3: [("np.tril(", "("), ("np.diag(distances)[:, None]", "distances.min(axis=1, keepdims=True)")],
            },
            {"q1": 3, "q2": 3, "q3": 3},
        ),
        (  # masked after the softmax; the darkest word of all, the last one too; the last word alone
            {
                1: [(CAUSAL.format("keys"), ""), (SOFTMAX, f"np.tril({SOFTMAX})")],
                2: [("-1, :-1]", "-1]")],
                3: [(".sum(axis=1).mean() / 2", "[-1].sum() / 2")],
            },
            {"q1": 3, "q2": 3, "q3": 3},
        ),
        (  # a word does not see itself; surprises that nobody subtracted; the sum over the words
            {
                1: [("len(keys), dtype", "len(keys), k=-1, dtype")],
                2: [("log_probability() - ", "-")],
                3: [(".sum(axis=1).mean()", ".sum()")],
            },
            {"q1": 3, "q2": 3, "q3": 3},
        ),
        (  # turned a second time; rows and columns changed; c is the ratio and not its root
            {
                1: [
                    ("def head", "from lib.language_model import rotate\ndef head"),
                    ("queries @ keys.T", "rotate(queries) @ rotate(keys).T"),
                ],
                2: [("falls[b, h]", "falls[h, b]")],
                3: [(f"np.sqrt({SCALE})", SCALE)],
            },
            {"q1": 2, "q2": 3, "q3": 3},
        ),
        (  # queries and keys changed; the likeliest word; a mean over pairs
            {
                1: [("queries @ keys.T", "keys @ queries.T")],
                2: [("logits[next_token]", "logits[model.run(tokens).logits[-1].argmax()]")],
                3: [(".sum(axis=1).mean()", ".mean()")],
            },
            {"q1": 2, "q2": 3, "q3": 3},
        ),
        (  # it changes its arguments; hidden from the other heads; the share that stays
            {
                1: [
                    ("    scores = queries @", "    queries /= np.sqrt(queries.shape[1])\n    scores = queries @"),
                    ("keys.T / np.sqrt(queries.shape[1])", "keys.T"),
                ],
                2: [("{(b, h): hide([darkest])}", '{"all": hide([darkest]), (b, h): "dot product"}')],
                3: [("np.abs", "1 - np.abs")],
            },
            {"q1": 3, "q2": 3, "q3": 3},
        ),
        (  # the function of the package; the word just before; the scale upside down
            {
                1: """
from lib.language_model import KERNELS
from lib.language_model import head_weights as theirs
head_weights = lambda queries, keys: theirs(queries, keys, KERNELS["dot product"])
""",
                2: [("run.weights[b, h, -1, :-1].argmax()", "len(tokens) - 2")],
                3: [(SCALE, f"(1 / {SCALE})")],
            },
            {"q1": 3, "q2": 3, "q3": 3},
        ),
        (  # words counted modulo 50
            {
                1: [
                    ("np.tri(len(keys), dtype=bool)", "places[:, None] >= places"),
                    ("    scores = queries", "    places = np.arange(len(keys)) % 50\n    scores = queries"),
                ]
            },
            {"q1": 3},
        ),
        ({1: [("queries.shape[1]", "32")]}, {"q1": 1}),  # √d of this model alone
    ],
    "09_diffusion": [
        (  # σ² for 2σ²; the step for the gradient; the share of variances; mean squares without their root
            {
                1: [("2 * 5**2", "5**2")],
                2: [OWN_WEIGHTS, (" / 5**2", "")],
                3: [("next_level / level *", "(next_level / level) ** 2 *")],
                4: [("np.sqrt", "float")],
            },
            {"q1": 2, "q2": 2, "q3": 2, "q4": 2},
        ),
        (  # the nearest picture alone; the other sign; the share of the way exchanged; sides for radii
            {
                1: [("np.exp(-(squares - squares.min()) / (2 * 5**2))", "1.0 * (squares == squares.min())")],
                2: [OWN_WEIGHTS, ("guess - noisy", "noisy - guess")],
                3: [(STEP, "noisy + next_level / level * (guess - noisy)")],
                4: [("None, 1, 6", "None, 3, 13")],
            },
            {"q1": 2, "q2": 2, "q3": 2, "q4": 2},
        ),
        (  # kernels that nobody divided; divided by σ; the last noisy picture; distances to the known pictures
            {
                1: [(" - squares.min()", ""), ("weights /= weights.sum()", "")],
                2: [OWN_WEIGHTS, (" / 5**2", " / 5")],
                3: [
                    ("levels, [*levels[1:], 0.0], strict=True", "levels[:-1], levels[1:]"),
                    ("return guess", "return noisy"),
                ],
                4: [(ROOT, "min(np.sqrt(np.mean((guess - each) ** 2)) for each in pictures)")],
            },
            {"q1": 3, "q2": 2, "q3": 3, "q4": 2},
        ),
        (  # the mean over the pixels; weights of half the width; each step to the guess; the variance for σ
            {
                1: [(".sum(axis=(1, 2))", ".mean(axis=(1, 2))")],
                2: [OWN_WEIGHTS, ("2 * 5**2", "5**2")],
                3: [(STEP, "guess")],
                4: [("pictures, 0.5", "pictures, 0.25")],
            },
            {"q1": 2, "q2": 2, "q3": 2, "q4": 2},
        ),
        (  # memory without a walk: the nearest known picture, and errors from the noisy digit
            {
                3: """
def generate(start, pictures, levels):
    return pictures[((start - pictures) ** 2).sum(axis=(1, 2)).argmin()]
""",
                4: [("guess - unseen", "guess - unseen - 0.5 * noise")],
            },
            {"q3": 2, "q4": 2},
        ),
    ],
}

RIGHT_SUBMISSIONS = {
    "07_performer": [
        {  # four digits, another order of the products, a whole number of features
            1: """
exponents = np.einsum("kd,md->km", keys, frequencies) - np.sum(np.square(keys), axis=1)[:, None] / 2
key_features = [[float(f"{np.exp(each) / 8:.4g}") for each in row] for row in exponents]
""",
            2: """
def linear_attention(query_features, key_features, values):
    with_one = np.column_stack([values, np.ones(len(values))])
    sums = np.einsum("kc,km->mc", with_one, key_features)
    totals = np.dot(query_features, sums)
    return totals[:, :-1] / totals[:, -1:]
""",
            3: """
sums = np.sum((queries[:, None] + keys[None]) ** 2, axis=-1)
n_features = int(np.ceil(400 * (np.exp(np.median(sums)) - 1)))
""",
        },
    ],
    "08_language_model": [
        {
            1: """
from scipy import special
def head_weights(queries, keys):
    scores = np.einsum("ia,ja->ij", queries, keys) / len(queries[0]) ** 0.5
    return special.softmax(scores + np.triu(np.full(scores.shape, -800.0), 1), axis=1)
""",
            2: """
from scipy.special import log_softmax
known = log_softmax(model.run(tokens).logits[-1])[next_token]
falls = []
for b, h in np.ndindex(4, 4):
    place = np.argsort(run.weights[b, h, -1, :-1])[-1]
    falls.append(known - log_softmax(model.run(tokens, {(b, h): hide([place])}).logits[-1])[next_token])
falls = np.reshape(falls, (4, 4)).round(4).tolist()
""",
            3: """
from lib.weights import softmax
ratio = np.sqrt((keys**2).mean() / (queries**2).mean())
log_weights = (queries @ keys.T - (keys**2).sum(axis=1) / (2 * ratio)) / 32**0.5
gaussian = softmax(np.where(np.tri(len(keys), dtype=bool), log_weights, -np.inf))
moved = round(1 - np.minimum(gaussian, run.weights[block, head]).sum(axis=1).mean(), 4)
""",
        },
        {
            1: """
def head_weights(queries, keys):
    rows = []
    for i in range(len(queries)):
        kernel = [np.exp(queries[i] @ keys[j] / np.sqrt(len(keys[j]))) for j in range(i + 1)]
        rows.append([each / sum(kernel) for each in kernel] + [0.0] * (len(keys) - i - 1))
    return np.round(rows, 4)
""",
            2: """
def surprise(b, h):
    whole = np.append(tokens, next_token)
    place = run.weights[b, h, -1][:-1].argmax()
    before, after = (model.loss(whole, kernels) * len(tokens) for kernels in (None, {(b, h): hide([place])}))
    shorter = whole[:-1]
    before -= model.loss(shorter) * (len(tokens) - 1)
    after -= model.loss(shorter, {(b, h): hide([place])}) * (len(tokens) - 1)
    return after - before
falls = np.array([[surprise(b, h) for h in range(4)] for b in range(4)])
""",
        },
    ],
    "09_diffusion": [
        {  # other tools for the same numbers
            1: """
from lib.weights import softmax
noisy = unseen + 5 * noise
weights = list(softmax([-np.linalg.norm(noisy - picture) ** 2 / 50 for picture in pictures]))
""",
            2: "uphill = ((np.einsum('i,ijk', weights, pictures) - noisy) / 25).tolist()",
            3: """
from scipy.special import softmax as shares
def generate(start, pictures, levels):
    known = np.reshape(pictures, (len(pictures), -1))
    q = np.ravel(start)
    for level, following in zip(levels, list(levels[1:]) + [1e-300]):
        guess = shares(-np.square(known - q).sum(axis=1) / (2 * level**2)) @ known
        q = q + (1 - following / level) * (guess - q)
    return q.reshape(np.shape(start))
""",
            4: """
import lib.diffusion
from skimage.metrics import mean_squared_error
noisy = unseen + noise / 2
errors = np.array([mean_squared_error(unseen, lib.diffusion.denoise(noisy, pictures, 0.5))] + [
    mean_squared_error(unseen, lib.diffusion.denoise(noisy, pictures, 0.5, r)) for r in (1, 6)
]) ** 0.5
""",
        },
        {  # a sum of distances without their common part, and a walk that calls itself
            1: """
noisy = unseen + 5 * noise
alike = np.tensordot(pictures, noisy, axes=2) - (pictures**2).sum(axis=(1, 2)) / 2
weights = np.exp((alike - alike.max()) / 25)
weights = weights / weights.sum()
""",
            2: "uphill = sum(w * (picture - noisy) for w, picture in zip(weights, pictures)) / 25",
            3: """
def generate(start, pictures, levels):
    squares = ((start - pictures) ** 2).sum((1, 2))
    kernel = np.exp((squares.min() - squares) / 2 / levels[0] ** 2)
    guess = np.average(pictures, axis=0, weights=kernel)
    if len(levels) == 1:
        return guess
    return generate(guess + levels[1] / levels[0] * (start - guess), pictures, levels[1:])
""",
        },
    ],
}
