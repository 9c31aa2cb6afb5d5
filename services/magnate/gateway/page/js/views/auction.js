// One auction as a panel: what is sold, the countdown by the server's time, who leads, and what this device may do.

import { confirm, toast } from "../dialog.js";
import { h, setAttribute, setText } from "../dom.js";
import { clockFace } from "../game/clock.js";
import { dutchPrice } from "../game/read.js";
import { explain, t } from "../i18n.js";
import { icon, seatSign } from "../icons.js";
import { parseAmount, typed } from "../money.js";
import { Ceiling } from "./ceiling.js";

const HURRY_MS = 10000;
// After somebody else's bid has raised the amount under a finger, the button waits so long.
const RAISED_WAIT_MS = 400;
// Where any amount may be bid, a press of + adds so much to a bid below so much.
const STEPS = [
  [50n, 1n],
  [200n, 5n],
  [500n, 10n],
  [2000n, 50n],
];
const STEP_MOST = 100n;
const SEALED = [2, 3];
const DUTCH = 4;

/**
 * The panel of an auction. `host` says who looks on: `clock`, `seats` (those that this device bids for), `who(seat)`,
 * `all(seats)`, `money(amount)`, `currency`, `name(auction)`, and `act(kind, auction, seat, amount)` with the kinds `bid`,
 * `pass` and `proxy`, which throws CallError. `cancel(auction)` calls it off, null if this device may not.
 */
export class AuctionPanel {
  #auction = null;
  #window = 1;
  #edited = false;
  #ceilings = new Map();
  #handed = new Map();
  #busy = false;

