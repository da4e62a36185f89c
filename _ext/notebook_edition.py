r"""The notebooks that people run: the chapters in plain Markdown, for Jupyter, Colab, GitHub and the browser.

Without it who opens a chapter in Colab, Binder or Jupyter would read roles and labels: the source is MyST, which
only the site understands, and no converter knows the site's numbers and addresses. Each build writes into
`_build/notebooks` what any notebook program shows as it is meant:

- `{eq}`, `{cite:t}`, `{term}` and links to other pages become links to the published site, in the site's words:
  to `html.baseurl` of `_config.yml`, which a fork states if its site is not on GitHub Pages;
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

from docutils import nodes
from social_card import pages_address
from sphinx.util import logging

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
TITLED = re.compile(r"(.+?) <([^<>]+)>", re.DOTALL)  # {term}`shown <target>`

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
        self.env, self.root = app.env, Path(app.confdir)
        self.site = pages_address(repository, app.config.html_baseurl)
        self.files = (
            f"https://raw.githubusercontent.com/{repository.removeprefix('https://github.com/')}/{BRANCH}/"
        )
        self.sources = {citation.key: citation for citation in self.env.domaindata["cite"]["citations"]}
        self.roles = {
            "eq": self.equation,
            "numref": self.figure,
            "term": self.term,
            "cite:t": self.cite_in_text,
            "cite:p": self.cite_in_brackets,
        }

    def page(self, name, anchor=""):
        return f"{self.site}{name}.html{'#' if anchor else ''}{anchor}"

    def notebook(self, notebook, name):
        """The plain form of a notebook, given as the content of its file; `name` is its path without a suffix."""
        plain = deepcopy(notebook) | {"cells": []}
        for cell in deepcopy(notebook["cells"]):
            plain["cells"].append(cell)
            if cell["cell_type"] == "markdown":
                cell["source"] = self.lines("".join(cell["source"]), name)
            elif cell["cell_type"] == "code":
                fold(cell["metadata"])
                plain["cells"] += self.caption(cell, name)
        return plain

    def caption(self, cell, name):
        """A cell with the number and the caption of a plot, if it has one."""
        figure = cell["metadata"].get("mystnb", {}).get("figure")
        if not figure:
            return []
        text = f"**Fig. {self.number(name, 'figure', figure['name'])}.** {figure['caption']}"
        source = self.lines(text, name)
        return [{"cell_type": "markdown", "id": f"{cell['id']}-caption", "metadata": {}, "source": source}]

    def lines(self, text, name):
        return self.markdown(text, name).splitlines(keepends=True)

    def markdown(self, text, name):
        """MyST as plain Markdown. What has no plain form yet is reported, and so stops the build."""
        if found := DIRECTIVE.search(text):
            logger.warning("no plain Markdown is known for %r in a notebook", found[0], location=name)
        return TOKEN.sub(lambda token: self.token(token, name), text)

    def token(self, token, name):
        if token["role"] in self.roles:
            try:
                return self.roles[token["role"]](token["target"])
            except KeyError:
                logger.warning("{%s}: nothing here is called %s", token["role"], token["target"], location=name)
        elif token["role"]:
            logger.warning("no plain Markdown is known for {%s} in a notebook", token["role"], location=name)
        if token["label"]:
            return f"$${token['formula'].rstrip()} \\tag{{{self.equation_number(token['label'])[1]}}} $$"
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
        path, _, anchor = link.partition("#")
        path = self.path(path, name) if path else name
        page = re.sub(r"\.(?:md|ipynb)$", "", path)
        if page not in self.env.found_docs:
            return self.files + path
        slugs = self.env.metadata[page].get("myst_slugs", {})
        return self.page(page, slugs[anchor][1] if anchor in slugs else anchor)

    def number(self, page, kind, anchor):
        return ".".join(map(str, self.env.toc_fignumbers[page][kind][anchor]))

    def equation_number(self, label):
        """Where a numbered equation stands, and its number."""
        page, _ = self.env.domaindata["math"]["objects"][label]
        anchor = nodes.make_id(f"equation-{label}")
        return self.page(page, anchor), self.number(page, "displaymath", anchor)

    def equation(self, label):
        address, number = self.equation_number(label)
        return f"[({number})]({address})"

    def figure(self, label):
        page, anchor = self.env.domaindata["std"]["anonlabels"][label]
        return f"[Fig. {self.number(page, 'figure', anchor)}]({self.page(page, anchor)})"

    def term(self, words):
        shown, target = TITLED.fullmatch(words).groups() if TITLED.fullmatch(words) else (words, words)
        return f"[{shown}]({self.page(*self.env.domaindata['std']['objects']['term', target])})"

    def source(self, key):
        """Authors, year and address of a source, as the site states them."""
        citation = self.sources[key]
        persons = citation.entry.persons.get("author") or citation.entry.persons["editor"]
        names = [" ".join(map(str, [*each.rich_prelast_names, *each.rich_last_names])) for each in persons]
        authors = " and ".join(names) if len(names) < 3 else f"{names[0]} *et al.*"
        year = citation.entry.fields.get("year", "n.d.")
        return authors, year, self.page(citation.bibliography_key.docname, citation.citation_id)

    def cite_in_text(self, keys):
        found = (self.source(key.strip()) for key in keys.split(","))
        return ", ".join(f"[{authors} [{year}]]({address})" for authors, year, address in found)

    def cite_in_brackets(self, keys):
        found = (self.source(key.strip()) for key in keys.split(","))
        return f"[{', '.join(f'[{authors}, {year}]({address})' for authors, year, address in found)}]"


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
    root, target = Path(app.confdir), Path(app.outdir).parent / "notebooks"
    edition = Edition(app)
    shutil.rmtree(target, ignore_errors=True)
    chapters = [name for name in sorted(app.env.found_docs) if (root / f"{name}.ipynb").exists()]
    assignments = [f"assignments/{path.stem}" for path in sorted((root / "assignments").glob("*.ipynb"))]
    for name in chapters + assignments:
        notebook = json.loads((root / f"{name}.ipynb").read_text("utf8"))
        text = json.dumps(edition.notebook(notebook, name), indent=1, ensure_ascii=False) + "\n"
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / f"{name}.ipynb").write_text(text, "utf8")
        if name in chapters:
            (Path(app.outdir) / "_sources" / f"{name}.ipynb").write_text(text, "utf8")


def name_branch(app, config):
    """Tell the templates where the buttons of a page find this edition."""
    config.html_context["notebooks_branch"] = BRANCH


def setup(app):
    app.connect("build-finished", write_edition)
    app.connect("config-inited", name_branch)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
