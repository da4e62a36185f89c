"""Where the published site is: without it notebooks, printed pages and cards would each link elsewhere."""

import os
import re
import subprocess
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
ORIGIN = re.compile(r"(?:https://(?:[^@/]+@)?|(?:ssh://)?git@)github\.com[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?")


def repository_address(stated, root=ROOT):
    """Return the repository's address: the stated one, or a fork's own where nobody replaced OWNER in it.

    CI says in its environment where it runs, and a clone knows its origin. Elsewhere OWNER stays.
    """
    if "/OWNER/" not in stated:
        return stated
    if "GITHUB_REPOSITORY" in os.environ:
        return f"{os.environ['GITHUB_SERVER_URL']}/{os.environ['GITHUB_REPOSITORY']}"
    command = ["git", "remote", "get-url", "origin"]
    origin = subprocess.run(command, cwd=root, capture_output=True, text=True).stdout.strip()
    found = ORIGIN.fullmatch(origin)
    return f"https://github.com/{found[1]}" if found else stated


def pages_address(repository, own=""):
    """Return where the site is, with a final slash: its own address, or that of GitHub's pages of owner/name."""
    if own:
        return f"{own.rstrip('/')}/"
    owner, name = repository.removeprefix("https://github.com/").split("/")
    return f"https://{owner.lower()}.github.io/{name}/"


def site_address():
    """Return where the site of this course is, as `_config.yml` says it."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    return pages_address(repository_address(config["repository"]["url"]), config["html"].get("baseurl"))
