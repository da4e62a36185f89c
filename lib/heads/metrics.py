"""Metrics of attention heads and of baselines."""

import numpy as np

from lib.attention import attention_weights, causal_mask
from lib.checks import as_array, flag, random_generator, real_array
from lib.constants import HEAD_METRICS
from lib.kernels import log_radial_kernel
from lib.weights import trusted_softmax

BANDWIDTHS = np.geomspace(*HEAD_METRICS["bandwidths"])
OFFSETS = range(-HEAD_METRICS["farthest"], HEAD_METRICS["farthest"] + 1)


def measure(queries, keys, weights=None, causal=True, *, tokens=None, rotate=None):
    """Compute metrics of each head that do not depend on how its scores are split into queries and keys.

    Parameters
    ----------
    queries, keys : (n_heads, n, d) arrays
        The vectors that enter the scores; with rotary positions they are already rotated.
    weights : (n_heads, n, n) array, or None for softmax(queries · keys/√d)
        The weights to compare with the queries and keys; rows sum to 1.
    causal : bool
        Whether a query attends only to itself and to earlier positions.
    tokens : (n,) sequence of int, or None
        The token at each position, for `same_token`.
    rotate : function (x, positions) → x, or None
        The function that rotated queries and keys, such as `lib.language_model.rotate`. The fixed query is then
        the mean of the unrotated queries and is rotated to each position.

    Returns
    -------
    dict of (n_heads,) arrays, each averaged over all queries
        - `keys_for_90_percent`: number of the heaviest keys that together have 90 % of the weight
        - `key_norm_variation`: standard deviation of the key norms, divided by their mean
        - `distance_to_gaussian`: total variation distance to the balanced Gaussian of the same queries and keys
        - `equal_norms`: total variation distance to the head with all keys scaled to their mean norm
        - `position_overlap`, `position_bandwidth`, `position_offset`: overlap with the best position-only
          Gaussian, its h, and the distance of its centre from the query (−1 is the previous position)
        - `uniform_overlap`: overlap with uniform attention
        - `fixed_query_overlap`: overlap with the head that uses its mean query everywhere
        - `first_key`: weight on the first key
        - `same_token`: weight on other positions with the query's own token

    Raises
    ------
    ValueError
        If a key has norm 0 and therefore no direction.

    Notes
    -----
    (c W_q, W_k/c) is the same head for every c, but each c gives a different Gaussian, with the penalty ‖k‖²/2c²τ
    on a key. For large c any head is close to its Gaussian; for small c the shortest key gets all the weight. The
    distance to the Gaussian therefore depends on c. Here c is chosen such that queries and keys have the same root
    mean square, the balanced scale. An overlap is 1 minus the total variation distance, eq:place_head.

    Examples
    --------
    >>> queries, keys = np.random.default_rng(0).normal(size=(2, 3, 20, 8))
    >>> metrics = measure(queries, keys)
    >>> doubled = measure(2 * queries, keys / 2)
    >>> all(np.allclose(metrics[name], doubled[name]) for name in metrics)
    True
    """
    queries, keys, mask = _checked_heads(queries, keys, causal)
    own, tokens = _own_weights(queries, keys, mask), _checked_tokens(tokens, len(mask))
    weights = own if weights is None else real_array("weights", weights)
    if weights.shape != own.shape:
        raise ValueError(f"weights: expected shape {own.shape}, got {weights.shape}")
    return _metrics(queries, keys, weights, mask, tokens, rotate)


def _metrics(queries, keys, weights, mask, tokens, rotate):
    position_overlap, bandwidth, offset = best_position_smoother(weights, mask)
    gaussian = balanced_gaussian_weights(queries, keys, mask)
    equal_norms = _own_weights(queries, with_equal_norms(keys), mask)
    fixed_query = _own_weights(_mean_query(queries, rotate), keys, mask)
    metrics = {
        "keys_for_90_percent": keys_for_90_percent(weights),
        "key_norm_variation": key_norm_variation(keys),
        "distance_to_gaussian": total_variation(weights, gaussian),
        "equal_norms": total_variation(weights, equal_norms),
        "position_overlap": position_overlap,
        "position_bandwidth": bandwidth,
        "position_offset": offset,
        "uniform_overlap": overlap(weights, uniform_weights(mask)),
        "fixed_query_overlap": overlap(weights, fixed_query),
        "first_key": weights[..., 0].mean(axis=-1),
    }
    return metrics if tokens is None else metrics | {"same_token": weight_on_same_token(weights, tokens)}


