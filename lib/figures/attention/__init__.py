"""The attention figure: the matrix of weights, one of its rows, and the resulting averages of the values."""

from lib.checks import listed, one_of, positive, real_array, whole_number
from lib.figures.contract import LiveFigure, LivePanel, bundled
from lib.figures.contract.settings import Control, Grid, choice, constant, label, number, stops

STRETCHES = Grid(-16, 16, 0.1)
BACK = Grid(-20, 20, 1)  # positions
SCALES = ("query_fast", "query_slow", "key_fast", "key_slow")
FOLDED = ("query", "temperature", "key_fast", "key_slow", "look_back", "mask_index")  # beside the scale factors
MASKS = {"none": "no mask", "causal": "causal: no later key"}


class AttentionFigure(LiveFigure):
    """Queries and keys in one or more frames, heads or steps of training; `attention_figure` adds its controls."""

    _esm, _css = bundled("attention")

    query = number("query")  # a row of the matrix
    frame_index = choice("frame", widget=stops)
    temperature = number("temperature τ")
    # Scale factors that W_q and W_k apply to each sine-cosine pair, and the rotation by W_q, in positions.
    query_fast = number("W_q, fast pair", start=1.0, name="wq1")
    query_slow = number("W_q, slow pair", start=1.0, name="wq2")
    key_fast = number("W_k, fast pair", start=1.0, name="wk1")
    key_slow = number("W_k, slow pair", start=1.0, name="wk2")
    look_back = number("W_q rotates by", name="back")
    mask_index = choice("mask", name="mask")

    frames = constant()  # queries and keys, (n_frames, n, d) each, mapped by W_q and W_k
    values = constant()
    frequencies = constant()  # of the two pairs; empty without sliders
    targets = constant()
    target_label = label()
    reference = constant()
    frame_name = label()
    frame_labels = constant()


def attention_figure(
    queries,
    keys,
    values,
    query=None,
    frame=0,
    *,
    frame_labels=("attention",),
    frame_name="frame",
    temperature=None,
    mask="none",
    targets=None,
    target_label="target",
    reference=None,
    frequencies=None,
    question="Which keys will this query attend to?",
    guesses=None,
    caption="",
    address="attention",
):
    """Show a live matrix of attention weights: choose a row, a head or a training step, the temperature, a mask.

    Parameters
    ----------
    queries, keys : (n_queries, d) and (n_keys, d) arrays, or (n_frames, …) of both
        Already projected by W_q and W_k. A frame is a head or a training step.
    values : (n_keys,) array
        One number per key, the same for all frames.
    query : int, optional
        The row that is shown; by default the middle row.
    frame : int
        The frame that is shown at first.
    frame_labels : sequence of str
        One label per frame.
    frame_name : str
        The label of their control, such as "head" or "step".
    temperature : float > 0, or None for √d
        τ. Rounded to the nearest value of its slider.
    mask : {"none", "causal"}
        "causal" needs as many queries as keys.
    targets : (n_queries,) array, optional
        The desired estimates, drawn as a dotted line.
    target_label : str
        The label of the dotted line in the legend.
    reference : (n_queries, n_keys) array, optional
        Weights to compare with. They are drawn beside the row, and the total variation distance is reported.
    frequencies : (fast, slow), optional
        The two frequencies of tokens `positional_encoding(n, 4, base)`. They add sliders for W_q and W_k: each
        projection scales the fast and the slow pair of a token, and W_q also rotates both, so that the query
        attends to a position that many steps back. Initially both are the identity. The two sliders that scale
        the pairs in W_q are shown; a checkbox unfolds the other controls.
    question, guesses, caption, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `AttentionFigure`.

    Raises
    ------
    ValueError, TypeError
        For arrays that are empty, do not match or contain NaN or inf, and settings out of range.

    Notes
    -----
    Equations eq:attention and eq:causal_mask of chapter 6, computed in the browser. The tests compare the numbers
    with those of `lib.attention`.

    Examples
    --------
    >>> import numpy as np
    >>> tokens = np.eye(5)
    >>> panel = attention_figure(tokens, tokens, values=np.arange(5.0), query=3)
    >>> panel.figure.query, panel.figure.temperature
    (3.0, 2.24)
    """
    queries, keys, values = _checked_frames(queries, keys, values)
    labels = _checked_labels(frame_labels, frame, len(queries))
    n_queries, n_keys = queries.shape[1], keys.shape[1]
    targets = _checked_constant("targets", targets, (n_queries,))
    reference = _checked_constant("reference", reference, (n_queries, n_keys))
    frequencies = _checked_frequencies(frequencies, queries, keys, values)
    query = _checked_query(query, n_queries)
    if one_of("mask", mask, MASKS) == "causal" and n_queries != n_keys:
        got = _shapes(queries, keys, values)
        raise ValueError(f"mask: expected as many queries as keys for a causal one, got {got}")
    temperature = queries.shape[-1] ** 0.5 if temperature is None else positive("temperature", temperature)
    figure = AttentionFigure(
        {
            "query": Grid(0, n_queries - 1, 1),
            "frame_index": Control(frame_name, labels, frame_name) if len(labels) > 1 else None,
            "temperature": Grid.up_to(4 * temperature, 0.01),
            "mask_index": MASKS if n_queries == n_keys else None,
            **(dict.fromkeys(SCALES, STRETCHES) | {"look_back": BACK} if frequencies else {}),
        },
        query=query,
        frame_index=frame,
        temperature=temperature,
        mask_index=list(MASKS).index(mask),
        frames={"queries": queries.astype(float).tolist(), "keys": keys.astype(float).tolist()},
        values=values.astype(float).tolist(),
        targets=targets,
        reference=reference,
        frame_labels=labels,
        frame_name=frame_name,
        target_label=target_label,
        frequencies=frequencies,
        question=question,
        guesses=guesses,
        address=address,
    )
    return LivePanel(figure, caption, FOLDED if frequencies else [])


