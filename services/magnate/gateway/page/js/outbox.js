// What was pressed and not answered yet. One at a time and in order, the same bytes until there is an answer: the command's
// id makes that harmless. It is kept in storage, so that neither a reload nor a dead network loses or doubles a press.

import { call, newCommandId } from "./api.js";
import { CallError } from "./connect.js";
import { readStored, storage } from "./settings.js";
import { tokenOf } from "./vault.js";

const PREFIX = "magnate.out.";
const WAIT_FIRST_MS = 250;
const WAIT_MAX_MS = 4000;
const WAITING_MAX = 64;
const FAULT_TRIES_MAX = 5;

/** The outbox of one table. */
export class Outbox {
  #prefix;
  #order = 0;
  #running = false;
  #closed = false;
  #wake = () => {};

  /** `answered(entry, response, error)` is told what became of each; `changed()` when the queue did. */
  constructor(tableId, answered, changed) {
    this.tableId = tableId;
    this.#prefix = `${PREFIX}${tableId}.`;
    this.answered = answered;
    this.changed = changed;
  }

  /** What waits, oldest first. */
  get waiting() {
    return storage
      .names(this.#prefix)
      .map((name) => ({ ...readStored(name), name }))
      .filter((entry) => entry.method);
  }

  /** Adds a command; false when too many wait already. */
  add(method, request, role) {
    if (this.waiting.length >= WAITING_MAX) return false;
    this.#order = Math.max(Date.now() * 1000, this.#order + 1);
    const commandId = newCommandId();
    const entry = { method, request: { tableId: this.tableId, commandId, ...request }, role };
    storage.set(`${this.#prefix}${String(this.#order).padStart(17, "0")}.${commandId}`, JSON.stringify(entry));
    this.changed();
    this.run();
    return true;
  }

  /** Throws away what waits. What was under way may have arrived all the same. */
  discard() {
    for (const entry of this.waiting) storage.remove(entry.name);
    this.changed();
  }

  /** Tries again now: the network is back. */
  poke() {
    this.#wake();
    this.run();
  }

  /** Sends nothing more from this page; what waits stays in storage. */
  close() {
    this.#closed = true;
    this.#wake();
  }

  /** Sends until nothing waits. */
  async run() {
    if (this.#running || this.#closed) return;
    this.#running = true;
    let tries = 0;
    for (let entry = this.waiting[0]; entry && !this.#closed; entry = this.waiting[0]) {
      const [response, error] = await this.#send(entry);
      tries += 1;
      if (error?.isPassing && !(error.isFault && tries >= FAULT_TRIES_MAX)) {
        this.changed();
        await this.#pause(Math.min(WAIT_MAX_MS, WAIT_FIRST_MS * 2 ** (tries - 1)));
        continue;
      }
      tries = 0;
      // Another page of this device may have had the answer before us, or the person threw it away.
      if (storage.get(entry.name) === null) continue;
      storage.remove(entry.name);
      this.changed();
      this.answered(entry, response, error);
    }
    this.#running = false;
  }

  async #send(entry) {
    try {
      return [await call(entry.method, entry.request, { token: tokenOf(this.tableId, entry.role) }), null];
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return [null, error];
    }
  }

  #pause(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
