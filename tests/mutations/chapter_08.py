"""Faults that the tests of chapter 8's equations must notice."""

from tests.mutations import Mutation

MODEL, HEADS = "lib/language_model.py", "lib/heads.py"

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
    Mutation(
        MODEL,
        "(logits - logits.max()) / temperature",
        "(logits - logits.max()) / temperature**0.95",
        "the temperature has another power",
        ("eq:sampling",),
    ),
    Mutation(
        MODEL,
        "self.blocks[layer].output_maps[head].T @",
        "self.blocks[layer].output_maps[head if layer else 0].T @",
        "the first block reads one output map for all heads",
        ("eq:head_logits",),
    ),
    Mutation(
        HEADS,
        "penalty = (keys**2).sum(axis=-1)[:, None, :] / (2 * squared_scale)",
        "penalty = (keys**2).sum(axis=-1)[:, None, :] / 2",
        "the ruler's Gaussian is that of the maps as they are stored",
        ("eq:same_head", "eq:balanced_gaussian"),
    ),
    Mutation(
        HEADS,
        "ratio = np.sqrt((keys**2).mean() / (queries**2).mean())",
        "ratio = (keys**2).mean() / (queries**2).mean()",
        "the balanced scale is taken twice",
        ("eq:balanced_gaussian",),
    ),
    Mutation(
        HEADS,
        "value_map @ (embedding.T @ embedding) @ output_map",
        "value_map @ output_map",
        "the table of embeddings is left out",
        ("eq:copying",),
    ),
    Mutation(
        HEADS,
        "log_kernel(places + o, places, h)",
        "log_kernel(places - o, places, h)",
        "a smoother that should stand before the query stands behind it",
        ("eq:place_head",),
    ),
    Mutation(
        "lib/attention.py",
        "keys.astype(np.float64, copy=False).mT / temperature",
        "np.abs(keys.astype(np.float64, copy=False)).mT / temperature",
        "keys lose their signs, so that a bias counts",
        ("eq:key_bias",),
    ),
]
