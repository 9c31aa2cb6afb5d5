"""Calls from a real browser, through the page's own module: answers, refusals, streams, and who may call."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from playwright.async_api import Error

from tests.browser.phones import MARKS

if TYPE_CHECKING:
    from tests.browser.phones import Phone, Phones

pytestmark = [*MARKS]

GAME = "magnate.game.v1.GameService"
BARE = "/js/connect.js"
"""A document of the page's origin in which no code of the page runs."""


async def create(phone: Phone, title: str) -> str:
    """Open a table through the page; returns its game id."""
    request = {"commandId": f"create-{uuid4()}", "ruleset": "classic", "seatCount": 2, "title": title}
    answer = await phone.rpc(f"{GAME}/CreateGame", request)
    game_id: str = answer["gameId"]
    return game_id


async def test_a_refusal_reaches_the_page_with_its_reason(phones: Phones) -> None:
    """What is wrong arrives as code, stable reason and message, not as a failed fetch."""
    ada = await phones("ada", BARE)
    refused = await ada.rpc(f"{GAME}/GetGame", {"gameId": "1-1-" + "0" * 24})
    assert (refused["code"], refused["refused"]) == ("not_found", "UNKNOWN_GAME")


async def test_two_phones_see_the_same_table(phones: Phones) -> None:
    """One watches over a stream, the other takes a seat: the first is told at once."""
    ada, boris = await phones("ada", BARE), await phones("boris", BARE, locale="ru-RU")
    game_id = await create(ada, "two phones")
    watch = """async ([method, request]) => {
        const { serverStream } = await import("/js/connect.js");
        window.seen = [];
        window.joined = new Promise((resolve, reject) => {
            (async () => {
                for await (const message of serverStream("/" + method, request)) {
                    window.seen.push(message);
                    if (JSON.stringify(message).includes("Boris")) return resolve(window.seen.length);
                }
            })().catch(reject);
        });
    }"""
    await ada.page.evaluate(watch, [f"{GAME}/WatchGame", {"gameId": game_id}])
    joined = await boris.rpc(
        f"{GAME}/JoinGame", {"gameId": game_id, "commandId": "join-boris", "name": "Boris"}
    )
    assert joined["token"]
    assert await ada.page.evaluate("window.joined") >= 1


async def test_only_the_page_s_own_scripts_run(phones: Phones) -> None:
    """A script that somebody smuggled into the text of the page is refused by its policy."""
    ada = await phones("ada", BARE)
    await ada.page.evaluate(
        """() => {
            const smuggled = document.createElement("script");
            smuggled.textContent = "window.smuggled = true";
            document.body.append(smuggled);
        }"""
    )
    assert await ada.page.evaluate("window.smuggled") is None
    (complaint,) = ada.complaints
    assert "Content Security Policy" in complaint
    ada.complaints.clear()


async def test_a_page_from_a_named_origin_may_call_and_reads_refusals(
    phones: Phones, url: str, elsewhere: str
) -> None:
    """Across origins the browser lets an allowed page see answers and the details of errors."""
    ada = await phones("ada", BARE)
    await ada.page.goto(elsewhere)
    fetched = await ada.page.evaluate(ACROSS, [url, f"{GAME}/GetGame"])
    assert fetched == {"status": 400, "code": "invalid_argument", "reason": "INVALID_ARGUMENT"}


async def test_a_page_from_any_other_origin_may_not(phones: Phones, url: str, elsewhere: str) -> None:
    """The browser keeps the answer from a page that the gateway does not name."""
    ada = await phones("ada", BARE)
    await ada.page.goto(elsewhere.replace("127.0.0.1", "localhost"))
    with pytest.raises(Error, match="Failed to fetch"):
        await ada.page.evaluate(ACROSS, [url, f"{GAME}/GetGame"])
    assert any("CORS" in complaint for complaint in ada.complaints)
    ada.complaints.clear()


ACROSS = """async ([url, method]) => {
    const headers = { "content-type": "application/json", "connect-protocol-version": "1" };
    const answer = await fetch(`${url}/${method}`, { method: "POST", headers, body: '{"gameId": "x"}' });
    const error = await answer.json();
    return { status: answer.status, code: error.code, reason: error.details[0].debug.reason };
}"""
