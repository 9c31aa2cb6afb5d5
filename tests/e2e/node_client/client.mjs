// Plays Magnate from the .proto files alone.
//
//   node client.mjs --address HOST:PORT --protos DIR --game ID [--name NAME] [--seed N] [--start]
//       takes a seat at a table and plays it; --start begins the game once the table is full
//   node client.mjs --address HOST:PORT --protos DIR --seats N [--turns N] [--seed N]
//       opens a table and plays all its seats
//
// The last line of its output is one JSON object that sums up the game.

import { parseArgs } from "node:util";
import { Seat } from "./seat.mjs";
import { Server, sleep } from "./server.mjs";

const { values: options } = parseArgs({
  options: {
    address: { type: "string" },
    protos: { type: "string" },
    game: { type: "string" },
    name: { type: "string", default: "node" },
    start: { type: "boolean", default: false },
    seats: { type: "string", default: "2" },
    turns: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
  },
});
if (!options.address || !options.protos) {
  console.error("usage: client.mjs --address HOST:PORT --protos DIR (--game ID | --seats N)");
  process.exit(2);
}

const server = new Server(options.address, options.protos);
const gameId = options.game ?? (await openTable());
const count = options.game ? 1 : Number(options.seats);
const seats = [];
for (let number = 0; number < count; number += 1) {
  const name = count === 1 ? options.name : `${options.name} ${number}`;
  seats.push(await Seat.join(server, gameId, name, Number(options.seed) + number));
}
if (options.start || !options.game) {
  await startWhenFull();
}
await Promise.all(seats.map((seat) => seat.play()));

const { game } = await server.call("GetGame", { game_id: gameId });
console.log(
  JSON.stringify({
    game_id: gameId,
    status: game.status,
    end_reason: game.end_reason,
    version: Number(game.version),
    turns: game.situation.turn,
    ranking: game.ranking,
    // Money is an int64, which is wider than a JavaScript number: it comes as a string and is counted as a BigInt.
    cash_total: game.seats.reduce((sum, seat) => sum + BigInt(seat.cash), 0n).toString(),
    state_hash: game.state_hash,
    retries: server.retries,
    seats: seats.map((seat) => seat.summary()),
  }),
);
server.close();

async function openTable() {
  const answer = await server.command("CreateGame", {
    ruleset: "classic",
    board: "classic-us",
    seat_count: Number(options.seats),
    title: "played from Node",
    options: [{ name: "end.turns_max", value: options.turns }],
  });
  return answer.game_id;
}

async function startWhenFull() {
  for (;;) {
    const { game } = await server.call("GetGame", { game_id: gameId });
    if (game.seats.length === game.seat_count) break;
    await sleep(50);
  }
  await server.command("StartGame", { game_id: gameId }, seats[0].token);
}
