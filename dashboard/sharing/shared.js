// The page of a shared file: its games, and the board of the one that is chosen.

const games = JSON.parse(document.getElementById("data").textContent);
const place = document.getElementById("board");
let takeAway = () => {};

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

async function showGame(number) {
  const frames = await unpacked(games[number][1]);
  takeAway();
  const viewer = JSON.parse(frames).viewers[0][0];
  takeAway = mount({ parentElement: place, data: { frames, step: null, viewer, aside: false, alone: true } });
}

if (games.length > 1) {
  const names = games.map(([name], number) => make("option", { value: number }, name));
  const choose = make("select", { "aria-label": "Game", change: () => {
    showGame(Number(choose.value));
    choose.blur(); // the arrow keys are the board's
  } }, names);
  document.getElementById("games").replaceChildren(choose);
}
showGame(0);
