"""Tokenizer of the published model: byte-pair encoding on bytes that are written as characters.

Radford et al. (2019), "Language models are unsupervised multitask learners", introduced this alphabet and the
pattern of the pieces.
"""

import re
from heapq import heappop, heappush
from unicodedata import category

import numpy as np

PIECES_OF = "smollm"  # the name of these two patterns in a GGUF file
DIGITS = re.compile(r"\d|\D+", re.ASCII)  # each digit is a piece
PIECES = re.compile(
    r"'s|'t|'re|'ve|'m|'ll|'d| ?[A-Za-z]+| ?\d+| ?[^\sA-Za-z\d]+|\s+(?!\S)|\s+", re.ASCII
)  # no token crosses the boundary between two pieces


def _alphabet():
    """Return the character that represents each byte: itself if it is printable, otherwise one from 256 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + i) for i, byte in enumerate(others)}


ALPHABET = _alphabet()
BYTES = {character: byte for byte, character in ALPHABET.items()}


def _in_ascii(character):
    """Return an ASCII character of the same class, for the patterns: letter, digit, white space or other."""
    if character.isascii():
        return character
    return "\t" if character.isspace() else {"L": "x", "N": "0"}.get(category(character)[0], "!")


class ByteTokenizer:
    """A vocabulary of strings and the pairs of strings that are merged, in this order.

    Parameters
    ----------
    words : list of str
        The text of each token; every byte is one character of `ALPHABET`.
    merges : list of str
        Pairs, separated by a space.
    special : list of str
        Tokens such as `"<|im_start|>"`, whose name in a text is the token itself.

    Examples
    --------
    >>> tokenizer = ByteTokenizer(["h", "e", "he", "\\u0120"], ["h e"])  # \\u0120 is the byte of the space
    >>> tokenizer.encode("he he").tolist()
    [2, 3, 2]
    >>> tokenizer.decode([2, 3, 2])
    'he he'
    """

    def __init__(self, words, merges, special=()):
        self.words = words
        self._special = re.compile("|".join(["(?!)", *map(re.escape, special)]))
        self._number = {word: i for i, word in enumerate(words)}
        self._rank = {tuple(pair.split(" ")): rank for rank, pair in enumerate(merges)}

    def encode(self, text):
        """Tokenize a text.

        Parameters
        ----------
        text : str

        Returns
        -------
        (n,) array of int
            A byte that the vocabulary lacks, such as some control characters, is left out.

        Raises
        ------
        TypeError, ValueError
            If `text` is not a string, or cannot be encoded as UTF-8.
        """
        if not isinstance(text, str):
            raise TypeError(f"text: expected a str, got {type(text).__name__}")
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError(f"text: expected what UTF-8 can write, got {text[error.start]!r}") from None
        return np.array([self._number[part] for part in self._parts(text)], dtype=int)

    def _parts(self, text):
        """Yield the strings of the tokens: special ones, and between them the merged pieces."""
        start = 0
        for found in self._special.finditer(text):
            yield from self._merged_pieces(text[start : found.start()])
            yield found[0]
            start = found.end()
        yield from self._merged_pieces(text[start:])

    def _merged_pieces(self, text):
        for piece in self._pieces(text):
            characters = (ALPHABET[byte] for byte in piece.encode("utf-8"))
            yield from self._merged([each for each in characters if each in self._number])

    @staticmethod
    def _pieces(text):
        classes = "".join(map(_in_ascii, text))
        for run in DIGITS.finditer(classes):
            for piece in PIECES.finditer(run[0]):
                yield text[run.start() + piece.start() : run.start() + piece.end()]

    def _merged(self, parts):
        """Merge the characters of one piece, the earliest learned pair first, then the first one in the text.

        A heap holds the pairs of neighbours. `after` and `before` link each part with its neighbours.
        """
        n, heap = len(parts), []
        after, before = list(range(1, n + 1)), list(range(-1, n - 1))

        def offer(i):
            if i >= 0 and after[i] < n:
                pair = parts[i], parts[after[i]]
                if pair in self._rank:
                    heappush(heap, (self._rank[pair], i, pair))

        for i in range(n):
            offer(i)
        while heap:
            _, i, pair = heappop(heap)
            j = after[i]
            if j == n or (parts[i], parts[j]) != pair:  # one of the two has been merged in the meantime
                continue
            parts[i], parts[j], after[i] = parts[i] + parts[j], "", after[j]
            if after[j] < n:
                before[after[j]] = i
            offer(before[i])
            offer(i)
        return [part for part in parts if part]

    def decode(self, tokens):
        """Convert tokens to text. Bytes that are not valid UTF-8, such as half a character, become �."""
        characters = "".join(self.words[token] for token in tokens)
        return bytes(BYTES.get(each, 63) for each in characters).decode("utf-8", "replace")
