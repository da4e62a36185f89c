"""The transformer of chapter 8: blocks of attention heads and an MLP on a residual stream."""

from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lib.checks import non_negative, random_generator, token_indices, whole_number
from lib.constants import NORM_EPSILON
from lib.language_model.kernels import log_kernel_of
from lib.language_model.rotary import rotated
from lib.language_model.tokenizer import Tokenizer
from lib.weights import trusted_average, trusted_softmax

MODEL = Path(__file__).parents[1] / "datasets" / "language_model.npz"


def norm(x, epsilon=NORM_EPSILON):
    """Scale each row to a root mean square of 1: x/√(mean x² + ε)."""
    return x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + epsilon)


def sample(logits, temperature, rng):
    """Draw a token from softmax(logits/temperature), eq:sampling; return the likeliest one at temperature 0."""
    if temperature == 0:
        return logits.argmax()
    with np.errstate(over="ignore"):  # overflow to −inf means a weight of zero
        log_weights = (logits - logits.max()) / temperature
    return rng.choice(len(logits), p=trusted_softmax(log_weights))


class Block(NamedTuple):
    """The parameters of one block.

    Parameters
    ----------
    query_maps, key_maps, value_maps : (n_heads, d, width) arrays
        W_q, W_k and W_v of each head.
    output_maps : (n_heads, width, d) array
        W_o, split by head: it maps the head's output to the stream.
    first_layer, second_layer : (4·width, width) and (width, 4·width) arrays
    """

    query_maps: np.ndarray
    key_maps: np.ndarray
    value_maps: np.ndarray
    output_maps: np.ndarray
    first_layer: np.ndarray
    second_layer: np.ndarray

    def heads(self, stream, kernels):
        """Return queries, keys and values `(n_heads, n, d)` of all heads, and their weights `(n_heads, n, n)`."""
        x, positions = norm(stream), np.arange(len(stream))
        queries, keys, values = (x @ maps.mT for maps in (self.query_maps, self.key_maps, self.value_maps))
        queries, keys = rotated(queries, positions), rotated(keys, positions)
        weights = np.stack([head_weights(*each) for each in zip(queries, keys, kernels, strict=True)])
        return queries, keys, values, weights

    def feed_forward(self, stream):
        """Return the output of the feed-forward network (MLP), which processes each position separately."""
        hidden = np.maximum(norm(stream) @ self.first_layer.T, 0) ** 2
        return hidden @ self.second_layer.T


def head_weights(queries, keys, kernel):
    """Return the weights of one head; a token attends to itself and to earlier tokens.

    Parameters
    ----------
    queries, keys : (n, d) arrays
    kernel : function (queries, keys) → (n, n) array of log-weights

    Returns
    -------
    (n, n) array; rows sum to 1, and all elements above the diagonal are 0

    Notes
    -----
    Equation eq:head_weights of chapter 8.
    """
    log_weights = kernel(queries, keys)
    return trusted_softmax(np.where(np.tri(len(keys), dtype=bool), log_weights, -np.inf))


