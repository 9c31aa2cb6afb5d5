// The display: five digits of seven segments, a sign, K and M. It draws a Frame and knows nothing of how units work.

import { h, s, setText } from "../dom.js";
import { because, has, t } from "../i18n.js";
import { squareName } from "./board.js";

const DIGITS = 5;
const ADVANCE = 66;
const COUNT_SECONDS_MAX = 60;
// Corners of the segments a to g in a box of 46 by 84.
const SEGMENTS = [
  "5,0 41,0 33,9 13,9",
  "46,4 46,40 41,42.5 37,38 37,12",
  "46,80 46,44 41,41.5 37,46 37,72",
  "5,84 41,84 33,75 13,75",
  "0,80 0,44 5,41.5 9,46 9,72",
  "0,4 0,40 5,42.5 9,38 9,12",
  "7,42 12,37.5 34,37.5 39,42 34,46.5 12,46.5",
];
const LIT = {
  0: "abcdef",
  1: "bc",
  2: "abdeg",
  3: "abcdg",
  4: "bcfg",
  5: "acdfg",
  6: "acdefg",
  7: "abc",
  8: "abcdefg",
  9: "abcdfg",
};

/** The display of a unit. `show(frame, live)` draws it. */
export class Display {
  constructor() {
    this.digits = Array.from({ length: DIGITS }, (_, place) => this.#digit(place));
    this.plus = s("rect", { x: 24, y: 26, width: 9, height: 32, rx: 2 });
    this.bar = s("rect", { x: 12, y: 37.5, width: 33, height: 9, rx: 2 });
    this.kilo = s("text", { x: 410, y: 38 }, "K");
    this.mega = s("text", { x: 410, y: 84 }, "M");
    this.more = s("text", { x: 14, y: 82 }, "…");
    const drawing = s(
      "svg",
      { class: "segments", viewBox: "0 0 450 96", preserveAspectRatio: "xMaxYMid meet", "aria-hidden": "true" },
      s(
        "g",
        { transform: "translate(8 6) skewX(-5)" },
        s("g", { class: "sign" }, this.bar, this.plus),
        this.digits.map((digit) => digit.group),
        s("g", { class: "suffix" }, this.kilo, this.mega, this.more),
      ),
    );
    this.holder = h("span", { class: "holder" });
    this.word = h("span", { class: "word" });
    this.hint = h("p", { class: "hint" });
    this.spoken = h("p", { class: "only-heard", role: "status", "aria-live": "polite", "aria-atomic": "true" });
    this.element = h(
      "div",
      { class: "screen", dataset: { state: "off" } },
      h(
        "div",
        { class: "glass" },
        h("div", { class: "signs", "aria-hidden": "true" }, this.holder, this.word),
        drawing,
        h("div", { class: "hint-place", "aria-hidden": "true" }, this.hint),
      ),
      this.spoken,
    );
  }

  #digit(place) {
    const segments = SEGMENTS.map((points) => s("polygon", { points }));
    const point = s("circle", { cx: 56, cy: 80, r: 5.5 });
    return { group: s("g", { transform: `translate(${62 + place * ADVANCE} 0)` }, segments, point), segments, point };
  }

  /** Draws a frame. */
  show(frame, live) {
    const cells = this.#cells(frame.text);
    this.digits.forEach((digit, place) => {
      const lit = LIT[cells[place].digit] ?? "";
      digit.segments.forEach((segment, number) => segment.classList.toggle("on", lit.includes("abcdefg"[number])));
      digit.point.classList.toggle("on", cells[place].point);
    });
    this.bar.classList.toggle("on", frame.sign === "+" || frame.sign === "-");
    this.plus.classList.toggle("on", frame.sign === "+");
    this.kilo.classList.toggle("on", frame.suffix === "K");
    this.mega.classList.toggle("on", frame.suffix === "M");
    this.more.classList.toggle("on", frame.more);
    this.element.dataset.state = frame.state;
    this.element.dataset.text = `${frame.sign}${frame.text}${frame.suffix}`;
    const holder = frame.seat >= 0 ? (live.seat(frame.seat)?.name ?? "") : "";
    setText(this.holder, holder);
    this.#count(t(has(`state.${frame.state}`) ? `state.${frame.state}` : "state.off"), frame);
    const hint = hintOf(frame, live);
    setText(this.hint, hint);
    setText(this.spoken, spokenOf(frame, holder, hint));
  }

