// TerminalService as functions, and its messages with what JSON leaves out (zeros, empty texts) put in again.

import { serverStream, unary } from "./connect.js";

const SERVICE = "/magnate.bank.v1.TerminalService";

/** A fresh id for a command. `crypto.randomUUID` would need https, and a table at home has none. */
export function newCommandId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Calls a method of the terminal. */
export function call(method, request, options) {
  return unary(`${SERVICE}/${method}`, request, options);
}

/** Watches a table: yields `{table, operations, version, sounds}`; the table is as it came, null when nothing is new. */
export async function* watchTable(tableId, afterVersion, options) {
  const request = { tableId, afterVersion: String(afterVersion) };
  for await (const message of serverStream(`${SERVICE}/WatchTable`, request, options)) {
    yield {
      table: message.table ?? null,
      operations: (message.operations ?? []).map(readOperation),
      version: Number(message.version ?? 0),
      sounds: message.sounds ?? [],
    };
  }
}

/** Reads a Table. */
export function readTable(table) {
  return {
    tableId: table.tableId ?? "",
    version: Number(table.version ?? 0),
    edition: table.edition ?? "",
    currency: { unit: table.currency?.unit ?? "", scale: Number(table.currency?.scale ?? 1) },
    openingAmount: BigInt(table.openingAmount ?? 0),
    goAmount: BigInt(table.goAmount ?? 0),
    model: table.model ?? "UNIT_MODEL_NONE",
    status: table.status ?? "TABLE_STATUS_OPEN",
    sharedUnit: table.sharedUnit ?? false,
    inGame: table.inGame ?? false,
    cards: (table.cards ?? []).map(readCard),
    unit: table.unit ? readUnit(table.unit) : null,
    joinCode: table.joinCode ?? "",
    ranking: (table.ranking ?? []).map((rank) => ({
      place: rank.place ?? 0,
      seat: rank.seat ?? 0,
      total: BigInt(rank.total ?? 0),
    })),
    openTime: table.openTime ?? "",
  };
}

function readCard(card) {
  return {
    cardId: card.cardId ?? "",
    seat: card.seat ?? 0,
    name: card.name ?? "",
    balance: BigInt(card.balance ?? 0),
    hidden: card.hidden ?? false,
    retired: card.retired ?? false,
    locked: card.locked ?? false,
    hasPin: card.hasPin ?? false,
    claimed: card.claimed ?? false,
    owes: BigInt(card.owes ?? 0),
  };
}

/** Reads a Unit. */
export function readUnit(unit) {
  const frame = unit.frame ?? {};
  return {
    frame: {
      text: frame.text ?? "",
      suffix: frame.suffix ?? "",
      sign: frame.sign ?? "",
      state: frame.state ?? "off",
      seat: frame.seat ?? 0,
      refusal: frame.refusal ?? "",
      more: frame.more ?? false,
      until: frame.until ?? "",
      square: frame.square ?? 0,
      level: frame.level ?? 0,
      owner: frame.owner ?? 0,
      expects: frame.expects ?? [],
    },
    left: unit.leftCardId ?? "",
    right: unit.rightCardId ?? "",
    volume: unit.volume ?? 0,
    operation: Number(unit.operation ?? 0),
  };
}

/** Reads an Operation. */
export function readOperation(operation) {
  return {
    version: Number(operation.version ?? 0),
    time: operation.time ? Date.parse(operation.time) : 0,
    kind: operation.kind ?? "",
    actor: operation.actor ?? "",
    entries: (operation.entries ?? []).map((entry) => ({
      debit: entry.debit ?? "",
      credit: entry.credit ?? "",
      amount: BigInt(entry.amount ?? 0),
    })),
    reverses: Number(operation.reverses ?? 0),
    reversedBy: Number(operation.reversedBy ?? 0),
    note: operation.note ?? "",
  };
}
