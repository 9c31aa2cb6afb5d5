// All running auctions as panels, and what is said aloud of them: outbid, going once, sold; not every tick.

import { toast } from "../dialog.js";
import { h, keyed } from "../dom.js";
import { t } from "../i18n.js";
import { AuctionPanel } from "./auction.js";

const TICK_MS = 200;
const OPEN_MODES = 2;

/** The auctions of a game or a table; `host` is that of AuctionPanel. */
export class AuctionList {
  #panels = new Map();
  #known = new Map();
  #ticking = 0;

  constructor(host, announcer) {
    this.host = host;
    this.announcer = announcer;
    this.list = h("div", { class: "auction-list" });
    this.element = h(
      "section",
      { class: "panel auctions", "aria-label": t("auction.title"), hidden: true, dataset: { testid: "auctions" } },
      h("h2", {}, t("auction.title")),
      this.list,
    );
  }

  /** Draws the auctions as they are now, and says what is new. */
  update(auctions) {
    this.element.hidden = auctions.length === 0;
    keyed(
      this.list,
      auctions,
      (auction) => auction.auction,
      (auction) => {
        const panel = new AuctionPanel(this.host, auction);
        this.#panels.set(auction.auction, panel);
        return panel.element;
      },
      (_, auction) => this.#panels.get(auction.auction).update(auction),
    );
    for (const auction of auctions) this.#say(auction);
    const running = new Set(auctions.map((auction) => auction.auction));
    for (const number of this.#panels.keys()) if (!running.has(number)) this.#panels.delete(number);
    this.#known = new Map(auctions.map((auction) => [auction.auction, auction]));
    this.#run(auctions.length > 0);
  }

  /** Says how an auction ended: `winner` is -1 for nobody. */
  ended(name, winner, price) {
    const { host } = this;
    const amount = host.money(price);
    if (winner < 0) this.announcer.say(t("auction.heard_unsold", { name }));
    else if (host.seats.includes(winner)) {
      this.announcer.say(t("auction.heard_won", { name, amount }), { urgent: true });
      toast(t("auction.heard_won", { name, amount }), "good");
    } else this.announcer.say(t("auction.heard_sold", { name, who: host.who(winner), amount }));
  }

  /** Says that an auction was called off. */
  cancelled(name) {
    this.announcer.say(t("auction.heard_called_off", { name }));
  }

  /** Ends the countdown. */
  close() {
    this.#run(false);
  }

  #run(on) {
    if (on === this.#ticking > 0) return;
    if (on) {
      this.#ticking = setInterval(() => {
        for (const panel of this.#panels.values()) panel.tick();
      }, TICK_MS);
    } else {
      clearInterval(this.#ticking);
      this.#ticking = 0;
    }
  }

  #say(auction) {
    const { announcer, host } = this;
    const before = this.#known.get(auction.auction);
    const name = host.name(auction);
    if (!before) {
      announcer.say(t("auction.heard_open", { name }));
      return;
    }
    if (auction.leader !== before.leader && auction.terms.mode < OPEN_MODES) {
      const amount = host.money(auction.price);
      if (host.seats.includes(before.leader) && auction.leader >= 0) {
        const text = t("auction.heard_outbid", { name, who: host.who(auction.leader), amount });
        announcer.say(text, { urgent: true });
        toast(text);
      } else if (host.seats.includes(auction.leader)) announcer.say(t("auction.heard_lead", { name, amount }));
    }
    if (auction.calls > before.calls)
      announcer.say(t("auction.heard_called", { name, called: t(`game.called.${Math.min(auction.calls, 2)}`) }));
  }
}
