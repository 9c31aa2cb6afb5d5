// The touch unit: a reader where cards, deeds and event cards are tapped. Deeds are known by number and colour; their names
// stand on the cards of the box.

import { h, setAttribute, setText } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { wakeSounds } from "../sounds.js";

// Square and colour group of each deed, in the order of their numbers.
export const DEEDS = [
  [1, "brown"], [3, "brown"], [5, "light_blue"], [6, "light_blue"], [8, "light_blue"], [10, "pink"], [12, "pink"], [13, "pink"],
  [14, "orange"], [15, "orange"], [17, "orange"], [19, "red"], [21, "red"], [22, "red"], [23, "yellow"], [24, "yellow"],
  [26, "yellow"], [28, "green"], [30, "green"], [31, "green"], [33, "dark_blue"], [35, "dark_blue"],
];
const LOOK_MS = 1500;
export const EVENTS = Array.from({ length: 23 }, (_, place) => `ev${String(place + 1).padStart(2, "0")}`);

/** The number of the deed of a square; 0 for none. */
export function deedNumber(square) {
  return DEEDS.findIndex(([at]) => at === square) + 1;
}

/** The reader, and what can be tapped on it: cards, deeds, event cards, one kind at a time. */
export class Touch {
  #looking = false;
  #called = "";

  constructor(live) {
    this.live = live;
    this.pad = h("div", { class: "pad", "aria-hidden": "true" }, icon("wave"), h("span", {}));
    this.look = h("button", { type: "button", class: "look", "aria-pressed": "false", on: { click: () => this.#setLooking(!this.#looking) } }, t("touch.look"));
    const deeds = DEEDS.map(([square, group], place) => h("button", {
      type: "button", class: `deed group-${group}`, "aria-label": t("touch.deed", { number: place + 1, group: t(`group.${group}`) }),
      dataset: { square }, on: { click: () => this.#tapDeed(square) },
    }, String(place + 1)));
    const events = EVENTS.map((card, place) => h("li", {}, h("button", { type: "button", class: "event", on: { click: () => this.#tapEvent(card) } },
      h("b", {}, String(place + 1)), t(`event.${card}`))));
    this.panels = {
      card: null,
      deed: h("div", { class: "deeds", role: "group", "aria-label": t("touch.deeds") }, deeds, this.look),
      event: h("ul", { class: "events", "aria-label": t("touch.events") }, events),
    };
    this.kinds = Object.fromEntries(["card", "deed", "event"].map((kind) => [kind, h("button", {
      type: "button", class: "kind", dataset: { testid: `kind-${kind}` }, on: { click: () => this.#choose(kind) },
    }, t(`touch.kind.${kind}`))]));
    this.element = h("div", { class: "touch" }, h("div", { class: "kinds", role: "group", "aria-label": t("touch.pad") }, Object.values(this.kinds)), this.panels.deed, this.panels.event);
  }

  /** Takes the cards in as the first kind of what can be tapped. */
  show(tray) {
    this.panels.card = tray;
    this.#choose("card");
  }

  /** Holding X looks without buying: deeds tapped meanwhile, or soon after, are only looked at. */
  listenLook(cross) {
    cross.addEventListener("pointerdown", () => this.#setLooking(true));
    for (const event of ["pointerup", "pointercancel"]) cross.addEventListener(event, () => setTimeout(() => this.#setLooking(false), LOOK_MS));
  }

  /** Follows what the unit waits for: the first kind it names comes to the front, once. */
  update(frame) {
    const called = frame.expects.find((what) => what in this.kinds) ?? "";
    this.pad.classList.toggle("called", Boolean(called));
    setText(this.pad.querySelector("span"), called ? t(`touch.expects.${called}`) : t("touch.pad"));
    for (const [kind, button] of Object.entries(this.kinds)) button.classList.toggle("called", frame.expects.includes(kind));
    if (called && called !== this.#called) this.#choose(called);
    this.#called = called;
    for (const deed of this.panels.deed.querySelectorAll(".deed")) setAttribute(deed, "aria-current", Number(deed.dataset.square) === frame.square ? "true" : null);
  }

  #choose(kind) {
    for (const [name, button] of Object.entries(this.kinds)) {
      setAttribute(button, "aria-pressed", name === kind);
      this.panels[name].hidden = name !== kind;
    }
  }

  #tapDeed(square) {
    wakeSounds();
    this.live.operate({ tapDeed: this.#looking ? { square, query: true } : { square } });
    this.#setLooking(false);
  }

  #tapEvent(card) {
    wakeSounds();
    this.live.operate({ tapEvent: { card } });
  }

  #setLooking(looking) {
    this.#looking = looking;
    setAttribute(this.look, "aria-pressed", looking);
  }
}
