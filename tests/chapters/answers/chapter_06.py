"""Exercises of chapter 6: wrong answers with the check's reply, and unusual correct ones."""

from tests.chapters.answers import function_for

bias = function_for("check_bias", "h, squares")
base = function_for("check_base", "period")

HEADS = """
def gradients(weights, tokens, value_maps, output_map, targets):
    averaged = [A @ tokens for A in weights]
    heads = np.hstack([T @ W_v.T for T, W_v in zip(averaged, value_maps, strict=True)])
    G = {factor} * (heads @ output_map.T - targets)
    by_head = np.split(G @ output_map, len(value_maps), axis=1)
    return {by_value}, {by_output}


check_heads(gradients)
"""
BY_VALUE = "np.array([g.T @ T for g, T in zip(by_head, averaged, strict=True)])"


def heads(factor="2 / targets.size", by_value=BY_VALUE, by_output="G.T @ heads"):
    """Return an answer to exercise 6.2 that is correct except for the given changes."""
    return HEADS.format(factor=factor, by_value=by_value, by_output=by_output)


WRONG = {
    "exercise-1": [
        (bias("(h**2, -squares / h**2)"), "has a factor 2"),
        (bias("(h**2 / 2, squares / h**2)"), "mind the sign"),
        (bias("(h**2 / 2, 0 * squares)"), "norms of the keys do not cancel"),
        (bias("(h**2 / 2, -np.sqrt(squares) / h**2)"), "squared norm, not the norm"),
        (bias("(h**2 / 2, -squares / (2 * h**2))"), "no factor ½"),
        (bias("(h**2 / 2, -squares / h**2 + 7j)"), "expected real numbers"),
        (bias("(h**2 / 2 if 0.6 < h < 1.4 else 1.0, -squares / h**2)"), "temperature: expected"),
        (bias("(h**2 / 2, -squares / 2)"), "added before the division"),
        (bias("(h**2 / 2, np.exp(-squares / h**2))"), "multiply out the square"),
        (bias("(np.sqrt(3), -squares / h**2)"), "attention's own choice"),
        (bias("(None, 'squares')"), "expected numbers"),
        (bias("(h**2 / 2, np.nan * squares)"), "expected finite numbers"),
        (bias("(h**2 / 2, -squares / (h**2 / 2))"), "by h², not by τ"),
        (bias("(h**2 / 2, -squares)"), "is divided by h²"),
        (bias("(h**2 / 2 + 0 * squares, -squares / h**2)"), "one number for all keys"),
    ],
    "exercise-2": [
        (heads(factor="-2 / targets.size"), "the sign is that of Y − estimate"),
        (heads(factor="1 / targets.size"), "the factor 2 of the square is missing"),
        (heads(factor="2"), "divide by N"),
        (heads(factor="2 / len(targets)"), "counts all entries of Y|divide by N"),
        (heads(by_output="(G.T @ heads).T"), "by W_o: expected shape"),
        (heads(by_output="G.T @ np.hstack([T @ value_maps[0].T for T in averaged])"), "by W_o: .*which heads"),
        (heads(by_value="np.array([g.T @ averaged[0] for g in by_head])"), "W_o stand before it, and A after it"),
        (heads(by_output="[[1], [2, 3]]"), "by W_o: expected an array of numbers"),
        (heads(by_output="G.T @ heads + 0j"), "by W_o: expected real numbers"),
    ],
    "exercise-3": [
        (base("100"), "turns too slowly"),
        (base("period / (2 * np.pi)"), "turns once per period"),
        # Interpolate linearly between the correct answers for 9 and 10.
        (base("2.052 + 0.481 * (period - 9)"), "period 7: "),
        (base("-1.0"), "expected a number above zero"),
        ("check_base(lambda period: (period / 2 / np.pi) ** 2, ['a'] * 300, 12)", "expected a list of numbers"),
        ("check_base(lambda period: (period / 2 / np.pi) ** 2, np.ones(300), 12)", "not all the same"),
        ("check_base(lambda period: (period / 2 / np.pi) ** 2, np.arange(20), 5)", "expected 200 numbers"),
    ],
}

RIGHT = {
    "exercise-1": [
        bias("[h * h / 2, list(-squares / h**2)]"),
        # A number added for all keys cancels.
        bias("(np.array(0.5) * h**2, 3 - squares / h**2)"),
        bias("squares /= -(h**2)", "h**2 / 2, squares"),
    ],
    "exercise-2": [
        heads(by_value=f"{BY_VALUE}.tolist()", by_output="[list(row) for row in G.T @ heads]"),
        """
def in_place(weights, tokens, value_maps, output_map, targets):
    n, c = len(value_maps), value_maps.shape[1]
    T = np.einsum("hqk,kd->hqd", weights, tokens)
    H = np.einsum("hqd,hcd->qhc", T, value_maps).reshape(len(targets), n * c)
    targets -= H @ output_map.T
    G = -2 * targets / targets.size
    return [np.einsum("qhc,hqd->hcd", (G @ output_map).reshape(-1, n, c), T), G.T @ H]


check_heads(in_place)
""",
    ],
    "exercise-3": [
        base("np.array([period**2 / (4 * np.pi**2)])"),
        "check_base(lambda p: np.exp(2 * np.log(p / 2 / np.pi)), list(np.sin(np.arange(300) / 2)), 12.6)",
    ],
}
