"""Chapter 8, a language model, opened: sweeps of its measured conclusions."""

import functools
import json

import numpy as np
import pytest

from lib import data
from lib.heads import copying, fixed_query, mask_keys, measure
from lib.language_model import HEAD_KERNELS, load, norm, rotate
from lib.weights import softmax

HEADS = [(block, head) for block in range(4) for head in range(4)]
PERSONS = [  # the ones that head 0, 1 attends to, of twenty-four that are one token
    *("King", "Queen", "giant", "father", "mother", "huntsman", "peasant", "boy", "girl", "woman", "prince"),
    *("tailor", "maiden", "son", "youth", "cat", "horse"),
]
PUBLISHED = json.loads((data.DATASETS / "published_model.json").read_text())
TRAININGS = json.loads((data.DATASETS / "kernel_trainings.json").read_text())
WITH_PERSON = (
    "There was once a {0} who had a beautiful {1}. One day the {0} said to the {2}, Bring me your {1}. "
    "Then the {2} said to the"
)
LICENCE = (
    "The above copyright notice and this permission notice shall be included in all copies or substantial "
    "portions of the Software. The software is provided as is, without warranty of any kind, express or implied, "
    "including but not limited to the warranties of merchantability, fitness for a particular purpose and "
    "noninfringement. In no event shall the authors or copyright holders be liable for any claim, damages or "
    "other liability, whether in an action of contract, tort or otherwise, arising from, out of or in connection "
    "with the software or the use or other dealings in the software."
)


@functools.cache
def text(name, length=256):
    """Return some tokens: a numbered piece of the tales, a licence, random ones, or a tale's in shuffled order."""
    model, rng = load(), np.random.default_rng(0)
    tale = model.encode(data.two_tales())
    if isinstance(name, int):
        return tale[length * name : length * (name + 1) + 1]
    return {
        "licence": model.encode(LICENCE)[: length + 1],
        "random tokens": rng.integers(256, 1024, length + 1),
        "words in any order": rng.permutation(tale[: length + 1]),
    }[name]


def in_one_list(array):
    return array.reshape(16, *array.shape[2:])


@functools.cache
def loss(name, kernel=None):
    return load().loss(text(name), {"all": kernel} if kernel else None)


def loss_of(name, kernels):
    """Return the loss with one kernel per head, in the order of HEADS."""
    return load().loss(text(name), dict(zip(HEADS, kernels, strict=True)))


@pytest.mark.conclusion(
    "08:trust",
    where="one sentence with seventeen persons and animals to whom head 0, 1 gives most of its weight",
    varies={"person": PERSONS, "other_head": [name for name in HEADS if name not in ((0, 1), (1, 1))]},
    names={"person": "seventeen nouns that head 0, 1 attends to"},
    against="masking the person for one of the fourteen other heads",
    control="head 2, 1 in place of both",
    fails={"a man, to whom head 0, 1 gives less weight": {"person": "man", "other_head": (3, 3)}},
)
def test_masking_the_noun_matters_most_in_two_heads(person, other_head, holds):
    model = load()
    tokens = model.encode(WITH_PERSON.format(person, "daughter", "miller"))
    [token] = model.encode(f" {person}")
    places = np.flatnonzero(tokens == token)
    chance = lambda name: softmax(model.run(tokens, {name: mask_keys(places)}).logits[-1])[token]
    other, both = chance(other_head), min(chance((0, 1)), chance((1, 1)))
    holds(other / both - 1, "of its share", control=other / chance((2, 1)) - 1)


@pytest.mark.conclusion(
    "08:copying",
    tested="it is higher by more than {limit}",
    where="the sixteen heads of the small model",
    varies={"draw": list(range(20))},
    against="sixteen pairs of random projections with the same table",
    control="the projections of the heads, with their entries in a random order",
)
def test_the_heads_together_copy_more_than_random_maps(draw, holds):
    model, rng = load(), np.random.default_rng(draw)
    pairs = [maps for block in model.blocks for maps in zip(block.value_maps, block.output_maps, strict=True)]
    drawn = [(rng.normal(size=value.shape), rng.normal(size=output.shape)) for value, output in pairs]
    shuffled = [tuple(rng.permuted(each.ravel()).reshape(each.shape) for each in maps) for maps in pairs]
    of_heads, of_random, of_shuffled = (
        np.mean([copying(*maps, model.embedding) for maps in each]) for each in (pairs, drawn, shuffled)
    )
    holds(of_heads - of_random, "of the score", above=0.1, control=of_shuffled - of_random)


