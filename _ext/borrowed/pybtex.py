"""From the inside of pybtex: how it finds a plugin, by a look at every installed package each time it is asked."""

from functools import cache

from pybtex import plugin


def look_once():
    """Remember what was found: a build asks 50 times, and that would be a tenth of an edited sentence's time."""
    plugin._load_entry_point = cache(plugin._load_entry_point)
