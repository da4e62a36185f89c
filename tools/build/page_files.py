"""Read and write files of the site: atomic writes, and replacements that must match exactly once."""


def exchange(text, place, new, where):
    """Replace text that occurs exactly once. Raise ValueError otherwise: the file `where` has changed."""
    if text.count(place) != 1:
        raise ValueError(f"expected {place!r} once in {where}, got it {text.count(place)} times")
    return text.replace(place, new)


def write_whole(path, data):
    """Write a file atomically: later builds trust a file that exists, even if this build is interrupted."""
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(data)
    part.replace(path)


def read_pages(out):
    """Return the text of each page by its name, without the browser edition that `make lite` adds."""
    paths = {path.relative_to(out).with_suffix("").as_posix(): path for path in out.rglob("*.html")}
    chosen = {name: path for name, path in paths.items() if not name.startswith(("lite/", "_static/"))}
    return {name: path.read_text("utf8") for name, path in sorted(chosen.items())}
