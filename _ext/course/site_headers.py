"""What a server should send with the site: the file `_headers`, as Netlify and Cloudflare Pages read it.

Pages may load from their own host alone, and run only the scripts that were there when the site was built: the
inline ones are named by their hashes. GitHub Pages sends headers of its own; nothing here depends on them.
"""

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path

from tools.build.page_files import read_pages

INLINE_SCRIPT = re.compile(r"<script(?P<attributes>(?![^>]*\bsrc=)[^>]*)>(?P<code>.*?)</script>", re.DOTALL)
HANDLER = re.compile(r'<[^>]*\son[a-z]+="([^"]*)"')

# Styles are in the attributes of pages; a live figure's script comes as a blob from the widget runtime.
PAGE = {
    "default-src": "'self'",  # Firefox fetches ahead only what it allows
    "object-src": "'none'",
    "frame-src": "'none'",
    "script-src": "'self' blob:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'self'",
}
# The notebook compiles Python to WebAssembly and runs what its reader writes.
NOTEBOOK = PAGE | {
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob:",
    "worker-src": "'self' blob:",
    "img-src": "'self' data: blob:",
    "connect-src": "'self' data: blob:",
    "manifest-src": "'self'",
}

# Browsers ask whether there is a newer file, so that nobody mixes files of two builds.
EVERYWHERE = {
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def page_policy(html, handlers):
    """The policy of a page as one header: `PAGE`, and the hashes of its inline scripts and of event handlers."""
    scripts = INLINE_SCRIPT.finditer(html)
    code = {match["code"] for match in scripts if "json" not in match["attributes"]} | handlers
    hashes = sorted(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in code)
    return as_header(PAGE | {"script-src": " ".join([PAGE["script-src"], *hashes, "'unsafe-hashes'"])})


def as_header(policy):
    return "; ".join(f"{directive} {sources}" for directive, sources in policy.items())


def headers(pages):
    """The text of `_headers` for pages by their names."""
    # Of every page, because the search page reads the others.
    handlers = {unescape(handler) for html in pages.values() for handler in HANDLER.findall(html)}
    rules = {"/*": EVERYWHERE, "/lite/*": {"Content-Security-Policy": as_header(NOTEBOOK)}}
    for name, html in pages.items():
        address = f"{name}.html"
        rule = {"Content-Security-Policy": page_policy(html, handlers)}
        rules[f"/{address}"] = rule
        if address.endswith("index.html"):  # the same page by its short name
            rules[f"/{address.removesuffix('index.html')}"] = rule
    lines = ([pattern, *(f"  {name}: {value}" for name, value in rule.items())] for pattern, rule in rules.items())
    return "\n".join(sum(lines, [])) + "\n"


def write_headers(app, exception):
    if not exception and app.builder.format == "html":
        (Path(app.outdir) / "_headers").write_text(headers(read_pages(Path(app.outdir))), "utf8")
