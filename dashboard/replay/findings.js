import { follow } from "./events.js";
import { button, make } from "./making.js";
import { kindInWords } from "./tape.js";

// Below the table, where there are several: each mistake and remark of the game, as a way to its step.

export class Findings {
  constructor(tape, hrefOf, go) {
    this.tape = tape;
    this.hrefOf = hrefOf;
    this.go = go;
    this.element = make("div", {});
  }

  show(index, viewer) {
    if (viewer !== this.viewer) {
      this.viewer = viewer;
      this.element.replaceChildren(this.tape.findings.length > 1 ? this.list() : "");
    }
    for (const row of this.element.querySelectorAll("li[data-step]")) {
      row.toggleAttribute("data-here", Number(row.dataset.step) === index);
    }
  }

  list() {
    const name = this.tape.stops.length < this.tape.withFindings.length ? "Mistakes and remarks" : `All ${this.tape.stopName}s`;
    const rows = this.tape.causes().flatMap((number) => this.rows(number));
    return make("section", { class: "all-found" }, make("h3", {}, name), make("ol", { "aria-label": name }, rows));
  }

  // A finding, and folded away below it those that follow from it.
  rows(number) {
    const found = this.tape.finding(number, this.viewer);
    const following = this.tape.following(number).map((later) => this.row(this.tape.finding(later, this.viewer)));
    for (const each of following) each.hidden = true;
    return following.length ? [this.row(found), this.fold(following), ...following] : [this.row(found)];
  }

  fold(following) {
    const what = following.length === 1 ? "1 more follows" : `${following.length} more follow`;
    const toggle = button(`${what} from this`, "Show or hide them", () => {
      for (const each of following) each.hidden = !each.hidden;
      toggle.setAttribute("aria-expanded", String(!following[0].hidden));
    }, { "aria-expanded": "false", class: "unfold" });
    return make("li", {}, toggle);
  }

  // Whether it is another one about the same event, which is one play.
  isSecond(finding) {
    const first = this.tape.causes().find((number) => this.tape.findings[number].seq === finding.seq);
    return !finding.follows && this.tape.findings[first].rule !== finding.rule;
  }

  row(finding) {
    const step = this.tape.stepOf(finding.seq);
    const jump = (press) => follow(press, () => this.go(step));
    const kind = this.isSecond(finding) ? "also" : kindInWords(finding.kind);
    return make(
      "li",
      { class: finding.follows ? "follows" : "", "data-step": step },
      make("a", { href: this.hrefOf(finding.seq), click: jump }, `Step ${finding.seq}`),
      make("span", { class: `kind ${finding.kind}` }, kind),
      make("span", {}, finding.message),
    );
  }
}
