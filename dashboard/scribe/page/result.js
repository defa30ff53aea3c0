import { make } from "./making.js";
import { t } from "./words.js";

// A field below what it is called; a screen reader knows it by its own name.
export function labelled(words, field) {
  return make("div", { class: "labelled" }, make("small", { class: "dim", "aria-hidden": "true" }, words), field);
}

// How a game went: who won, the points of each and how much fun out of `most`, as far as that is known, and what else was said; a result alone may be a draw.
export class Result {
  constructor(players, { most, alone, won: winner, points: counted = {} }) {
    const box = (label, checked = false) => make("input", { type: "checkbox", "aria-label": label, checked });
    const number = (more, label) => make("input", { type: "number", step: "any", ...more, "aria-label": label });
    this.seats = players.map(([id, name]) => {
      const won = box(t("{name} won", { name }), id === winner);
      const points = number({ value: counted[id] ?? "" }, t("Points of {name}", { name }));
      const fun = number({ step: 1, min: 1, max: most }, t("Fun of {name}, 1 to {most}", { name, most }));
      return { id, won, points, fun, element: make("div", { class: "row over" }, make("label", {}, won, t("{name} won", { name })), labelled(t("points"), points), labelled(t("fun, 1-{most}", { most }), fun)) };
    });
    const nobody = alone ? t("A draw: nobody has won") : t("Nobody has won");
    this.most = most;
    this.nobody = box(nobody);
    this.remark = make("textarea", { rows: 2, placeholder: t("A note"), "aria-label": t("A note"), maxlength: 2000 });
    this.problem = make("p", { class: "problem", role: "alert" });
    this.elements = [...this.seats.map((each) => each.element), make("div", { class: "row over" }, make("label", {}, this.nobody, nobody)), this.remark, this.problem];
  }

  // The winners, the points by player, and lines of how it was; nothing, with the problem said, where nobody says who won.
  read() {
    const winners = this.seats.filter((each) => each.won.checked).map((each) => each.id);
    const wrong = (winners.length > 0) === this.nobody.checked ? t("Say who won, or that nobody has.")
      : this.seats.some(({ fun }) => !fun.validity.valid) ? t("Fun goes from 1 to {most}.", { most: this.most }) : "";
    this.problem.replaceChildren(wrong);
    const numbers = (of) => Object.fromEntries(this.seats.filter((each) => each[of].value !== "").map((each) => [each.id, Number(each[of].value)]));
    const felt = Object.entries(numbers("fun")).map(([player, value]) => ({ type: "feedback.given", player, ...(this.most === 10 ? { answers: { "fun-of-10": String(value) } } : { fun: value }) }));
    const noted = this.remark.value.trim() ? [{ type: "note.added", text: this.remark.value.trim() }] : [];
    return wrong ? null : { winners, scores: numbers("points"), said: [...felt, ...noted] };
  }
}
