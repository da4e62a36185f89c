"""Exercises of chapter 1: wrong answers with what the check replies, and unusual right ones."""

WRONG = {
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
}

RIGHT = {}
