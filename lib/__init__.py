"""From kernel regression to attention: one weighted average, six decades of kernels.

A public function checks its arguments once and raises a ValueError or a TypeError of the form "name: expected …,
got …": for an array that is empty, not real, not finite, or of another shape than its docstring gives, for arrays
that do not go together, for a number out of its range, for an unknown name. Radii of windows go up to 1000 pixels.
A docstring has a section *Raises* only where there is more to say. Functions whose names begin with `trusted_` or
an underscore, and those of `lib.engine`, take what has been checked.

`rng` is a `numpy.random.Generator`, which is used as it is, a seed, or None for a fresh generator: it goes through
`numpy.random.default_rng`.
"""

__version__ = "0.4.0"
