import { follow } from "./events.js";
import { make, quotations } from "./making.js";

// The tabs below the table: what a step changed, the totals, the rules that were looked at, the line of the log.

const SIGNS = { kept: "✓", broken: "✗", derived: "→", "cannot tell": "?" };

export class Panel {
  constructor(tape, hrefOf, go, comment) {
    this.tape = tape;
    this.comment = comment;
    this.hrefOf = hrefOf;
    this.go = go;
    this.tabs = {
      changed: { name: "What changed", draw: () => this.changed() },
      totals: { name: "Table", draw: () => this.totals() },
      why: { name: "Why", draw: () => this.why() },
      source: { name: "Source line", draw: () => make("pre", { tabindex: "0" }, this.step.source) },
      comments: { name: `Comments (${tape.comments.length})`, draw: () => this.comments() },
      questions: { name: `${tape.takesBack ? "Questions and take-backs" : "Questions"} (${tape.questions.length})`, draw: () => this.questions() },
    };
    this.buttons = Object.entries(this.tabs).map(([id, tab]) =>
      make("button", { type: "button", role: "tab", "data-tab": id, click: () => this.open(id) }, tab.name),
    );
    this.content = make("div", { class: "tab", role: "tabpanel" });
    const list = make("div", { class: "tabs", role: "tablist", "aria-label": "About this step" }, this.buttons);
    this.element = make("div", { class: "panel" }, list, this.content);
    this.opened = "changed";
  }

  open(id) {
    this.opened = id;
    this.show(this.step.index, this.viewer);
  }

  show(index, viewer) {
    this.step = this.tape.step(index, viewer);
    this.viewer = viewer;
    for (const tab of this.buttons) {
      tab.setAttribute("aria-selected", String(tab.dataset.tab === this.opened));
    }
    this.content.setAttribute("aria-label", this.tabs[this.opened].name);
    this.content.replaceChildren(this.tabs[this.opened].draw());
  }

  changed() {
    const lines = this.step.changed;
    return lines.length
      ? make("ul", {}, lines.map((line) => make("li", {}, line)))
      : nothing("This step changes nothing on the table.");
  }

  totals() {
    const { index } = this.step;
    const now = this.tape.totals[index];
    const before = this.tape.totals[Math.max(0, index - 1)];
    const names = Object.keys(Object.values(now)[0] ?? {});
    const row = (name) => make(
      "tr",
      {},
      make("th", { scope: "row" }, name.replaceAll("_", " ")),
      this.tape.players.map(([id]) => total(now[id][name], before[id][name])),
    );
    const heads = this.tape.players.map(([, name], seat) => make("th", { scope: "col", "data-seat": seat }, name));
    const head = make("thead", {}, make("tr", {}, make("td"), heads));
    return make("table", { class: "totals" }, head, make("tbody", {}, names.map(row)));
  }

  why() {
    const rules = this.tape.why(this.step.index, this.viewer);
    return rules.length
      ? make("ul", { class: "why" }, rules.map((rule) => ruleLine(rule)))
      : nothing("No rule was looked at in this step.");
  }

  // What was said about this step, each with what was answered; a form where the page takes comments.
  comments() {
    const { seq } = this.step;
    const said = this.tape.commentsOn(seq).map((each) => this.thread(each));
    const commented = new Set(this.tape.comments.map((each) => each.on));
    const elsewhere = [...commented].filter((on) => on !== seq && !this.tape.eventTypes.get(on)?.startsWith("note."));
    const others = elsewhere.flatMap((on) => this.link(on));
    return make(
      "div",
      { class: "comments" },
      said.length ? make("ul", {}, said) : nothing("Nobody has said anything about this step."),
      this.comment && this.form(seq, "What do you say about this step?", "Comment"),
      others.length && make("p", { class: "dim" }, "Comments on other steps: ", others),
    );
  }

  thread(said) {
    const answers = this.tape.commentsOn(said.seq);
    const settled = said.settled || answers.some((each) => each.settled);
    return make(
      "li",
      { class: settled ? "settled" : "" },
      make("p", {}, said.text, settled && make("span", { class: "dim" }, " (settled)")),
      answers.length && make("ul", {}, answers.map((each) => this.thread(each))),
      this.comment && !settled && this.form(said.seq, "Answer", "Answer", true),
    );
  }

  link(seq) {
    const index = this.tape.stepOf(seq);
    const jump = (press) => follow(press, () => this.go(index));
    return [make("a", { href: this.hrefOf(seq), click: jump }, String(seq)), " "];
  }

  form(on, words, label, maySettle = false) {
    const field = make("input", { type: "text", maxlength: "2000", "aria-label": words, placeholder: words });
    const send = (settled) => field.value.trim() && this.comment({ on, text: field.value.trim(), settled });
    const enter = (event) => {
      event.preventDefault();
      send(false);
    };
    return make(
      "form",
      { class: "say", submit: enter },
      field,
      make("button", { type: "submit" }, label),
      maySettle && make("button", { type: "button", click: () => send(true) }, "Answer and settle"),
    );
  }

  questions() {
    const asked = this.tape.questions.map((index) => {
      const step = this.tape.step(index, this.viewer);
      const jump = (press) => follow(press, () => this.go(index));
      return make("li", {}, make("a", { href: this.hrefOf(step.seq), click: jump }, String(step.seq)), " ", step.text);
    });
    return asked.length ? make("ul", {}, asked) : nothing("Nobody asked anything or took anything back in this game.");
  }
}

function nothing(words) {
  return make("p", { class: "nothing" }, words);
}

function total(now, before) {
  const change = now - before;
  const sign = change > 0 ? `+${change}` : `−${-change}`;
  return make("td", {}, String(now), change ? make("span", { class: "change" }, ` ${sign}`) : "");
}

function ruleLine({ rule, citation, text, verdict, message, passages }) {
  return make(
    "li",
    { class: verdict.replace(" ", "-") },
    make("span", { class: "sign", role: "img", "aria-label": verdict, title: verdict }, SIGNS[verdict]),
    make("span", {}, make("b", {}, text), message && make("span", { class: "message" }, ` ${message}`),
      make("span", { class: "citation", title: rule }, citation), quotations(passages)),
  );
}
