"""What `magnate table …` does: one call or one stream of a bank each."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import grpc
from google.protobuf.json_format import MessageToDict

from magnate.bank.v1 import terminal_pb2
from magnate.cli.output import OK, UNREACHABLE, USAGE, fail, result, say
from magnate.cli.table import book as books
from magnate.cli.table import words
from magnate.client.session import RefusedError
from magnate.client.terminal import TerminalClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from google.protobuf.message import Message

REACH_SECONDS: Final = 1.0
_UNREACHABLE_CODES: Final = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


@dataclass(frozen=True)
class Wanted:
    """The table that is to be opened."""

    players: list[str]
    edition: str
    model: str
    opening: int
    go: int
    unit: str
    scale: int
    shared: bool


@asynccontextmanager
async def asking(address: str) -> AsyncIterator[TerminalClient]:
    """Connect, and turn what goes wrong into one line on stderr and an exit code."""
    try:
        async with TerminalClient(address, retry_seconds=REACH_SECONDS) as bank:
            yield bank
    except books.BookError as error:
        fail(str(error), USAGE)
    except RefusedError as error:
        if error.code in _UNREACHABLE_CODES:
            fail(f"no answer from {address}: {error.message}", UNREACHABLE)
        fail(str(error), USAGE)


async def run_open(
    address: str, book: Path, wanted: Wanted, page: str, *, codes: bool, json_mode: bool
) -> int:
    """Open a table, keep its token, show its cards."""
    if wanted.model not in words.MODELS:
        fail(f"no unit {wanted.model!r}; there are {', '.join(filter(None, words.MODELS))}", USAGE)
    own = wanted.opening or wanted.go or wanted.unit or wanted.scale != 1
    edition = "" if own else wanted.edition
    async with asking(address) as bank:
        books.read(book)  # before there is a table whose token could not be kept
        opened = await bank.open_table(
            wanted.players,
            edition=edition,
            opening_amount=wanted.opening,
            go_amount=wanted.go,
            currency=None if edition else terminal_pb2.Currency(unit=wanted.unit, scale=wanted.scale),
            model=words.MODELS[wanted.model],
            shared_unit=wanted.shared,
        )
        table = opened.table
        books.add(book, books.Kept(table.table_id, table.join_code, opened.banker_token))
        if json_mode:
            result(as_dict(opened), json_mode=True)
            return OK
        for line in words.lines(table):
            say(line)
        _hand_out(opened, page, codes=codes)
    return OK


def _hand_out(opened: terminal_pb2.OpenTableResponse, page: str, *, codes: bool) -> None:
    table = opened.table
    link = words.join_link(page, table.join_code)
    say(f"\nto join: {link}")
    if codes:
        say(words.qr(link))
    for card, shown in zip(opened.cards, table.cards, strict=True):
        link = words.card_link(page, table.table_id, card.card_id, card.secret)
        say(f"\n{shown.name}: {link}")
        if codes:
            say(words.qr(link))
    say(f"\nthe banker's token: {opened.banker_token}")


async def run_list(address: str, book: Path, *, json_mode: bool) -> int:
    """Show the tables of the book, one line each."""
    async with asking(address) as bank:
        found = [await bank.table(kept.table_id, kept.token) for kept in books.read(book)]
    if json_mode:
        result({"tables": [as_dict(table) for table in found]}, json_mode=True)
        return OK
    for table in found:
        names = ", ".join(card.name for card in table.cards)
        say(f"{table.table_id}  {table.join_code}  {words.STATUS.get(table.status, '?'):<6}  {names}")
    if not found:
        say(f"no table is in {book}")
    return OK


async def run_show(address: str, book: Path, which: str, token: str, history: int, *, json_mode: bool) -> int:
    """Show a table and its newest operations."""
    async with asking(address) as bank:
        kept = books.find(book, which, token)
        table = await bank.table(kept.table_id, kept.token)
        operations: list[terminal_pb2.Operation] = []
        if history:
            async for one in bank.operations(kept.table_id, kept.token):
                operations.append(one)
                if len(operations) == history:
                    break
    if json_mode:
        told = {"table": as_dict(table), "operations": [as_dict(one) for one in operations]}
        result(told, json_mode=True)
        return OK
    for line in words.lines(table):
        say(line)
    for one in reversed(operations):
        say(words.operation(table, one))
    return OK


async def run_watch(address: str, book: Path, which: str, token: str, *, json_mode: bool) -> int:
    """Print operations and what the display shows, as they come; end when the table is closed."""
    shown = ""
    async with asking(address) as bank:
        kept = books.find(book, which, token)
        await bank.table(kept.table_id, kept.token)  # else a bank that is away would be waited for
        async for update in bank.watch(kept.table_id, kept.token):
            if not update.HasField("table"):
                continue
            if json_mode:
                print(json.dumps(as_dict(update), ensure_ascii=False), flush=True)
            else:
                shown = _print_update(update, shown)
            if update.table.status == terminal_pb2.TABLE_STATUS_CLOSED:
                break
    return OK


def _print_update(update: terminal_pb2.WatchTableResponse, shown: str) -> str:
    """Print what is new, and return the line that tells how the table is."""
    table = update.table
    for one in update.operations:
        say(words.operation(table, one))
    now = "\n".join(words.lines(table))
    if not shown or table.status == terminal_pb2.TABLE_STATUS_CLOSED:
        say(now)
    elif now != shown and table.HasField("unit"):
        frame = table.unit.frame
        refusal = f"  {frame.refusal}" if frame.refusal else ""
        say(f"{update.version:>6}  {frame.sign}{frame.text}{frame.suffix}  {frame.state}{refusal}")
    return now


async def run_undo(
    address: str, book: Path, which: str, token: str, version: int, note: str, *, json_mode: bool
) -> int:
    """Take back the operation of a version, or the last one that stands."""
    async with asking(address) as bank:
        kept = books.find(book, which, token)
        if not version:
            version = await _last_standing(bank, kept)
        answer = await bank.undo(kept.table_id, kept.token, version, note)
    if json_mode:
        result(as_dict(answer), json_mode=True)
        return OK
    say(words.operation(answer.table, answer.operation))
    for line in words.lines(answer.table):
        say(line)
    return OK


async def _last_standing(bank: TerminalClient, kept: books.Kept) -> int:
    """Return the version of the newest operation that may be taken back; the bank has the last word."""
    async for one in bank.operations(kept.table_id, kept.token):
        if not one.reversed_by and one.kind not in {"undo", "open", "retire"}:
            return one.version
    raise books.BookError("no operation is left that can be taken back")


async def run_close(address: str, book: Path, which: str, token: str, *, json_mode: bool) -> int:
    """End a table, and show the ranking."""
    async with asking(address) as bank:
        kept = books.find(book, which, token)
        table = await bank.close_table(kept.table_id, kept.token)
    if json_mode:
        result(as_dict(table), json_mode=True)
        return OK
    for line in words.lines(table):
        say(line)
    return OK


def as_dict(message: Message) -> dict[str, object]:
    """Return a message as JSON has it, with the names of the proto."""
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
