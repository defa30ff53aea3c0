import { button, make } from "./making.js";
import { t, told } from "./words.js";

// What is due and what can be decided, as buttons that a thumb can hit.

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

// Words that letters never stand for unless they are typed whole, as the server has them (scribing/box.py).
const LITTLE = new Set(("a an the of into in to on at as is and for from with der die das den dem des ein eine von vom nach auf mit "
  + "und zu zum im le la les l un une de du en et avec dans sur par à el los las una del y con por al").split(" "));

// What people put behind the verb of a move, as there.
const ENDINGS = ["s", "es", "d", "ed"];

export const isSame = (typed, text) => wordsOf(typed).join(" ") === wordsOf(text).join(" ");

// Whether each word that was typed begins a later word than the one before.
export function isMeant(typed, text) {
  const words = wordsOf(text);
  let here = 0;
  const begins = (word, letters) => word.startsWith(letters) || ENDINGS.some((each) => letters === word + each);
  return wordsOf(typed).every((letters) => {
    const found = words.findIndex((word, index) => index >= here && (LITTLE.has(word) ? word === letters : begins(word, letters)));
    here = found + 1;
    return found >= 0;
  });
}

// Whether a card is typed that is asked for, also in a whole sentence; who types only that cards are drawn names none.
function isNamed(typed, { words }, card) {
  return isMeant(typed, card.words) || (!isMeant(typed, words) && isMeant(typed, `${words} ${card.words}`));
}

// What was touched on the table: a card, the back of one that nobody has seen, a place, or the cell on which a card lies.
export function tapped(target, areas) {
  const card = target.closest("[data-name]");
  const place = target.closest("[data-place]");
  const area = areas.find((each) => each.name === target.closest("[data-area]")?.dataset.area);
  const back = area?.shape === "hand" && target.closest(".card.back") && !card?.dataset.name ? `${area.owner}:?` : "";
  const marks = [card?.dataset.name || back, place && (!card || place.matches(".cell")) && place.dataset.place].filter(Boolean);
  const words = back ? t("an unseen card") : card ? card.querySelector(".title").textContent : place?.querySelector("h3")?.textContent ?? marks[0];
  return marks.length ? { words, mark: marks.join("\n"), isFree: !card && !back } : null;
}

export class Choosing {
  constructor(acts) {
    this.acts = acts;
    this.element = make("div", { class: "choosing" });
    this.picked = [];
    this.drawing = null;
    this.seq = 0;
  }

  show(screen, taps, typed, begins) {
    if (screen.seq !== this.seq) {
      this.picked = [];
      this.drawing = null;
      this.seq = screen.seq;
    }
    if (this.drawing) {
      this.drawn(typed);
      return;
    }
    const asked = screen.asked.map((each) => this.asked(each, typed)).filter(Boolean);
    const options = screen.options.filter((each) => !each.chip).map((each, index) => this.option(each, index === 0 && typed));
    const back = screen.options.filter((each) => each.chip).map((each) => button(each.words, each.words, () => this.acts.narrow(each), { class: "chip back-card" }));
    const names = taps.map((tap, index) => button(`${tap.words} ×`, t("Without {what}", { what: tap.words }), () => this.acts.untap(index), { class: "tap" }));
    if (begins) {
      names.unshift(button(`${t("{line}, and …", { line: begins.words })} ×`, t("Without {what}", { what: begins.words }), () => this.acts.more(null), { class: "tap" }));
    }
    const number = screen.total > screen.options.length && !screen.options.some((each) => each.mark)
      ? make("p", { class: "dim" }, t("{number} in all: tap a card, or type a few letters", { number: screen.total })) : "";
    const forms = typed ? screen.forms.map(([type, words]) => button(`${t(words)} …`, t("Fill in: {words}", { words: t(words) }), () => this.acts.form(type), { class: "option form" })) : [];
    const apart = [
      this.apart(screen.unsure, t("Whether the rules allow it, the log cannot tell:"), "unsure"),
      this.apart(screen.anyway, t("Against the rules, but it happened:")),
    ].filter(Boolean);
    const none = !typed || asked.length || options.length || forms.length || apart.length ? "" : this.note(typed);
    this.element.replaceChildren(
      names.length ? make("div", { class: "row taps" }, names) : "",
      ...asked,
      back.length ? make("div", {}, make("p", { class: "dim" }, t("Tap the cards that go back.")), make("div", { class: "chips" }, back)) : "",
      make("div", { class: "options" }, options),
      screen.along && !typed ? this.along(screen.along) : "",
      ...apart,
      make("div", { class: "options" }, forms),
      number,
      none,
    );
  }

