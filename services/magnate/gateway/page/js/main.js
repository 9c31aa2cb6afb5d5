// Puts the page together: which table, which view, the bar with the state of the connection.

import { homeButton, linkState, roundButton, showLinkState } from "./bar.js";
import { CallError } from "./connect.js";
import { askPin, toast } from "./dialog.js";
import { h, setAttribute, setText } from "./dom.js";
import { LiveGame, beThere } from "./game/live.js";
import { because, explain, loadLanguage, t, tn } from "./i18n.js";
import { icon } from "./icons.js";
import { LiveTable } from "./live.js";
import { UnitView } from "./unit/unit.js";
import { bestRole, gameToken, keepGame } from "./vault.js";
import { BankerView } from "./views/banker.js";
import { BoardView } from "./views/board.js";
import { CardsView } from "./views/cards.js";
import { GameView } from "./views/game.js";
import { SalesView } from "./views/sales.js";
import { openSettings } from "./views/settings.js";
import { joinTable, startView, takeBySecret } from "./views/start.js";

const VIEWS = [
  ["unit", "unit"],
  ["cards", "cards"],
  ["board", "chart"],
  ["auctions", "hammer"],
  ["banker", "banker"],
];

const app = document.getElementById("app");
let live = null;
let game = null;
let gameView = null;
let goAway = () => {};
let views = {};
let wanted = "unit";
let current = "start";
let frame = 0;
let gameFrame = 0;
let bar = null;

function goTo(view) {
  location.hash = live ? `#/${live.tableId}/${view}` : "#";
}

function toGame(gameId) {
  location.hash = `#/game/${gameId}`;
}

function openTable(tableId, view = "unit") {
  location.hash = `#/${tableId}/${view}`;
}

/** Follows the address: `#join=CODE`, `#card=TABLE/CARD/SECRET`, `#seat=GAME/SEAT/TOKEN`, `#/game/GAME`, `#/TABLE/VIEW`. */
async function route() {
  const hash = location.hash.slice(1);
  const join = /^join=(.+)$/.exec(hash);
  const card = /^card=([^/]+)\/([^/]+)\/([^/]+)$/.exec(hash);
  if (join || card) {
    // A secret must not stay in the address, where a screenshot or a shared screen would show it.
    history.replaceState(null, "", location.pathname);
    leave();
    showStart();
    await arrive(join, card, "");
    return;
  }
  const seat = /^seat=([^/]+)\/(\d+)\/([^/]+)$/.exec(hash);
  if (seat) {
    const [gameId, number, token] = seat.slice(1).map(decodeURIComponent);
    keepGame(gameId, { seat: Number(number), token });
    history.replaceState(null, "", `${location.pathname}#/game/${gameId}`);
    leave();
    enterGame(gameId);
    return;
  }
  const [, gameId] = /^\/game\/([\w-]+)$/.exec(hash) ?? [];
  if (gameId) {
    if (game?.gameId !== gameId) enterGame(gameId);
    return;
  }
  const [, tableId, view] = /^\/([^/]+)(?:\/(\w+))?$/.exec(hash) ?? [];
  if (!tableId || !bestRole(tableId)) {
    leave();
    showStart();
    return;
  }
  if (live?.tableId !== tableId) enter(tableId);
  wanted = view;
  show();
}

async function arrive(join, card, pin) {
  try {
    if (join) await joinTable(decodeURIComponent(join[1]), openTable);
    else await takeBySecret(...card.slice(1).map(decodeURIComponent), pin, openTable);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (card && ["PIN_REQUIRED", "WRONG_PIN"].includes(error.reason)) {
      if (pin) toast(because(error.reason));
      const given = await askPin("");
      if (given) await arrive(join, card, given);
      return;
    }
    toast(explain(error));
  }
}

function leave() {
  live?.close();
  views.auctions?.close();
  live = null;
  views = {};
  goAway();
  goAway = () => {};
  game?.close();
  gameView?.close();
  game = null;
  gameView = null;
}

function enterGame(gameId) {
  leave();
  current = "game";
  game = new LiveGame(gameId, gameChanged);
  buildGame();
  game.start();
}

function gameChanged(what, commit) {
  if (!gameView) return;
  if (what === "log") gameView.add(commit);
  gameFrame ||= requestAnimationFrame(() => {
    gameFrame = 0;
    gameView?.update();
  });
}

function buildGame() {
  gameView?.close();
  gameView = new GameView(game, () => openSettings(relabel));
  app.className = "app at-game";
  app.dataset.view = "game";
  app.replaceChildren(
    h("a", { class: "skip", href: "#main", on: { click: skip } }, t("app.skip")),
    gameView.top,
    gameView.main,
  );
  gameView.update();
}

function enter(tableId) {
  leave();
  live = new LiveTable(tableId, changed, (reason, message) => toast(because(reason, message)));
  live.start();
  // At the unit of a game a seat's player is there as well as at the game.
  if (gameToken(tableId).token) goAway = beThere(tableId);
  build();
}

