// Texts in the language of the person. A text may have {names} to fill in; a count chooses between `key.one`, `key.few`, ….

import { settings } from "./settings.js";

export const LANGUAGES = ["en", "ru", "fr"];

let texts = {};
let language = "en";
let plurals = new Intl.PluralRules("en");

/** The language that is spoken now. */
export function spoken() {
  return language;
}

/** The tag numbers and times are written by: the browser's own kind of the language, as en-GB, if it has one. */
export function locale() {
  return (navigator.languages ?? []).find((tag) => tag.toLowerCase().startsWith(language)) ?? language;
}

/** Loads the chosen language, or the browser's first that we have, or English. */
export async function loadLanguage() {
  const wished = [settings.language, ...(navigator.languages ?? []).map((tag) => tag.slice(0, 2).toLowerCase())];
  language = wished.find((tag) => LANGUAGES.includes(tag)) ?? "en";
  texts = await (await fetch(`i18n/${language}.json`)).json();
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  document.title = t("app.title");
}

/** Says whether there is such a text. */
export function has(key) {
  return key in texts;
}

/** A text with its {names} filled in. */
export function t(key, values = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** The text for a count, with {n} filled in. */
export function tn(key, count) {
  const form = `${key}.${plurals.select(count)}`;
  return t(has(form) ? form : `${key}.other`, { n: new Intl.NumberFormat(locale()).format(count) });
}

/** A refusal in words; what we have no words for is said by the service's own, or by its name. */
export function because(reason, message = "") {
  const key = `because.${reason}`;
  return has(key) ? t(key) : message || t("because.other", { reason });
}

/** An error of a call in words. */
export function explain(error) {
  if (error.isPassing && !has(`because.${error.reason}`)) return t("error.unreachable");
  // Which field is wrong only the service knows to say.
  if (error.reason === "INVALID_ARGUMENT") return `${because(error.reason)} ${error.message}`;
  return because(error.reason, error.message);
}
