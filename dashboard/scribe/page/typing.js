import { isSame } from "./choosing.js";
import { make } from "./making.js";
import { t } from "./words.js";

// What fingers do that is no tap yet: letters that are typed, and a finger that is still down.

const TYPING_PAUSE = 60;

// How long a finger that went up may take to become a click: a phone says so only after it.
const CLICK = 400;

// One key each, while the box is empty: these never begin a word.
const KEYS = { "=": "state.observed" };
const QUESTION = "?";

// What Enter takes: a card that is asked for, another answer, a decision.
const FIRST = [".chip:not(:disabled)", ".asked .due:not(.enough, .unseen, .paste)", ".options .option:not(.form)", ".asked .unseen", ".options .form"];

const wordsOn = (element) => (element.querySelector("span") ?? element).textContent.replace(/ ×\d+$/, "");

// The box: letters narrow what is offered, a few keys are ways of their own.
export class Typing {
  constructor(page) {
    this.page = page;
    this.box = make("input", { type: "text", class: "box", placeholder: t("Type, or tap a card"), "aria-label": t("What happened"), autocomplete: "off", autocapitalize: "off", enterkeyhint: "go", input: () => this.type(), keydown: (event) => this.key(event) });
    document.addEventListener("keydown", (event) => this.anyKey(event));
  }

  type() {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.page.look(), TYPING_PAUSE);
  }

  key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.enter();
    } else if (!this.box.value && event.key === QUESTION) {
      event.preventDefault();
      this.page.marking.question(this.page.screen, {});
    } else if (!this.box.value && event.key === "!") {
      event.preventDefault();
      this.page.marking.note();
    } else if (!this.box.value && KEYS[event.key]) {
      event.preventDefault();
      this.page.form(KEYS[event.key]);
    } else if (event.key === "z" && (event.ctrlKey || event.metaKey) && !this.box.value) {
      event.preventDefault();
      this.page.undo();
    }
  }

  // Enter takes what stands first, as soon as the server has said what that is; with an empty box only what is picked.
  async enter() {
    clearTimeout(this.pause);
    const typed = this.box.value.trim();
    await this.page.look();
    const first = typed ? FIRST : [".enough"];
    const fitting = first.map((each) => [...this.page.choosing.element.querySelectorAll(each)]).find((each) => each.length) ?? [];
    const [chosen] = fitting;
    const several = typed ? new Set(FIRST.flatMap((each) => [...this.page.choosing.element.querySelectorAll(each)])).size : 0;
    const isNote = chosen?.matches(".note");
    const isUnsure = several === 1 && chosen?.closest(".unsure");
    if ((several > 1 || isNote || isUnsure) && !isSame(typed, wordsOn(chosen)) && this.shownFor !== typed) {
      this.shownFor = typed;
      this.page.say(isNote ? t("Enter again writes it down as a note.") : isUnsure ? t("Enter again writes it down: {line}", { line: wordsOn(chosen) }) : t("{number} lines fit. Enter again takes the first: {line}", { number: several, line: wordsOn(chosen) }));
      return;
    }
    this.shownFor = "";
    if (chosen?.classList.contains("chip")) {
      this.box.value = "";
    }
    chosen?.click();
  }

  // A key anywhere: Escape begins anew, a letter goes to the box.
  anyKey(event) {
    if (!this.page.screen || this.page.filling.element.open || this.page.marking.element.open || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === "Escape") {
      this.page.forget();
      this.page.choosing.clear();
      this.page.look();
    } else if (event.key.length === 1 && !event.target.matches("input, textarea, select, button")) {
      this.box.focus();
    }
  }
}

// The letters that were typed behind those that were sent: they mean the next line.
export function behind(sent, typed) {
  return typed.startsWith(sent) ? typed.slice(sent.length) : typed;
}

// Take no tap on what stands on the page while that is refused.
export function refuseTaps(root, refuses) {
  root.addEventListener("click", (event) => {
    if (event.target.closest("button, [data-name], [data-place]") && refuses()) {
      event.stopPropagation();
      event.preventDefault();
    }
  }, true);
}

// Whether a finger is down: until its tap has been taken, what it touches stays where it is.
export class Finger {
  constructor() {
    this.waiting = [];
    const up = () => setTimeout(() => this.lift());
    document.addEventListener("pointerdown", (event) => event.button === 0 && this.touch(), true);
    document.addEventListener("pointerup", () => { this.late = setTimeout(() => this.lift(), CLICK); }, true);
    document.addEventListener("pointercancel", up, true);
    document.addEventListener("click", up, true);
    window.addEventListener("blur", up);
  }

  touch() {
    clearTimeout(this.late);
    this.down = true;
  }

  lift() {
    clearTimeout(this.late);
    this.down = false;
    this.waiting.splice(0).forEach((go) => go());
  }

  // Wait until no finger is down.
  up() {
    return this.down ? new Promise((go) => { this.waiting.push(go); }) : Promise.resolve();
  }
}