def baselines(queries, keys, *, causal=True, tokens=None, rotate=None, rng=None):
    """Compute the same metrics for uninformative baseline heads.

    Parameters
    ----------
    queries, keys, causal, tokens, rotate
        As in `measure`.
    rng : numpy.random.Generator, int or None

    Returns
    -------
    dict of dicts as returned by `measure`
        - `equal weights`: uniform attention, compared with the head's queries and keys
        - `random head`: normally distributed queries and keys with the head's root mean squares
        - `shuffled head`: the head's own queries and keys, the keys in a random order

    Examples
    --------
    >>> queries, keys = np.random.default_rng(0).normal(size=(2, 3, 20, 8))
    >>> sorted(baselines(queries, keys))
    ['equal weights', 'random head', 'shuffled head']
    """
    queries, keys, mask = _checked_heads(queries, keys, causal)
    rng, tokens = random_generator("rng", rng), _checked_tokens(tokens, len(mask))
    uniform = np.broadcast_to(uniform_weights(mask), (len(queries), *mask.shape))
    drawn = [_root_mean_square(x) * rng.normal(size=x.shape) for x in (queries, keys)]
    shuffled = queries, keys[:, rng.permutation(len(mask))]
    return {
        "equal weights": _metrics(queries, keys, uniform, mask, tokens, rotate),
        "random head": _metrics(*drawn, _own_weights(*drawn, mask), mask, tokens, None),
        "shuffled head": _metrics(*shuffled, _own_weights(*shuffled, mask), mask, tokens, rotate),
    }


