import { ask } from "./asking.js";
import { citationOf } from "./events.js";
import { button, make } from "./making.js";
import { t } from "./words.js";

// What the line that was just written shows to be wrong, in it or before it, and three ways on: nothing is ever refused.

export class Found {
  constructor(acts) {
    this.acts = acts;
    this.element = make("div", { class: "found", "aria-live": "polite" });
    this.settled = new Set();
  }

  show(screen) {
    const open = screen.findings.filter((each) => !this.settled.has(keyOf(screen, each.finding)));
    this.element.replaceChildren(...(screen.over ? [this.end(screen)] : open.map((each) => this.one(screen, each))));
  }

  one(screen, { finding, about }) {
    const ways = make("div", { class: "row" },
      button(t("That is what happened"), t("Leave the line as it is"), () => this.settle(screen, finding)),
      button(t("Undo"), t("Take the line back"), () => this.acts.undo()),
      button(t("We play it so …"), t("A ruling or a house rule of this table"), () => this.so(finding, card)));
    const card = make("div", { class: `finding ${finding.kind}`, "data-rule": finding.rule },
      about ? make("p", { class: "about" }, t("An earlier line, “{line}”:", { line: about })) : "",
      make("p", {}, make("b", {}, finding.message), finding.expected ? ` ${t("Expected: {what}.", { what: finding.expected })}` : ""),
      make("p", { class: "dim", title: finding.rule }, citationOf(finding)), ways);
    return card;
  }

  settle(screen, finding) {
    this.settled.add(keyOf(screen, finding));
    this.show(screen);
  }

  async so(finding, card) {
    const list = make("div", { class: "options" }, make("p", { class: "dim" }, t("Looking through the rulings …")));
    card.append(list);
    const rulings = await ask(`games/${encodeURIComponent(this.acts.game())}/rulings`, { seq: finding.seq, rule: finding.rule });
    const agree = (key, option) => this.acts.agree({ seq: finding.seq, rule: finding.rule, key, option });
    list.replaceChildren(
      ...rulings.map((each) => button(`${each.question} ${each.text || each.option}`, `${each.key}=${each.option}`, () => agree(each.key, each.option), { class: "option" })),
      button(t("A house rule of ours"), t("Noted with the rule"), () => agree("", ""), { class: "option" }),
    );
  }

  end(screen) {
    const noted = screen.noted.map((each) => make("li", {}, each));
    const rows = screen.findings.map(({ finding, about }) => make("li", { "data-rule": finding.rule }, about ? `${about}: ` : "", make("b", {}, finding.message), make("span", { class: "dim", title: finding.rule }, ` ${citationOf(finding)}`)));
    return make("div", { class: "finding end" }, make("p", {}, make("b", {}, t("The game is over: {result}.", { result: screen.result }))),
      make("p", {}, rows.length ? t("Is this what happened?") : noted.length ? t("Against the rules, as the table noted:") : screen.judged ? t("Nothing in it is against the rules.")
        : t("No rule of this game is stated yet, so nobody can tell whether one was broken.")),
      make("ul", {}, rows, noted),
      make("div", { class: "row" }, button(t("Ask the players"), t("How was it? A form for the players' phones"), this.acts.players),
        button(t("Another game"), t("Begin another game"), () => this.acts.leave()),
        // The pages are there where the dashboard serves the scribe.
        ...(/\/scribe\/$/.test(location.pathname) ? [make("a", { href: "../evening" }, t("This evening")), make("a", { href: `../replay?game=${encodeURIComponent(screen.game_id)}` }, t("Replay"))] : [])));
  }
}

function keyOf(screen, finding) {
  return `${screen.game_id} ${finding.seq} ${finding.rule}`;
}
