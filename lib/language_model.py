"""A small language model, opened: a transformer whose heads are weighted averages of this course.

    stream = norm(embedding[tokens])                             (n, width)
    for each block:
        stream += heads of norm(stream), through W_o             weighted averages over the earlier words
        stream += second_layer · relu(first_layer · norm(stream))²   every word for itself
    logits = norm(stream) · embeddingᵀ                           one number per word of the vocabulary

Each head is the three lines of the course, log-weights, softmax, average. The first line can be exchanged, for one
head or for all: the inner product as trained, the Gaussian of the same queries and keys, the Gaussian of places of
1964, equal weights, or the random features of the Performer.

Vaswani et al. (2017), "Attention is all you need", doi:10.48550/arXiv.1706.03762; rotary positions: Su et al.
(2021), "RoFormer", doi:10.48550/arXiv.2104.09864; byte-pair encoding: Sennrich, Haddow & Birch (2016),
doi:10.18653/v1/P16-1162. `tools/train_language_model.py` trained the weights.
"""

import math
import re
from functools import cache, cached_property
from inspect import signature
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lib.attention import causal_mask
from lib.checks import as_array, non_negative, positive, random_generator, real_array, whole_number
from lib.constants import NORM_EPSILON, ROTARY_BASE
from lib.kernels import log_radial_kernel
from lib.random_features import linear_attention
from lib.weights import average, softmax

MODEL = Path(__file__).parent / "datasets" / "language_model.npz"
PIECES = re.compile(r" ?[A-Za-z]+| ?[^ \nA-Za-z]+| |\n")  # no token crosses the border of two pieces


# ---- The first of the three lines: log-weights of one head -----------------------------------------------------


def dot_product(queries, keys, factor=1.0):
    """q·k/τ with τ = √d times the factor: the kernel that the model was trained with (eq:head_scores)."""
    return queries @ keys.T / (_temperature(keys) * positive("temperature factor", factor))


def gaussian(queries, keys, factor=1.0):
    """−‖q − k‖²/h² with h² = 2τ: the same queries and keys, only exp(‖k‖²/h²) is gone (eq:gaussian_head)."""
    temperature = _temperature(keys) * positive("temperature factor", factor)
    return log_radial_kernel(queries, keys, bandwidth=np.sqrt(2 * temperature))


def place(queries, keys, bandwidth):
    """−(i − j)²/h² for the words' places i and j: the kernel smoother of 1964 (eq:place_head)."""
    places = np.arange(len(keys), dtype=float)
    return log_radial_kernel(places, places, bandwidth)


def uniform(queries, keys):
    """Equal weights."""
    return np.zeros((len(queries), len(keys)))


def performer(queries, keys, n_features=256, seed=0, factor=1.0):
    """The logarithm of the weights that causal positive orthogonal random features estimate (chapter 7)."""
    temperature = _temperature(keys) * positive("temperature factor", factor)
    weights = linear_attention(
        queries, keys, np.eye(len(keys)), n_features, causal=True, temperature=temperature, rng=seed
    )
    with np.errstate(divide="ignore"):
        return np.log(weights)


KERNELS = {
    "dot product": dot_product,
    "gaussian": gaussian,
    "place": place,
    "uniform": uniform,
    "performer": performer,
}


def _temperature(keys):
    return np.sqrt(keys.shape[-1])


# ---- Where a word stands ---------------------------------------------------------------------------------------


def rotate(x, places=None, base=ROTARY_BASE):
    """Turn the coordinates of queries or keys by angles that grow with their places.

    Parameters
    ----------
    x : (…, n, d) array, d even
        Coordinates a and a + d/2 make a pair.
    places : (n,) array, or None for 0, 1, …, n − 1
    base : float > 0

    Returns
    -------
    (…, n, d) array: pair a at place p is turned by the angle p·ω_a, with ω_a = base^(−2a/d)

    Raises
    ------
    ValueError, TypeError
        If d is odd, there is not one place per row, or anything is empty or not finite.

    Notes
    -----
    Equation eq:rotary of chapter 8; Su et al. (2021). The inner product of a turned query and a turned key depends
    on their places through the difference alone.

    Examples
    --------
    >>> query, key = [[1.0, 2.0]], [[3.0, 1.0]]
    >>> early, late = (rotate(query, [p]) @ rotate(key, [p - 5]).T for p in (5, 105))
    >>> bool(np.allclose(early, late))
    True
    """
    x = real_array("x", x)
    if x.ndim < 2 or x.shape[-1] % 2:
        raise ValueError(f"x: expected shape (…, n, d) with d even, got {x.shape}")
    places = np.arange(x.shape[-2]) if places is None else real_array("places", places)
    if places.shape != x.shape[-2:-1]:
        raise ValueError(f"places: expected one per row, shape ({x.shape[-2]},), got {places.shape}")
    first, second = np.split(x, 2, axis=-1)
    frequencies = positive("base", base) ** (-np.arange(first.shape[-1]) / first.shape[-1])
    angles = places[:, None] * frequencies
    cosine, sine = np.cos(angles), np.sin(angles)
    return np.concatenate([first * cosine - second * sine, first * sine + second * cosine], axis=-1)


