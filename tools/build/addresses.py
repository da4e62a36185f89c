"""The URLs of the repository and the published site for notebooks, printed pages and link previews."""

import os
import re
import subprocess
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
ORIGIN = re.compile(r"(?:https://(?:[^@/]+@)?|(?:ssh://)?git@)github\.com[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?")


def repository_address(stated, root=ROOT):
    """Return the repository's URL: the stated one, or a fork's own if OWNER has not been replaced.

    In CI the environment has the URL; a clone has an origin. Otherwise OWNER stays.
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
    """Return the site's URL with a trailing slash: the configured one, or that of GitHub Pages for owner/name."""
    if own:
        return f"{own.rstrip('/')}/"
    owner, name = repository.removeprefix("https://github.com/").split("/")
    return f"https://{owner.lower()}.github.io/{name}/"


def site_address():
    """Return the URL of this course's site from `_config.yml`."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    return pages_address(repository_address(config["repository"]["url"]), config["html"].get("baseurl"))
