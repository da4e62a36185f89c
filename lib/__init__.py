"""From kernel regression to attention: one weighted average, six decades of kernels.

Public functions validate their arguments once and raise a ValueError or a TypeError of the form "name: expected
…, got …" if an array is empty, not real, not finite or not of the documented shape, if arrays do not match, if a
number is out of range, or if a name is unknown. Window radii are limited to 1000 pixels. A docstring has a
*Raises* section only if there is more to say. Functions whose names begin with `trusted_` or an underscore, and
those of `lib.engine`, expect validated arguments.

`rng` is passed to `numpy.random.default_rng`: it is a `numpy.random.Generator`, which is used directly, a seed, or
None for a fresh generator.
"""

__version__ = "0.4.0"
