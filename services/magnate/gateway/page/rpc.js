// Calls on the gateway: the Connect protocol with JSON. No library is needed.

/** What the server answered instead of a result: `code`, a stable `reason`, `message`, `metadata`. */
export class RpcError extends Error {
  constructor(error) {
    super(error.message || error.code);
    const info = (error.details || []).find((one) => one.type === "google.rpc.ErrorInfo")?.debug ?? {};
    this.code = error.code;
    this.reason = info.reason ?? error.code.toUpperCase();
    this.metadata = info.metadata ?? {};
  }
}

function headers(type, token) {
  return { "content-type": type, "connect-protocol-version": "1", ...(token && { authorization: `Bearer ${token}` }) };
}

async function post(method, type, body, { token, signal }) {
  try {
    return await fetch(`/${method}`, { method: "POST", headers: headers(type, token), body, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new RpcError({ code: "unavailable", message: "the server cannot be reached" });
  }
}

/** Call a method that answers once: `await call("magnate.game.v1.GameService/GetGame", {gameId}, {token})`. */
export async function call(method, request = {}, options = {}) {
  const answer = await post(method, "application/json", JSON.stringify(request), options);
  const body = await answer.json().catch(() => ({ code: "unavailable", message: `HTTP ${answer.status}` }));
  if (!answer.ok) throw new RpcError({ code: "unknown", ...body });
  return body;
}

/** Call a method that answers with a stream: `for await (const message of stream(method, request)) …`. */
export async function* stream(method, request = {}, options = {}) {
  const body = new TextEncoder().encode(JSON.stringify(request));
  const frame = new Uint8Array(5 + body.length);
  new DataView(frame.buffer).setUint32(1, body.length);
  frame.set(body, 5);
  const answer = await post(method, "application/connect+json", frame, options);
  if (!answer.ok) throw new RpcError({ code: "unknown", ...(await answer.json().catch(() => ({}))) });
  const reader = answer.body.getReader();
  let waiting = new Uint8Array(0);
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((error) => {
        if (error.name === "AbortError") throw error;
        return { done: true };
      });
      if (done) throw new RpcError({ code: "unavailable", message: "the stream broke off" });
      const joined = new Uint8Array(waiting.length + value.length);
      joined.set(waiting);
      joined.set(value, waiting.length);
      waiting = joined;
      while (waiting.length >= 5) {
        const size = new DataView(waiting.buffer, waiting.byteOffset).getUint32(1);
        if (waiting.length < 5 + size) break;
        const message = JSON.parse(new TextDecoder().decode(waiting.subarray(5, 5 + size)));
        const isEnd = (waiting[0] & 2) !== 0;
        waiting = waiting.subarray(5 + size);
        if (!isEnd) yield message;
        else if (message.error) throw new RpcError(message.error);
        else return;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