  constructor(host, auction) {
    this.host = host;
    const id = `auction-${auction.auction}`;
    this.heading = h("h3", { id }, host.name(auction));
    this.mode = h("p", { class: "muted auction-mode" });
    this.time = h("span", { class: "time" });
    this.called = h("span", { class: "called" });
    this.left = h(
      "p",
      { class: "countdown", role: "timer", "aria-live": "off", "aria-label": t("auction.ends") },
      this.time,
      this.called,
    );
    this.bar = h("span", {});
    this.leader = h(
      "p",
      { class: "auction-lead", dataset: { testid: "lead" } },
      h("span", { class: "sign" }),
      h("span", { class: "text" }),
    );
    this.facts = h("p", { class: "muted auction-facts" });
    this.mine = h("p", { class: "auction-mine", dataset: { testid: "mine" } });
    this.form = this.#makeForm();
    this.ceiling = new Ceiling(host, (amount) => this.#setCeiling(amount));
    this.cancel = h(
      "button",
      {
        type: "button",
        class: "button danger",
        "aria-label": t("auction.cancel_named", { name: host.name(auction) }),
        dataset: { testid: "cancel" },
        on: { click: () => this.#cancel() },
      },
      t("auction.cancel"),
    );
    this.element = h(
      "article",
      { class: "auction", "aria-labelledby": id, dataset: { testid: id } },
      h("header", {}, h("div", { class: "auction-title" }, this.heading, this.mode), this.left),
      h("div", { class: "auction-bar", "aria-hidden": "true" }, this.bar),
      this.leader,
      this.facts,
      this.mine,
      this.form,
      this.ceiling.note,
      this.ceiling.form,
      this.cancel,
    );
  }

  /** Draws the auction as it is now. */
  update(auction) {
    const { host } = this;
    const before = this.#auction;
    this.#auction = auction;
    const { terms } = auction;
    setText(this.heading, host.name(auction));
    const mode = terms.mode || terms.fee ? [t(`game.mode.${terms.mode}`)] : [];
    if (terms.fee) mode.push(t("auction.fee", { amount: host.money(terms.fee) }));
    setText(this.mode, mode.join(" · "));
    if (before?.closeMs !== auction.closeMs)
      this.#window = Math.max(1, host.clock.left(auction.closeMs) ?? terms.closeMs);
    setText(this.called, auction.calls ? t(`game.called.${Math.min(auction.calls, 2)}`) : "");
    this.element.dataset.calls = auction.calls;
    this.#drawLead(auction);
    this.#drawFacts(auction);
    this.#drawMine(auction);
    this.#follow(before);
    this.tick();
  }

  /** Counts down. */
  tick() {
    const auction = this.#auction;
    if (!auction) return;
    const left = this.host.clock.left(auction.closeMs);
    const paused = this.#paused;
    const hurry = left !== null && left < HURRY_MS && !paused;
    setText(this.time, paused ? t("game.paused") : left === null ? "" : left > 0 ? clockFace(left) : t("game.closing"));
    setAttribute(this.left, "data-hurry", hurry ? "" : null);
    this.bar.style.width = left === null || paused ? "0" : `${Math.min(100, (100 * left) / this.#window).toFixed(1)}%`;
    if (auction.terms.mode === DUTCH && !paused) {
      this.#drawLead(auction);
      this.#label();
    }
  }

  #drawLead(auction) {
    const { host } = this;
    const open = auction.leader >= 0 && !SEALED.includes(auction.terms.mode);
    const sign = this.leader.firstChild;
    if (open ? sign.dataset.seat !== String(auction.leader) : sign.firstChild) {
      sign.replaceChildren(...(open ? [seatSign(auction.leader)] : []));
      sign.dataset.seat = open ? auction.leader : "";
    }
    this.leader.className = `auction-lead${open ? ` seat-line-${auction.leader % 8}` : ""}`;
    let text = t("game.nobody");
    if (auction.terms.mode === DUTCH) text = t("game.price", { amount: host.money(this.#falling()) });
    else if (SEALED.includes(auction.terms.mode))
      text = t("game.sealed", { names: host.all(auction.sealed) || "—" });
    else if (open) text = t("game.leads", { name: host.who(auction.leader), amount: host.money(auction.price) });
    setText(this.leader.lastChild, text);
  }

  // Nothing counts down, and nobody bids.
  get #paused() {
    return this.#auction.paused || this.host.paused;
  }

  // What a falling price is now.
  #falling() {
    return dutchPrice(this.#auction, this.host.clock.left(this.#auction.closeMs));
  }

  #drawFacts(auction) {
    const { host } = this;
    const { terms } = auction;
    const facts = [];
    if (terms.mode < 2) facts.push(t("game.next", { amount: host.money(auction.least) }));
    if (terms.fixedStep) facts.push(t("game.step", { amount: host.money(terms.increment) }));
    const still = auction.bidders.filter((seat) => !auction.sealed.includes(seat));
    facts.push(t("game.in", { names: host.all(still) || "—" }));
    if (auction.passed.length) facts.push(t("game.passed", { names: host.all(auction.passed) }));
    if (auction.turnSeat >= 0) facts.push(t("game.turn_of", { name: host.who(auction.turnSeat) }));
    if (auction.extensions) facts.push(t("game.extended", { n: auction.extensions }));
    setText(this.facts, facts.join(" · "));
  }

  #drawMine(auction) {
    const { seats } = this.host;
    const leading = seats.includes(auction.leader) && auction.terms.mode < 2;
    const passed = seats.length > 0 && seats.every((seat) => auction.passed.includes(seat));
    const handed = seats.find((seat) => auction.sealed.includes(seat));
    const text = leading
      ? t("auction.you_lead")
      : passed
        ? t("auction.you_passed")
        : SEALED.includes(auction.terms.mode) && handed !== undefined
          ? this.#sealed(auction, handed)
          : "";
    setText(this.mine, text);
    this.mine.hidden = !text;
    this.element.classList.toggle("leading", leading);
    const able = this.#paused ? [] : this.#able();
    this.form.hidden = !able.length;
    this.#drawSeats(able);
    this.cancel.hidden = !this.host.cancel;
    const ceiling = auction.ownCeiling || (this.#ceilings.get(this.#proxySeat) ?? 0n);
    this.ceiling.update(ceiling, auction.terms.proxies && !this.#paused && (leading || able.length > 0));
  }

  // What this device knows of its own sealed bid.
  #sealed(auction, seat) {
    const amount = auction.ownBid || this.#handed.get(seat);
    return amount ? t("auction.you_sealed.own", { amount: this.host.money(amount) }) : t("auction.you_sealed");
  }

  // Seats of this device that may still bid.
  #able() {
    const { bidders, leader, sealed, terms } = this.#auction;
    return this.host.seats.filter(
      (seat) => bidders.includes(seat) && !sealed.includes(seat) && !(seat === leader && terms.mode < 2),
    );
  }

  // Whom a ceiling is for: who leads may set one, too, when there is nobody else here to bid for.
  get #proxySeat() {
    return this.seat.options.length ? Number(this.seat.value) : this.#auction.leader;
  }

