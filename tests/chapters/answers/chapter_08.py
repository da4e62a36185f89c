"""Exercises of chapter 8: wrong answers with what the check replies, and unusual right ones."""

BACK = "np.subtract.outer(np.arange(len(q)), np.arange(len(k)))"
SCORES = "q @ k.T / np.sqrt(k.shape[1])"


def window(formula):
    return f"check_window(lambda q, k, width: {formula})"


WRONG = {
    "exercise-1": [
        ("check_angle(lambda omega, back: -omega * back)", "places ahead: mind the sign"),
        ("check_angle(lambda omega, back: np.degrees(omega * back))", "in radians, not in degrees"),
        ("check_angle(lambda omega, back: back / omega)", "the score there is"),
        ("check_angle(lambda omega, back: omega)", "the score there is"),
        ("check_angle(lambda omega, back: back)", "the score there is"),
        ("check_angle(lambda omega, back: 0.9)", "the score there is"),
        ("check_angle(lambda omega, back: omega * back + np.pi)", "the score there is"),
        ("check_angle(lambda omega, back: np.array([omega, back]))", "expected one number"),
        ("check_angle(lambda omega, back: 'omega * back')", "expected one number"),
    ],
    "exercise-2": [
        (window(f"np.where({BACK} <= width, {SCORES}, -np.inf)"), "one too many"),
        (window(f"np.where({BACK} < width, {SCORES}, 0.0)"), "0 is not a weight of 0"),
        (window(f"np.where({BACK} < width, q @ k.T, -np.inf)"), "divide the inner products by √d"),
        (window(f"np.where({BACK} < width, ({SCORES}).T, -np.inf)"), "this is the transpose"),
        (window(f"np.where({BACK} < width - 1, {SCORES}, -np.inf)"), "inside the window has no weight"),
        (window(SCORES), "one too many|outside the window"),
        (window(f"({BACK} < width) * ({SCORES})"), "0 is not a weight of 0"),
        (window(f"np.where({BACK} < width, {SCORES}, -np.inf)[0]"), "expected shape"),
        (window(f"np.where({BACK} < width, 0 * ({SCORES}), -np.inf)"), "differ by"),
        (window(f"np.where({BACK} < 2, {SCORES}, -np.inf)"), "has no weight|one too many"),
        (
            window(f"np.where(({BACK} > 0) & ({BACK} < width), {SCORES}, -np.inf)"),
            "inside the window has no weight",
        ),
    ],
    "exercise-3": [
        ("check_previous((1, 3), 0.39)", "head 1, 3 gives the word before 39%"),
        ("check_previous((3, 0), 0.33)", "another head gives it more"),
        ("check_previous((0, 1), 0.05)", "another head gives it more"),
        ("check_previous((2, 2), 79)", "between 0 and 1"),
        ("check_previous((2, 2), mean_by_distance(weights_of(2, 2))[0])", "the query's own word"),
        ("check_previous((2, 2), mean_by_distance(weights_of(2, 2))[2])", "two places back"),
        ("check_previous((2, 2), 0.98)", "its share is not"),
        ("check_previous((4, 0), 0.5)", "numbers from 0 to 3"),
        ("check_previous((-2, 2), 0.79)", "counted from 0"),
        ("check_previous(2, 0.79)", "expected .layer, head."),
        ("check_previous((2.5, 2), 0.79)", "expected .layer, head."),
        ("check_previous('22', 0.79)", "expected .layer, head."),
    ],
}

RIGHT = {
    "exercise-1": [
        "check_angle(lambda omega, back: [omega * back])",
        "check_angle(lambda omega, back: omega * back - 2 * np.pi)",
        "check_angle(lambda omega, back: np.arctan2(np.sin(omega * back), np.cos(omega * back)))",
    ],
    "exercise-2": [
        window(f"np.where({BACK} < width, {SCORES}, -np.inf).tolist()"),
        window(f"{SCORES} + np.where({BACK} < width, 5.0, -np.inf)"),
        window(f"np.where(np.abs({BACK}) < width, {SCORES}, -np.inf)"),
        window(f"np.where(({BACK} >= 0) & ({BACK} < width), {SCORES}, -1e9)"),
    ],
    "exercise-3": [
        "check_previous([2, 2], 0.79)",
        "check_previous(np.array([2, 2]), np.array([0.787]))",
    ],
}
