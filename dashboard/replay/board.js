import { Controls, Timeline } from "./controls.js";
import { Drawing } from "./drawing.js";
import { Events } from "./events.js";
import { Findings } from "./findings.js";
import { button, make } from "./making.js";
import { glide, placesOn } from "./motion.js";
import { Panel } from "./panel.js";
import { savePicture } from "./picture.js";
import { Tape } from "./tape.js";

// The replay as one screen that steps by itself. The page's address always says which step it shows and to whom, so
// that the address can be copied; the server hears nothing of it.

const KEYS = [
  ["← →", "a step back or forth"],
  ["Shift ← →", "a turn back or forth"],
  ["Home End", "the first or last step"],
  ["n p", "the next mistake, the one before"],
  ["v", "the next pair of eyes: everything, the public, each player"],
  ["Space", "play by itself, or stop"],
  ["a", "what the table asked and took back"],
  ["i", "a picture of the table at this step"],
  ["h", "these keys"],
];

// Browsers allow a hundred changes of the address in half a minute; a held key makes more.
const ADDRESS_PAUSE = 200;

// Milliseconds a step is shown for while the game plays by itself at the usual speed.
const A_STEP = 1000;

class Board {
  constructor(root) {
    this.act = {
      first: () => this.go(0),
      last: () => this.go(this.tape.last),
      back: () => this.go(this.index - 1),
      forth: () => this.go(this.index + 1),
      turnBack: () => this.go(this.tape.previousTurn(this.index)),
      turnForth: () => this.go(this.tape.nextTurn(this.index)),
      stopBack: () => this.go(this.tape.previousStop(this.index)),
      stopForth: () => this.go(this.tape.nextStop(this.index)),
      look: (viewer) => this.go(this.index, viewer),
      play: () => (this.playing ? this.stop() : this.play()),
      lookNext: () => this.go(this.index, this.tape.nextViewer(this.viewer)),
      questions: () => this.panel.open(this.panel.opened === "questions" ? "changed" : "questions"),
      picture: () => savePicture(this.drawing.element, `${this.tape.game_id}-${this.tape.steps[this.index].seq}`),
      help: () => (this.help.open ? this.help.close() : this.help.showModal()),
    };
    this.keys = {
      ArrowLeft: this.act.back,
      ArrowRight: this.act.forth,
      "Shift+ArrowLeft": this.act.turnBack,
      "Shift+ArrowRight": this.act.turnForth,
      Home: this.act.first,
      End: this.act.last,
      n: this.act.stopForth,
      p: this.act.stopBack,
      v: this.act.lookNext,
      " ": this.act.play,
      a: this.act.questions,
      i: this.act.picture,
      h: this.act.help,
    };
    this.element = make("div", { class: "replay", lang: "en" });
    root.append(this.element);
    this.listener = (event) => this.press(event);
    document.addEventListener("keydown", this.listener);
    this.fitting = () => this.drawing?.fitAnew();
    addEventListener("resize", this.fitting);
    // The page around it comes to rest later than the window: what counts is the room that the board has then.
    this.watching = new ResizeObserver(([{ contentRect: { width } }]) => {
      if (width !== this.width) {
        this.width = width;
        this.fitting();
      }
    });
    this.watching.observe(this.element);
    this.given = null;
  }

  // Take what the page gives: at first, and again whenever the page runs again. The reader stays where the reader is,
  // unless the page asks for another step than it did before.
  update(data) {
    const given = `${data.step} ${data.viewer}`;
    const stays = given === this.given;
    const seq = stays ? this.tape.steps[this.index].seq : data.step;
    const viewer = stays ? this.viewer : data.viewer;
    this.given = given;
    this.aside = data.aside;
    this.comment = data.comments && this.say ? (said) => this.say("comment", said) : null;
    this.alone = data.alone;
    if (data.frames !== this.frames) {
      this.frames = data.frames;
      this.build(new Tape(JSON.parse(data.frames)));
    }
    const known = this.tape.viewers.some(([id]) => id === viewer);
    this.go(seq === null ? this.tape.tellingStep() : this.tape.stepOf(seq), known ? viewer : this.tape.viewers[0][0]);
  }

  build(tape) {
    const go = (index) => this.go(index);
    clearTimeout(this.playing);
    this.playing = null;
    const hrefOf = (seq) => this.address(seq);
    this.tape = tape;
    this.index = undefined;
    this.controls = new Controls(tape, this.act);
    this.timeline = new Timeline(tape, go);
    this.drawing = new Drawing(tape);
    this.panel = new Panel(tape, hrefOf, go, this.comment);
    this.events = new Events(tape, hrefOf, go);
    this.findings = new Findings(tape, hrefOf, go);
    this.parts = [this.controls, this.timeline, this.drawing, this.panel, this.events, this.findings];
    this.help = helpOn(() => this.help.close());
    const main = make("div", { class: "main" }, this.drawing.element, this.drawing.reading, this.panel.element);
    this.element.replaceChildren(
      ...about(tape),
      this.controls.element,
      this.timeline.element,
      make("div", { class: "screen" }, main, this.events.element),
      this.findings.element,
      this.help,
    );
  }

