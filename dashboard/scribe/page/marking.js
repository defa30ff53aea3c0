import { ask, tell } from "./asking.js";
import { button, make } from "./making.js";
import { Result } from "./result.js";
import { t } from "./words.js";

// What a note says by which the table itself calls a line a mistake.
const AGAINST = "against the rules";

// How much fun may be had at most, where no game of this table says it otherwise.
const USUAL_FUN = 5;

// What the table says while it plays: a question, how a moment felt, and what can be done with a line that was written.

export class Marking {
  constructor(acts) {
    this.acts = acts;
    this.element = make("dialog", { class: "marking" });
  }

  show(title, ...content) {
    this.element.setAttribute("aria-label", title);
    this.element.replaceChildren(make("h2", {}, title), ...content, button(t("Close"), t("Close"), () => this.element.close(), { class: "quiet" }));
    if (!this.element.open) {
      this.element.showModal();
    }
  }

  // Who says it: nobody in particular unless a name is tapped.
  who(screen) {
    let chosen = "";
    const chips = screen.players.map(([id, name]) => {
      const chip = button(name, t("Said by {name}", { name }), () => {
        chosen = chosen === id ? "" : id;
        chips.forEach((each, index) => each.setAttribute("aria-pressed", String(screen.players[index][0] === chosen)));
      }, { class: "chip", "aria-pressed": "false" });
      return chip;
    });
    return { element: make("div", { class: "chips" }, chips), value: () => (chosen ? { player: chosen } : {}) };
  }

  felt(screen, on) {
    const who = this.who(screen);
    const mark = (felt) => this.write({ type: "moment.marked", felt, ...who.value(), ...on });
    const feelings = [["good", "🙂", t("Good")], ["bad", "🙁", t("Bad")], ["confused", "😕", t("Confused")], ["surprised", "😮", t("Surprised")]]
      .map(([felt, face, words]) => button(`${face} ${words}`, t("This felt … {how}", { how: words }), () => mark(felt), { class: "option feeling" }));
    this.show(t("This felt …"), make("div", { class: "feelings" }, feelings), make("p", { class: "dim" }, t("Who? Tap a name first, or leave it.")), who.element);
  }

  async question(screen, on) {
    const who = this.who(screen);
    const text = make("textarea", { rows: 3, "aria-label": t("The question"), placeholder: t("May I …?") });
    let rule = "";
    const rules = make("div", { class: "chips" });
    const problem = make("p", { class: "problem", role: "alert" });
    const send = () => {
      const words = text.value.trim();
      if (words) {
        this.write({ type: "question.raised", text: words, ...(rule ? { rule } : {}), ...who.value(), ...on });
      } else {
        problem.replaceChildren(t("Write down what was asked, in the words of the table."));
        text.focus();
      }
    };
    this.show(t("A question"), text, who.element, rules, problem, button(t("Write it down"), t("Write the question down"), send, { class: "main-button" }));
    text.focus();
    const found = await ask(`games/${encodeURIComponent(screen.game_id)}/judged`, on).catch(() => []);
    if (found.length) {
      const chips = found.map((each) => button(each.words, each.rule, () => {
        rule = rule === each.rule ? "" : each.rule;
        chips.forEach((chip, index) => chip.setAttribute("aria-pressed", String(found[index].rule === rule)));
      }, { class: "chip rule", "aria-pressed": "false" }));
      rules.replaceChildren(make("p", { class: "dim" }, t("Is it about one of these rules?")), ...chips);
    }
  }

  // What the table wants to remember, in a line: who comments on an event goes by the event.
  note() {
    const text = make("input", { "aria-label": t("A note"), autocomplete: "off", maxlength: 2000 });
    const send = (event) => {
      event.preventDefault();
      text.value.trim() ? this.write({ type: "note.added", text: text.value.trim() }) : text.focus();
    };
    this.show(t("A note"), make("form", { submit: send }, text, make("button", { class: "main-button" }, t("Write it down"))));
    text.focus();
  }

  // The rules of this game are not stated, so the table says itself that what was done last is against one.
  against(screen) {
    const last = screen.last_play;
    const text = make("input", { "aria-label": t("Which rule? (may be left out)"), placeholder: t("Which rule? (may be left out)"), autocomplete: "off", maxlength: 2000 });
    const send = (event) => {
      event.preventDefault();
      const said = [t("Against the rules"), text.value.trim()].filter(Boolean).join(": ");
      this.write({ type: "note.added", note: AGAINST, ...(last ? { on: last.seq, text: `${last.words} (${said})` } : { text: said }) });
    };
    this.show(t("Against the rules"), make("p", {}, last ? last.words : ""), make("form", { submit: send }, text, make("button", { class: "main-button" }, t("Write it down"))));
    text.focus();
  }

  // What is not wanted at every turn.
  more(ways) {
    ways.forEach((each) => each.addEventListener("click", () => this.element.close()));
    this.show(t("More …"), make("div", { class: "options" }, ways));
  }

  // The players say on their own phones how it was; without a network between them the form goes round on this device.
  async players(screen) {
    const { address, picture } = await tell(`games/${encodeURIComponent(screen.game_id)}/form`, { place: location.href.split("#")[0] });
    const isHere = ["localhost", "127.0.0.1"].includes(location.hostname);
    this.show(t("How was it?"),
      make("p", {}, isHere ? t("Only this computer answers at this address: pass it round, or open the scribe with --lan for the players' phones.")
        : t("The players scan this with their phones. It opens this form and nothing else.")),
      isHere ? "" : make("img", { src: picture, alt: t("The address of the form: {address}", { address }), class: "code" }),
      make("p", {}, make("a", { href: address, target: "_blank", rel: "noopener" }, t("Open the form here"))));
  }

  line(screen, { seq, words }) {
    const on = { on: seq };
    const back = seq < screen.stands.at(-1).seq && button(t("Back to here"), t("Take back everything after: {line}", { line: words }), () => this.back(seq), { class: "option" });
    this.show(words,
      button(t("A comment"), t("Comment on this line"), () => { this.element.close(); this.acts.form("note.added", on); }, { class: "option" }),
      button(t("A question"), t("A question about this line"), () => this.question(screen, on), { class: "option" }),
      button(t("This felt …"), t("How this line felt"), () => this.felt(screen, on), { class: "option" }),
      back || "");
  }

  back(seq) {
    this.element.close();
    this.acts.undo(seq);
  }

  // The table says that the game is over: who won, and the points of each.
  async over(screen, won) {
    const { games } = await ask("beginnings").catch(() => ({ games: [] }));
    const most = games.find((each) => each.slug === screen.game)?.fun ?? USUAL_FUN;
    const result = new Result(screen.players, { most, won, points: screen.points });
    const send = () => {
      const said = result.read();
      if (said) {
        const { winners, scores } = said;
        const scored = Object.keys(scores).length > 0;
        // The end stands last, so that an undo takes it back.
        this.write([...said.said, { type: "game.ended", winner: winners.length === 1 ? winners[0] : null, reason: scored ? "points" : "agreed", ...(winners.length > 1 ? { winners } : {}), ...(scored ? { scores } : {}) }]);
      }
    };
    this.show(t("The game is over"), ...result.elements, button(t("Log it"), t("The game is over"), send, { class: "main-button" }));
  }

  write(line) {
    this.element.close();
    this.acts.write({ line });
  }
}
