"""A ruler for heads: what one head of any transformer does, in numbers of chapters 1 to 7, and what follows if it
could not.

    weights      = softmax(queries · keys/√d)          the head
    not_gaussian = ½ Σ |weights − those of the Gaussian of the same queries and keys|

`measure` gives one number per head and question, and `baselines` what equal weights, a random head and a shuffled
head get for the same question. `hide` and `one_query` are kernels for `lib.language_model`: they take one ability
away from a head, and the loss says what that ability was worth.

Two pairs of maps, (W_q, W_k) and (c W_q, W_k/c), are the same head, since only the inner products count. So no
number here changes when all queries are multiplied by c and all keys divided by it.
"""

import numpy as np

from lib.attention import attention_weights, causal_mask
from lib.checks import as_array, flag, positive, random_generator, real_array
from lib.constants import HEAD_NAMES, RULER
from lib.kernels import log_radial_kernel
from lib.weights import softmax

BANDWIDTHS = np.geomspace(*RULER["bandwidths"])
OFFSETS = range(-RULER["farthest"], RULER["farthest"] + 1)


# ---- The ruler -------------------------------------------------------------------------------------------------


def measure(queries, keys, weights=None, causal=True, tokens=None, turn=None):
    """What each head does, in numbers that do not depend on how its scores are split into queries and keys.

    Parameters
    ----------
    queries, keys : (n_heads, n, d) arrays
        As they enter the scores: where positions are rotary, already turned.
    weights : (n_heads, n, n) array, or None for softmax(queries · keys/√d)
        What is measured against the queries and keys; rows sum to 1.
    causal : bool
        Whether a query sees itself and earlier places only.
    tokens : (n,) sequence of int, or None
        The token at each place, for `same_token`.
    turn : function (x, places) → x, or None
        What turned queries and keys, such as `lib.language_model.rotate`: then the one query is a mean of
        unturned queries, and is turned to each place.

    Returns
    -------
    dict of (n_heads,) arrays; each is a mean over all queries
        - `keys_for_90_percent`: how many of the heaviest keys carry 90 % of the weight
        - `key_norm_variation`: standard deviation of the lengths of the keys, over their mean
        - `not_gaussian`: total variation to the Gaussian of the same queries and keys at the balanced scale
        - `equal_norms`: total variation to the head whose keys all have its mean length
        - `place_overlap`, `place_bandwidth`, `place_offset`: overlap with the best Gaussian of places, its h, and
          how far from the query its centre stands (−1 is the place before)
        - `equal_overlap`: overlap with equal weights
        - `one_query_overlap`: overlap with the head that asks its mean query everywhere
        - `first_key`: weight on the first key
        - `same_token`: weight on other places that hold the query's own token

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit, a key has length 0, or anything is empty or not finite.

    Notes
    -----
    (c W_q, W_k/c) is the same head for every c, and each c has another Gaussian, with the penalty ‖k‖²/2c²τ on a
    key. With a large c any head is nearly its Gaussian. With a small c the shortest key wins. So a number for "not
    Gaussian" needs a choice of c. Here it is the balanced scale, where queries and keys have one root mean square.
    An overlap is 1 minus the total variation, eq:place_head.

    Examples
    --------
    >>> queries, keys = np.random.default_rng(0).normal(size=(2, 3, 20, 8))
    >>> ruler = measure(queries, keys)
    >>> doubled = measure(2 * queries, keys / 2)
    >>> all(np.allclose(ruler[name], doubled[name]) for name in ruler)
    True
    """
    queries, keys, causal = _head_arrays(queries, keys, causal)
    n = queries.shape[1]
    mask = causal_mask(n) if causal else np.ones((n, n), bool)
    own = attention_weights(queries, keys, mask=mask)
    weights = own if weights is None else real_array("weights", weights)
    if weights.shape != own.shape:
        raise ValueError(f"weights: expected shape {own.shape}, got {weights.shape}")
    norms = np.linalg.norm(keys, axis=-1, keepdims=True)
    equal_keys = keys / norms * norms.mean(axis=1, keepdims=True)
    overlap, bandwidth, offset = best_place_smoother(weights, causal)
    found = {
        "keys_for_90_percent": keys_for_90_percent(weights),
        "key_norm_variation": (norms.std(axis=1) / norms.mean(axis=1))[:, 0],
        "not_gaussian": total_variation(weights, balanced_gaussian_weights(queries, keys, mask)),
        "equal_norms": total_variation(weights, attention_weights(queries, equal_keys, mask=mask)),
        "place_overlap": overlap,
        "place_bandwidth": bandwidth,
        "place_offset": offset,
        "equal_overlap": 1 - total_variation(weights, equal_weights(mask)),
        "one_query_overlap": 1
        - total_variation(weights, attention_weights(_mean_query(queries, turn), keys, mask=mask)),
        "first_key": weights[..., 0].mean(axis=-1),
    }
    if tokens is not None:
        found["same_token"] = (weights * _same_token(tokens, n)).sum(axis=-1).mean(axis=-1)
    return found


