"""Grading untrusted notebooks."""

import os

# A thread of BLAS that waits for a busy processor uses it, and grading runs one submission per core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
