// One table as it is now: watches it, keeps what happened, sends what is done, and tells who looks at it.

import { call, newCommandId, readTable, readUnit, watchTable } from "./api.js";
import { Follower } from "./follow.js";
import { Outbox } from "./outbox.js";
import { readStored, storage } from "./settings.js";
import { play } from "./sounds.js";
import { bestRole, known, remember, tokenOf } from "./vault.js";

const LAST_SEEN = "magnate.last.";

/** A table that is being looked at. `changed(what)` is called with `table`, `link` or `queue`. */
export class LiveTable {
  #version = 0;
  #follower;
  #commands = new Map();
  #listeners = new AbortController();
  #raw = null;

  constructor(tableId, changed, refused) {
    this.tableId = tableId;
    this.changed = changed;
    this.refused = refused;
    this.operations = [];
    this.#follower = new Follower(
      (signal, heard) => this.#read(signal, heard),
      () => this.#linked(),
    );
    const last = readStored(LAST_SEEN + tableId);
    this.table = last ? readTable(last) : null;
    this.outbox = new Outbox(
      tableId,
      (...answer) => this.#answered(...answer),
      () => changed("queue"),
    );
  }

  /** Begins to watch, and to send what an earlier page left. */
  start() {
    const { signal } = this.#listeners;
    addEventListener("online", () => this.outbox.poke(), { signal });
    addEventListener("pagehide", () => this.#keep(), { signal });
    this.#follower.start();
    this.outbox.run();
  }

  /** Ends watching. */
  close() {
    this.#keep();
    this.#listeners.abort();
    this.#follower.close();
    this.outbox.close();
  }

  /** The state of the connection: connecting, live, lost or refused. */
  get link() {
    return this.#follower.link;
  }

  /** Why it was refused, or null. */
  get fault() {
    return this.#follower.fault;
  }

  /** The card of that id, or null. */
  card(cardId) {
    return this.table?.cards.find((card) => card.cardId === cardId) ?? null;
  }

  /** The card of that seat, or null. */
  seat(seat) {
    return this.table?.cards.find((card) => card.seat === seat) ?? null;
  }

  /** True if this device is the banker's. */
  get isBanker() {
    return Boolean(known(this.tableId).banker);
  }

  /** True if this device may press keys; in a game whoever has a card may. */
  get mayPress() {
    const { table } = this;
    const holds = Boolean(table?.inGame) && Object.keys(known(this.tableId).cards).length > 0;
    return this.isBanker || holds || Boolean(table?.sharedUnit);
  }

  /** Cards this device may put into the unit. */
  get usableCards() {
    const entry = known(this.tableId);
    const all = this.isBanker;
    return (this.table?.cards ?? []).filter(
      (card) => !card.retired && (all || entry.cards[card.cardId] || (this.mayPress && entry.secrets[card.cardId])),
    );
  }

  /** True if this device has the card's own token. */
  holds(cardId) {
    return Boolean(known(this.tableId).cards[cardId]);
  }

  /** The secret that has to be shown with a card; empty where its token or the banker's is enough. */
  secretFor(cardId) {
    const entry = known(this.tableId);
    return entry.banker || entry.cards[cardId] ? "" : (entry.secrets[cardId] ?? "");
  }

  /** The last operation that moved money and stands. */
  get lastStanding() {
    for (let place = this.operations.length - 1; place >= 0; place -= 1) {
      const operation = this.operations[place];
      if (operation.entries.length && !operation.reverses && !operation.reversedBy && operation.kind !== "open")
        return operation;
    }
    return null;
  }

  /** Works the unit: `action` is the oneof of OperateRequest. */
  operate(action) {
    // A press that waits until so much has happened that its id may be forgotten is refused, not pressed.
    const request = { ...action, seenVersion: this.table?.version ?? 0 };
    if (!this.outbox.add("Operate", request, this.#roleFor(action))) this.refused("QUEUE_FULL", "");
  }

  #roleFor(action) {
    const entry = known(this.tableId);
    const cardId = action.insert?.cardId ?? action.tapCard?.cardId ?? this.#cardIn(action.remove?.slot);
    if (cardId && entry.cards[cardId]) return `card:${cardId}`;
    return bestRole(this.tableId);
  }

  #cardIn(slot) {
    if (!slot || !this.table?.unit) return "";
    return slot === "SLOT_RIGHT" ? this.table.unit.right : this.table.unit.left;
  }

  /**
   * Sends a command of the banker or of a card's holder and waits for its answer. If it fails for a passing reason the same
   * id is used when the same is asked again, so that what did arrive is not done twice. Throws CallError.
   */
  async command(method, request, role = "banker") {
    const name = JSON.stringify([method, request, role]);
    const sent = this.#commands.get(name) ?? { commandId: newCommandId(), seenVersion: this.table?.version ?? 0 };
    this.#commands.set(name, sent);
    const token = tokenOf(this.tableId, role);
    try {
      const response = await call(method, { tableId: this.tableId, ...sent, ...request }, { token });
      this.#commands.delete(name);
      if (response.table) this.#show(response.table);
      return response;
    } catch (error) {
      if (!error.isPassing) this.#commands.delete(name);
      throw error;
    }
  }

  #answered(entry, response, error) {
    if (error) {
      this.refused(error.reason, error.message);
      return;
    }
    const version = Number(response.version ?? 0);
    if (response.unit && this.table && version > this.table.version) {
      this.table = { ...this.table, unit: readUnit(response.unit) };
      this.changed("table");
    }
  }

  async #read(signal, heard) {
    const options = { token: tokenOf(this.tableId, bestRole(this.tableId)), signal };
    let first = true;
    for await (const message of watchTable(this.tableId, this.#version, options)) {
      for (const operation of message.operations) this.#add(operation);
      this.#version = Math.max(this.#version, message.version);
      if (message.table) this.#show(message.table);
      heard();
      // What sounded while nobody listened is past.
      if (!first) play(message.sounds, this.table?.unit?.volume ?? 0);
      first = false;
    }
    return this.table?.status === "TABLE_STATUS_CLOSED";
  }

  #linked() {
    if (this.link === "live") this.outbox.poke();
    this.changed("link");
  }

  #add(operation) {
    if (this.operations.some((kept) => kept.version === operation.version)) return;
    this.operations.push(operation);
    const reversed = operation.reverses && this.operations.find((other) => other.version === operation.reverses);
    if (reversed) reversed.reversedBy = operation.version;
  }

  #show(raw) {
    const table = readTable(raw);
    if (this.table && table.version < this.table.version) return;
    this.table = table;
    this.#raw = raw;
    const title = table.cards.map((card) => card.name).join(", ");
    if (known(this.tableId).title !== title) {
      remember(this.tableId, (entry) => {
        entry.title = title;
      });
    }
    this.changed("table");
  }

  // So that a page that is opened without a network has something to show.
  #keep() {
    if (this.#raw) storage.set(LAST_SEEN + this.tableId, JSON.stringify(this.#raw));
  }
}
