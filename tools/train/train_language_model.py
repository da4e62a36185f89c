"""Train the small transformer of chapter 8 and store it in lib/datasets/language_model.npz.

    .venv/bin/python -m tools.train.train_language_model grimm.txt             # the model, about 40 minutes
    .venv/bin/python -m tools.train.train_language_model grimm.txt --kernels   # the curves with other kernels

The text is *Household Tales* by the Brothers Grimm, translated by Margaret Hunt (1884), in the public domain:
Project Gutenberg's eBook 5314, without its header, contents and footer, one paragraph per line. The last twentieth
is held out. PyTorch is needed only here: the chapter runs `lib.language_model`, in NumPy.
"""

import argparse
import hashlib
import json
import math
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from lib.constants import NORM_EPSILON, ROTARY_BASE
from lib.language_model import PIECES

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "lib" / "datasets" / "language_model.npz"
CURVES = ROOT / "lib" / "datasets" / "kernel_trainings.json"
SHA256 = "9bb7fb55cb855b4c518abe8c5f4abd8aead44531808c549dd2b82ba4a0a55490"
VOCABULARY, LAYERS, HEADS, WIDTH, CONTEXT = 1024, 4, 4, 128, 256
HEAD_DIMENSION = WIDTH // HEADS
BATCH, STEP_SIZE = 16, 0.01
TRAINED_KERNELS = (
    "dot product",
    "gaussian",
    "unit norm",
    "positive features",
    "ReLU features",
    "equal weights",
)
STARTED_NEAR = ("dot product", "gaussian", "positive features", "equal weights")
STARTED_FLAT = ("dot product", "equal weights")
# Initial bandwidths of the position term, one per head: −(i − j)²/h² is added to the log-weights, and h is
# learned. With uniform attention as the kernel, a head has only this term.
NEAR_WORDS = tuple(1.1 * head for head in range(HEADS))  # log h: 1, 3, 9 and 27 positions
ALL_WORDS = (math.log(100.0),) * HEADS  # nearly flat over the few dozen relevant words, so no word is preferred


# ---- Text ------------------------------------------------------------------------------------------------------


def read_text(path):
    """Return the training text and the held-out text."""
    data = Path(path).read_bytes()
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise ValueError(f"{path}: expected the text with SHA-256 {SHA256[:16]}…, got another one")
    text = data.decode("utf-8")
    cut = text.index("\n", int(0.95 * len(text))) + 1
    return text[:cut], text[cut:]


def merge(tokens, pair, new):
    """Replace each occurrence of the pair in the tokens, from left to right."""
    result, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            result.append(new)
            i += 2
        else:
            result.append(tokens[i])
            i += 1
    return result


def learn_merges(text, n_tokens):
    """Byte-pair encoding (Sennrich, Haddow & Birch 2016): the most frequent pair becomes a token, repeatedly."""
    counts = Counter(PIECES.findall(text))
    words = {piece: list(piece.encode()) for piece in counts}
    merges = []
    for new in range(256, n_tokens):
        pairs = Counter()
        for piece, tokens in words.items():
            for pair in pairwise(tokens):
                pairs[pair] += counts[piece]
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        words = {piece: merge(tokens, best, new) for piece, tokens in words.items()}
    return merges, words


# ---- The model, in the equations of lib.language_model ---------------------------------------------------------


def rotate(x):
    """Rotate each pair of coordinates (a, a + d/2) by the angle position · frequency."""
    half = x.shape[-1] // 2
    frequencies = ROTARY_BASE ** (-torch.arange(half) / half)
    angles = torch.arange(x.shape[-2])[:, None] * frequencies
    cos, sin, a, b = angles.cos(), angles.sin(), x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


def norm(x):
    return F.rms_norm(x, x.shape[-1:], eps=NORM_EPSILON)