  // What no line of the game says stays as it was typed.
  note(text) {
    const words = t("Note: {text}", { text });
    return make("div", { class: "options" }, make("p", { class: "dim" }, t("No move is called so.")),
      button(words, words, () => this.acts.write({ line: { type: "note.added", text } }), { class: "option note" }));
  }

  // Lines that are no legal decision, under what the rules say of them.
  apart(lines, words, which = "") {
    return lines.length ? make("div", { class: `options anyway ${which}` }, make("p", { class: "dim" }, words), lines.map((each) => this.option(each, false))) : null;
  }

  option(each, isFirst) {
    const hint = each.mark ? t("{words}: {number} choices", { words: each.words, number: each.count }) : each.words;
    const words = make("span", {}, each.words);
    const more = each.mark ? make("span", { class: "dim" }, ` ${each.count} ›`) : each.supposed ? make("span", { class: "dim" }, ` ${t("if held")}`) : each.turn ? make("span", { class: "dim" }, ` · ${each.turn_words}`) : "";
    const alone = () => this.acts.write({ line: each.line });
    const act = () => (each.mark ? this.acts.narrow(each) : each.draws ? this.pickFor(each) : each.line.type === "game.ended" ? this.acts.over(each.line.winner) : each.turn ? this.acts.write({ line: [each.turn, each.line] }) : alone());
    const main = button("", hint, act, { class: isFirst ? "option first" : "option", "data-supposed": each.supposed, "data-mark": each.mark || undefined });
    main.replaceChildren(words, more);
    if (each.turn) {
      return make("div", { class: "row both" }, main, button(t("in the same turn"), t("{line}, in the same turn", { line: each.words }), alone));
    }
    if (!each.goes_on) {
      return main;
    }
    return make("div", { class: "row both" }, main, button(t("and another …"), t("{line}, and another", { line: each.words }), () => this.acts.more(each)));
  }

  // The end of a turn that is all there is to do, written along with what comes after it.
  along({ line, words, asked, options }) {
    const write = (body, question) => this.acts.writeAlong(line, body, question);
    return make("div", { class: "along" }, make("p", { class: "dim" }, t("{line}, and then:", { line: words })),
      asked.map((each) => this.asked(each, "", (body) => write(body, each.question.words))),
      make("div", { class: "options" }, options.map((each) => button(each.words, `${words}; ${each.words}`, () => write({ line: each.line }), { class: "option" }))));
  }

  // -- what is due ---------------------------------------------------------------------------------------------------

  asked({ number, question, lines }, typed, send = this.acts.write) {
    const head = make("p", { class: "question" }, told(question.words), question.optional ? make("span", { class: "dim" }, ` ${t("(may be left out)")}`) : "");
    const answers = lines.filter((each) => !typed || isMeant(typed, each.words))
      .map((each) => button(each.words, each.words, () => send({ line: each.line }), { class: "option due" }));
    if (lines.length) {
      return answers.length ? make("div", { class: "asked" }, lines.length > 1 ? head : "", make("div", { class: "options" }, answers)) : null;
    }
    if (question.ordered.length) {
      return make("div", { class: "asked" }, head, this.order(number, question, typed, send));
    }
    const write = (cards, unseen) => send({ asked: number, cards, unseen });
    const isAsked = typed && isMeant(typed, question.words);
    const fits = !typed || isAsked || isMeant(typed, t("Unseen")) || question.cards.some((each) => isNamed(typed, question, each));
    return fits ? make("div", { class: "asked" }, head, this.cards(question, typed, `asked ${number}`, write)) : null;
  }

  // Cards to be named: one is written at once, of several each tap takes one more.
  cards(question, typed, key, write) {
    const picked = this.picked.filter((each) => each.key === key).map((each) => each.card);
    const shown = question.cards.filter((each) => !typed || isNamed(typed, question, each));
    const take = (card) => (question.most === 1 ? write([card], 0) : this.pick(key, card));
    const left = (each) => each.copies - picked.filter((card) => card === each.card).length;
    const chips = shown.map((each) => button(left(each) > 1 ? `${each.words} ×${left(each)}` : each.words, each.words,
      () => take(each.card), { class: "chip", disabled: left(each) < 1 || picked.length >= question.most }));
    const words = (card) => question.cards.find((each) => each.card === card)?.words ?? card;
    const taken = picked.map((card, index) => button(`${words(card)} ×`, t("Without {what}", { what: words(card) }), () => this.drop(key, index), { class: "tap" }));
    const rest = question.most - picked.length;
    const isOther = typed && shown.length > 0 && !isMeant(typed, t("Unseen"));
    const unseen = question.unseen && rest > 0 && !isOther && button(rest === question.most ? `${t("Unseen")}${rest > 1 ? ` (${rest})` : ""}` : t("The other {number} unseen", { number: rest }),
      t("Nobody saw which"), () => write(picked, rest), { class: "option due unseen" });
    const enough = picked.length >= question.least && question.most > 1
      && button(picked.length === 1 ? t("Log 1 card") : t("Log {number} cards", { number: picked.length }), t("Log these cards"), () => write(picked, 0), { class: "option due enough" });
    const paste = question.most > 1 && rest > 0 && button(t("Paste the list"), t("Paste a list of cards, one a line"), () => this.pasted(question, key), { class: "option due paste" });
    return make("div", {}, make("div", { class: "row taps" }, taken), make("div", { class: "row" }, enough, unseen, paste), make("div", { class: "chips" }, chips));
  }

