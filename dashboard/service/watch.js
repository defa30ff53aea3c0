// A game as it is played, for a screen on the wall: the board of the replay, which goes on with every line.
// The token stands behind # in the address, where no server and no log of one sees it.

const game = encodeURIComponent(document.body.dataset.game);
const asked = new URLSearchParams(location.search);
const token = decodeURIComponent(location.hash.slice(1));
const place = document.getElementById("board");
const state = document.getElementById("state");
const headers = { authorization: `Bearer ${token}` };
let takeAway = () => {};

function query(names) {
  const chosen = new URLSearchParams([...asked].filter(([name]) => names.includes(name)));
  return chosen.size ? `?${chosen}` : "";
}

async function show() {
  const answer = await fetch(`/v1/games/${game}/board${query(["viewer"])}`, { headers });
  if (!answer.ok) throw new Error((await answer.json()).error);
  const frames = await answer.text();
  const known = JSON.parse(frames);
  const step = known.steps.at(-1)[1] ?? null;
  takeAway();
  const viewer = known.viewers[0][0];
  takeAway = mount({ parentElement: place, data: { frames, step: document.body.dataset.last ? Number(document.body.dataset.last) : step, viewer, aside: false, alone: true } });
}

async function follow() {
  const stream = await fetch(`/v1/games/${game}/stream${query(["viewer", "delay"])}`, { headers });
  if (!stream.ok) throw new Error((await stream.json()).error);
  const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
  state.textContent = "";
  for (let text = "", part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const ids = [...text.matchAll(/^id: (\d+)$/gm)];
    if (ids.length) document.body.dataset.last = ids.at(-1)[1];
    if (ids.length && text.endsWith("\n\n")) {
      text = "";
      await show();
    }
  }
}

for (;;) {
  try {
    await follow();
  } catch (error) {
    state.textContent = token ? `${error.message}` : "Put the token behind # in the address.";
  }
  await new Promise((done) => setTimeout(done, 2000));
}