@pytest.mark.conclusion(
    "08:before",
    where="128 tokens of eight passages, a licence, random tokens and a shuffled tale",
    varies={"name": [0, 1, 2, 3, 4, 5, 6, 7, "licence", "random tokens", "words in any order"]},
    names={"name": "On tales, a licence and random tokens"},
    against="uniform attention; half of the weight at least",
    control="the same head with its keys in a random order",
)
def test_one_head_smooths_one_position_left(name, holds):
    tokens = text(name, 128)[:-1]
    run = load().run(tokens)
    queries, keys = run.queries[2, 2][None], run.keys[2, 2][None]
    found = measure(queries, keys)
    shuffled = measure(queries, keys[:, np.random.default_rng(0).permutation(len(tokens))])
    assert found["position_offset"] == -1 and found["position_bandwidth"] < 2
    rival = max(0.5, found["uniform_overlap"][0])
    margins = [each["position_overlap"][0] - rival for each in (found, shuffled)]
    holds(margins[0], "of the weight", control=margins[1])


def loss_with_memories(tokens, keep):
    """Return the loss with those memories of each position that `keep` chooses by their weights (n, 512)."""
    model = load()
    stream = norm(model.embedding[tokens[:-1]])
    for block in model.blocks:
        _, _, values, weights = block.heads(stream, [HEAD_KERNELS["dot product"]] * 4)
        stream = stream + ((weights @ values) @ block.output_maps.mT).sum(axis=0)
        active = np.maximum(norm(stream) @ block.first_layer.T, 0) ** 2
        stream = stream + (active * keep(active)) @ block.second_layer.T
    P = softmax(norm(stream) @ model.embedding.T)
    return -np.log(P[np.arange(len(P)), tokens[1:]]).mean()


@functools.cache
def lost_with_most_active(name, length, share):
    most = lambda active: active >= np.sort(active, axis=1)[:, [-round(share * 512)]]
    return loss_with_memories(text(name, length), most) - load().loss(text(name, length))


@pytest.mark.conclusion(
    "08:memories",
    tested="with the most active tenth alone, the loss was at most {limit} nats per token higher",
    where="eight unseen passages of the tales of 256 tokens, and eight of 64, twenty draws of the control each",
    varies={"piece": [0, 1, 2, 3, 4, 5, 6, 7], "length": [64, 256], "share": [0.1], "draw": list(range(20))},
    names={"share": "the most active tenth", "piece": "On unseen tales"},
    against="all memories, as they were trained",
    control="a tenth drawn from the memories that are active at the position",
    fails={"a hundredth in place of a tenth": {"piece": 0, "length": 256, "share": 0.01, "draw": 0}},
)
def test_most_active_tenth_of_memories_keeps_the_loss(piece, length, share, draw, holds):
    rng, tokens = np.random.default_rng(draw), text(piece, length)

    def drawn(active):
        order = rng.random(active.shape) + (active > 0)
        return order >= np.sort(order, axis=1)[:, [-round(share * 512)]]

    lost = lost_with_most_active(piece, length, share)
    holds(lost, "nats per token", below=0.05, control=loss_with_memories(tokens, drawn) - load().loss(tokens))


@pytest.mark.conclusion(
    "08:induction",
    where="random tokens of three lengths, tales, a licence, German and code, three pieces each",
    varies={"kind": list(PUBLISHED["knock out"]["losses"]), "sequence": [0, 1, 2], "others": [0, 1, 2, 3, 4]},
    names={"others": "each of five sets of six other heads", "kind": "On each repeated text"},
    control="no change to any head",
    against="six heads drawn among those that do not find what followed, without the partner 16, 0; the six "
    "induction heads were chosen on other tokens",
)
def test_the_induction_heads_cost_more_than_six_others(kind, sequence, others, holds):
    found = PUBLISHED["knock out"]["losses"][kind]
    without, as_trained = found["without the six strongest"][sequence], found["as trained"][sequence]
    rival = found["without six others"][others][sequence][1]
    holds(without[1] - rival, "nats per token", control=as_trained[1] - rival)