def baselines(queries, keys, causal=True, tokens=None, turn=None, rng=0):
    """The ruler's numbers for heads that know nothing: with what a head's own number is to be compared.

    Parameters
    ----------
    queries, keys, causal, tokens, turn
        As in `measure`.
    rng : numpy.random.Generator, int or None

    Returns
    -------
    dict of dicts as `measure` gives them
        - `equal weights`, measured against the head's queries and keys
        - `random head`: normal queries and keys with the head's root mean squares
        - `shuffled head`: the head's own queries and keys, the keys in a random order

    Examples
    --------
    >>> queries, keys = np.random.default_rng(0).normal(size=(2, 3, 20, 8))
    >>> sorted(baselines(queries, keys))
    ['equal weights', 'random head', 'shuffled head']
    """
    queries, keys, causal = _head_arrays(queries, keys, causal)
    rng, n = random_generator("rng", rng), queries.shape[1]
    mask = causal_mask(n) if causal else np.ones((n, n), bool)
    equal = np.broadcast_to(equal_weights(mask), (len(queries), n, n))
    drawn = [_root_mean_square(x) * rng.normal(size=x.shape) for x in (queries, keys)]
    more = {"causal": causal, "tokens": tokens}
    return {
        "equal weights": measure(queries, keys, equal, turn=turn, **more),
        "random head": measure(*drawn, **more),
        "shuffled head": measure(queries, keys[:, rng.permutation(n)], turn=turn, **more),
    }


def name_heads(ruler, said_again=0.0):
    """What the ruler says of each head, in a word or two.

    Parameters
    ----------
    ruler : dict of (n_heads,) arrays
        As `measure` gives it.
    said_again : float
        The share of queries whose token stands elsewhere too, as `said_again` counts it.

    Returns
    -------
    list of str, the first of these that holds, or "" where none does

    - "first word": it gives the first token more than half of its weight
    - "this word", "one back", "two back", …: more than 0.6 of it is a smoother of one place
    - "wide": more than half of it is equal weights
    - "same word": where its own token stands elsewhere too, 0.3 of its weight lies there
    - "near": more than 0.4 of it is a smoother of some places, by 0.1 more than of equal weights
    - "one question": more than 0.6 of it asks the same everywhere

    Notes
    -----
    The limits stand in `constants.json`. They are a choice: a name is a help to the eye and no measurement.

    Examples
    --------
    >>> weights = np.eye(20, k=-1)[None] + np.eye(20)[None] * np.eye(20)[0]
    >>> queries, keys = np.ones((2, 1, 20, 4))
    >>> name_heads(measure(queries, keys, weights))
    ['one back']
    """
    columns = [np.asarray(column).tolist() for column in ruler.values()]
    return [_name(dict(zip(ruler, row, strict=True)), said_again) for row in zip(*columns, strict=True)]


def said_again(tokens, causal=True):
    """The share of places whose token stands at another place that they may see.

    Examples
    --------
    >>> float(said_again([5, 7, 5, 9]))
    0.25
    """
    same = _same_token(tokens, len(tokens))
    return (np.tril(same) if flag("causal", causal) else same).any(axis=1).mean()


