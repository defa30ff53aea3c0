// The tape of one game: its steps, where the turns and findings are, and what the table looked like at each step.
// Knows nothing about the page. `steps` and `findings` are those of the viewer who sees everything; `step` and
// `finding` give them as a viewer may read them.

// A note on another event, as its line in the log says it, and whether the table calls that event a mistake.
function commentOf(step) {
  const { text, on, settled, note } = JSON.parse(step.source);
  return { seq: step.seq, text, on, settled: Boolean(settled), isMistake: note === "against the rules" };
}

const TAKEN_BACK = "play.taken-back";

// The steps of remarks that were taken back by a take-back behind which nothing but remarks stands: slips of the keeper.
function takenBack(steps) {
  const gone = new Set();
  for (const [index, { type, source }] of steps.entries()) {
    const behind = type === TAKEN_BACK ? steps.slice(0, index).filter(({ seq }) => seq > JSON.parse(source).to) : [];
    behind.every(({ kind }) => kind === "remark") && behind.forEach((each) => gone.add(each));
  }
  return gone;
}

// What no player took back: the keeper's own slip, which was never played.
const isUndone = ({ source }) => JSON.parse(source).note === "undone by who keeps the log";

const MISTAKES = ["illegal", "missing", "mismatch", "drift"];

// What a finding is called: a line that nobody wrote may be forgotten in the log alone, whatever else counts is a mistake.
export function kindInWords(kind) {
  return kind === "missing" ? "left unwritten" : MISTAKES.includes(kind) ? "mistake" : kind === "unverifiable" ? "cannot be told" : "remark";
}

export class Tape {
  constructor(frames) {
    Object.assign(this, frames);
    this.areasDrawn = frames.areasDrawn.map((area) => ({
      ...area,
      cards: area.cards.map((number) => frames.cardsDrawn[number]),
      cells: area.cells.map((number) => frames.cellsDrawn[number]),
    }));
    this.totals = frames.totals.map((number) => frames.totalsSeen[number]);
    this.last = this.steps.length - 1;
    // What the log cannot tell of a rule it cannot tell in line after line: that is said at the first of them.
    const first = new Map(this.findings.map(({ kind, rule }, number) => [kind === "unverifiable" ? rule : number, number]).reverse());
    this.said = new Set(first.values());
    this.withFindings = this.steps.filter((step) => step.findings.some((number) => this.said.has(number))).map((step) => step.index);
    const wrong = this.withFindings.filter((index) => this.findingsAt(index).some(({ kind }) => MISTAKES.includes(kind)));
    // Where a reader is led: to the mistakes; in a game without one, to whatever else is to be said.
    this.stops = wrong.length ? wrong : this.withFindings;
    this.stopName = this.stops.length > wrong.length ? "remark" : "mistake";
    const gone = takenBack(this.steps);
    const backs = this.steps.filter((step) => step.type === TAKEN_BACK && !isUndone(step));
    const asked = this.steps.filter((step) => step.type === "question.raised" && !gone.has(step));
    this.questions = [...backs, ...asked].map((step) => step.index).sort((one, other) => one - other);
    this.takesBack = backs.length > 0;
    this.eventTypes = new Map(this.steps.map((step) => [step.seq, step.type]));
    this.comments = this.steps.filter((step) => step.type === "note.added" && !gone.has(step)).map(commentOf).filter((each) => each.on);
    this.noted = this.comments.filter((each) => each.isMistake);
    this.turns = this.steps.filter((step, index) => this.beginsTurn(index)).map((step) => step.index);
    this.hasTurns = this.steps.some((step) => step.turn);
    this.tables = new Map();
  }

  // What was said about an event, in the order in which it was said.
  commentsOn(seq) {
    return this.comments.filter((each) => each.on === seq);
  }

  step(index, viewer) {
    return this.seen[viewer]?.steps[index] ?? this.steps[index];
  }

  finding(number, viewer) {
    return this.seen[viewer]?.findings[number] ?? this.findings[number];
  }