class Block(nn.Module):
    """[norm, heads, W_o, add] and [norm, feed-forward network, add]."""

    def __init__(self, kernel, place_start, generator):
        super().__init__()
        draw = lambda out, inp, gain=1.0: nn.Parameter(
            torch.randn(out, inp, generator=generator) * gain / inp**0.5
        )
        self.query_map, self.key_map, self.value_map = (draw(WIDTH, WIDTH) for _ in range(3))
        self.output_map = draw(WIDTH, WIDTH, 0.3)
        self.first_layer, self.second_layer = draw(4 * WIDTH, WIDTH), draw(WIDTH, 4 * WIDTH, 0.3)
        self.kernel = kernel
        self.has_place_term = place_start is not None
        if self.has_place_term:
            self.log_bandwidth = nn.Parameter(torch.tensor(place_start)[:, None, None])
        if kernel == "unit norm":  # one temperature per head
            self.log_scale = nn.Parameter(torch.full((HEADS, 1, 1), math.log(10.0)))
        if kernel in ("positive features", "ReLU features"):
            blocks = [torch.linalg.qr(torch.randn(32, 32, generator=generator)) for _ in range(2)]
            directions = torch.cat([q * r.diagonal().sign() for q, r in blocks])
            lengths = torch.randn(64, 32, generator=generator).norm(dim=-1, keepdim=True)
            self.register_buffer("frequencies", lengths * directions)

    def weights(self, queries, keys):
        """Return (batch, heads, n, n) weights of each query over the keys up to its own position."""
        n = queries.shape[-2]
        hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
        scale, near = HEAD_DIMENSION**0.5, torch.zeros(n, n)
        if self.has_place_term:
            places = torch.arange(n, dtype=torch.float32)
            near = -((places[:, None] - places) ** 2) * torch.exp(-2 * self.log_bandwidth)
        if self.kernel in ("positive features", "ReLU features"):
            queries, keys = self.features(queries, keys)
            products = (queries @ keys.mT * near.exp()).masked_fill(hidden, 0)
            return products / products.sum(-1, keepdim=True)
        if self.kernel == "equal weights":
            scores = torch.zeros(n, n)
        elif self.kernel == "unit norm":
            scores = F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).mT * self.log_scale.exp()
        else:
            scores = queries @ keys.mT / scale
            if self.kernel == "gaussian":
                scores = scores - (keys**2).sum(-1)[..., None, :] / (2 * scale)
        return (scores + near).masked_fill(hidden, -torch.inf).softmax(-1)

    def features(self, queries, keys):
        root = HEAD_DIMENSION**0.25
        q, k = queries / root, keys / root
        if self.kernel == "ReLU features":
            return F.relu(q @ self.frequencies.T) + 1e-3, F.relu(k @ self.frequencies.T) + 1e-3
        logs = [x @ self.frequencies.T - (x**2).sum(-1, keepdim=True) / 2 for x in (q, k)]
        # Each query may subtract its own maximum, and all keys a common one: both cancel in the weights.
        return (
            (logs[0] - logs[0].amax(-1, keepdim=True).detach()).exp() + 1e-12,
            (logs[1] - logs[1].amax((-1, -2), keepdim=True).detach()).exp() + 1e-12,
        )

    def forward(self, x, dropout):
        split = lambda y: y.unflatten(-1, (HEADS, HEAD_DIMENSION)).transpose(-2, -3)
        h = norm(x)
        queries, keys, values = (split(h @ m.T) for m in (self.query_map, self.key_map, self.value_map))
        queries, keys = rotate(queries), rotate(keys)
        if self.kernel == "dot product" and not self.has_place_term:
            heads = F.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        else:
            heads = self.weights(queries, keys) @ values
        x = x + F.dropout(heads.transpose(-2, -3).flatten(-2) @ self.output_map.T, dropout, self.training)
        hidden = F.relu(norm(x) @ self.first_layer.T) ** 2
        return x + F.dropout(hidden @ self.second_layer.T, dropout, self.training)


