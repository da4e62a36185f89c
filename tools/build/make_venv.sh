#!/bin/sh
# Create the virtual environment $1 with the first Python on PATH that is 3.11 or newer, unless it exists.
set -e
[ -x "$1/bin/python" ] && exit 0
for python in "${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        echo "Making $1 with $("$python" --version)"
        exec "$python" -m venv "$1"
    fi
done
echo "expected Python 3.11 or newer on PATH, got $(python3 --version 2>&1): install it, or run make PYTHON=/path/to/python" >&2
exit 1
