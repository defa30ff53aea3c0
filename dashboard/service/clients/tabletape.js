// A client of a Tabletape service, for a browser, Node or Deno: an ES module without dependencies.
//
//   const tape = new Tabletape("http://localhost:8521", "tt_…");
//   const game = await tape.begin({ game: "crystal", players: [{ name: "Ann", deck: "…" }, { name: "Ben", deck: "…" }] });
//   const { findings, due } = await tape.send(game, { type: "turn.ended", player: "A" });
//   for await (const { line, state } of tape.stream(game)) console.log(line ?? state);

const PASSING = new Set([429, 502, 503, 504]);

/** What the service refuses: `status`, its words as `message`, and the rest of its answer as `answer`. */
export class Refused extends Error {
  constructor(status, answer) {
    super(answer.error ?? `the service answered ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

export class Tabletape {
  /** `tries`: how often a request is sent until it is answered; `pause`: milliseconds before the second time. */
  constructor(address, token, { tries = 6, pause = 250 } = {}) {
    this.address = address.replace(/\/+$/, "");
    this.token = token;
    this.tries = tries;
    this.pause = pause;
  }

  /** Begin a game; return its id. */
  async begin(beginning) {
    return (await this.#post("games", beginning)).game_id;
  }

  /** Write a line or a list of them: all or none, and once, however often it has to be sent. `expected`: the number of
      the last line that is known; others' lines behind it are in `answer.events` of the refusal (409). */
  async send(game, lines, { expected } = {}) {
    return this.#post(`games/${encodeURIComponent(game)}/events`, lines, expected);
  }

  games() { return this.#get("games"); }
  game(game) { return this.#get(`games/${encodeURIComponent(game)}`); }
  beginnings() { return this.#get("beginnings"); }
  table(game, query = {}) { return this.#of(game, "table", query); }
  findings(game, query = {}) { return this.#of(game, "findings", query); }
  due(game, query = {}) { return this.#of(game, "due", query); }
  legal(game, query = {}) { return this.#of(game, "legal", query); }

  /** Return the lines of a game behind `after`, all of them, however many: the service answers with 1,000 at a time. */
  async events(game, { after = 0, ...query } = {}) {
    const found = [];
    for (let page; (page = await this.#of(game, "events", { ...query, after })).length; after = page.at(-1).seq) {
      found.push(...page);
    }
    return found;
  }

  /** Yield `{ seq, line }` for each line behind `after`, `{ state }` with findings and what is due, and `{ problem }` in
      words where nothing more can be read just now; goes on where it broke off. */
  async *stream(game, { after = 0, viewer, signal } = {}) {
    for (;;) {
      try {
        const query = viewer === undefined ? "" : `?${new URLSearchParams({ viewer })}`;
        const headers = { ...this.#headers(), "last-event-id": `${after}` };
        const path = `${this.address}/v1/games/${encodeURIComponent(game)}/stream${query}`;
        const answer = await fetch(path, { headers, signal });
        if (!answer.ok) throw await refused(answer);
        for await (const event of eventsOf(answer.body)) {
          const said = JSON.parse(event.data);
          if (event.event === "line") after = Number(event.id);
          yield event.event === "line" ? { seq: after, line: said } : event.event === "state" ? { state: said } : { problem: said.error };
        }
      } catch (error) {
        if (signal?.aborted || (error instanceof Refused && !PASSING.has(error.status))) throw error;
      }
      if (signal?.aborted) return;
      await new Promise((done) => setTimeout(done, this.pause));
    }
  }

  #headers() { return { authorization: `Bearer ${this.token}` }; }
  #get(path) { return this.#answered(path, { headers: this.#headers() }); }
  #of(game, what, query) { return this.#get(`games/${encodeURIComponent(game)}/${what}?${new URLSearchParams(query)}`); }

  #post(path, body, expected) {
    const headers = { ...this.#headers(), "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
    if (expected !== undefined) headers["if-match"] = `"${expected}"`;
    return this.#answered(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async #answered(path, request) {
    for (let tried = 1; ; tried += 1) {
      try {
        const answer = await fetch(`${this.address}/v1/${path}`, request);
        if (answer.ok) return await answer.json();
        throw await refused(answer);
      } catch (error) {
        if (tried >= this.tries || (error instanceof Refused && !PASSING.has(error.status))) throw error;
      }
      await new Promise((done) => setTimeout(done, this.pause * 2 ** (tried - 1)));
    }
  }
}

async function refused(answer) {
  return new Refused(answer.status, await answer.json().catch(() => ({})));
}

/** Yield the events of a stream of server-sent events, each with its `event`, `id` and `data`. */
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "", part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (text + part.value).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s)));
      if (fields.data !== undefined) yield fields;
    }
  }
}
