// The board of a game: a ring to look at, and the same as a list to be read.

import { h, keyed, setAttribute, setText } from "../dom.js";
import { t } from "../i18n.js";
import { seatSign } from "../icons.js";

const SIDES = 4;
const TOKENS_SHOWN = 4;

/** The board; `teller` has the names. */
export class GameBoard {
  #drawn = "";

  constructor(live, teller) {
    this.live = live;
    this.teller = teller;
    this.middle = h("div", { class: "board-middle" }, h("span", {}, t("game.point")));
    this.ring = h("div", { class: "ring", "aria-hidden": "true" });
    this.ring.addEventListener("pointerover", (event) => this.#point(event));
    this.ring.addEventListener("click", (event) => this.#point(event));
    this.rows = h("tbody", {});
    this.list = h(
      "details",
      { class: "square-list" },
      h("summary", {}, t("game.squares")),
      h("table", {}, this.rows),
    );
    this.element = h("section", { class: "panel board-panel" }, h("h2", {}, t("game.board")), this.ring, this.list);
  }

  /** Draws what has changed. */
  update() {
    const { view } = this.live;
    const hammer = this.live.auctions.map((auction) => (auction.building ? -1 : auction.lot));
    const stamp = `${view.version}/${hammer}`;
    if (stamp === this.#drawn) return;
    this.#drawn = stamp;
    const { squares } = view.board;
    const isRing = squares.length % SIDES === 0 && squares.length > SIDES;
    this.ring.hidden = !isRing;
    this.list.open ||= !isRing;
    if (isRing) this.#drawRing(squares, hammer);
    keyed(
      this.rows,
      squares.map((square, place) => ({ square, place })),
      ({ place }) => place,
      ({ square }) => h("tr", {}, h("th", { scope: "row" }, square.name), h("td", {})),
      (row, { place }) => setText(row.lastChild, this.#said(place)),
    );
  }

  #drawRing(squares, hammer) {
    const side = squares.length / SIDES;
    this.ring.style.setProperty("--cells", String(side + 1));
    if (!this.middle.isConnected) {
      this.middle.style.gridArea = `2 / 2 / ${side + 1} / ${side + 1}`;
      this.ring.append(this.middle);
    }
    const tokens = new Map();
    for (const seat of this.live.view.seats)
      if (!seat.out && this.live.view.lots.size) tokens.set(seat.at, [...(tokens.get(seat.at) ?? []), seat.seat]);
    squares.forEach((square, place) => {
      let cell = this.ring.querySelector(`[data-square="${place}"]`);
      if (!cell) {
        cell = h(
          "div",
          { class: "cell", dataset: { square: place, group: square.group } },
          h("span", { class: "place" }, square.name),
          h("span", { class: "owner" }),
          h("span", { class: "tokens" }),
        );
        cell.style.gridArea = area(place, side);
        cell.dataset.side = Math.floor(place / side);
        this.ring.append(cell);
      }
      this.#drawCell(cell, place, tokens.get(place) ?? [], hammer.includes(place));
    });
  }

  #drawCell(cell, place, tokens, isSold) {
    const lot = this.live.view.lots.get(place);
    const owner = lot && lot.owner >= 0 ? lot.owner : -1;
    const [, mark, coins] = cell.children;
    const level = lot?.rentLevel || lot?.level || 0;
    const built = level === this.live.view.hotel && !lot.rentLevel ? "H" : level ? String(level) : "";
    mark.className = owner >= 0 ? `owner seat-line-${owner % 8}` : "owner";
    mark.replaceChildren(...(owner >= 0 ? [seatSign(owner)] : []), ...(built ? [built] : []));
    setAttribute(cell, "data-mortgaged", lot?.mortgaged ? "" : null);
    setAttribute(cell, "data-owned", owner >= 0 ? "" : null);
    setAttribute(cell, "data-hammer", isSold ? "" : null);
    const stamp = String(tokens);
    if (coins.dataset.tokens !== stamp) {
      coins.dataset.tokens = stamp;
      coins.replaceChildren(
        ...tokens.slice(0, TOKENS_SHOWN).map((seat) => h("span", { class: `token seat-${seat % 8}` }, seatSign(seat))),
      );
    }
  }

  #point(event) {
    const cell = event.target.closest(".cell");
    if (!cell) return;
    const place = Number(cell.dataset.square);
    this.middle.replaceChildren(h("strong", {}, this.teller.square(place)), h("span", {}, this.#said(place)));
  }

  // A square in words: whose, what stands on it, who stands there.
  #said(place) {
    const { view } = this.live;
    const lot = view.lots.get(place);
    const parts = [];
    if (lot) {
      if (lot.frozen) parts.push(t("game.frozen"));
      else parts.push(lot.owner >= 0 ? t("game.owner", { name: this.teller.who(lot.owner) }) : t("game.free"));
      if (lot.rentLevel) parts.push(t("game.level", { n: lot.rentLevel }));
      else if (lot.level) parts.push(this.teller.level(lot.level));
      if (lot.mortgaged) parts.push(t("game.mortgaged"));
    }
    const here = view.seats.filter((seat) => seat.at === place && !seat.out && view.lots.size).map((seat) => seat.seat);
    if (here.length) parts.push(t("game.stand_here", { names: this.teller.all(here) }));
    return parts.join(" · ");
  }
}

// Where a square lies: GO at the lower right, on from there to the left and around.
function area(place, side) {
  const [row, column] = [
    [side + 1, side + 1 - place],
    [side + 1 - (place - side), 1],
    [1, 1 + place - 2 * side],
    [1 + place - 3 * side, side + 1],
  ][Math.floor(place / side)];
  return `${row} / ${column}`;
}
