// The cards of a table: whose they are, taking one to this phone, and codes that hand things to other phones.

import { PIN_INPUT, ask, askPin, confirm, toast } from "../dialog.js";
import { h, keyed, setText } from "../dom.js";
import { because, explain, t } from "../i18n.js";
import { icon } from "../icons.js";
import { money } from "../money.js";
import { cardLink, hereOnly, joinLink, linkLine, qrCode, showLink } from "../qr.js";
import { cardFace } from "../unit/card.js";
import { bestRole, known, remember } from "../vault.js";

/** The view of the cards. */
export class CardsView {
  constructor(live) {
    this.live = live;
    this.list = h("ul", { class: "card-list" });
    this.invitation = h("section", { class: "panel invitation" });
    this.title = h("h2", {});
    this.element = h(
      "div",
      { class: "cards-view" },
      h("section", { class: "panel" }, this.title, this.list),
      this.invitation,
    );
    this.code = "";
    this.update();
  }

  /** Draws what has changed. */
  update() {
    const { table } = this.live;
    const entry = known(this.live.tableId);
    const holds = Object.keys(entry.cards).length > 0;
    this.element.classList.toggle("banker", this.live.isBanker);
    setText(
      this.title,
      this.live.isBanker ? t("cards.title.banker") : holds ? t("cards.title") : t("cards.title.take"),
    );
    keyed(
      this.list,
      table.cards,
      (card) => card.cardId,
      (card) => this.#make(card),
      (item, card) => this.#follow(item, card, entry),
    );
    if (table.joinCode !== this.code) this.#invite(table.joinCode);
  }

  #invite(code) {
    this.code = code;
    const link = joinLink(code);
    this.invitation.replaceChildren(
      h("h2", {}, t("invite.title")),
      h("p", { class: "muted" }, t("invite.what")),
      h(
        "div",
        { class: "invite-row" },
        qrCode(link, t("invite.qr", { code })),
        h(
          "div",
          { class: "invite-text" },
          h("p", { class: "join-code", dataset: { testid: "join-code" } }, code),
          linkLine(link),
          hereOnly(),
        ),
      ),
    );
    this.invitation.hidden = !code;
  }

  #make(card) {
    const { cardId } = card;
    const act = (key, name, listener) =>
      h(
        "button",
        { type: "button", class: "button", dataset: { act: key }, on: { click: listener } },
        icon(name),
        t(`cards.${key}`),
      );
    return h(
      "li",
      { dataset: { testid: `holder-${card.seat}` } },
      h(
        "button",
        { type: "button", class: "face-button", on: { click: () => this.#take(cardId) } },
        cardFace(card, h("span", { class: "balance" })),
      ),
      h(
        "div",
        { class: "card-text" },
        h("p", { class: "status" }),
        h(
          "div",
          { class: "card-acts" },
          act("take", "cards", () => this.#take(cardId)),
          act("qr", "qr", () => this.#showCode(cardId)),
          act("pin", "key", () => this.#setPin(cardId)),
        ),
      ),
    );
  }

  #follow(item, card, entry) {
    const mine = Boolean(entry.cards[card.cardId]);
    const free = !card.claimed && !card.retired;
    setText(item.querySelector(".name"), card.name);
    setText(
      item.querySelector(".balance"),
      card.hidden ? t("card.hidden") : money(card.balance, this.live.table.currency),
    );
    const words = [
      card.retired ? "retired" : mine ? "mine" : card.claimed ? "taken" : "free",
      card.locked && "locked",
      card.hasPin && "pin",
    ];
    setText(
      item.querySelector(".status"),
      words
        .filter(Boolean)
        .map((word) => t(`card.${word}`))
        .join(" · "),
    );
    item.classList.toggle("mine", mine);
    item.classList.toggle("retired", card.retired);
    const takes = !mine && !card.retired && (free || Boolean(entry.secrets[card.cardId]));
    item.querySelector("[data-act=take]").hidden = !takes;
    item.querySelector("[data-act=qr]").hidden =
      card.retired || !(entry.secrets[card.cardId] || entry.cards[card.cardId]?.secret);
    item.querySelector("[data-act=pin]").hidden = !mine || card.retired;
    const face = item.querySelector(".face-button");
    face.disabled = !takes;
    face.setAttribute("aria-label", takes ? t("cards.take_named", { name: card.name }) : card.name);
  }

  async #take(cardId, pin = "") {
    const card = this.live.card(cardId);
    const entry = known(this.live.tableId);
    const request = { cardId, pin };
    if (entry.secrets[cardId]) request.secret = entry.secrets[cardId];
    await this.#trying(
      async () => {
        const response = await this.live.command("ClaimCard", request, bestRole(this.live.tableId));
        remember(this.live.tableId, (kept) => {
          kept.cards[cardId] = { token: response.cardToken, secret: response.secret ?? "" };
        });
        toast(t("cards.taken", { name: card.name }), "good");
        this.update();
      },
      async (error) => {
        if (error.reason !== "PIN_REQUIRED" && error.reason !== "WRONG_PIN") return false;
        if (error.reason === "WRONG_PIN") toast(because("WRONG_PIN"));
        const given = await askPin(card.name);
        if (given) await this.#take(cardId, given);
        return true;
      },
    );
  }

  #showCode(cardId) {
    const card = this.live.card(cardId);
    const entry = known(this.live.tableId);
    const secret = entry.secrets[cardId] || entry.cards[cardId].secret;
    showLink(
      t("cards.qr_title", { name: card.name }),
      t("cards.qr_text"),
      cardLink(this.live.tableId, cardId, secret),
      cardFace(card),
    );
  }

  async #setPin(cardId) {
    const card = this.live.card(cardId);
    const old = card.hasPin ? await ask(t("pin.change"), t("pin.old"), PIN_INPUT, t("pin.next")) : "";
    if (old === null) return;
    const fresh = await ask(
      card.hasPin ? t("pin.change") : t("pin.set"),
      t("pin.new"),
      { ...PIN_INPUT, required: false },
      t("pin.ok"),
    );
    if (fresh === null) return;
    if (!fresh && !(card.hasPin && (await confirm(t("pin.change"), t("pin.remove"), t("pin.remove_yes"))))) return;
    await this.#trying(async () => {
      await this.live.command("SetPin", { cardId, oldPin: old, newPin: fresh }, `card:${cardId}`);
      toast(t(fresh ? "pin.is_set" : "pin.is_removed"), "good");
    });
  }

  async #trying(act, handled = async () => false) {
    try {
      await act();
    } catch (error) {
      if (!error.code) throw error;
      if (await handled(error)) return;
      toast(explain(error));
    }
  }
}
