// What this device may show: the tokens and card secrets of each table it has been at. They never leave it but as
// `authorization` headers, and as QR codes that a person asks for.

import { readStored, storage } from "./settings.js";

const PREFIX = "magnate.table.";

/** Every table this device knows, newest first. */
export function knownTables() {
  return storage
    .names(PREFIX)
    .map((name) => readStored(name))
    .filter((entry) => entry?.tableId)
    .sort((one, other) => (other.seen ?? 0) - (one.seen ?? 0));
}

/** What is known of a table: `{tableId, title, banker, guest, cards: {id: {token, secret}}, secrets: {id: secret}, seen}`. */
export function known(tableId) {
  return {
    tableId,
    title: "",
    banker: "",
    guest: "",
    cards: {},
    secrets: {},
    seen: 0,
    ...readStored(PREFIX + tableId),
  };
}

/** Changes what is known of a table; `change` gets the entry as it is now, so that two open pages do not undo each other. */
export function remember(tableId, change) {
  const entry = known(tableId);
  change(entry);
  entry.seen = Date.now();
  storage.set(PREFIX + tableId, JSON.stringify(entry));
  return entry;
}

/** Forgets a table: its tokens are gone from this device. */
export function forget(tableId) {
  storage.remove(PREFIX + tableId);
}

/** A token by role: `banker`, `guest`, `card:<id>`. */
export function tokenOf(tableId, role) {
  const entry = known(tableId);
  return role.startsWith("card:") ? (entry.cards[role.slice(5)]?.token ?? "") : (entry[role] ?? "");
}

/** The role with the widest rights that this device has at a table; empty for none. */
export function bestRole(tableId) {
  const entry = known(tableId);
  const [card] = Object.keys(entry.cards);
  if (entry.banker) return "banker";
  if (card) return `card:${card}`;
  return entry.guest ? "guest" : "";
}

const GAME_PREFIX = "magnate.game.";

/** The seat of this device in a game and its token: `{seat, token}`; seat -1 and no token for who only looks on. */
export function gameToken(gameId) {
  return { seat: -1, token: "", ...readStored(GAME_PREFIX + gameId) };
}

/** Keeps what this device may show at a game; without a token it only looks on. */
export function keepGame(gameId, change) {
  const entry = { gameId, ...gameToken(gameId), ...change, seen: Date.now() };
  storage.set(GAME_PREFIX + gameId, JSON.stringify(entry));
}

/** Forgets a game: the seat's token is gone from this device. */
export function forgetGame(gameId) {
  storage.remove(GAME_PREFIX + gameId);
}

/** Every game this device has looked at, newest first. */
export function knownGames() {
  return storage
    .names(GAME_PREFIX)
    .map((name) => readStored(name))
    .filter((entry) => entry?.gameId)
    .sort((one, other) => (other.seen ?? 0) - (one.seen ?? 0));
}
