// The unit on the screen: slots, display, keys, and below it the cards of this device. It draws the table's unit and sends
// what is done to it; every decision is the server's.

import { askPin } from "../dialog.js";
import { h, keyed, setAttribute, setText } from "../dom.js";
import { t, tn } from "../i18n.js";
import { icon } from "../icons.js";
import { money } from "../money.js";
import { settings } from "../settings.js";
import { wakeSounds } from "../sounds.js";
import { cardFace } from "./card.js";
import { Display } from "./display.js";
import { listenDrag } from "./drag.js";
import { keyOfKeyboard, makeKeys } from "./keys.js";
import { Touch } from "./touch.js";

const SLOTS = {
  UNIT_MODEL_TWO_SLOT: ["SLOT_LEFT", "SLOT_RIGHT"],
  UNIT_MODEL_ONE_SLOT: ["SLOT_LEFT"],
};

/** The unit of a table. */
export class UnitView {
  #selected = "";
  #wanted = "";

  constructor(live, goTo) {
    this.live = live;
    const { model } = live.table;
    this.model = model;
    this.display = new Display();
    this.touch = model === "UNIT_MODEL_TOUCH" ? new Touch(live) : null;
    const { group, buttons } = makeKeys(
      model,
      (key) => this.press(key),
      (key) => live.operate({ hold: { key } }),
    );
    this.keys = group;
    this.buttons = buttons;
    this.slots = (SLOTS[model] ?? []).map((slot) => this.#makeSlot(slot));
    this.tray = h("div", { class: "tray", role: "group", "aria-label": t("tray.label") });
    this.advice = h("p", { class: "advice" });
    this.take = h(
      "button",
      { type: "button", class: "button", on: { click: () => goTo("cards") } },
      icon("cards"),
      t("tray.take"),
    );
    this.queue = h("div", { class: "queue", role: "status" });
    this.element = h(
      "section",
      { class: "unit-view", "aria-label": t("unit.label"), dataset: { model } },
      h(
        "div",
        { class: "unit" },
        this.slots.length
          ? h(
              "div",
              { class: "mouths" },
              this.slots.map((slot) => slot.element),
            )
          : null,
        h("div", { class: "shell" }, this.display.element, this.touch?.pad ?? null, this.keys),
      ),
      h("div", { class: "hand" }, this.queue, this.advice, this.touch?.element ?? null, this.tray, this.take),
    );
    this.touch?.show(this.tray);
    this.update();
  }

  /** Presses a key. */
  press(key) {
    this.live.operate({ press: { key } });
    const button = this.buttons.get(key);
    button?.classList.remove("struck");
    requestAnimationFrame(() => button?.classList.add("struck"));
  }

  /** Draws what has changed. */
  update() {
    const { table } = this.live;
    if (!table.unit) return;
    this.display.show(this.#frame(table), this.live);
    const usable = this.live.usableCards;
    if (!usable.some((card) => card.cardId === this.#selected)) this.#selected = "";
    for (const slot of this.slots) this.#updateSlot(slot, table.unit);
    this.#updateTray(usable, table);
    this.touch?.update(table.unit.frame);
    const asleep = !this.live.mayPress || table.status === "TABLE_STATUS_CLOSED";
    for (const button of this.buttons.values()) setAttribute(button, "aria-disabled", asleep ? "true" : null);
    this.take.hidden = usable.length > 0 || !table.cards.some((card) => !card.claimed && !card.retired);
    setText(this.advice, this.#advise(usable));
    this.updateQueue();
  }

  /** Draws what waits to be sent. */
  updateQueue() {
    const { waiting } = this.live.outbox;
    const stuck = waiting.length && this.live.link !== "live";
    this.queue.hidden = !stuck;
    if (!stuck) {
      this.queue.replaceChildren();
      return;
    }
    const said = waiting.map((entry) => shortName(entry.request)).join(" ");
    this.queue.replaceChildren(
      h("span", {}, tn("queue.waiting", waiting.length), " ", h("kbd", {}, said)),
      h(
        "button",
        { type: "button", class: "link", on: { click: () => this.live.outbox.discard() } },
        t("queue.discard"),
      ),
    );
  }

  /** A key of the keyboard went down; says whether it was for the unit. */
  keyDown(event) {
    if (!settings.shortcuts || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (this.#steer(event)) return true;
    if (event.key === "Enter" && event.target.closest?.("button, a, input, select, textarea, summary")) return false;
    const key = keyOfKeyboard(event);
    const button = key && this.buttons.get(key);
    if (!button) return false;
    wakeSounds();
    if (event.repeat) return true;
    if (button.holdBegin) button.holdBegin();
    else this.press(key);
    return true;
  }

  /** A key of the keyboard went up. */
  keyUp(event) {
    this.buttons.get(keyOfKeyboard(event))?.holdEnd?.();
  }

  // The arrows: up and down choose a card, left and right put it into a slot or take out what is there.
  #steer(event) {
    const usable = this.live.usableCards;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step && usable.length) {
      const place = usable.findIndex((card) => card.cardId === this.#selected);
      const next =
        usable[place < 0 ? (step > 0 ? 0 : usable.length - 1) : (place + step + usable.length) % usable.length];
      this.#selected = next.cardId;
      this.update();
      this.tray.querySelector(`[data-key="${CSS.escape(next.cardId)}"]`)?.focus();
      return true;
    }
    const number = { ArrowLeft: 0, ArrowRight: this.slots.length - 1 }[event.key];
    if (number === undefined || !this.slots.length) return false;
    this.#tapSlot(this.slots[number].slot);
    return true;
  }

  #frame(table) {
    const { frame } = table.unit;
    if (table.status === "TABLE_STATUS_CLOSED")
      return { ...frame, state: "closed", text: "", suffix: "", sign: "", seat: -1 };
    return table.status === "TABLE_STATUS_PAUSED" ? { ...frame, state: "paused" } : frame;
  }

  #makeSlot(slot) {
    const bay = h("span", { class: "bay" });
    const button = h(
      "button",
      { type: "button", class: "slot", dataset: { slot, testid: slot }, on: { click: () => this.#tapSlot(slot) } },
      bay,
      h("span", { class: "slit", "aria-hidden": "true" }),
    );
    const mark = slot === "SLOT_RIGHT" ? "−" : "+";
    const lamp = h("span", { class: "lamp", "aria-hidden": "true" }, this.model === "UNIT_MODEL_TWO_SLOT" ? mark : "");
    const side = slot === "SLOT_RIGHT" ? "minus" : this.model === "UNIT_MODEL_TWO_SLOT" ? "plus" : "only";
    return { slot, bay, button, element: h("div", { class: `mouth ${side}` }, button, lamp) };
  }

  #updateSlot({ slot, bay, button }, unit) {
    const card = this.live.card(slot === "SLOT_RIGHT" ? unit.right : unit.left);
    if ((bay.dataset.card ?? "") !== (card?.cardId ?? "")) {
      bay.dataset.card = card?.cardId ?? "";
      bay.replaceChildren(...(card ? [cardFace(card)] : []));
    }
    button.classList.toggle("filled", Boolean(card));
    button.classList.toggle("inviting", !card && Boolean(this.#selected));
    button.classList.toggle("wanted", this.#wanted === slot);
    const name = t(this.model === "UNIT_MODEL_ONE_SLOT" ? "slot.only" : `slot.${slot}`);
    const chosen = this.live.card(this.#selected);
    const state = card
      ? t("slot.holds", { name: card.name })
      : chosen
        ? t("slot.insert", { name: chosen.name })
        : t("slot.empty");
    setAttribute(button, "aria-label", `${name}: ${state}`);
  }

  #updateTray(usable, table) {
    const { unit } = table;
    this.tray.dataset.count = usable.length;
    keyed(
      this.tray,
      usable,
      (card) => card.cardId,
      (card) => this.#makeCard(card),
      (button, card) => {
        const inside = [unit.left, unit.right].includes(card.cardId);
        setText(button.querySelector(".name"), card.name);
        setText(
          button.querySelector(".balance"),
          card.hidden ? "•••" : money(card.balance, { ...table.currency, unit: "" }),
        );
        button.classList.toggle("inside", inside);
        setAttribute(button, "aria-pressed", this.#selected === card.cardId || inside);
        const state = card.locked ? t("card.locked") : inside ? t("tray.inside") : "";
        setAttribute(
          button,
          "aria-label",
          [card.name, button.querySelector(".balance").textContent, state].filter(Boolean).join(", "),
        );
      },
    );
  }

  #makeCard(card) {
    const button = h(
      "button",
      { type: "button", class: "tray-card", dataset: { testid: `card-${card.seat}` } },
      cardFace(card, h("span", { class: "balance" })),
    );
    button.addEventListener("click", () => this.#tapCard(card.cardId));
    listenDrag(button, this.element, (slot) => this.#insert(slot, card.cardId));
    return button;
  }

  #tapCard(cardId) {
    wakeSounds();
    const { unit } = this.live.table;
    if (this.touch) {
      this.#touchCard(cardId);
      return;
    }
    if (unit.left === cardId) this.#remove("SLOT_LEFT");
    else if (unit.right === cardId) this.#remove("SLOT_RIGHT");
    else if (this.#wanted) this.#insert(this.#wanted, cardId);
    else if (this.slots.length === 1) this.#insert("SLOT_LEFT", cardId);
    else this.#selected = this.#selected === cardId ? "" : cardId;
    this.update();
  }

  async #touchCard(cardId) {
    const proof = await this.#proof(cardId);
    if (proof) this.live.operate({ tapCard: { cardId, ...proof } });
  }

  // What has to be shown with a card; null when it is not given. Whoever does not hold the card has to know its PIN, also
  // the banker.
  async #proof(cardId) {
    const card = this.live.card(cardId);
    const pin = card.hasPin && !this.live.holds(cardId) ? await askPin(card.name) : "";
    const secret = this.live.secretFor(cardId);
    return pin === null ? null : { ...(secret && { secret }), ...(pin && { pin }) };
  }

  #tapSlot(slot) {
    wakeSounds();
    const { unit } = this.live.table;
    const usable = this.live.usableCards.filter((card) => ![unit.left, unit.right].includes(card.cardId));
    if (slot === "SLOT_RIGHT" ? unit.right : unit.left) this.#remove(slot);
    else if (this.#selected) this.#insert(slot, this.#selected);
    else if (usable.length === 1) this.#insert(slot, usable[0].cardId);
    else this.#wanted = this.#wanted === slot || !usable.length ? "" : slot;
    this.update();
  }

  async #insert(slot, cardId) {
    this.#selected = "";
    this.#wanted = "";
    const proof = await this.#proof(cardId);
    if (!proof) return;
    const { unit } = this.live.table;
    const there = slot === "SLOT_RIGHT" ? unit.right : unit.left;
    if (there && there !== cardId) this.#remove(slot);
    const inOther = slot === "SLOT_RIGHT" ? unit.left === cardId : unit.right === cardId;
    if (inOther) this.#remove(slot === "SLOT_RIGHT" ? "SLOT_LEFT" : "SLOT_RIGHT");
    this.live.operate({ insert: { slot, cardId, ...proof } });
    this.update();
  }

  #remove(slot) {
    this.#wanted = "";
    this.live.operate({ remove: { slot } });
  }

  #advise(usable) {
    const { table } = this.live;
    if (table.status !== "TABLE_STATUS_OPEN") return "";
    if (!this.live.mayPress) return usable.length ? t("advice.not_shared") : t("advice.watching");
    if (this.touch) return "";
    if (this.#wanted) return t("advice.choose_card");
    if (this.#selected && this.slots.length > 1) return t("advice.choose_slot");
    return "";
  }
}

function shortName(request) {
  const key = request.press?.key ?? request.hold?.key;
  if (key) return t(`key.short.${key}`);
  if (request.insert) return "▼";
  return request.remove ? "▲" : "•";
}
