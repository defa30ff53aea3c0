// Making elements. What comes from a log is only ever a text child or the value of a harmless attribute: no markup.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat().filter(Boolean));
  return element;
}

export function button(label, hint, press, attributes = {}) {
  return make("button", { type: "button", title: hint, "aria-label": hint, click: press, ...attributes }, label);
}
