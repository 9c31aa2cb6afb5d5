import { call } from "./rpc.js";

const state = document.getElementById("state");
try {
  const { boards = [] } = await call("magnate.game.v1.GameService/ListBoards");
  for (const board of boards) {
    const item = document.createElement("li");
    item.textContent = board.title || board.id;
    document.getElementById("boards").append(item);
  }
  state.textContent = `${boards.length} boards`;
} catch (error) {
  state.textContent = `${error.reason ?? error.name}: ${error.message}`;
}
