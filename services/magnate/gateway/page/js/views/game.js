// A game that is watched: auctions with their countdown, players with their clocks, the board, what happened.

import { Announcer } from "../announce.js";
import { homeButton, linkState, roundButton, showLinkState } from "../bar.js";
import { openDialog, toast } from "../dialog.js";
import { h, keyed, setText } from "../dom.js";
import { Teller } from "../game/teller.js";
import { because, locale, t } from "../i18n.js";
import { icon } from "../icons.js";
import { gameToken, keepGame } from "../vault.js";
import { AuctionList } from "./auctions.js";
import { GameBoard } from "./gameboard.js";
import { openGameUnit } from "./gameunit.js";
import { Players } from "./players.js";

const LOG_SHOWN = 120;
const TICK_MS = 500;

/** The view of a LiveGame; `settings()` opens the settings. */
export class GameView {
  #ticking;
  #told = [];
  #fault = null;
  #wasMine = false;

  constructor(live, settings) {
    this.live = live;
    this.teller = new Teller(live);
    this.announcer = new Announcer();
    this.title = h("h1", { class: "title" });
    this.state = linkState();
    this.seat = roundButton(t("game.seat"), "key", () => this.#takeSeat(), "seat");
    this.top = h(
      "header",
      { class: "top" },
      homeButton(),
      this.title,
      this.state,
      this.seat,
      roundButton(t("nav.settings"), "gear", settings, "settings"),
    );
    this.waiting = h("p", { class: "waiting", role: "status" }, t("link.connecting"));
    this.now = h("p", { class: "game-now", dataset: { testid: "now" } });
    this.auctions = new AuctionList(this.#host(), this.announcer);
    this.players = new Players(live, this.teller);
    this.board = new GameBoard(live, this.teller);
    this.matters = h("ul", { class: "matters" });
    this.mattersPanel = h("section", { class: "panel", hidden: true }, h("h2", {}, t("game.matters")), this.matters);
    this.unit = h(
      "button",
      {
        type: "button",
        class: "button",
        hidden: true,
        dataset: { testid: "game-unit" },
        on: { click: () => openGameUnit(live.gameId) },
      },
      icon("unit"),
      t("unit.label"),
    );
    this.log = h("ol", { class: "history", dataset: { testid: "log" } });
    this.ranking = h("section", { class: "panel ranking", hidden: true });
    this.main = h(
      "main",
      { id: "main", class: "main", tabindex: 0, "aria-label": t("game.title") },
      this.waiting,
      h(
        "div",
        { class: "game-view", hidden: true },
        h(
          "div",
          { class: "game-side" },
          this.now,
          this.ranking,
          this.auctions.element,
          this.players.element,
          this.mattersPanel,
          this.unit,
        ),
        this.board.element,
        h("section", { class: "panel log-panel" }, h("h2", {}, t("game.log")), this.log),
      ),
      this.announcer.element,
    );
    for (const commit of live.commits) this.#tell(commit);
    this.#ticking = setInterval(() => this.players.tick(), TICK_MS);
  }

  /** Ends what goes on by itself. */
  close() {
    clearInterval(this.#ticking);
    this.auctions.close();
  }

  /** Adds a commit to what happened, and says how auctions ended. */
  add(commit) {
    this.#tell(commit);
    if (!this.live.view) return;
    for (const { auctionClosed: closed, auctionCancelled: cancelled } of commit.auctionEvents ?? []) {
      if (cancelled) this.auctions.cancelled(this.teller.auction(cancelled.auction ?? 0));
      if (!closed) continue;
      const name = this.teller.name(closed.auction ?? 0, { lot: closed.lot, building: (closed.lot ?? 0) < 0 });
      this.auctions.ended(name, closed.winner ?? 0, BigInt(closed.price ?? 0));
    }
  }

  /** Draws what has changed. */
  update() {
    const { live } = this;
    this.#showLink();
    if (!live.view) return;
    if (!this.waiting.hidden) {
      this.waiting.hidden = true;
      this.main.querySelector(".game-view").hidden = false;
    }
    setText(this.title, live.view.title);
    setText(this.now, this.#now());
    const isMine = live.me >= 0 && !live.isOver && live.situation.waiting.includes(live.me);
    if (isMine && !this.#wasMine) this.announcer.say(t("game.heard_turn"));
    this.#wasMine = isMine;
    this.unit.hidden = live.me < 0 || live.isOver || live.view.status === "GAME_STATUS_OPEN";
    this.auctions.update(live.auctions);
    this.players.update();
    this.board.update();
    this.#drawMatters();
    this.#drawLog();
    this.#drawRanking();
    if (live.view.title !== gameToken(live.gameId).title) keepGame(live.gameId, { title: live.view.title });
  }

  #host() {
    const { live, teller } = this;
    return {
      clock: live.clock,
      // Where nothing comes any more, as on the older of two devices, there is nothing to bid on.
      get seats() {
        return live.me < 0 || live.link === "refused" ? [] : [live.me];
      },
      get paused() {
        return live.view?.status === "GAME_STATUS_PAUSED";
      },
      get currency() {
        return live.view.board.currency;
      },
      who: (seat) => teller.who(seat),
      all: (seats) => teller.all(seats),
      money: (amount) => teller.money(amount),
      name: (auction) => teller.name(auction.auction, auction),
      act: (kind, auction, _seat, amount) => live.act(command(kind, auction, amount)),
    };
  }

  #showLink() {
    const { live } = this;
    const paused = live.link === "live" && live.view?.status === "GAME_STATUS_PAUSED";
    showLinkState(this.state, paused ? "paused" : live.link);
    if (live.fault && live.fault !== this.#fault) {
      this.#fault = live.fault;
      const said = because(live.fault.reason, live.fault.message);
      toast(said);
      setText(this.waiting, said);
    }
  }

  #now() {
    const { live } = this;
    if (live.isOver) return t("game.over");
    if (live.view.status === "GAME_STATUS_OPEN") return t("game.open");
    const { turn, waiting } = live.situation;
    const said = t("game.turn", { turn, round: live.view.round });
    return waiting.length ? `${said} · ${t("game.waits", { names: this.teller.all(waiting) })}` : said;
  }

  #drawMatters() {
    const { debts, offers } = this.live.view;
    const { teller } = this;
    const lines = [
      ...debts.map((debt) =>
        t("game.bankrupt_owes", {
          debtor: teller.who(debt.debtor),
          creditor: teller.who(debt.creditor),
          amount: teller.money(debt.amount),
        }),
      ),
      ...offers.map((offer) =>
        t("game.offer", {
          offer: offer.offer,
          from_seat: teller.who(offer.fromSeat ?? 0),
          to_seat: teller.who(offer.toSeat ?? 0),
          terms: teller.terms(offer.terms ?? {}),
        }),
      ),
    ];
    this.mattersPanel.hidden = lines.length === 0;
    keyed(
      this.matters,
      lines,
      (line) => line,
      (line) => h("li", {}, line),
      () => {},
    );
  }

  #tell(commit) {
    const sentences = this.teller.commit(commit);
    if (!sentences.length) return;
    this.#told.push({ version: commit.version, time: commit.time, sentences });
    if (this.#told.length > LOG_SHOWN) this.#told.shift();
  }

  #drawLog() {
    const clock = new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit" });
    keyed(
      this.log,
      this.#told.toReversed(),
      (one) => one.version,
      (one) =>
        h(
          "li",
          {},
          h("time", { datetime: one.time }, clock.format(new Date(one.time))),
          h(
            "div",
            { class: "what" },
            one.sentences.map((sentence) => h("p", {}, sentence)),
          ),
        ),
      () => {},
    );
  }