class Transformer(nn.Module):
    """Embedding, blocks, then a softmax over the same embeddings."""

    def __init__(self, kernel="dot product", seed=0, place_start=None):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.embedding = nn.Parameter(torch.randn(VOCABULARY, WIDTH, generator=generator) / WIDTH**0.5)
        self.blocks = nn.ModuleList(Block(kernel, place_start, generator) for _ in range(LAYERS))

    def forward(self, tokens, dropout=0.0):
        x = F.dropout(norm(self.embedding[tokens]), dropout, self.training)
        for block in self.blocks:
            x = block(x, dropout)
        return norm(x) @ self.embedding.T


# ---- Training --------------------------------------------------------------------------------------------------


def loss_of(model, tokens, context=CONTEXT):
    """Return the mean nats per token of a long text, in half-overlapping windows."""
    model.eval()
    total, count, step = 0.0, 0, context // 2
    with torch.no_grad():
        starts = range(0, len(tokens) - 1, step)
        for start in starts:
            window = tokens[start : start + context + 1]
            if len(window) < 2:
                break
            losses = F.cross_entropy(model(window[None, :-1])[0], window[1:], reduction="none")
            fresh = losses if start == 0 else losses[step:]
            total, count = total + fresh.sum().item(), count + len(fresh)
    model.train()
    return total / count


