// What everybody at the table may see: balances as bars, balances over time, what happened, and in the end the ranking.

import { h, keyed, setAttribute, setText } from "../dom.js";
import { locale, spoken, t } from "../i18n.js";
import { icon, seatSign } from "../icons.js";
import { money } from "../money.js";
import { drawChart, seatOf } from "./chart.js";

const HISTORY_STEP = 40;

/** The spectators' view. */
export class BoardView {
  #shown = HISTORY_STEP;
  #drawn = -1;

  constructor(live) {
    this.live = live;
    this.ranking = h("section", { class: "panel ranking", hidden: true });
    this.bars = h("ol", { class: "bars" });
    this.chart = h("div", { class: "chart-place" });
    // One unit of the drawing is one pixel, so that its letters are as large as all others.
    new ResizeObserver(() => this.#drawChart()).observe(this.chart);
    this.history = h("ol", { class: "history" });
    this.more = h(
      "button",
      {
        type: "button",
        class: "button",
        on: {
          click: () => {
            this.#shown += HISTORY_STEP;
            this.update();
          },
        },
      },
      t("history.more"),
    );
    this.none = h("p", { class: "muted" }, t("history.none"));
    // It is scrolled, so the keyboard must be able to go there.
    this.element = h(
      "div",
      { class: "board-view", role: "region", tabindex: 0, "aria-label": t("nav.board") },
      this.ranking,
      h("section", { class: "panel" }, h("h2", {}, t("board.balances")), this.bars),
      h("section", { class: "panel" }, h("h2", {}, t("chart.title")), this.chart),
      h("section", { class: "panel" }, h("h2", {}, t("history.title")), this.history, this.none, this.more),
    );
    this.update();
  }

  /** Draws what has changed. */
  update() {
    this.#drawRanking();
    this.#drawBars();
    const { operations, table } = this.live;
    const stamp = `${operations.length}/${operations.at(-1)?.version}/${table.cards.map((card) => card.name)}/${spoken()}`;
    if (stamp !== this.#drawn) this.#drawChart();
    this.#drawn = stamp;
    const newest = operations.slice(-this.#shown).reverse();
    keyed(
      this.history,
      newest,
      (operation) => operation.version,
      (operation) => this.#makeLine(operation),
      (line, operation) => {
        line.classList.toggle("undone", operation.reversedBy > 0);
        line.querySelector(".mark").hidden = !operation.reversedBy;
      },
    );
    this.none.hidden = operations.length > 0;
    this.more.hidden = operations.length <= this.#shown;
  }

  #drawChart() {
    this.chart.replaceChildren(drawChart(this.live.table, this.live.operations, this.chart.clientWidth));
  }

  #drawBars() {
    const { cards, currency } = this.live.table;
    const most = cards.reduce((top, card) => (card.balance > top ? card.balance : top), 1n);
    keyed(
      this.bars,
      cards.filter((card) => !card.retired),
      (card) => card.cardId,
      (card) =>
        h(
          "li",
          { class: `seat-line-${card.seat % 8}`, dataset: { testid: `balance-${card.seat}` } },
          seatSign(card.seat),
          h("span", { class: "bar-name" }),
          h("span", { class: "bar-sum" }),
          h("span", { class: "owes", hidden: true }),
          h("span", { class: "bar", "aria-hidden": "true" }, h("span", {})),
        ),
      (item, card) => {
        setText(item.querySelector(".bar-name"), card.name);
        setText(item.querySelector(".bar-sum"), card.hidden ? t("card.hidden") : money(card.balance, currency));
        const owes = item.querySelector(".owes");
        owes.hidden = card.owes === 0n;
        setText(owes, t("card.owes", { amount: money(card.owes, currency) }));
        // Set by the object model, which the content policy allows; a style attribute it would not.
        item.querySelector(".bar span").style.width = card.hidden
          ? "0"
          : `${Number((card.balance * 1000n) / most) / 10}%`;
      },
    );
  }

  #drawRanking() {
    const { ranking, currency, status } = this.live.table;
    const over = status === "TABLE_STATUS_CLOSED";
    this.ranking.hidden = !over;
    if (!over || this.ranking.childElementCount) return;
    this.ranking.append(
      h("h2", {}, t("ranking.title")),
      h(
        "ol",
        { class: "podium", dataset: { testid: "ranking" } },
        ranking.map((rank) => {
          const name = this.live.seat(rank.seat)?.name ?? "";
          return h(
            "li",
            { class: `place-${rank.place} seat-line-${rank.seat % 8}` },
            h("span", { class: "place" }, String(rank.place)),
            seatSign(rank.seat),
            h("span", { class: "bar-name" }, name),
            h("span", { class: "bar-sum" }, money(rank.total, currency)),
          );
        }),
      ),
    );
  }

  #makeLine(operation) {
    const clock = new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit", second: "2-digit" });
    const line = h(
      "li",
      { class: operation.reverses ? "is-undo" : "", dataset: { kind: operation.kind, version: operation.version } },
      h("time", { datetime: new Date(operation.time).toISOString() }, clock.format(operation.time)),
      h(
        "div",
        { class: "what" },
        h("span", { class: "sentence" }, sentence(operation, this.live)),
        h("span", { class: "mark", hidden: true }, icon("undo"), t("history.undone")),
        operation.note ? h("q", { class: "note-text" }, operation.note) : null,
        h("small", {}, actor(operation.actor, this.live)),
      ),
    );
    setAttribute(line, "id", `operation-${operation.version}`);
    return line;
  }
}

/** An operation as a sentence. */
export function sentence(operation, live) {
  const { currency } = live.table;
  const party = (account) => {
    const seat = seatOf(account);
    return seat < 0 ? t("party.bank") : (live.seat(seat)?.name ?? account);
  };
  const say = (entry) => {
    const values = { from: party(entry.debit), to: party(entry.credit), amount: money(entry.amount, currency) };
    if (seatOf(entry.debit) >= 0 && seatOf(entry.credit) >= 0) return t("history.transfer", values);
    if (operation.kind === "go") return t("history.go", values);
    return t(seatOf(entry.credit) >= 0 ? "history.credit" : "history.debit", values);
  };
  const parts = operation.entries.map(say).join("; ");
  if (operation.kind === "reset") return t("history.reset");
  if (operation.kind === "open") {
    const [first, ...others] = operation.entries;
    return t(others.length ? "history.open" : "history.open_card", {
      to: party(first.credit),
      amount: money(first.amount, currency),
    });
  }
  if (operation.reverses) {
    const original = live.operations.find((other) => other.version === operation.reverses);
    return t("history.undo", { what: original ? sentence(original, live) : parts });
  }
  return operation.kind === "retire" ? t("history.retire", { what: parts }) : parts;
}

function actor(who, live) {
  if (who.startsWith("card:")) return t("by.card", { name: live.card(who.slice(5))?.name ?? "" });
  return who === "banker" || who === "guest" ? t(`by.${who}`) : "";
}
