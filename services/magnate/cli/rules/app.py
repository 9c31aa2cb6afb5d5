"""The subcommands of `magnate rules`; what they do is imported when they run."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup


class RulesGroup(TyperGroup):
    """`magnate rules R` means `magnate rules show R`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put in `show` where no subcommand is named, and options before it where they are understood."""
        place = 0
        while place < len(args) and args[place].partition("=")[0] in {"--json", "--rules"}:
            place += 2 if args[place] == "--rules" else 1
        before, after = args[:place], args[place:]
        if after and not after[0].startswith("-"):
            show = [] if after[0] in self.commands else ["show"]
            args = [*show, *after, *before]
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed


app = typer.Typer(
    cls=RulesGroup,
    help="List the rule sets and boards (alone), or one of the commands below; `rules R` shows R.",
    invoke_without_command=True,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of lines for people.")]
Folder = Annotated[Path | None, typer.Option("--rules", help="Folder of own boards/ and rulesets/.")]


@app.callback()
def listing(context: typer.Context, rules: Folder = None, json: Json = False) -> None:
    """List the rule sets and boards (alone), or one of the commands below; `rules R` shows R."""
    if context.invoked_subcommand is None:
        from magnate.cli.rules.show import run_list

        raise SystemExit(run_list(rules, json_mode=json))


@app.command()
def show(
    ruleset: Annotated[str, typer.Argument(help="Rule set id, or a file.")],
    rules: Folder = None,
    json: Json = False,
) -> None:
    """Show a rule set option by option."""
    from magnate.cli.rules.show import run_show

    raise SystemExit(run_show(ruleset, rules, json_mode=json))


@app.command()
def diff(
    first: Annotated[str, typer.Argument(help="Rule set id, or a file.")] = "",
    second: Annotated[str, typer.Argument(help="Another; classic if empty.")] = "",
    game: Annotated[str, typer.Option(help="Compare the rules of this table, by game id.")] = "",
    addr: Annotated[str, typer.Option(help="Address of its game service, host:port.")] = "127.0.0.1:7400",
    rules: Folder = None,
    json: Json = False,
) -> None:
    """Show the options in which two rule sets differ, or one, or a table, from classic."""
    from magnate.cli.rules.diff import run_diff

    raise SystemExit(asyncio.run(run_diff([first, second], game, addr, rules, json_mode=json)))


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Rule set and board files, or folders of them.")],
    json: Json = False,
) -> None:
    """Check own rule set and board files; exit 2 if one is wrong."""
    from magnate.cli.rules.check import run_check

    raise SystemExit(run_check(files, json_mode=json))


@app.command()
def schema(
    kind: Annotated[str, typer.Argument(help="ruleset or board.")],
    json: Annotated[bool, typer.Option("--json", help="Print it on one line.")] = False,
) -> None:
    """Print the JSON Schema of rule set or board files, for editors."""
    from magnate.cli.rules.schema import run_schema

    raise SystemExit(run_schema(kind, json_mode=json))
