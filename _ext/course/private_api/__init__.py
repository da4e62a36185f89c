"""What this site takes from the inside of its dependencies, one module for each: look here when one is raised.

`tests/site/test_private_api.py` says of each name what a reader would lose. What pages take from the inside of
the theme is in `templates`, and is tested there, too.
"""

from _ext.course.private_api.jupyter_cache import compare_code_and_tags
from _ext.course.private_api.sphinx import set_code_with_plain_names


def apply():
    """Change what has no option."""
    compare_code_and_tags()
    set_code_with_plain_names()
