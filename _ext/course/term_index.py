"""Enter each linked word of the glossary into the index: without it the index, on paper too, would be empty."""

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform


class IndexTerms(SphinxTransform):
    """What `{index}` would do beside each `{term}`, without a second role in the chapters' text."""

    default_priority = 800  # before the domains read the document

    def apply(self, **kwargs):
        for name in list(self.document.findall(addnodes.index)):
            if not isinstance(name.parent, nodes.term):  # what the package offers has a list of its own
                name.parent.remove(name)
        links = [link for link in self.document.findall(addnodes.pending_xref) if link["reftype"] == "term"]
        title = next((title.astext() for title in self.document.findall(nodes.title)), "")
        for number, link in enumerate(links):
            place = f"word-{number}"
            entry = addnodes.index(entries=[("single", f"{link['reftarget']}; {title}", place, "", None)])
            position = link.parent.index(link)
            link.parent.insert(position, [entry, nodes.target("", "", ids=[place])])
