// What stands in the bar of every view: round buttons, and the state of the connection.

import { h, setText } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

/** A round button with a picture and a name that is only heard. */
export function roundButton(name, picture, click, testid = "") {
  return h(
    "button",
    { type: "button", class: "round", "aria-label": name, ...(testid ? { dataset: { testid } } : {}), on: { click } },
    icon(picture),
  );
}

/** The button that leads to the start. */
export function homeButton() {
  return roundButton(t("nav.start"), "home", () => {
    location.hash = "#";
  });
}

/** The state of the connection; `showLinkState` fills it. */
export function linkState() {
  return h(
    "p",
    { class: "link-state", role: "status", dataset: { testid: "link" } },
    h("span", { class: "dot", "aria-hidden": "true" }),
    h("span", { class: "link-word" }),
  );
}

/** Shows a state of the connection, and what else is to be said with it. */
export function showLinkState(element, state, more = "") {
  element.dataset.state = state;
  const word = t(`link.${state}`);
  setText(element.lastChild, more ? `${word} · ${more}` : word);
}
