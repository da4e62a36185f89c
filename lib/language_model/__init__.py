"""A small transformer language model whose attention heads are weighted averages, as in the rest of the course.

    stream = norm(embedding[tokens])                             (n, width)
    for each block:
        stream += heads of norm(stream), through W_o             weighted averages over earlier tokens
        stream += second_layer · relu(first_layer · norm(stream))²   each position by itself
    logits = norm(stream) · embeddingᵀ                           one number per token of the vocabulary

Each head consists of the three lines of the course: log-weights, softmax, average. The first line can be swapped
for one head or for all: the inner product as trained, the Gaussian of the same queries and keys, the position-only
Gaussian of 1964, uniform attention, or the random features of the Performer.

`kernels` contains these first lines, `rotary` the rotary positions, `tokenizer` the conversion between text and
tokens, and `model` the transformer.

Vaswani et al. (2017), "Attention is all you need", doi:10.48550/arXiv.1706.03762; rotary positions: Su et al.
(2021), "RoFormer", doi:10.48550/arXiv.2104.09864; byte-pair encoding: Sennrich, Haddow & Birch (2016),
doi:10.18653/v1/P16-1162. `tools/train/train_language_model.py` trained the weights.
"""

from lib import former_names
from lib.language_model.kernels import HEAD_KERNELS
from lib.language_model.model import MODEL, Block, LanguageModel, Run, head_weights, load, norm, sample
from lib.language_model.rotary import rotate
from lib.language_model.tokenizer import PIECES, Tokenizer

__all__ = [
    "HEAD_KERNELS",
    "MODEL",
    "PIECES",
    "Block",
    "LanguageModel",
    "Run",
    "Tokenizer",
    "head_weights",
    "load",
    "norm",
    "rotate",
    "sample",
]

__getattr__ = former_names.of(__name__)
