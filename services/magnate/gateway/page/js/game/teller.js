// What happens in a game as sentences. The text of an event names its fields in braces; how a field is told hangs on its name.

import { has, t, tn } from "../i18n.js";
import { money } from "../money.js";
import { clockFace } from "./clock.js";

// What only says in other words what the event beside it says, or what is on the screen anyway.
const QUIET = new Set([
  "phase_entered",
  "turn_ended",
  "lot_offered",
  "extra_roll_granted",
  "lot_put_up",
  "building_put_up",
  "auction_closed",
  "reserve_changed",
  "allowance_changed",
  "table_started",
  "choice_offered",
]);

const SEATS = [
  ...["seat", "winner", "payer", "payee", "owner", "creditor", "debtor", "from_seat", "to_seat", "first_seat"],
  ...["from_creditor", "to_creditor", "by_seat", "pot"],
];

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Tells what happened, with the names of players, squares and auctions of a LiveGame. */
export class Teller {
  #sold = new Map();
  #joined = new Map();
  #words = {
    ...Object.fromEntries(SEATS.map((name) => [name, (value) => this.who(value ?? 0)])),
    ...Object.fromEntries(["seats", "order"].map((name) => [name, (value) => this.all(value ?? [])])),
    ...Object.fromEntries(["lot", "square", "to_square"].map((name) => [name, (value) => this.square(value ?? 0)])),
    ...Object.fromEntries(
      ["amount", "price", "prize", "owed"].map((name) => [name, (value) => this.money(BigInt(value ?? 0))]),
    ),
    ...Object.fromEntries(
      ["reserve_ms", "left_ms", "extra_ms"].map((name) => [name, (value) => clockFace(Number(value ?? 0))]),
    ),
    lots: (value) => (value ?? []).map((lot) => this.square(lot)).join(", "),
    levels: (value) =>
      (value ?? []).map((one) => `${this.square(one.lot ?? 0)}: ${this.level(one.level ?? 0)}`).join(", "),
    ranking: (value) => (value ?? []).map((seat, place) => `${place + 1}. ${this.who(seat)}`).join(", "),
    bids: (value) =>
      (value ?? []).map((bid) => `${this.who(bid.seat ?? 0)} ${this.money(BigInt(bid.amount ?? 0))}`).join(", ") || "—",
    auction: (value) => this.auction(value ?? 0),
    card: (_, event) => this.live.view?.board.decks[event.deck ?? 0]?.[event.card ?? 0] ?? `#${event.card ?? 0}`,
    terms: (value) => this.terms(value ?? {}),
    question: (value) => t(`told.question.${value ?? 0}`),
  };

  constructor(live) {
    this.live = live;
  }

  /** A commit as sentences, one for each event that is worth one. */
  commit(commit) {
    const told = [];
    for (const event of happened(commit)) {
      const [name] = Object.keys(event);
      if (!name) continue;
      const kind = snake(name);
      this.#learn(kind, event[name]);
      if (!QUIET.has(kind) || (kind === "auction_closed" && !commit.events))
        told.push(this.sentence(kind, event[name]));
    }
    return told;
  }

  /** An event as a sentence. */
  sentence(kind, event) {
    if (!has(`told.${kind}`)) return kind.replaceAll("_", " ");
    const variant = variantOf(kind, event);
    const key = variant ? `told.${kind}.${variant}` : `told.${kind}`;
    // What an event is about may be a message within it.
    const inner = { ...event, ...event.debt, ...event.loan, ...event.claim, ...event.granted };
    const values = { number: (event.seat ?? 0) + 1 };
    for (const [, name] of t(key).matchAll(/\{(\w+)\}/g)) {
      const value = inner[camel(name)];
      if (name !== "number") values[name] = this.#words[name]?.(value, inner) ?? String(value ?? 0);
    }
    return t(key, values);
  }

  #learn(kind, event) {
    if (kind === "auction_opened") this.name(event.auction ?? 0, event);
    else if (kind === "seat_taken") this.#joined.set(event.seat ?? 0, event.name ?? "");
  }

  /** Learns what is sold at an auction; returns it. */
  name(number, auction) {
    const label = auction.label || auction.terms?.label;
    const sold = label || (auction.building ? t("game.building") : this.square(auction.lot ?? 0));
    this.#sold.set(number, sold);
    return sold;
  }

  /** What is sold at an auction, by its number. */
  auction(number) {
    return this.#sold.get(number) ?? `#${number}`;
  }

  /** The name of a seat; the bank's for -1, and below it the pots'. */
  who(seat) {
    if (seat < 0) return seat === -1 ? t("told.bank") : t(`told.pot.${-seat}`);
    return this.live.view?.seats[seat]?.name ?? this.#joined.get(seat) ?? `#${seat + 1}`;
  }

  /** The names of several seats. */
  all(seats) {
    return seats.map((seat) => this.who(seat)).join(", ");
  }

  /** The name of a square. */
  square(square) {
    return this.live.view?.board.squares[square]?.name ?? `#${square}`;
  }

  /** An amount as it is printed on the board's notes. */
  money(amount) {
    return money(amount, this.live.view?.board.currency ?? { unit: "", scale: 1 });
  }

  /** What stands on a lot. */
  level(level) {
    if (level === this.live.view?.hotel) return t("told.building.hotel");
    return level ? t("told.building.house", { n: level }) : t("told.building.bare");
  }

  /** A deal. */
  terms(terms) {
    const side = (cash, lots, cards, free, loan) => {
      const parts = [
        BigInt(cash ?? 0) ? this.money(BigInt(cash)) : "",
        ...(lots ?? []).map((lot) => this.square(lot)),
        cards?.length ? tn("told.terms.cards", cards.length) : "",
        ...(free ?? []).map((one) => t("told.terms.visits", { lot: this.square(one.lot ?? 0), n: one.visits ?? 0 })),
        BigInt(loan ?? 0) ? t("told.terms.loan", { amount: this.money(BigInt(loan)) }) : "",
      ];
      return parts.filter(Boolean).join(" + ") || t("told.terms.nothing");
    };
    return t("told.terms", {
      given: side(terms.giveCash, terms.giveLots, terms.giveCards, terms.giveImmunity, terms.giveLoan),
      taken: side(terms.takeCash, terms.takeLots, terms.takeCards, terms.takeImmunity, terms.takeLoan),
    });
  }
}

