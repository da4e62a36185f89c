"""Faults that the tests of chapter 8's equations must notice."""

from tests.mutations import Mutation

MODEL = "lib/language_model.py"

MUTATIONS = [
    Mutation(
        MODEL,
        "np.sqrt(np.mean(x**2, axis=-1",
        "np.sqrt(np.sum(x**2, axis=-1",
        "the mean of squares is a sum",
        ("eq:norm", "eq:stream"),
    ),
    Mutation(
        MODEL,
        "self.first_layer.T, 0) ** 2",
        "self.first_layer.T, 0)",
        "the square after the maximum is dropped",
        ("eq:stream",),
    ),
    Mutation(
        MODEL,
        "logits = norm(stream) @",
        "logits = stream @",
        "the last norm is dropped",
        ("eq:next_word",),
    ),
    Mutation(
        MODEL,
        "rotate(queries), rotate(keys)",
        "rotate(queries), keys",
        "only the queries are turned",
        ("eq:head_scores", "eq:head_weights"),
    ),
    Mutation(
        MODEL,
        "return np.sqrt(keys.shape[-1])",
        "return keys.shape[-1]",
        "scores are divided by d and not by its root",
        ("eq:head_weights", "eq:gaussian_head"),
    ),
    Mutation(
        MODEL,
        "/ first.shape[-1])\n",
        "/ x.shape[-1])\n",
        "the frequencies fall half as fast",
        ("eq:rotary",),
    ),
    Mutation(
        MODEL,
        "first * cosine - second * sine",
        "first * cosine + second * sine",
        "a sign of the rotation is lost",
        ("eq:rotary", "eq:rotary_shift"),
    ),
    Mutation(
        MODEL,
        "places = np.arange(len(keys), dtype=float)",
        "places = 2 * np.arange(len(keys), dtype=float)",
        "places are twice as far apart",
        ("eq:place_head",),
    ),
    Mutation(
        MODEL,
        "tokens[1:]]).mean()",
        "tokens[:-1]]).mean()",
        "each word is its own prediction",
        ("eq:surprise",),
    ),
    Mutation(
        MODEL,
        "return estimates @ self.blocks[layer].output_maps[head].T @",
        "return norm(estimates @ self.blocks[layer].output_maps[head].T) @",
        "the head's output is normed first",
        ("eq:head_logits",),
    ),
    Mutation(
        MODEL,
        "(logits - logits.max()) / temperature",
        "(logits - logits.max()) * temperature",
        "the temperature multiplies",
        ("eq:sampling",),
    ),
]
