"""HTTP headers for the site: the file `_headers`, in the format of Netlify and Cloudflare Pages.

Pages may load only from their own host, and may run only the scripts that existed when the site was built: the
hashes of inline scripts are listed. GitHub Pages sends its own headers; nothing here depends on them.
"""

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path

from tools.build.page_files import read_pages

INLINE_SCRIPT = re.compile(r"<script(?P<attributes>(?![^>]*\bsrc=)[^>]*)>(?P<code>.*?)</script>", re.DOTALL)
HANDLER = re.compile(r'<[^>]*\son[a-z]+="([^"]*)"')

# Pages have inline styles, and the widget runtime loads a live figure's script as a blob.
PAGE = {
    "default-src": "'self'",  # Firefox prefetches only what this allows
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
# in a page that loads this script, not in one that prefetches it
COMPILING = re.compile(r'(src="\.\./_static/|")figures/published_model\.js')
ANYWHERE = {"frame-ancestors": "*"}  # pages with one figure, for frames in pages of other hosts
# The notebook compiles Python to WebAssembly and runs its reader's code.
NOTEBOOK = PAGE | {
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob:",
    "worker-src": "'self' blob:",
    "img-src": "'self' data: blob:",
    "connect-src": "'self' data: blob:",
    "manifest-src": "'self'",
}

# Browsers must revalidate files, so that files of two builds are never mixed.
EVERYWHERE = {
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def page_policy(html, handlers, others):
    """Return a page's policy as one header: `PAGE`, `others`, and the hashes of its inline scripts and handlers.

    Only a page with the published model's figure may compile WebAssembly.
    """
    scripts = INLINE_SCRIPT.finditer(html)
    code = {match["code"] for match in scripts if "json" not in match["attributes"]} | handlers
    hashes = sorted(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in code)
    compiling = ["'wasm-unsafe-eval'"] if COMPILING.search(html) else []
    sources = " ".join([PAGE["script-src"], *compiling, *hashes, "'unsafe-hashes'"])
    return as_header(PAGE | others | {"script-src": sources})


def as_header(policy):
    return "; ".join(f"{directive} {sources}" for directive, sources in policy.items())


def headers(pages):
    """Return the text of `_headers` for pages given by name."""
    # The hashes of all pages, because the search page reads the others.
    handlers = {unescape(handler) for html in pages.values() for handler in HANDLER.findall(html)}
    rules = {"/*": EVERYWHERE, "/lite/*": {"Content-Security-Policy": as_header(NOTEBOOK)}}
    for name, html in pages.items():
        address = f"{name}.html"
        rule = {
            "Content-Security-Policy": page_policy(html, handlers, ANYWHERE if name.startswith("embed/") else {})
        }
        rules[f"/{address}"] = rule
        if address.endswith("index.html"):  # the short URL of the same page
            rules[f"/{address.removesuffix('index.html')}"] = rule
    lines = ([pattern, *(f"  {name}: {value}" for name, value in rule.items())] for pattern, rule in rules.items())
    return "\n".join(sum(lines, [])) + "\n"


def write_headers(app, exception):
    if not exception and app.builder.format == "html":
        (Path(app.outdir) / "_headers").write_text(headers(read_pages(Path(app.outdir))), "utf8")
