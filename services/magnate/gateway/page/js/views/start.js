// The first screen: go on with a table, join one, open one.

import { call, newCommandId, readTable } from "../api.js";
import { confirm, toast } from "../dialog.js";
import { h } from "../dom.js";
import { explain, t } from "../i18n.js";
import { icon } from "../icons.js";
import { parseAmount } from "../money.js";
import { forget, forgetGame, known, knownGames, knownTables, remember } from "../vault.js";

const PLAYERS_MAX = 8;
const RECENT_MAX = 6;
const GAME_ID = /^[\w-]{5,64}$/;
const OWN = "";
const EDITIONS = [
  { id: "e-banking", model: "UNIT_MODEL_TWO_SLOT" },
  { id: "roubles", model: "UNIT_MODEL_ONE_SLOT" },
  { id: "classic", model: "UNIT_MODEL_TWO_SLOT" },
  { id: "ultimate-banking", model: "UNIT_MODEL_TOUCH" },
  { id: OWN, model: "UNIT_MODEL_TWO_SLOT" },
];
const MODELS = ["UNIT_MODEL_TWO_SLOT", "UNIT_MODEL_ONE_SLOT", "UNIT_MODEL_TOUCH", "UNIT_MODEL_NONE"];

// What was sent and not answered; sent again it opens the same table, not another one.
let unanswered = { body: "", commandId: "" };

/** The start screen; `open(tableId)` goes to a table. */
export function startView(open) {
  const tables = knownTables();
  const games = knownGames();
  return h(
    "div",
    { class: "start" },
    h(
      "div",
      { class: "hero" },
      h("div", { class: "hero-art", "aria-hidden": "true" }, heroArt()),
      h("h1", {}, t("app.title")),
      h("p", {}, t("start.what")),
    ),
    h(
      "div",
      { class: "start-columns" },
      h(
        "div",
        { class: "start-side" },
        joinForm(open),
        tables.length || games.length ? recent(tables, games, open) : null,
        watchForm(),
      ),
      openForm(open),
    ),
  );
}

function heroArt() {
  return [0, 1, 2].map((seat) => h("span", { class: `face seat-${seat}` }, h("span", { class: "chip" })));
}

function joinForm(open) {
  const code = h("input", {
    type: "text",
    name: "code",
    required: true,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    placeholder: "ABCD-EFGH",
    maxlength: 12,
    class: "code-input",
    "aria-label": t("join.code"),
  });
  const form = h(
    "form",
    { class: "panel" },
    h("h2", {}, t("join.title")),
    h("p", { class: "muted" }, t("join.what")),
    h("div", { class: "code-line" }, code, h("button", { type: "submit", class: "button primary" }, t("join.button"))),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await busy(form, () => joinTable(code.value, open));
  });
  return form;
}

/** Joins by code and goes to the table. */
export async function joinTable(joinCode, open) {
  const response = await call("JoinTable", { joinCode });
  const { tableId } = readTable(response.table);
  remember(tableId, (entry) => {
    entry.guest = response.guestToken;
  });
  const entry = known(tableId);
  open(tableId, entry.banker || Object.keys(entry.cards).length ? "unit" : "cards");
}

/** Takes a card by its secret, as the link in its code says. */
export async function takeBySecret(tableId, cardId, secret, pin, open) {
  const response = await call("ClaimCard", { tableId, commandId: newCommandId(), cardId, secret, pin });
  remember(tableId, (entry) => {
    entry.cards[cardId] = { token: response.cardToken, secret: response.secret ?? secret };
  });
  open(tableId, "unit");
}

// Games are watched by everybody who knows their id.
function watchForm() {
  const id = h("input", {
    type: "text",
    name: "game",
    required: true,
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 64,
    "aria-label": t("watch.game_id"),
    placeholder: t("watch.game_id"),
  });
  const form = h(
    "form",
    { class: "panel watch-form" },
    h("h2", {}, t("watch.game_title")),
    h("p", { class: "muted" }, t("watch.game_what")),
    h("div", { class: "watch-line" }, id, h("button", { type: "submit", class: "button" }, t("watch.button"))),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const gameId = id.value.trim();
    if (GAME_ID.test(gameId)) location.hash = `#/game/${gameId}`;
    else toast(t("watch.bad_id"));
  });
  return form;
}

function recent(tables, games, open) {
  const list = h("ul", { class: "recent" });
  for (const entry of tables.slice(0, RECENT_MAX)) {
    const role = entry.banker ? "banker" : Object.keys(entry.cards).length ? "card" : "guest";
    const title = entry.title || entry.tableId;
    list.append(recentItem(title, role, () => open(entry.tableId, "unit"), () => forget(entry.tableId)));
  }
  for (const entry of games.slice(0, RECENT_MAX)) {
    const go = () => {
      location.hash = `#/game/${entry.gameId}`;
    };
    const role = entry.token ? "player" : "looker";
    list.append(recentItem(entry.title || entry.gameId, role, go, () => forgetGame(entry.gameId)));
  }
  return h("section", { class: "panel" }, h("h2", {}, t("recent.title")), list);
}

function recentItem(title, role, go, drop) {
  const remove = async () => {
    const text = t(role === "banker" ? "recent.forget_banker" : "recent.forget_text");
    if (!(await confirm(t("recent.forget_title"), text, t("recent.forget_yes"), "danger"))) return;
    drop();
    item.remove();
  };
  const item = h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "recent-open", on: { click: go } },
      h("span", {}, title),
      h("small", {}, t(`role.${role}`)),
    ),
    h(
      "button",
      { type: "button", class: "round", "aria-label": t("recent.forget", { name: title }), on: { click: remove } },
      icon("trash"),
    ),
  );
  return item;
}

