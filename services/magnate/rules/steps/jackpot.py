"""The jackpot (row 41): a machine of three columns, or a bet on the faces of a die.

The machine: the stake goes into the desk and stays there; a die a column is thrown, and the first of the
board's winning lines that fits pays, from the bank or, where it says so, all that lies in the desk. The bet
on faces: the bank takes the stake and pays by how many faces were chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.board_extras import ANY_SYMBOL
from magnate.rules.decision import BANK, POT_JACKPOT
from magnate.rules.folds import nothing
from magnate.rules.rejections import (
    INSUFFICIENT_FUNDS,
    INVALID_AMOUNT,
    INVALID_TARGET,
    NO_CHOICE_PENDING,
    NOT_YOUR_TURN,
    Rejection,
)
from magnate.rules.vocabulary import (
    DICE_PURPOSE_JACKPOT,
    PHASE_CHOICE,
    QUESTION_STAKE,
    TRANSFER_REASON_PRIZE,
    TRANSFER_REASON_STAKE,
    DiceThrown,
    JackpotPlayed,
    Stake,
    StakePlaced,
)

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.board_extras import JackpotMachine, JackpotNumbers, MachineWin
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def stake(draft: Draft, seat: int, command: Stake) -> Rejection | None:
    """Play at the jackpot one stands on.

    NOT_YOUR_TURN, NO_CHOICE_PENDING, INVALID_AMOUNT (it is not the bet), INVALID_TARGET (the faces),
    INSUFFICIENT_FUNDS.
    """
    state = draft.state
    name = refuse_staking(state, seat)
    if not name and command.amount != bet_of(state.board):
        name = INVALID_AMOUNT
    name = name or _refuse_faces(state.board, command.faces)
    if not name and state.available(seat) < command.amount:
        name = INSUFFICIENT_FUNDS
    if name:
        return Rejection(name)
    draft.emit(StakePlaced(seat, command.amount, command.faces))
    machine = state.board.jackpot_machine
    numbers = state.board.jackpot_numbers
    if machine is not None:
        draft.pay(seat, POT_JACKPOT, command.amount, TRANSFER_REASON_STAKE)
        _play_machine(draft, seat, machine)
    elif numbers is not None:
        draft.pay(seat, BANK, command.amount, TRANSFER_REASON_STAKE)
        _play_numbers(draft, seat, numbers, command.faces)
    return None


def refuse_staking(state: State, seat: int) -> str:
    """Why the seat may not stake anything at this moment, or empty."""
    if seat != state.turn_seat:
        return NOT_YOUR_TURN
    asked = state.phase == PHASE_CHOICE and state.extras.question == QUESTION_STAKE
    return "" if asked else NO_CHOICE_PENDING


def bet_of(board: Board) -> int:
    """What a game at the board's jackpot costs; 0 if there is none."""
    if board.jackpot_machine is not None:
        return board.jackpot_machine.bet
    return 0 if board.jackpot_numbers is None else board.jackpot_numbers.bet


def faces_max(board: Board) -> int:
    """How many faces may be chosen; 0 where none are."""
    return 0 if board.jackpot_numbers is None else len(board.jackpot_numbers.payouts)


def _refuse_faces(board: Board, faces: list[int]) -> str:
    """Whether other faces are chosen than may be."""
    numbers = board.jackpot_numbers
    if numbers is None:
        return INVALID_TARGET if faces else ""
    fit = 1 <= len(faces) <= len(numbers.payouts) and len(set(faces)) == len(faces)
    return "" if fit and min(faces) >= 1 and max(faces) <= numbers.faces else INVALID_TARGET


def _die(draft: Draft, seat: int, faces: int) -> int:
    draw = draft.state.draws + 1
    face = draft.chance.die(draw, faces)
    draft.emit(DiceThrown(seat, face, 0, DICE_PURPOSE_JACKPOT, draw))
    return face


def _play_machine(draft: Draft, seat: int, machine: JackpotMachine) -> None:
    faces = [_die(draft, seat, len(reel)) for reel in machine.reels]
    symbols = [machine.reels[column][face - 1] for column, face in enumerate(faces)]
    won: MachineWin | None = None
    for win in machine.wins:
        if _fits(win.combination, symbols):
            won = win
            break
    if won is None:
        draft.emit(JackpotPlayed(seat, faces, 0))
        return
    desk = draft.state.extras.pots[-2 - POT_JACKPOT] if won.whole_desk else 0
    prize = max(desk, won.at_least) if won.whole_desk else won.amount
    draft.emit(JackpotPlayed(seat, faces, prize))
    draft.pay(POT_JACKPOT, seat, desk, TRANSFER_REASON_PRIZE)
    draft.pay(BANK, seat, prize - desk, TRANSFER_REASON_PRIZE)
    draft.pay(BANK, POT_JACKPOT, won.refill, TRANSFER_REASON_PRIZE)


def _fits(combination: list[int], symbols: list[int]) -> bool:
    for place, symbol in enumerate(combination):  # noqa: SIM110 - a generator costs more than the loop
        if symbol not in (ANY_SYMBOL, symbols[place]):
            return False
    return True


def _play_numbers(draft: Draft, seat: int, numbers: JackpotNumbers, chosen: list[int]) -> None:
    face = _die(draft, seat, numbers.faces)
    prize = numbers.payouts[len(chosen) - 1] if face in chosen else 0
    draft.emit(JackpotPlayed(seat, [face], prize))
    draft.pay(BANK, seat, prize, TRANSFER_REASON_PRIZE)


def _stake_placed(state: State, _event: StakePlaced) -> None:
    state.extras.question = 0
    state.extras.question_square = -1
    state.extras.question_amount = 0


FOLDS: Final[Folds] = {StakePlaced: _stake_placed, JackpotPlayed: nothing}
