"""`magnate watch`: looks for the game, then shows it in this window or tells it line by line."""

from __future__ import annotations

import asyncio
import signal
import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from magnate.cli.inspect import asking
from magnate.cli.output import OK, USAGE, fail, result, say
from magnate.cli.terminal.texts import LANGUAGES, Texts, language_of
from magnate.cli.watch.plain import PlainWatch
from magnate.cli.watch.screen import places
from magnate.cli.watch.teller import Teller
from magnate.client.seen import SeenGame
from magnate.client.session import Session
from magnate.kit.tokens import game_named_in

if TYPE_CHECKING:
    from magnate.cli.watch.screen import WatchScreen

COMMITS_BEFORE: Final = 200
"""What happened last is told from so far back; the whole log is told by `--plain`."""
_ENDS: Final = (signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class WatchOptions:
    """What the command line says."""

    game: str
    addr: str
    token: str = ""
    language: str = ""
    plain: bool = False
    json_mode: bool = False
    since: int = 0

    @property
    def in_lines(self) -> bool:
        """Whether it is told line by line."""
        return self.plain or self.json_mode

    def fault(self) -> str:
        """Say what is wrong; empty if nothing is."""
        if self.language and self.language not in LANGUAGES:
            return f"--lang {self.language}: must be one of {', '.join(LANGUAGES)}"
        if self.since and not self.in_lines:
            return "--since is for --plain and --json: the window begins with what happened last"
        return ""


async def run_watch(options: WatchOptions) -> int:
    """Watch a game until it is over or the window is left. Returns the exit code."""
    fault = options.fault()
    if fault:
        fail(fault, USAGE)
    if not options.in_lines and not (sys.stdin.isatty() and sys.stdout.isatty()):
        fail("the game is drawn in a terminal window, and here is none; --plain tells it line by line", USAGE)
    if not options.in_lines and not sys.stdout.encoding.lower().startswith("utf"):
        told = f"the window needs the letters of UTF-8, and this terminal has {sys.stdout.encoding}"
        fail(f"{told}; --plain tells the game line by line", USAGE)
    async with asking(options.addr, options.game) as reach:
        view = await reach.game(options.game, token=options.token)
        if options.token and game_named_in(options.token) != options.game:  # to others a game is shown, too
            fail(f"--token: it is for a seat of {game_named_in(options.token)}, not of this game", USAGE)
        game = SeenGame(view, options.token)
        t = Texts(language_of(options.language))
        teller = Teller(view, t)
        if options.in_lines:
            return await _plain(options, game, teller, t)
        code = await _window(options, game, teller, t)
        if game.is_over and code == OK:
            for line in ranking_lines(game, teller, t):
                say(line)
        return code


async def _plain(options: WatchOptions, game: SeenGame, teller: Teller, t: Texts) -> int:
    async with Session(options.addr) as session:
        watching = asyncio.ensure_future(
            game.follow(session, PlainWatch(game, teller, t, json_mode=options.json_mode), options.since)
        )
        loop = asyncio.get_running_loop()
        ended: list[int] = []

        def end(number: int) -> None:
            ended.append(128 + number)
            watching.cancel()

        for number in (*_ENDS, signal.SIGINT):
            loop.add_signal_handler(number, end, number)
        try:
            await watching
        except asyncio.CancelledError:
            if not ended:
                raise
            return ended[0]
    if options.json_mode:
        ranking = [{"name": teller.who(seat), "worth": score} for seat, score in places(game.view)]
        result({"game_id": options.game, "version": game.version, "ranking": ranking}, json_mode=True)
        return OK
    for line in ranking_lines(game, teller, t):
        say(line)
    return OK


async def _window(options: WatchOptions, game: SeenGame, teller: Teller, t: Texts) -> int:
    from magnate.cli.watch.app import WatchApp

    async with Session(options.addr) as session:

        async def follow(screen: WatchScreen) -> None:
            await game.follow(session, screen, max(0, game.view.version - COMMITS_BEFORE))

        app = WatchApp(game, teller, t, follow)
        loop = asyncio.get_running_loop()
        for number in _ENDS:  # the shell gets its screen back
            loop.add_signal_handler(number, partial(app.exit, return_code=128 + number))
        await app.run_async()
    if app.fault is not None:
        raise app.fault
    return app.return_code or OK


def ranking_lines(game: SeenGame, teller: Teller, t: Texts) -> list[str]:
    """Return the final ranking, a line a seat."""
    lines = [t("watch.over")]
    for place, (seat, score) in enumerate(places(game.view), start=1):
        worth = f"  {t('watch.score', amount=teller.money(score))}" if score else ""
        lines.append(f"  {place}. {teller.who(seat)}{worth}")
    return lines
