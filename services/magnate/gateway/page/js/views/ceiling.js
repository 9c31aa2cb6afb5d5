// A secret ceiling up to which bids are made for a seat: what is set, and what sets it.

import { toast } from "../dialog.js";
import { h, setText } from "../dom.js";
import { t } from "../i18n.js";
import { parseAmount } from "../money.js";

/** The part of an auction's panel; `set(amount)` sets a ceiling, 0n takes it back. */
export class Ceiling {
  constructor(host, set) {
    this.host = host;
    this.set = set;
    this.input = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", maxlength: 16 });
    this.note = h("p", { class: "muted", hidden: true, dataset: { testid: "proxied" } });
    const button = (name, act) =>
      h(
        "button",
        { type: "button", class: "button", dataset: { testid: `proxy-${name}` }, on: { click: act } },
        t(`auction.proxy.${name}`),
      );
    this.form = h(
      "details",
      { class: "proxy", hidden: true },
      h("summary", {}, t("auction.proxy")),
      h("label", { class: "field" }, h("span", {}, t("auction.proxy")), this.input),
      h("div", { class: "bid-buttons" }, button("set", () => this.#set()), button("off", () => set(0n))),
    );
  }

  /** Draws what is set, 0n for none, and whether it may be changed. */
  update(ceiling, isAble) {
    this.form.hidden = !isAble;
    this.note.hidden = ceiling === 0n;
    setText(this.note, t("auction.proxied", { amount: this.host.money(ceiling) }));
  }

  #set() {
    const amount = parseAmount(this.input.value, this.host.currency.scale);
    if (amount === null) toast(t("auction.bad_amount"));
    else this.set(amount);
  }
}
