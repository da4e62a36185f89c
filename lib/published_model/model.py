"""The transformer of the Llama family: blocks of grouped-query attention and a gated feed-forward network."""

from typing import NamedTuple

import numpy as np

from lib.checks import non_negative, random_generator, token_indices, whole_number
from lib.heads import fixed_query
from lib.language_model import head_weights, norm, rotate, sample
from lib.language_model.kernels import log_kernel_of
from lib.published_model.gguf import read_gguf
from lib.published_model.supported import check_model
from lib.published_model.tokenizer import ByteTokenizer
from lib.weights import trusted_average, trusted_softmax

SPECIAL = 3  # the type of tokens such as <|im_start|> in a GGUF file


class Cache(NamedTuple):
    """The keys and values of earlier tokens, one array `(n_groups, n, d)` per block; empty at first."""

    keys: list
    values: list


class GatedBlock(NamedTuple):
    """The parameters of one block, with h query heads, g key–value heads (groups) and dimension d.

    Parameters
    ----------
    query_map, key_map, value_map : (h·d, width), (g·d, width) and (g·d, width) arrays
    output_map : (width, h·d) array
    gate, up, down : (hidden, width), (hidden, width) and (width, hidden) arrays
    attention_gain, layer_gain : (width,) arrays
        The gains of the norms before the heads and before the feed-forward network.
    """

    query_map: np.ndarray
    key_map: np.ndarray
    value_map: np.ndarray
    output_map: np.ndarray
    gate: np.ndarray
    up: np.ndarray
    down: np.ndarray
    attention_gain: np.ndarray
    layer_gain: np.ndarray

    def feed_forward(self, x):
        """Return the output of the gated feed-forward network, which processes each position separately."""
        gate = x @ self.gate.T
        with np.errstate(over="ignore"):  # silu(−large) is zero
            return (gate / (1 + np.exp(-gate)) * (x @ self.up.T)) @ self.down.T


class PublishedRun(NamedTuple):
    """The logits and the internal state of a forward pass.

    Parameters
    ----------
    logits : (n, vocabulary) array
        Row i has the log-probabilities of the token after token i, up to a constant.
    weights : (n_blocks, n_heads, n, n_keys) array
        There are more keys than queries if a cache contains earlier tokens.
    queries, keys : (n_blocks, n_heads, n or n_keys, d) arrays
        Already rotated; keys that several heads share are repeated.
    """

    logits: np.ndarray
    weights: np.ndarray
    queries: np.ndarray
    keys: np.ndarray


