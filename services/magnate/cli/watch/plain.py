"""A game line by line, for pipes: a line or a JSON object a commit, nothing but text."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from magnate.client.seen import LIVE, LOST

if TYPE_CHECKING:
    from magnate.cli.terminal.texts import Texts
    from magnate.cli.watch.teller import Teller
    from magnate.client.seen import SeenGame
    from magnate.game.v1 import game_pb2


class PlainWatch:
    """Prints each commit once; what concerns the connection goes to stderr."""

    def __init__(self, game: SeenGame, teller: Teller, t: Texts, *, json_mode: bool) -> None:
        self._game = game
        self._teller = teller
        self._t = t
        self._json_mode = json_mode
        self._link = LIVE

    def changed(self) -> None:
        """Say when the connection breaks off and is back."""
        self._teller.view = self._game.view
        link = self._game.link
        if link in {LIVE, LOST} and link != self._link:
            self._link = link
            print(f"magnate: {self._t(f'link.{link}')}", file=sys.stderr, flush=True)

    def told(self, commit: game_pb2.PublicCommit) -> None:
        """Print a commit: version, time, what happened."""
        told = [" ".join(sentence.split()) for sentence in self._teller.commit(commit)]
        if self._json_mode:
            values = {"version": commit.version, "time": commit.time.ToJsonString(), "told": told}
            print(json.dumps(values, ensure_ascii=False), flush=True)
            return
        when = commit.time.ToDatetime().strftime("%H:%M:%S")
        print(f"{commit.version:>6}  {when}  {'; '.join(told)}".rstrip(), flush=True)
