// The unit of the bank at a game that is being played: any seat may attach it, then each takes its card to it.

import { call, newCommandId, readTable } from "../api.js";
import { askPin, openDialog, toast } from "../dialog.js";
import { h } from "../dom.js";
import { because, explain, t } from "../i18n.js";
import { gameToken, remember } from "../vault.js";

const MODELS = ["UNIT_MODEL_TWO_SLOT", "UNIT_MODEL_ONE_SLOT"];
const NO_UNIT = "UNKNOWN_TABLE";

/** Goes to the unit of a game with the card of this device's seat; asks which one where there is none yet. */
export async function openGameUnit(gameId) {
  try {
    const table = (await unitOf(gameId)) ?? (await attach(gameId));
    if (table && (await takeCard(gameId, table))) location.hash = `#/${gameId}/unit`;
  } catch (error) {
    if (!error.code) throw error;
    toast(explain(error));
  }
}

async function unitOf(gameId) {
  try {
    const { table } = await call("GetTable", { tableId: gameId }, gameToken(gameId));
    return readTable(table);
  } catch (error) {
    if (error.reason === NO_UNIT) return null;
    throw error;
  }
}

async function attach(gameId) {
  const model = h(
    "select",
    { name: "model", autofocus: true },
    MODELS.map((name) => h("option", { value: name }, t(`model.${name}`))),
  );
  const answer = await openDialog(
    t("unit.label"),
    [
      h("p", {}, t("game.unit_text")),
      h("label", { class: "field" }, h("span", {}, t("open.model")), model),
    ],
    [
      { value: "", text: t("dialog.no") },
      { value: "yes", text: t("game.unit_yes"), kind: "primary" },
    ],
  );
  if (answer !== "yes") return null;
  const request = { gameId, commandId: newCommandId(), model: model.value, sharedUnit: true };
  const { table } = await call("AttachUnit", request, gameToken(gameId));
  return readTable(table);
}

async function takeCard(gameId, { cards }, pin = "") {
  const { seat, token } = gameToken(gameId);
  const { cardId, name } = cards.find((card) => card.seat === seat);
  try {
    const request = { tableId: gameId, commandId: newCommandId(), cardId, pin };
    const { cardToken, secret = "" } = await call("ClaimCard", request, { token });
    remember(gameId, (entry) => {
      entry.cards[cardId] = { token: cardToken, secret };
    });
    return true;
  } catch (error) {
    if (!["PIN_REQUIRED", "WRONG_PIN"].includes(error.reason)) throw error;
    if (pin) toast(because(error.reason));
    const given = await askPin(name);
    return given ? takeCard(gameId, { cards }, given) : false;
  }
}
