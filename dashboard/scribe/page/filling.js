import { button, make } from "./making.js";
import { t } from "./words.js";

// Forms for whatever may happen at a table: every event type of the game with its fields.

// What a field may look like that is neither chosen nor a single text.
const EXAMPLES = { place: "3, 5", counts: "coins 3, wood 2" };

const NONE = "none";
const NOTHING = "nothing";
const LISTS = ["cards", "list"];

export class Filling {
  constructor(write, said) {
    this.write = write;
    this.said = said;
    this.element = make("dialog", { class: "filling", "aria-label": t("Something else") });
  }

  // The list of all event types, or with a type its form.
  open(forms, type, given = {}) {
    // What is nested in other ways is tapped on the table, or left out.
    const isNested = (field) => field.kind === "json";
    this.forms = forms.filter((each) => !each.fields.some((field) => isNested(field) && !field.optional))
      .map((each) => ({ ...each, fields: each.fields.filter((field) => !isNested(field)) }));
    const form = this.forms.find((each) => each.type === type);
    if (form) {
      this.fill(form, given);
    } else {
      this.list("");
    }
    if (!this.element.open) {
      this.element.showModal();
    }
  }

  close() {
    this.element.close();
  }

  list(typed) {
    const search = make("input", { type: "search", placeholder: t("What happened?"), "aria-label": t("What happened?"), value: typed });
    const list = make("div", { class: "options" });
    const show = () => {
      const letters = search.value.toLowerCase();
      const meant = this.forms.filter((each) => `${t(each.words)} ${each.about}`.toLowerCase().includes(letters));
      list.replaceChildren(...meant.map((each) => {
        const one = button("", each.about || t(each.words), () => this.fill(each, {}), { class: "option" });
        one.replaceChildren(make("span", {}, t(each.words)), make("small", { class: "dim" }, each.about));
        return one;
      }));
    };
    search.addEventListener("input", show);
    show();
    this.element.replaceChildren(make("h2", {}, t("Something else happened")), search, list, button(t("Close"), t("Close"), () => this.close(), { class: "option" }));
    search.focus();
  }

  fill(form, given) {
    const inputs = form.fields.map((field) => [field, orNone(field, this.input(field, given[field.name]))]);
    const log = async () => {
      const line = { type: form.type };
      for (const [field, { value }] of inputs) {
        const found = value();
        if (found !== undefined) {
          line[field.name] = found;
        }
      }
      await this.write({ line }, (words) => problem.replaceChildren(words));
    };
    const problem = make("p", { class: "problem", role: "alert" });
    const rows = inputs.map(([field, { element }]) => make("label", { class: "field" },
      make("span", {}, field.name.replaceAll("_", " "), field.optional ? make("small", { class: "dim" }, ` ${t("(may be left out)")}`) : ""), element,
      field.about ? make("small", { class: "dim" }, field.about) : "",
      field.optional && LISTS.includes(field.kind) ? make("small", { class: "dim" }, t("“{word}” for an empty list", { word: NOTHING })) : "",
      field.nullable ? make("small", { class: "dim" }, t("“{word}” where it is known that there is none", { word: NONE })) : ""));
    const submit = make("form", { submit: (event) => { event.preventDefault(); log(); } }, rows, problem,
      make("div", { class: "row" }, make("button", { class: "main-button" }, t("Log it")), button(t("Back"), t("All events"), () => this.list(""))));
    this.element.replaceChildren(make("h2", {}, t(form.words)), make("p", { class: "dim" }, form.about), submit);
    this.element.querySelector("input, select, textarea")?.focus();
  }

  input(field, given) {
    const label = { "aria-label": field.name };
    if (field.kind === "flag" && field.optional) {
      const { element, value } = this.select({ ...field, options: [["true", t("yes")], ["false", t("no")]] }, given === undefined ? "" : String(given), label);
      return { element, value: () => (value() === undefined ? undefined : value() === "true") };
    }
    if (field.kind === "flag") {
      const box = make("input", { type: "checkbox", checked: given === true, ...label });
      return { element: box, value: () => box.checked };
    }
    if (["player", "option", "card", "zone"].includes(field.kind) && field.options.length) {
      return field.kind === "card" ? this.oneOf(field, given, label) : this.select(field, given, label);
    }
    if (LISTS.includes(field.kind)) {
      return this.several(field, label);
    }
    const isNumber = field.kind === "number";
    const text = make("input", { type: isNumber ? "number" : "text", step: "any", placeholder: EXAMPLES[field.kind] ?? "", value: given ?? "", autocomplete: "off", ...label });
    return { element: text, value: () => valueOf(field, text.value.trim()) };
  }

  select(field, given, label) {
    const all = field.nullable ? [...field.options, [NONE, NONE]] : field.options;
    const options = all.map(([value, words]) => make("option", { value, selected: value === given }, words));
    const select = make("select", label, make("option", { value: "" }, "…"), options);
    return { element: select, value: () => select.value || undefined };
  }

  // A card: its name as it is printed, or any name of a card as a log writes it.
  oneOf(field, given, label) {
    const id = `cards-of-${field.name}`;
    const list = make("datalist", { id }, field.options.map(([value, words]) => make("option", { value: words, "data-name": value })));
    const words = field.options.find(([value]) => value === given)?.[1] ?? given ?? "";
    const input = make("input", { list: id, value: words, placeholder: t("a card"), autocomplete: "off", ...label });
    return { element: make("span", {}, input, list), value: () => nameOf(field, input.value.trim()) };
  }

  several(field, label) {
    const input = make("textarea", { rows: 3, placeholder: hintOf(field), ...label });
    return { element: input, value: () => {
      if (input.value.trim().toLowerCase() === NOTHING) {
        return [];
      }
      const names = input.value.split("\n").map((each) => each.trim()).filter(Boolean).map((each) => nameOf(field, each));
      return names.length || !field.optional ? names : undefined;
    } };
  }
}

// What stands in an empty list: what its lines are, or those that there are.
function hintOf(field) {
  if (field.kind === "cards") {
    return t("a card a line");
  }
  return field.options.length ? t("one a line of: {words}", { words: field.options.map(([, words]) => words).join(", ") }) : t("one a line");
}

// What is written for a field: nothing at all, or null where it is known to be none.
function orNone(field, { element, value }) {
  const control = element.matches("input, select, textarea") ? element : element.querySelector("input");
  return { element, value: () => (field.nullable && control.value.trim().toLowerCase() === NONE ? null : value()) };
}

function nameOf(field, words) {
  const wanted = words.toLowerCase();
  const found = field.options.find(([value, said]) => value === words || said.toLowerCase() === wanted)
    ?? field.options.find(([, said]) => said.toLowerCase().startsWith(wanted));
  return words ? (found?.[0] ?? words) : undefined;
}

const idOf = (field, name) => field.options.find(([, said]) => said.toLowerCase() === name.toLowerCase())?.[0] ?? name;

function valueOf(field, text) {
  if (text === "") {
    return undefined;
  }
  if (field.kind === "place") {
    return text.split(/[ ,;]+/).map(Number);
  }
  if (field.kind === "counts") {
    const pairs = text.split(/[,;]/).map((each) => each.trim().match(/^(.+?)[\s:=]+(-?\d+(?:\.\d+)?)$/));
    return pairs.every(Boolean) ? Object.fromEntries(pairs.map(([, name, number]) => [idOf(field, name), Number(number)])) : text;
  }
  return field.kind === "number" ? Number(text) : text;
}
