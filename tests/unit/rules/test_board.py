"""The boards of the package, as the rules see them."""

from __future__ import annotations

import pytest

from magnate.rules import board as squares
from magnate.rules import effects
from magnate.rules.board import Board, mask_of
from magnate.rules.board_parts import NONE, BoardHead, Deck, Group, Square
from magnate.rules.loader import board_ids, load_board

CLASSIC = ["classic-ru", "classic-uk", "classic-us"]

# A game carries its board, so a board may change; but never by accident.
HASHES = {
    "classic-ru": "5689604facf5c0a26d8cfc20b31adf77d7a6c3be007d2d5553f0ac2578f1cbfa",
    "classic-uk": "18c25cd048ff6971dd5039cb85c4648c93ddfed724e271f9b235b23981540289",
    "classic-us": "114b3a9f6f2f4c66e40dc98f26bd48d20d225c16aa44360a6f743959ee0380b2",
    "classic-us-2021": "c0055e073236ce0ef36da80789b57ff7678e292abe13d111f9d463fb76bf13a4",
    "classic-us-pre-2008": "5c12165ff7353cfbb843c2ff204a1c46dcef0951613d745bd8f49cef0e3d1ea0",
    "ebanking-uk": "d548334c4808364d2c7bdc73cba7ddde5fcfd8976f6095beecf22bb30b709a0e",
    "ebanking-us": "b477c7110baaf01e9fff48c7ef6c9ed1848cf4794e795a2d7ef72869efa22f19",
    "millionaire-classic": "4bf65146ff8f96aade70d4d5f8ca628065b7e5edad84dccc9aeff0c829417375",
    "online": "da30bb81bb7a3e74825e2d94131f16707dd74aa96a5dc513ab38fec76aa9e79c",
    "ultimate-banking": "0e91faea784a2fbd9cfd426cce49fa44e0fe8d1bb84464033a3127c861d0fed6",
}


def small_board(name: str = "Lane", supply: int = 4) -> Board:
    """A board of four squares with one street."""
    head = BoardHead("small", "Small", "classic", "$", 1, "$", 1, 2, 4, 100, 10, 5, supply, 1)
    street = Square(squares.STREET, name, group=0, price=20, rents=[1, 2, 3, 4, 5, 6], mortgage=10)
    parts = [
        Square(squares.GO, "GO"),
        street,
        Square(squares.JAIL, "Jail"),
        Square(squares.FREE_PARKING, "Park"),
    ]
    return Board(head, [Group("brown", 5)], parts, [])


def test_the_boards_of_the_package_are_listed() -> None:
    """Eight boards come with the package, and two variants of the American one."""
    assert board_ids() == sorted(HASHES)


@pytest.mark.parametrize("board_id", sorted(HASHES))
def test_a_board_changes_only_on_purpose(board_id: str) -> None:
    """The hash of a board is known; whoever changes its file changes the list above too."""
    assert load_board(board_id).content_hash == HASHES[board_id]


@pytest.mark.parametrize("board_id", CLASSIC)
def test_a_classic_board_has_the_classic_numbers(board_id: str) -> None:
    """28 lots, 22 of them streets, in ten groups; the printed supply and sums (rows 2, 3, 12, 44)."""
    board = load_board(board_id)
    assert (board.size, len(board.lots), len(board.streets), len(board.members)) == (40, 28, 22, 10)
    assert (board.supply_houses, board.supply_hotels) == (32, 12)
    assert (board.start_money, board.go_salary, board.jail_fine) == (1500, 200, 50)
    assert (board.players_min, board.players_max) == (2, 8)
    assert board.jail_square == 10
    assert [len(deck.cards) for deck in board.decks] == [16, 16]
    assert sum(board.price) == 5690


def test_all_classic_boards_have_the_same_lots() -> None:
    """Names differ, numbers do not."""
    us, uk, ru = (load_board(board_id) for board_id in ("classic-us", "classic-uk", "classic-ru"))
    for other in (uk, ru):
        assert other.kind == us.kind
        assert other.price == us.price
        assert other.rents == us.rents
        assert other.tax == us.tax
        assert other.house_cost == us.house_cost
        assert other.members == us.members
        assert other.names != us.names


def test_the_dearest_street_is_the_last_square() -> None:
    """A spot check against the printed deed: 400, rents 50 to 2,000, house 200, mortgage 200 (row 29)."""
    board = load_board("classic-us")
    assert board.names[39] == "Boardwalk"
    assert (board.price[39], board.mortgage_value[39]) == (400, 200)
    assert board.rents[39] == [50, 200, 600, 1400, 1700, 2000]
    assert board.house_cost[board.group[39]] == 200


def test_railroads_and_utilities_have_their_own_rents() -> None:
    """25 to 200 by number owned; four or ten times the dice (rows 31, 33)."""
    board = load_board("classic-us")
    railroads = board.members[board.group_names.index("railroad")]
    assert railroads == [5, 15, 25, 35]
    assert board.rents[5] == [25, 50, 100, 200]
    assert board.rents[12] == [4, 10]
    assert board.group_kind[board.group[5]] == squares.RAILROAD
    assert board.house_cost[board.group[5]] == 0


def test_squares_that_are_no_lots_belong_to_no_group() -> None:
    """GO, cards, taxes and corners cost nothing and belong to nobody."""
    board = load_board("classic-us")
    for square in range(board.size):
        is_lot = square in board.lots
        assert (board.group[square] != NONE) == is_lot
        assert (board.price[square] > 0) == is_lot
        assert (board.mortgage_value[square] > 0) == is_lot
    assert [square for square in range(40) if board.tax[square]] == [4, 38]


def test_sets_of_lots_are_masks() -> None:
    """A group's mask has the bits of its members and no other; together they are all lots."""
    board = load_board("classic-us")
    union = 0
    for members, mask in zip(board.members, board.group_mask, strict=True):
        assert mask == sum(1 << square for square in members)
        assert not union & mask
        union |= mask
    assert union == board.lots_mask == mask_of(board.lots)


def test_a_choice_is_carried_on_the_london_board() -> None:
    """Pay 10 or take a card of the other deck (the one choice of the classic decks)."""
    board = load_board("classic-uk")
    chest = board.decks[board.deck_names.index("community_chest")]
    card = chest.cards[chest.index_of("ukcc16")]
    (effect,) = card.effects
    assert effect.kind == effects.EFFECT_CHOOSE_ONE
    pay, draw = effect.options
    assert (pay.kind, pay.amount) == (effects.EFFECT_PAY, 10)
    assert (draw.kind, board.deck_names[draw.deck]) == (effects.EFFECT_DRAW, "chance")


def test_a_card_that_is_not_in_the_deck_is_nowhere() -> None:
    """Scenario files name cards by id; an unknown id has no place."""
    assert Deck("empty", []).index_of("ch01") == NONE


def test_the_hash_follows_the_content() -> None:
    """Equal boards have equal hashes, and any difference shows."""
    assert small_board().content_hash == small_board().content_hash
    assert small_board().content_hash != small_board(name="Road").content_hash
    assert small_board().content_hash != small_board(supply=5).content_hash