  go(wanted, viewer = this.viewer) {
    const index = Math.min(this.tape.last, Math.max(0, wanted));
    if (index === this.index && viewer === this.viewer) {
      return;
    }
    const opened = this.index === undefined;
    const oneStep = Math.abs(index - this.index) === 1 && viewer === this.viewer;
    const before = oneStep ? placesOn(this.drawing.element) : null;
    this.index = index;
    this.viewer = viewer;
    for (const part of this.parts) {
      part.show(index, viewer);
    }
    this.events.leadTo(this.drawing.markWrong(this.tape.step(index, viewer), opened));
    if (before) {
      glide(this.drawing.element, before);
    }
    clearTimeout(this.writing);
    this.writing = setTimeout(() => this.write(), ADDRESS_PAUSE);
  }

  // Go on step by step until the end, at the speed that is chosen then.
  play() {
    if (this.index === this.tape.last) {
      this.go(0);
    }
    this.playing = setTimeout(() => this.playOn(), A_STEP / this.controls.speed);
    this.controls.plays(true);
  }

  playOn() {
    this.go(this.index + 1);
    if (this.index < this.tape.last) {
      this.play();
    } else {
      this.stop();
    }
  }

  stop() {
    clearTimeout(this.playing);
    this.playing = null;
    this.controls.plays(false);
  }

  // The address of a step of this game, for the viewer of now.
  address(seq) {
    const query = new URLSearchParams(this.alone ? location.hash.slice(1) : location.search);
    query.set("game", this.tape.game_id);
    query.set("step", seq);
    if (this.viewer === this.tape.viewers[0][0]) {
      query.delete("viewer");
    } else {
      query.set("viewer", this.viewer || "public");
    }
    return `${this.alone ? "#" : "?"}${query}`;
  }

  // A board beside the page's own one leaves the address alone.
  write() {
    if (!this.aside) {
      history.replaceState(history.state, "", this.address(this.tape.steps[this.index].seq));
    }
  }

  press(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const arrow = event.shiftKey && key.startsWith("Arrow") ? `Shift+${key}` : key;
    const act = this.keys[arrow];
    const held = event.ctrlKey || event.metaKey || event.altKey || (this.help.open && act !== this.act.help);
    const inside = event.composedPath().find((each) => each.classList?.contains("replay"));
    const mine = inside ? inside === this.element : !this.aside;
    if (act && mine && !held && !event.defaultPrevented && !takesKeys(event, this.element)) {
      event.preventDefault();
      if (this.playing && act !== this.act.play) {
        this.stop();
      }
      act();
    }
  }

  remove() {
    this.stop();
    clearTimeout(this.writing);
    removeEventListener("resize", this.fitting);
    this.watching.disconnect();
    document.removeEventListener("keydown", this.listener);
    this.element.remove();
  }
}

const USES_ARROWS = ["slider", "tab", "listbox", "menu", "grid", "dialog"].map((role) => `[role=${role}]`).join();

// Whether a key belongs to what has the focus: a field to write in, or another control of the page that uses arrows.
function takesKeys(event, element) {
  const path = event.composedPath();
  const writes = path.some((each) => each.matches?.("input, textarea, select, [contenteditable]"));
  if (event.key === " " && path.some((each) => each.matches?.("button, a, [role=button], [role=tab]"))) {
    return true; // what has the focus is pressed by it
  }
  const elsewhere = !path.includes(element) && path.some((each) => each.matches?.(USES_ARROWS));
  return writes || elsewhere;
}

// A day as people write it, `11 September 2026`, in the time zone of the log.
const dayOf = (at) => new Date(at.slice(0, 10)).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

// Who played, when, how it ended, under which rules; and where the replay had to stop, if it had to.
function about(tape) {
  const players = tape.players.map(([, name], seat) => make("span", { class: "player", "data-seat": seat }, name));
  const noted = tape.noted.length;
  const told = noted ? `${noted} ${noted === 1 ? "mistake" : "mistakes"} noted by the table` : "no rule is stated yet, so no play was judged";
  const found = tape.foundInWords || (tape.hasRules ? "no mistake" : told);
  const line = make(
    "div",
    { class: "about" },
    tape.title && make("h2", {}, tape.title),
    make("span", { class: "players" }, players),
    make("span", {}, tape.result),
    tape.steps[0]?.at && make("span", { class: "dim" }, dayOf(tape.steps[0].at)),
    tape.ruleset !== "unknown" && make("span", { class: "dim" }, `version ${tape.ruleset}`),
    make("span", { class: "dim" }, found),
  );
  const stopped = make("p", { class: "stopped illegal", role: "alert" }, `The replay stops here: ${tape.stopped}`);
  return tape.stopped ? [line, stopped] : [line];
}

function helpOn(close) {
  const rows = KEYS.map(([keys, words]) => make("tr", {}, make("th", { scope: "row" }, keys), make("td", {}, words)));
  return make(
    "dialog",
    { class: "help", "aria-label": "Keys" },
    make("table", {}, make("caption", {}, "Keys"), make("tbody", {}, rows)),
    make("p", {}, "A click on the timeline, a step or a mistake goes there. Copy the page's address to share it."),
    button("Close", "Close", close),
  );
}

const boards = new WeakMap();

// The component's entry: called at first and again with new data; what it gives back takes the screen away.
export default function ({ parentElement, data, setTriggerValue }) {
  const board = boards.get(parentElement) ?? new Board(parentElement);
  board.say = setTriggerValue;
  boards.set(parentElement, board);
  board.update(data);
  return () => {
    board.remove();
    boards.delete(parentElement);
  };
}