const PUT_UP = ["lotPutUp", "buildingPutUp"];
const BY_RULES = ["bidderDropped", "auctionCancelled"];
const OUTCOMES = [...PUT_UP, "lotAuctioned", "lotReserved", "lotUnsold", "buildingAuctioned", "gameEnded"];

/** The events of a commit, causes before effects; `magnate watch` has the same order (magnate.client.happened). */
export function happened({ tableEvents = [], events = [], auctionEvents = [] }) {
  const isOne = (kinds) => (event) => kinds.some((kind) => event[kind]);
  const missed = events.slice(0, events[0]?.timeExpired ? 1 : 0);
  const rules = events.slice(missed.length);
  const parts = [[]];
  for (const event of auctionEvents) {
    if (event.auctionOpened) parts.push([]);
    parts.at(-1).push(event);
  }
  const [earlier, ...opened] = parts;
  const outcome = rules.findIndex(isOne(OUTCOMES));
  const place = !earlier.some(isOne(BY_RULES)) ? 0 : outcome < 0 ? rules.length : outcome;
  const told = [...missed, ...tableEvents.filter((event) => !event.seedRevealed), ...rules.slice(0, place), ...earlier];
  for (const event of rules.slice(place)) {
    told.push(event);
    if (isOne(PUT_UP)(event)) told.push(...(opened.shift() ?? []));
  }
  return [...told, ...opened.flat(), ...tableEvents.filter((event) => event.seedRevealed)];
}

// Which of several sentences an event has; `magnate watch` has the same ones.
function variantOf(kind, event) {
  switch (kind) {
    case "dice_thrown":
      return event.second ? "" : "one";
    case "loan_ended":
      return event.due ? "due" : "";
    case "rents_capped":
      return event.payments ? "" : "none";
    case "mortgage_term_set":
      return event.lastRound ? "" : "none";
    case "discount_set":
      return event.percent ? "" : "none";
    case "clock_missed":
      return event.misses ? "" : "none";
    case "building_auctioned":
    case "auction_closed":
      return event.winner < 0 ? "none" : "";
    case "auction_opened":
      return event.building ? "building" : "";
    case "bidder_passed":
      return event.forced ? "forced" : "";
    case "auction_called":
      return event.count > 1 ? "twice" : "";
    case "seat_presence":
      return event.connected ? "here" : "";
    case "pause_proposed":
      return event.pause ? "pause" : "";
    default:
      return "";
  }
}
