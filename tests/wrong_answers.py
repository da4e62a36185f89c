"""Plausible wrong answers to the exercises: a call of the exercise's check, and what the check must reply."""

WRONG_ANSWERS = {
    "01_nadaraya_watson": {
        "exercise-1": [
            ("check_shortcut(lambda e, w, v: v - (v - e) * (1 - w))", "divide by 1 − w_ii"),
            ("check_shortcut(lambda e, w, v: e - w * v)", "off by up to"),
        ],
        "exercise-2": [
            (
                "check_local_line(lambda q, k, v, h: nadaraya_watson([q], k, v, h)[0])",
                "a straight line must come back",
            ),
            ("check_local_line(lambda q, k, v, h: np.polyval(np.polyfit(k, v, 1), q))", "at q = 0.0: expected"),
        ],
        "exercise-3": [
            ("check_crossing(0.4, 0.4)", "q = 2.5, h = 0.40: squared bias does not exceed variance"),
            ("check_crossing(0.95, 0.95)", "q = 0.0, h = 0.90: squared bias exceeds variance"),
        ],
    },
    "02_bilateral": {
        "exercise-1": [
            ("check_share(lambda h, s: 1 / (1 + h**2 / s**2))", "mind the 2"),
            ("check_share(lambda h, s: h**2 / (h**2 + 2 * s**2))", "h_y = 1.0, σ = 1.0: expected"),
        ],
        "exercise-2": [
            (
                "check_cross_bilateral(lambda image, guide, *h: bilateral(image, *h))",
                "a constant guide sees no edges",
            ),
            (
                "check_cross_bilateral(lambda image, guide, *h: bilateral(guide, *h))",
                "a constant guide sees no edges",
            ),
            ("check_cross_bilateral(lambda image, guide, *h: image[2:-2, 2:-2])", "expected the shape"),
        ],
        "exercise-3": [
            ("check_threshold(4 / 32, 0.17)", "solve r = 1/2 for h_y"),
            ("check_threshold(math.sqrt(2) * 4 / 32, 0.18)", "at h_y = 0.18 one pass does not steepen"),
            ("check_threshold(math.sqrt(2) * 4 / 32, 0.10)", "at h_y = 0.11 one pass steepens"),
        ],
    },
    "03_nonlocal_means": {
        "exercise-1": [
            ("check_spread(lambda sigma, G: 8 * sigma**4 * np.sum(G**2))", "this is the variance"),
            ("check_spread(lambda sigma, G: sigma**2 * np.sqrt(2 * np.sum(G**2)))", "the noise of both patches"),
            (
                "check_spread(lambda sigma, G: 2 * sigma**2 * np.sqrt(2 / G.size))",
                "expected about|the noise of both",
            ),
        ],
        "exercise-2": [
            (
                "check_soft(lambda image, pixel, h, h_x, patch_radius=3, noise_std=0.0:"
                " nonlocal_means_log_weights(image, pixel, h, patch_radius, noise_std=noise_std))",
                "expected the bilateral filter",
            ),
            (
                "check_soft(lambda image, pixel, h, h_x, patch_radius=3, noise_std=0.0:"
                " np.exp(nonlocal_means_log_weights(image, pixel, h, patch_radius, noise_std=noise_std)))",
                "expected non-local means",
            ),
        ],
        "exercise-3": [
            ("check_patch_radius({5: 3, 10: 2, 25: 1})", "σ = 5: radius 2 is better than 3"),
            ("check_patch_radius({5: 1, 10: 2, 25: 2})", "σ = 25: radius 3 is better than 2"),
        ],
    },
    "04_lark": {
        "exercise-1": [
            (
                "check_ideal_edge(lambda s, h, A: (h * (1e7 * A) ** 0.25 / np.sqrt(s + 1),"
                " h * (1e7 * A) ** 0.25 * np.sqrt(s + 1)))",
                "the other way round",
            ),
            (
                "check_ideal_edge(lambda s, h, A: (h * np.sqrt(s + 1), h / np.sqrt(s + 1)))",
                "h = 1.0, s = .* expected",
            ),
            (
                "check_ideal_edge(lambda s, h, A: (h * (1e7 * A) ** 0.25 * np.sqrt(s),"
                " h * (1e7 * A) ** 0.25 / np.sqrt(s)))",
                "h = 1.0, s = 3: expected",
            ),
        ],
        "exercise-2": [
            (
                "@check_edge\n"
                "def edge(degrees):\n"
                "    row, column = np.mgrid[-20:21, -20:21]\n"
                "    return soft_step(np.sin(np.radians(degrees)) * row + np.cos(np.radians(degrees)) * column)",
                "across instead of along",
            ),
            (
                "@check_edge\n"
                "def edge(degrees):\n"
                "    row, column = np.mgrid[-20:21, -20:21]\n"
                "    return soft_step(np.cos(np.radians(degrees)) * row + np.sin(np.radians(degrees)) * column)",
                "rows grow downwards",
            ),
        ],
        "exercise-3": [
            ("check_noise({1 / 2: 26, 1 / 4: 26, 1 / 8: 26}, False)", "height 0.25: σ = 25 exceeds 5° already"),
            ("check_noise({1 / 2: 26, 1 / 4: 13, 1 / 8: 7}, True)", "what does it do to eigenvectors"),
        ],
    },
    "05_unified_kernel": {
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
    },
    "06_attention": {
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
    },
    "07_performer": {
        "exercise-1": [
            (
                "check_errors(lambda q, k, m: [m * e for e in mean_squared_errors_solution(q, k, m)])",
                "trigonometric: the variance of one term",
            ),
            (
                "check_errors(lambda q, k, m: np.sqrt(mean_squared_errors_solution(q, k, m)))",
                "the squared error, without the root",
            ),
            (
                "check_errors(lambda q, k, m: mean_squared_errors_solution(q, k, m)[::-1])",
                "trigonometric: expected",
            ),
        ],
        "exercise-2": [
            (
                "@check_blocks\n"
                "def quadratic(a, b, v, size):\n"
                "    weights = np.tril(a @ b.T)\n"
                "    return weights @ v / weights.sum(axis=1, keepdims=True)",
                "memory quadruples",
            ),
            (
                "@check_blocks\n"
                "def only_the_block(a, b, v, size):\n"
                "    starts = range(0, len(v), size)\n"
                "    return np.concatenate([causal_loop(*(x[i : i + size] for x in (a, b, v))) for i in starts])",
                "size 1: the first wrong token is 1",
            ),
        ],
        "exercise-3": [
            ("check_needed({1: 100, 4: 400, 9: 900}, 5.55)", "100 frequencies have 1[0-9]"),
            ("check_needed({1: 172, 4: 400, 9: 900}, 5.55)", "400 frequencies have"),
        ],
    },
}
