// One connection to a game server, with the manners every client needs: a deadline on each call, the same command id
// on every retry, and refusals by their stable reason.

import { randomUUID } from "node:crypto";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const CALL_MS = 20_000;
const RETRY_MS_MAX = 60_000;
const RETRY_PAUSE_MS = 200;

// The outcome is unknown or the server is busy: send the very same request again.
const RETRYABLE = new Set([
  grpc.status.UNAVAILABLE,
  grpc.status.DEADLINE_EXCEEDED,
  grpc.status.RESOURCE_EXHAUSTED,
  grpc.status.ABORTED,
  grpc.status.CANCELLED,
]);

const LOADING = { keepCase: true, longs: String, enums: String, defaults: true, arrays: true, oneofs: true };
const here = new URL(".", import.meta.url).pathname;
const errors = protoLoader.loadSync("error.proto", { ...LOADING, includeDirs: [here] });

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The server refused; `reason` is the stable name, such as NOT_YOUR_TURN, and `metadata` names game and version. */
export class RefusedError extends Error {
  constructor(code, reason, message, metadata) {
    super(`${reason}: ${message}`);
    this.code = code;
    this.reason = reason;
    this.metadata = metadata;
  }
}

/** Reads the google.rpc.ErrorInfo that comes with a failed call. */
export function refusalOf(error) {
  const [packed] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (packed) {
    const status = errors["google.rpc.Status"].deserialize(packed);
    for (const detail of status.details) {
      if (detail.type_url.endsWith("/google.rpc.ErrorInfo")) {
        const info = errors["google.rpc.ErrorInfo"].deserialize(detail.value);
        return new RefusedError(error.code, info.reason, status.message, info.metadata);
      }
    }
  }
  return new RefusedError(error.code, grpc.status[error.code], error.details, {});
}

export class Server {
  constructor(address, protos) {
    const definition = protoLoader.loadSync("magnate/game/v1/game.proto", { ...LOADING, includeDirs: [protos] });
    const { GameService } = grpc.loadPackageDefinition(definition).magnate.game.v1;
    this.stub = new GameService(address, grpc.credentials.createInsecure(), {
      "grpc.initial_reconnect_backoff_ms": 100,
      "grpc.max_reconnect_backoff_ms": 1000,
    });
    this.retries = 0;
  }

  /** Calls until there is an answer; throws a RefusedError. */
  async call(method, request, token = "") {
    const giveUp = Date.now() + RETRY_MS_MAX;
    for (;;) {
      try {
        return await this.#once(method, request, token);
      } catch (error) {
        if (!RETRYABLE.has(error.code) || Date.now() > giveUp) throw refusalOf(error);
        this.retries += 1;
        await sleep(RETRY_PAUSE_MS);
      }
    }
  }

  /** Calls a method that changes something: the id is chosen here once, so that retries have one effect. */
  async command(method, request, token = "") {
    return this.call(method, { command_id: randomUUID(), ...request }, token);
  }

  /** Yields every commit of a game after a version, in order and without a gap, over reconnects. */
  async *watch(gameId, afterVersion = 0) {
    let seen = BigInt(afterVersion);
    for (;;) {
      const stream = this.stub.WatchGame({ game_id: gameId, after_version: seen.toString() });
      try {
        for await (const update of stream) {
          if (update.commit) {
            const version = BigInt(update.commit.version);
            if (version !== seen + 1n) throw new Error(`version ${version} came after ${seen}`);
            seen = version;
          }
          yield update;
        }
      } catch (error) {
        if (!RETRYABLE.has(error.code)) throw error.metadata ? refusalOf(error) : error;
        this.retries += 1;
      } finally {
        stream.cancel();
      }
      await sleep(RETRY_PAUSE_MS);
    }
  }

  close() {
    this.stub.close();
  }

  #once(method, request, token) {
    const metadata = new grpc.Metadata();
    if (token) metadata.set("authorization", `Bearer ${token}`);
    return new Promise((resolve, reject) => {
      this.stub[method](request, metadata, { deadline: Date.now() + CALL_MS }, (error, answer) =>
        error ? reject(error) : resolve(answer),
      );
    });
  }
}
