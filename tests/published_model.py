"""What several tests of the published model share: its file, texts, and the tokens of some texts."""

import pytest

from tools.build.published_model import CACHE, MODEL

FILE = CACHE / MODEL
needs_the_file = pytest.mark.skipif(not FILE.exists(), reason="`make published-model` downloads the file")
TEXTS = {
    "tale": "In the well lived a frog called Pimpel Quorr. The King's daughter often asked where Pimpel",
    "code": "def add(first, second):\n    return first + second\n\nprint(add(",
    "German": "Der König sagte zu seiner Tochter, der Frosch solle in das Schloss kommen.",
    "numbers": "In 1964, 3.5 % of 1,024 kernels; emoji 🐸🐸, Ελληνικά, עברית and\ttabs  end",
    "short": "The",
}
REFERENCE = {  # from the package tokenizers 0.23.3, with the file's vocabulary: single digits, then GPT-2's pieces
    "\ufeff's": [186, 136, 140, 23, 99],
    "\x85's": [141, 223, 506],
    "\x1c's ½²\u0663": [213, 23, 99, 216, 16738, 19133, 164, 113],
    "a\x04b !\x06!": [81, 82, 5728, 17],
    "<|im_start|>user\nHi<|im_end|>": [1, 4093, 198, 26843, 2],
    "   \u3000x": [333, 12109, 218, 104],
}
