import { follow, lookedUp, messageOf, wordsOf } from "./events.js";
import { button, make } from "./making.js";
import { kindInWords } from "./tape.js";

// All findings of the game below the table, each with a link to its step.

const HEADS = ["Event", "Kind", "What is wrong", "Expected", "Rulebook"];

export class Findings {
  constructor(tape, hrefOf, go) {
    this.tape = tape;
    this.hrefOf = hrefOf;
    this.go = go;
    this.element = make("div", { class: "wide-table", tabindex: "0", role: "group", "aria-label": "Findings" });
  }

  show(index, viewer) {
    if (viewer !== this.viewer) {
      this.viewer = viewer;
      this.element.replaceChildren(this.tape.findings.length ? this.table() : make("p", { class: "nothing" }, none(this.tape)));
    }
    for (const row of this.element.querySelectorAll("tr[data-step]")) {
      row.toggleAttribute("data-here", Number(row.dataset.step) === index);
    }
  }

  table() {
    return make(
      "table",
      { class: "findings" },
      make("caption", {}, "Findings"),
      make("thead", {}, make("tr", {}, HEADS.map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, this.tape.causes().flatMap((number) => this.rows(number))),
    );
  }

  // A finding, and folded away below it those that follow from it.
  rows(number) {
    const found = this.tape.finding(number, this.viewer);
    const following = this.tape.following(number).map((later) => this.row(this.tape.finding(later, this.viewer)));
    for (const each of following) each.hidden = true;
    return following.length ? [this.row(found), this.fold(following), ...following] : [this.row(found)];
  }

  fold(following) {
    const what = following.length === 1 ? "1 later finding follows" : `${following.length} later findings follow`;
    const toggle = button(`${what} from this`, "Show or hide them", () => {
      for (const each of following) each.hidden = !each.hidden;
      toggle.setAttribute("aria-expanded", String(!following[0].hidden));
    }, { "aria-expanded": "false", class: "unfold" });
    return make("tr", { class: "follows" }, make("td", {}), make("td", { colspan: "4" }, toggle));
  }

  // Whether it is another one about the same event, which is one play.
  isSecond(finding) {
    const first = this.tape.causes().find((number) => this.tape.findings[number].seq === finding.seq);
    return !finding.follows && this.tape.findings[first].rule !== finding.rule;
  }

  row(finding) {
    const step = this.tape.stepOf(finding.seq);
    const jump = (press) => follow(press, () => this.go(step));
    return make(
      "tr",
      { class: finding.follows ? "follows" : "", "data-step": step },
      make("td", {}, make("a", { href: this.hrefOf(finding.seq), click: jump }, String(finding.seq))),
      make("td", {}, make("span", { class: `kind ${finding.kind}` }, this.isSecond(finding) ? "also" : kindInWords(finding.kind))),
      make("td", { class: "wrong" }, make("p", {}, wordsOf(this.tape, finding.rule)), make("b", {}, messageOf(this.tape, finding))),
      make("td", { class: "expected" }, finding.expected),
      make("td", {}, lookedUp(finding)),
    );
  }
}

function none({ hasRules }) {
  return hasRules
    ? "No findings: nothing that the log tells breaks a rule."
    : "No rule of this game is stated, so nothing was held against one: only the book-keeping was checked.";
}
