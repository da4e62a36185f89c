r"""The notebooks that people run: the chapters in plain Markdown, for Jupyter, Colab, GitHub and the browser.

The sources are MyST, which only the site understands: in Colab, Binder or Jupyter a reader would see roles and
labels. No converter knows the site's numbers and URLs, and MyST's parser gives no positions within a line, so its
output cannot be used for replacements. Each build writes notebooks into `_build/notebooks` that any program shows
properly:

- roles such as `{eq}` and links to other pages become links to the published site, with the site's texts; its URL
is
  `html.baseurl` of `_config.yml`, which a fork sets if its site is not on GitHub Pages;
- a numbered equation has its number as a `\tag`, and a plot has its caption in a cell below;
- images are embedded, because there may be no network, and Colab does not show attachments;
- cells that are collapsed on the site are collapsed in JupyterLab and Colab.

Code stays unchanged, so that it is the code that was tested. The workflow publishes these files on the branch
`notebooks`, which the buttons of a page open. The download button and the browser edition use the same files.
"""

import base64
import json
import mimetypes
import posixpath
import re
import shutil
from copy import deepcopy
from html import escape
from pathlib import Path
from urllib.parse import urljoin

from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging

from _ext.course.private_api.sphinx import number_of
from _ext.course.public_address import own
from tools.build.addresses import pages_address

BRANCH = "notebooks"  # branch of the repository: the same tree, with these notebooks in place of the sources