  // An auction's seconds stand beside its word. A phone whose clock is far off shows none.
  #count(word, { state, until }) {
    clearInterval(this.ticking);
    const tell = () => {
      const left = Math.ceil((Date.parse(until) - Date.now()) / 1000);
      setText(this.word, state === "auction" && left >= 0 && left <= COUNT_SECONDS_MAX ? `${word} ${left}` : word);
    };
    tell();
    if (state === "auction" && until) this.ticking = setInterval(tell, 250);
  }

  // Right-justified; a point belongs to the digit before it.
  #cells(text) {
    const cells = [];
    for (const letter of text) {
      if (letter === "." && cells.length) cells.at(-1).point = true;
      else if (letter === ".") cells.push({ digit: "0", point: true });
      else cells.push({ digit: letter, point: false });
    }
    while (cells.length < DIGITS) cells.unshift({ digit: "", point: false });
    return cells.slice(-DIGITS);
  }
}

/** What to do next, or why not: the line below the digits. */
function hintOf(frame, live) {
  if (frame.state === "error") return because(frame.refusal);
  const { unit } = live.table;
  const name = (seat) => (seat >= 0 ? (live.seat(seat)?.name ?? "") : "");
  const values = {
    name: name(frame.seat),
    owner: name(frame.owner),
    payer: live.card(unit.right)?.name ?? "",
    payee: live.card(unit.left)?.name ?? "",
    square: squareName(frame.square),
    level: frame.level,
  };
  const key = [`hint.${frame.state}.${caseOf(frame, live.table)}`, `hint.${frame.state}`].find(has);
  return key ? t(key, values) : "";
}

// Which of several things a state means here.
function caseOf(frame, { model, unit, currency, inGame }) {
  if (model === "UNIT_MODEL_TOUCH") return touchCase(frame);
  if (frame.state === "armed") return unit.left && unit.right ? "transfer" : frame.sign === "+" ? "plus" : "minus";
  if (frame.state === "entry") return model === "UNIT_MODEL_ONE_SLOT" ? "one" : currency.scale > 1 ? "two" : "units";
  if (frame.state === "remembered") return frame.sign === "+" ? "payee" : "payer";
  return inGame ? "in_game" : "";
}

function touchCase({ state, sign, square, owner, expects }) {
  switch (state) {
    case "query":
      return `${owner >= 0 ? "owned" : "free"}${expects.includes("card") ? "_card" : ""}`;
    case "offer":
      return sign === "+" ? "return" : square >= 0 ? "buy" : "jail";
    case "choose":
      return sign === "+" ? "go" : sign === "-" ? "location" : expects[0] === "deed" ? "deed" : "card";
    case "event":
      return expects.includes("event") ? "which" : "whose";
    case "booked":
      return sign === "+" ? "got" : owner >= 0 ? "paid" : "paid_bank";
    default:
      return "touch";
  }
}

function spokenOf(frame, holder, hint) {
  const sign = frame.sign === "+" ? t("spoken.plus") : frame.sign === "-" ? t("spoken.minus") : "";
  const suffix = frame.suffix ? t(`spoken.${frame.suffix}`) : "";
  const amount = [sign, frame.text, suffix].filter(Boolean).join(" ");
  return [holder, t(`state.${frame.state}`), amount, frame.more ? t("spoken.more") : "", hint]
    .filter(Boolean)
    .join(", ");
}
