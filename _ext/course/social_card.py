"""What chats and social networks show of a link to a page: its title, first sentences and a picture.

Without it a link that somebody sends would show no picture and no first sentence. sphinxext-opengraph takes the
first words as they come, a chapter's card and TeX included, wants the whole address of a page's own picture in its
source, and keeps the words that an author writes there from search engines.

They read an absolute address and no SVG. The address is `html.baseurl`, or that of GitHub Pages; the
pictures are `assets/card….png`, drawn by `make pictures`: one per numbered chapter, one for other pages.
"""

import textwrap
from pathlib import Path

from docutils import nodes

from tools.build.addresses import pages_address

LONGEST = 200  # letters of a description
ASSETS = Path(__file__).parent / "assets"


def first_words(doctree):
    """Return the first paragraph of the text without formulas, cut after a word."""
    in_text = (node for node in doctree.findall(nodes.paragraph) if isinstance(node.parent, nodes.section))
    sayable = (node.astext() for node in in_text if not list(node.findall(nodes.math)))
    return textwrap.shorten(next((text for text in sayable if len(text) > 40), ""), LONGEST, placeholder=" …")


def describe(app, pagename, templatename, context, doctree):
    """Tell `layout.html` what it states of a page made of a document."""
    if doctree is None:
        return
    address = pages_address(app.config.html_theme_options["repository_url"], app.config.html_baseurl)
    own = f"card-{pagename.rpartition('/')[2]}.png"
    context["card"] = {
        "address": f"{address}{pagename}.html",
        "description": first_words(doctree),
        "picture": f"{address}_static/{own if (ASSETS / own).exists() else 'card.png'}",
    }
