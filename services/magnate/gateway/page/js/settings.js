// What a person chose for this device. Storage may be forbidden (private windows); then it lasts as long as the page.

const NAME = "magnate.settings";
const memory = new Map();

/** localStorage, or the page's memory where that is forbidden. */
export const storage = {
  get(name) {
    try {
      return localStorage.getItem(name) ?? memory.get(name) ?? null;
    } catch {
      return memory.get(name) ?? null;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(name, value);
      memory.delete(name);
    } catch {
      memory.set(name, value);
    }
  },
  remove(name) {
    memory.delete(name);
    try {
      localStorage.removeItem(name);
    } catch {
      // There was nothing stored.
    }
  },
  names(prefix) {
    const found = new Set([...memory.keys()]);
    try {
      for (let number = 0; number < localStorage.length; number += 1) found.add(localStorage.key(number));
    } catch {
      // Only the memory then.
    }
    return [...found].filter((name) => name.startsWith(prefix)).sort();
  },
};

/** Reads a stored value; what is missing or spoilt is null. */
export function readStored(name) {
  try {
    return JSON.parse(storage.get(name) ?? "null");
  } catch {
    return null;
  }
}

const DEFAULTS = { language: "", theme: "", sound: true, shortcuts: true };

/** The settings of this device. */
export const settings = { ...DEFAULTS, ...readStored(NAME) };

/** Changes a setting and keeps it. */
export function choose(name, value) {
  settings[name] = value;
  storage.set(NAME, JSON.stringify(settings));
  if (name !== "theme") return;
  if (value) document.documentElement.dataset.theme = value;
  else delete document.documentElement.dataset.theme;
}
