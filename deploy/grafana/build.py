"""Write the dashboards (`make dash`), or with `--check` say whether they are current."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from deploy.grafana.overview import OVERVIEW
from deploy.grafana.panels import dashboard_json

OUT: Final = Path(__file__).resolve().parent / "dashboards"
DASHBOARDS: Final = (OVERVIEW,)


def texts() -> dict[str, str]:
    """Return the text of every dashboard by its file name."""
    return {
        f"{one.uid.removeprefix('magnate-')}.json": json.dumps(dashboard_json(one), indent=2) + "\n"
        for one in DASHBOARDS
    }


def main() -> int:
    """Write or check; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is not current")
    check = parser.parse_args().check
    code = 0
    for name, text in texts().items():
        path = OUT / name
        if not check:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{name} is not current: run `make dash`", file=sys.stderr)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
