// A game as it is played, for a screen on the wall: the board of the replay, which goes on with every line.
// The token stands behind # in the address, where no server and no log of one sees it.
{
  const game = encodeURIComponent(document.body.dataset.game);
  const asked = new URLSearchParams(location.search);
  const token = decodeURIComponent(location.hash.slice(1));
  const place = document.getElementById("board");
  const state = document.getElementById("state");
  const headers = { authorization: `Bearer ${token}` };
  let last = 0;
  let takeAway = () => {};

  async function ask(path, names) {
    const chosen = new URLSearchParams([...asked].filter(([name]) => names.includes(name)));
    if (path === "stream") chosen.set("after", last);
    const answer = await fetch(`/v1/games/${game}/${path}?${chosen}`, { headers });
    if (!answer.ok) throw new Error((await answer.json()).error);
    return answer;
  }

  async function show() {
    const frames = await (await ask("board", ["viewer"])).text();
    takeAway();
    const viewer = JSON.parse(frames).viewers[0][0];
    takeAway = mount({ parentElement: place, data: { frames, step: last, viewer, aside: false, alone: true } });
  }

  async function listen() {
    const stream = await ask("stream", ["viewer", "delay"]);
    const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
    state.hidden = true;
    for (let text = "", part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      if (!text.endsWith("\n\n")) continue;
      const ids = [...text.matchAll(/^id: (\d+)$/gm)];
      const [, problem] = text.match(/^event: problem\ndata: (.*)$/m) ?? [];
      if (problem) throw new Error(JSON.parse(problem).error);
      const isNew = ids.length || /^event: state$/m.test(text);
      text = "";
      last = Number(ids.at(-1)?.[1] ?? last);
      if (isNew) await show();
    }
  }

  for (;;) {
    try {
      await listen();
    } catch (error) {
      state.hidden = false;
      state.textContent = token ? `${error.message}` : "Put the token behind # in the address.";
    }
    await new Promise((done) => setTimeout(done, 2000));
  }
}
