"""A server that sends the headers which the built site's file `_headers` states, as a static host does."""

import functools
import re
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tools.build.serve import QuietHandler


@functools.cache
def rules(text):
    """Return the headers in the file, by URL pattern."""
    parts = (part.splitlines() for part in re.split(r"\n(?=\S)", text.strip()))
    return {pattern: dict(line.strip().split(": ", 1) for line in lines) for pattern, *lines in parts}


def stated(text, address):
    """Return the headers of a URL, as a static host interprets the file."""
    found = [rule for pattern, rule in rules(text).items() if fnmatchcase(address, pattern)]
    return {name: value for rule in found for name, value in rule.items()}


@functools.cache
def text_of(site):
    return (site / "_headers").read_text("utf8")


class ObedientHandler(QuietHandler):
    """Serve a folder with the site; the first part of a URL is the site's own folder."""

    def end_headers(self):
        site, _, address = unquote(urlsplit(self.path).path)[1:].partition("/")
        for name, value in stated(text_of(Path(self.directory, site)), f"/{address}").items():
            self.send_header(name, value)
        super().end_headers()


VIOLATIONS = """
window.violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
"""


def policy(text, address):
    return dict(part.split(" ", 1) for part in stated(text, address)["Content-Security-Policy"].split("; "))
