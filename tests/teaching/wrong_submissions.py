"""Submissions by assignment: plausible wrong ones, with the points each question loses, and right ones.

Each is the answers that replace those of the solution, by the number of the question.
"""

WRONG_SUBMISSIONS = {
    "01_nadaraya_watson": [
        (  # σ for h
            {
                1: "w = np.exp(-(((2 - keys) / 0.5) ** 2) / 2)\nestimate_at_2 = w @ values / w.sum()",
            },
            {"q1": 2},
        ),
        (  # the error on the training data, which chooses the smallest bandwidth
            {
                2: """
def leave_one_out_error(keys, values, bandwidth):
    kernel = np.exp(-(((keys[:, None] - keys) / bandwidth) ** 2))
    return np.mean((values - kernel @ values / kernel.sum(axis=1)) ** 2)
""",
            },
            {"q2": 4, "q3": 3},
        ),
        (  # the root of the mean, which has its smallest value at the same place; and a sum for an average
            {
                1: "estimate_at_2 = np.exp(-(((2 - keys) / 0.5) ** 2)) @ values",
                2: """
def leave_one_out_error(keys, values, bandwidth):
    kernel = np.exp(-(((keys[:, None] - keys) / bandwidth) ** 2))
    np.fill_diagonal(kernel, 0)
    return np.sqrt(np.mean((values - kernel @ values / kernel.sum(axis=1)) ** 2))
""",
            },
            {"q1": 3, "q2": 4},
        ),
        (  # the own key left out of the values but not of the weights; the first candidate without a comparison
            {
                2: """
def leave_one_out_error(keys, values, bandwidth):
    kernel = np.exp(-(((keys[:, None] - keys) / bandwidth) ** 2))
    total = kernel.sum(axis=1)
    np.fill_diagonal(kernel, 0)
    return np.mean((values - kernel @ values / total) ** 2)
""",
                3: "candidates = np.arange(1, 31) / 20\nbest_bandwidth = candidates[0]",
            },
            {"q2": 4, "q3": 3},
        ),
        (  # the mean of all values; the largest candidate
            {
                1: "estimate_at_2 = values.mean()",
                3: "candidates = np.arange(1, 31) / 20\nbest_bandwidth = candidates[-1]",
            },
            {"q1": 3, "q3": 3},
        ),
        (  # the value of the nearest key; the sum of squares for their mean
            {
                1: "estimate_at_2 = values[np.argmin(np.abs(keys - 2))]",
                2: """
def leave_one_out_error(keys, values, bandwidth):
    kernel = np.exp(-(((keys[:, None] - keys) / bandwidth) ** 2))
    np.fill_diagonal(kernel, 0)
    return np.sum((values - kernel @ values / kernel.sum(axis=1)) ** 2)
""",
            },
            {"q1": 2, "q2": 4},
        ),
    ],
    "02_bilateral": [
        (  # not normalised
            {
                1: """
x, y = (np.arange(80) - pixel) / 3, (row - row[pixel]) / 0.2
bilateral_weights = np.exp(-(x**2) - y**2)
"""
            },
            {"q1": 3},
        ),
        (  # the sum of two kernels instead of their product: wide in values, it is no blur
            {
                2: """
def bilateral_row(row, h_x, h_y):
    x = np.arange(len(row))
    kernel = np.exp(-(((x[:, None] - x) / h_x) ** 2)) + np.exp(-(((row[:, None] - row) / h_y) ** 2))
    return kernel @ row / kernel.sum(axis=1)
""",
                3: "h_y_for_a_fifth = 2 * sigma",  # the 2 of 2σ² forgotten
            },
            {"q2": 4, "q3": 3},
        ),
        (  # σ for h in both
            {
                1: """
kernel = np.exp(-((np.arange(80) - pixel) ** 2) / 18 - (row - row[pixel]) ** 2 / 0.08)
bilateral_weights = kernel / kernel.sum()
""",
                2: """
def bilateral_row(row, h_x, h_y):
    x = np.arange(len(row))
    kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h_x**2) - (row[:, None] - row) ** 2 / (2 * h_y**2))
    return kernel @ row / kernel.sum(axis=1)
""",
            },
            {"q1": 2, "q2": 4},
        ),
        (  # by position alone; the pixel itself left out; one fifth of the noise removed
            {
                1: """
kernel = np.exp(-(((np.arange(80) - pixel) / 3) ** 2))
bilateral_weights = kernel / kernel.sum()
""",
                2: """
def bilateral_row(row, h_x, h_y):
    x = np.arange(len(row))
    kernel = np.exp(-(((x[:, None] - x) / h_x) ** 2) - ((row[:, None] - row) / h_y) ** 2)
    np.fill_diagonal(kernel, 0)
    return kernel @ row / kernel.sum(axis=1)
""",
                3: "h_y_for_a_fifth = sigma / np.sqrt(2)",
            },
            {"q1": 2, "q2": 4, "q3": 3},
        ),
        (  # the kernels added; not normalised; the root forgotten
            {
                1: """
x, y = (np.arange(80) - pixel) / 3, (row - row[pixel]) / 0.2
kernel = np.exp(-(x**2)) + np.exp(-(y**2))
bilateral_weights = kernel / kernel.sum()
""",
                2: """
def bilateral_row(row, h_x, h_y):
    x = np.arange(len(row))
    return np.exp(-(((x[:, None] - x) / h_x) ** 2) - ((row[:, None] - row) / h_y) ** 2) @ row
""",
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
        (  # the sum for the mean
            {
                1: """
(row, column), (other_row, other_column) = pixel, other
mine = image[row - 2 : row + 3, column - 2 : column + 3]
theirs = image[other_row - 2 : other_row + 3, other_column - 2 : other_column + 3]
patch_distance = np.sum((mine - theirs) ** 2)
""",
            },
            {"q1": 3},
        ),
        (  # leaves itself out; one noisy patch for two
            {
                2: """
def nonlocal_means_at(image, pixel, bandwidth):
    row, column = pixel
    patches = np.lib.stride_tricks.sliding_window_view(image, (5, 5))
    window = patches[row - 8 : row + 5, column - 8 : column + 5]
    kernel = np.exp(-np.mean((window - patches[row - 2, column - 2]) ** 2, axis=(2, 3)) / bandwidth**2)
    kernel[6, 6] = 0
    return (kernel * image[row - 6 : row + 7, column - 6 : column + 7]).sum() / kernel.sum()
""",
                3: "noise_floor = sigma**2",
            },
            {"q2": 4, "q3": 3},
        ),
        (  # the sum for the mean in the filter: right only in the limit of a plain mean
            {
                2: """
def nonlocal_means_at(image, pixel, bandwidth):
    row, column = pixel
    patches = np.lib.stride_tricks.sliding_window_view(image, (5, 5))
    window = patches[row - 8 : row + 5, column - 8 : column + 5]
    kernel = np.exp(-np.sum((window - patches[row - 2, column - 2]) ** 2, axis=(2, 3)) / bandwidth**2)
    return (kernel * image[row - 6 : row + 7, column - 6 : column + 7]).sum() / kernel.sum()
""",
            },
            {"q2": 4},
        ),
        (  # the root of the mean; σ for h; one noise for two, as standard deviations
            {
                1: """
(row, column), (other_row, other_column) = pixel, other
mine = image[row - 2 : row + 3, column - 2 : column + 3]
theirs = image[other_row - 2 : other_row + 3, other_column - 2 : other_column + 3]
patch_distance = np.sqrt(np.mean((mine - theirs) ** 2))
""",
                2: """
def nonlocal_means_at(image, pixel, bandwidth):
    row, column = pixel
    patches = np.lib.stride_tricks.sliding_window_view(image, (5, 5))
    window = patches[row - 8 : row + 5, column - 8 : column + 5]
    distances = np.mean((window - patches[row - 2, column - 2]) ** 2, axis=(2, 3))
    kernel = np.exp(-distances / (2 * bandwidth**2))
    return (kernel * image[row - 6 : row + 7, column - 6 : column + 7]).sum() / kernel.sum()
""",
                3: "noise_floor = np.sqrt(2) * sigma",
            },
            {"q1": 3, "q2": 4, "q3": 3},
        ),
        (  # patches of 3 × 3; whole patches averaged for their middles
            {
                1: """
(row, column), (other_row, other_column) = pixel, other
mine = image[row - 1 : row + 2, column - 1 : column + 2]
theirs = image[other_row - 1 : other_row + 2, other_column - 1 : other_column + 2]
patch_distance = np.mean((mine - theirs) ** 2)
""",
                2: """
def nonlocal_means_at(image, pixel, bandwidth):
    row, column = pixel
    patches = np.lib.stride_tricks.sliding_window_view(image, (5, 5))
    window = patches[row - 8 : row + 5, column - 8 : column + 5]
    kernel = np.exp(-np.mean((window - patches[row - 2, column - 2]) ** 2, axis=(2, 3)) / bandwidth**2)
    return (kernel * window.mean(axis=(2, 3))).sum() / kernel.sum()
""",
            },
            {"q1": 3, "q2": 4},
        ),
        (  # single pixels compared, as the bilateral filter does: right only in the limit of a plain mean
            {
                2: """
def nonlocal_means_at(image, pixel, bandwidth):
    row, column = pixel
    window = image[row - 6 : row + 7, column - 6 : column + 7]
    kernel = np.exp(-((window - image[pixel]) ** 2) / bandwidth**2)
    return (kernel * window).sum() / kernel.sum()
""",
            },
            {"q2": 4},
        ),
        (  # a window one pixel off the middle; the sum over the patch for the floor
            {
                2: """
def nonlocal_means_at(image, pixel, bandwidth):
    row, column = pixel
    patches = np.lib.stride_tricks.sliding_window_view(image, (5, 5))
    window = patches[row - 7 : row + 6, column - 7 : column + 6]
    kernel = np.exp(-np.mean((window - patches[row - 2, column - 2]) ** 2, axis=(2, 3)) / bandwidth**2)
    return (kernel * image[row - 5 : row + 8, column - 5 : column + 8]).sum() / kernel.sum()
""",
                3: "noise_floor = 25 * 2 * sigma**2",
            },
            {"q2": 4, "q3": 3},
        ),
    ],
    "04_lark": [
        ({1: "tensor = np.cov(gradients.T)"}, {"q1": 3, "q3": 3}),  # the mean subtracted, and a mean for a sum
        ({1: "tensor = gradients.T @ gradients / len(gradients)"}, {"q1": 2, "q3": 3}),  # a mean for a sum
        (  # across instead of along, in the direction and in the lengths
            {
                2: """
def direction_of_edge(tensor):
    down, right = np.linalg.eigh(tensor)[1][:, 1]
    return np.degrees(np.arctan2(down, right)) % 180
""",
                3: """
smaller, larger = np.sqrt(np.linalg.eigvalsh(tensor))
elongation, scale = (larger + 1) / (smaller + 1), np.sqrt((larger * smaller + 1e-7) / 81)
half_axes = 2.4 / np.sqrt(elongation * scale), 2.4 * np.sqrt(elongation / scale)
""",
            },
            {"q2": 4, "q3": 3},
        ),
        (  # rows that grow upwards: right for straight edges; eigenvalues for their roots
            {
                2: """
def direction_of_edge(tensor):
    down, right = np.linalg.eigh(tensor)[1][:, 0]
    return np.degrees(np.arctan2(-down, right)) % 180
""",
                3: """
smaller, larger = np.linalg.eigvalsh(tensor)
elongation, scale = (larger + 1) / (smaller + 1), np.sqrt((larger * smaller + 1e-7) / 81)
half_axes = 2.4 * np.sqrt(elongation / scale), 2.4 / np.sqrt(elongation * scale)
""",
            },
            {"q2": 3, "q3": 3},
        ),
        (  # no root over the scale
            {
                3: """
smaller, larger = np.sqrt(np.linalg.eigvalsh(tensor))
elongation, scale = (larger + 1) / (smaller + 1), (larger * smaller + 1e-7) / 81
half_axes = 2.4 * np.sqrt(elongation / scale), 2.4 / np.sqrt(elongation * scale)
""",
            },
            {"q3": 2},
        ),
        (  # the 2 of the exponent taken into the ellipse, a list for a pair
            {
                3: """
smaller, larger = np.sqrt(np.linalg.eigvalsh(tensor))
elongation, scale = (larger + 1) / (smaller + 1), np.sqrt((larger * smaller + 1e-7) / 81)
half_axes = [2**0.5 * 2.4 * np.sqrt(elongation / scale), 2**0.5 * 2.4 / np.sqrt(elongation * scale)]
""",
            },
            {"q3": 2},
        ),
        ({3: "half_axes = 2.4, 2.4"}, {"q3": 3}),  # a circle
        (  # the larger column of the tensor in place of an eigenvector: right for straight edges
            {
                2: """
def direction_of_edge(tensor):
    down, right = tensor[:, np.argmax(np.diag(tensor))]
    return (np.degrees(np.arctan2(down, right)) + 90) % 180
""",
            },
            {"q2": 3},
        ),
        (  # right directions, but not from 0 to 180
            {
                2: """
def direction_of_edge(tensor):
    down, right = np.linalg.eigh(tensor)[1][:, 0]
    return np.degrees(np.arctan2(down, right)) % 180 - 540
""",
            },
            {"q2": 4},
        ),
    ],
    "05_unified_kernel": [
        (  # columns normalised; the total variation of the sum, not half of it
            {
                1: """
t = np.hstack([positions, values])
differences = t[:, None] - t
kernel = np.exp(-np.einsum("ijk,k,ijk->ij", differences, np.array([1 / 4, 1 / 4, 20]), differences))
A = kernel / kernel.sum(axis=0)
""",
                3: """
scores = t @ np.diag([1 / 2, 1 / 2, 40]) @ t.T
by_product = np.exp(scores - scores.max(axis=1, keepdims=True))
by_product /= by_product.sum(axis=1, keepdims=True)
moved_weight = np.abs(by_product - kernel / kernel.sum(axis=1, keepdims=True)).sum(axis=1).mean()
""",
            },
            {"q1": 3, "q3": 3},
        ),
        (  # only the diagonal of Q; M = Q, without the 2
            {
                2: """
def unified_filter(t, y, metric):
    kernel = np.exp(-(((t[:, None] - t) ** 2) @ np.diag(metric)))
    return kernel @ y / kernel.sum(axis=1)
""",
                3: """
scores = t @ np.diag([1 / 4, 1 / 4, 20]) @ t.T
by_product = np.exp(scores - scores.max(axis=1, keepdims=True))
by_product /= by_product.sum(axis=1, keepdims=True)
moved_weight = np.abs(by_product - A).sum(axis=1).mean() / 2
""",
            },
            {"q2": 2, "q3": 3},
        ),
        (  # the inverse for Q; the keys' norms subtracted, so that nothing moves
            {
                2: """
def unified_filter(t, y, metric):
    d = t[:, None] - t
    kernel = np.exp(-np.einsum("ijk,kl,ijl->ij", d, np.linalg.inv(metric), d))
    return kernel @ y / kernel.sum(axis=1)
""",
                3: "moved_weight = 0.0",
            },
            {"q2": 4, "q3": 3},
        ),
        (  # bandwidths for Q: the square is missing
            {
                1: """
t = np.hstack([positions, values])
differences = t[:, None] - t
kernel = np.exp(-np.einsum("ijk,k,ijk->ij", differences, np.array([1 / 16, 1 / 16, 400]), differences))
A = kernel / kernel.sum(axis=1, keepdims=True)
""",
                3: "moved_weight = 1.0",
            },
            {"q1": 2, "q3": 3},
        ),
        (  # σ for h: half of Q, and a sum in place of an average
            {
                1: """
t = np.hstack([positions, values])
differences = t[:, None] - t
kernel = np.exp(-np.einsum("ijk,k,ijk->ij", differences, np.array([1 / 8, 1 / 8, 10]), differences))
A = kernel / kernel.sum(axis=1, keepdims=True)
""",
                2: """
def unified_filter(t, y, metric):
    d = t[:, None] - t
    return np.exp(-np.einsum("ijk,kl,ijl->ij", d, metric, d)) @ y
""",
                3: """
scores = t @ np.diag([1 / 2, 1 / 2, 40]) @ t.T
by_product = np.exp(scores - scores.max(axis=1, keepdims=True))
by_product /= by_product.sum(axis=1, keepdims=True)
right = np.exp(2 * np.log(np.maximum(kernel, 1e-300)))
moved_weight = np.abs(by_product - right / right.sum(axis=1, keepdims=True)).sum(axis=1).mean() / 2
""",
            },
            {"q1": 2, "q2": 4},
        ),
        (  # the kernel, not normalised; the softmax over the queries
            {
                1: """
t = np.hstack([positions, values])
differences = t[:, None] - t
A = np.exp(-np.einsum("ijk,k,ijk->ij", differences, np.array([1 / 4, 1 / 4, 20]), differences))
""",
                3: """
scores = t @ np.diag([1 / 2, 1 / 2, 40]) @ t.T
by_product = np.exp(scores - scores.max(axis=0))
by_product /= by_product.sum(axis=0)
moved_weight = np.abs(by_product - A / A.sum(axis=1, keepdims=True)).sum(axis=1).mean() / 2
""",
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
        (  # the absolute value of the quadratic form
            {
                2: """
def unified_filter(t, y, metric):
    d = t[:, None] - t
    kernel = np.exp(-np.abs(np.einsum("ijk,kl,ijl->ij", d, metric, d)))
    return kernel @ y / kernel.sum(axis=1)
"""
            },
            {"q2": 1},
        ),
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
        (  # no attention at all
            {2: "def causal_attention(queries, keys, values):\n    return values"},
            {"q2": 4},
        ),
        (  # no √d
            {1: "kernel = np.exp(queries @ keys.T)\nweights = kernel / kernel.sum(axis=1, keepdims=True)"},
            {"q1": 2},
        ),
        (  # the mask after softmax
            {
                2: """
def causal_attention(queries, keys, values):
    kernel = np.exp(queries @ keys.T / np.sqrt(queries.shape[1]))
    return np.tril(kernel / kernel.sum(axis=1, keepdims=True)) @ values
""",
                3: "bandwidth = 2 * np.sqrt(queries.shape[1])",  # the square of h
            },
            {"q2": 4, "q3": 3},
        ),
        (  # the axis of the queries; blind to the diagonal: sees 0, …, i − 1 and itself only at the start
            {
                1: """
kernel = np.exp(queries @ keys.T / np.sqrt(queries.shape[1]))
weights = kernel / kernel.sum(axis=0)
""",
                2: """
def causal_attention(queries, keys, values):
    kernel = np.tril(np.exp(queries @ keys.T / np.sqrt(queries.shape[1])), -1)
    kernel[0, 0] = 1
    return kernel @ values / kernel.sum(axis=1, keepdims=True)
""",
            },
            {"q1": 3, "q2": 2},
        ),
        (  # d for √d; the 2 of the mixed term forgotten
            {
                1: """
kernel = np.exp(queries @ keys.T / queries.shape[1])
weights = kernel / kernel.sum(axis=1, keepdims=True)
""",
                3: "bandwidth = queries.shape[1] ** 0.25",
            },
            {"q1": 2, "q3": 3},
        ),
        (  # not normalised; the mask turned around
            {
                1: "weights = np.exp(queries @ keys.T / np.sqrt(queries.shape[1]))",
                2: """
def causal_attention(queries, keys, values):
    kernel = np.triu(np.exp(queries @ keys.T / np.sqrt(queries.shape[1])))
    return kernel @ values / kernel.sum(axis=1, keepdims=True)
""",
            },
            {"q1": 3, "q2": 4},
        ),
        (  # a masked score of 0 for −∞; the temperature for the bandwidth
            {
                2: """
def causal_attention(queries, keys, values):
    kernel = np.exp(np.tril(queries @ keys.T / np.sqrt(queries.shape[1])))
    return kernel @ values / kernel.sum(axis=1, keepdims=True)
""",
                3: "bandwidth = np.sqrt(queries.shape[1])",
            },
            {"q2": 4, "q3": 3},
        ),
    ],
    "07_performer": [
        ({1: "key_features = np.exp(keys @ frequencies.T) / 8"}, {"q1": 2}),  # the norm forgotten
        (  # no denominator; the error for its square
            {
                2: """
def linear_attention(query_features, key_features, values):
    return query_features @ (key_features.T @ values)
""",
                3: """
sums = [((q + k) ** 2).sum() for q in queries for k in keys]
n_features = np.expm1(np.median(sums)) / 0.05
""",
            },
            {"q2": 4, "q3": 3},
        ),
        (  # right, and quadratic; the mean square for the variance
            {
                2: """
def linear_attention(query_features, key_features, values):
    weights = query_features @ key_features.T
    return weights @ values / weights.sum(axis=1, keepdims=True)
""",
                3: """
sums = [np.sum((q + k) ** 2) for q in queries for k in keys]
n_features = np.exp(np.median(sums)) / 0.05**2
""",
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
                3: "n_features = np.expm1(max(np.sum((q + k) ** 2) for q in queries for k in keys)) / 0.05**2",
            },
            {"q2": 2, "q3": 3},
        ),
        (  # a little added below the line
            {
                2: """
def linear_attention(query_features, key_features, values):
    below = query_features @ key_features.sum(axis=0) + 1e-6
    return query_features @ (key_features.T @ values) / below[:, None]
""",
            },
            {"q2": 2},
        ),
        (  # divided by m for √m; the difference of query and key for their sum
            {
                1: "key_features = np.exp(keys @ frequencies.T - (keys**2).sum(axis=1, keepdims=True) / 2) / 64",
                3: """
middle = np.median([np.sum((q - k) ** 2) for q in queries for k in keys])
n_features = np.expm1(middle) / 0.05**2
""",
            },
            {"q1": 2, "q3": 3},
        ),
        (  # not divided by √m; divided by the number of keys
            {
                1: "key_features = np.exp(keys @ frequencies.T - (keys**2).sum(axis=1, keepdims=True) / 2)",
                2: """
def linear_attention(query_features, key_features, values):
    return query_features @ (key_features.T @ values) / len(key_features)
""",
            },
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
                1: """
def head_weights(queries, keys):
    scores = np.where(np.tri(len(keys), dtype=bool), queries @ keys.T, -np.inf)
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
                2: """
def log_probability(kernels=None):
    logits = model.run(tokens, kernels).logits[-1]
    return logits[next_token] - np.log(np.exp(logits).sum())
falls = np.zeros((4, 4))
for b in range(4):
    for h in range(4):
        place = int(run.weights[b, h, -1, :-1].argmax())
        falls[b, h] = log_probability({(b, h): hide([place])}) - log_probability()
""",
                3: """
c = 1
distances = np.sum((c * queries[:, None] - keys / c) ** 2, axis=2)
gaussian = np.tril(np.exp(-(distances - np.diag(distances)[:, None]) / (2 * np.sqrt(32))))
gaussian /= gaussian.sum(axis=1, keepdims=True)
moved = np.abs(run.weights[block, head] - gaussian).sum(axis=1).mean() / 2
""",
            },
            {"q1": 2, "q2": 3, "q3": 3},
        ),
        (  # divided by d; differences of probabilities; h² = √d
            {
                1: """
def head_weights(queries, keys):
    scores = np.where(np.tri(len(keys), dtype=bool), queries @ keys.T / queries.shape[1], -np.inf)
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
                2: """
def log_probability(kernels=None):
    logits = model.run(tokens, kernels).logits[-1]
    return np.exp(logits[next_token]) / np.exp(logits).sum()
falls = np.zeros((4, 4))
for b in range(4):
    for h in range(4):
        place = int(run.weights[b, h, -1, :-1].argmax())
        falls[b, h] = log_probability() - log_probability({(b, h): hide([place])})
""",
                3: """
c = np.sqrt(np.sqrt(np.mean(keys**2) / np.mean(queries**2)))
distances = np.sum((c * queries[:, None] - keys / c) ** 2, axis=2)
gaussian = np.tril(np.exp(-(distances - np.diag(distances)[:, None]) / np.sqrt(32)))
gaussian /= gaussian.sum(axis=1, keepdims=True)
moved = np.abs(run.weights[block, head] - gaussian).sum(axis=1).mean() / 2
""",
            },
            {"q1": 2, "q2": 3, "q3": 3},
        ),
        (  # no mask; differences of logits; the whole sum of the differences
            {
                1: """
def head_weights(queries, keys):
    scores = queries @ keys.T / np.sqrt(queries.shape[1])
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
                2: """
def log_probability(kernels=None):
    logits = model.run(tokens, kernels).logits[-1]
    return logits[next_token]
falls = np.zeros((4, 4))
for b in range(4):
    for h in range(4):
        place = int(run.weights[b, h, -1, :-1].argmax())
        falls[b, h] = log_probability() - log_probability({(b, h): hide([place])})
""",
                3: """
c = np.sqrt(np.sqrt(np.mean(keys**2) / np.mean(queries**2)))
distances = np.sum((c * queries[:, None] - keys / c) ** 2, axis=2)
gaussian = np.tril(np.exp(-(distances - np.diag(distances)[:, None]) / (2 * np.sqrt(32))))
gaussian /= gaussian.sum(axis=1, keepdims=True)
moved = np.abs(run.weights[block, head] - gaussian).sum(axis=1).mean()
""",
            },
            {"q1": 3, "q2": 3, "q3": 3},
        ),
        (  # a mask of zeros in the scores; hidden from all heads; no mask of the Gaussian
            {
                1: """
def head_weights(queries, keys):
    scores = np.tril(queries @ keys.T / np.sqrt(queries.shape[1]))
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
                2: """
def log_probability(kernels=None):
    logits = model.run(tokens, kernels).logits[-1]
    return logits[next_token] - np.log(np.exp(logits).sum())
falls = np.zeros((4, 4))
for b in range(4):
    for h in range(4):
        place = int(run.weights[b, h, -1, :-1].argmax())
        falls[b, h] = log_probability() - log_probability({"all": hide([place])})
""",
                3: """
c = np.sqrt(np.sqrt(np.mean(keys**2) / np.mean(queries**2)))
distances = np.sum((c * queries[:, None] - keys / c) ** 2, axis=2)
gaussian = np.exp(-(distances - distances.min(axis=1, keepdims=True)) / (2 * np.sqrt(32)))
gaussian /= gaussian.sum(axis=1, keepdims=True)
moved = np.abs(run.weights[block, head] - gaussian).sum(axis=1).mean() / 2
""",
            },
            {"q1": 3, "q2": 3, "q3": 3},
        ),
        (  # masked after the softmax; the darkest word of all, the last one too; the last word alone
            {
                1: """
def head_weights(queries, keys):
    scores = queries @ keys.T / np.sqrt(queries.shape[1])
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.tril(kernel / kernel.sum(axis=1, keepdims=True))
""",
                2: """
def log_probability(kernels=None):
    logits = model.run(tokens, kernels).logits[-1]
    return logits[next_token] - np.log(np.exp(logits).sum())
falls = np.zeros((4, 4))
for b in range(4):
    for h in range(4):
        place = int(run.weights[b, h, -1].argmax())
        falls[b, h] = log_probability() - log_probability({(b, h): hide([place])})
""",
                3: """
c = np.sqrt(np.sqrt(np.mean(keys**2) / np.mean(queries**2)))
distances = np.sum((c * queries[:, None] - keys / c) ** 2, axis=2)
gaussian = np.tril(np.exp(-(distances - np.diag(distances)[:, None]) / (2 * np.sqrt(32))))
gaussian /= gaussian.sum(axis=1, keepdims=True)
moved = np.abs(run.weights[block, head] - gaussian)[-1].sum() / 2
""",
            },
            {"q1": 3, "q2": 3, "q3": 3},
        ),
        (  # a word does not see itself; surprises that nobody subtracted; the sum over the words
            {
                1: """
def head_weights(queries, keys):
    scores = np.where(np.tri(len(keys), k=-1, dtype=bool), queries @ keys.T / np.sqrt(queries.shape[1]), -np.inf)
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
                2: """
def log_probability(kernels=None):
    logits = model.run(tokens, kernels).logits[-1]
    return logits[next_token] - np.log(np.exp(logits).sum())
falls = np.zeros((4, 4))
for b in range(4):
    for h in range(4):
        place = int(run.weights[b, h, -1, :-1].argmax())
        falls[b, h] = -log_probability({(b, h): hide([place])})
""",
                3: """
c = np.sqrt(np.sqrt(np.mean(keys**2) / np.mean(queries**2)))
distances = np.sum((c * queries[:, None] - keys / c) ** 2, axis=2)
gaussian = np.tril(np.exp(-(distances - np.diag(distances)[:, None]) / (2 * np.sqrt(32))))
gaussian /= gaussian.sum(axis=1, keepdims=True)
moved = np.abs(run.weights[block, head] - gaussian).sum() / 2
""",
            },
            {"q1": 3, "q2": 3, "q3": 3},
        ),
        (  # turned a second time; rows and columns changed; c is the ratio and not its root
            {
                1: """
from lib.language_model import rotate
def head_weights(queries, keys):
    scores = rotate(queries) @ rotate(keys).T / np.sqrt(queries.shape[1])
    scores = np.where(np.tri(len(keys), dtype=bool), scores, -np.inf)
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
                2: """
def log_probability(kernels=None):
    logits = model.run(tokens, kernels).logits[-1]
    return logits[next_token] - np.log(np.exp(logits).sum())
falls = np.zeros((4, 4))
for b in range(4):
    for h in range(4):
        place = int(run.weights[b, h, -1, :-1].argmax())
        falls[h, b] = log_probability() - log_probability({(b, h): hide([place])})
""",
                3: """
c = np.sqrt(np.mean(keys**2) / np.mean(queries**2))
distances = np.sum((c * queries[:, None] - keys / c) ** 2, axis=2)
gaussian = np.tril(np.exp(-(distances - np.diag(distances)[:, None]) / (2 * np.sqrt(32))))
gaussian /= gaussian.sum(axis=1, keepdims=True)
moved = np.abs(run.weights[block, head] - gaussian).sum(axis=1).mean() / 2
""",
            },
            {"q1": 2, "q2": 3, "q3": 3},
        ),
        (  # queries and keys changed; the likeliest word; a mean over pairs, and the wrong way round
            {
                1: """
def head_weights(queries, keys):
    scores = np.where(np.tri(len(keys), dtype=bool), keys @ queries.T / np.sqrt(queries.shape[1]), -np.inf)
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
                2: """
def log_probability(kernels=None):
    logits = model.run(tokens, kernels).logits[-1]
    return logits[model.run(tokens).logits[-1].argmax()] - np.log(np.exp(logits).sum())
falls = np.zeros((4, 4))
for b in range(4):
    for h in range(4):
        place = int(run.weights[b, h, -1, :-1].argmax())
        falls[b, h] = log_probability() - log_probability({(b, h): hide([place])})
""",
                3: """
c = np.sqrt(np.sqrt(np.mean(keys**2) / np.mean(queries**2)))
distances = np.sum((c * queries[:, None] - keys / c) ** 2, axis=2)
gaussian = np.tril(np.exp(-(distances - np.diag(distances)[:, None]) / (2 * np.sqrt(32))))
gaussian /= gaussian.sum(axis=1, keepdims=True)
moved = np.abs(run.weights[block, head] - gaussian).mean() / 2
""",
            },
            {"q1": 2, "q2": 3, "q3": 3},
        ),
        (  # it changes its arguments; hidden from the other heads; the share that stays
            {
                1: """
def head_weights(queries, keys):
    queries /= np.sqrt(queries.shape[1])
    scores = np.where(np.tri(len(keys), dtype=bool), queries @ keys.T, -np.inf)
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
                2: """
def log_probability(kernels=None):
    logits = model.run(tokens, kernels).logits[-1]
    return logits[next_token] - np.log(np.exp(logits).sum())
falls = np.zeros((4, 4))
for b in range(4):
    for h in range(4):
        place = int(run.weights[b, h, -1, :-1].argmax())
        falls[b, h] = log_probability() - log_probability({"all": hide([place]), (b, h): "dot product"})
""",
                3: """
c = np.sqrt(np.sqrt(np.mean(keys**2) / np.mean(queries**2)))
distances = np.sum((c * queries[:, None] - keys / c) ** 2, axis=2)
gaussian = np.tril(np.exp(-(distances - np.diag(distances)[:, None]) / (2 * np.sqrt(32))))
gaussian /= gaussian.sum(axis=1, keepdims=True)
moved = 1 - np.abs(run.weights[block, head] - gaussian).sum(axis=1).mean() / 2
""",
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
                2: """
def log_probability(kernels=None):
    logits = model.run(tokens, kernels).logits[-1]
    return logits[next_token] - np.log(np.exp(logits).sum())
falls = np.zeros((4, 4))
for b in range(4):
    for h in range(4):
        place = int(len(tokens) - 2)
        falls[b, h] = log_probability() - log_probability({(b, h): hide([place])})
""",
                3: """
c = np.sqrt(np.sqrt(np.mean(queries**2) / np.mean(keys**2)))
distances = np.sum((c * queries[:, None] - keys / c) ** 2, axis=2)
gaussian = np.tril(np.exp(-(distances - np.diag(distances)[:, None]) / (2 * np.sqrt(32))))
gaussian /= gaussian.sum(axis=1, keepdims=True)
moved = np.abs(run.weights[block, head] - gaussian).sum(axis=1).mean() / 2
""",
            },
            {"q1": 3, "q2": 3, "q3": 3},
        ),
        (  # words counted modulo 50
            {
                1: """
def head_weights(queries, keys):
    places = np.arange(len(keys)) % 50
    scores = queries @ keys.T / np.sqrt(queries.shape[1])
    scores = np.where(places[:, None] >= places, scores, -np.inf)
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
            },
            {"q1": 3},
        ),
        (  # √d of this model alone
            {
                1: """
def head_weights(queries, keys):
    scores = np.where(np.tri(len(keys), dtype=bool), queries @ keys.T / np.sqrt(32), -np.inf)
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
            },
            {"q1": 1},
        ),
    ],
    "09_diffusion": [
        (  # σ² for 2σ²; the step for the gradient; the share of variances; mean squares without their root
            {
                1: """
noisy = unseen + 5 * noise
squares = ((noisy - pictures) ** 2).sum(axis=(1, 2))
kernel = np.exp(-(squares - squares.min()) / 25)
weights = kernel / kernel.sum()
""",
                2: """
squares = ((noisy - pictures) ** 2).sum(axis=(1, 2))
kernel = np.exp(-(squares - squares.min()) / 50)
uphill = np.tensordot(kernel / kernel.sum(), pictures, axes=1) - noisy
""",
                3: """
def generate(start, pictures, levels):
    noisy = start
    for level, next_level in zip(levels, [*levels[1:], 0.0]):
        squares = ((noisy - pictures) ** 2).sum(axis=(1, 2))
        kernel = np.exp(-(squares - squares.min()) / (2 * level**2))
        guess = np.tensordot(kernel / kernel.sum(), pictures, axes=1)
        noisy = guess + (next_level / level) ** 2 * (noisy - guess)
    return guess
""",
                4: """
from lib.diffusion import denoise
errors = [np.mean((denoise(unseen + 0.5 * noise, pictures, 0.5, r) - unseen) ** 2) for r in (None, 1, 6)]
""",
            },
            {"q1": 2, "q2": 2, "q3": 2, "q4": 2},
        ),
        (  # the nearest picture alone, and what follows; the share of the way exchanged; sides for radii
            {
                1: """
noisy = unseen + 5 * noise
weights = np.zeros(100)
weights[((noisy - pictures) ** 2).sum(axis=(1, 2)).argmin()] = 1
""",
                2: """
squares = ((noisy - pictures) ** 2).sum(axis=(1, 2))
kernel = np.exp(-(squares - squares.min()) / 50)
uphill = (noisy - np.tensordot(kernel / kernel.sum(), pictures, axes=1)) / 25
""",
                3: """
def generate(start, pictures, levels):
    noisy = start
    for level, next_level in zip(levels, [*levels[1:], 0.0]):
        squares = ((noisy - pictures) ** 2).sum(axis=(1, 2))
        kernel = np.exp(-(squares - squares.min()) / (2 * level**2))
        guess = np.tensordot(kernel / kernel.sum(), pictures, axes=1)
        noisy = noisy + next_level / level * (guess - noisy)
    return guess
""",
                4: """
from lib.diffusion import denoise
guesses = [denoise(unseen + 0.5 * noise, pictures, 0.5, r) for r in (None, 3, 13)]
errors = [np.sqrt(np.mean((guess - unseen) ** 2)) for guess in guesses]
""",
            },
            {"q1": 2, "q2": 2, "q3": 2, "q4": 2},
        ),
        (  # kernels that nobody divided; divided by σ; the last noisy picture; distances to the known pictures
            {
                1: """
noisy = unseen + 5 * noise
squares = ((noisy - pictures) ** 2).sum(axis=(1, 2))
weights = np.exp(-squares / 50)
""",
                2: """
kernel = np.exp(-(squares - squares.min()) / 50)
uphill = (np.tensordot(kernel / kernel.sum(), pictures, axes=1) - noisy) / 5
""",
                3: """
def generate(start, pictures, levels):
    noisy = start
    for level, next_level in zip(levels[:-1], levels[1:]):
        squares = ((noisy - pictures) ** 2).sum(axis=(1, 2))
        kernel = np.exp(-(squares - squares.min()) / (2 * level**2))
        guess = np.tensordot(kernel / kernel.sum(), pictures, axes=1)
        noisy = guess + next_level / level * (noisy - guess)
    return noisy
""",
                4: """
from lib.diffusion import denoise
guesses = [denoise(unseen + 0.5 * noise, pictures, 0.5, r) for r in (None, 1, 6)]
errors = [min(np.sqrt(np.mean((guess - each) ** 2)) for each in pictures) for guess in guesses]
""",
            },
            {"q1": 3, "q2": 2, "q3": 3, "q4": 2},
        ),
        (  # the mean over the pixels; weights of half the width; each step to the guess; the variance for σ
            {
                1: """
noisy = unseen + 5 * noise
kernel = np.exp(-((noisy - pictures) ** 2).mean(axis=(1, 2)) / 50)
weights = kernel / kernel.sum()
""",
                2: """
squares = ((noisy - pictures) ** 2).sum(axis=(1, 2))
kernel = np.exp(-(squares - squares.min()) / 25)
uphill = (np.tensordot(kernel / kernel.sum(), pictures, axes=1) - noisy) / 25
""",
                3: """
def generate(start, pictures, levels):
    noisy = start
    for level in levels:
        squares = ((noisy - pictures) ** 2).sum(axis=(1, 2))
        kernel = np.exp(-(squares - squares.min()) / (2 * level**2))
        noisy = np.tensordot(kernel / kernel.sum(), pictures, axes=1)
    return noisy
""",
                4: """
from lib.diffusion import denoise
guesses = [denoise(unseen + 0.5 * noise, pictures, 0.25, r) for r in (None, 1, 6)]
errors = [np.sqrt(np.mean((guess - unseen) ** 2)) for guess in guesses]
""",
            },
            {"q1": 2, "q2": 2, "q3": 2, "q4": 2},
        ),
        (  # memory without a walk: the nearest known picture, and errors from the noisy digit
            {
                3: """
def generate(start, pictures, levels):
    return pictures[((start - pictures) ** 2).sum(axis=(1, 2)).argmin()]
""",
                4: """
from lib.diffusion import denoise
noisy = unseen + 0.5 * noise
errors = [np.sqrt(np.mean((denoise(noisy, pictures, 0.5, r) - noisy) ** 2)) for r in (None, 1, 6)]
""",
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
