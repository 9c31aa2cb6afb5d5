// Links that others open by their camera, and the codes drawn for them. What is secret stands behind `#`, which browsers keep
// to themselves; the drawing is asked for by POST.

import { h, s } from "./dom.js";
import { openDialog, toast } from "./dialog.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

const LOCAL = /^(localhost|127\.|\[::1\]|::1)/;

/** The link by which a phone joins a table. */
export function joinLink(code) {
  return `${location.origin}${location.pathname}#join=${encodeURIComponent(code)}`;
}

/** The link by which a phone takes a card. */
export function cardLink(tableId, cardId, secret) {
  return `${location.origin}${location.pathname}#card=${[tableId, cardId, secret].map(encodeURIComponent).join("/")}`;
}

/** A place for a code, filled when it is drawn; without a network the link itself has to do. */
export function qrCode(link, label) {
  const place = h("div", { class: "qr", role: "img", "aria-label": label });
  draw(link).then(
    (drawing) => place.replaceChildren(drawing),
    () => place.replaceChildren(h("span", { class: "qr-none" }, t("qr.none"))),
  );
  return place;
}

async function draw(link) {
  const response = await fetch("qr.svg", { method: "POST", body: link, headers: { "content-type": "text/plain" } });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const drawn = new DOMParser().parseFromString(await response.text(), "image/svg+xml");
  const path = drawn.querySelector("path").getAttribute("d");
  const box = drawn.documentElement.getAttribute("viewBox");
  return s("svg", { viewBox: box, "shape-rendering": "crispEdges", "aria-hidden": "true" }, s("path", { d: path }));
}

/** Shows a link as a code, and to be copied. */
export function showLink(title, text, link, face = null) {
  return openDialog(title, [face, h("p", {}, text), qrCode(link, title), linkLine(link), hereOnly()]);
}

/** A line with a link and a button that copies it. */
export function linkLine(link) {
  const field = h("input", {
    type: "text",
    readonly: true,
    value: link,
    "aria-label": t("qr.link"),
    class: "link-text",
    on: { focus: (event) => event.target.select() },
  });
  const copy = h(
    "button",
    { type: "button", class: "button", on: { click: () => copyText(link, field) } },
    icon("copy"),
    t("qr.copy"),
  );
  return h("div", { class: "link-line" }, field, copy);
}

/** A warning where the address would lead another phone to itself. */
export function hereOnly() {
  return LOCAL.test(location.hostname) ? h("p", { class: "note" }, t("qr.here_only")) : null;
}

async function copyText(text, field) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https there is no clipboard; the old way still is.
    field.select();
    document.execCommand("copy");
  }
  toast(t("qr.copied"), "good");
}
