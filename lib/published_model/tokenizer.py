"""Tokenizer of the published model: byte-pair encoding on bytes that are written as characters.

Radford et al. (2019), "Language models are unsupervised multitask learners", introduced this alphabet and the
pattern of the pieces.
"""

import re
from itertools import pairwise
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

    Examples
    --------
    >>> tokenizer = ByteTokenizer(["h", "e", "he", "\\u0120"], ["h e"])  # \\u0120 is the byte of the space
    >>> tokenizer.encode("he he").tolist()
    [2, 3, 2]
    >>> tokenizer.decode([2, 3, 2])
    'he he'
    """

    def __init__(self, words, merges):
        self.words = words
        self._number = {word: i for i, word in enumerate(words)}
        self._rank = {tuple(pair.split(" ")): rank for rank, pair in enumerate(merges)}

    def encode(self, text):
        """Tokenize a text.

        Parameters
        ----------
        text : str

        Returns
        -------
        (n,) array of int. Names of special tokens in the text are ordinary text.

        Raises
        ------
        TypeError, ValueError
            If `text` is not a string, cannot be encoded as UTF-8, or contains a byte that the vocabulary lacks.
        """
        if not isinstance(text, str):
            raise TypeError(f"text: expected a str, got {type(text).__name__}")
        try:
            pieces = [piece.encode("utf-8") for piece in self._pieces(text)]
            return np.array([self._number[part] for piece in pieces for part in self._merged(piece)], dtype=int)
        except UnicodeEncodeError as error:
            raise ValueError(f"text: expected what UTF-8 can write, got {error.object[error.start]!r}") from None
        except KeyError as error:
            raise ValueError(f"text: expected characters of the vocabulary, got {error.args[0]!r}") from None

    @staticmethod
    def _pieces(text):
        classes = "".join(map(_in_ascii, text))
        for run in DIGITS.finditer(classes):
            for piece in PIECES.finditer(run[0]):
                yield text[run.start() + piece.start() : run.start() + piece.end()]

    def _merged(self, piece):
        """Merge the characters of one piece, the earliest learned pair first."""
        parts = [ALPHABET[byte] for byte in piece]
        while len(parts) > 1:
            rank, i = min((self._rank.get(pair, np.inf), i) for i, pair in enumerate(pairwise(parts)))
            if rank == np.inf:
                break
            parts[i : i + 2] = ["".join(parts[i : i + 2])]
        return parts

    def decode(self, tokens):
        """Convert tokens to text. Bytes that are not valid UTF-8, such as half a character, become �."""
        characters = "".join(self.words[token] for token in tokens)
        return bytes(BYTES.get(each, 63) for each in characters).decode("utf-8", "replace")
