// What a screen reader says without being asked: what is urgent at once, everything else when it has finished.

import { h } from "./dom.js";

const KEPT_MS = 8000;

/** Two places that are heard and not seen. They must be in the page before anything is said. */
export class Announcer {
  constructor() {
    this.calm = h("div", { role: "status", "aria-live": "polite", dataset: { testid: "heard" } });
    this.urgent = h("div", { role: "alert", "aria-live": "assertive", dataset: { testid: "heard-urgent" } });
    this.element = h("div", { class: "only-heard" }, this.calm, this.urgent);
  }

  /** Says a sentence. */
  say(text, { urgent = false } = {}) {
    const line = h("p", {}, text);
    (urgent ? this.urgent : this.calm).append(line);
    setTimeout(() => line.remove(), KEPT_MS);
  }
}
