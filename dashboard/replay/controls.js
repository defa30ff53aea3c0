import { button, make } from "./making.js";

// The buttons above the table, and the timeline: a strip that is as long as the game, with a tick for every mistake and remark.

const SNAP = 6;

// How many times as fast as usual a game may play by itself.
const SPEEDS = [0.5, 1, 2, 4, 8];

export class Controls {
  constructor(tape, act) {
    this.place = make("span", { class: "place" });
    this.viewer = make(
      "select",
      { "aria-label": "Whose eyes (v)", title: "Whose eyes (v)", change: () => this.look(act.look) },
      tape.viewers.map(([id, words]) => make("option", { value: id }, words)),
    );
    this.player = button("▶", "Play by itself (space)", act.play);
    this.pace = make(
      "select",
      { class: "pace", "aria-label": "Speed", title: "Speed", change: () => this.pace.blur() },
      SPEEDS.map((speed) => make("option", { value: String(speed) }, `${speed}×`)),
    );
    this.pace.value = "1";
    const stop = tape.stopName;
    this.before = button(`‹ ${stop}`, `The ${stop} before (p)`, act.stopBack);
    this.next = button(`${stop} ›`, `The next ${stop} (n)`, act.stopForth);
    this.element = make(
      "div",
      { class: "controls", role: "toolbar", "aria-label": "Steps" },
      make(
        "span",
        { class: "keys" },
        button("⇤", "First step (Home)", act.first, { class: "far" }),
        button("«", "Turn back (Shift ←)", act.turnBack),
        button("‹", "Step back (←)", act.back, { class: "wide" }),
        button("›", "Step (→)", act.forth, { class: "wide" }),
        button("»", "Turn (Shift →)", act.turnForth),
        button("⇥", "Last step (End)", act.last, { class: "far" }),
      ),
      tape.stops.length > 0 && make("span", { class: "keys" }, this.before, this.next),
      make("span", { class: "keys" }, this.player, this.pace),
      this.viewer,
      this.place,
      make("span", { class: "keys" }, button("Picture", "A picture of this step (i)", act.picture), button("?", "Keys (h)", act.help)),
    );
    this.tape = tape;
  }

  // The choice gives the focus up, so that the arrow keys step again.
  look(look) {
    this.viewer.blur();
    look(this.viewer.value);
  }

  get speed() {
    return Number(this.pace.value);
  }

  plays(playing) {
    this.player.textContent = playing ? "❚❚" : "▶";
    this.player.setAttribute("aria-pressed", String(playing));
  }

  show(index, viewer) {
    const step = this.tape.steps[index];
    const when = step.turn ? ` · round ${step.round}` : this.tape.hasTurns ? " · set-up" : "";
    const far = (words) => make("span", { class: "far" }, words);
    // A narrow screen has one line for it.
    this.place.replaceChildren(far("Step "), `${step.seq} of ${this.tape.steps[this.tape.last].seq}${when}`, far(step.turn ? `, turn ${step.turn}` : ""));
    this.viewer.value = viewer;
    this.before.disabled = this.tape.previousStop(index) === index;
    this.next.disabled = this.tape.nextStop(index) === index;
  }
}

export class Timeline {
  constructor(tape, go) {
    this.tape = tape;
    this.thumb = make("span", { class: "thumb" });
    this.done = make("span", { class: "done" });
    const ticks = tape.withFindings.map((index) => this.tick(index));
    const begins = tape.turns.slice(1).map((index) => make("span", { class: "turn", style: this.at(index) }));
    this.element = make(
      "div",
      {
        class: "timeline",
        role: "slider",
        tabindex: "0",
        "aria-label": "Timeline",
        "aria-valuemin": tape.steps[0].seq,
        "aria-valuemax": tape.steps[tape.last].seq,
      },
      make("div", { class: "track" }, this.done, begins, ticks, this.thumb),
    );
    this.listen(go);
  }

  at(index) {
    return `left: ${this.tape.last ? (index / this.tape.last) * 100 : 0}%`;
  }

  tick(index) {
    const found = this.tape.findingsAt(index);
    const words = found.map((finding) => `${finding.seq}: ${finding.message}`).join("\n");
    return make("span", { class: `tick ${found[0].kind}`, style: this.at(index), title: words });
  }

  listen(go) {
    const follow = (event) => go(this.stepAt(event.clientX));
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      follow(event);
    });
    this.element.addEventListener("pointermove", (event) => event.buttons && follow(event));
  }

  // The step at a place of the strip; a finding nearby draws the pointer to itself.
  stepAt(x) {
    const { left, width } = this.element.firstElementChild.getBoundingClientRect();
    const exact = ((x - left) / width) * this.tape.last;
    const reach = (SNAP / width) * this.tape.last;
    const finding = this.tape.withFindings.find((index) => Math.abs(index - exact) <= reach);
    return Math.round(finding ?? Math.min(this.tape.last, Math.max(0, exact)));
  }

  show(index, viewer) {
    const step = this.tape.step(index, viewer);
    const left = this.tape.last ? (index / this.tape.last) * 100 : 0;
    this.thumb.style.left = `${left}%`;
    this.done.style.width = `${left}%`;
    this.element.setAttribute("aria-valuenow", step.seq);
    this.element.setAttribute("aria-valuetext", `Step ${step.seq}: ${step.text}`);
  }
}