  #drawSeats(able) {
    const shown = [...this.seat.options].map((option) => Number(option.value));
    if (String(shown) !== String(able))
      this.seat.replaceChildren(...able.map((seat) => h("option", { value: seat }, this.host.who(seat))));
    this.seatField.hidden = able.length < 2;
  }

  #makeForm() {
    this.seat = h("select", { "aria-label": t("game.seat_which") });
    this.seatField = h("label", { class: "field" }, h("span", {}, t("game.seat_which")), this.seat);
    this.amount = h("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      maxlength: 16,
      "aria-label": t("auction.amount"),
      on: {
        input: () => {
          this.#edited = true;
          this.#label();
        },
      },
    });
    this.less = h("button", { type: "button", class: "round", on: { click: () => this.#move(-1n) } }, icon("minus"));
    this.more = h("button", { type: "button", class: "round", on: { click: () => this.#move(1n) } }, icon("plus"));
    this.bid = h("button", { type: "submit", class: "button primary big", dataset: { testid: "bid" } });
    this.pass = h(
      "button",
      { type: "button", class: "button", dataset: { testid: "pass" }, on: { click: () => this.#pass() } },
      t("auction.pass"),
    );
    this.stepper = h("div", { class: "stepper" }, this.less, this.amount, this.more);
    const form = h(
      "form",
      { class: "bid-form", novalidate: true },
      this.seatField,
      this.stepper,
      h("div", { class: "bid-buttons" }, this.bid, this.pass),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    return form;
  }

  // The amount follows the least bid until somebody types; what is below it is raised to it.
  #follow(before) {
    const auction = this.#auction;
    const sealed = SEALED.includes(auction.terms.mode);
    const dutch = auction.terms.mode === DUTCH;
    this.stepper.hidden = dutch;
    setAttribute(this.amount, "aria-label", t(sealed ? "auction.amount_sealed" : "auction.amount"));
    const least = sealed ? auction.terms.minimum : auction.least;
    const typed = this.#typed();
    if (!dutch && (before === null || (!sealed && (!this.#edited || (typed !== null && typed < least))))) {
      const raised = before !== null && typed !== least && document.activeElement !== this.amount;
      this.#write(least);
      this.#edited = false;
      if (raised && !this.form.hidden) this.#wait();
    }
    const step = this.#step();
    setAttribute(this.less, "aria-label", t("auction.less", { amount: this.host.money(step) }));
    setAttribute(this.more, "aria-label", t("auction.more", { amount: this.host.money(step) }));
    setAttribute(this.pass, "aria-label", t("auction.pass_named", { name: this.host.name(auction) }));
    this.#label();
  }

  #wait() {
    this.bid.disabled = true;
    setTimeout(() => {
      this.bid.disabled = this.#busy;
    }, RAISED_WAIT_MS);
  }

  #label() {
    const auction = this.#auction;
    if (auction.terms.mode === DUTCH) {
      setText(this.bid, t("auction.take", { amount: this.host.money(this.#falling()) }));
      return;
    }
    const amount = this.#typed();
    const key = SEALED.includes(auction.terms.mode) ? "auction.hand_in" : "auction.bid";
    const said = amount === null ? "…" : this.host.money(amount);
    setText(this.bid, t(key, { amount: said }));
    const named = key === "auction.bid" && t("auction.bid_named", { amount: said, name: this.host.name(auction) });
    setAttribute(this.bid, "aria-label", named);
  }

  #step() {
    const { increment } = this.#auction.terms;
    if (this.#auction.terms.fixedStep || increment > 1n) return increment || 1n;
    const found = STEPS.find(([below]) => this.#auction.least < below);
    return found ? found[1] : STEP_MOST;
  }

  #move(way) {
    const { least, terms } = this.#auction;
    const floor = SEALED.includes(terms.mode) ? terms.minimum : least;
    const next = (this.#typed() ?? floor) + way * this.#step();
    this.#write(next < floor ? floor : next);
    this.#edited = true;
    this.#label();
  }

  #typed() {
    return parseAmount(this.amount.value, this.host.currency.scale);
  }

  #write(amount) {
    this.amount.value = typed(amount, this.host.currency.scale);
  }

  async #submit() {
    const auction = this.#auction;
    const dutch = auction.terms.mode === DUTCH;
    const amount = dutch ? this.#falling() : this.#typed();
    if (amount === null || amount <= 0n) {
      toast(t("auction.bad_amount"));
      return;
    }
    const seat = Number(this.seat.value);
    if (!(await this.#run("bid", seat, amount))) return;
    this.#handed.set(seat, amount);
    this.#edited = false;
    if (this.#auction) this.update(this.#auction);
  }

  async #pass() {
    const name = this.host.name(this.#auction);
    if (await confirm(t("auction.pass_title", { name }), t("auction.pass_text"), t("auction.pass")))
      await this.#run("pass", Number(this.seat.value), 0n);
  }

  async #setCeiling(amount) {
    const seat = this.#proxySeat;
    if (!(await this.#run("proxy", seat, amount))) return;
    this.#ceilings.set(seat, amount);
    if (this.#auction) this.update(this.#auction);
  }

  async #cancel() {
    const name = this.host.name(this.#auction);
    const title = t("auction.cancel_title", { name });
    if (!(await confirm(title, t("auction.cancel_text"), t("auction.cancel"), "danger"))) return;
    await this.#try(() => this.host.cancel(this.#auction));
  }

  // False when it could not be done; the reason has been said then.
  #run(kind, seat, amount) {
    return this.#try(() => this.host.act(kind, this.#auction, seat, amount));
  }

  async #try(act) {
    if (this.#busy) return false;
    this.#busy = true;
    this.bid.disabled = true;
    this.form.setAttribute("aria-busy", "true");
    try {
      await act();
      return true;
    } catch (error) {
      if (!error.code) throw error;
      toast(explain(error));
      return false;
    } finally {
      this.#busy = false;
      this.bid.disabled = false;
      this.form.removeAttribute("aria-busy");
    }
  }
}
