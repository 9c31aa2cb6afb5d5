"""A game's events as short sentences, with the names of players and squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from google.protobuf.json_format import MessageToDict

from magnate.cli.names import Names
from magnate.cli.sentences import SENTENCES
from magnate.client.happened import happened
from magnate.game.v1 import game_pb2

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from magnate.rules.v1 import vocabulary_pb2

# What only says in other words what the event beside it says.
QUIET: Final = frozenset(
    {"phase_entered", "turn_ended", "lot_offered", "extra_roll_granted", "lot_put_up", "building_put_up"}
)


class Narrator(Names):
    """Tells what happened; knows the board and the players' names as the commits name them."""

    def commit(self, commit: game_pb2.PublicCommit, *, everything: bool = False) -> Iterator[str]:
        """Yield a sentence for each event of a commit; the quiet ones only if everything is wanted."""
        for event in happened(commit):
            if isinstance(event, game_pb2.TableEvent):
                yield self._table(event)
            elif everything or event.WhichOneof("kind") not in QUIET:
                yield self._told(event)

    def _table(self, event: game_pb2.TableEvent) -> str:
        kind = event.WhichOneof("kind")
        if kind == "table_opened":
            self.board = event.table_opened.board
            self.learn(event.table_opened.ruleset)
            return f"table opened: {event.table_opened.ruleset.title} on {self.board.title}"
        if kind == "seat_taken":
            self.names.append(event.seat_taken.name)
            return f"{event.seat_taken.name} takes seat {event.seat_taken.seat}"
        if kind == "seed_revealed":
            return f"the seed was {event.seed_revealed.seed.hex()}"
        if kind is not None and hasattr(getattr(event, kind), "seat"):
            return self._standing(kind, event, self.who(getattr(event, kind).seat))
        return str(kind).replace("_", " ")

    def _standing(self, kind: str, event: game_pb2.TableEvent, who: str) -> str:
        """Tell how a seat stands with the clocks."""
        told = {
            "reserve_changed": f"{who} has a reserve of {event.reserve_changed.reserve_ms // 1000} s",
            "allowance_changed": f"{who} may be away for {event.allowance_changed.left_ms // 1000} s more",
            "clock_missed": f"{who} has missed {event.clock_missed.misses} clocks in a row",
            "stand_in_seated": f"a stand-in plays for {who}",
            "stand_in_left": f"{who} plays again",
            "seat_presence": f"{who} is {'there' if event.seat_presence.connected else 'away'}",
            "pause_proposed": f"{who} agrees to {'a break' if event.pause_proposed.pause else 'go on'}",
            "extra_time_granted": f"{who} has {event.extra_time_granted.extra_ms // 1000} s more",
        }
        return told.get(kind, f"{who}: {kind.replace('_', ' ')}")

    def _told(self, event: vocabulary_pb2.Event | vocabulary_pb2.AuctionEvent) -> str:
        kind = event.WhichOneof("kind")
        if kind is None:
            return "something that this build has no word for"
        inner = getattr(event, kind)
        tell = SENTENCES.get(kind)
        return self._plain(kind, inner) if tell is None else tell(self, inner)

    def _plain(self, kind: str, inner: Message) -> str:
        """Tell an event by its fields."""
        fields = MessageToDict(
            inner, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
        words = [f"{name} {self._field(name, value)}" for name, value in fields.items()]
        return f"{kind.replace('_', ' ')}: {', '.join(words)}" if words else kind.replace("_", " ")

    def _field(self, name: str, value: Any) -> str:
        if isinstance(value, list | dict):
            return str(value)
        if name in {"seat", "winner", "payer", "payee", "owner", "creditor"}:
            return self.who(int(value))
        if name in {"lot", "square"}:
            return self.what(int(value))
        if name in {"amount", "price", "minimum", "cost", "proceeds"}:
            return self.money(int(value))
        return str(value)
