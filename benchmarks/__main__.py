"""Print the processor's name and run each benchmark in its own process; a missing peer stops only that one."""

import platform
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
NO_BENCHMARK = {"__init__", "__main__", "timing"}


def processor():
    """Return the processor's name and the vector instructions that NumPy uses on it."""
    listed = Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*: (.+)$", listed.read_text() if listed.exists() else "", re.MULTILINE)
    vectors = re.findall(r"\bavx\w*", listed.read_text().partition("flags")[2].partition("\n")[0]) if names else []
    return f"{names[0] if names else platform.processor()}, {' '.join(vectors) or platform.machine()}"


def run(name):
    """Run one benchmark, and return what was wrong with it: nothing, a missing package, or its exit code."""
    print(f"\n== {name}", flush=True)
    ended = subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], stderr=subprocess.PIPE, text=True)
    missing = re.search(r"^ModuleNotFoundError: No module named '([\w.]+)'", ended.stderr, re.MULTILINE)
    if missing:
        print(f"{missing[1]} is not installed: this comparison was not made")
    elif ended.returncode:
        print(ended.stderr, file=sys.stderr)
    return f"{name} ended with {ended.returncode}" if ended.returncode and not missing else None


if __name__ == "__main__":
    print(f"Processor: {processor()}. A ratio holds for this processor; ratios of one run can be compared.")
    names = sorted({path.stem for path in HERE.glob("*.py")} - NO_BENCHMARK)
    sys.exit("; ".join(filter(None, [run(name) for name in names])) or 0)
