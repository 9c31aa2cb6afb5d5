// The auctions of a table of the bank: watches them, and sends what the banker and the cards of this device do.

import { newCommandId } from "./api.js";
import { serverStream, unary } from "./connect.js";
import { Follower } from "./follow.js";
import { ServerClock } from "./game/clock.js";
import { readAuction } from "./game/read.js";
import { bestRole, known, tokenOf } from "./vault.js";

const SERVICE = "/magnate.auction.v1.AuctionService";
// What was sold before is told from the beginning of the table.
const FROM_THE_START = 1;
const TRY_MS = 400;
const TRIES_MS = 8000;

/** The auctions of a LiveTable. `changed(events)` is called with what has just happened, also with nothing. */
export class TableSales {
  #follower;
  #version = 0;
  #role = "";

  constructor(live, changed) {
    this.live = live;
    this.changed = changed;
    this.auctions = [];
    this.results = [];
    this.clock = new ServerClock();
    this.#follower = new Follower(
      (signal, heard) => this.#read(signal, heard),
      () => changed([]),
    );
  }

  /** Begins to watch. */
  start() {
    this.#follower.start();
  }

  /** Ends watching. */
  close() {
    this.#follower.close();
  }

  /** Watches as who this device is now: a card that was taken sees its own sealed bid. */
  follow() {
    if (this.#role && this.#role !== this.#bidder()) this.#follower.poke();
  }

  /** The seats of the cards that this device bids with. */
  get seats() {
    const { cards } = known(this.live.tableId);
    const mine = (this.live.table?.cards ?? []).filter((card) => cards[card.cardId] && !card.retired);
    return mine.map((card) => card.seat);
  }

  /** Whether this device may open an auction. */
  get mayOpen() {
    const { live } = this;
    return live.table?.status === "TABLE_STATUS_OPEN" && !live.table.inGame && (live.isBanker || this.#mayAsCard());
  }

  /** Opens an auction. Throws CallError. */
  open(request) {
    const role = this.live.isBanker ? "banker" : this.#bidder();
    return this.#command("OpenAuction", { tableId: this.live.tableId, ...request }, role);
  }

  /** Whether this device may call an auction off: the banker may. */
  get mayCancel() {
    return this.live.isBanker;
  }

  /** Calls an auction off. Throws CallError. */
  cancel(auction) {
    return this.#command("CancelAuction", { tableId: this.live.tableId, auction: auction.auction }, "banker");
  }

  /** What a seat of this device does at an auction: `bid`, `pass`, `proxy`. Throws CallError. */
  act(kind, auction, seat, amount) {
    const card = this.live.seat(seat);
    const which = { gameId: this.live.tableId, auction: auction.auction };
    const [method, more] = {
      bid: ["PlaceBid", { amount: String(amount) }],
      pass: ["PassAuction", {}],
      proxy: ["SetProxyBid", { ceiling: String(amount) }],
    }[kind];
    return this.#command(method, { ...which, ...more }, `card:${card?.cardId}`);
  }

  #mayAsCard() {
    return this.live.table.sharedUnit && this.seats.length > 0;
  }

  #bidder() {
    const { cards } = known(this.live.tableId);
    const [card] = Object.keys(cards);
    return card ? `card:${card}` : bestRole(this.live.tableId);
  }

  // The same command until it is answered: its id makes that harmless.
  async #command(method, request, role) {
    const sent = { ...request, commandId: newCommandId(), seenVersion: String(this.#version) };
    const token = tokenOf(this.live.tableId, role);
    const giveUp = performance.now() + TRIES_MS;
    for (;;) {
      try {
        const answer = await unary(`${SERVICE}/${method}`, sent, { token });
        this.clock.heard(answer.serverTime);
        return answer;
      } catch (error) {
        if (!error.isPassing || performance.now() > giveUp) throw error;
        await new Promise((resolve) => setTimeout(resolve, TRY_MS));
      }
    }
  }

  async #read(signal, heard) {
    this.#role = this.#bidder();
    const request = { gameId: this.live.tableId, fromVersion: String(this.#version || FROM_THE_START) };
    const options = { token: tokenOf(this.live.tableId, this.#role), signal };
    for await (const message of serverStream(`${SERVICE}/WatchAuction`, request, options)) {
      this.#hear(message);
      heard();
    }
    return this.live.table?.status === "TABLE_STATUS_CLOSED";
  }

  #hear(message) {
    this.clock.heard(message.serverTime);
    const version = Number(message.version ?? 0);
    const isNew = version > this.#version;
    this.#version = Math.max(version, this.#version);
    this.auctions = (message.auctions ?? []).map(readAuction);
    const events = isNew ? (message.events ?? []) : [];
    for (const event of events) this.#note(event, message.commitTime);
    this.changed(events);
  }

  #note(event, time) {
    const opened = event.auctionOpened;
    const closed = event.auctionClosed;
    if (opened) this.results.push({ auction: opened.auction ?? 0, label: opened.label ?? "", time, state: "running" });
    const ended = closed ?? event.auctionCancelled;
    const entry = ended && this.results.find((one) => one.auction === (ended.auction ?? 0));
    if (!entry) return;
    entry.time = time;
    entry.state = closed ? "closed" : "cancelled";
    entry.winner = closed ? (closed.winner ?? 0) : -1;
    entry.price = BigInt(closed?.price ?? 0);
  }
}
