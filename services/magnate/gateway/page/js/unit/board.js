// What can be tapped on the touch unit. Deeds are known by number and colour, other squares by a symbol, event cards by what
// they do; their names stand on the board and the cards of the box.

import { t } from "../i18n.js";

/** Square and colour group of each deed, in the order of their numbers. */
export const DEEDS = [
  ...[[1, "brown"], [3, "brown"]],
  ...[[5, "light_blue"], [6, "light_blue"], [8, "light_blue"]],
  ...[[10, "pink"], [12, "pink"], [13, "pink"]],
  ...[[14, "orange"], [15, "orange"], [17, "orange"]],
  ...[[19, "red"], [21, "red"], [22, "red"]],
  ...[[23, "yellow"], [24, "yellow"], [26, "yellow"]],
  ...[[28, "green"], [30, "green"], [31, "green"]],
  ...[[33, "dark_blue"], [35, "dark_blue"]],
];

/** Squares without a deed, which have a symbol on the unit: whoever stands there taps that. */
export const SQUARES = [
  ...[[0, "go"], [9, "jail"], [18, "free_parking"], [27, "go_to_jail"]],
  ...[[7, "location"], [16, "location"], [25, "location"], [34, "location"]],
  ...[[2, "card"], [4, "card"], [11, "card"], [20, "card"], [29, "card"], [32, "card"]],
];

/** The event cards by their ids. */
export const EVENTS = Array.from({ length: 23 }, (_, place) => `ev${String(place + 1).padStart(2, "0")}`);

/** What a square is called; empty for none. */
export function squareName(square) {
  const number = DEEDS.findIndex(([at]) => at === square) + 1;
  if (number) return t("touch.number", { number });
  const [, kind] = SQUARES.find(([at]) => at === square) ?? [];
  return kind ? t(`square.${kind}`) : "";
}