  // A list from elsewhere, a card a line (`2 Reed Heron`, `Kelp Choir x3`): what is none of these cards stays in the box.
  pasted(question, key) {
    const list = make("textarea", { rows: 5, "aria-label": t("The cards, one a line") });
    const take = () => {
      const left = list.value.split("\n").filter((line) => line.trim() && !this.takeLine(line.trim(), question, key));
      list.value = left.join("\n");
      if (left.length) {
        problem.replaceChildren(t("These are none of the cards that can be there:"));
      } else {
        this.acts.redraw();
      }
    };
    const problem = make("p", { class: "problem", role: "alert" });
    this.element.replaceChildren(problem, list, make("div", { class: "row" },
      button(t("Take them"), t("Take these cards"), take, { class: "option due" }), button(t("Back"), t("Back to the cards"), () => this.acts.redraw(), { class: "option" })));
    list.focus();
  }

  takeLine(line, question, key) {
    const [, before, name, after] = line.match(/^(?:(\d{1,2})\s*[x×]?\s+)?(.+?)(?:\s+[x×]\s*(\d{1,2}))?$/i);
    const card = question.cards.find((each) => isSame(name, each.words) || each.card === name);
    const number = Number(before ?? after ?? 1);
    const picked = this.picked.filter((each) => each.key === key);
    const has = picked.filter((each) => each.card === card?.card).length;
    if (!card || has + number > card.copies || picked.length + number > question.most) {
      return false;
    }
    this.picked.push(...Array.from({ length: number }, () => ({ key, card: card.card })));
    return true;
  }

  order(number, question, typed, send) {
    const key = `order ${number}`;
    const picked = this.picked.filter((each) => each.key === key).map((each) => each.card);
    const left = question.ordered.filter(([name]) => !picked.includes(name));
    const take = (name) => {
      const all = [...picked, name, ...(left.length === 2 ? left.map(([each]) => each).filter((each) => each !== name) : [])];
      if (all.length === question.ordered.length) {
        send({ asked: number, cards: all });
      } else {
        this.pick(key, name);
      }
    };
    const words = new Map(question.ordered);
    const taken = picked.map((name, index) => button(`${index + 1}. ${words.get(name)} ×`, t("Without {what}", { what: words.get(name) }), () => this.drop(key, index), { class: "tap" }));
    return make("div", {}, make("div", { class: "row taps" }, taken),
      make("div", { class: "chips" }, left.filter(([, text]) => !typed || isMeant(typed, text)).map(([name, text]) => button(text, text, () => take(name), { class: "chip" }))));
  }

  pick(key, card) {
    this.picked.push({ key, card });
    this.acts.redraw();
  }

  drop(key, index) {
    const mine = this.picked.filter((each) => each.key === key);
    this.picked = this.picked.filter((each) => each !== mine[index]);
    this.acts.redraw();
  }

  // A decision that draws cards: they are asked for before it is written.
  pickFor(option) {
    this.drawing = option;
    this.picked = [];
    this.acts.empty();
    this.acts.redraw();
  }

  drawn(typed) {
    const { line, words, draws, cards } = this.drawing;
    const question = { cards, least: Math.min(draws, 1), most: draws, unseen: true };  // fewer may have been drawn, if wrongly
    const write = (some, unseen) => this.acts.write({ line, cards: some, unseen });
    this.element.replaceChildren(
      make("p", { class: "question" }, draws === 1 ? t("{line}: which card comes instead?", { line: words }) : t("{line}: which {number} cards come instead?", { line: words, number: draws })),
      this.cards(question, typed, "drawn", write),
      button(t("Back"), t("Back to all choices"), () => this.clear(), { class: "option" }),
    );
  }

  clear() {
    this.drawing = null;
    this.acts.redraw();
  }
}
