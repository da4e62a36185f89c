"""Pack the built site into a zip for offline use: unpack it and open index.html. Run by `make offline`."""

import sys
import zipfile
from pathlib import Path

from tools.build.published_model import FOLDER

ROOT = Path(__file__).resolve().parents[2]
NAME = "from-kernel-regression-to-attention"
COMPRESSED = {".whl", ".zip", ".png", ".woff", ".woff2"}
README = """From kernel regression to attention

To read, open index.html in a browser. The figures move without a network and without a server.

To run the chapters in the browser as well, Python's files must come from a server:

    python3 serve.py

serves this folder on this machine alone, with any Python from 3.11 and nothing to install. Open the address that
it prints.
"""


def pack(site, archive):
    """Write a zip with the site, the server and a note, all in one folder."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(site.rglob("*")):
            # From disk, a page cannot read the published model; the time stamp is the build's.
            if path.is_file() and path.name != ".built" and FOLDER not in path.relative_to(site).parts[:1]:
                method = zipfile.ZIP_STORED if path.suffix in COMPRESSED else zipfile.ZIP_DEFLATED
                packed.write(path, Path(NAME) / path.relative_to(site), method)
        packed.write(ROOT / "tools" / "build" / "serve.py", f"{NAME}/serve.py")
        packed.writestr(f"{NAME}/README.txt", README)


if __name__ == "__main__":
    site, archive = map(Path, sys.argv[1:])
    pack(site, archive)
    print(f"{archive}: {archive.stat().st_size / 1e6:.0f} MB")
