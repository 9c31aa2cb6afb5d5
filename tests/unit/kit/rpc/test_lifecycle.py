"""How a process lives and ends."""

from __future__ import annotations

import asyncio

import pytest

from magnate.kit.lifecycle import Lifecycle


class Part:
    """A part of a process that notes when it was started and stopped."""

    def __init__(self, name: str, events: list[str], *, fails: bool = False, hangs: bool = False) -> None:
        self.name = name
        self.events = events
        self.fails = fails
        self.hangs = hangs

    async def start(self) -> None:
        """Start."""
        self.events.append(f"+{self.name}")

    async def stop(self) -> None:
        """Stop."""
        self.events.append(f"-{self.name}")
        if self.hangs:
            await asyncio.sleep(60)
        if self.fails:
            raise RuntimeError("cannot stop")


@pytest.mark.asyncio
async def test_parts_stop_in_the_opposite_order_whatever_happens() -> None:
    """One that fails and one that hangs do not keep the others from being stopped."""
    events: list[str] = []
    life = Lifecycle("test")
    for part in (Part("a", events), Part("b", events, fails=True), Part("c", events, hangs=True)):
        await life.start(part.name, part.start, part.stop, stop_seconds_max=0.05)
    assert await life.stop() == 0
    assert events == ["+a", "+b", "+c", "-c", "-b", "-a"]


@pytest.mark.asyncio
@pytest.mark.parametrize("how", ["raises", "returns"])
async def test_a_background_task_that_ends_ends_the_process(how: str) -> None:
    """It is unhealthy at once, says which task and why, and exits with 1."""

    async def work() -> None:
        await asyncio.sleep(0)
        if how == "raises":
            raise ValueError("boom")

    life = Lifecycle("test")
    life.serving = True
    assert life.unhealthy() == []
    life.background("heads", work())
    await asyncio.wait_for(life.wait(), 30)
    assert life.unhealthy()[0].startswith("heads: ")
    assert ("boom" in life.failure) == (how == "raises")
    assert await life.stop() == 1


@pytest.mark.asyncio
async def test_background_tasks_are_cancelled_by_an_orderly_stop() -> None:
    """That is no failure."""
    life = Lifecycle("test")
    task = life.background("forever", _forever())
    await asyncio.sleep(0)
    assert await life.stop() == 0
    assert task.cancelled()


async def _forever() -> None:
    await asyncio.Event().wait()


@pytest.mark.asyncio
async def test_health_follows_life() -> None:
    """Starting, serving, troubled by a check, draining."""
    life = Lifecycle("test")
    trouble = ""
    life.check(lambda: trouble)
    assert life.unhealthy() == ["starting"]
    life.serving = True
    assert life.unhealthy() == []
    trouble = "log unreachable"
    assert life.unhealthy() == ["log unreachable"]
    trouble = ""
    await life.stop()
    assert life.unhealthy() == ["draining"]
