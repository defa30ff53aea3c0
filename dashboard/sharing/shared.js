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
  for (const [index, each] of [...document.querySelectorAll("#games button")].entries()) {
    each.setAttribute("aria-pressed", String(index === number));
  }
}

if (games.length > 1) {
  const buttons = games.map(([name], number) => button(name, `Show ${name}`, () => showGame(number)));
  document.getElementById("games").replaceChildren(...buttons);
}
showGame(0);