def norm(x, epsilon=NORM_EPSILON):
    """Each row at a root mean square of 1: x/√(mean x² + ε)."""
    return x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + epsilon)


def sample(logits, temperature, rng):
    """A token drawn from softmax(logits/temperature), eq:sampling; the likeliest one at temperature 0."""
    if temperature == 0:
        return logits.argmax()
    with np.errstate(over="ignore"):  # at a very low temperature others have no weight
        log_weights = (logits - logits.max()) / temperature
    return rng.choice(len(logits), p=softmax(log_weights))


# ---- The model -------------------------------------------------------------------------------------------------


class Block(NamedTuple):
    """The maps of one block.

    Parameters
    ----------
    query_maps, key_maps, value_maps : (n_heads, d, width) arrays
        W_q, W_k and W_v of each head.
    output_maps : (n_heads, width, d) array
        W_o, one part per head: what the head adds to the stream.
    first_layer, second_layer : (4·width, width) and (width, 4·width) arrays
    """

    query_maps: np.ndarray
    key_maps: np.ndarray
    value_maps: np.ndarray
    output_maps: np.ndarray
    first_layer: np.ndarray
    second_layer: np.ndarray

    def heads(self, stream, kernels):
        """Queries, keys and values `(n_heads, n, d)` of all heads, and their weights `(n_heads, n, n)`."""
        x = norm(stream)
        queries, keys, values = (x @ maps.mT for maps in (self.query_maps, self.key_maps, self.value_maps))
        queries, keys = rotate(queries), rotate(keys)
        weights = np.stack([head_weights(*each) for each in zip(queries, keys, kernels, strict=True)])
        return queries, keys, values, weights

    def layers(self, stream):
        """What the two layers add to the stream: each word for itself."""
        hidden = np.maximum(norm(stream) @ self.first_layer.T, 0) ** 2
        return hidden @ self.second_layer.T


def head_weights(queries, keys, kernel):
    """The weights of one head: a word looks at itself and at earlier words.

    Parameters
    ----------
    queries, keys : (n, d) arrays
    kernel : function (queries, keys) → (n, n) array of log-weights

    Returns
    -------
    (n, n) array; rows sum to 1, and nothing lies above the diagonal

    Notes
    -----
    Equation eq:head_weights of chapter 8.
    """
    log_weights = np.asarray(kernel(queries, keys), float)
    if log_weights.shape != (len(queries), len(keys)):
        expected = (len(queries), len(keys))
        raise ValueError(f"kernel: expected log-weights of shape {expected}, got {log_weights.shape}")
    return softmax(np.where(causal_mask(len(keys)), log_weights, -np.inf))


class Run(NamedTuple):
    """What happened inside the model.

    Parameters
    ----------
    logits : (n, vocabulary) array
        Row i: the log-weights of the word after token i, up to a constant.
    weights : (n_layers, n_heads, n, n) array
    queries, keys, values : (n_layers, n_heads, n, d) arrays
        As they enter the scores and the averages: queries and keys are already turned.
    """

    logits: np.ndarray
    weights: np.ndarray
    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray


class _Arrays(NamedTuple):
    merges: np.ndarray
    embedding: np.ndarray
    blocks: tuple
    context: int


