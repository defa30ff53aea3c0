// Making elements. What comes from a log is only ever a text child or the value of a harmless attribute: no markup.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else if (name === "style") {
      element.style.cssText = value; // a shared file's content policy allows no such attribute
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat().filter(Boolean));
  return element;
}

// What the designer's rulebook says, each passage with a line before and after it.
export function quotations(passages) {
  return (passages ?? []).map((each) => make(
    "blockquote",
    { class: "rulebook", "aria-label": `Rulebook, ${each.place}` },
    each.before && make("p", { class: "around" }, each.before),
    make("p", {}, each.text),
    each.after && make("p", { class: "around" }, each.after),
    make("footer", {}, `rulebook, ${each.place}`, each.doubt && ` (${each.doubt})`),
  ));
}

export function button(label, hint, press, attributes = {}) {
  return make("button", { type: "button", title: hint, "aria-label": hint, click: press, ...attributes }, label);
}
