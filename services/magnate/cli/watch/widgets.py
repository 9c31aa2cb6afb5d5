"""What stands beside the board: players with their clocks, auctions, debts and offers, the log."""

from __future__ import annotations

import datetime as dt
from collections import deque
from typing import TYPE_CHECKING, Final

from rich.table import Table as Grid
from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Static

from magnate.cli.terminal.widgets import clipped, seat_sign
from magnate.cli.watch.boardlist import seat_colour
from magnate.cli.watch.teller import clock_face
from magnate.game.v1 import game_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.cli.terminal.texts import Texts
    from magnate.cli.watch.teller import Teller
    from magnate.client.seen import SeenGame

LOG_KEPT: Final = 500
HURRY_MS: Final = 10_000
COMMON: Final = ("time", "shortage")
"""Clocks of nobody's own; those of auctions are seen there."""
SEALED: Final = (2, 3)
DUTCH: Final = 4
_FAINT: Final = "#8e97a8"
_HURRY: Final = "bold #ffe06b"
_CALLED: Final = "bold #1b1e24 on #ffe06b"


class Part(Static):
    """A part of the screen with a title; gone while it has nothing to say."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__(id=name, markup=False)
        self.border_title = title
        self._drawn: Text | None = None

    def draw(self, text: Text) -> None:
        """Draw a text if it is another one now."""
        if text != self._drawn:
            self._drawn = text
            self.display = bool(text)
            self.update(text)
            if text.no_wrap:  # its height is known, and it moves what is below at once
                self.styles.height = text.plain.count("\n") + 1 + self.gutter.height


def flowing(parts: Sequence[Text], width: int, indent: str) -> list[Text]:
    """Return parts in as few lines as there is room for; a line is broken between parts."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + 3 + part.cell_len <= width:
            lines[-1].append(" · ").append_text(part)
        else:
            lines.append(Text(indent).append_text(part))
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


class Seats(Part):
    """The players: money, presence, clocks."""

    def __init__(self, game: SeenGame, teller: Teller, t: Texts) -> None:
        super().__init__("seats", t("watch.seats"))
        self._game = game
        self._teller = teller
        self._t = t

    def follow(self) -> None:
        """Draw what has changed."""
        width = max(self.content_size.width, 20)
        lines = []
        for seat in self._game.view.seats:
            lines.append(self._seat(seat, width))
            lines += flowing(self._more(seat), width, " " * 5)
        common = [one for one in self._game.clocks(-1) if one.kind in COMMON and not self._game.is_over]
        lines += flowing([self._clock(one) for one in common], width, " ")
        self.draw(Text("\n", no_wrap=True).join(lines))

    def _seat(self, seat: game_pb2.SeatView, width: int) -> Text:
        waits = seat.seat in self._game.situation.waiting_seats and not self._game.is_over
        away = self._game.seat_standing(seat.seat).presence == game_pb2.PRESENCE_AWAY
        money = self._money(seat)
        text = Text(no_wrap=True)
        text.append("▸" if waits else " ", "bold #ffe06b")
        text.append(f"{seat_sign(seat.seat)} ", f"bold {seat_colour(seat.seat)}")
        room = width - 3 - len(money) - 1
        style = "dim strike" if seat.out else "bold" if waits else _FAINT if away else ""
        text.append(clipped(seat.name, room).ljust(room + 1), style)
        return text.append(money, "dim" if seat.out else "bold")

    def _money(self, seat: game_pb2.SeatView) -> str:
        if seat.out:
            return self._t("game.out")
        if seat.cash_hidden or not self._game.view.lots:
            return self._t("game.hidden") if seat.cash_hidden else ""
        return self._teller.money(seat.cash)

    def _more(self, seat: game_pb2.SeatView) -> list[Text]:
        game, t = self._game, self._t
        standing = game.seat_standing(seat.seat)
        parts: list[Text] = []
        if seat.out or game.is_over:
            return []
        parts += [self._clock(clock) for clock in game.clocks(seat.seat)]
        if standing.reserve_ms and not any(self._uses_reserve(clock) for clock in game.clocks(seat.seat)):
            parts.append(Text(t("game.reserve", time=clock_face(standing.reserve_ms))))
        if standing.presence == game_pb2.PRESENCE_AWAY:
            since = standing.since_time.ToMilliseconds()
            gone = max(0, game.clock.now_ms() - since) if since else 0
            parts.append(Text(t("game.away", time=_span(gone))))
            if standing.allowance_ms:
                parts.append(Text(t("game.allowance", time=clock_face(standing.allowance_ms))))
        if standing.stand_in:
            parts.append(Text(t("game.stand_in"), "bold #ffb066"))
        if seat.jailed:
            parts.append(Text(t("game.jailed")))
        if seat.held:
            parts.append(Text(t("game.held", amount=self._teller.money(seat.held))))
        return parts

    def _clock(self, clock: game_pb2.ClockView) -> Text:
        left, budget = self._game.clock_left_ms(clock)
        kind = f"game.clock.{clock.kind}"
        word = f" {self._t(kind)}" if self._t.has(kind) else ""
        face = clock_face(budget or left)
        shown = f"{self._t('game.reserve', time=face) if self._uses_reserve(clock) else face}{word}"
        if clock.stands:
            return Text(f"{shown}, {self._t('game.stands')}")
        return Text(shown, _HURRY if left < HURRY_MS else "")

    def _uses_reserve(self, clock: game_pb2.ClockView) -> bool:
        """Say whether what is left is the seat's reserve: the budget of the decision is gone."""
        left, budget = self._game.clock_left_ms(clock)
        return clock.seat >= 0 and left > 0 and budget == 0