  #drawRanking() {
    const { view, isOver } = this.live;
    this.ranking.hidden = !isOver;
    if (!isOver || this.ranking.childElementCount) return;
    this.ranking.append(
      h("h2", {}, t("ranking.title")),
      h(
        "ol",
        { class: "podium", dataset: { testid: "ranking" } },
        view.ranking.map((seat, place) =>
          h(
            "li",
            { class: `place-${place + 1} seat-line-${seat % 8}` },
            h("span", { class: "place" }, String(place + 1)),
            this.players.sign(seat),
            h("span", { class: "bar-name" }, this.teller.who(seat)),
            h("span", { class: "bar-sum" }, view.scores[place] ? this.teller.money(view.scores[place]) : ""),
          ),
        ),
      ),
    );
  }

  async #takeSeat() {
    const { live } = this;
    if (!live.view) return;
    const which = h(
      "select",
      { name: "seat" },
      live.view.seats.map(({ seat, name }) => h("option", { value: seat, selected: seat === live.me }, name)),
    );
    const token = h("input", { type: "password", autocomplete: "off", spellcheck: "false", name: "token" });
    const answer = await openDialog(
      t("game.seat"),
      [
        h("p", {}, t("game.seat_text")),
        h("label", { class: "field" }, h("span", {}, t("game.seat_which")), which),
        h("label", { class: "field" }, h("span", {}, t("game.seat_token")), token),
      ],
      [
        { value: "leave", text: t("game.seat_leave") },
        { value: "yes", text: t("game.seat_yes"), kind: "primary" },
      ],
    );
    if (answer === null) return;
    const taken = answer === "yes" && token.value.trim();
    keepGame(live.gameId, taken ? { seat: Number(which.value), token: token.value.trim() } : { seat: -1, token: "" });
    // Who shows a token is there; so the stream begins anew with it.
    location.reload();
  }
}

function command(kind, auction, amount) {
  const which = { auction: auction.auction, lot: auction.lot };
  if (kind === "pass") return { passAuction: which };
  if (kind === "proxy") return { setProxyBid: { ...which, ceiling: String(amount) } };
  return { placeBid: { ...which, amount: String(amount) } };
}
