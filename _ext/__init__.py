"""Sphinx extensions: `course` is the site's own."""
