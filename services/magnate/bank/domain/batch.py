"""A batch: each instruction for itself or in a chain with the next ones, and a result for each."""

from magnate.bank.domain.holds import concealed_hold
from magnate.bank.domain.instructions import (
    CaptureHold,
    Instruction,
    PlaceHold,
    ReleaseHold,
    Reverse,
    Transfer,
)
from magnate.bank.domain.known import HOLD, Known, Replay
from magnate.bank.domain.ledger import Decision, State, begin, check, decide_one, evolve
from magnate.bank.domain.records import EntryPosted, HoldCaptured, HoldExpired, HoldPlaced, Record
from magnate.bank.domain.rejections import Rejection
from magnate.rules import rejections as names


class Result:
    """What became of one instruction: a `rejection`, or what was done.

    `index` is the place of the entry in the commit `version`, -1 if no money moved. `moved` is also what a
    hold reserves. `replayed`: it had been done before, under the same id.
    """

    __slots__ = ("index", "moved", "rejection", "replayed", "version")

    def __init__(
        self,
        rejection: Rejection | None,
        version: int = 0,
        index: int = -1,
        moved: int = 0,
        replayed: bool = False,
    ) -> None:
        self.rejection = rejection
        self.version = version
        self.index = index
        self.moved = moved
        self.replayed = replayed


class BatchDecision(Decision):
    """What is to be stored, the state after it, and what became of each instruction."""

    __slots__ = ("results",)

    def __init__(self, records: list[Record], state: State, results: list[Result]) -> None:
        super().__init__(records, state)
        self.results = results

    def done(self) -> int:
        """Return how many instructions left a record."""
        return sum([1 for one in self.results if one.rejection is None and not one.replayed])

    def refusal(self) -> Rejection | None:
        """Return the first refusal if nothing at all was done, now or before."""
        for one in self.results:
            if one.rejection is None:
                return None
        return self.results[0].rejection if self.results else None

    def refused(self) -> list[tuple[int, str]]:
        """Return what was refused: place and name."""
        return [
            (place, one.rejection.name) for place, one in enumerate(self.results) if one.rejection is not None
        ]


def result_of(record: Record, version: int, index: int) -> Result:
    """Return the result of an instruction that left this record."""
    if isinstance(record, EntryPosted):
        return Result(None, version, index, record.amount)
    if isinstance(record, HoldCaptured):
        return Result(None, version, index, record.captured)
    if isinstance(record, HoldPlaced):
        return Result(None, version, -1, record.amount)
    return Result(None, version)


def result_again(known: Known) -> Result:
    """Return the result of an instruction that had been done before."""
    index = -1 if known.kind == HOLD else known.index
    return Result(None, known.version, index, known.amount, True)


def decide_batch(
    state: State, instructions: list[Instruction], links: list[bool], version: int, time_ms: int
) -> BatchDecision:
    """Decide on a batch; `links` says of each instruction whether it is linked to the next one.

    Of a chain all are done or none; then one has its own refusal and the others LINKED_REFUSED. A last
    instruction that is linked leaves its chain open: LINKED_CHAIN_OPEN for all of it.
    """
    records: list[Record] = []
    results: list[Result] = []
    draft = begin(state, version, time_ms, records)
    total = len(instructions)
    place = 0
    while place < total:
        end = place
        while end < total and links[end]:
            end += 1
        if end == place:
            results.append(carry_out(draft, instructions[place], place, version, time_ms, records))
        elif end == total:
            for number in range(place, total):
                refused = Rejection(names.LINKED_CHAIN_OPEN, "the chain has no last instruction")
                refused.instruction = number
                results.append(Result(refused))
        else:
            draft = carry_out_chain(draft, instructions, place, end, version, time_ms, records, results)
        place = end + 1
    if records:
        draft.version = version
    check(draft)
    return BatchDecision(records, draft, results)


def carry_out(
    draft: State, ask: Instruction, place: int, version: int, time_ms: int, records: list[Record]
) -> Result:
    """Carry out one instruction in place."""
    answer = bad_for_clients(draft, ask) or decide_one(draft, ask, time_ms)
    if isinstance(answer, Rejection):
        answer.instruction = place
        return Result(answer)
    if isinstance(answer, Replay):
        return result_again(answer.known)
    index = len(records)
    evolve(draft, answer, version, index)
    records.append(answer)
    return result_of(answer, version, index)


def bad_for_clients(state: State, ask: Instruction) -> Rejection | None:
    """Refuse to end a sealed bid's hold for a client: the auction does that."""
    if isinstance(ask, ReleaseHold):
        hold = state.holds.get(ask.hold_id)
        if hold is not None and hold.concealed:
            return concealed_hold(ask.hold_id)
    return None


def carry_out_chain(
    draft: State,
    instructions: list[Instruction],
    first: int,
    last: int,
    version: int,
    time_ms: int,
    records: list[Record],
    results: list[Result],
) -> State:
    """Carry out the instructions from `first` to `last`, all or none; return the state to go on with."""
    trial = draft.copy()
    kept = len(records)
    done: list[Result] = []
    for place in range(first, last + 1):
        result = carry_out(trial, instructions[place], place, version, time_ms, records)
        if result.rejection is not None:
            del records[kept:]
            results.extend(broken_chain(first, last, result.rejection))
            return draft
        done.append(result)
    results.extend(done)
    return trial


def broken_chain(first: int, last: int, rejection: Rejection) -> list[Result]:
    """Return the results of a chain of which one was refused."""
    results: list[Result] = []
    for place in range(first, last + 1):
        if place == rejection.instruction:
            results.append(Result(rejection))
        else:
            linked = Rejection(names.LINKED_REFUSED, f"instruction {rejection.instruction} was refused")
            linked.instruction = place
            results.append(Result(linked))
    return results


def recall(
    state: State,
    instructions: list[Instruction],
    version: int,
    records: list[Record],
    refused: list[tuple[int, str]],
) -> list[Result]:
    """Return the results of a batch that was stored before, from the records and refusals of its commit.

    `state` is the ledger at that version or a later one.
    """
    names_of = dict(refused)
    results: list[Result] = []
    index = 0
    while index < len(records) and isinstance(records[index], HoldExpired):
        index += 1  # lapsed before the batch was carried out
    for place, ask in enumerate(instructions):
        name = names_of.get(place, "")
        known = state.known.get(id_of(ask))
        if name:
            rejection = Rejection(name, names.explain(name))
            rejection.instruction = place
            results.append(Result(rejection))
        elif known is not None and (known.version != version or known.index != index):
            results.append(result_again(known))
        else:
            results.append(result_of(records[index], version, index))
            index += 1
    return results


def id_of(ask: Instruction) -> str:
    """Return the id by which the ledger may know what an instruction did; empty if it has none."""
    if isinstance(ask, (Transfer, CaptureHold, Reverse)):
        return ask.transfer_id
    if isinstance(ask, PlaceHold):
        return ask.hold_id
    return ""