def _checked_frames(queries, keys, values):
    """Return queries and keys with an axis of frames, and the values; raise an error if their shapes differ."""
    queries, keys, values = (
        real_array(name, array) for name, array in [("queries", queries), ("keys", keys), ("values", values)]
    )
    queries, keys = (each[None] if each.ndim == 2 else each for each in (queries, keys))
    fits = queries.ndim == keys.ndim == 3 and (len(keys), keys.shape[2]) == (len(queries), queries.shape[2])
    if not fits or values.shape != keys.shape[1:2]:
        expected = "(n_frames, n_queries, d), (n_frames, n_keys, d), (n_keys,)"
        got = _shapes(queries, keys, values)
        raise ValueError(f"queries, keys and values: expected {expected}, got {got}")
    return queries, keys, values


def _shapes(queries, keys, values):
    return f"{queries.shape}, {keys.shape} and {values.shape}"


def _checked_labels(frame_labels, frame, n_frames):
    """Return one label per frame, as strings; raise an error if there are more or fewer, or no such frame."""
    labels = [str(each) for each in listed("frame_labels", frame_labels)]
    if len(labels) != n_frames or whole_number("frame", frame, 0) >= n_frames:
        raise ValueError(f"frames: expected {n_frames} labels, got {len(labels)} and frame {frame}")
    return labels


def _checked_constant(name, array, shape):
    """Return an optional array of this shape as nested lists, which are empty if it is None."""
    if array is None:
        return []
    array = real_array(name, array)
    if array.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, got {array.shape}")
    return array.astype(float).tolist()


def _checked_frequencies(frequencies, queries, keys, values):
    """Return the two frequencies as a list, which is empty if there are none."""
    if frequencies is None:
        return []
    frequencies = real_array("frequencies", frequencies).astype(float)
    if frequencies.shape != (2,) or queries.shape[-1] != 4:
        expected = "expected two of them, for tokens of two sines and two cosines"
        got = f"shape {frequencies.shape} and tokens of {_shapes(queries, keys, values)}"
        raise ValueError(f"frequencies: {expected}, got {got}")
    return frequencies.tolist()


def _checked_query(query, n_queries):
    """Return the row that is shown at first, by default the middle one."""
    query = whole_number("query", n_queries // 2 if query is None else query, 0)
    if query >= n_queries:
        raise ValueError(f"query: expected a row from 0 to {n_queries - 1}, got {query}")
    return query
