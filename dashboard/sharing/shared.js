// The page of a shared file: its games, and the board of the one that is chosen.

const { games, step: first } = JSON.parse(document.getElementById("data").textContent);
const place = document.getElementById("board");
let takeAway = () => {};

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

// The address behind `#` says the game, the step and the viewer, as it does in the dashboard.
const wanted = () => new URLSearchParams(location.hash.slice(1));

async function showGame(number, query = new URLSearchParams()) {
  const frames = await unpacked(games[number][1]);
  takeAway();
  const [[everything]] = JSON.parse(frames).viewers;
  const viewer = query.has("viewer") ? query.get("viewer").replace(/^public$/, "") : everything;
  const step = Number(query.get("step")) || null;
  takeAway = mount({ parentElement: place, data: { frames, step, viewer, aside: false, alone: true } });
}

async function showWanted() {
  const query = wanted();
  const number = Math.max(0, games.findIndex(([, , id]) => id === query.get("game")));
  if (choose) {
    choose.value = String(number);
  }
  if (first && !query.has("step") && !query.has("game")) {
    query.set("step", first);
  }
  await showGame(number, query);
}

let choose = null;

if (games.length > 1) {
  const names = games.map(([name], number) => make("option", { value: number }, name));
  choose = make("select", { "aria-label": "Game", change: () => {
    showGame(Number(choose.value));
    choose.blur(); // the arrow keys are the board's
  } }, names);
  document.getElementById("games").replaceChildren(choose);
}
addEventListener("hashchange", showWanted);
showWanted();
