import { button, make, quotations } from "./making.js";
import { kindInWords } from "./tape.js";

// The side of the table: what happened in this step, what the audit says about it, and all events of the game.

export class Events {
  constructor(tape, hrefOf, go) {
    this.tape = tape;
    this.seats = new Map(tape.players.map(([id], seat) => [id, seat]));
    this.hrefOf = hrefOf;
    this.rows = tape.steps.map((step) => this.row(step, go));
    const items = this.rows.map((row, index) => make("li", {}, this.heading(index), row));
    this.list = make("ol", { class: "events", "aria-label": "Steps" }, items);
    this.happened = make("p", { class: "happened", role: "status", "aria-live": "polite" });
    this.findings = make("div", { class: "findings-here" });
    const told = make("div", { class: "told" }, this.happened, this.findings);
    this.element = make("div", { class: "side" }, told, this.list);
    this.current = null;
  }

  heading(index) {
    const step = this.tape.steps[index];
    if (!this.tape.beginsTurn(index)) {
      return "";
    }
    const before = this.tape.hasTurns ? "Set-up" : "";
    const words = step.turn ? `Round ${step.round} · turn ${step.turn}` : step.round ? `Round ${step.round}` : before;
    return before && make("span", { class: "turn-begins" }, words);
  }

  row(step, go) {
    const found = step.findings.filter((number) => this.tape.said.has(number)).map((number) => this.tape.findings[number]);
    return make(
      "a",
      {
        class: `event ${step.kind}`,
        "data-seq": step.seq,
        "data-seat": this.seats.get(step.player),
        click: (press) => follow(press, () => go(step.index)),
      },
      make("span", { class: "seq" }, String(step.seq)),
      make("span", { class: "text" }),
      found.length > 0 && make("span", { class: `dot ${found[0].kind}`, role: "img", "aria-label": kindInWords(found[0].kind) }, "●"),
    );
  }

  // What a row says and where it leads, for the viewer of now.
  write(row, step) {
    row.href = this.hrefOf(step.seq);
    row.querySelector(".text").textContent = step.text;
  }

  show(index, viewer) {
    const step = this.tape.step(index, viewer);
    if (viewer !== this.viewer) {
      this.viewer = viewer;
      this.rows.forEach((row, each) => this.write(row, this.tape.step(each, viewer)));
    }
    this.happened.replaceChildren(
      make("span", { class: "number" }, String(step.seq)),
      make("span", {}, step.text),
      step.at && make("time", { datetime: step.at }, timeOf(step.at)),
    );
    const noted = this.tape.noted.filter((each) => each.on === step.seq).map(({ text }) => make("p", { class: "finding illegal" }, text));
    this.findings.replaceChildren(...this.tape.findingsAt(index, viewer).map((finding) => callout(this.tape, finding)), ...noted);
    this.current?.removeAttribute("aria-current");
    this.current = this.rows[index];
    this.current.setAttribute("aria-current", "step");
    this.scrollTo(this.current.parentElement);
  }

  // A way from a finding to the card that it names, where that lies below the screen.
  leadTo(card) {
    const words = "Show it on the table";
    const go = () => card.scrollIntoView({ block: "center", inline: "nearest" });
    if (card?.getBoundingClientRect().bottom > innerHeight) {
      this.findings.lastElementChild?.append(button(words, words, go));
    }
  }

  // Only the list scrolls; `scrollIntoView` would move the whole page.
  scrollTo(item) {
    const { offsetTop: top, offsetHeight: height } = item;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop + height || top + 2 * height > scrollTop + clientHeight) {
      this.list.scrollTop = top - (clientHeight - height) / 2;
    }
  }
}

// A plain click steps here; with a key held, the link opens elsewhere, as links do.
export function follow(press, step) {
  if (!(press.ctrlKey || press.metaKey || press.shiftKey)) {
    press.preventDefault();
    step();
  }
}

function timeOf(at) {
  return at.slice(0, 16).replace("T", " ");
}

// What a rule says, in words; its id where it says nothing.
function wordsOf(tape, rule) {
  return tape.ruleTexts[rule] || rule;
}

// What is wrong, without the sentence of the rule where the message begins with it: it stands above.
function messageOf(tape, { rule, message }) {
  const words = wordsOf(tape, rule);
  return message.startsWith(words) ? message.slice(words.length).trim() : message;
}

export function citationOf(finding) {
  const lines = finding.place || finding.lines && `${/ /.test(finding.lines) ? "lines" : "line"} ${finding.lines.replace(/L(?=\d)/g, "").replaceAll(" ", ", ")}`;
  return [finding.section, lines].filter(Boolean).join(", ");
}

// Where a rule stands: small, for who looks it up; what it is called is said on pointing at it.
function lookedUp(finding) {
  const place = citationOf(finding);
  return make("p", { class: "citation", title: finding.rule }, place || finding.rule);
}

function callout(tape, finding) {
  return make(
    "article",
    { class: `finding ${finding.kind}`, "aria-label": kindInWords(finding.kind) },
    make("p", { class: "head" }, make("span", { class: "kind" }, kindInWords(finding.kind)), make("span", {}, wordsOf(tape, finding.rule))),
    messageOf(tape, finding) && make("p", { class: "message" }, messageOf(tape, finding)),
    finding.expected && make("p", { class: "expected" }, "Expected: ", make("b", {}, finding.expected)),
    finding.because && make("p", { title: finding.because }, `It contradicts: ${wordsOf(tape, finding.because)}`),
    quotations(finding.passages),
    finding.outcome && make("p", {}, finding.outcome),
    finding.follows > 0 && make("p", { class: "follows" }, `It follows from what is wrong at step ${finding.follows}.`),
    lookedUp(finding),
  );
}