function changed(what) {
  if (!live) return;
  if (what !== "table") showLink();
  if (what === "queue" || what === "link") views.unit?.updateQueue();
  if (what !== "table" && views.cards) return;
  // The press of another phone is drawn in the frame after it came; several in one frame are drawn once.
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    if (!live) return;
    if (!views.cards && live.table) build();
    for (const view of Object.values(views)) view.update();
    showLink();
  });
}

function build() {
  bar = makeBar();
  const main = h("main", { id: "main", class: "main" });
  views.auctions?.close();
  views = {};
  if (live.table) {
    views = {
      ...(live.table.unit ? { unit: new UnitView(live, goTo) } : {}),
      cards: new CardsView(live),
      board: new BoardView(live),
      ...(live.table.inGame ? {} : { auctions: new SalesView(live, showAuctions) }),
      banker: new BankerView(live, goTo),
    };
    for (const [name, view] of Object.entries(views)) {
      view.element.classList.add("view");
      view.element.dataset.view = name;
      main.append(view.element);
    }
    // Heard in every view.
    if (views.auctions) main.append(views.auctions.announcer.element);
  } else main.append(h("p", { class: "waiting", role: "status" }, t("link.connecting")));
  app.className = "app at-table";
  app.replaceChildren(
    h("a", { class: "skip", href: "#main", on: { click: skip } }, t("app.skip")),
    bar.top,
    main,
    bar.nav,
  );
  show();
  showLink();
}

function skip(event) {
  event.preventDefault();
  const place = current === "game" ? "main" : `.view[data-view="${current}"]`;
  document.querySelector(`${place} :is(button, input, summary):not(:disabled)`)?.focus();
}

function makeBar() {
  const home = homeButton();
  const title = h("h1", { class: "title" });
  const state = linkState();
  const gear = roundButton(t("nav.settings"), "gear", () => openSettings(relabel), "settings");
  const tabs = {};
  const nav = h("nav", { class: "tabs", "aria-label": t("nav.label") });
  for (const [name, picture] of VIEWS) {
    tabs[name] = h(
      "button",
      { type: "button", class: "tab", dataset: { testid: `tab-${name}` }, on: { click: () => goTo(name) } },
      icon(picture),
      h("span", {}, t(`nav.${name}`)),
    );
    nav.append(tabs[name]);
  }
  // Whoever has come from a game may go back to it.
  const back = live.table?.inGame && gameToken(live.tableId).token;
  const flag = back && roundButton(t("game.title"), "flag", () => toGame(live.tableId), "to-game");
  return { top: h("header", { class: "top" }, home, title, state, flag || null, gear), nav, tabs, title, state };
}

// What was asked for, if this person and this table have it.
function choose() {
  const isThere = {
    cards: true,
    board: true,
    banker: live.isBanker,
    unit: !live.table || Boolean(live.table.unit),
    auctions: !live.table || Boolean(views.auctions),
  };
  if (isThere[wanted]) return wanted;
  return isThere.unit ? "unit" : "board";
}

function show() {
  current = choose();
  app.dataset.view = current;
  bar.tabs.banker.hidden = !live.isBanker;
  bar.tabs.unit.hidden = Boolean(live.table) && !live.table.unit;
  bar.tabs.auctions.hidden = Boolean(live.table) && !views.auctions;
  for (const [name, tab] of Object.entries(bar.tabs))
    setAttribute(tab, "aria-current", name === current ? "page" : null);
}

// A mark on the tab while something is under the hammer.
function showAuctions(running) {
  if (bar) setAttribute(bar.tabs.auctions, "data-running", running || null);
}

function showLink() {
  if (!bar || !live) return;
  const waiting = live.outbox.waiting.length;
  const over = live.table?.status === "TABLE_STATUS_CLOSED";
  const state = over
    ? "closed"
    : live.table?.status === "TABLE_STATUS_PAUSED" && live.link === "live"
      ? "paused"
      : live.link;
  showLinkState(bar.state, state, waiting && live.link !== "live" ? tn("queue.short", waiting) : "");
  setText(bar.title, live.table?.edition ? t(`edition.${live.table.edition}`) : t("app.title"));
  if (live.link === "refused" && live.fault) toast(because(live.fault.reason, live.fault.message));
}

function showStart() {
  current = "start";
  app.className = "app at-start";
  app.dataset.view = "start";
  const gear = roundButton(t("nav.settings"), "gear", () => openSettings(relabel), "settings");
  app.replaceChildren(
    h("header", { class: "top plain" }, gear),
    h("main", { id: "main", class: "main" }, startView(openTable)),
  );
}

async function relabel() {
  await loadLanguage();
  if (live) build();
  else if (game) buildGame();
  else showStart();
}

function typing(event) {
  return event.target.closest?.("input, select, textarea, dialog");
}

document.addEventListener("keydown", (event) => {
  if (current === "unit" && views.unit && !typing(event) && views.unit.keyDown(event)) event.preventDefault();
});
document.addEventListener("keyup", (event) => {
  if (current === "unit" && views.unit && !typing(event)) views.unit.keyUp(event);
});
// Nothing is built before there are words for it, also when the address changes at once.
const spoken = loadLanguage();
addEventListener("hashchange", async () => {
  await spoken;
  await route();
});

await spoken;
await route();
if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