def _name(numbers, again):
    """The name of one head."""
    at_least, place = HEAD_NAMES, numbers["place_overlap"]
    is_place = place > at_least["place"] and numbers["place_bandwidth"] < at_least["sharp"]
    above_equal = place - numbers["equal_overlap"] > at_least["above_equal"]
    if numbers["first_key"] > at_least["first_key"]:
        return "first word"
    if is_place:
        return _name_of_place(int(numbers["place_offset"]))
    if numbers["equal_overlap"] > at_least["equal"]:
        return "wide"
    if again > 0 and numbers["same_token"] > at_least["same_token"] * again:
        return "same word"
    if place > at_least["near"] and numbers["place_bandwidth"] < at_least["narrow"] and above_equal:
        return "near"
    return "one question" if numbers["one_query_overlap"] > at_least["one_query"] else ""


def _name_of_place(offset):
    """How far from the query a head looks: "one back" for −1."""
    if offset == 0:
        return "this word"
    count = ["one", "two", "three"][abs(offset) - 1] if abs(offset) <= 3 else str(abs(offset))
    return f"{count} {'back' if offset < 0 else 'ahead'}"


def equal_weights(mask):
    """The same weight for every key that a query may see.

    Examples
    --------
    >>> equal_weights(np.tri(2, dtype=bool))
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    return softmax(np.where(mask, 0.0, -np.inf))


def total_variation(weights, others):
    """The share of the weight that would have to move, `½ Σ_j |w_ij − w'_ij|`, as a mean over the queries i.

    Examples
    --------
    >>> float(total_variation(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0]])))
    0.5
    """
    return np.abs(weights - others).sum(axis=-1).mean(axis=-1) / 2


def keys_for_90_percent(weights):
    """How many of the heaviest keys carry 90 % of a query's weight, as a mean over the queries.

    Examples
    --------
    >>> float(keys_for_90_percent(np.array([[0.7, 0.25, 0.05]])))
    2.0
    """
    heaviest = np.sort(weights, axis=-1)[..., ::-1].cumsum(axis=-1)
    return ((heaviest < 0.9 - 1e-12).sum(axis=-1) + 1).mean(axis=-1)


def balanced_gaussian_weights(queries, keys, mask):
    """The Gaussian of the same queries and keys, at the scale where both have one root mean square.

    Queries are multiplied by c and keys divided by it, with c² = rms(keys)/rms(queries). The inner products stay,
    and the penalty of a key is ‖k‖²/2c²√d.
    """
    squared_scale = _root_mean_square(keys) / _root_mean_square(queries).clip(np.finfo(float).tiny)
    penalty = (keys**2).sum(axis=-1)[:, None, :] / (2 * squared_scale)
    log_weights = (queries @ keys.mT - penalty) / np.sqrt(keys.shape[-1])
    return softmax(np.where(mask, log_weights, -np.inf))


def best_place_smoother(weights, causal=True):
    """The Gaussian of places exp(−(j − i − o)²/h²) that shares most weight with each head.

    Returns
    -------
    overlap, h, o : (n_heads,) arrays, of 16 bandwidths and of offsets from −8 to 8, or to 0 where it is causal
    """
    n = weights.shape[-1]
    mask = causal_mask(n) if causal else np.ones((n, n), bool)
    places = np.arange(n, dtype=float)
    choices = [(h, o) for o in OFFSETS if o <= 0 or not causal for h in BANDWIDTHS]
    overlaps = [
        1 - total_variation(weights, softmax(np.where(mask, log_radial_kernel(places + o, places, h), -np.inf)))
        for h, o in choices
    ]
    best = np.argmax(overlaps, axis=0)
    return np.max(overlaps, axis=0), *np.array(choices)[best].T


def _mean_query(queries, turn):
    """One query for all places, turned to each place where positions are rotary."""
    places = np.arange(queries.shape[1])
    unturned = queries if turn is None else turn(queries, -places)
    mean = np.broadcast_to(unturned.mean(axis=1, keepdims=True), queries.shape)
    return mean if turn is None else turn(mean, places)


def _root_mean_square(x):
    return np.sqrt((x**2).mean(axis=(1, 2), keepdims=True))


def _same_token(tokens, n):
    """(n, n) booleans: another place with the same token."""
    tokens = as_array("tokens", tokens)
    if tokens.shape != (n,):
        raise ValueError(f"tokens: expected one per place, shape ({n},), got {tokens.shape}")
    return (tokens[:, None] == tokens) & ~np.eye(n, dtype=bool)


def _head_arrays(queries, keys, causal):
    queries, keys = real_array("queries", queries), real_array("keys", keys)
    if queries.ndim != 3:
        raise ValueError(f"queries: expected shape (n_heads, n, d), got {queries.shape}")
    if keys.shape != queries.shape:
        raise ValueError(f"keys: expected the shape of the queries, {queries.shape}, got {keys.shape}")
    if not keys.any(axis=-1).all():
        raise ValueError("keys: expected vectors of length above 0, got one of length 0, which has no direction")
    return queries, keys, flag("causal", causal)


# ---- Interventions: kernels for lib.language_model -------------------------------------------------------------


def hide(places):
    """A kernel that does not see the keys at some places. A word still sees itself.

    Parameters
    ----------
    places : sequence of int

    Returns
    -------
    function (queries, keys) → (n, n) log-weights

    Examples
    --------
    >>> from lib.language_model import load
    >>> model = load()
    >>> tokens = model.encode("The King said to the frog")
    >>> model.run(tokens, {(0, 1): hide([1])}).weights[0, 1, 2:, 1].any()
    np.False_
    """

    def kernel(queries, keys):
        scores = queries @ keys.T / np.sqrt(keys.shape[-1])
        hidden = np.isin(np.arange(len(keys)), places) & ~np.eye(len(keys), dtype=bool)
        return np.where(hidden, -np.inf, scores)

    return kernel


def one_query(query, turn):
    """A kernel that asks one and the same question at every place.

    Parameters
    ----------
    query : (d,) array
        Not turned.
    turn : function (x, places) → x
        As in `measure`; for a model with no rotary positions `lambda x, places: x`.

    Returns
    -------
    function (queries, keys) → (n, n) log-weights
    """
    return lambda queries, keys: (
        turn(np.broadcast_to(query, queries.shape), np.arange(len(queries))) @ keys.T / np.sqrt(keys.shape[-1])
    )


def balanced_gaussian(scale=1.0):
    """A kernel: the Gaussian of the same queries and keys at a multiple of the balanced scale.

    With `scale` s the keys are s times as long as the queries (root mean squares); at s → 0 it is the head itself.
    """
    scale = positive("scale", scale)

    def kernel(queries, keys):
        ratio = np.sqrt((keys**2).mean() / (queries**2).mean())
        penalty = scale * (keys**2).sum(axis=-1) / (2 * ratio)
        return (queries @ keys.T - penalty) / np.sqrt(keys.shape[-1])

    return kernel


def copying(value_map, output_map, embedding):
    """Whether a head copies: `Σ Re λ/Σ |λ|` over the eigenvalues of the map from tokens to tokens.

    Parameters
    ----------
    value_map : (d, width) array
    output_map : (width, d) array
    embedding : (vocabulary, width) array

    Returns
    -------
    float between −1 and 1: near 1, a token that the head looks at raises itself, near −1 it lowers itself; random
    maps give about 0

    Notes
    -----
    Elhage et al. (2021). The (vocabulary, vocabulary) matrix E W_o W_v Eᵀ has the eigenvalues of the small matrix
    W_v Eᵀ E W_o, and zeros.

    Examples
    --------
    >>> table = np.random.default_rng(0).normal(size=(50, 4))
    >>> float(copying(np.eye(4), np.eye(4), table))
    1.0
    """
    eigenvalues = np.linalg.eigvals(value_map @ (embedding.T @ embedding) @ output_map)
    return eigenvalues.real.mean() / np.abs(eigenvalues).mean()
