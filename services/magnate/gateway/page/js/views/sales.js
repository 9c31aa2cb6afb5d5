// Auctions at a table: everybody sees the countdown, cards bid from their phones, the banker opens and calls off.

import { Announcer } from "../announce.js";
import { toast } from "../dialog.js";
import { h, keyed, setText } from "../dom.js";
import { explain, locale, t } from "../i18n.js";
import { icon } from "../icons.js";
import { money } from "../money.js";
import { TableSales } from "../sales.js";
import { AuctionList } from "./auctions.js";
import { askForSale } from "./saleform.js";

/** The view of a table's auctions; `news(running)` is told how many are running. */
export class SalesView {
  #opened = new Set();

  constructor(live, news) {
    this.live = live;
    this.news = news;
    this.announcer = new Announcer();
    this.sales = new TableSales(live, (events) => this.#changed(events));
    this.auctions = new AuctionList(this.#host(), this.announcer);
    this.none = h("p", { class: "muted" }, t("auction.none"));
    this.card = h("p", { class: "note" }, t("auction.need_card"));
    this.open = h(
      "button",
      {
        type: "button",
        class: "button primary",
        dataset: { testid: "open-auction" },
        on: { click: () => this.#open() },
      },
      icon("hammer"),
      t("sale.open"),
    );
    this.results = h("ol", { class: "history", dataset: { testid: "sold" } });
    this.noResults = h("p", { class: "muted" }, t("auction.no_results"));
    this.element = h(
      "div",
      { class: "sales-view", role: "region", tabindex: 0, "aria-label": t("nav.auctions") },
      this.auctions.element,
      h("section", { class: "panel" }, h("h2", {}, t("nav.auctions")), this.none, this.card, this.open),
      h("section", { class: "panel" }, h("h2", {}, t("auction.results")), this.results, this.noResults),
    );
    this.update();
    this.sales.start();
  }

  /** Ends watching. */
  close() {
    this.sales.close();
    this.auctions.close();
    this.announcer.element.remove();
  }

  /** Draws what has changed. */
  update() {
    const { sales, live } = this;
    sales.follow();
    this.auctions.update(sales.auctions);
    this.none.hidden = sales.auctions.length > 0;
    this.open.hidden = !sales.mayOpen;
    this.card.hidden = sales.auctions.length === 0 || sales.seats.length > 0;
    const sold = sales.results.filter((one) => one.state !== "running").toReversed();
    this.noResults.hidden = sold.length > 0;
    const clock = new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit" });
    keyed(
      this.results,
      sold,
      (one) => one.auction,
      (one) =>
        h("li", {}, h("time", { datetime: one.time }, clock.format(new Date(one.time))), h("div", { class: "what" })),
      (line, one) => setText(line.lastChild, this.#result(one, live)),
    );
  }

  #host() {
    const view = this;
    const { live } = this;
    const who = (seat) => live.seat(seat)?.name ?? `#${seat + 1}`;
    return {
      get clock() {
        return view.sales.clock;
      },
      get seats() {
        return view.sales.seats;
      },
      get paused() {
        return live.table?.status === "TABLE_STATUS_PAUSED";
      },
      get currency() {
        return live.table.currency;
      },
      get cancel() {
        return view.sales.mayCancel ? (auction) => view.sales.cancel(auction) : null;
      },
      who,
      all: (seats) => seats.map(who).join(", "),
      money: (amount) => money(amount, live.table.currency),
      name: (auction) => auction.terms.label || `#${auction.auction}`,
      act: (...what) => view.sales.act(...what),
    };
  }

  #changed(events) {
    for (const event of events) {
      const closed = event.auctionClosed;
      const name = (number) => this.sales.results.find((one) => one.auction === number)?.label ?? `#${number}`;
      if (closed && this.#opened.has(closed.auction ?? 0))
        this.auctions.ended(name(closed.auction ?? 0), closed.winner ?? 0, BigInt(closed.price ?? 0));
      if (event.auctionCancelled) this.auctions.cancelled(name(event.auctionCancelled.auction ?? 0));
    }
    // What was sold before this device looked on is not said aloud.
    this.#opened = new Set(this.sales.auctions.map((auction) => auction.auction));
    this.update();
    this.news(this.sales.auctions.length);
  }

  async #open() {
    const request = await askForSale(this.live);
    if (!request) return;
    try {
      await this.sales.open(request);
    } catch (error) {
      if (!error.code) throw error;
      toast(explain(error));
    }
  }

  #result(one) {
    const name = one.label;
    if (one.state === "cancelled") return t("auction.heard_called_off", { name });
    if (one.winner < 0) return t("auction.heard_unsold", { name });
    const who = this.live.seat(one.winner)?.name ?? `#${one.winner + 1}`;
    return t("auction.heard_sold", { name, who, amount: money(one.price, this.live.table.currency) });
  }
}
