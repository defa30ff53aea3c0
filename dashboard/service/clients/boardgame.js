// A game of boardgame.io as lines of a Tabletape game: each move by a table of names, turns by themselves, undo and redo.
//
//   import { Tabletape } from "./tabletape.js";
//   import { follow } from "./boardgame.js";
//   const told = await follow(client, new Tabletape(address, token), game, {
//     seats: { 0: "A", 1: "B" },
//     moves: { draw: (player, count) => ({ type: "cards.drawn", player, count }) },
//     answered: ({ findings }) => findings.forEach((each) => alert(each.message)),
//   });
//
// Follow one client of a match, or that of the server: each of them has the whole log.

/** Write what happens in a client's match from now on; return `{ stop, written }`, which waits until all is written. */
export async function follow(client, tape, game, { seats, moves, answered = () => {}, refused = console.error }) {
  let { seq } = await tape.game(game);
  let told = client.log.length;
  let turn = 0;
  let mover;
  let written = Promise.resolve();
  const done = [];
  const undone = [];

  async function write(lines) {
    if (lines.length) {
      const answer = await tape.send(game, lines);
      seq = answer.seq;
      answered(answer);
    }
  }

  async function tell({ action: { type, payload }, turn: now }) {
    const player = seats[payload?.playerID] ?? mover;
    if (type === "UNDO" && done.length) {
      const last = done.pop();
      undone.push(last);
      await write(last.lines.length ? [{ type: "play.taken-back", to: last.before }] : []);
    } else if (type === "REDO" && undone.length) {
      done.push({ ...undone.pop(), before: seq });
      await write(done.at(-1).lines);
    } else if (type === "MAKE_MOVE") {
      if (now > turn) await write([{ type: "turn.started", player }]);
      [turn, mover] = [now, player];
      const lines = [moves[payload.type]?.(player, ...(payload.args ?? []))].flat().filter(Boolean);
      done.push({ before: seq, lines });
      undone.length = 0;
      await write(lines);
    } else if (type === "GAME_EVENT" && payload.type === "endTurn") {
      done.length = 0;
      await write(player ? [{ type: "turn.ended", player }] : []);
    }
  }

  const stop = client.subscribe(() => {
    for (const entry of client.log.slice(told)) written = written.then(() => tell(entry)).catch(refused);
    told = client.log.length;
  });
  return { stop, written: () => written };
}