def _span(length_ms: int) -> str:
    minutes, seconds = divmod(length_ms // 1000, 60)
    return f"{minutes}:{seconds:02}"


class Auctions(Part):
    """What is under the hammer; each with its countdown by the server's time."""

    def __init__(self, game: SeenGame, teller: Teller, t: Texts) -> None:
        super().__init__("auctions", t("watch.auctions"))
        self._game = game
        self._teller = teller
        self._t = t

    def follow(self) -> None:
        """Draw what has changed."""
        width = max(self.content_size.width, 20)
        blocks = [self._auction(one, width) for one in self._game.auctions]
        self.draw(Text("\n", no_wrap=True).join(blocks))

    def _auction(self, one: game_pb2.AuctionView, width: int) -> Text:
        t = self._t
        left = self._left(one)
        end = self._end(one, left)
        name = clipped(self._teller.sold(one), width - len(end) - 1)
        text = Text()
        text.append(name.ljust(width - len(end)), "bold")
        style = _CALLED if one.calls else _HURRY if left is not None and left < HURRY_MS else ""
        text.append(end, style)
        facts = self._facts(one, width)
        if one.terms.mode:
            facts.append(Text(t(f"game.mode.{one.terms.mode}"), _FAINT))
        return Text("\n").join([text, *flowing(facts, width, " ")])

    def _left(self, one: game_pb2.AuctionView) -> int | None:
        """Return the time until the hammer falls; None while that is not known, or stands still."""
        clock = self._game.clock
        return clock.left_ms(one.close_time) if one.HasField("close_time") and clock.is_known else None

    def _end(self, one: game_pb2.AuctionView, left: int | None) -> str:
        if self._game.view.status == game_pb2.GAME_STATUS_PAUSED or not one.HasField("close_time"):
            return self._t("game.paused")
        called = f" {self._t(f'game.called.{min(one.calls, 2)}')}" if one.calls else ""
        if left is None:
            return called
        return (clock_face(left) if left else self._t("game.closing")) + called

    def _facts(self, one: game_pb2.AuctionView, width: int) -> list[Text]:
        teller, t = self._teller, self._t
        passed = [seat for seat in one.terms.bidders if seat not in one.bidders]
        facts: list[Text] = []
        if one.terms.mode == DUTCH:
            facts.append(Text(t("game.price", amount=teller.money(dutch_price(one, self._left(one))))))
        elif one.terms.mode in SEALED:
            names = teller.all(one.sealed_seats)
            facts.append(Text(t("game.sealed", names=names or "—")))
        else:
            facts.append(self._lead(one, width))
            facts.append(Text(t("game.next", amount=teller.money(one.next_minimum))))
        if one.terms.fee:
            facts.append(Text(t("auction.fee", amount=teller.money(one.terms.fee))))
        if one.extensions:
            facts.append(Text(t("game.extended", n=one.extensions), _FAINT))
        if passed:
            facts.append(Text(t("game.passed", names=teller.all(passed)), _FAINT))
        elif one.terms.mode not in SEALED:
            facts.append(Text(t("game.in", names=teller.all(one.bidders))))
        if one.turn_seat >= 0:
            facts.append(Text(t("game.turn_of", name=teller.who(one.turn_seat))))
        bid, ceiling = self._game.own_secrets(one.auction)
        if bid:
            facts.append(Text(t("watch.own_bid", amount=teller.money(bid)), "bold"))
        if ceiling:
            facts.append(Text(t("watch.own_ceiling", amount=teller.money(ceiling)), "bold"))
        return facts

    def _lead(self, one: game_pb2.AuctionView, width: int) -> Text:
        """Say who leads; of a long name less, so that the price is read."""
        if one.leader < 0:
            return Text(self._t("game.nobody"), "bold")
        amount = self._teller.money(one.price)
        room = width - 1 - len(self._t("game.leads", name="", amount=amount))
        name = clipped(self._teller.who(one.leader), room)
        return Text(self._t("game.leads", name=name, amount=amount), f"bold {seat_colour(one.leader)}")


def dutch_price(one: game_pb2.AuctionView, left_ms: int | None) -> int:
    """Return what a falling price has come to when the auction has so long to run.

    While that is not known, or stands still, it is as the server has said.
    """
    terms = one.terms
    if left_ms is None:
        return one.next_minimum
    ticks = max(0, terms.close_ms - left_ms) // max(1, terms.dutch_tick_ms)
    return max(terms.minimum, terms.dutch_start - terms.dutch_step * ticks)


class Matters(Part):
    """Debts and offers that are open."""

    def __init__(self, game: SeenGame, teller: Teller, t: Texts) -> None:
        super().__init__("matters", t("watch.matters"))
        self._game = game
        self._teller = teller
        self._t = t

    def follow(self) -> None:
        """Draw what has changed."""
        view, teller, t = self._game.view, self._teller, self._t
        lines = [
            t(
                "game.bankrupt_owes",
                debtor=teller.who(debt.debtor),
                creditor=teller.who(debt.creditor),
                amount=teller.money(debt.amount),
            )
            for debt in view.debts
        ]
        lines += [
            t(
                "game.offer",
                offer=offer.offer,
                from_seat=teller.who(offer.from_seat),
                to_seat=teller.who(offer.to_seat),
                terms=teller.terms(offer.terms),
            )
            for offer in view.offers
        ]
        self.draw(Text("\n".join(lines)))


class Log(VerticalScroll, can_focus=False):
    """What happened, newest first."""

    def __init__(self, t: Texts) -> None:
        super().__init__(id="log")
        self.border_title = t("watch.log")
        self._lines = Static(id="lines", markup=False)
        self._told: deque[tuple[str, Sequence[str]]] = deque(maxlen=LOG_KEPT)
        self._is_due = False

    def on_mount(self) -> None:
        """Draw what is known."""
        self.mount(self._lines)
        self._draw()

    def tell(self, commit: game_pb2.PublicCommit, sentences: Sequence[str]) -> None:
        """Add what a commit did; many commits at once are drawn once."""
        if sentences:
            moment = dt.datetime.fromtimestamp(commit.time.seconds, dt.UTC).astimezone()
            self._told.appendleft((f"{moment:%H:%M}", sentences))
        if not self._is_due:
            self._is_due = True
            self.set_timer(0.05, self._draw)

    def _draw(self) -> None:
        self._is_due = False
        grid = Grid.grid(padding=(0, 1, 0, 0))
        grid.add_column(no_wrap=True, width=5)
        grid.add_column()
        for clock, sentences in self._told:
            for sentence in sentences:
                grid.add_row(Text(clock, style="dim"), Text(sentence))
                clock = ""  # noqa: PLW2901 - said once for a commit
        self._lines.update(grid)