  // The findings of a step.
  findingsAt(index, viewer) {
    return this.steps[index].findings.map((number) => this.finding(number, viewer));
  }

  // The numbers of the findings that follow from no other one.
  causes() {
    return [...this.findings.keys()].filter((number) => !this.findings[number].follows);
  }

  // The numbers of the findings that follow from a finding; of several about one event the last one has them.
  following(number) {
    const { seq } = this.findings[number];
    const last = this.findings.findLastIndex((each) => each.seq === seq && !each.follows);
    return last === number ? [...this.findings.keys()].filter((later) => this.findings[later].follows === seq) : [];
  }

  // The rules that were looked at in a step, in words.
  why(index, viewer) {
    const { why } = this.step(index, viewer);
    return why.map(([number, verdict, message]) => ({ ...this.rules[number], verdict, message }));
  }

  beginsTurn(index) {
    const before = this.steps[index - 1];
    return index === 0 || before.turn !== this.steps[index].turn || before.round !== this.steps[index].round;
  }

  // The step of the event with a number; where the game has no such event, the one before it.
  stepOf(seq) {
    const after = this.steps.findIndex((step) => step.seq > seq);
    return Math.max(0, (after < 0 ? this.steps.length : after) - 1);
  }

  // Where a reader begins: at the first stop, what the table calls a mistake, or at the end; at first the table is empty.
  tellingStep() {
    return this.stops[0] ?? (this.noted.length ? this.stepOf(this.noted[0].on) : this.last);
  }

  // How many mistakes there are, and of how many others nobody knows, in words: what is wrong with a line is one.
  get foundInWords() {
    const causes = this.causes().map((number) => this.findings[number]);
    const wrong = causes.filter(({ kind }) => MISTAKES.includes(kind));
    const [first, later] = [false, true].map((after) => new Set(wrong.filter(({ tainted }) => Boolean(tainted) === after).map(({ seq }) => seq)).size);
    const remark = wrong.length ? "other remark" : "remark";
    const told = [
      [first, "mistake", "mistakes"],
      [later, "more after a mistake", "more after a mistake"],
      [causes.length - wrong.length, remark, `${remark}s`],
    ];
    return told.filter(([number]) => number).map(([number, one, more]) => `${number} ${number === 1 ? one : more}`).join(", ");
  }

  nextTurn(index) {
    return this.turns.find((begin) => begin > index) ?? this.last;
  }

  previousTurn(index) {
    return this.turns.findLast((begin) => begin < index) ?? 0;
  }

  nextStop(index) {
    return this.stops.find((step) => step > index) ?? index;
  }

  previousStop(index) {
    return this.stops.findLast((step) => step < index) ?? index;
  }

  nextViewer(viewer) {
    const all = this.viewers.map(([id]) => id);
    return all[(all.indexOf(viewer) + 1) % all.length];
  }

  // The areas of the table after a step, as a viewer sees them: name to area, in the order of the game.
  areas(viewer, index) {
    if (!this.tables.has(viewer)) {
      this.tables.set(viewer, this.unroll(this.drawings[viewer]));
    }
    return this.tables.get(viewer)[index];
  }

  unroll(changes) {
    let drawn = new Map();
    return changes.map((changed) => {
      const entries = Object.entries(changed);
      if (entries.length) {
        const now = [...drawn, ...entries.map(([name, number]) => [name, this.areasDrawn[number]])];
        drawn = new Map([...new Map(now)].filter(([, area]) => area));
      }
      return drawn;
    });
  }

  // The areas after a step in the lines that they stand in, from the far side of the table to the near one.
  lines(viewer, index) {
    const lines = new Map();
    for (const area of this.areas(viewer, index).values()) {
      lines.set(area.line, [...(lines.get(area.line) ?? []), area]);
    }
    return [...lines].sort(([one], [other]) => one - other)
      .map(([, areas]) => areas.sort((one, other) => one.column - other.column));
  }
}
