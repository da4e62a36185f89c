"""Loaded by the kernels that execute chapters for the site, and only by these."""
