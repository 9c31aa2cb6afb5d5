"""The examination of a game finds what is wrong with it, whatever it is."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from magnate.bank.v1 import bank_pb2
from magnate.cli.check import Checked, check_game
from magnate.game.v1 import game_pb2
from magnate.kit.log.commit import LEDGER, RULES
from magnate.log.v1 import log_pb2
from tests.support.local_client import LocalSession, play_to_end, sensible_bots

if TYPE_CHECKING:
    from collections.abc import Callable

Records = list[game_pb2.ExportGameResponse]


class Played:
    """A whole game and its records."""

    def __init__(self, session: LocalSession, game_id: str, records: Records) -> None:
        self._session = session
        self._game_id = game_id
        self._records = records

    def records(self) -> Records:
        """Return records of one's own to change."""
        return [game_pb2.ExportGameResponse.FromString(one.SerializeToString()) for one in self._records]

    async def check(self, records: Records) -> Checked:
        """Examine the game as if these were its records."""
        self._session.exported = records
        return await check_game(self._session, self._game_id)


async def played() -> Played:
    """Play a game of two bots to its end."""
    session = LocalSession()
    game_id = await session.open(2)
    await play_to_end(session, game_id, sensible_bots(2, 1))
    records = await session.export(game_id)
    return Played(session, game_id, records)


def forge(records: Records, kind: int, change: Callable[[log_pb2.Section], bool]) -> Records:
    """Change the first section of a kind that `change` takes, and compute every hash of the chain anew."""
    previous = bytes(32)
    done = False
    for record in records:
        public = log_pb2.PublicPart.FromString(record.public)
        for section in public.sections:
            if not done and section.kind == kind:
                done = change(section)
        record.public = public.SerializeToString()
        record.previous_hash = previous
        record.hash = previous = sha256(
            previous + sha256(record.public).digest() + record.secret_digest
        ).digest()
    assert done
    return records


def other_dice(section: log_pb2.Section) -> bool:
    """Replace a throw by another with the same sum, which moves nobody elsewhere."""
    rules = game_pb2.RulesSection.FromString(section.body)
    for event in rules.events:
        thrown = event.dice_thrown
        if event.HasField("dice_thrown") and thrown.first != thrown.second:
            thrown.first, thrown.second = thrown.second, thrown.first
            section.body = rules.SerializeToString()
            return True
    return False


def more_money(section: log_pb2.Section) -> bool:
    """Make an entry one unit larger."""
    ledger = bank_pb2.LedgerSection.FromString(section.body)
    for record in ledger.records:
        if record.HasField("entry_posted"):
            record.entry_posted.amount += 1
            section.body = ledger.SerializeToString()
            return True
    return False


@pytest.mark.asyncio
async def test_a_sound_game_passes_and_tampering_does_not() -> None:
    """One played game, examined as it is and after each of the ways to falsify it."""
    game = await played()

    sound = await game.check(game.records())
    assert sound.ok, sound.faults
    assert sound.chain_ok
    assert sound.replay_identical
    assert sound.ledger_ok
    assert sound.fairness_ok
    assert sound.ledger_sum == 0
    assert sound.draws_checked > 20
    assert sound.events > sound.commits > 50

    flipped = game.records()
    flipped[30].public = flipped[30].public[:-1] + bytes([flipped[30].public[-1] ^ 1])
    await _finds(game, flipped, "version 31", "hash does not match")

    hidden = game.records()
    hidden[0].secret_digest = bytes(32)
    await _finds(game, hidden, "version 1", "hash does not match")

    missing = game.records()
    del missing[20]
    await _finds(game, missing, "version 21", "missing")

    await _finds(game, game.records()[:-5], "records")

    forged = await game.check(forge(game.records(), RULES, other_dice))
    assert forged.chain_ok
    assert forged.fairness_ok is False
    assert "the seed gives" in forged.faults[0]

    richer = await game.check(forge(game.records(), LEDGER, more_money))
    assert richer.chain_ok
    assert not richer.ledger_ok
    assert not richer.ok


async def _finds(game: Played, records: Records, *words: str) -> None:
    checked = await game.check(records)
    assert not checked.ok
    told = " ".join(checked.faults)
    assert all(word in told for word in words), told


@pytest.mark.asyncio
async def test_a_running_game_can_be_examined_but_its_chance_is_secret() -> None:
    """Fairness is not known before the seed is revealed, and says so."""
    session = LocalSession()
    game_id = await session.open(3)
    checked = await check_game(session, game_id)
    assert checked.ok, checked.faults
    assert checked.fairness_ok is None
    assert checked.values()["fairness_ok"] is None
