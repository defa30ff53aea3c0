import { speak } from "./asking.js";
import { make } from "./making.js";

// The words of the page in the language of whoever reads it; what the rulebook says stays in its own.

const KEPT = "language";
let known = { words: {}, language: "en", languages: [] };

const HOLE = /\{(\w+)\}/g;

export const t = (text, holes = {}) => (known.words[text] ?? text).replace(HOLE, (hole, name) => holes[name] ?? hole);

// What the server says, which speaks English: one of its sentences, with whatever stands in its holes.
export function told(words) {
  for (const said of known.told ?? []) {
    const names = [...said.matchAll(HOLE)].map(([, name]) => name);
    const literal = said.split(/\{\w+\}/).map((each) => each.replace(/[^\p{L}\p{N}\s]/gu, "\\$&"));
    const found = words.match(new RegExp(`^${literal.join("(.*)")}$`, "s"));
    if (found) {
      return t(said, Object.fromEntries(names.map((name, index) => [name, found[index + 1]])));
    }
  }
  return t(words);
}

// Take the words of the language that was chosen here, or that the browser likes best.
export async function learn() {
  const query = new URLSearchParams(chosen() ? { language: chosen() } : {});
  const answer = await fetch(`words?${query}`, { cache: "no-store" }).catch(() => null);
  if (answer?.ok) {
    known = await answer.json();
    document.documentElement.lang = known.language;
    speak(known.language);
  }
}

function chosen() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

export function languageChoice(go) {
  const named = (each) => new Intl.DisplayNames([each], { type: "language" }).of(each);
  const select = make("select", { "aria-label": t("Language"), change: () => {
    try {
      localStorage.setItem(KEPT, select.value);
    } catch {
      // Without a memory it is the browser's language again next time.
    }
    go(select.value);
  } }, known.languages.map((each) => make("option", { value: each, selected: each === known.language }, named(each))));
  return select;
}

// Where the game stands, whose first word is ours.
export function turnIn(words) {
  const [first] = words.split(" ");
  return ["Round", "Turn", "Set-up"].includes(first) ? t(first) + words.slice(first.length) : words;
}
