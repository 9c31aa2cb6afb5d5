// What this device should be like: language, theme, sound, keys.

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { LANGUAGES, spoken, t } from "../i18n.js";
import { choose, settings } from "../settings.js";

const NAMES = { en: "English", ru: "Русский", fr: "Français" };

/** Opens the settings; `relabel()` is called when everything has to be said in another language. */
export function openSettings(relabel) {
  const language = h(
    "select",
    { dataset: { testid: "language" } },
    LANGUAGES.map((tag) => h("option", { value: tag, selected: tag === spoken(), lang: tag }, NAMES[tag])),
  );
  language.addEventListener("change", async () => {
    choose("language", language.value);
    await relabel();
    language.closest("dialog")?.close("");
    openSettings(relabel);
  });
  const theme = h(
    "select",
    { dataset: { testid: "theme" } },
    ["", "light", "dark"].map((name) =>
      h("option", { value: name, selected: settings.theme === name }, t(`settings.theme.${name || "auto"}`)),
    ),
  );
  theme.addEventListener("change", () => choose("theme", theme.value));
  const check = (name) => {
    const box = h("input", { type: "checkbox", checked: settings[name] });
    box.addEventListener("change", () => choose(name, box.checked));
    return h(
      "label",
      { class: "check" },
      box,
      h("span", {}, t(`settings.${name}`), h("small", {}, t(`settings.${name}.what`))),
    );
  };
  openDialog(t("settings.title"), [
    h("label", { class: "field" }, h("span", {}, t("settings.language")), language),
    h("label", { class: "field" }, h("span", {}, t("settings.theme")), theme),
    check("sound"),
    check("shortcuts"),
    h(
      "details",
      {},
      h("summary", {}, t("help.title")),
      h(
        "ul",
        { class: "help" },
        ["digits", "point", "power", "go", "clear", "cards", "persons"].map((name) => h("li", {}, t(`help.${name}`))),
      ),
    ),
  ]);
}
