"""From kernel regression to attention: one weighted average, six decades of kernels."""

__version__ = "0.4.0"