class LanguageModel(_Arrays):
    """A transformer and its vocabulary.

    Parameters
    ----------
    merges : (vocabulary − 256, 2) array of int
        Token 256 + m is the pair `merges[m]`; tokens below 256 are bytes.
    embedding : (vocabulary, width) array
    blocks : tuple of Block
    context : int
        The most tokens that the model takes.

    Examples
    --------
    >>> model = load()
    >>> tokens = model.encode("Once upon a time")
    >>> model.decode(tokens)
    'Once upon a time'
    >>> model.run(tokens).weights.shape == (4, 4, len(tokens), len(tokens))
    True
    >>> model.run(tokens, kernels={"all": "gaussian", (0, 1): ("place", 2.0)}).logits.shape == (len(tokens), 1024)
    True
    """

    def encode(self, text):
        """The tokens of a text.

        Parameters
        ----------
        text : str

        Returns
        -------
        (n,) array of int, from 0 to vocabulary − 1. Every text has tokens, since every byte is one.

        Raises
        ------
        TypeError, ValueError
            If it is no text, or a text that has no UTF-8 form (a lone surrogate).
        """
        if not isinstance(text, str):
            raise TypeError(f"text: expected a str, got {type(text).__name__}")
        try:
            pieces = [piece.encode("utf-8") for piece in PIECES.findall(text)]
        except UnicodeEncodeError as error:
            raise ValueError(f"text: expected what UTF-8 can write, got {error.object[error.start]!r}") from None
        return np.array([token for piece in pieces for token in self._merged(piece)], dtype=int)

    def _merged(self, piece):
        """The bytes of one piece, joined in the order in which the pairs were learned."""
        tokens = list(piece)
        while len(tokens) > 1:
            new, i = min((self._rank.get(pair, np.inf), i) for i, pair in enumerate(pairwise(tokens)))
            if new == np.inf:
                break
            tokens[i : i + 2] = [new]
        return tokens

    def decode(self, tokens):
        """The text of some tokens. Bytes that are no UTF-8, such as half a letter, become �.

        Parameters
        ----------
        tokens : (n,) sequence of int

        Returns
        -------
        str

        Raises
        ------
        ValueError, TypeError
            If a token is no whole number from 0 to vocabulary − 1.
        """
        spelled = (self._spelling[token] for token in self._tokens(tokens, least=0, most=math.inf))
        return b"".join(spelled).decode("utf-8", "replace")

    def run(self, tokens, kernels=None):
        """All weights of all heads, and what the model expects to come next.

        Parameters
        ----------
        tokens : (n,) sequence of int
            At most `context` of them.
        kernels : dict, or None for the model as trained
            From `(layer, head)`, each counted from 0, or `"all"`, to another kernel: a name of `KERNELS`, a tuple
            of a name and its numbers, such as `("place", 2.0)`, `("performer", 256, 0)` or `("dot product", 0.5)`
            for half the temperature, or a function (queries, keys) → (n, n) log-weights. The entry of a single
            head goes before `"all"`.

        Returns
        -------
        Run

        Raises
        ------
        ValueError, TypeError
            If there are no tokens or too many, one is not in the vocabulary, or a kernel or a head is unknown.

        Notes
        -----
        Equations eq:stream and eq:next_word of chapter 8.
        """
        tokens = self._tokens(tokens, most=self.context)
        stream, parts = norm(self.embedding[tokens]), []
        for block, log_kernels in zip(self.blocks, self._kernels(kernels), strict=True):
            queries, keys, values, weights = block.heads(stream, log_kernels)
            estimates = average(weights, values)
            stream = stream + (estimates @ block.output_maps.mT).sum(axis=0)
            stream = stream + block.layers(stream)
            parts.append((weights, queries, keys, values))
        logits = norm(stream) @ self.embedding.T
        return Run(logits, *(np.stack(part) for part in zip(*parts, strict=True)))

    def loss(self, tokens, kernels=None):
        """Mean nats per token of predicting each token from those before it.

        Parameters
        ----------
        tokens : (n,) sequence of int, 2 ≤ n ≤ context + 1
        kernels
            As in `run`.

        Returns
        -------
        float

        Raises
        ------
        ValueError, TypeError
            As `run`, and for a single token, which predicts nothing that is known.

        Notes
        -----
        Equation eq:surprise of chapter 8.

        Examples
        --------
        >>> model = load()
        >>> tokens = model.encode("Then the King said to his daughter,")
        >>> model.loss(tokens) < model.loss(tokens, {"all": "uniform"})
        True
        """
        tokens = self._tokens(tokens, least=2, most=self.context + 1)
        logits = self.run(tokens[:-1], kernels).logits
        return float(-np.log(softmax(logits)[np.arange(len(logits)), tokens[1:]]).mean())

    def generate(self, tokens, n_tokens, temperature=1.0, rng=None, kernels=None):
        """Write on: draw the next token, append it, and ask again.

        Parameters
        ----------
        tokens : (n,) sequence of int
            The beginning. Of a text longer than the context the model sees the end.
        n_tokens : int ≥ 0
            How many to append.
        temperature : float ≥ 0
            What the logits are divided by; 0 takes the likeliest token.
        rng : numpy.random.Generator, int or None
        kernels
            As in `run`.

        Returns
        -------
        (n + n_tokens,) array of int

        Raises
        ------
        ValueError, TypeError
            As `run`, and for a temperature below zero.

        Notes
        -----
        Equation eq:sampling of chapter 8. The keys and values of earlier tokens do not change, so they could be
        kept (a cache); here they are computed anew, which is slower and shorter.
        """
        tokens = self._tokens(tokens, most=math.inf)
        temperature, rng = non_negative("temperature", temperature), random_generator("rng", rng)
        for _ in range(whole_number("n_tokens", n_tokens, at_least=0)):
            logits = self.run(tokens[-self.context :], kernels).logits[-1]
            tokens = np.append(tokens, sample(logits, temperature, rng))
        return tokens

    def head_logits(self, run, layer, head):
        """What a head says: its average, through W_o and the unembedding.

        Parameters
        ----------
        run : Run
        layer, head : int
            Counted from 0.

        Returns
        -------
        (n, vocabulary) array: by how much the head's output alone raises each word's logit at each place, before
        the last norm

        Raises
        ------
        ValueError, TypeError
            If there is no such head.

        Notes
        -----
        Equation eq:head_logits of chapter 8. Later blocks also read the output; this is its direct way.
        """
        layer, head = self._head((layer, head))
        estimates = average(run.weights[layer, head], run.values[layer, head])
        return estimates @ self.blocks[layer].output_maps[head].T @ self.embedding.T

    # ---- Words ----

    @cached_property
    def _rank(self):
        """Which token a pair becomes."""
        return {tuple(pair): new for new, pair in enumerate(self.merges.tolist(), 256)}

    @cached_property
    def _spelling(self):
        """The bytes of every token."""
        spelled = [bytes([byte]) for byte in range(256)]
        for first, second in self.merges.tolist():
            spelled.append(spelled[first] + spelled[second])
        return spelled

    # ---- Arguments ----

    def _tokens(self, tokens, most, least=1):
        """Tokens as an array of int."""
        tokens = as_array("tokens", tokens)
        if tokens.ndim != 1 or (tokens.size and tokens.dtype.kind not in "ui"):
            raise TypeError(
                f"tokens: expected whole numbers of shape (n,), got {tokens.dtype} of shape {tokens.shape}"
            )
        if not least <= len(tokens) <= most:
            raise ValueError(f"tokens: expected {least} to {most} of them, got {len(tokens)}")
        if tokens.size and not (0 <= tokens.min() and tokens.max() < len(self.embedding)):
            raise ValueError(f"tokens: expected numbers from 0 to {len(self.embedding) - 1}, got {tokens}")
        return tokens.astype(int)

    def _head(self, name):
        """(layer, head) as two ints inside the model."""
        try:
            layer, head = name
        except (TypeError, ValueError):
            raise ValueError(f'head: expected (layer, head) or "all", got {name!r}') from None
        n_heads = len(self.blocks[0].query_maps)
        return (
            whole_number("layer", layer, 0, len(self.blocks) - 1),
            whole_number("head", head, 0, n_heads - 1),
        )

    def _kernels(self, kernels):
        """The log-kernel of every head, as functions of queries and keys: a list of lists."""
        if kernels is not None and not isinstance(kernels, dict):
            raise TypeError(f'kernels: expected a dict such as {{"all": "gaussian"}}, got {kernels!r}')
        kernels = dict(kernels or {})
        everywhere = _log_kernel(kernels.pop("all", "dot product"))
        chosen = [[everywhere] * len(block.query_maps) for block in self.blocks]
        for name, kernel in kernels.items():
            layer, head = self._head(name)
            chosen[layer][head] = _log_kernel(kernel)
        return chosen


