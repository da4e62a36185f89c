"""The engine room: the same numbers as the methods' definitions, sooner and in less memory. Nobody need read it.

A method of `lib` is its definition, a few lines that its file begins with. Where that would take too long, the
public function calls a module of this room. `tests/lib/test_engine.py` and `test_equivalences.py` hold each equal
to the definition. Nobody else imports from here. Each saves the array that the definition holds, and time:

- `streaming` goes over the weights by blocks that fit the cache, without a pass for each row's maximum.
  With it, `regression` is 12 times as fast as the definition (4000 queries and keys in one dimension, float64),
  and `attention` 10 times (4000 queries and keys, d = 64, float32).
- `linear_time` chooses where sums over all keys become sums over boxes (`gauss_transform`, for the Gaussian) or
  running sums (`compact_support`): `regression` then is 800 times as fast as all pairs by blocks (100 000 queries
  and keys in one dimension), 36 times in two. `neighbours` leaves out keys that are far from a group of queries.
- `window` takes one plane of weights per offset. With it, `filters` is 16 times as fast for the bilateral filter
  and 60 times for non-local means, where each pair of pixels is computed once, and `steering` 24 times for LARK,
  although the definition was given the steering matrices (128 × 128 pixels, windows of 11 × 11).
- `linear_attention` goes over blocks of tokens, and shifts exponents so that no feature overflows; the definition
  holds all features and fails where a norm is large.

These are best times of three runs in turn, on one BLAS thread, while other work kept the machine busy.
"""
