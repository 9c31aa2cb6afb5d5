// The keys of each model, where they lie, and how pressing and holding them works with finger, mouse, keyboard and reader.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { wakeSounds } from "../sounds.js";

export const HOLD_MS = 1200;

const digit = (number) => ({ key: `KEY_${number}`, text: String(number), kind: "digit" });
const POINT = { key: "KEY_POINT", text: ".", kind: "digit" };
const CLEAR = { key: "KEY_CLEAR", text: "C", kind: "clear", holds: true };
const MEGA = { key: "KEY_M", text: "M", kind: "power" };
const KILO = { key: "KEY_K", text: "K", kind: "power" };
const ARROW = { key: "KEY_ARROW", icon: "arrow", kind: "go" };
const PLUS = { key: "KEY_PLUS", icon: "person", text: "+", kind: "plus" };
const MINUS = { key: "KEY_MINUS", icon: "person", text: "−", kind: "minus" };
const THREE = { key: "KEY_THREE", icon: "three", kind: "three" };
const TICK = { key: "KEY_TICK", icon: "tick", kind: "plus" };
const CROSS = { key: "KEY_CROSS", icon: "close", kind: "minus" };

/** The keys of each model, row by row; unit.css makes the grid. */
export const LAYOUTS = {
  UNIT_MODEL_TWO_SLOT: [
    [digit(7), digit(8), digit(9), CLEAR],
    [digit(4), digit(5), digit(6), MEGA],
    [digit(1), digit(2), digit(3), KILO],
    [POINT, digit(0), { ...ARROW, wide: true }],
  ],
  UNIT_MODEL_ONE_SLOT: [
    [CLEAR, MEGA, KILO, ARROW],
    [digit(7), digit(8), digit(9), PLUS],
    [digit(4), digit(5), digit(6), MINUS],
    [digit(1), digit(2), digit(3), { ...THREE, tall: true }],
    [POINT, { ...digit(0), wide: true }],
  ],
  UNIT_MODEL_TOUCH: [[TICK, MEGA, CROSS]],
};

const BY_LETTER = {
  ".": "KEY_POINT",
  ",": "KEY_POINT",
  m: "KEY_M",
  k: "KEY_K",
  c: "KEY_CLEAR",
  Enter: "KEY_ARROW",
  "+": "KEY_PLUS",
  "-": "KEY_MINUS",
  t: "KEY_THREE",
  y: "KEY_TICK",
  x: "KEY_CROSS",
};
// The same keys on a keyboard that writes Cyrillic.
const BY_CODE = {
  KeyM: "KEY_M",
  KeyK: "KEY_K",
  KeyC: "KEY_CLEAR",
  KeyT: "KEY_THREE",
  KeyY: "KEY_TICK",
  KeyX: "KEY_CROSS",
};

/** The key a keyboard's key stands for; undefined for none. */
export function keyOfKeyboard(event) {
  if (/^[0-9]$/.test(event.key)) return `KEY_${event.key}`;
  return BY_LETTER[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? BY_CODE[event.code];
}

/** Makes the keys of a model. `press(key)` and `hold(key)` are told. */
export function makeKeys(model, press, hold) {
  const buttons = new Map();
  const group = h("div", { class: "keys", role: "group", "aria-label": t("unit.keys"), dataset: { model } });
  for (const spec of LAYOUTS[model].flat()) {
    const button = makeKey(spec, press, hold);
    buttons.set(spec.key, button);
    group.append(button);
  }
  return { group, buttons };
}

function makeKey(spec, press, hold) {
  const button = h(
    "button",
    {
      type: "button",
      class: ["key", spec.kind, spec.wide && "wide", spec.tall && "tall"].filter(Boolean).join(" "),
      "aria-label": t(`key.${spec.key}`),
      dataset: { testid: spec.key },
    },
    h(
      "span",
      { class: "cap", "aria-hidden": "true" },
      spec.icon && icon(spec.icon),
      spec.text && h("span", {}, spec.text),
      spec.key === "KEY_ARROW" && h("span", { class: "go-word" }, "GO"),
    ),
  );
  if (spec.holds)
    listenHold(
      button,
      () => press(spec.key),
      () => hold(spec.key),
    );
  else listenPress(button, () => press(spec.key));
  return button;
}

// A keypad answers when it is touched, not when the finger leaves it. The click that follows must not count again; a click
// that no touch preceded comes from a keyboard or a screen reader.
function listenPress(button, act) {
  const isEcho = touches(button);
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || button.disabled) return;
    wakeSounds();
    act();
  });
  button.addEventListener("click", (event) => {
    if (isEcho(event)) return;
    wakeSounds();
    act();
  });
}

function touches(button) {
  let touched = false;
  button.addEventListener("pointerdown", () => {
    touched = true;
  });
  return (event) => {
    const echo = touched && event.detail !== 0;
    touched = false;
    return echo;
  };
}

// Pressed when it is let go early, held when it is not.
function listenHold(button, press, hold) {
  const isEcho = touches(button);
  let timer = 0;
  const begin = () => {
    if (timer || button.disabled) return;
    wakeSounds();
    button.classList.add("holding");
    timer = setTimeout(() => {
      cancel();
      hold();
    }, HOLD_MS);
  };
  const cancel = () => {
    clearTimeout(timer);
    timer = 0;
    button.classList.remove("holding");
  };
  const release = () => {
    if (!timer) return;
    cancel();
    press();
  };
  const isOurs = (event) => event.key === "Enter" || event.key === " ";
  button.addEventListener("pointerdown", (event) => {
    if (event.button === 0) begin();
  });
  button.addEventListener("pointerup", release);
  for (const event of ["pointerleave", "pointercancel", "blur"]) button.addEventListener(event, cancel);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("keydown", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) begin();
  });
  button.addEventListener("keyup", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    release();
  });
  button.addEventListener("click", (event) => {
    if (!isEcho(event)) press();
  });
  button.holdBegin = begin;
  button.holdEnd = release;
}
