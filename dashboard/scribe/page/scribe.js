import { LISTENING, ask, newKey, tell } from "./asking.js";
import { Beginning } from "./beginning.js";
import { Choosing, tapped } from "./choosing.js";
import { Drawing } from "./drawing.js";
import { Filling } from "./filling.js";
import { Found } from "./finding.js";
import { button, make } from "./making.js";
import { Marking } from "./marking.js";
import { glide, placesOn } from "./motion.js";
import { savePicture } from "./picture.js";
import { Finger, Typing, behind, refuseTaps } from "./typing.js";
import { Waiting } from "./waiting.js";
import { learn, t, told, turnIn } from "./words.js";

// A log that is kept while the game is played. What is shown has been written: every tap waits for the log.

const SAID_FOR = 6000;
const LISTEN_AGAIN = 3000;
const EVERYTHING = "*";

// Without the right code in the address: to ask on would be to guess.
const GONE = [404, 429];

class Scribe {
  constructor(root) {
    this.root = root;
    this.said = make("div", { class: "said", role: "status" });
    this.taps = [];
    this.heard = 0;
    const acts = this.acts = {
      write: (body) => this.write(body),
      writeAlong: (...what) => this.writeAlong(...what),
      narrow: (option) => this.tap({ words: option.words, mark: option.mark }),
      untap: (index) => this.untap(index),
      more: (option) => this.more(option),
      form: (type, given) => this.form(type, given),
      redraw: () => this.draw(),
      empty: () => {
        this.box.value = "";
      },
      undo: (to) => this.undo(to),
      agree: (body) => this.post("rulings", body),
      over: (won) => this.marking.over(this.screen, won),
      players: () => this.trying(() => this.marking.players(this.screen)),
      leave: () => this.leave(),
      game: () => this.game,
    };
    this.choosing = new Choosing(acts);
    this.found = new Found(acts);
    this.filling = new Filling((body, problem) => this.write(body, problem));
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.renew());
    this.marking = new Marking(acts);
    this.waiting = new Waiting((what, body) => this.send(what, body), (words) => this.say(words));
    this.table = make("div", { class: "board", click: (event) => this.tapTable(event) });
    this.lines = make("div", { class: "lines" });
    this.head = make("header", { class: "top" });
    this.finger = new Finger();
    refuseTaps(root, () => this.refuses());
  }

  async start() {
    await learn();
    this.box = new Typing(this).box;
    const query = new URLSearchParams(location.search);
    this.game = query.get("game") ?? "";
    this.viewer = query.has("viewer") ? query.get("viewer") : EVERYTHING;
    if (this.game && !query.has("new")) {
      this.open(this.game);
    } else {
      this.begin(query.get("new") ?? "");
    }
  }

  async begin(wanted) {
    this.heard += 1;
    const place = make("div");
    this.root.replaceChildren(place, this.said);
    const beginning = new Beginning(place, (game) => this.open(game), (words) => this.say(words));
    await this.trying(() => beginning.show(wanted));
  }

  leave() {
    this.game = "";
    history.replaceState(null, "", `?${location.hash}`);
    this.begin("");
  }

  async open(game) {
    this.game = game;
    this.address();
    this.undoing = make("div", { class: "row undoing" });
    this.ending = button(t("The game is over"), t("The game is over: who won, and the points"), () => this.marking.over(this.screen));
    this.breaking = button(t("Against the rules"), t("They did something that no rule allows"), () => (this.screen.judged ? this.lookWhatever() : this.marking.against(this.screen)));
    const footer = make("footer", { class: "bottom" },
      this.undoing,
      make("div", { class: "row tools" },
        button(t("Question"), t("A question about the rules"), () => this.marking.question(this.screen, {})),
        button(t("This felt …"), t("How this moment felt"), () => this.marking.felt(this.screen, {})),
        button(t("Note"), t("A note"), () => this.marking.note()),
        this.breaking,
        this.ending,
        button(t("More …"), t("More …"), () => this.marking.more([
          button(t("Something else"), t("Anything that the game knows"), () => this.form(), { class: "option" }),
          button(t("Ask the players"), t("How was it? A form for the players' phones"), this.acts.players, { class: "option" }),
          button(t("Picture"), t("A picture of the table as it is now"), () => savePicture(this.table.firstChild, `${this.game}-${this.screen.seq}`), { class: "option" }),
        ]))),
      this.box);
    // Nothing can be tapped before there is something to tap at.
    this.screen = null;
    this.content = [this.waiting.element, this.head, this.table, make("div", { class: "below" }, this.lines, this.found.element, this.choosing.element), footer, this.said, this.filling.element, this.marking.element];
    this.root.replaceChildren(this.waiting.element, this.said);
    await this.look();
    this.listen();
  }

  address() {
    const query = new URLSearchParams({ game: this.game });
    if (this.viewer !== EVERYTHING) {
      query.set("viewer", this.viewer);
    }
    history.replaceState(null, "", `?${query}${location.hash}`);
  }

  path(what) {
    return `games/${encodeURIComponent(this.game)}/${what}`;
  }

  // -- asking and writing --------------------------------------------------------------------------------------------

  // Look at the game as it is now, narrowed by what was tapped and typed.
  async look() {
    const number = (this.asked = (this.asked ?? 0) + 1);
    const begins = this.begins ? JSON.stringify(this.begins.line) : "";
    const query = { viewer: this.viewer, tap: this.taps.map((each) => each.mark), typed: this.box.value, begins };
    if (this.whatever) {
      query.whatever = "1";
    }
    await this.trying(async () => {
      await this.show(await ask(this.path("screen"), query), number);
    });
  }

  // A line goes as it is; of what answers a question, or draws cards, the line is made there.
  write(body, problem) {
    return "line" in body && !("cards" in body) ? this.post("events", body.line, problem) : this.post("answers", body, problem);
  }

  // Two lines with one tap: the second only where the first has led to what was shown.
  async writeAlong(line, body, question) {
    const { seq } = this.screen;
    await this.write({ line });
    const isAsked = question === undefined || this.screen.asked[body.asked]?.question.words === question || body.line;
    if (this.screen.seq === seq + 1 && isAsked) {
      await this.write(body);
    }
  }

  undo(to = 0) {
    return this.post("undo", to ? { to } : {});
  }

  redo() {
    return this.post("undo", { again: true });
  }

  // What no rule allows, also where nothing was tapped.
  async lookWhatever() {
    this.whatever = true;
    await this.look();
    this.choosing.element.querySelector(".anyway")?.scrollIntoView({ block: "nearest" });
  }

  async send(what, { body, behind: last, key }) {
    const sent = this.box.value;
    const { screen, problem } = await tell(this.path(what), body, { viewer: this.viewer, show: "screen" }, { behind: last, key });
    const next = behind(sent, this.box.value);
    this.forget();
    this.said.replaceChildren();
    this.box.value = next;
    this.asked = (this.asked ?? 0) + 1;
    this.filling.close();
    if (screen) {
      await (next ? this.look() : this.show(screen, this.asked));
    } else {
      this.say(t("It is written, but the table cannot be shown: {problem}", { problem }));
    }
  }

  // Begin a new choice: nothing tapped, nothing typed.
  forget() {
    this.taps = [];
    this.begins = null;
    this.whatever = false;
    this.box.value = "";
  }

  // A tap means what is on the table, and that is about to change: it is not taken, and that is said.
  refuses() {
    if (this.busy) {
      this.say(t("The line before is still being written: this tap does not count, tap again."));
    }
    return this.busy;
  }

  // Write something behind the line that is shown. While nobody answers it is kept for later.
  async post(what, body, refused) {
    if (this.refuses() || this.waiting.refuses()) {
      return;
    }
    this.busy = true;
    this.root.classList.add("busy");
    const sent = { body, behind: this.screen.seq, key: newKey() };
    try {
      await this.send(what, sent);
    } catch (error) {
      if (error.status === 0) {
        this.filling.close();
        this.waiting.keep(what, sent);
        return;
      }
      (refused ?? ((words) => this.say(words)))(error.status === 409 ? t("Somebody else has written meanwhile: this is the game as it is now.") : told(error.message));
      if (error.status === 409) {
        this.forget();
        await this.look();
      }
    } finally {
      this.busy = false;
      this.root.classList.remove("busy");
    }
  }

  // Choose what goes on from a decision, or with none everything again.
  more(option) {
    this.begins = option;
    this.taps = [];
    this.box.value = "";
    return this.look();
  }

  async form(type, given) {
    await this.trying(async () => {
      this.filling.open(await ask(this.path("forms")), type, given);
    });
  }

  async trying(act) {
    try {
      await act();
    } catch (error) {
      if (error.status === 0) {
        this.waiting.lost();
      } else {
        this.say(told(error.message));
      }
    }
  }

  // A page that was left lying, or comes back from elsewhere, shows the game as it is now.
  async renew() {
    if (this.game && this.screen && !this.busy) {
      await this.look();
    }
  }

  // Wait for what other devices write, for as long as this game is open.
  async listen() {
    const mine = (this.heard += 1);
    while (mine === this.heard) {
      try {
        const { stamp } = await ask(this.path("changes"), { stamp: this.screen?.stamp ?? "" }, LISTENING);
        await this.waiting.found();
        if (mine === this.heard && stamp !== this.screen?.stamp && !this.busy) {
          const before = this.screen?.seq;
          await this.look();
          if (before !== undefined && this.screen.seq > before) {
            this.say(t("Written elsewhere: {line}", { line: this.screen.lines.at(-1).words }));
          }
        }
      } catch (error) {
        if (GONE.includes(error.status)) {
          this.say(t("This address leads to no game any more: open the one that was printed last."));
          return;
        }
        this.waiting.lost();
        await new Promise((resolve) => setTimeout(resolve, LISTEN_AGAIN));
      }
    }
  }

  // -- what is seen --------------------------------------------------------------------------------------------------

  // Show the answer to what was asked last, but never take away what a finger is just about to tap.
  async show(screen, number) {
    await this.finger.up();
    if (number !== this.asked) {
      return;
    }
    if (!this.screen) {
      this.root.replaceChildren(...this.content);
    }
    const before = this.screen ? placesOn(this.table) : null;
    const isSame = this.screen?.stamp === screen.stamp && this.screen?.viewer === screen.viewer;
    this.screen = screen;
    if (!isSame) {
      this.drawTable();
      if (before) {
        glide(this.table, before);
      }
    }
    this.draw();
  }

  drawTable() {
    const { screen } = this;
    const lines = new Map();
    for (const area of screen.areas) {
      lines.set(area.line, [...(lines.get(area.line) ?? []), area]);
    }
    const sorted = [...lines].sort(([one], [other]) => one - other).map(([, areas]) => areas.sort((one, other) => one.column - other.column));
    const drawing = new Drawing({ players: screen.players, areasDrawn: screen.areas, cardTexts: {}, lines: () => sorted });
    drawing.show(0, screen.viewer);
    const isNew = !this.table.firstChild;
    const { scrollTop } = this.table;
    this.table.replaceChildren(drawing.element);
    // At first the near player's side is in sight, later what was.
    this.table.scrollTop = isNew ? this.table.scrollHeight : scrollTop;
    this.drawHead();
    this.lines.dataset.seq = screen.seq;
    const back = screen.taken_back;
    const gone = back ? [make("p", { class: "gone" }, back === 1 ? t("1 line is taken back") : t("{number} lines are taken back", { number: back }))] : [];
    this.lines.replaceChildren(...screen.stands.map((each) => this.line(each)), ...gone);
  }

  // A line that was written; tapped, it takes a comment, a question, a feeling, or the game goes back to it.
  line(each) {
    const label = t("Event {number}: {line}", { number: each.seq, line: each.words });
    return make("p", {}, button(`${each.seq}  ${each.words}`, label, () => this.marking.line(this.screen, each)));
  }

  drawUndoing() {
    const { over, undoes, redoes } = this.screen;
    this.ending.hidden = !this.screen.may_end;
    this.breaking.hidden = this.screen.over;
    this.undoing.replaceChildren(
      undoes ? button(over ? t("Undo") : t("Undo: {line}", { line: undoes }), t("Takes back: {line}", { line: undoes }), () => this.undo(), { class: "undo" }) : "",
      redoes ? button(t("Redo: {line}", { line: redoes }), t("Writes again: {line}", { line: redoes }), () => this.redo(), { class: "undo" }) : "");
  }

  drawHead() {
    const { screen } = this;
    const words = (id, name) => (id === EVERYTHING ? t("I see all hands") : id ? t("I see the hand of {name}", { name }) : t("I see no hand"));
    const eyes = make("select", { "aria-label": t("Which hands do you see"), change: () => this.look_as(eyes.value) },
      screen.viewers.map(([id, name]) => make("option", { value: id, selected: id === this.viewer }, words(id, name))));
    this.head.replaceChildren(make("b", { title: screen.game_id }, screen.title), make("span", { class: "turn" }, screen.over ? t("The game is over") : turnIn(screen.turn)), eyes);
  }

  look_as(viewer) {
    this.viewer = viewer;
    this.address();
    this.look();
  }

  draw() {
    this.choosing.show(this.screen, this.taps, this.box.value.trim(), this.begins);
    this.found.show(this.screen);
    this.drawUndoing();
    const marks = new Set(this.taps.flatMap((each) => each.mark.split("\n")));
    for (const element of this.table.querySelectorAll("[data-name], [data-place]")) {
      element.classList.toggle("tapped", marks.has(element.dataset.name ?? element.dataset.place));
    }
  }

  say(words) {
    clearTimeout(this.forgetting);
    this.said.replaceChildren(words);
    this.forgetting = setTimeout(() => this.said.replaceChildren(), SAID_FOR);
  }

  // -- tapping and typing --------------------------------------------------------------------------------------------

  tapTable(event) {
    const found = tapped(event.target, this.screen.areas);
    if (!found) {
      return;
    }
    const index = this.taps.findIndex((each) => each.mark === found.mark);
    if (index >= 0) {
      this.untap(index);
    } else {
      this.tap(found);
    }
  }

  // A tap on what does not belong to the only choice that is left goes on from that choice; a free cell ends what goes on.
  async tap(one) {
    const [only, ...others] = this.screen.options;
    const before = this.taps;
    this.taps = [...before, one];
    await this.look();
    if (!this.begins && before.length && only?.goes_on && !others.length && !this.screen.options.length) {
      this.begins = only;
      this.taps = [one];
      await this.look();
      if (!this.screen.options.length) {
        this.begins = null;
        this.taps = [...before, one];
        await this.look();
      }
    }
    const { options: [left], total } = this.screen;
    if (this.begins && one.isFree && total === 1 && left.line) {
      await this.write({ line: left.line });
    }
  }

  untap(index) {
    this.taps.splice(index, 1);
    return this.look();
  }
}

new Scribe(document.getElementById("scribe")).start();
