// What only the banker does: take back, pause, add and retire cards, unlock, begin anew, close.

import { ask, confirm, openDialog, toast } from "../dialog.js";
import { h, keyed, setText } from "../dom.js";
import { explain, t } from "../i18n.js";
import { icon } from "../icons.js";
import { money } from "../money.js";
import { cardFace } from "../unit/card.js";
import { remember } from "../vault.js";
import { sentence } from "./board.js";

/** The banker's view; `goTo(view)` changes to another one. */
export class BankerView {
  constructor(live, goTo) {
    this.live = live;
    this.goTo = goTo;
    const tool = (name, picture, act, kind = "") =>
      h(
        "button",
        { type: "button", class: `button tool ${kind}`, dataset: { testid: `tool-${name}` }, on: { click: act } },
        icon(picture),
        h("span", {}, t(`banker.${name}`)),
      );
    this.last = h("p", { class: "last-operation", dataset: { testid: "last-operation" } });
    this.undo = tool("undo", "undo", () => this.#undo());
    this.pause = tool("pause", "pause", () => this.#run("PauseTable", {}));
    this.resume = tool("resume", "play", () => this.#run("ResumeTable", {}), "primary");
    this.add = tool("add", "plus", () => this.#add());
    this.reset = tool("reset", "renew", () => this.#reset());
    this.close = tool("close", "flag", () => this.#close(), "danger");
    this.cards = h("ul", { class: "banker-cards" });
    this.element = h(
      "div",
      { class: "banker-view" },
      h("section", { class: "panel" }, h("h2", {}, t("banker.last")), this.last, this.undo),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, t("banker.table")),
        h("div", { class: "tools" }, this.pause, this.resume, this.reset, this.close),
      ),
      h("section", { class: "panel" }, h("h2", {}, t("banker.cards")), this.cards, this.add),
    );
    this.update();
  }

  /** Draws what has changed. */
  update() {
    const { table, lastStanding } = this.live;
    const over = table.status === "TABLE_STATUS_CLOSED";
    const paused = table.status === "TABLE_STATUS_PAUSED";
    setText(this.last, lastStanding ? sentence(lastStanding, this.live) : t("banker.nothing"));
    this.undo.disabled = over || !lastStanding || table.inGame;
    this.pause.hidden = paused || over;
    this.resume.hidden = !paused;
    this.reset.hidden = over || table.inGame || !table.unit;
    this.close.hidden = over || table.inGame;
    this.add.hidden = over || table.inGame;
    keyed(
      this.cards,
      table.cards,
      (card) => card.cardId,
      (card) => this.#makeCard(card),
      (item, card) => {
        setText(item.querySelector(".balance"), card.hidden ? t("card.hidden") : money(card.balance, table.currency));
        setText(
          item.querySelector(".status"),
          [card.retired && "retired", card.locked && "locked", card.hasPin && "pin"]
            .filter(Boolean)
            .map((word) => t(`card.${word}`))
            .join(" · "),
        );
        item.querySelector("[data-act=unlock]").hidden = !card.locked || over;
        item.querySelector("[data-act=retire]").hidden = card.retired || over || table.inGame;
        item.classList.toggle("retired", card.retired);
      },
    );
  }

  #makeCard(card) {
    const act = (name, picture, listener) =>
      h(
        "button",
        {
          type: "button",
          class: "button",
          dataset: { act: name },
          "aria-label": t(`banker.${name}_named`, { name: card.name }),
          on: { click: listener },
        },
        icon(picture),
        t(`banker.${name}`),
      );
    return h(
      "li",
      { dataset: { testid: `banker-card-${card.seat}` } },
      cardFace(card, h("span", { class: "balance" })),
      h("p", { class: "status" }),
      h(
        "div",
        { class: "card-acts" },
        act("unlock", "lock", () => this.#unlock(card)),
        act("retire", "trash", () => this.#retire(card)),
      ),
    );
  }

  async #undo() {
    const { lastStanding } = this.live;
    if (!lastStanding) return;
    const note = h("input", { type: "text", maxlength: 64, autocomplete: "off" });
    if (!(await this.#sure("undo", sentence(lastStanding, this.live), note))) return;
    if (await this.#run("UndoOperation", { version: String(lastStanding.version), note: note.value.trim() }))
      toast(t("banker.undo_done"), "good");
  }

  async #sure(name, text, note) {
    const answer = await openDialog(
      t(`banker.${name}_title`),
      [h("p", {}, text), h("label", { class: "field" }, h("span", {}, t("banker.note")), note)],
      [
        { value: "", text: t("dialog.no") },
        { value: "yes", text: t(`banker.${name}`), kind: "primary" },
      ],
    );
    return answer === "yes";
  }

  async #add() {
    const name = (
      await ask(t("banker.add_title"), t("open.player_name"), { maxlength: 32 }, t("banker.add_yes"))
    )?.trim();
    if (!name) return;
    const response = await this.#run("AddCard", { name });
    if (!response) return;
    remember(this.live.tableId, (entry) => {
      entry.secrets[response.card.cardId] = response.card.secret;
    });
    toast(t("banker.added", { name }), "good");
    this.goTo("cards");
  }

  async #retire(card) {
    if (
      await confirm(
        t("banker.retire_title", { name: card.name }),
        t("banker.retire_text"),
        t("banker.retire"),
        "danger",
      )
    )
      await this.#run("RetireCard", { cardId: card.cardId });
  }

  async #unlock(card) {
    if (await confirm(t("banker.unlock_title", { name: card.name }), t("banker.unlock_text"), t("banker.unlock")))
      await this.#run("UnlockCard", { cardId: card.cardId });
  }

  async #reset() {
    const amount = money(this.live.table.openingAmount, this.live.table.currency);
    if (await confirm(t("banker.reset_title"), t("banker.reset_text", { amount }), t("banker.reset"), "danger"))
      this.live.operate({ hold: { key: "KEY_CLEAR" } });
  }

  async #close() {
    if (!(await confirm(t("banker.close_title"), t("banker.close_text"), t("banker.close"), "danger"))) return;
    if (await this.#run("CloseTable", {})) this.goTo("board");
  }

  // Null when it could not be done; the reason has been said then.
  async #run(method, request) {
    try {
      return await this.live.command(method, request);
    } catch (error) {
      if (!error.code) throw error;
      toast(explain(error));
      return null;
    }
  }
}
