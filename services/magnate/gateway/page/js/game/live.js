// One game as it is now: the whole state, what happened, the server's clock; and the commands of a seat at auctions.

import { newCommandId } from "../api.js";
import { CallError, serverStream, unary } from "../connect.js";
import { Follower } from "../follow.js";
import { gameToken, keepGame } from "../vault.js";
import { ServerClock } from "./clock.js";
import { readGame, readSituation, readStanding } from "./read.js";

const SERVICE = "/magnate.game.v1.GameService";
const COMMITS_BEFORE = 100;
const COMMITS_KEPT = 400;
const TRY_MS = 400;
const TRIES_MS = 8000;
const NO_SEAT_OF_IT = ["TOKEN_FOR_OTHER_GAME", "TOKEN_INVALID", "TOKEN_MALFORMED"];

/**
 * Holds a stream of a game open for the seat of this device, so that the seat is there although another view is shown; returns
 * what ends it. It has no name: the seat may have a page of the game open on another device, which lives on.
 */
export function beThere(gameId) {
  let version = 0;
  const read = async (signal, heard) => {
    const { token } = gameToken(gameId);
    if (!version) version = Number((await unary(`${SERVICE}/GetGame`, { gameId }, { token, signal })).game.version);
    const request = { gameId, afterVersion: String(version) };
    for await (const { commit } of serverStream(`${SERVICE}/WatchGame`, request, { token, signal })) {
      if (commit) version = Number(commit.version);
      heard();
    }
    return false;
  };
  const follower = new Follower(read, () => {});
  follower.start();
  return () => follower.close();
}

/** A game that is being looked at. `changed(what)` is called with `game`, `log` or `link`. */
export class LiveGame {
  #abort = new AbortController();
  #follower;
  #looking = false;
  #connection = newCommandId();

  constructor(gameId, changed) {
    this.gameId = gameId;
    this.changed = changed;
    this.view = null;
    this.situation = null;
    this.standing = readStanding({});
    this.commits = [];
    this.version = 0;
    this.clock = new ServerClock();
    this.unseated = null;
    this.#follower = new Follower(
      (signal, heard) => this.#readOrLookOn(signal, heard),
      () => changed("link"),
    );
  }

  /** Begins to watch. */
  start() {
    this.#follower.start();
  }

  /** Ends watching. */
  close() {
    this.#follower.close();
    this.#abort.abort();
  }

  /** The state of the connection: connecting, live, lost or refused. */
  get link() {
    return this.#follower.link;
  }

  /** Why it was refused, or why this device only looks on; null if there is nothing to say. */
  get fault() {
    return this.#follower.fault ?? this.unseated;
  }

  /** The seat of this device, -1 if it only looks on. */
  get me() {
    return gameToken(this.gameId).seat;
  }

  /** The running auctions. */
  get auctions() {
    return this.situation?.auctions ?? [];
  }

  /** Whether the game has ended. */
  get isOver() {
    return this.view?.status === "GAME_STATUS_OVER";
  }

  /** What is left of a clock, in all and before the reserve is used. */
  clockLeft(clock) {
    const gone = clock.stands || !this.clock.isKnown ? 0 : Math.max(0, this.clock.now() - this.standing.at);
    return [Math.max(0, clock.remainingMs - gone), Math.max(0, clock.budgetMs - gone)];
  }

  /**
   * Sends a command of the seat of this device, the same until it is answered; a bid that comes too late is refused. Throws
   * CallError.
   */
  async act(command) {
    const request = {
      gameId: this.gameId,
      commandId: newCommandId(),
      seenVersion: String(this.version),
      command,
    };
    const giveUp = performance.now() + TRIES_MS;
    for (;;) {
      try {
        const answer = await this.#call("Act", request);
        if (Number(answer.version) >= this.version && answer.situation) this.#take(answer.situation);
        return answer;
      } catch (error) {
        if (!error.isPassing || performance.now() > giveUp) throw error;
        await new Promise((resolve) => setTimeout(resolve, TRY_MS));
      }
    }
  }

  #call(method, request) {
    return unary(`${SERVICE}/${method}`, request, { token: gameToken(this.gameId).token, signal: this.#abort.signal });
  }

  // What opens no seat here is thrown away: whoever came with it may look on, and take a seat with another token.
  async #readOrLookOn(signal, heard) {
    try {
      return await this.#read(signal, heard);
    } catch (error) {
      if (!NO_SEAT_OF_IT.includes(error.reason) || !gameToken(this.gameId).token) throw error;
      keepGame(this.gameId, { seat: -1, token: "" });
      this.unseated = error;
      return false;
    }
  }

  async #read(signal, heard) {
    if (!this.view) await this.#look(0);
    const { token } = gameToken(this.gameId);
    const request = {
      gameId: this.gameId,
      afterVersion: String(this.version || Math.max(0, this.view.version - COMMITS_BEFORE)),
      // Two pages of one seat on two devices: the newer one is the seat's.
      ...(token ? { connection: this.#connection } : {}),
    };
    for await (const message of serverStream(`${SERVICE}/WatchGame`, request, { token, signal })) {
      if (message.superseded) throw new CallError("failed_precondition", "", "SUPERSEDED", message.superseded);
      this.#hear(message);
      heard();
      if (this.isOver && this.version >= this.view.version) return true;
    }
    return false;
  }

  #hear(message) {
    if (message.standing) {
      this.standing = readStanding(message.standing);
      this.clock.heard(message.standing.serverTime);
    }
    if (message.heartbeat) this.clock.heard(message.heartbeat.serverTime);
    if (message.commit) {
      const version = Number(message.commit.version ?? 0);
      if (version <= this.version) return;
      this.version = version;
      this.commits.push(message.commit);
      if (this.commits.length > COMMITS_KEPT) this.commits.shift();
      this.changed("log", message.commit);
    }
    const situation = message.now?.situation ?? message.situation;
    if (situation) this.#take(situation);
    else if (message.standing) this.changed("game");
  }

  // Only the newest commit has a situation: of a hundred that were missed, one look serves all.
  #take(situation) {
    this.situation = readSituation(situation);
    this.changed("game");
    if (this.version > this.view.version) this.#refresh();
  }

  async #refresh() {
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.version > this.view.version) await this.#look(this.version);
    } catch (error) {
      // The next commit, or the watch that begins again, looks again.
      if (!(error instanceof CallError)) throw error;
    } finally {
      this.#looking = false;
    }
  }

  async #look(seenVersion) {
    const { game } = await this.#call("GetGame", { gameId: this.gameId, seenVersion: String(seenVersion) });
    const view = readGame(game);
    if (this.view && view.version < this.view.version) return;
    this.view = view;
    this.situation ??= view.situation;
    this.changed("game");
  }
}
