"""Where the published site is: without it notebooks, printed pages and cards would each link elsewhere."""

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]


def pages_address(repository, own=""):
    """Return where the site is, with a final slash: its own address, or that of GitHub's pages of owner/name."""
    if own:
        return f"{own.rstrip('/')}/"
    owner, name = repository.removeprefix("https://github.com/").split("/")
    return f"https://{owner.lower()}.github.io/{name}/"


def site_address():
    """Return where the site of this course is, as `_config.yml` says it."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    return pages_address(config["repository"]["url"], config["html"].get("baseurl"))
