"""Private API of Sphinx: the number of a figure or an equation, and the HTML of code."""

from pygments.formatters import HtmlFormatter
from pygments.token import Name, Punctuation, Text
from sphinx.highlighting import PygmentsBridge


def number_of(env, page, kind, anchor):
    """Return the number that the site gives a `figure`, or an equation (`displaymath`)."""
    return ".".join(map(str, env.toc_fignumbers[page][kind][anchor]))


class PlainNames(HtmlFormatter):
    """Omit the elements around names and operators, which are not coloured: a fifth of a page's elements."""

    def format_unencoded(self, tokensource, outfile):
        plain = {Name, Punctuation, Text.Whitespace}
        super().format_unencoded(((Text if kind in plain else kind, text) for kind, text in tokensource), outfile)


def set_code_with_plain_names():
    PygmentsBridge.html_formatter = PlainNames
