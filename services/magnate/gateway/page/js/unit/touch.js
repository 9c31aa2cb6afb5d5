// The touch unit: a reader, and what is tapped on it: cards, deeds, other squares, event cards, one kind at a time.

import { h, setAttribute, setText } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { wakeSounds } from "../sounds.js";
import { DEEDS, EVENTS, SQUARES } from "./board.js";

const KINDS = ["card", "deed", "square", "event"];

/** The reader and what can be tapped on it. */
export class Touch {
  #looking = false;
  #called = "";

  constructor(live) {
    this.live = live;
    this.said = h("span", {});
    this.pad = h("div", { class: "pad", "aria-hidden": "true" }, icon("wave"), this.said);
    this.look = this.#button("look", t("touch.look"), () => this.#setLooking(!this.#looking), {
      "aria-pressed": "false",
    });
    this.places = [
      ...DEEDS.map(([square, group], place) => this.#deed(square, group, place + 1)),
      ...SQUARES.map(([square, kind]) => this.#square(square, kind)),
    ];
    const events = EVENTS.map((card, place) => {
      const tap = () => this.#tap({ tapEvent: { card } });
      return h("li", {}, this.#button("event", [h("b", {}, String(place + 1)), t(`event.${card}`)], tap));
    });
    const deeds = this.places.slice(0, DEEDS.length);
    const squares = this.places.slice(DEEDS.length);
    this.panels = {
      card: null,
      deed: h("div", { class: "deeds", role: "group", "aria-label": t("touch.deeds") }, deeds, this.look),
      square: h("div", { class: "squares", role: "group", "aria-label": t("touch.kind.square") }, squares),
      event: h("ul", { class: "events", "aria-label": t("touch.events") }, events),
    };
    this.kinds = new Map(
      KINDS.map((kind) => {
        const attributes = { dataset: { testid: `kind-${kind}` } };
        return [kind, this.#button("kind", t(`touch.kind.${kind}`), () => this.#choose(kind), attributes)];
      }),
    );
    const choice = h("div", { class: "kinds", role: "group", "aria-label": t("touch.pad") }, [...this.kinds.values()]);
    this.element = h("div", { class: "touch" }, choice, this.panels.deed, this.panels.square, this.panels.event);
  }

  /** Takes the cards in as the first kind of what can be tapped. */
  show(tray) {
    this.panels.card = tray;
    this.#choose("card");
  }

  /** Follows what the unit waits for. Where it can be only one kind, that comes to the front. */
  update(frame) {
    const called = frame.expects.filter((what) => ["card", "deed", "event"].includes(what));
    const only = called.length === 1 ? called[0] : "";
    this.pad.classList.toggle("called", called.length > 0);
    setText(this.said, only ? t(`touch.expects.${only}`) : t("touch.pad"));
    for (const [kind, button] of this.kinds) {
      button.classList.toggle("called", called.length < 3 && called.includes(kind === "square" ? "deed" : kind));
    }
    if (only && only !== this.#called) this.#choose(only);
    this.#called = only;
    for (const place of this.places) {
      setAttribute(place, "aria-current", Number(place.dataset.square) === frame.square ? "true" : null);
    }
  }

  #deed(square, group, number) {
    const label = t("touch.deed", { number, group: t(`group.${group}`) });
    const attributes = { "aria-label": label, dataset: { square } };
    return this.#button(`deed group-${group}`, String(number), () => this.#tapSquare(square), attributes);
  }

  #square(square, kind) {
    const label = t("touch.square", { kind: t(`square.${kind}`), number: square });
    const attributes = { "aria-label": label, dataset: { square } };
    const content = [t(`square.${kind}`), h("small", {}, String(square))];
    return this.#button("square", content, () => this.#tapSquare(square), attributes);
  }

  #button(name, content, listener, attributes = {}) {
    return h("button", { type: "button", class: name, on: { click: listener }, ...attributes }, content);
  }

  #choose(kind) {
    for (const [name, button] of this.kinds) {
      setAttribute(button, "aria-pressed", name === kind);
      this.panels[name].hidden = name !== kind;
    }
  }

  #tapSquare(square) {
    // The unit of the box has X held for that; one hand cannot.
    this.#tap({ tapDeed: this.#looking ? { square, query: true } : { square } });
    this.#setLooking(false);
  }

  #tap(action) {
    wakeSounds();
    this.live.operate(action);
  }

  #setLooking(looking) {
    this.#looking = looking;
    setAttribute(this.look, "aria-pressed", looking);
  }
}
