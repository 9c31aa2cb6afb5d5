"""The page as an installed app: manifest, service worker, the shell without a network, its own policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.async_api import expect

from magnate.gateway.site import PAGE
from tests.browser.at_table import AtTable, texts
from tests.browser.phones import MARKS

if TYPE_CHECKING:
    from tests.browser.phones import Phones

pytestmark = [*MARKS]

WORKER_READY = "navigator.serviceWorker.ready.then((found) => found.active.scriptURL)"
PNG = b"\x89PNG\r\n\x1a\n"


async def test_it_can_be_installed(phones: Phones) -> None:
    """The browser finds no fault in the manifest and offers to install the page."""
    anna = await phones("anna")
    assert (await anna.page.evaluate(WORKER_READY)).endswith("/sw.js")
    session = await anna.context.new_cdp_session(anna.page)
    manifest = await session.send("Page.getAppManifest")
    assert manifest["url"].endswith("/manifest.webmanifest")
    assert manifest["errors"] == []
    faults = await session.send("Page.getInstallabilityErrors")
    # A context of a test is a private window, which installs nothing.
    assert [one["errorId"] for one in faults["installabilityErrors"]] in ([], ["in-incognito"])


async def test_its_icons_are_what_the_manifest_says(phones: Phones) -> None:
    """Each picture is there in its size."""
    anna = await phones("anna")
    manifest = await anna.page.evaluate("fetch('manifest.webmanifest').then((one) => one.json())")
    assert {one["purpose"] for one in manifest["icons"]} == {"any", "maskable"}
    for one in manifest["icons"]:
        path = PAGE / one["src"]
        if one["type"] == "image/png":
            data = path.read_bytes()
            width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
            assert (data[:8], f"{width}x{height}") == (PNG, one["sizes"])
        else:
            assert path.read_text(encoding="utf-8").startswith("<svg")


async def test_the_page_opens_without_a_network(phones: Phones) -> None:
    """The shell comes from this phone, in its language; a table shows as it was last seen."""
    anna = AtTable(await phones("anna", locale="fr-FR"))
    await anna.page.evaluate(WORKER_READY)
    await anna.open("e-banking", ["Anna", "Boris"])
    await anna.go("unit")
    await anna.press("5")
    await anna.sees("", "idle")
    await anna.phone.network(on=False)
    await anna.page.reload()
    await anna.link("lost")
    await expect(anna.seen("link")).to_contain_text(texts("fr")["link.lost"])
    await anna.sees("", "idle")
    await anna.go("board")
    await anna.sees_balance(0, "15M\u00a0$")
    await anna.phone.network(on=True)
    await anna.link("live")
    anna.forgive_network()


async def test_calls_are_never_kept(phones: Phones) -> None:
    """What the service worker keeps are files of the page, and nothing else."""
    anna = AtTable(await phones("anna"))
    await anna.page.evaluate(WORKER_READY)
    await anna.open("e-banking", ["Anna", "Boris"])
    await anna.go("unit")
    await anna.press("5")
    await anna.sees("", "idle")
    kept = await anna.page.evaluate(
        """async () => {
            const found = [];
            for (const name of await caches.keys()) {
                const cache = await caches.open(name);
                for (const one of await cache.keys()) found.push(new URL(one.url).pathname);
            }
            return found;
        }"""
    )
    assert kept
    assert all((PAGE / path.removeprefix("/")).exists() for path in kept), kept


async def test_an_older_shell_is_dropped(phones: Phones) -> None:
    """A new version of the worker clears away what the one before kept."""
    anna = await phones("anna", "/js/connect.js")
    await anna.page.evaluate("caches.open('magnate-shell-0')")
    await anna.page.goto("/")
    await anna.page.evaluate(WORKER_READY)
    await anna.page.wait_for_function("caches.keys().then((found) => !found.includes('magnate-shell-0'))")


async def test_nothing_comes_from_elsewhere(phones: Phones) -> None:
    """No request of the page goes to another host, and its policy forbids inline code and styles."""
    asked: set[str] = set()
    anna = AtTable(await phones("anna", "/js/connect.js"))
    anna.page.on("request", lambda one: asked.add("/".join(one.url.split("/")[:3])))
    answer = await anna.page.goto("/")
    assert answer
    policy = answer.headers["content-security-policy"]
    assert "'unsafe-inline'" not in policy
    assert "'unsafe-eval'" not in policy
    await anna.open("e-banking", ["Anna", "Boris"])
    for view in ("unit", "board", "banker"):
        await anna.go(view)
    assert asked == {anna.page.url.split("/#")[0]}


async def test_a_phone_in_the_home_network_has_no_https(phones: Phones, url: str) -> None:
    """Over plain http there is no service worker, clipboard or randomUUID; the page works without them."""
    port = url.rpartition(":")[2]
    anna = AtTable(await phones("anna", f"http://bank.test:{port}/"))
    assert not await anna.page.evaluate("isSecureContext")
    await anna.open("e-banking", ["Anna", "Boris"])
    await anna.page.locator(".link-line button").first.click()
    await expect(anna.page.locator("#toasts")).to_contain_text(texts("en")["qr.copied"])
    await anna.go("unit")
    await anna.press("5")
    await anna.sees("", "idle")
    # The browser says that it ignores a header here; that is what this test is about.
    assert all("Cross-Origin-Opener-Policy" in one for one in anna.phone.complaints)
    anna.phone.complaints.clear()


async def test_spoilt_storage_does_not_break_the_page(phones: Phones) -> None:
    """Whatever lies in the phone's storage, the page opens."""
    anna = await phones("anna", "/js/connect.js")
    for stored in ("{", '"text"', "null", '{"language":"xx","theme":7}'):
        for name in ("magnate.settings", "magnate.table.x", "magnate.last.x", "magnate.out.x.1.y"):
            await anna.page.evaluate("([name, stored]) => localStorage.setItem(name, stored)", [name, stored])
        await anna.page.goto("/")
        await expect(anna.page.locator("h1")).to_have_text(texts("en")["app.title"])
        await anna.page.goto("/js/connect.js")


async def test_a_link_with_a_code_joins(phones: Phones) -> None:
    """What the banker's QR code says opens the table, also in a page that is open already."""
    anna = AtTable(await phones("anna"))
    await anna.open("e-banking", ["Anna", "Boris"])
    link = await anna.page.locator(".invitation .link-text").input_value()
    boris = AtTable(await phones("boris", link.removeprefix(anna.page.url.split("/#")[0])))
    await boris.seen("holder-1").wait_for()
    assert "join=" not in boris.page.url

    carol = AtTable(await phones("carol"))
    await carol.page.locator(".open-form").wait_for()
    await carol.page.evaluate("(hash) => { location.hash = hash; }", "join=0000-0000")
    await expect(carol.page.locator("#toasts")).to_contain_text(texts("en")["because.UNKNOWN_TABLE"])
    await carol.page.evaluate("(hash) => { location.hash = hash; }", link.partition("#")[2])
    await carol.seen("holder-1").wait_for()
