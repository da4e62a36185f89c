"""Reject files of the Llama family with features that `model` does not compute, each with one clear error."""

from lib.published_model.tokenizer import PIECES_OF

COUNTS = (
    "block_count",
    "context_length",
    "embedding_length",
    "attention.head_count",
    "attention.head_count_kv",
)
ABSENT = {  # settings of features, and the value that is the same as no setting
    "rope.scaling.type": "none",
    "rope.scaling.factor": 1,
    "rope.scale_linear": 1,
    "attention.sliding_window": 0,
    "attention.causal": True,
    "expert_count": 0,
    "logit_scale": 1,
}


def check_model(settings, arrays):
    """Raise a ValueError for settings, or for names or shapes of arrays, of a model with other equations."""
    for name, expected in {"general.architecture": "llama", "tokenizer.ggml.pre": PIECES_OF}.items():
        _check(name, expected, settings.get(name))
    for name, neutral in ABSENT.items():
        _check(f"llama.{name}", neutral, settings.get(f"llama.{name}", neutral))
    n_heads, n_groups, width, d = _sizes(settings)
    for name in ("rope.dimension_count", "attention.key_length", "attention.value_length"):
        _check(f"llama.{name}", d, settings.get(f"llama.{name}", d))
    shapes = _shapes(settings, arrays, n_heads * d, n_groups * d, width)
    for name, shape in shapes.items():
        _check(f"{name} of shape", shape, arrays[name].shape)
    if others := sorted(arrays.keys() - shapes.keys()):
        raise ValueError(f"path: expected a model without {others[0]}, got one")


def _check(name, expected, found):
    if found != expected:
        raise ValueError(f"path: expected a model with {name} {expected!r}, got {found!r}")


def _sizes(settings):
    """Return the numbers of heads and of key–value heads, the width, and the dimension of a head."""
    for name in COUNTS:
        count = settings[f"llama.{name}"]
        if not isinstance(count, int) or count < 1:
            raise ValueError(f"path: expected a model with llama.{name} ≥ 1, got {count}")
    n_heads, n_groups, width = (
        settings[f"llama.{name}"]
        for name in ("attention.head_count", "attention.head_count_kv", "embedding_length")
    )
    if width % (2 * n_heads) or n_heads % n_groups:
        raise ValueError(
            f"path: expected heads of equal, even dimension that share keys equally, got width {width}, "
            f"{n_heads} heads and {n_groups} key–value heads"
        )
    return n_heads, n_groups, width, width // n_heads


def _shapes(settings, arrays, of_queries, of_keys, width):
    """Return the shapes of all arrays by name; `output.weight` is optional."""
    hidden, vocabulary = len(arrays["blk.0.ffn_up.weight"]), len(settings["tokenizer.ggml.tokens"])
    block = {
        "attn_q": (of_queries, width),
        "attn_k": (of_keys, width),
        "attn_v": (of_keys, width),
        "attn_output": (width, of_queries),
        "ffn_gate": (hidden, width),
        "ffn_up": (hidden, width),
        "ffn_down": (width, hidden),
        "attn_norm": (width,),
        "ffn_norm": (width,),
    }
    blocks = range(settings["llama.block_count"])
    shapes = {f"blk.{i}.{name}.weight": shape for i in blocks for name, shape in block.items()}
    others = {"token_embd.weight": (vocabulary, width), "output_norm.weight": (width,)}
    return shapes | others | ({"output.weight": (vocabulary, width)} if "output.weight" in arrays else {})