def batch(tokens, size, length, rng, repeat=0.0):
    """Return random windows. Some of them repeat their first half, so that attending back is worth learning."""
    starts = rng.integers(0, len(tokens) - length - 1, size)
    windows = torch.stack([tokens[s : s + length + 1] for s in starts])
    for window in windows[: round(repeat * size)]:
        period = int(rng.integers(length // 8, length // 2))
        window[:] = window[:period].repeat(-(-len(window) // period))[: len(window)]
    return windows


class Muon(torch.optim.Optimizer):
    """Momentum with orthogonalised matrix steps (Jordan et al. 2024), in float32.

    `torch.optim.Muon` uses bfloat16, which is fifty times slower on a processor without it.
    """

    def __init__(self, parameters, step_size, momentum=0.95, decay=0.1):
        super().__init__(parameters, {"lr": step_size, "momentum": momentum, "decay": decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            # Position-only kernels and uniform attention need no queries and keys.
            for p in (p for p in group["params"] if p.grad is not None):
                average = self.state[p].setdefault("average", torch.zeros_like(p))
                average.lerp_(p.grad, 1 - group["momentum"])
                update = orthogonal(p.grad.lerp(average, group["momentum"]))
                p.mul_(1 - group["lr"] * group["decay"])
                p.add_(update, alpha=-group["lr"] * 0.2 * max(p.shape) ** 0.5)


def orthogonal(matrix, n_steps=5):
    """Approximate U Vᵀ of the matrix U S Vᵀ by the Newton–Schulz iteration."""
    x = matrix / (matrix.norm() + 1e-7)
    if x.shape[0] > x.shape[1]:
        return orthogonal(matrix.T, n_steps).T
    for _ in range(n_steps):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x


def optimizers(model, step_size):
    """Muon for the matrices of the blocks, AdamW for the embedding and scalars."""
    maps = [p for p in model.blocks.parameters() if p.ndim == 2]
    others = [p for p in model.parameters() if not any(p is m for m in maps)]
    return [Muon(maps, step_size), torch.optim.AdamW(others, step_size, betas=(0.9, 0.95), weight_decay=0.01)]


def train(
    tokens,
    judge,
    kernel="dot product",
    seed=0,
    steps=1800,
    length=CONTEXT,
    dropout=0.12,
    repeat=1 / 16,
    every=300,
    place_start=None,
):
    """Return a trained model and its curve, (step, nats per token on the held-out text)."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model = Transformer(kernel, seed, place_start)
    groups = optimizers(model, STEP_SIZE)
    curve, began = [], time.time()
    for step in range(steps):
        rate = min(1, (step + 1) / 100) * min(1, (steps - step) / (0.7 * steps))
        for group in groups:
            group.param_groups[0]["lr"] = group.defaults["lr"] * rate
        windows = batch(tokens, BATCH, length, rng, repeat)
        loss = F.cross_entropy(model(windows[:, :-1], dropout).flatten(0, 1), windows[:, 1:].flatten())
        for group in groups:
            group.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for group in groups:
            group.step()
        if (step + 1) % every == 0 or step + 1 == steps:
            curve.append((step + 1, round(loss_of(model, judge, length), 4)))
            print(
                f"{kernel}, seed {seed}, step {step + 1}: unseen {curve[-1][1]}, {time.time() - began:.0f} s",
                flush=True,
            )
    return model, curve


# ---- Stored results --------------------------------------------------------------------------------------------


def whole_numbers(matrix):
    """Quantize the rows of a matrix to integers from −127 to 127, with one scale per row."""
    scale = np.abs(matrix).max(axis=-1).astype(np.float32) / np.float32(127)
    return np.rint(matrix / scale[..., None]).astype(np.int8), scale


def store(model, merges, path=MODEL):
    """Write the model in the format of `lib.language_model.load`."""
    split = lambda name: [
        getattr(b, name).detach().numpy().reshape(HEADS, HEAD_DIMENSION, WIDTH) for b in model.blocks
    ]
    plain = lambda name: [getattr(block, name).detach().numpy() for block in model.blocks]
    output_maps = [
        block.output_map.detach().numpy().reshape(WIDTH, HEADS, HEAD_DIMENSION).swapaxes(0, 1)
        for block in model.blocks
    ]
    maps = {
        "embedding": model.embedding.detach().numpy(),
        "query_maps": np.stack(split("query_map")),
        "key_maps": np.stack(split("key_map")),
        "value_maps": np.stack(split("value_map")),
        "output_maps": np.stack(output_maps),
        "first_layer": np.stack(plain("first_layer")),
        "second_layer": np.stack(plain("second_layer")),
    }
    arrays = {"merges": np.array(merges, np.uint16)}
    for name, each in maps.items():
        arrays[name], arrays[f"{name}_scale"] = whole_numbers(each)
    np.savez_compressed(path, **arrays)


def encode(text, merges, words):
    """Encode a text, using the pieces that are known from learning the merges."""
    tokens = []
    for piece in PIECES.findall(text):
        if piece not in words:
            words[piece] = list(piece.encode())
            for new, pair in enumerate(merges, 256):
                words[piece] = merge(words[piece], pair, new)
        tokens += words[piece]
    return torch.tensor(tokens)


def train_kernels(tokens, judge):
    """Return curves with each kernel used from the start: 220 steps, about one epoch, or 660."""

    def curves(kernel, place_start, steps=220):
        options = {"length": 128, "dropout": 0.1, "repeat": 0, "every": steps // 11, "place_start": place_start}
        return [train(tokens, judge, kernel, seed, steps, **options)[1] for seed in (0, 1)]

    return {
        "no place term": {kernel: curves(kernel, None) for kernel in TRAINED_KERNELS},
        "starts near": {kernel: curves(kernel, NEAR_WORDS) for kernel in STARTED_NEAR},
        "starts flat": {kernel: curves(kernel, ALL_WORDS) for kernel in STARTED_FLAT},
        "three passes": {
            "dot product, no place term": curves("dot product", None, 660),
            "equal weights, starts near": curves("equal weights", NEAR_WORDS, 660),
        },
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    parser.add_argument("--kernels", action="store_true", help="train with other kernels and store the curves")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    training_text, judging_text = read_text(arguments.text)
    merges, words = learn_merges(training_text, VOCABULARY)
    tokens, judge = (encode(text, merges, words) for text in (training_text, judging_text))
    if arguments.kernels:
        CURVES.write_text(json.dumps(train_kernels(tokens, judge)) + "\n")
        return
    model, curve = train(tokens, judge, seed=arguments.seed)
    if arguments.seed == 0:  # other seeds only show the variation
        store(model, merges)
    characters = len(judging_text) / len(judge)
    loss = curve[-1][1]
    print(f"{loss:.4f} nats per token, {loss / characters:.4f} per character, on the unseen twentieth")


if __name__ == "__main__":
    main()
