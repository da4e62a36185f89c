"""Add each linked glossary term to the index, on the site and in print."""

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform


class IndexTerms(SphinxTransform):
    """Act like an `{index}` role beside each `{term}` role, which the chapters then do not need."""

    default_priority = 800  # before the domains read the document

    def apply(self, **kwargs):
        for name in list(self.document.findall(addnodes.index)):
            if not isinstance(name.parent, nodes.term):  # functions of the package have their own list
                name.parent.remove(name)
        links = [link for link in self.document.findall(addnodes.pending_xref) if link["reftype"] == "term"]
        title = next((title.astext() for title in self.document.findall(nodes.title)), "")
        for number, link in enumerate(links):
            place = f"word-{number}"
            entry = addnodes.index(entries=[("single", f"{link['reftarget']}; {title}", place, "", None)])
            position = link.parent.index(link)
            link.parent.insert(position, [entry, nodes.target("", "", ids=[place])])
