"""Private API of Sphinx: the numbers of figures and equations, and the HTML of code."""

import re

from pygments.formatters import HtmlFormatter
from pygments.token import Name, Punctuation, Text
from sphinx.highlighting import PygmentsBridge


def number_of(env, page, kind, anchor):
    """Return the number that the site gives a `figure`, or an equation (`displaymath`)."""
    return ".".join(map(str, env.toc_fignumbers[page][kind][anchor]))


def number_by_chapter(app, env):
    """Number figures and equations within each chapter, such as 5.3, and from 1 on every other page.

    Sphinx has this only for chapters whose titles it numbers itself.
    """
    env.numbers_through_book = env.toc_fignumbers
    env.toc_fignumbers = {
        page: {kind: within(page, anchors) for kind, anchors in kinds.items()}
        for page, kinds in env.toc_fignumbers.items()
    }
    return []  # no page changes because of this


def within(page, anchors):
    """Return the number of each anchor within a page.

    >>> within("chapters/05_unified_kernel", ["one", "two"])
    {'one': (5, 1), 'two': (5, 2)}
    """
    chapter = [int(number) for number in re.findall(r"^chapters/(\d+)_", page)]
    return {anchor: (*chapter, number) for number, anchor in enumerate(anchors, 1)}


def number_through_book(app, env, names):
    """Restore Sphinx's own numbers: it compares them with the next, and would otherwise write every page again."""
    env.toc_fignumbers = getattr(env, "numbers_through_book", env.toc_fignumbers)


class PlainNames(HtmlFormatter):
    """Omit the elements around names and operators, which are not coloured: a fifth of a page's elements."""

    def format_unencoded(self, tokensource, outfile):
        plain = {Name, Punctuation, Text.Whitespace}
        super().format_unencoded(((Text if kind in plain else kind, text) for kind, text in tokensource), outfile)


def set_code_with_plain_names():
    PygmentsBridge.html_formatter = PlainNames
