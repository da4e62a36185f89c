"""Optimised implementations. They return the same results as the reference definitions, faster and in less memory.

You do not need to read them: every method of `lib` is defined by the few lines at the top of its file. If these
would be too slow, the public function calls a module of this package. `tests/lib/test_engine.py` and
`test_equivalences.py` check that both agree. Only `lib` imports from this package. Each module avoids the large
array of the definition and saves time:

- `streaming` processes the weights in blocks that fit into the cache, without a pass for each row's maximum. As a
  result, `regression` is 12 times as fast as the definition (4000 queries and keys in one dimension, float64), and
  `attention` 10 times (4000 queries and keys, d = 64, float32).
- `linear_time` decides when to replace sums over all keys by sums over boxes (`gauss_transform`, for the Gaussian)
  or by running sums (`compact_support`). `regression` is then 800 times as fast as all pairs in blocks (100 000
  queries and keys in one dimension), and 36 times in two dimensions. `neighbours` skips keys far from a group of
  queries. `many_bandwidths` computes the leave-one-out errors of fifty bandwidths together, 8 times as fast as one
  after the other (a million keys in one dimension).
- `window` processes one plane of weights per offset. With it, `filters` is 16 times as fast for the bilateral
  filter and 60 times for non-local means, where each pair of pixels is computed once; `steering` is 24 times as
  fast for LARK, although the definition was given the steering matrices (128 × 128 pixels, windows of 11 × 11).
- `linear_attention` processes blocks of tokens and shifts exponents so that no feature overflows; the definition
  stores all features and fails if a norm is large.

These are the best times of three runs with one BLAS thread, on a machine that was busy with other work.
"""
