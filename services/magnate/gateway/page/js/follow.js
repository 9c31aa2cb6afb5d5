// A stream that is followed: read again after a cut, with growing pauses; silence counts as a cut.

import { CallError } from "./connect.js";

const SILENCE_MAX_MS = 12000;
const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 8000;

/**
 * Follows a stream. `read(signal, heard)` reads it to its end once, tells `heard()` of every message, and returns true when
 * there is nothing more to come; `changed()` is told when `link` has changed: connecting, live, lost or refused.
 */
export class Follower {
  #abort = new AbortController();
  #backoff = BACKOFF_FIRST_MS;
  #wake = () => {};
  #closed = false;
  #heard = 0;
  #listeners = new AbortController();

  constructor(read, changed) {
    this.read = read;
    this.changed = changed;
    this.link = "connecting";
    this.fault = null;
  }

  /** Begins. */
  start() {
    const { signal } = this.#listeners;
    addEventListener("online", () => this.poke(), { signal });
    addEventListener("offline", () => this.#abort.abort(), { signal });
    document.addEventListener(
      "visibilitychange",
      () => {
        if (!document.hidden && performance.now() - this.#heard > SILENCE_MAX_MS / 2) this.poke();
      },
      { signal },
    );
    this.#run();
  }

  /** Tries again now. */
  poke() {
    this.#backoff = BACKOFF_FIRST_MS;
    if (this.link !== "live") this.#wake();
    else this.#abort.abort();
  }

  /** Ends. */
  close() {
    this.#closed = true;
    this.#listeners.abort();
    this.#abort.abort();
    this.#wake();
  }

  async #run() {
    while (!this.#closed) {
      this.#abort = new AbortController();
      const { signal } = this.#abort;
      let done = false;
      this.#heard = performance.now();
      const silence = setInterval(() => {
        if (performance.now() - this.#heard > SILENCE_MAX_MS) this.#abort.abort();
      }, 1000);
      try {
        done = await this.read(signal, () => this.#alive());
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        this.fault = error.isPassing ? null : error;
      } finally {
        clearInterval(silence);
      }
      if (this.#closed || done) return;
      this.#setLink(this.fault ? "refused" : "lost");
      if (this.fault) return;
      await this.#pause();
    }
  }

  #alive() {
    this.#heard = performance.now();
    this.#backoff = BACKOFF_FIRST_MS;
    this.#setLink("live");
  }

  #setLink(link) {
    if (this.link === link) return;
    this.link = link;
    this.changed();
  }

  #pause() {
    const wait = this.#backoff * (0.75 + Math.random() / 2);
    this.#backoff = Math.min(BACKOFF_MAX_MS, this.#backoff * 2);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
