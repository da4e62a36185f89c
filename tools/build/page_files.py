"""Files of the site: read, written whole, and exchanged in one place that must be there."""


def exchange(text, place, new, where):
    """The text with something new in a place that it has once. Anything else stops: `where` has changed."""
    if text.count(place) != 1:
        raise ValueError(f"expected {place!r} once in {where}, got it {text.count(place)} times")
    return text.replace(place, new)


def write_whole(path, data):
    """Write all bytes of a file or, where the build is broken off, none: later builds trust a file that exists."""
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(data)
    part.replace(path)


def read_pages(out):
    """The text of each page by its name, without the browser edition that `make lite` puts beside them."""
    paths = {path.relative_to(out).with_suffix("").as_posix(): path for path in out.rglob("*.html")}
    chosen = {name: path for name, path in paths.items() if not name.startswith(("lite/", "_static/"))}
    return {name: path.read_text("utf8") for name, path in sorted(chosen.items())}
