"""Private APIs of the dependencies that this site uses, one module each: check here first after an upgrade.

`tests/site/test_private_api.py` says what readers would lose with each name. The private parts of the theme that
pages use are in `templates`, and are tested there, too.
"""

from _ext.course.private_api.jupyter_cache import key_on_code_and_imports
from _ext.course.private_api.sphinx import number_by_chapter, number_through_book, set_code_with_plain_names

__all__ = ["apply", "number_by_chapter", "number_through_book"]


def apply():
    """Replace an attribute that has no option."""
    key_on_code_and_imports()
    set_code_with_plain_names()