def _log_kernel(kernel):
    """The function that a name, a tuple of a name and numbers, or a function stands for."""
    if callable(kernel):
        return kernel
    name, *numbers = kernel if isinstance(kernel, tuple) and kernel else (kernel,)
    if not isinstance(name, str) or name not in KERNELS:
        raise ValueError(f"kernel: expected one of {', '.join(KERNELS)}, got {kernel!r}")
    try:
        signature(KERNELS[name]).bind(None, None, *numbers)
    except TypeError:
        raise ValueError(
            f"kernel: expected {name} and its numbers, {signature(KERNELS[name])}, got {kernel!r}"
        ) from None
    return lambda queries, keys: KERNELS[name](queries, keys, *numbers)


@cache
def load():
    """The trained model, from a file beside the package: no network.

    Returns
    -------
    LanguageModel
        4 blocks of 4 heads, width 128, a vocabulary of 1024, a context of 256 tokens. Trained on *Household Tales*
        by the Brothers Grimm in Margaret Hunt's translation of 1884, without the last twentieth. Its arrays are
        read-only, since all who load the model share them.

    Notes
    -----
    The file holds whole numbers from −127 to 127, and one scale per row of each map.

    Examples
    --------
    >>> model = load()
    >>> len(model.blocks), model.embedding.shape
    (4, (1024, 128))
    """
    with np.load(MODEL) as stored:
        whole = {name: stored[name] * stored[f"{name}_scale"].astype(float)[..., None]
                 for name in ("embedding", *Block._fields)}  # fmt: skip
        merges = stored["merges"]
    for array in (merges, *whole.values()):
        array.flags.writeable = False
    embedding = whole.pop("embedding")
    blocks = tuple(Block(*maps) for maps in zip(*whole.values(), strict=True))
    return LanguageModel(merges, embedding, blocks, context=256)
