"""The large digits: each its own, always in the same room, the point and the cut marked."""

from __future__ import annotations

import pytest

from magnate.bank.v1.terminal_pb2 import Frame
from magnate.cli.terminal.segments import ROWS, WIDTH, cells, rows


@pytest.mark.parametrize(
    ("text", "digits", "point"),
    [
        ("", "     ", None),
        ("7", "    7", None),
        ("12345", "12345", None),
        ("1.5", "   15", 3),
        ("12.345", "12345", 1),
        ("5.", "    5", 4),
        (".5", "   05", 3),
    ],
)
def test_where_digits_stand(text: str, digits: str, point: int | None) -> None:
    """On the right; a point belongs to the digit before it."""
    found = cells(text)
    assert "".join(digit for digit, _ in found) == digits
    assert [place for place, (_, has_point) in enumerate(found) if has_point] == (
        [] if point is None else [point]
    )


@pytest.mark.parametrize("text", ["", "0", "88888", "0.5", "12.345", "99999"])
@pytest.mark.parametrize("sign", ["", "+", "-"])
@pytest.mark.parametrize("suffix", ["", "K", "M"])
def test_always_the_same_room(text: str, sign: str, suffix: str) -> None:
    """Whatever is shown, nothing moves."""
    drawn = rows(Frame(text=text, sign=sign, suffix=suffix))
    assert [len(row) for row in drawn] == [WIDTH] * ROWS


def test_no_two_look_alike() -> None:
    """Every digit, sign and suffix differs from every other; so do a point and a cut."""
    frames = [Frame(text=str(digit)) for digit in range(10)]
    frames += [Frame(text="1", sign="+"), Frame(text="1", sign="-"), Frame(text="1", suffix="K")]
    frames += [Frame(text="1", suffix="M"), Frame(text="1."), Frame(text="1", more=True), Frame()]
    assert len({"\n".join(rows(frame)) for frame in frames}) == len(frames)
