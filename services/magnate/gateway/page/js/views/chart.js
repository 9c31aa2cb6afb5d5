// Balances over time, from the operations: a step line for each card.

import { h, s } from "../dom.js";
import { locale, t } from "../i18n.js";
import { seatSign } from "../icons.js";
import { money } from "../money.js";

const WIDTH_MIN = 280;
const HEIGHT = 230;
const EDGE = { left: 46, right: 88, top: 12, bottom: 26 };
const LABEL_GAP = 17;

/** What was on each card after each operation: `[{seat, points: [{at, amount}]}]`. */
export function balancesOverTime(cards, operations) {
  const lines = new Map(
    cards.filter((card) => !card.hidden).map((card) => [card.seat, { seat: card.seat, points: [] }]),
  );
  const sums = new Map([...lines.keys()].map((seat) => [seat, 0n]));
  for (const operation of operations) {
    const touched = new Set();
    for (const { debit, credit, amount } of operation.entries) {
      for (const [account, change] of [
        [debit, -amount],
        [credit, amount],
      ]) {
        const seat = seatOf(account);
        if (!sums.has(seat)) continue;
        sums.set(seat, sums.get(seat) + change);
        touched.add(seat);
      }
    }
    for (const seat of touched) lines.get(seat).points.push({ at: operation.time, amount: sums.get(seat) });
  }
  return [...lines.values()].filter((line) => line.points.length);
}

/** The seat of an account; -1 for the bank and others. */
export function seatOf(account) {
  const match = /^seat-(\d+)$/.exec(account);
  return match ? Number(match[1]) : -1;
}

/** Draws the chart of a table, so many pixels wide. */
export function drawChart(table, operations, pixels) {
  const width = Math.max(WIDTH_MIN, pixels);
  const end = width - EDGE.right;
  const lines = balancesOverTime(table.cards, operations);
  if (operations.length < 2 || !lines.length) return h("p", { class: "muted chart-none" }, t("chart.none"));
  const first = operations[0].time;
  const newest = Math.max(operations.at(-1).time, first + 1000);
  // A little beyond the newest, so that where its line went is seen.
  const last = newest + (newest - first) / 25;
  const top = niceTop(
    Number(
      lines.flatMap((line) => line.points).reduce((most, point) => (point.amount > most ? point.amount : most), 1n),
    ),
  );
  const x = (time) => EDGE.left + ((time - first) / (last - first)) * (end - EDGE.left);
  const y = (amount) => HEIGHT - EDGE.bottom - (Number(amount) / top) * (HEIGHT - EDGE.top - EDGE.bottom);
  const name = (seat) => table.cards.find((card) => card.seat === seat).name;
  const summary = lines
    .map((line) => `${name(line.seat)}: ${money(line.points.at(-1).amount, table.currency)}`)
    .join("; ");
  return s(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${width} ${HEIGHT}`,
      width,
      height: HEIGHT,
      role: "img",
      "aria-label": t("chart.label", { summary }),
    },
    axis(top, y, end, table.currency),
    times(first, newest, x),
    lines.map((line) => stepLine(line, x, y, last)),
    labels(lines, y, end, name),
  );
}

function niceTop(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((top) => top >= most * 1.05) ?? power * 20;
}

function axis(top, y, end, currency) {
  return [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const amount = top * part;
    const whole = Number.isInteger(amount) && part !== 0.25 && part !== 0.75;
    return s(
      "g",
      { class: "grid" },
      s("line", { x1: EDGE.left, x2: end, y1: y(amount), y2: y(amount) }),
      whole
        ? s(
            "text",
            { x: EDGE.left - 8, y: y(amount) + 5, "text-anchor": "end" },
            amount ? money(BigInt(amount), { ...currency, unit: "" }) : "0",
          )
        : null,
    );
  });
}

function times(first, last, x) {
  const clock = new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit" });
  const long = last - first > 120000;
  return s(
    "g",
    { class: "grid" },
    (long ? [first, last] : [first]).map((time, place) =>
      s("text", { x: x(time), y: HEIGHT - 8, "text-anchor": place ? "end" : "start" }, clock.format(time)),
    ),
  );
}

function stepLine(line, x, y, last) {
  let path = "";
  for (const { at, amount } of line.points)
    path += path ? `H${x(at).toFixed(1)}V${y(amount).toFixed(1)}` : `M${x(at).toFixed(1)} ${y(amount).toFixed(1)}`;
  return s("path", { class: `line seat-line-${line.seat % 8}`, d: `${path}H${x(last).toFixed(1)}` });
}

// Names at the ends of the lines, moved apart where they would lie on each other.
function labels(lines, y, end, name) {
  const placed = lines
    .map((line) => ({ line, at: y(line.points.at(-1).amount) }))
    .sort((one, other) => one.at - other.at);
  for (let place = 1; place < placed.length; place += 1)
    placed[place].at = Math.max(placed[place].at, placed[place - 1].at + LABEL_GAP);
  const over = placed.at(-1).at - (HEIGHT - EDGE.bottom + 4);
  if (over > 0) for (const one of placed) one.at -= over;
  return placed.map(({ line, at }) => {
    const sign = seatSign(line.seat);
    for (const [attribute, value] of [
      ["x", end + 6],
      ["y", at - 7],
      ["width", 14],
      ["height", 14],
    ])
      sign.setAttribute(attribute, value);
    const shown = name(line.seat);
    return s(
      "g",
      { class: `end seat-line-${line.seat % 8}` },
      sign,
      s("text", { x: end + 24, y: at + 5 }, shown.length > 9 ? `${shown.slice(0, 8)}…` : shown),
    );
  });
}
