// Amounts for people. The ledger counts in whole numbers; `currency.scale` says how much of the currency each one is.

import { locale, spoken } from "./i18n.js";

const THOUSAND = 1000n;
const MILLION = 1000000n;

/** An amount as text: `1,500 $`, or `14.85M` where a ledger counts in thousands. */
export function money(amount, currency) {
  const scale = BigInt(currency.scale || 1);
  const value = amount * scale;
  const size = value < 0n ? -value : value;
  let text;
  if (scale < THOUSAND) text = whole(value);
  else if (size < MILLION) text = `${scaled(value, THOUSAND)}K`;
  else text = `${scaled(value, MILLION)}M`;
  const { unit } = currency;
  // A unit that only says K or M would be said twice.
  if (!unit || /^[KM]$/i.test(unit)) return text;
  return spoken() === "en" && /^[$£€¥]$/.test(unit)
    ? text.replace(/\d/, (first) => unit + first)
    : `${text}\u00a0${unit}`;
}

/** An amount with its sign in front, also a plus. */
export function signed(amount, currency) {
  return `${amount < 0n ? "−" : "+"}${money(amount < 0n ? -amount : amount, currency)}`;
}

/** An amount as a person would type it: `120`, `15M`, `250K`. */
export function typed(amount, scale) {
  const value = amount * BigInt(scale || 1);
  if (BigInt(scale || 1) < THOUSAND || value % THOUSAND) return String(value);
  return value && value % MILLION === 0n ? `${value / MILLION}M` : `${value / THOUSAND}K`;
}

/** What a person typed as an amount of the currency, in ledger units; null when it is none. */
export function parseAmount(text, scale) {
  const match = /^(\d{1,9})(?:[.,](\d{1,3}))?\s*([kKmMкКмМ]?)$/.exec(text.replaceAll(/[\s\u00a0\u202f']/g, ""));
  if (!match) return null;
  const [, digits, fraction = "", letter] = match;
  const factor = /[mM\u041c\u043c]/.test(letter) ? MILLION : letter ? THOUSAND : 1n;
  const total = BigInt(digits + fraction) * factor;
  const parts = BigInt(scale) * 10n ** BigInt(fraction.length);
  return total % parts ? null : total / parts;
}

function whole(value) {
  return new Intl.NumberFormat(locale()).format(value);
}

function scaled(value, unit) {
  const size = value < 0n ? -value : value;
  const fraction = Number(size % unit) / Number(unit);
  const point = new Intl.NumberFormat(locale(), { maximumFractionDigits: 3 }).format(fraction).slice(1);
  return `${value < 0n ? "−" : ""}${whole(size / unit)}${point}`;
}
