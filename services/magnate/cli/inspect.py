"""`magnate replay`, `verify`, `log` and `legal`: look at one game of a running server."""

from __future__ import annotations

import json
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import grpc
from google.protobuf.json_format import MessageToDict

from magnate.cli.check import check_game
from magnate.cli.narrate import Narrator
from magnate.cli.output import FAILED, OK, UNREACHABLE, USAGE, fail, result, say
from magnate.cli.records import read_records, replay
from magnate.client.session import RefusedError, Session
from magnate.game.v1 import game_pb2
from magnate.game.watch import put_commit
from magnate.kit.ids import InvalidIdError, parse_game_id
from magnate.kit.log.errors import DataLossError, LogNewerError
from magnate.rules import plain
from magnate.rules.rejections import REJECTIONS
from magnate.rules.v1 import vocabulary_pb2
from magnate.rules.vocabulary import PHASE_NAMES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from magnate.game.state import GameState

REACH_SECONDS: Final = 1.0

_UNREACHABLE_CODES: Final = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


@asynccontextmanager
async def asking(address: str, game_id: str) -> AsyncIterator[Session]:
    """Connect, and turn what goes wrong into one line on stderr and an exit code."""
    try:
        parse_game_id(game_id)
        async with Session(address, retry_seconds=REACH_SECONDS) as session:
            yield session
    except InvalidIdError as error:
        fail(str(error), USAGE)
    except RefusedError as error:
        if error.code in _UNREACHABLE_CODES:
            fail(f"no answer from {address}: {error.message}", UNREACHABLE)
        if error.code is grpc.StatusCode.UNIMPLEMENTED:
            fail(f"{address} is another service: it knows nothing of games", USAGE)
        fail(str(error), FAILED if error.code is grpc.StatusCode.DATA_LOSS else USAGE)
    except grpc.aio.AioRpcError as error:
        fail(f"no answer from the bank: {error.details()}", UNREACHABLE)
    except (DataLossError, LogNewerError) as error:
        fail(str(error), FAILED)


async def run_replay(address: str, game_id: str, at: int, *, json_mode: bool) -> int:
    """Fold the exported records here, and compare with what the server shows at that version."""
    async with asking(address, game_id) as session:
        view = await session.game(game_id, at)
        version = view.version
        records = (await session.export(game_id))[:version]
        started = time.perf_counter()
        commits = read_records(game_id, records)
        state = replay(game_id, commits)
        seconds = time.perf_counter() - started
        mine = "" if state.rules is None else plain.digest(state.rules)
        values = {
            "game_id": game_id,
            "version": version,
            "ruleset": view.ruleset.id,
            "board": view.board.id,
            "state_hash": mine,
            "identical": mine == view.state_hash,
            "seconds": round(seconds, 4),
            **_shown(state),
        }
        if json_mode:
            result(values, json_mode=True)
        else:
            _show(values, state)
        return OK if values["identical"] else FAILED


async def run_verify(address: str, game_id: str, bank_address: str, *, json_mode: bool) -> int:
    """Examine chain, fold, money and chance."""
    async with asking(address, game_id) as session:
        checked = await check_game(session, game_id, bank_address)
        values = checked.values()
        if json_mode:
            result(values, json_mode=True)
        else:
            result({k: _said(v) for k, v in values.items() if k != "faults"}, json_mode=False)
            for fault in checked.faults:
                say(f"  fault: {fault}")
            say("all is well" if checked.ok else "this game does NOT verify")
        return OK if checked.ok else FAILED


async def run_log(address: str, game_id: str, *, follow: bool, json_mode: bool) -> int:
    """Print the commits, those that are there or all that will be."""
    narrator = Narrator()
    async with asking(address, game_id) as session:
        if not follow:
            for commit in read_records(game_id, await session.export(game_id)):
                message = game_pb2.PublicCommit()
                put_commit(commit, message)
                _print_commit(narrator, message, json_mode=json_mode)
            return OK
        await session.game(game_id)  # an unknown game or an unreachable server is told at once
        async for update in session.watch(game_id):
            if update.HasField("commit"):
                _print_commit(narrator, update.commit, json_mode=json_mode)
                if any(event.HasField("game_ended") for event in update.commit.events):
                    return OK
    return OK


