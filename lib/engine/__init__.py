"""The engine room: the same numbers as the methods' definitions, sooner and in less memory. Nobody need read it.

A method of `lib` is its definition, three lines that its file begins with; where that would take too long, the
public function calls a module of this room. `tests/lib/test_engine.py` holds each equal to the definition. Nobody
else imports from here.

| module       | saves                                                                                      |
|--------------|--------------------------------------------------------------------------------------------|
| `streaming`  | the matrix of weights, and passes over it: blocks of queries and keys that stay in the cache |
| `regression` | what Nadaraya–Watson asks of `streaming`                                                   |
| `attention`  | what attention asks of `streaming`                                                         |
| `window`     | the windows of all pixels: one plane of weights per offset, each pair of pixels once       |
| `filters`    | what the three image filters ask of `window`                                               |
"""
