"""Exercises of chapter 5: wrong answers with the check's reply, and unusual correct ones."""

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
reject_if = lambda test: (  # reject the input if this condition holds
    "values, vectors = np.linalg.eigh(metric)\n"
    f"if {test}:\n    raise ValueError('negative')\n"
    "return np.sqrt(np.maximum(values, 0))[:, None] * vectors.T"
)
JITTERED = "metric + 1e-6 * np.trace(metric) * np.eye(len(metric))"
OWN = "np.random.default_rng(0).random((24, 24))"
CAT = "images.cat().mean(axis=2)[32:80, 32:80]"
STEP = "np.tile(np.where(np.arange(32) < 16, 0.25, 0.75), (32, 1))"


def composition(arguments):
    return f"check_composition({arguments})"


def on_noise(blocks):
    return composition(f"{OWN}, {blocks}")


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
        (metric("lambda x, b, c: metric_of(min(x, 3), b, c)"), "not this"),
        (metric("lambda *h: metric_of(*h, of_mean=1 / 4, taken_off=1 / 2)"), "divide by 3 and not by 2"),
        (metric("lambda *h: metric_of(*h, taken_off=2 / 3)"), "so it stands once"),
        (metric("lambda *h: -metric_of(*h)"), "not negative"),
        (metric("lambda *h: [[1, 2], [3]]"), "five rows of five numbers"),
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
        (mapped("metric[:] = 0\nreturn metric"), "do not change the argument"),
        (mapped("return np.sqrt(metric.sum())"), "expected shape"),
        (mapped(CLIPPED.replace("ValueError", "KeyError") + "return roots[:, None] * vectors.T"), "got KeyError"),
        (
            mapped(reject_if("np.linalg.det(metric / max(1e-300, np.abs(metric).max())) < -1e-12")),
            "determinant is positive",
        ),
        (mapped(reject_if("values[0] < -5e-3")), "has a negative eigenvalue"),
        (mapped(reject_if("values[0] < 0")), "refused a metric"),
        (mapped(reject_if("(np.diag(metric) < 0).any()")), "0.01, 0.02"),
        (mapped(CLIPPED + "return (roots[:, None] * vectors.T).astype(complex)"), "real numbers"),
        (mapped(f"return np.linalg.cholesky({JITTERED}).T"), "differs from Q by up to"),
    ],
    "exercise-3": [
        (composition(f"255 * {OWN}, np.eye(2), np.eye(1)"), "divide bytes by 255"),
        (composition("np.full((30, 30), 0.5), np.eye(2), np.eye(1)"), "nearly constant"),
        (on_noise("np.eye(2), np.eye(1), 1"), r"feature block of shape \(9, 9\)"),
        (on_noise("[[1, 1], [0, 1]], np.eye(1)"), "position block must be symmetric"),
        (on_noise("np.eye(2), -np.eye(1)"), "negative eigenvalue"),
        (composition(f"{STEP}, np.eye(2) / 4, np.eye(1) / 100"), "position alone does as well"),
        (composition(f"{STEP}, np.eye(2) / 1e4, np.eye(1) / 0.25"), "the features alone do as well"),
        (composition("'cat.png', np.eye(2), np.eye(1)"), "arrays of numbers"),
        (composition(f"{CAT}, np.diag([1e-6, 0.25]), np.eye(1) / 0.3**2"), "plain Gaussian blur does as well"),
        (composition("images.camera()[20:60, 50:90], np.eye(2), np.eye(1)"), "the photograph of the chapter"),
        (on_noise("lambda noisy: 'C', np.eye(1)"), "position block of numbers"),
        (on_noise("np.zeros((2, 2)), np.eye(1)"), "the position block is zero"),
        (on_noise("np.eye(2), [[np.inf]]"), "not a finite number"),
    ],
}

RIGHT = {
    "exercise-1": [
        metric("lambda *h: metric_of(*h).tolist()"),
        metric("lambda *h: tuple(map(tuple, metric_of(*h)))"),
    ],
    "exercise-2": [
        mapped(CLIPPED + "return (roots[:, None] * vectors.T)[::-1].tolist()"),
        mapped(CLIPPED + "return np.vstack([roots[:, None] * vectors.T, np.zeros((2, len(metric)))])"),
        mapped(CLIPPED + "keep = values > 1e-9 * values[-1]\nreturn roots[keep, None] * vectors.T[keep]"),
    ],
    "exercise-3": [
        composition(f"{STEP}.tolist(), [[0.1, 0], [0, 0.1]], [[10]]"),
        composition(
            f"{CAT}, lambda noisy: steering_matrices(noisy) / (2 * 6**2), "
            "np.diag(patch_kernel(3).ravel()) / 0.15**2, 3, floor=True"
        ),
    ],
}
