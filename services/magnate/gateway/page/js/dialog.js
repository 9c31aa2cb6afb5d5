// Dialogs and short messages.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

export const PIN_INPUT = { inputmode: "numeric", maxlength: 8, type: "password" };
const TOAST_MS = { error: 5000, good: 2500 };

/** Opens a dialog; resolves with what a button gave, null when it was closed. `content` is a list of nodes. */
export function openDialog(title, content, buttons = []) {
  return new Promise((resolve) => {
    const heading = `dialog-${Math.random().toString(36).slice(2)}`;
    const dialog = h(
      "dialog",
      { class: "dialog", "aria-labelledby": heading },
      h(
        "form",
        { method: "dialog" },
        h(
          "header",
          {},
          h("h2", { id: heading }, title),
          h(
            "button",
            { type: "submit", class: "round", value: "", formnovalidate: true, "aria-label": t("dialog.close") },
            icon("close"),
          ),
        ),
        h("div", { class: "dialog-body" }, content),
        buttons.length
          ? h(
              "footer",
              {},
              buttons.map(({ value, text, kind = "" }) =>
                h("button", { type: "submit", value, class: `button ${kind}`, formnovalidate: value === "" }, text),
              ),
            )
          : null,
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close("");
    });
    // A form's own Enter presses its first button, and that is the cross.
    dialog.addEventListener("keydown", (event) => {
      const last = dialog.querySelector("footer .button:last-child");
      if (event.key !== "Enter" || event.target.tagName !== "INPUT" || !last) return;
      event.preventDefault();
      dialog.querySelector("form").requestSubmit(last);
    });
    document.body.append(dialog);
    dialog.showModal();
    // The cross stands first; what is asked for is what one wants to type into.
    (
      dialog.querySelector("[autofocus]") ??
      dialog.querySelector("footer .button:last-child") ??
      dialog.querySelector("button")
    ).focus();
  });
}

/** Asks for a yes; true if it was said. */
export async function confirm(title, text, yes, kind = "") {
  const answer = await openDialog(
    title,
    [h("p", {}, text)],
    [
      { value: "", text: t("dialog.no") },
      { value: "yes", text: yes, kind: kind || "primary" },
    ],
  );
  return answer === "yes";
}

/** Asks for a text; null if none was given. `attributes` are those of the input. */
export async function ask(title, label, attributes, yes) {
  const input = h("input", { type: "text", required: true, autofocus: true, autocomplete: "off", ...attributes });
  const answer = await openDialog(
    title,
    [h("label", { class: "field" }, h("span", {}, label), input)],
    [
      { value: "", text: t("dialog.no") },
      { value: "yes", text: yes, kind: "primary" },
    ],
  );
  return answer === "yes" ? input.value : null;
}

/** Asks for the PIN of a card; null if none was given. */
export function askPin(name) {
  return ask(t("pin.title", { name }), t("pin.label"), PIN_INPUT, t("pin.ok"));
}

/** Says something for a few seconds. */
export function toast(text, kind = "error") {
  const place = document.getElementById("toasts");
  for (const old of place.children) if (old.textContent === text) old.remove();
  const note = h("p", { class: `toast ${kind}` }, text);
  place.append(note);
  setTimeout(() => note.remove(), TOAST_MS[kind]);
}
