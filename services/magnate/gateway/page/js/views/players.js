// The players of a game: money, who is there, and their clocks, counted by the server's time.

import { h, keyed, setAttribute, setText } from "../dom.js";
import { clockFace, span } from "../game/clock.js";
import { has, t } from "../i18n.js";
import { seatSign } from "../icons.js";

const HURRY_MS = 10000;
// Clocks of nobody's own; those of auctions are seen there.
const COMMON = new Set(["time", "shortage"]);

/** The list of the players of a LiveGame. */
export class Players {
  constructor(live, teller) {
    this.live = live;
    this.teller = teller;
    this.list = h("ul", { class: "players-now" });
    this.common = h("p", { class: "muted", hidden: true });
    this.element = h("section", { class: "panel" }, h("h2", {}, t("game.players")), this.list, this.common);
  }

  /** The sign of a seat. */
  sign(seat) {
    return seatSign(seat);
  }

  /** Draws what has changed. */
  update() {
    const { view, situation, isOver } = this.live;
    keyed(
      this.list,
      view.seats,
      (seat) => seat.seat,
      (seat) =>
        h(
          "li",
          { class: `seat-line-${seat.seat % 8}`, dataset: { testid: `seat-${seat.seat}` } },
          this.sign(seat.seat),
          h("span", { class: "bar-name" }),
          h("span", { class: "bar-sum" }),
          h("span", { class: "seat-clock" }),
          h("span", { class: "seat-more" }),
        ),
      (item, seat) => {
        const waits = situation.waiting.includes(seat.seat) && !isOver;
        item.classList.toggle("waits", waits);
        item.classList.toggle("out", seat.out);
        const you = seat.seat === this.live.me ? ` (${t("game.you")})` : "";
        setText(item.querySelector(".bar-name"), seat.name + you);
        setText(item.querySelector(".bar-sum"), this.#money(seat));
      },
    );
    this.tick();
  }

  /** Counts down. */
  tick() {
    const { live } = this;
    if (!live.view || !live.situation) return;
    for (const item of this.list.children) {
      const seat = live.view.seats.find((one) => String(one.seat) === item.dataset.key);
      if (!seat) continue;
      const clocks = live.isOver || seat.out ? [] : live.standing.clocks.filter((clock) => clock.seat === seat.seat);
      const shown = item.querySelector(".seat-clock");
      setText(shown, clocks.map((clock) => this.#clock(clock)).join(" · "));
      const hurry = clocks.some((clock) => !clock.stands && live.clockLeft(clock)[0] < HURRY_MS);
      setAttribute(shown, "data-hurry", hurry ? "" : null);
      setText(item.querySelector(".seat-more"), this.#more(seat));
    }
    const common = live.isOver ? [] : live.standing.clocks.filter((clock) => clock.seat < 0 && COMMON.has(clock.kind));
    this.common.hidden = !common.length;
    setText(this.common, common.map((clock) => this.#clock(clock)).join(" · "));
  }

  #money(seat) {
    if (seat.out) return t("game.out");
    if (seat.hidden) return t("game.hidden");
    return this.live.view.lots.size ? this.teller.money(seat.cash) : "";
  }

  #clock(clock) {
    const [left, budget] = this.live.clockLeft(clock);
    const key = `game.clock.${clock.kind}`;
    const word = has(key) ? ` ${t(key)}` : "";
    const face = this.#usesReserve(clock) ? t("game.reserve", { time: clockFace(left) }) : clockFace(budget || left);
    return `${face}${word}${clock.stands ? `, ${t("game.stands")}` : ""}`;
  }

  #more(seat) {
    const { live } = this;
    const standing = live.standing.seats.get(seat.seat);
    const parts = [];
    if (seat.out || live.isOver) return "";
    const isUsed = live.standing.clocks.some((clock) => clock.seat === seat.seat && this.#usesReserve(clock));
    if (standing?.reserveMs && !isUsed) parts.push(t("game.reserve", { time: clockFace(standing.reserveMs) }));
    if (standing?.presence === "PRESENCE_CONNECTED") parts.push(t("game.here"));
    if (standing?.presence === "PRESENCE_AWAY") {
      const gone = standing.sinceMs && live.clock.isKnown ? Math.max(0, live.clock.now() - standing.sinceMs) : 0;
      parts.push(t("game.away", { time: span(gone) }));
      if (standing.allowanceMs) parts.push(t("game.allowance", { time: clockFace(standing.allowanceMs) }));
    }
    if (standing?.standIn) parts.push(t("game.stand_in"));
    if (seat.jailed) parts.push(t("game.jailed"));
    if (seat.held) parts.push(t("game.held", { amount: this.teller.money(seat.held) }));
    return parts.join(" · ");
  }

  // What is left of a seat's clock is its reserve when the budget of the decision is gone.
  #usesReserve(clock) {
    const [left, budget] = this.live.clockLeft(clock);
    return clock.seat >= 0 && left > 0 && budget === 0;
  }
}
