"""Exercises of chapter 5: wrong answers with what the check replies, and unusual right ones."""

METRIC = (
    "def metric_of(h_x, h_b, h_c, of_mean=1 / 9, taken_off=1 / 3):\n"
    "    J = np.ones((3, 3))\n"
    "    Q = np.zeros((5, 5))\n"
    "    Q[:2, :2] = np.eye(2) / h_x**2\n"
    "    Q[2:, 2:] = of_mean * J / h_b**2 + (np.eye(3) - taken_off * J) / h_c**2\n"
    "    return Q\n"
)


def metric(answer):
    return f"{METRIC}check_metric({answer})"


def mapped(body):
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"@check_feature_map\ndef feature_map(metric):\n{lines}"


CLIPPED = (
    "values, vectors = np.linalg.eigh(metric)\n"
    "if values[0] < -1e-9 * values[-1]:\n"
    "    raise ValueError('negative')\n"
    "roots = np.sqrt(np.maximum(values, 0))\n"
)
OWN = "np.random.default_rng(0).random((24, 24))"
STEP = "np.tile(np.where(np.arange(32) < 16, 0.25, 0.75), (32, 1))"

WRONG = {
    "exercise-1": [
        (metric("lambda *h: metric_of(*np.sqrt(h))"), "stand in the distance with a square"),
        (metric("lambda *h: np.linalg.inv(metric_of(*h))"), "inverse of Q"),
        (metric("lambda *h: metric_of(*h) / 2"), "half of Q"),
        (metric("lambda *h: metric_of(*h, of_mean=1 / 3)"), "its square has 1/9"),
        (metric("lambda *h: np.diag(np.diag(metric_of(*h)))"), "only the diagonal is right"),
        (metric("lambda *h: metric_of(*h, taken_off=0)"), "still contains the brightness"),
        (metric("lambda x, b, c: metric_of(x, c, b)"), "changed places"),
        (metric("lambda *h: np.roll(metric_of(*h), 3, axis=(0, 1))"), "the position comes first"),
        (metric("lambda *h: metric_of(2, 0.1, 0.2)"), "must change with the bandwidths"),
        (metric("lambda *h: np.triu(metric_of(*h)) + np.triu(metric_of(*h), 1)"), "asked for symmetric"),
        (metric("lambda *h: metric_of(*h)[2:, 2:]"), r"expected shape \(5, 5\), got \(3, 3\)"),
        (metric("lambda *h: 'Q'"), "five rows of five numbers"),
        (metric("lambda *h: metric_of(*h) + np.diag([0, 0, 0, 0, h[0]])"), "not this"),
        (metric("lambda *h: np.full((5, 5), np.nan)"), "not a finite number"),
    ],
    "exercise-2": [
        (mapped("return np.linalg.cholesky(metric).T"), "Cholesky needs all of them above 0"),
        (mapped(CLIPPED + "return vectors * roots"), "transpose it"),
        (mapped("return metric"), "this is Q itself"),
        (mapped("return np.sqrt(np.abs(metric))"), "the roots of the entries"),
        (mapped("return np.diag(np.sqrt(np.diag(metric)))"), "only the diagonal was used"),
        (mapped("return np.linalg.eigh(metric)[1].T"), "each needs its root"),
        (
            mapped("values, vectors = np.linalg.eigh(metric)\nreturn np.sqrt(values)[:, None] * vectors.T"),
            "set it to 0 before the root",
        ),
        (mapped(CLIPPED.split("if")[0] + "return np.sqrt(np.maximum(values, 0))[:, None] * vectors.T"), "diag"),
        (
            mapped(
                "if np.diag(metric).min() < 0:\n    raise ValueError('negative')\n"
                + CLIPPED.replace("if values[0] < -1e-9 * values[-1]:\n    raise ValueError('negative')\n", "")
                + "return roots[:, None] * vectors.T"
            ),
            r"0.01, 0.02.*has a negative eigenvalue",
        ),
        (mapped("metric[:] = 0\nreturn metric"), "do not change the argument"),
        (mapped("return np.sqrt(metric.sum())"), "expected shape"),
        (mapped("return 'W'"), "refused a metric|expected rows of numbers"),
        (mapped(CLIPPED + "return roots[::-1, None] * vectors.T"), "differs from Q by up to"),
        (
            mapped(
                "if metric[-1, -1] < 0:\n    raise KeyError('no')\n"
                + CLIPPED
                + "return roots[:, None] * vectors.T"
            ),
            "expected a ValueError, got KeyError",
        ),
    ],
    "exercise-3": [
        (f"check_composition(255 * {OWN}, np.eye(2), np.eye(1))", "divide bytes by 255"),
        ("check_composition(images.cat(), np.eye(2), np.eye(1))", "expected a grey picture"),
        ("check_composition(np.full((30, 30), np.nan), np.eye(2), np.eye(1))", "not a finite number"),
        ("check_composition(np.zeros((300, 300)), np.eye(2), np.eye(1))", "24 to 128 pixels"),
        ("check_composition(np.full((30, 30), 0.5), np.eye(2), np.eye(1))", "nearly constant"),
        (f"check_composition({OWN}, np.eye(3), np.eye(1))", "position block of shape"),
        (f"check_composition({OWN}, np.eye(2), np.eye(1), 1)", r"feature block of shape \(9, 9\)"),
        (f"check_composition({OWN}, [[1, 1], [0, 1]], np.eye(1))", "position block must be symmetric"),
        (f"check_composition({OWN}, np.eye(2), -np.eye(1))", "negative eigenvalue"),
        (f"check_composition({OWN}, np.eye(2), [[0]])", "the feature block is zero"),
        (f"check_composition({STEP}, np.eye(2) / 4, np.eye(1) / 100)", "position alone does as well"),
        (f"check_composition({STEP}, np.eye(2) / 1e4, np.eye(1) / 0.25)", "the features alone do as well"),
        ("check_composition('cat.png', np.eye(2), np.eye(1))", "arrays of numbers"),
    ],
}

RIGHT = {
    "exercise-1": [
        metric("lambda *h: metric_of(*h).tolist()"),
        (
            "def by_maps(h_x, h_b, h_c):\n"
            "    P = np.zeros((6, 5))\n"
            "    P[:2, :2] = np.eye(2) / h_x\n"
            "    P[2, 2:] = 1 / (3 * h_b)\n"
            "    P[3:, 2:] = (np.eye(3) - 1 / 3) / h_c\n"
            "    return P.T @ P\n"
            "check_metric(by_maps)"
        ),
    ],
    "exercise-2": [
        mapped(CLIPPED + "return (vectors * roots) @ vectors.T"),
        mapped(CLIPPED + "return (roots[:, None] * vectors.T)[::-1].tolist()"),
        mapped(CLIPPED + "keep = values > 1e-9 * values[-1]\nreturn roots[keep, None] * vectors.T[keep]"),
    ],
    "exercise-3": [
        f"check_composition({STEP}.tolist(), [[0.1, 0], [0, 0.1]], [[10]])",
        (
            "crop = images.camera()[:64, 32:96]\n"
            "check_composition(crop, np.eye(2) / 9, np.diag(patch_kernel(1).ravel()) / 0.25**2, 1)"
        ),
    ],
}
