import { make } from "./making.js";
import { languageChoice, learn, t, told } from "./words.js";

// How a game was, on a player's own phone: whatever is not tapped is not answered, and a second sending replaces the first.

const SCALE = ["1", "2", "3", "4", "5"];
const LENGTHS = ["too short", "right", "too long"];

// Why something is not done: a sentence of the service, or of the lock before it.
async function refused(response) {
  const text = await response.text();
  return told(text.startsWith("{") ? JSON.parse(text).error : text);
}

class Form {
  constructor(root) {
    this.root = root;
    this.answers = { answers: {} };
    this.said = make("p", { class: "said", role: "status" });
  }

  async open() {
    await learn();
    const response = await fetch("feedback", { cache: "no-store" });
    if (!response.ok) {
      this.root.replaceChildren(make("p", {}, await refused(response)));
      return;
    }
    this.asked = await response.json();
    this.answers = { answers: {} };
    const named = (pairs) => pairs.map(([value, words]) => [value, t(words)]);
    this.root.replaceChildren(
      make("h1", {}, `${this.asked.title}: ${t("How was it?")}`),
      this.choice(t("Who are you?"), this.asked.players, (value) => this.set("player", value), true),
      this.fun(),
      this.choice(t("How fair was it?"), SCALE.map((each) => [each, each]), (value) => this.set("fair", value && Number(value))),
      this.choice(t("How long was it?"), named(LENGTHS.map((each) => [each, each])), (value) => this.set("length", value)),
      this.choice(t("Would you play it again?"), named([["yes", "yes"], ["no", "no"]]), (value) => this.set("again", value && value === "yes")),
      ...this.asked.questions.map((each) => this.own(each)),
      this.text(t("What should the designer know?"), (value) => this.set("text", value)),
      make("button", { type: "button", class: "send", click: () => this.send() }, t("Send")),
      this.said,
      languageChoice(() => this.open()));
  }

  // On the scale of this game's logs: marks to ten are the answer to another question than those to five.
  fun() {
    const words = t("How much fun was it?");
    return this.asked.fun === 10 ? this.own({ id: "fun-of-10", ask: words, kind: "choice", options: Array.from({ length: 10 }, (_, number) => String(number + 1)) })
      : this.choice(words, SCALE.map((each) => [each, each]), (value) => this.set("fun", value && Number(value)));
  }

  set(name, value) {
    this.answers[name] = value === "" ? undefined : value;
  }

  choice(words, options, set, many = false) {
    const buttons = options.map(([value, said]) => make("button", { type: "button", "aria-pressed": "false", click: (event) => {
      const isOn = event.currentTarget.getAttribute("aria-pressed") === "true";
      buttons.forEach((each) => each.setAttribute("aria-pressed", String(each === event.currentTarget && !isOn)));
      set(isOn ? "" : value);
    } }, said));
    return make("fieldset", {}, make("legend", {}, words), make("div", { class: many ? "choices many" : "choices" }, buttons));
  }

  text(words, set, list = []) {
    const id = `list-${words}`;
    const field = list.length
      ? make("input", { list: id, "aria-label": words, maxlength: 300, input: () => set(field.value.trim()) })
      : make("textarea", { rows: 3, "aria-label": words, maxlength: 5000, input: () => set(field.value.trim()) });
    return make("fieldset", {}, make("legend", {}, words), field, list.length && make("datalist", { id }, list.map((each) => make("option", { value: each }))));
  }

  own({ id, ask, kind, options, low, high }) {
    const set = (value) => {
      this.answers.answers[id] = value === "" ? undefined : value;
    };
    const pairs = { scale: SCALE, choice: options ?? [], "yes/no": ["yes", "no"] }[kind]?.map((each) => [each, kind === "yes/no" ? t(each) : each]);
    if (!pairs) {
      return this.text(ask, set, { card: this.asked.cards, rule: this.asked.rules.map(([, words]) => words) }[kind]);
    }
    const element = this.choice(ask, pairs, set, kind === "choice");
    if (kind === "scale" && (low || high)) {
      element.append(make("div", { class: "ends" }, make("span", {}, low ?? ""), make("span", {}, high ?? "")));
    }
    return element;
  }

  async send() {
    const given = JSON.parse(JSON.stringify(this.answers));
    if (!Object.keys(given).some((name) => !["player", "answers"].includes(name)) && !Object.keys(given.answers).length) {
      this.said.replaceChildren(t("Nothing is answered yet: tap something first."));
      return;
    }
    try {
      const response = await fetch("feedback", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(given) });
      this.said.replaceChildren(response.ok ? t("Thank you! It is written down. You may change it and send it again.") : await refused(response));
    } catch {
      this.said.replaceChildren(t("It did not arrive. Send it again in a moment."));
    }
  }
}

new Form(document.getElementById("form")).open();