async def run_legal(address: str, game_id: str, seat: int, token: str, *, json_mode: bool) -> int:
    """Print what a seat may do."""
    async with asking(address, game_id) as session:
        legal = await session.legal(game_id, seat, with_reasons=True, token=token)
        actions = [MessageToDict(one, preserving_proto_field_name=True) for one in legal.actions]
        if json_mode:
            values = {"game_id": game_id, "seat": seat, "version": legal.version, "actions": actions}
            values["refused"] = {one.kind: one.reason for one in legal.refused}
            result(values, json_mode=True)
            return OK
        narrator = Narrator()
        narrator.know(await session.game(game_id))
        say(f"version {legal.version}, {narrator.who(seat)} may:" if legal.actions else "nothing now")
        for action in legal.actions:
            say(f"  {action.kind:<18} {_with(narrator, action)}".rstrip())
        if legal.refused:
            say("and not:")
        for refused in legal.refused:
            _, line = REJECTIONS.get(refused.reason, ("", ""))
            say(f"  {refused.kind:<18} {refused.reason:<21} {line}".rstrip())
    return OK


def _with(narrator: Narrator, action: game_pb2.LegalAction) -> str:
    """Tell an action's parameters."""
    parts = []
    if action.amount_max or action.amount_min:
        parts.append(f"{narrator.money(action.amount_min)} to {narrator.money(action.amount_max)}")
    for lot in action.lots:
        levels = f" to level {lot.level_min}-{lot.level_max}" if lot.level_max else ""
        amount = f" ({narrator.money(lot.amount)})" if lot.amount else ""
        parts.append(f"{narrator.what(lot.lot)}{levels}{amount}")
    parts += [narrator.card(card.deck, card.card) for card in action.cards]
    if action.seats:
        parts.append("with " + ", ".join(narrator.who(seat) for seat in action.seats))
    if action.offers:
        parts.append("offer " + ", ".join(map(str, action.offers)))
    parts += [_answers(narrator, action)] if action.answers else []
    if action.faces_max:
        parts.append(f"on up to {action.faces_max} faces")
    return "; ".join(parts)


def _answers(narrator: Narrator, action: game_pb2.LegalAction) -> str:
    """Tell the answers to what is asked: the question says whether they are seats, squares or options."""
    asked = vocabulary_pb2.Question.Name(action.question).removeprefix("QUESTION_").lower()
    if action.question in {vocabulary_pb2.QUESTION_LOCATION, vocabulary_pb2.QUESTION_SWAP}:
        answers = [f"{answer} {narrator.what(answer)}" for answer in action.answers]
    else:
        answers = [str(answer) for answer in action.answers]
    return f"{asked}: {', '.join(answers)}"


def _print_commit(narrator: Narrator, commit: game_pb2.PublicCommit, *, json_mode: bool) -> None:
    if json_mode:
        print(
            json.dumps(MessageToDict(commit, preserving_proto_field_name=True), ensure_ascii=False),
            flush=True,
        )
        return
    when = commit.time.ToDatetime().strftime("%H:%M:%S")
    say(f"{commit.version:>6}  {when}  {commit.actor}")
    for sentence in narrator.commit(commit, everything=True):
        say(f"{'':>16}  {sentence}")
    for record in commit.ledger_records:
        kind = record.WhichOneof("record")
        if kind == "entry_posted":
            entry = record.entry_posted
            amount = narrator.money(entry.amount)
            say(f"{'':>16}  {entry.debit} -> {entry.credit}: {amount} ({entry.reason})")
        elif kind == "hold_captured":
            captured = record.hold_captured
            amount = narrator.money(captured.captured)
            say(f"{'':>16}  {captured.account} -> {captured.to}: {amount} from its hold ({captured.reason})")


def _shown(state: GameState) -> dict[str, object]:
    rules = state.rules
    if rules is None:
        return {"seats": [{"seat": seat, "name": name} for seat, name in enumerate(state.table.names)]}
    return {
        "turn": rules.turn,
        "round": rules.round,
        "phase": PHASE_NAMES[rules.phase].lower(),
        "turn_seat": rules.turn_seat,
        "ranking": list(rules.ranking),
        "pots": dict(zip(("parking", "jackpot", "charity_fund"), rules.extras.pots, strict=True)),
        "seats": [
            {
                "seat": seat,
                "name": name,
                "cash": rules.cash[seat],
                "at": rules.at[seat],
                "out": bool(rules.out[seat]),
                "lots": [lot for lot in rules.board.lots if rules.owner[lot] == seat],
            }
            for seat, name in enumerate(state.table.names)
        ],
    }


def _show(values: dict[str, object], state: GameState) -> None:
    result({name: value for name, value in values.items() if name != "seats"}, json_mode=False)
    rules = state.rules
    for seat, name in enumerate(state.table.names):
        if rules is None:
            say(f"  seat {seat}  {name}")
            continue
        lots = sum(rules.owner[lot] == seat for lot in rules.board.lots)
        out = "  out" if rules.out[seat] else ""
        say(f"  seat {seat}  {name:<16} cash {rules.cash[seat]:>7}  lots {lots:>2}{out}")


def _said(value: object) -> object:
    if value is None:
        return "not yet known (the seed is revealed at the end)"
    return {True: "yes", False: "NO"}[value] if isinstance(value, bool) else value
