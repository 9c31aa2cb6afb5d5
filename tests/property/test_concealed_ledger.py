"""Concealed holds among all that can happen to a ledger: inside and outside never contradict each other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from magnate.bank import codec
from magnate.bank.domain.instructions import (
    CaptureHold,
    Instruction,
    OpenAccount,
    PlaceHold,
    ReleaseHold,
    RevealHold,
    Transfer,
)
from magnate.bank.domain.ledger import INITIAL, Decision, State, decide, fold
from magnate.bank.domain.records import parted

ACCOUNTS = ("seat-0", "seat-1", "seat-2")
OPENING: list[Instruction] = [
    *(OpenAccount(name) for name in ("bank", *ACCOUNTS)),
    *(Transfer("bank", name, 100, "start") for name in ACCOUNTS),
]

accounts = st.sampled_from(ACCOUNTS)
holds = st.sampled_from([f"h{number}" for number in range(5)])
amounts = st.integers(1, 60)
instructions = st.one_of(
    st.builds(Transfer, st.sampled_from((*ACCOUNTS, "bank")), accounts, amounts, st.just("rent")),
    st.builds(PlaceHold, holds, accounts, amounts, st.just(0), st.booleans()),
    st.builds(CaptureHold, holds, st.just("bank"), amounts, st.just("auction")),
    st.builds(ReleaseHold, holds),
    st.builds(RevealHold, holds),
)
commits = st.lists(st.lists(instructions, min_size=1, max_size=4), max_size=25)


def stored(inside: State, outside: State, asks: list[Instruction], version: int) -> None:
    """Decide, store and fold both ways, if it is not refused."""
    decision = decide(inside, asks, version, 0)
    if not isinstance(decision, Decision) or not decision.records:
        return
    public, hidden = parted(decision.records)
    previous, read = codec.decode(1, codec.encode(inside.version, public))
    told = codec.decode_hidden(1, codec.encode_hidden(hidden))
    fold(inside, version, previous, read, told)
    fold(outside, version, previous, read)
    assert inside.same_as(decision.state)


@given(commits)
def test_inside_and_outside_agree_but_for_what_is_concealed(story: list[list[Instruction]]) -> None:
    """Whoever has the public parts sees the ledger without concealed holds, and the same money."""
    inside, outside = INITIAL.copy(), INITIAL.copy()
    for version, asks in enumerate([OPENING, *story], start=1):
        stored(inside, outside, asks, version)
        assert inside.seen().same_as(outside)
        assert inside.posted == outside.posted
        for name in ACCOUNTS:
            own = inside.seen(name)
            place = inside.index[name]
            assert own.held[place] == inside.held[place]
            for other in ACCOUNTS:
                if other != name:
                    assert own.held[inside.index[other]] == outside.held[inside.index[other]]
