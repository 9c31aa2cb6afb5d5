// The form that opens an auction at a table: what is sold, in which way, on what terms.

import { openDialog, toast } from "../dialog.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { parseAmount, typed } from "../money.js";

const KINDS = ["ASCENDING", "SEALED", "VICKREY", "DUTCH", "PENNY"];
const SECOND_MS = 1000;
const CALLS_MS_MAX = 5000;
// Which fields a kind has; the others are hidden.
const FIELDS = {
  minimum: KINDS,
  increment: ["ASCENDING", "PENNY"],
  seconds: ["ASCENDING", "PENNY"],
  secondsSealed: ["SEALED", "VICKREY"],
  extend: ["ASCENDING", "PENNY"],
  calls: ["ASCENDING", "PENNY"],
  proxies: ["ASCENDING", "PENNY"],
  fee: ["PENNY"],
  refund: ["PENNY"],
  start: ["DUTCH"],
  step: ["DUTCH"],
  tick: ["DUTCH"],
};

class BadInput extends Error {}

/** Asks for an auction; resolves with the OpenAuctionRequest without its ids, or null. */
export async function askForSale(live) {
  const { currency, cards } = live.table;
  const inputs = makeInputs(cards, currency);
  const fields = makeFields(inputs);
  const follow = () => {
    for (const [name, kinds] of Object.entries(FIELDS)) fields[name].hidden = !kinds.includes(inputs.kind.value);
  };
  inputs.kind.addEventListener("change", follow);
  follow();
  for (;;) {
    const answer = await openDialog(t("sale.open"), Object.values(fields), [
      { value: "", text: t("dialog.no") },
      { value: "yes", text: t("sale.button"), kind: "primary" },
    ]);
    if (answer !== "yes") return null;
    try {
      return readSale(inputs, currency);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      toast(error.message);
    }
  }
}

function makeInputs(cards, currency) {
  const number = (value) => h("input", { type: "text", inputmode: "decimal", autocomplete: "off", value });
  const amount = (value) => number(typed(value, currency.scale));
  const check = (checked) => h("input", { type: "checkbox", checked });
  return {
    label: h("input", { type: "text", maxlength: 80, autocomplete: "off", autofocus: true, name: "label" }),
    kind: h(
      "select",
      { name: "kind" },
      KINDS.map((kind) => h("option", { value: kind }, t(`sale.kind.${kind}`))),
    ),
    minimum: amount(10n),
    start: amount(500n),
    step: amount(10n),
    tick: number("3"),
    fee: amount(0n),
    increment: amount(10n),
    seconds: number("30"),
    secondsSealed: number("60"),
    extend: number("0"),
    calls: check(true),
    proxies: check(true),
    refund: check(false),
    payee: h(
      "select",
      { name: "payee" },
      h("option", { value: "bank" }, t("party.bank")),
      cards.filter((card) => !card.retired).map((card) => h("option", { value: `seat-${card.seat}` }, card.name)),
    ),
  };
}

function makeFields(inputs) {
  const texts = { secondsSealed: "sale.seconds_sealed" };
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => {
      const text = t(texts[name] ?? `sale.${name}`);
      if (input.type === "checkbox") return [name, h("label", { class: "check" }, input, h("span", {}, text))];
      return [name, h("label", { class: "field" }, h("span", {}, text), input)];
    }),
  );
}

function readSale(inputs, currency) {
  const kind = inputs.kind.value;
  const label = inputs.label.value.trim().replaceAll(/\s+/g, " ");
  if (!label) throw new BadInput(t("sale.no_label"));
  const has = (name) => FIELDS[name].includes(kind);
  const amount = (name) => {
    const read = parseAmount(inputs[name].value, currency.scale);
    if (read === null) throw new BadInput(t("open.bad_amount", { field: t(`sale.${name}`) }));
    return String(read);
  };
  const seconds = (name, text) => {
    const read = Number(inputs[name].value.trim());
    if (!Number.isInteger(read) || read < 0 || !inputs[name].value.trim())
      throw new BadInput(t("sale.bad_seconds", { field: t(text) }));
    return read * SECOND_MS;
  };
  const terms = { kind: `AUCTION_KIND_${kind}`, minimum: amount("minimum") };
  if (has("increment")) terms.increment = amount("increment");
  if (has("seconds")) terms.closeMs = String(seconds("seconds", "sale.seconds"));
  if (has("secondsSealed")) terms.closeMs = String(seconds("secondsSealed", "sale.seconds_sealed"));
  if (has("extend")) terms.extendMs = String(seconds("extend", "sale.extend"));
  if (has("calls") && inputs.calls.checked) {
    // Two calls must fit into the shortest time there is.
    const shortest = Number(terms.extendMs) || Number(terms.closeMs);
    terms.callsMs = String(Math.min(CALLS_MS_MAX, Math.floor(shortest / 3)));
  }
  if (has("proxies")) terms.proxies = inputs.proxies.checked;
  if (has("fee")) terms.fee = amount("fee");
  if (has("refund")) terms.refundLosers = inputs.refund.checked;
  if (has("start")) {
    terms.dutchStart = amount("start");
    terms.dutchStep = amount("step");
    terms.dutchTickMs = String(seconds("tick", "sale.tick"));
  }
  return { label, payee: inputs.payee.value, terms };
}
