// The server's time, carried on by the page's own stopwatch: the phone's time of day is never asked.

const SAMPLES = 16;
const MINUTE = 60;

/** The server's time. Each time it tells is a little old when it is here, so the least old of the last ones counts. */
export class ServerClock {
  #ahead = [];

  /** Takes a time that the server has just told, as JSON writes it. */
  heard(text) {
    const told = Date.parse(text);
    if (Number.isNaN(told)) return;
    this.#ahead.push(told - performance.now());
    if (this.#ahead.length > SAMPLES) this.#ahead.shift();
  }

  /** Whether the server has told a time yet. */
  get isKnown() {
    return this.#ahead.length > 0;
  }

  /** The server's time, milliseconds since the epoch. */
  now() {
    return this.isKnown ? Math.max(...this.#ahead) + performance.now() : 0;
  }

  /** How long it is until a moment of the server's time, in milliseconds, at least 0; null while that is not known. */
  left(moment) {
    return moment && this.isKnown ? Math.max(0, moment - this.now()) : null;
  }
}

/** What is left of a clock: `1:05`, or tenths when it is short. */
export function clockFace(leftMs) {
  if (leftMs < 10000) return (Math.floor(leftMs / 100) / 10).toFixed(1);
  return span(leftMs);
}

/** A length of time: `1:05`, `1:00:00`. */
export function span(lengthMs) {
  const seconds = Math.floor(lengthMs / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / MINUTE / MINUTE), Math.floor(seconds / MINUTE)];
  return hours
    ? `${hours}:${two(minutes % MINUTE)}:${two(seconds % MINUTE)}`
    : `${minutes}:${two(seconds % MINUTE)}`;
}