function openForm(open) {
  const models = h(
    "select",
    { name: "model" },
    MODELS.map((model) => h("option", { value: model }, t(`model.${model}`))),
  );
  const own = h(
    "div",
    { class: "own-amounts", hidden: true },
    field("open.opening", h("input", { name: "opening", type: "text", inputmode: "decimal", value: "1500" })),
    field("open.go", h("input", { name: "go", type: "text", inputmode: "decimal", value: "200" })),
    field("open.currency", h("input", { name: "currency", type: "text", maxlength: 8, value: "" })),
    h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", name: "thousands" }),
      h("span", {}, t("open.thousands")),
    ),
  );
  const editions = h(
    "div",
    { class: "editions", role: "radiogroup", "aria-label": t("open.edition") },
    EDITIONS.map((edition, place) =>
      h(
        "label",
        { class: "edition" },
        h("input", {
          type: "radio",
          name: "edition",
          value: edition.id,
          checked: place === 0,
          on: {
            change: () => {
              models.value = edition.model;
              own.hidden = edition.id !== OWN;
            },
          },
        }),
        h(
          "span",
          { class: "edition-text" },
          h("strong", {}, t(`edition.${edition.id || "own"}`)),
          h("small", {}, t(`edition.${edition.id || "own"}.what`)),
        ),
      ),
    ),
  );
  const players = playerList();
  const form = h(
    "form",
    { class: "panel open-form", novalidate: true },
    h("h2", {}, t("open.title")),
    h("p", { class: "muted" }, t("open.what")),
    h("fieldset", {}, h("legend", {}, t("open.edition")), editions, own),
    h("fieldset", {}, h("legend", {}, t("open.players")), players.element),
    field("open.model", models),
    h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", name: "shared", checked: true }),
      h("span", {}, t("open.shared"), h("small", {}, t("open.shared.what"))),
    ),
    h("button", { type: "submit", class: "button primary big" }, t("open.button")),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const request = readForm(form, players.names());
    if (typeof request === "string") toast(request);
    else await busy(form, () => openTable(request, open));
  });
  return form;
}

function field(key, input) {
  return h("label", { class: "field" }, h("span", {}, t(key)), input);
}

function playerList() {
  const list = h("ol", { class: "players" });
  const add = h(
    "button",
    { type: "button", class: "button", on: { click: () => append("", true) } },
    icon("plus"),
    t("open.add_player"),
  );
  const append = (name, focus) => {
    const input = h("input", {
      type: "text",
      maxlength: 32,
      value: name,
      autocomplete: "off",
      placeholder: t("open.player_name"),
      "aria-label": t("open.player_name"),
    });
    const item = h(
      "li",
      {},
      input,
      h(
        "button",
        {
          type: "button",
          class: "round",
          "aria-label": t("open.remove_player"),
          on: {
            click: () => {
              item.remove();
              follow();
            },
          },
        },
        icon("close"),
      ),
    );
    list.append(item);
    if (focus) input.focus();
    follow();
  };
  const follow = () => {
    add.hidden = list.children.length >= PLAYERS_MAX;
    for (const button of list.querySelectorAll("button")) button.hidden = list.children.length === 1;
  };
  append("", false);
  append("", false);
  return {
    element: h("div", {}, list, add),
    names: () => [...list.querySelectorAll("input")].map((input) => input.value.trim()).filter(Boolean),
  };
}

// The request, or what is wrong with what was typed.
function readForm(form, players) {
  const values = new FormData(form);
  const edition = values.get("edition");
  if (!players.length) return t("open.no_players");
  if (new Set(players.map((name) => name.toLowerCase())).size < players.length) return t("open.same_names");
  const request = { edition, model: values.get("model"), players, sharedUnit: values.has("shared") };
  if (edition !== OWN) return request;
  const scale = values.has("thousands") ? 1000 : 1;
  const opening = parseAmount(values.get("opening"), scale);
  const go = parseAmount(values.get("go"), scale);
  if (opening === null) return t("open.bad_amount", { field: t("open.opening") });
  if (go === null) return t("open.bad_amount", { field: t("open.go") });
  return {
    ...request,
    openingAmount: String(opening),
    goAmount: String(go),
    currency: { unit: values.get("currency").trim(), scale: String(scale) },
  };
}

async function openTable(request, open) {
  const body = JSON.stringify(request);
  if (unanswered.body !== body) unanswered = { body, commandId: newCommandId() };
  const response = await call("OpenTable", { commandId: unanswered.commandId, ...request });
  unanswered = { body: "", commandId: "" };
  const { tableId } = readTable(response.table);
  remember(tableId, (entry) => {
    entry.banker = response.bankerToken;
    for (const card of response.cards ?? []) entry.secrets[card.cardId] = card.secret;
  });
  open(tableId, "cards");
}

async function busy(form, act) {
  const buttons = [...form.querySelectorAll("button")];
  form.setAttribute("aria-busy", "true");
  for (const button of buttons) button.disabled = true;
  try {
    await act();
  } catch (error) {
    if (!error.code) throw error;
    toast(explain(error));
  } finally {
    form.removeAttribute("aria-busy");
    for (const button of buttons) button.disabled = false;
  }
}