@functools.cache
def mean_queries(names):
    queries = [in_one_list(load().run(text(name)[:-1]).queries) for name in names]
    return np.mean([rotate(each, -np.arange(each.shape[1])).mean(axis=1) for each in queries], axis=0)


@functools.cache
def distances(names):
    weights = np.mean([in_one_list(load().run(text(name)[:-1]).weights) for name in names], axis=0)
    return [np.log([np.diagonal(each, -step).mean() for step in range(256)]) for each in weights]


def left(losses, name):
    return (losses["equal weights"] - losses[name]) / (losses["equal weights"] - losses["as trained"])


@functools.cache
def losses_of_less(piece, fitted_on):
    """Ablate heads of the small model, fitted on one text and evaluated on a different one."""
    back = np.abs(np.subtract.outer(np.arange(256), np.arange(256)))
    queries, known = mean_queries(fitted_on), distances((4, 5, 6))
    ask = lambda each: loss_of(piece, [fixed_query(query, rotate) for query in each])
    return {
        "one query": ask(queries),
        "distance": loss_of(piece, [lambda q, k, d=d: d[back] for d in known]),
        "another head's query": loss_of(
            piece, [fixed_query(query, rotate) for query in np.roll(queries, 5, axis=0)]
        ),
        "equal weights": loss(piece, "uniform"),
        "as trained": loss(piece),
    }


@pytest.mark.conclusion(
    "08:one-question",
    where="SmolLM2 on tales, a licence and a program, and the small model on four passages of the tales",
    varies={
        "judged_on": ["SmolLM2, tales", "SmolLM2, licence", "SmolLM2, program", 0, 1, 2, 3],
        "fitted_on": ["tales", "licence"],
        "null": ["distance", "another head's query"],
    },
    against="heads that know their mean weight per distance (in SmolLM2 also that of the first key), and heads "
    "that ask the question of another head; a third at least",
    control="the fixed query of another head",
)
def test_fixed_query_per_head_keeps_a_third_of_the_gain(judged_on, fitted_on, null, holds):
    nulls = [null]
    if str(judged_on).startswith("SmolLM2"):
        losses = PUBLISHED["one query"][judged_on.removeprefix("SmolLM2, ")][fitted_on]
        nulls += ["first key", "first key and distance"] if null == "distance" else []
    else:
        losses = losses_of_less(judged_on, (4, 5, 6) if fitted_on == "tales" else ("licence",))
    rival = max(1 / 3, *(left(losses, each) for each in nulls))
    margins = [left(losses, each) - rival for each in ("one query", "another head's query")]
    holds(margins[0], "of what attention earns", control=margins[1])


@pytest.mark.conclusion(
    "08:near-words",
    where="trainings of one pass with four kernels and two seeds",
    tested="the loss was lower by more than {limit} nats per token",
    varies={"kernel": ["dot product", "gaussian", "positive features", "equal weights"], "training": [0, 1]},
    names={"kernel": "each of four kernels", "training": "two trainings"},
    against="the same kernel, seed and passages without a position term",
    control="the dot product in place of the position term",
)
def test_a_preference_for_near_words_helps(kernel, training, holds):
    last = lambda start, kernel: TRAININGS[start][kernel][training][-1][1]
    without = last("no place term", kernel)
    control = without - last("no place term", "dot product")
    holds(without - last("starts near", kernel), "nats per token", above=0.25, control=control)


@functools.cache
def raised_by(piece, length, heads):
    """How much uniform attention in these heads raises the loss."""
    loss_of_piece = lambda kernels: load().loss(text(piece, length), kernels)
    return loss_of_piece(dict.fromkeys(heads, "uniform")) - loss_of_piece(None)


