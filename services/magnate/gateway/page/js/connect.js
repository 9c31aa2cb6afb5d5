// The Connect protocol in JSON over plain fetch: single calls, and streams from the server.

const TIMEOUT_MS = 8000;
const END_OF_STREAM = 2;
const COMPRESSED = 1;
const HEADER_BYTES = 5;

// Codes after which the very same request may be sent again: it did not arrive, or the answer did not.
const PASSING = new Set(["unavailable", "deadline_exceeded", "resource_exhausted", "aborted", "canceled"]);
// Not these, whatever their code.
const FINAL = new Set(["COMMAND_TOO_OLD", "SUPERSEDED"]);
// A fault of the service: worth a few more tries, not worth waiting for.
const FAULTS = new Set(["internal", "unknown"]);
const CODE_OF_STATUS = { 400: "internal", 401: "unauthenticated", 403: "permission_denied", 404: "unimplemented" };

/** What went wrong: `code` is Connect's, `reason` is the service's stable name. */
export class CallError extends Error {
  constructor(code, message, reason = "", metadata = {}) {
    super(message || code);
    this.code = code;
    this.reason = reason;
    this.metadata = metadata;
  }

  /** Says whether sending the same again may help. */
  get isPassing() {
    return (PASSING.has(this.code) && !FINAL.has(this.reason)) || this.isFault;
  }

  /** Says whether the service is broken rather than away. */
  get isFault() {
    return FAULTS.has(this.code);
  }
}

/** Calls a method once. Throws CallError. */
export async function unary(path, request, { token = "", timeoutMs = TIMEOUT_MS, signal = null } = {}) {
  const limit = AbortSignal.timeout(timeoutMs);
  const response = await post(
    path,
    JSON.stringify(request),
    "application/json",
    token,
    signal ? either(limit, signal) : limit,
  );
  const text = await response.text().catch((error) => {
    throw new CallError("unavailable", String(error));
  });
  let body = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Something between us and the service answered; its status says what.
  }
  if (response.ok && body) return body;
  throw errorOf(body, response.status);
}

/** Calls a method that answers with a stream; yields its messages. Throws CallError when it ends with an error. */
export async function* serverStream(path, request, { token = "", signal } = {}) {
  const payload = new TextEncoder().encode(JSON.stringify(request));
  const frame = new Uint8Array(HEADER_BYTES + payload.length);
  new DataView(frame.buffer).setUint32(1, payload.length);
  frame.set(payload, HEADER_BYTES);
  const response = await post(path, frame, "application/connect+json", token, signal);
  if (!response.ok) throw errorOf(await response.json().catch(() => null), response.status);
  const decoder = new TextDecoder();
  for await (const { flags, bytes } of frames(response.body)) {
    if (flags & COMPRESSED) throw new CallError("internal", "a compressed message that nobody asked for");
    const message = JSON.parse(decoder.decode(bytes));
    if (flags & END_OF_STREAM) {
      if (message.error) throw errorOf(message, 0);
      return;
    }
    yield message;
  }
  throw new CallError("unavailable", "the stream was cut");
}

async function post(path, body, type, token, signal) {
  const headers = { "content-type": type, "connect-protocol-version": "1" };
  if (token) headers.authorization = `Bearer ${token}`;
  try {
    return await fetch(path, { method: "POST", headers, body, signal, cache: "no-store", credentials: "omit" });
  } catch (error) {
    throw new CallError("unavailable", String(error));
  }
}

async function* frames(stream) {
  const reader = stream.getReader();
  let buffer = new Uint8Array(0);
  try {
    for (;;) {
      while (buffer.length >= HEADER_BYTES) {
        const length = new DataView(buffer.buffer, buffer.byteOffset).getUint32(1);
        if (buffer.length < HEADER_BYTES + length) break;
        yield { flags: buffer[0], bytes: buffer.subarray(HEADER_BYTES, HEADER_BYTES + length) };
        buffer = buffer.subarray(HEADER_BYTES + length);
      }
      const { done, value } = await reader.read().catch((error) => {
        throw new CallError("unavailable", String(error));
      });
      if (done) return;
      const joined = new Uint8Array(buffer.length + value.length);
      joined.set(buffer);
      joined.set(value, buffer.length);
      buffer = joined;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function errorOf(body, status) {
  const error = body?.error ?? body;
  if (!error?.code) return new CallError(CODE_OF_STATUS[status] ?? "unavailable", `HTTP ${status}`);
  for (const detail of error.details ?? []) {
    if (detail.type?.endsWith("google.rpc.ErrorInfo")) {
      const [reason, metadata] = errorInfo(detail.value ?? "");
      return new CallError(error.code, error.message, reason, metadata);
    }
  }
  return new CallError(error.code, error.message);
}

// google.rpc.ErrorInfo { reason = 1; domain = 2; map<string, string> metadata = 3 } as base64 of its bytes.
function errorInfo(base64) {
  const bytes = Uint8Array.from(atob(base64.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
  const fields = textFields(bytes);
  const text = (field) => (field ? new TextDecoder().decode(field[1]) : "");
  const metadata = {};
  for (const [number, value] of fields) {
    if (number !== 3) continue;
    const pair = textFields(value);
    metadata[text(pair.find(([field]) => field === 1))] = text(pair.find(([field]) => field === 2));
  }
  return [text(fields.find(([number]) => number === 1)), metadata];
}

function textFields(bytes) {
  const fields = [];
  let place = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[place++];
      value |= (byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
  };
  while (place < bytes.length) {
    const tag = varint();
    if ((tag & 7) !== 2) break;
    const length = varint();
    fields.push([tag >> 3, bytes.subarray(place, place + length)]);
    place += length;
  }
  return fields;
}

function either(one, other) {
  const joined = new AbortController();
  for (const signal of [one, other]) {
    if (signal.aborted) joined.abort();
    signal.addEventListener("abort", () => joined.abort(), { once: true });
  }
  return joined.signal;
}