class Run(NamedTuple):
    """The logits and the internal state of a forward pass.

    Parameters
    ----------
    logits : (n, vocabulary) array
        Row i has the log-probabilities of the token after token i, up to a constant.
    weights : (n_layers, n_heads, n, n) array
    queries, keys, values : (n_layers, n_heads, n, d) arrays
        The vectors that enter the scores and the averages; queries and keys are already rotated.
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
        The maximal number of tokens.

    Examples
    --------
    >>> model = load()
    >>> tokens = model.encode("Once upon a time")
    >>> model.decode(tokens)
    'Once upon a time'
    >>> model.run(tokens).weights.shape == (4, 4, len(tokens), len(tokens))
    True
    >>> kernels = {"all": "gaussian", (0, 1): ("position", 2.0)}
    >>> model.run(tokens, kernels).logits.shape == (len(tokens), 1024)
    True
    """

    @cached_property
    def tokenizer(self):
        """Return the tokenizer with the model's merges."""
        return Tokenizer(self.merges)

    def encode(self, text):
        """Tokenize a text.

        Parameters
        ----------
        text : str

        Returns
        -------
        (n,) array of int, from 0 to vocabulary − 1. Every text can be tokenized, because every byte is a token.

        Raises
        ------
        TypeError, ValueError
            If `text` is not a string, or cannot be encoded as UTF-8 (a lone surrogate).
        """
        return self.tokenizer.encode(text)

    def decode(self, tokens):
        """Convert tokens to text. Bytes that are not valid UTF-8, such as half a character, become �.

        Parameters
        ----------
        tokens : (n,) sequence of int

        Returns
        -------
        str
        """
        return self.tokenizer.decode(token_indices("tokens", tokens, len(self.embedding), 0))

    def run(self, tokens, kernels=None):
        """Run the model on tokens and return the logits and the weights of all heads.

        Parameters
        ----------
        tokens : (n,) sequence of int
            At most `context` of them.
        kernels : dict, or None for the model as trained
            Maps `(layer, head)`, each counted from 0, or `"all"` to a different kernel: a name from
            `HEAD_KERNELS`, a tuple of a name and its parameters, such as `("position", 2.0)`, `("performer", 256,
            0)` or `("dot product", 0.5)` for half the temperature, or a function (queries, keys) → (n, n)
            log-weights. The entry of a single head takes precedence over `"all"`.

        Returns
        -------
        Run

        Notes
        -----
        Equations eq:stream and eq:next_word of chapter 8.
        """
        tokens = token_indices("tokens", tokens, len(self.embedding), at_most=self.context)
        return self._run(tokens, self._log_kernels(kernels))

    def _run(self, tokens, log_kernels):
        stream, parts = norm(self.embedding[tokens]), []
        for block, of_heads in zip(self.blocks, log_kernels, strict=True):
            queries, keys, values, weights = block.heads(stream, of_heads)
            estimates = trusted_average(weights, values)
            stream = stream + (estimates @ block.output_maps.mT).sum(axis=0)
            stream = stream + block.feed_forward(stream)
            parts.append((weights, queries, keys, values))
        logits = norm(stream) @ self.embedding.T
        return Run(logits, *(np.stack(part) for part in zip(*parts, strict=True)))

    def loss(self, tokens, kernels=None):
        """Compute the mean loss, in nats per token, of predicting each token from the previous ones.

        Parameters
        ----------
        tokens : (n,) sequence of int, 2 ≤ n ≤ context + 1
        kernels
            As in `run`.

        Returns
        -------
        float

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
        tokens = token_indices("tokens", tokens, len(self.embedding), 2, self.context + 1)
        logits = self._run(tokens[:-1], self._log_kernels(kernels)).logits
        return float(-np.log(trusted_softmax(logits)[np.arange(len(logits)), tokens[1:]]).mean())

    def generate(self, tokens, n_tokens, *, temperature=1.0, rng=None, kernels=None):
        """Generate a continuation: repeatedly draw the next token and append it.

        Parameters
        ----------
        tokens : (n,) sequence of int
            The prompt. If it is longer than the context, the model uses its end.
        n_tokens : int ≥ 0
            Number of tokens to append.
        temperature : float ≥ 0
            The logits are divided by it; 0 selects the likeliest token.
        rng : numpy.random.Generator, int or None
        kernels
            As in `run`.

        Returns
        -------
        (n + n_tokens,) array of int

        Notes
        -----
        Equation eq:sampling of chapter 8. The keys and values of earlier tokens do not change and could be
        stored in a KV cache. Recomputing them is slower but needs less code.
        """
        tokens = token_indices("tokens", tokens, len(self.embedding))
        temperature, rng = non_negative("temperature", temperature), random_generator("rng", rng)
        n_tokens, log_kernels = whole_number("n_tokens", n_tokens, at_least=0), self._log_kernels(kernels)
        for _ in range(n_tokens):
            logits = self._run(tokens[-self.context :], log_kernels).logits[-1]
            tokens = np.append(tokens, sample(logits, temperature, rng))
        return tokens

    def head_logits(self, run, layer, head):
        """Return the direct effect of a head on the logits: its output through W_o and the unembedding.

        Parameters
        ----------
        run : Run
        layer, head : int
            Counted from 0.

        Returns
        -------
        (n, vocabulary) array: the amount by which the head's output alone raises each token's logit at each
        position, before the last norm

        Notes
        -----
        Equation eq:head_logits of chapter 8. Later blocks also read the output; this is only the direct path.
        """
        layer, head = self._head((layer, head))
        estimates = trusted_average(run.weights[layer, head], run.values[layer, head])
        return estimates @ self.blocks[layer].output_maps[head].T @ self.embedding.T

    def _head(self, name):
        """Validate (layer, head) and return it as two ints."""
        try:
            layer, head = name
        except (TypeError, ValueError):
            raise ValueError(f'head: expected (layer, head) or "all", got {name!r}') from None
        n_heads = len(self.blocks[0].query_maps)
        return (
            whole_number("layer", layer, 0, len(self.blocks) - 1),
            whole_number("head", head, 0, n_heads - 1),
        )

    def _log_kernels(self, kernels):
        """Return the log-kernel of every head, a function of queries and keys, as a list of lists."""
        if kernels is not None and not isinstance(kernels, dict):
            raise TypeError(f'kernels: expected a dict such as {{"all": "gaussian"}}, got {kernels!r}')
        kernels = dict(kernels or {})
        everywhere = log_kernel_of(kernels.pop("all", "dot product"))
        chosen = [[everywhere] * len(block.query_maps) for block in self.blocks]
        for name, kernel in kernels.items():
            layer, head = self._head(name)
            chosen[layer][head] = log_kernel_of(kernel)
        return chosen


@cache
def load():
    """Load the trained model from a file in the package.

    Returns
    -------
    LanguageModel
        4 blocks of 4 heads, width 128, a vocabulary of 1024, a context of 256 tokens. Trained on *Household Tales*
        by the Brothers Grimm in Margaret Hunt's translation of 1884, without the last twentieth. The arrays are
        read-only, because all callers share them.

    Notes
    -----
    The file contains integers from −127 to 127 and one scale per row of each matrix.

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
