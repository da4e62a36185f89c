"""Tokenizer: byte-pair encoding.

Sennrich, Haddow & Birch (2016), doi:10.18653/v1/P16-1162.
"""

import re
from functools import cached_property
from itertools import pairwise

import numpy as np

PIECES = re.compile(r" ?[A-Za-z]+| ?[^ \nA-Za-z]+| |\n")  # no token crosses the boundary between two pieces


class Tokenizer:
    """A vocabulary of bytes and of pairs of tokens.

    Parameters
    ----------
    merges : (vocabulary − 256, 2) array of int
        Token 256 + m is the pair `merges[m]`; tokens below 256 are bytes.

    Examples
    --------
    >>> Tokenizer(np.array([[104, 101]])).encode("he hears").tolist()  # 104 and 101 are h and e
    [256, 32, 256, 97, 114, 115]
    """

    def __init__(self, merges):
        self.merges = merges

    def encode(self, text):
        """Tokenize a text.

        Parameters
        ----------
        text : str

        Returns
        -------
        (n,) array of int, from 0 to vocabulary − 1. Every text can be tokenized, because every byte is a token.
        """
        if not isinstance(text, str):
            raise TypeError(f"text: expected a str, got {type(text).__name__}")
        try:
            pieces = [piece.encode("utf-8") for piece in PIECES.findall(text)]
        except UnicodeEncodeError as error:
            raise ValueError(f"text: expected what UTF-8 can write, got {error.object[error.start]!r}") from None
        return np.array([token for piece in pieces for token in self._merged(piece)], dtype=int)

    def _merged(self, piece):
        """Merge the bytes of one piece in the order in which the pairs were learned."""
        tokens = list(piece)
        while len(tokens) > 1:
            new, i = min((self._rank.get(pair, np.inf), i) for i, pair in enumerate(pairwise(tokens)))
            if new == np.inf:
                break
            tokens[i : i + 2] = [new]
        return tokens

    @cached_property
    def _rank(self):
        """The token into which each pair is merged."""
        return {tuple(pair): new for new, pair in enumerate(self.merges.tolist(), 256)}

    @cached_property
    def _spelling(self):
        """The bytes of every token."""
        spelled = [bytes([byte]) for byte in range(256)]
        for first, second in self.merges.tolist():
            spelled.append(spelled[first] + spelled[second])
        return spelled

    def decode(self, tokens):
        """Convert tokens to text. Bytes that are not valid UTF-8, such as half a character, become �."""
        return b"".join(self._spelling[token] for token in tokens).decode("utf-8", "replace")