def uniform_weights(mask):
    """Return uniform attention, the same weight for every unmasked key.

    Examples
    --------
    >>> uniform_weights(np.tri(2, dtype=bool))
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    return trusted_softmax(np.where(mask, 0.0, -np.inf))


def total_variation(weights, others):
    """Return the total variation distance `½ Σ_j |w_ij − w'_ij|`, averaged over the queries i.

    Examples
    --------
    >>> float(total_variation(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0]])))
    0.5
    """
    return np.abs(weights - others).sum(axis=-1).mean(axis=-1) / 2


def overlap(weights, others):
    """Return the shared weight, 1 minus the total variation distance, eq:place_head."""
    return 1 - total_variation(weights, others)


def key_norm_variation(keys):
    """Return the standard deviation of the norms of a head's keys, divided by their mean.

    Examples
    --------
    >>> key_norm_variation(np.array([[[3.0, 4.0], [0.0, 5.0]], [[1.0, 0.0], [0.0, 3.0]]]))
    array([0. , 0.5])
    """
    norms = np.linalg.norm(keys, axis=-1)
    return norms.std(axis=1) / norms.mean(axis=1)


def with_equal_norms(keys):
    """Scale all keys of each head to their mean norm."""
    norms = np.linalg.norm(keys, axis=-1, keepdims=True)
    return keys / norms * norms.mean(axis=1, keepdims=True)


def keys_for_90_percent(weights):
    """Return the number of heaviest keys that have 90 % of a query's weight, averaged over the queries.

    Examples
    --------
    >>> float(keys_for_90_percent(np.array([[0.7, 0.25, 0.05]])))
    2.0
    """
    heaviest = np.sort(weights, axis=-1)[..., ::-1].cumsum(axis=-1)
    return ((heaviest < 0.9 - 1e-12).sum(axis=-1) + 1).mean(axis=-1)


def weight_on_same_token(weights, tokens):
    """Return the weight on other positions with the query's own token, averaged over the queries.

    Examples
    --------
    >>> float(weight_on_same_token(np.array([[1.0, 0.0], [0.6, 0.4]]), np.array([5, 5])))
    0.3
    """
    return (weights * same_token(tokens)).sum(axis=-1).mean(axis=-1)


def same_token(tokens):
    """Return an (n, n) boolean array that is True for different positions with the same token."""
    return (tokens[:, None] == tokens) & ~np.eye(len(tokens), dtype=bool)


def balanced_gaussian_weights(queries, keys, mask):
    """Return the Gaussian of the same queries and keys, at the scale where both have the same root mean square.

    Queries are multiplied and keys divided by c, with c² = rms(keys)/rms(queries). This does not change the inner
    products, and the penalty of a key is ‖k‖²/2c²√d.
    """
    squared_scale = _root_mean_square(keys) / _root_mean_square(queries).clip(np.finfo(float).tiny)
    penalty = (keys**2).sum(axis=-1)[:, None, :] / (2 * squared_scale)
    log_weights = (queries @ keys.mT - penalty) / np.sqrt(keys.shape[-1])
    return trusted_softmax(np.where(mask, log_weights, -np.inf))


def best_position_smoother(weights, mask):
    """Find the position-only Gaussian exp(−(j − i − o)²/h²) that has the largest overlap with each head.

    Parameters
    ----------
    weights : (n_heads, n, n) array
    mask : (n, n) boolean array
        True where a query may attend to the key; if it is causal, offsets are at most 0.

    Returns
    -------
    overlap, h, o : (n_heads,) arrays, the best of 16 bandwidths and of offsets from −8 to 8
    """
    positions, farthest = np.arange(len(mask), dtype=float), OFFSETS.stop if mask[0].all() and len(mask) > 1 else 1
    choices = [(h, o) for o in OFFSETS if o < farthest for h in BANDWIDTHS]
    overlaps = [overlap(weights, _position_smoother(positions, h, o, mask)) for h, o in choices]
    best = np.argmax(overlaps, axis=0)
    return np.max(overlaps, axis=0), *np.array(choices)[best].T


def _position_smoother(positions, h, o, mask):
    log_weights = log_radial_kernel(positions + o, positions, h)
    return trusted_softmax(np.where(mask, log_weights, -np.inf))


def _own_weights(queries, keys, mask):
    return attention_weights(queries, keys, mask=mask)


def _mean_query(queries, rotate):
    """Return the mean query for all positions, rotated to each position if `rotate` is given."""
    positions = np.arange(queries.shape[1])
    before = queries if rotate is None else rotate(queries, -positions)
    mean = np.broadcast_to(before.mean(axis=1, keepdims=True), queries.shape)
    return mean if rotate is None else rotate(mean, positions)


def _root_mean_square(x):
    return np.sqrt((x**2).mean(axis=(1, 2), keepdims=True))


def _checked_heads(queries, keys, causal):
    """Validate queries and keys, and return them with the mask."""
    queries, keys = real_array("queries", queries), real_array("keys", keys)
    if queries.ndim != 3:
        raise ValueError(f"queries: expected shape (n_heads, n, d), got {queries.shape}")
    if keys.shape != queries.shape:
        raise ValueError(f"keys: expected the shape of the queries, {queries.shape}, got {keys.shape}")
    if not keys.any(axis=-1).all():
        raise ValueError("keys: expected vectors of length above 0, got one of length 0, which has no direction")
    n = queries.shape[1]
    return queries, keys, causal_mask(n) if flag("causal", causal) else np.ones((n, n), bool)


def _checked_tokens(tokens, n):
    if tokens is None:
        return None
    tokens = as_array("tokens", tokens)
    if tokens.shape != (n,):
        raise ValueError(f"tokens: expected one per position, shape ({n},), got {tokens.shape}")
    return tokens


def copying(value_map, output_map, embedding):
    """Compute the copying score of a head, `Σ Re λ/Σ |λ|` over the eigenvalues of its map from tokens to tokens.

    Parameters
    ----------
    value_map : (d, width) array
    output_map : (width, d) array
    embedding : (vocabulary, width) array

    Returns
    -------
    float between −1 and 1: near 1, attending to a token raises the logit of that token, near −1 it lowers it;
    random projections give about 0

    Notes
    -----
    Elhage et al. (2021). The nonzero eigenvalues of the (vocabulary, vocabulary) matrix E W_o W_v Eᵀ are those of
    the small matrix W_v Eᵀ E W_o.

    Examples
    --------
    >>> table = np.random.default_rng(0).normal(size=(50, 4))
    >>> float(copying(np.eye(4), np.eye(4), table))
    1.0
    """
    eigenvalues = np.linalg.eigvals(value_map @ (embedding.T @ embedding) @ output_map)
    return eigenvalues.real.mean() / np.abs(eigenvalues).mean()
