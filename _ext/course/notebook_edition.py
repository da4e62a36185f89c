r"""The notebooks that people run: the chapters in plain Markdown, for Jupyter, Colab, GitHub and the browser.

Without it who opens a chapter in Colab, Binder or Jupyter would read roles and labels: the source is MyST, which
only the site understands, and no converter knows the site's numbers and addresses. MyST's own parser says of
nothing within a line where it stands, so that nothing could be replaced there. Each build writes into
`_build/notebooks` what any notebook program shows as it is meant:

- roles such as `{eq}` and links to other pages become links to the published site, in the site's words: to
  `html.baseurl` of `_config.yml`, which a fork states if its site is not on GitHub Pages;
- a numbered equation carries its number as a `\tag`, a plot its caption in a cell below;
- a picture is in the file, since there may be no network, and Colab shows no attachment;
- what the site folds is folded, in JupyterLab as well as in Colab.

Code stays as it is, so what runs is what the tests ran. The workflow puts these files on the branch `notebooks`,
and the buttons of a page open them there. The same files are behind a page's download button and in the browser
edition.
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

BRANCH = "notebooks"  # of the repository: the same tree, with this edition in place of the sources

# What is rewritten, and what could be mistaken for it: code and formulas.
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

# The tags of cells, and what JupyterLab folds for them.
FOLDED = {
    "hide-input": {"source_hidden": True},
    "remove-input": {"source_hidden": True},
    "hide-output": {"outputs_hidden": True},
    "hide-cell": {"source_hidden": True, "outputs_hidden": True},
}

logger = logging.getLogger(__name__)


class Edition:
    """Rewrites notebooks with what Sphinx knows once all pages are read: numbers, anchors and sources."""

    def __init__(self, app):
        repository = app.config.html_theme_options["repository_url"]
        self.builder, self.env, self.root = app.builder, app.env, Path(app.confdir)
        self.site = pages_address(repository, app.config.html_baseurl)
        self.files = f"{repository.replace('github.com', 'raw.githubusercontent.com')}/{BRANCH}/"
        self.shown = {}

    def read_roles(self, name):
        """Note what the site shows for each role of a page."""
        doctree = self.env.get_doctree(name)
        roles = [role for role in doctree.findall(addnodes.pending_xref) if role.rawsource]
        resolved = doctree.copy()
        resolved += [nodes.paragraph("", "", role.deepcopy()) for role in roles]
        self.env.resolve_references(resolved, name, self.builder)
        for role, paragraph in zip(roles, resolved, strict=True):
            self.shown[role.rawsource] = self.plain(paragraph, f"{self.site}{name}.html")

    def plain(self, node, page):
        """A resolved role in Markdown."""
        if isinstance(node, nodes.Text):
            return str(node)
        words = "".join(self.plain(child, page) for child in node.children)
        if isinstance(node, nodes.reference):
            return f"[{words}]({urljoin(page, node.get('refuri') or '#' + node['refid'])})"
        return f"*{words}*" if isinstance(node, nodes.emphasis) else words

    def notebook(self, notebook, name):
        """The plain form of a notebook, given as the content of its file; `name` is its path without a suffix."""
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
        """A cell with the number and the caption of a plot, if it has one."""
        figure = cell["metadata"].get("mystnb", {}).get("figure")
        if not figure:
            return []
        text = f"**Fig. {number_of(self.env, name, 'figure', figure['name'])}.** {figure['caption']}"
        source = self.markdown(text, name).splitlines(keepends=True)
        return [{"cell_type": "markdown", "id": f"{cell['id']}-caption", "metadata": {}, "source": source}]

    def markdown(self, text, name):
        """MyST as plain Markdown. What has no plain form yet is reported, and so stops the build."""
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
        """Where in the repository a notebook's relative link leads."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(name), link))

    def picture(self, words, path):
        data = base64.b64encode((self.root / path).read_bytes()).decode()
        return f'<img alt="{escape(words)}" src="data:{mimetypes.guess_type(path)[0]};base64,{data}">'

    def address(self, link, name):
        """The absolute address of what a notebook links to."""
        if re.match(r"[a-z]+:", link):
            return link
        path, sign, anchor = link.partition("#")
        path = self.path(path, name) if path else name
        page = re.sub(r"\.(?:md|ipynb)$", "", path)
        if page not in self.env.found_docs:
            return self.files + path
        return f"{self.site}{page}.html{sign}{anchor}"

    def equation(self, label):
        """The number of an equation."""
        page, _ = self.env.get_domain("math").equations[label]
        return number_of(self.env, page, "displaymath", nodes.make_id(f"equation-{label}"))


def fold(metadata):
    """Fold a code cell as its tags say: `jupyter` for JupyterLab, `cellView` for Colab."""
    for tag in FOLDED.keys() & set(metadata.get("tags", [])):
        metadata["jupyter"] = metadata.get("jupyter", {}) | FOLDED[tag]
    if metadata.get("jupyter", {}).get("source_hidden"):
        metadata["cellView"] = "form"


def write_edition(app, exception):
    """Write the edition into `_build/notebooks`, and behind the download buttons."""
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
    """Tell the templates where the buttons of a page lead."""
    config.html_context.update(notebooks_branch=BRANCH)
