"""Exercises of chapter 8: wrong answers with the check's reply, and unusual correct ones."""

MEAN = "(({0}**2).sum(axis=1).mean())"
RATIO = f"({MEAN.format('keys')} / {MEAN.format('queries')})"


def balance(formula):
    return f"check_balance(lambda queries, keys: {formula})"


def chance(kernels, result="softmax(logits)[token]"):
    """Return sixteen numbers by block and head, computed from the model's logits with these kernels."""
    row = "[(lambda logits: {1})(model.run(tokens, {0}).logits[-1]) for head in range(4)]"
    return f"np.array([{row} for block in range(4)])".format(kernels, result)


def knocked(formula):
    return f"check_knock_out(lambda tokens, places, token: {formula})"


HIDDEN = "{(block, head): mask_keys(places)}"
SHARE = "twice[168, np.arange(12, 23), np.arange(12, 23) - 11].mean()"
OF_HEAD = "twice[{0}, np.arange(12, 23), np.arange(12, 23) - {1}].mean()"


def strongest(back):
    """Return the head that gives most of its weight to the token `back` positions earlier."""
    mean = f"twice[:, np.arange(12, 23), np.arange(12, 23) - {back}].mean(axis=1)"
    return f"divmod(int({mean}.argmax()), 9)"


WRONG = {
    "exercise-1": [
        (balance(f"1 / {RATIO} ** 0.25"), "it is 1/c"),
        (balance(f"{RATIO} ** 0.5"), "this is c²"),
        (balance(RATIO), "this is c⁴"),
        (
            balance("(np.linalg.norm(keys, axis=1).mean() / np.linalg.norm(queries, axis=1).mean()) ** 0.5"),
            "these are mean lengths",
        ),
        (balance("((keys**2).sum() / (queries**2).sum()) ** 0.25"), "these are sums, take means"),
        (balance(f"-({RATIO} ** 0.25)"), "expected a number above zero"),
        (balance("1.0"), "the mean squares are"),
        (balance("queries"), "expected one number, c"),
    ],
    "exercise-2": [
        (knocked(chance(HIDDEN) + ".T"), "this is the transpose"),
        (knocked(chance("None")), "nothing is masked"),
        (knocked(chance(HIDDEN) + " - softmax(model.run(tokens).logits[-1])[token]"), "these are differences"),
        (knocked(chance("{(block, head): 'uniform'}")), "these heads have uniform attention"),
        (
            knocked(chance("{other: mask_keys(places) for other in heads if other != (block, head)}")),
            "fifteen others",
        ),
        (knocked(chance(HIDDEN, "logits[token]")), "these are logits"),
        (knocked(chance("{(block, head): mask_keys(places[:1])}")), "only the first position is masked"),
        (knocked("100 * " + chance(HIDDEN)), "these are percent"),
        (knocked("np.ones(16)"), r"expected shape \(4, 4\)"),
        (knocked(chance(HIDDEN, "softmax(logits / 2)[token]")), "the probabilities differ by"),
        (knocked("'sixteen'"), "expected sixteen numbers"),
        (
            knocked(chance("{(block, head): mask_keys(np.flatnonzero(tokens == token))}")),
            "the token's own positions are masked",
        ),
        ("check_own_sentence(SENTENCE, 'King', (3, 3))", "another head needs it more"),
        ("check_own_sentence(SENTENCE, 'King', (4, 0))", "four blocks of four heads"),
        ("check_own_sentence(SENTENCE, 'King', 1)", "expected .block, head."),
        ("check_own_sentence(SENTENCE, 'Rumpelstiltskin', (0, 1))", "tokens: take a word"),
        ("check_own_sentence(SENTENCE, 'giant', (0, 1))", "does not stand in the sentence"),
        ("check_own_sentence('He gave it to the giant', 'giant', (0, 1))", "is the last word"),
    ],
    "exercise-3": [
        (f"check_induction({strongest(1)}, 0.9)", "looks one token back"),
        ("check_induction((18, 5), 0.8)", "another head gives more"),
        ("check_induction(divmod(int(twice[:, np.arange(12, 23), 0].mean(axis=1).argmax()), 9), 0.9)", "a sink"),
        (f"check_induction((18, 6), 100 * {SHARE})", "give its share between 0 and 1"),
        ("check_induction((18, 6), 0.3)", "average over the eleven positions"),
        ("check_induction((18, 6), twice[168, np.arange(11, 24), np.arange(0, 13)].mean())", "the last position"),
        (f"check_induction((18, 6), {OF_HEAD.format(168, 12)})", "earlier occurrence itself"),
        ("check_induction((-12, 6), 0.85)", "counted from 0"),
        ("check_induction((18.5, 6), 0.85)", "expected .block, head."),
    ],
}

RIGHT = {
    "exercise-1": [
        balance(f"[{RATIO} ** 0.25]"),
        balance("np.sqrt(np.sqrt((keys**2).mean() / (queries**2).mean()))"),
    ],
    "exercise-2": [
        knocked(chance(HIDDEN) + ".tolist()"),
        knocked(chance(HIDDEN, "np.exp(logits - np.logaddexp.reduce(logits))[token]")),
        "check_own_sentence(SENTENCE, ' King', np.array([0, 1]))",
    ],
    "exercise-3": [
        f"check_induction(np.array([18, 6]), np.array([{SHARE}]))",
        f"check_induction((18, 6), round({SHARE}, 2))",
        "check_induction((18, 6), 0.84)",
        f"check_induction({strongest(11)}, {OF_HEAD.format(168, 11)})",
    ],
}
