"""Print the processor's name and run each benchmark in its own process; a missing peer stops only that one."""

import platform
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
NO_BENCHMARK = {"__main__", "timing"}
OURS = r"(?:lib|tools|benchmarks)\b"  # if one of our modules is missing, the benchmark is broken


def processor():
    """Return the processor's name, with its vector instructions where Linux lists them."""
    listed = Path("/proc/cpuinfo")
    text = listed.read_text() if listed.exists() else ""
    name = re.search(r"^model name\s*: (.+)$", text, re.MULTILINE)
    vectors = re.findall(r"\bavx\w*", text.partition("flags")[2].partition("\n")[0])
    return ", ".join([name[1] if name else platform.processor(), platform.machine(), *vectors])


def run(name):
    """Run one benchmark, and return its error, if any: a missing package or the exit code."""
    print(f"\n== {name}", flush=True)
    ended = subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], stderr=subprocess.PIPE, text=True)
    missing = re.search(rf"^ModuleNotFoundError: No module named '(?!{OURS})([\w.]+)'", ended.stderr, re.MULTILINE)
    if missing:
        print(f"{missing[1]} is not installed: this comparison was not made")
    elif ended.returncode:
        print(ended.stderr, file=sys.stderr)
    return f"{name} ended with {ended.returncode}" if ended.returncode and not missing else None


if __name__ == "__main__":
    print(f"Processor: {processor()}. A ratio holds for this processor; ratios of one run can be compared.")
    names = sorted({path.stem for path in HERE.glob("*.py")} - NO_BENCHMARK)
    sys.exit("; ".join(filter(None, [run(name) for name in names])) or 0)