@pytest.mark.conclusion(
    "08:alone",
    where="four unseen passages of the tales, 256 tokens each",
    varies={"piece": [0, 1, 2, 3], "head": HEADS, "length": [256]},
    names={"length": "256 unseen tokens", "piece": "unseen tokens of tales"},
    against="uniform attention in all sixteen heads",
    control="uniform attention in the eight heads of its block and the next",
    fails={
        "random tokens": {"piece": "random tokens", "head": (2, 2), "length": 256},
        "64 tokens": {"piece": 25, "head": (2, 2), "length": 64},
    },
)
def test_ablated_head_costs_less_than_a_tenth(piece, head, length, holds):
    of_blocks = tuple((block % 4, each) for block in (head[0], head[0] + 1) for each in range(4))
    together, alone, eight = (raised_by(piece, length, each) for each in (("all",), (head,), of_blocks))
    holds(together / 10 - alone, "nats per token", control=together / 10 - eight)


@pytest.mark.conclusion(
    "08:equal-norms",
    tested="the loss was higher by less than {limit} nats per token",
    where="six unseen passages of the tales, 256 tokens each",
    varies={"piece": [0, 1, 2, 3, 4, 5]},
    control="keys of norm zero, that is, uniform attention",
    against="the head as it was trained; each mean length is taken on two other passages",
)
def test_equal_key_norms_cost_little(piece, holds):
    keys = [in_one_list(load().run(text(name)[:-1]).keys) for name in (6, 7)]
    lengths = np.linalg.norm(keys, axis=-1).mean(axis=(0, 2))
    level = lambda length: (
        lambda q, k: HEAD_KERNELS["dot product"](q, length * k / np.linalg.norm(k, axis=-1, keepdims=True))
    )
    raised = [loss_of(piece, [level(times * length) for length in lengths]) - loss(piece) for times in (1, 0)]
    holds(raised[0], "nats per token", below=0.1, control=raised[1])


@pytest.mark.conclusion(
    "08:window",
    tested="the loss was higher by less than {limit} nats per token",
    where="eight unseen passages of the tales",
    varies={"piece": [0, 1, 2, 3, 4, 5, 6, 7], "length": [256]},
    names={"length": "256 tokens"},
    control="the last two tokens",
    against="heads that see all earlier words, as they were trained",
)
def test_window_of_sixteen_tokens_costs_little(piece, length, holds):
    tokens, places = text(piece, length), np.arange(length)

    def raised(width):
        far = places[:, None] - places >= width
        window = lambda queries, keys: np.where(far, -np.inf, HEAD_KERNELS["dot product"](queries, keys))
        return load().loss(tokens, {"all": window}) - load().loss(tokens)

    holds(raised(16), "nats per token", below=0.1, control=raised(2))


@pytest.mark.conclusion(
    "08:key-bias",
    where="the six blocks of MiniLM",
    varies={"block": [0, 1, 2, 3, 4, 5]},
    tested="it has more than {limit} times the norm",
    names={"block": "In every block of MiniLM"},
    against="the bias of the keys",
    control="the bias of the values",
)
def test_biases_of_keys_stay_short(block, holds):
    norms = PUBLISHED["encoder"]["lengths of biases"]
    query, key, value = (norms[part][block] for part in ("query", "key", "value"))
    holds(query / key, "times the norm of the keys' bias", above=100, control=value / key)


@pytest.mark.conclusion(
    "08:no-copy",
    where="24 passages of the tales",
    varies={"start": list(range(0, 2000, 250)), "length": [32, 64, 100]},
    tested="its loss was lower by less than {limit} nats per token than at the first reading",
    names={"start": "one of 24 passages"},
    against="the same passage when it is read the first time",
    control="the model's mean with a copy of what followed the same token before",
)
def test_repeated_passage_has_nearly_the_same_loss(start, length, holds):
    model = load()
    passage = model.encode(data.two_tales())[start : start + length]
    twice = np.tile(passage, 2)
    P = softmax(model.run(twice[:-1]).logits)
    followed = np.zeros(P.shape)
    for i, token in enumerate(twice[:-1]):
        earlier = np.flatnonzero(twice[:i] == token)
        np.add.at(followed[i], twice[earlier + 1], 1 / max(len(earlier), 1))

    def gain(P):
        lost = -np.log(P[np.arange(len(P)), twice[1:]])
        return lost[: length - 1].mean() - lost[length:].mean()

    holds(gain(P), "nats per token", below=0.25, control=gain((P + followed) / 2))
