"""Link previews for chats and social networks: a page's title, first sentences and image.

sphinxext-opengraph takes the first words of a page, including a chapter's card and TeX, needs the absolute URL of
a page's own image in its source, and hides descriptions written there from search engines.

Previews need an absolute URL and support no SVG. The URL is `html.baseurl`, or that of GitHub Pages; the images
are `assets/card….png`, drawn by `make pictures`: one per numbered chapter, and one for all other pages.
"""

import textwrap
from pathlib import Path

from docutils import nodes

from tools.build.addresses import pages_address

LONGEST = 200  # characters of a description
ASSETS = Path(__file__).parent / "assets"


def first_words(doctree):
    """Return the first paragraph of the text without formulas, cut after a word."""
    in_text = (node for node in doctree.findall(nodes.paragraph) if isinstance(node.parent, nodes.section))
    sayable = (node.astext() for node in in_text if not list(node.findall(nodes.math)))
    return textwrap.shorten(next((text for text in sayable if len(text) > 40), ""), LONGEST, placeholder=" …")


def describe(app, pagename, templatename, context, doctree):
    """Give `layout.html` the description of a page that has a document."""
    if doctree is None:
        return
    address = pages_address(app.config.html_theme_options["repository_url"], app.config.html_baseurl)
    own = f"card-{pagename.rpartition('/')[2]}.png"
    context["card"] = {
        "address": f"{address}{pagename}.html",
        "description": first_words(doctree),
        "picture": f"{address}_static/{own if (ASSETS / own).exists() else 'card.png'}",
    }
