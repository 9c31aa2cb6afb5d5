// A bank card as it is drawn everywhere: a colour and a sign of its seat, the name, a chip.

import { h, setText } from "../dom.js";
import { seatSign } from "../icons.js";

/** Fills `element` with the face of a card. */
export function cardFace(card, extra = null) {
  return h(
    "span",
    { class: `face seat-${card.seat % 8}` },
    h("span", { class: "chip", "aria-hidden": "true" }),
    h("span", { class: "seat-sign", "aria-hidden": "true" }, seatSign(card.seat)),
    h("span", { class: "name" }, card.name),
    extra,
  );
}

/** Follows a change of the name. */
export function updateFace(face, card) {
  setText(face.querySelector(".name"), card.name);
}
