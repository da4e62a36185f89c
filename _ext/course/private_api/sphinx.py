"""From the inside of Sphinx: the number of a figure or an equation, and what sets code as HTML."""

from pygments.formatters import HtmlFormatter
from pygments.token import Name, Punctuation, Text
from sphinx.highlighting import PygmentsBridge


def number_of(env, page, kind, anchor):
    """The number that the site gives a `figure`, or an equation as `displaymath`."""
    return ".".join(map(str, env.toc_fignumbers[page][kind][anchor]))


class PlainNames(HtmlFormatter):
    """Names and signs in code look like text: elements of their own would be a fifth of those of a page."""

    def format_unencoded(self, tokensource, outfile):
        plain = {Name, Punctuation, Text.Whitespace}
        super().format_unencoded(((Text if kind in plain else kind, text) for kind, text in tokensource), outfile)


def set_code_with_plain_names():
    PygmentsBridge.html_formatter = PlainNames
