"""The JSON Schemas of own files, for editors."""

from __future__ import annotations

import json

from magnate.cli.output import OK, USAGE, fail, say
from magnate.rules.files.schema import board_schema, ruleset_schema

SCHEMAS = {"ruleset": ruleset_schema, "board": board_schema}


def run_schema(kind: str, *, json_mode: bool) -> int:
    """Print one of the schemas."""
    if kind not in SCHEMAS:
        fail(f"there is no schema {kind!r}; one of {', '.join(SCHEMAS)}", USAGE)
    say(json.dumps(SCHEMAS[kind](), ensure_ascii=False, indent=None if json_mode else 2))
    return OK
