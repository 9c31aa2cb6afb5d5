#!/bin/sh
# Make the virtual environment and install the locked requirements and the package itself: `make setup`.
# uv does the installing when it can be had, because it takes a tenth of the time; pip reads the same files.
set -eu

python=$1
venv=$2
bin=$venv/bin

if ! "$python" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "setup: Python 3.11 or newer is needed (PYTHON=/path/to/python make setup)" >&2
    exit 1
fi
if [ ! -x "$bin/python" ]; then
    echo "setup: making $venv with $("$python" --version)"
    "$python" -m venv "$venv" || {
        echo "setup: venv is missing; on Debian: apt-get install python3-venv" >&2
        exit 1
    }
fi

# An environment is installed from one folder. Whoever links to another clone's would break that one unnoticed.
owner=$("$bin/python" -I - <<'END'
import sys
from importlib.util import find_spec
from pathlib import Path

spec = find_spec("magnate")
source = Path(spec.origin or "").resolve() if spec else Path(sys.prefix)
print("" if source.is_relative_to(sys.prefix) else source.parents[2])
END
)
if [ -n "$owner" ] && [ "$owner" != "$(pwd -P)" ]; then
    echo "setup: $venv is the environment of $owner, which would then run the sources of this folder" >&2
    echo "setup: remove $venv here (if it is a link, only the link goes) and run make setup again" >&2
    exit 1
fi

if command -v uv >/dev/null 2>&1; then
    uv=$(command -v uv)
elif [ -x "$bin/uv" ] || "$bin/python" -m pip install --quiet "$(grep -m1 -o '^uv==[0-9.]*' requirements/dev.txt || echo uv)"; then
    uv=$bin/uv
else
    uv=
fi

if [ -n "$uv" ]; then
    echo "setup: installing the locked requirements with uv"
    VIRTUAL_ENV=$PWD/$venv "$uv" pip install --quiet --compile-bytecode --require-hashes -r requirements/dev.txt
    VIRTUAL_ENV=$PWD/$venv "$uv" pip install --quiet --no-deps --no-build-isolation -e .
else
    echo "setup: installing the locked requirements with pip"
    "$bin/python" -m pip install --quiet --require-hashes -r requirements/dev.txt
    "$bin/python" -m pip install --quiet --no-deps --no-build-isolation -e .
fi
echo "setup: done"
