// A seat at a table and a player on it who looks at the legal actions and takes any of them.

import { randomBytes, randomUUID } from "node:crypto";
import { RefusedError, sleep } from "./server.mjs";

const REFUSALS_IN_A_ROW_MAX = 50;

// The game moved on between looking and acting: look again.
const LOST_RACES = new Set([
  "NOT_YOUR_TURN", "WRONG_PHASE", "NO_AUCTION", "AUCTION_CLOSED", "NOT_A_BIDDER", "ALREADY_LEADING",
  "ALREADY_PASSED", "BID_TOO_LOW", "BID_EXCEEDS_FUNDS", "INSUFFICIENT_FUNDS", "MUST_PAY_FIRST", "NOT_IN_DEBT",
  "NO_CHOICE_PENDING", "NOT_OWNER", "UNKNOWN_OFFER", "OFFER_STALE", "SEAT_OUT", "GAME_OVER", "COMMAND_TOO_OLD",
  "CAN_STILL_PAY", "MORTGAGED", "NO_HOUSES_LEFT", "NO_HOTELS_LEFT",
]);

export class Seat {
  static async join(server, gameId, name, seed) {
    const request = { command_id: randomUUID(), game_id: gameId, name, entropy: randomBytes(16) };
    const joined = await server.call("JoinGame", request);
    // A client that missed the answer sends the same request again and gets the same seat.
    const again = await server.call("JoinGame", request);
    if (!again.replayed || again.seat !== joined.seat || again.token !== joined.token) {
      throw new Error("the same command took another seat");
    }
    return new Seat(server, gameId, joined.seat, joined.token, seed);
  }

  constructor(server, gameId, seat, token, seed) {
    this.server = server;
    this.gameId = gameId;
    this.seat = seat;
    this.token = token;
    this.chance = generator(seed);
    this.version = 0n;
    this.commits = 0;
    this.commands = 0;
    this.replays = 0;
    this.refused = {};
    this.over = false;
  }

  summary() {
    const { seat, commits, commands, replays, refused } = this;
    return { seat, commits, commands, replays, refused };
  }

  /** Watches the game and acts whenever it waits for this seat; returns when the game is over. */
  async play() {
    for await (const { commit, situation, heartbeat } of this.server.watch(this.gameId)) {
      if (commit) {
        this.commits += 1;
        if (commit.events.some((event) => event.game_ended)) return;
      }
      const mine = situation?.waiting_seats.includes(this.seat) && BigInt(commit.version) > this.version;
      if (mine || heartbeat) await this.#move();
    }
  }

  /** Acts as long as there is something to do. */
  async #move() {
    for (let refusals = 0; ; ) {
      const asking = { game_id: this.gameId, seat: this.seat };
      const legal = await this.server.call("GetLegalActions", asking, this.token);
      this.version = BigInt(legal.version);
      if (!legal.situation.waiting_seats.includes(this.seat)) return;
      const command = this.#choose(legal);
      if (!command) return;
      const request = {
        game_id: this.gameId,
        command_id: randomUUID(),
        seen_version: legal.version,
        command,
      };
      try {
        const answer = await this.server.call("Act", request, this.token);
        this.version = BigInt(answer.version);
        this.commands += 1;
        refusals = 0;
        if (this.commands % 10 === 1) await this.#sendAgain(request, answer);
        if (!answer.situation.waiting_seats.includes(this.seat)) return;
      } catch (error) {
        refusals += 1;
        if (!(error instanceof RefusedError) || !LOST_RACES.has(error.reason)) throw error;
        if (refusals > REFUSALS_IN_A_ROW_MAX) throw error;
        this.refused[error.reason] = (this.refused[error.reason] ?? 0) + 1;
        await sleep(20);
      }
    }
  }

  /** The same command again has no second effect: the first answer comes back. */
  async #sendAgain(request, first) {
    const again = await this.server.call("Act", request, this.token);
    if (!again.replayed || again.version !== first.version) throw new Error("a command had two effects");
    this.replays += 1;
  }

  #choose({ actions, situation }) {
    const legal = Object.fromEntries(actions.map((action) => [action.kind, action]));
    const one = (list) => list[Math.floor(this.chance() * list.length)];
    if (legal.choose_option) {
      return { choose_option: { option: Math.floor(this.chance() * legal.choose_option.options) } };
    }
    if (legal.place_bid && this.chance() < 0.6) {
      // BigInt all the way: amounts are int64.
      const least = BigInt(legal.place_bid.amount_min);
      const most = BigInt(legal.place_bid.amount_max);
      const wanted = least + BigInt(Math.floor(this.chance() * 20));
      const amount = wanted < most ? wanted : most;
      return { place_bid: { lot: situation.auction.lot, amount: amount.toString() } };
    }
    if (legal.pass_auction) return { pass_auction: { lot: situation.auction.lot } };
    if (this.chance() < 0.3) {
      const lots = (legal.build?.lots ?? []).filter((lot) => lot.level_alone >= 0);
      if (lots.length) {
        const { lot, level_alone } = one(lots);
        return { build: { targets: [{ lot, level: level_alone }] } };
      }
      if (legal.reject_offer) return { reject_offer: { offer: one(legal.reject_offer.offers) } };
    }
    return this.#plain(legal, one);
  }

  #plain(legal, one) {
    if (legal.buy_lot && this.chance() < 0.7) return { buy_lot: {} };
    const ways = ["roll", "end_turn", "decline_lot", "buy_lot", "pay_debt", "use_jail_card", "pay_fine"];
    const found = ways.filter((kind) => legal[kind]);
    if (found.length) return { [one(found)]: {} };
    // In debt: raise money as far as it goes, then give up.
    if (legal.mortgage_lots) return { mortgage_lots: { lots: [one(legal.mortgage_lots.lots).lot] } };
    const alone = (legal.sell_buildings?.lots ?? []).filter((lot) => lot.level_alone >= 0);
    if (alone.length) {
      const { lot, level_alone } = one(alone);
      return { sell_buildings: { targets: [{ lot, level: level_alone }] } };
    }
    return legal.declare_bankruptcy ? { declare_bankruptcy: {} } : legal.resign ? { resign: {} } : null;
  }
}

/** Returns repeatable chance: numbers from 0 up to 1. */
function generator(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