class PublishedModel(NamedTuple):
    """A transformer of the Llama family and its tokenizer; `load` reads it from a file.

    Parameters
    ----------
    embedding, unembedding : (vocabulary, width) arrays
        The second maps the last stream to logits; in SmolLM2 both are the same.
    blocks : tuple of GatedBlock
    gain : (width,) array
        The gain of the last norm.
    tokenizer : ByteTokenizer
    n_heads, n_groups : int
        Query heads and key–value heads of each block.
    base, epsilon : float
        Of the rotary positions and of the norm.
    context : int
        The maximal number of tokens.
    """

    embedding: np.ndarray
    unembedding: np.ndarray
    blocks: tuple
    gain: np.ndarray
    tokenizer: ByteTokenizer
    n_heads: int
    n_groups: int
    base: float
    epsilon: float
    context: int

    def encode(self, text):
        """Tokenize a text; see `ByteTokenizer.encode`."""
        return self.tokenizer.encode(text)

    def decode(self, tokens):
        """Convert tokens to text; see `ByteTokenizer.decode`."""
        return self.tokenizer.decode(tokens)

    def rotate(self, x, positions):
        """Rotate queries or keys by their positions, in single precision."""
        return rotate(x, positions, base=self.base).astype(np.float32)

    def norm(self, stream, gain):
        """Scale each row to a root mean square of 1, and each column by its gain."""
        return norm(stream, np.float32(self.epsilon)) * gain

    def run(self, tokens, kernels=None, cache=None):
        """Run the model on tokens and return the logits and the weights of all heads.

        Parameters
        ----------
        tokens : (n,) sequence of int
        kernels : dict, or None for the model as trained
            As in `lib.language_model.LanguageModel.run`: maps `(block, head)`, each counted from 0, or `"all"` to
            a kernel. `"fixed query"` is the head's mean query at every position.
        cache : Cache or None
            The keys and values of earlier tokens, which `tokens` continue; the new ones are appended. A cache is
            only for the model as trained, because a swapped kernel may depend on later tokens.

        Returns
        -------
        PublishedRun

        Notes
        -----
        Equations eq:stream and eq:next_word of chapter 8.
        """
        chosen = self._log_kernels(kernels)
        if cache is not None and kernels:
            raise ValueError("cache: expected None together with kernels, got both")
        n_before = cache.keys[0].shape[1] if cache is not None and cache.keys else 0
        tokens = token_indices("tokens", tokens, len(self.embedding), at_most=self.context - n_before)
        positions = n_before + np.arange(len(tokens))
        stream, parts = self.embedding[tokens], []
        for i, block in enumerate(self.blocks):
            added, *part = self._attend(
                i, block, self.norm(stream, block.attention_gain), positions, chosen, cache
            )
            stream = stream + added
            stream = stream + block.feed_forward(self.norm(stream, block.layer_gain))
            parts.append(part)
        logits = self.norm(stream, self.gain) @ self.unembedding.T
        return PublishedRun(logits, *(np.stack(part) for part in zip(*parts, strict=True)))

    def _attend(self, i, block, x, positions, chosen, cache):
        """Return what the heads of block i add to the stream, their weights, and rotated queries and keys."""
        of = lambda maps, count: (x @ maps.T).reshape(len(x), count, -1).swapaxes(0, 1)
        queries = self.rotate(of(block.query_map, self.n_heads), positions)
        keys = self.rotate(of(block.key_map, self.n_groups), positions)
        values = of(block.value_map, self.n_groups)
        if cache is not None:
            keys, values = _extended(cache.keys, i, keys), _extended(cache.values, i, values)
        keys, values = (np.repeat(each, self.n_heads // self.n_groups, axis=0) for each in (keys, values))
        seen = np.arange(keys.shape[1]) <= positions[:, None]
        scores = queries @ keys.mT / np.float32(np.sqrt(keys.shape[-1]))
        weights = trusted_softmax(np.where(seen, scores, -np.inf))
        for head, kernel in chosen.get(i, {}).items():
            weights[head] = head_weights(queries[head], keys[head], kernel)
        estimates = trusted_average(weights, values).swapaxes(0, 1).reshape(len(x), -1)
        return estimates @ block.output_map.T, weights, queries, keys

    def losses(self, tokens, kernels=None):
        """Return the loss in nats of each token except the first.

        Parameters
        ----------
        tokens : (n,) sequence of int, 2 ≤ n ≤ context + 1
        kernels
            As in `run`.

        Returns
        -------
        (n − 1,) array

        Notes
        -----
        Equation eq:surprise of chapter 8.
        """
        tokens = token_indices("tokens", tokens, len(self.embedding), 2, self.context + 1)
        probabilities = trusted_softmax(self.run(tokens[:-1], kernels).logits.astype(float))
        return -np.log(probabilities[np.arange(len(tokens) - 1), tokens[1:]])

    def loss(self, tokens, kernels=None):
        """Return the mean of `losses`, in nats per token."""
        return float(self.losses(tokens, kernels).mean())

    def generate(self, tokens, n_tokens, *, temperature=0.0, rng=None):
        """Generate a continuation as trained: draw the next token and append it, with cached keys and values.

        Parameters
        ----------
        tokens : (n,) sequence of int
        n_tokens : int ≥ 0
        temperature : float ≥ 0
            The logits are divided by it; 0 selects the likeliest token.
        rng : numpy.random.Generator, int or None

        Returns
        -------
        (n + n_tokens,) array of int

        Notes
        -----
        Equation eq:sampling of chapter 8. Each new token costs one position, because no key or value changes.
        """
        n_tokens = whole_number("n_tokens", n_tokens, at_least=0)
        tokens = new = token_indices("tokens", tokens, len(self.embedding), at_most=self.context - n_tokens)
        temperature, rng = non_negative("temperature", temperature), random_generator("rng", rng)
        cache = Cache([], [])
        for _ in range(n_tokens):
            logits = self.run(new, cache=cache).logits[-1].astype(float)
            new = np.array([sample(logits, temperature, rng)])
            tokens = np.append(tokens, new)
        return tokens

    def _log_kernels(self, kernels):
        """Return the swapped kernels, functions of queries and keys, by block and head."""
        kernels, chosen = dict(kernels or {}), {}
        if "all" in kernels:
            every = self._log_kernel(kernels.pop("all"))
            chosen = {block: dict.fromkeys(range(self.n_heads), every) for block in range(len(self.blocks))}
        for name, kernel in kernels.items():
            try:
                block, head = name
            except (TypeError, ValueError):
                raise ValueError(f'kernels: expected (block, head) or "all", got {name!r}') from None
            block = whole_number("block", block, 0, len(self.blocks) - 1)
            head = whole_number("head", head, 0, self.n_heads - 1)
            chosen.setdefault(block, {})[head] = self._log_kernel(kernel)
        return chosen

    def _log_kernel(self, kernel):
        return (
            self._own_fixed_query if isinstance(kernel, str) and kernel == "fixed query" else log_kernel_of(kernel)
        )

    def _own_fixed_query(self, queries, keys):
        """Use the head's mean query, before rotation, at every position."""
        unrotated = self.rotate(queries, -np.arange(len(queries)))
        return fixed_query(unrotated.mean(axis=0), self.rotate)(queries, keys)


def _extended(arrays, i, new):
    """Append new rows to the i-th array of a cache, and return all rows."""
    if i == len(arrays):
        arrays.append(new)
    else:
        arrays[i] = np.concatenate([arrays[i], new], axis=1)
    return arrays[i]


def load(path):
    """Load a model of the Llama family from a GGUF file.

    Parameters
    ----------
    path : str or Path
        Such as `SmolLM2-135M-Instruct.Q4_1.gguf`, which `make published-model` downloads.

    Returns
    -------
    PublishedModel

    Raises
    ------
    ValueError
        As `read_gguf`, and if the model has a different architecture, splits text differently, lacks an array, or
        has what these equations do not compute: scaled rotary positions, biases, a sliding window, experts, or
        arrays of other shapes.
    """
    settings, arrays = read_gguf(path)
    try:
        check_model(settings, arrays)
        return _assembled(settings, arrays)
    except KeyError as error:
        raise ValueError(
            f"path: expected a model with byte-pair encoding and {error}, got none in {path}"
        ) from None


def _assembled(settings, arrays):
    of = lambda name: settings[f"llama.{name}"]
    n_heads, n_groups = of("attention.head_count"), of("attention.head_count_kv")
    d = of("embedding_length") // n_heads

    def block(i):
        array = lambda name: arrays[f"blk.{i}.{name}.weight"]
        return GatedBlock(
            _in_half_pairs(array("attn_q"), d),
            _in_half_pairs(array("attn_k"), d),
            *(array(name) for name in ("attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")),
            array("attn_norm"),
            array("ffn_norm"),
        )

    return PublishedModel(
        arrays["token_embd.weight"],
        arrays.get("output.weight", arrays["token_embd.weight"]),
        tuple(block(i) for i in range(of("block_count"))),
        arrays["output_norm.weight"],
        _tokenizer(settings),
        n_heads,
        n_groups,
        settings.get("llama.rope.freq_base", 10_000.0),
        of("attention.layer_norm_rms_epsilon"),
        of("context_length"),
    )


def _tokenizer(settings):
    words, kinds = settings["tokenizer.ggml.tokens"], settings.get("tokenizer.ggml.token_type", [])
    special = [word for word, kind in zip(words, kinds, strict=False) if kind == SPECIAL]
    return ByteTokenizer(words, settings["tokenizer.ggml.merges"], special)


def _in_half_pairs(maps, d):
    """Reorder each head's rows: the file rotates the pairs (2a, 2a + 1), the course (a, a + d/2)."""
    order = np.r_[0:d:2, 1:d:2]
    return maps.reshape(-1, d, maps.shape[-1])[:, order].reshape(maps.shape)