# Syntax that is rewritten, and code and formulas, which must not be mistaken for it
TOKEN = re.compile(
    r"""
    (?P<fence>^(?P<ticks>```+|~~~+|:::+).*?^(?P=ticks)[ ]*$)
    |\{(?P<role>[\w:-]+)\}`(?P<target>[^`]+)`
    |(?P<code>(?P<tick>`+)[^`].*?(?P=tick)(?!`))
    |\$\$(?P<formula>.+?)\$\$(?:[ ]*\((?P<label>[^)\s]+)\))?
    |(?P<inline>\$[^\s$](?:[^$]*[^\s$])?\$)
    |!\[(?P<alt>[^\]]*)\]\((?P<picture>(?![a-z]+:)[^)\s]+)\)
    |\]\((?P<link>[^)\s]+)\)
    |href="(?P<href>[^"]+)"
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
DIRECTIVE = re.compile(r"^ *(?:```+|~~~+|:::+)\{|^\([\w:-]+\)=|^%", re.MULTILINE)

# Cell tags and JupyterLab's metadata for collapsing
FOLDED = {
    "hide-input": {"source_hidden": True},
    "remove-input": {"source_hidden": True},
    "hide-output": {"outputs_hidden": True},
    "hide-cell": {"source_hidden": True, "outputs_hidden": True},
}

logger = logging.getLogger(__name__)


class Edition:
    """Rewrite notebooks with the numbers, anchors and references that Sphinx knows after reading all pages."""

    def __init__(self, app):
        repository = app.config.html_theme_options["repository_url"]
        self.builder, self.env, self.root = app.builder, app.env, Path(app.confdir)
        self.site = pages_address(repository, app.config.html_baseurl)
        self.files = f"{repository.replace('github.com', 'raw.githubusercontent.com')}/{BRANCH}/"
        self.shown = {}

    def read_roles(self, name):
        """Record what the site shows for each role of a page."""
        doctree = self.env.get_doctree(name)
        roles = [role for role in doctree.findall(addnodes.pending_xref) if role.rawsource]
        resolved = doctree.copy()
        resolved += [nodes.paragraph("", "", role.deepcopy()) for role in roles]
        self.env.resolve_references(resolved, name, self.builder)
        for role, paragraph in zip(roles, resolved, strict=True):
            self.shown[role.rawsource] = self.plain(paragraph, f"{self.site}{name}.html")

    def plain(self, node, page):
        """Return a resolved role as Markdown."""
        if isinstance(node, nodes.Text):
            return str(node)
        words = "".join(self.plain(child, page) for child in node.children)
        if isinstance(node, nodes.reference):
            return f"[{words}]({urljoin(page, node.get('refuri') or '#' + node['refid'])})"
        return f"*{words}*" if isinstance(node, nodes.emphasis) else words

    def notebook(self, notebook, name):
        """Convert a notebook, given as its file's content; `name` is its path without a suffix."""
        plain = deepcopy(notebook) | {"cells": []}
        for cell in deepcopy(notebook["cells"]):
            plain["cells"].append(cell)
            if cell["cell_type"] == "markdown":
                cell["source"] = self.markdown("".join(cell["source"]), name).splitlines(keepends=True)
            elif cell["cell_type"] == "code":
                fold(cell["metadata"])
                plain["cells"] += self.caption(cell, name)
        return plain

    def caption(self, cell, name):
        """Return a cell with the number and the caption of a plot, if it has one."""
        figure = cell["metadata"].get("mystnb", {}).get("figure")
        if not figure:
            return []
        text = f"**Fig. {number_of(self.env, name, 'figure', figure['name'])}.** {figure['caption']}"
        source = self.markdown(text, name).splitlines(keepends=True)
        return [{"cell_type": "markdown", "id": f"{cell['id']}-caption", "metadata": {}, "source": source}]

    def markdown(self, text, name):
        """Convert MyST to plain Markdown. Syntax without a plain form is reported, which fails the build."""
        if found := DIRECTIVE.search(text):
            logger.warning("no plain Markdown is known for %r in a notebook", found[0], location=name)
        return TOKEN.sub(lambda token: self.token(token, name), text)

    def token(self, token, name):
        if token["role"]:
            role = f":{token['role']}:`{token['target']}`"
            if role not in self.shown:
                logger.warning("no plain Markdown is known for %s in a notebook", role, location=name)
            return self.shown.get(role, token[0])
        if token["label"]:
            return f"$${token['formula'].rstrip()} \\tag{{{self.equation(token['label'])}}} $$"
        if token["picture"]:
            return self.picture(token["alt"], self.path(token["picture"], name))
        if token["link"]:
            return f"]({self.address(token['link'], name)})"
        if token["href"]:
            return f'href="{self.address(token["href"], name)}"'
        return token[0]

    def path(self, link, name):
        """Return the repository path that a notebook's relative link refers to."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(name), link))

    def picture(self, words, path):
        if not (self.root / path).exists():
            return escape(words)  # of a new figure; Sphinx warns
        data = base64.b64encode((self.root / path).read_bytes()).decode()
        return f'<img alt="{escape(words)}" src="data:{mimetypes.guess_type(path)[0]};base64,{data}">'

    def address(self, link, name):
        """Return the absolute URL of a notebook's link."""
        if re.match(r"[a-z]+:", link):
            return link
        path, sign, anchor = link.partition("#")
        path = self.path(path, name) if path else name
        page = re.sub(r"\.(?:md|ipynb)$", "", path)
        if page not in self.env.found_docs:
            return self.files + path
        return f"{self.site}{page}.html{sign}{anchor}"

    def equation(self, label):
        """Return the number of an equation."""
        page, _ = self.env.get_domain("math").equations[label]
        return number_of(self.env, page, "displaymath", nodes.make_id(f"equation-{label}"))


def fold(metadata):
    """Collapse a code cell as its tags say: `jupyter` for JupyterLab, `cellView` for Colab."""
    for tag in FOLDED.keys() & set(metadata.get("tags", [])):
        metadata["jupyter"] = metadata.get("jupyter", {}) | FOLDED[tag]
    if metadata.get("jupyter", {}).get("source_hidden"):
        metadata["cellView"] = "form"


def write_edition(app, exception):
    """Write the notebooks into `_build/notebooks` and behind the download buttons."""
    if exception or app.builder.format != "html":
        return
    edition, root, target = Edition(app), Path(app.confdir), Path(app.outdir).parent / "notebooks"
    shutil.rmtree(target, ignore_errors=True)
    pages = [name for name in sorted(app.env.found_docs) if (root / f"{name}.ipynb").exists()]
    for name in pages:
        edition.read_roles(name)
    for name in [*pages, *(f"assignments/{path.stem}" for path in root.glob("assignments/*.ipynb"))]:
        notebook = json.loads((root / f"{name}.ipynb").read_text("utf8"))
        text = own(app, json.dumps(edition.notebook(notebook, name), indent=1, ensure_ascii=False) + "\n")
        for folder in [target, Path(app.outdir) / "_sources"] if name in pages else [target]:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.ipynb").write_text(text, "utf8")


def name_branch(app, config):
    """Pass the branch that a page's buttons open to the templates."""
    config.html_context.update(notebooks_branch=BRANCH)
