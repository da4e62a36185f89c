"""From kernel regression to attention: one weighted average, six decades of kernels."""
