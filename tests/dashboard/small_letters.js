/* Return the texts of a page whose letters are smaller than 12 px, each way of writing them once. */
() => {
  const LEAST = 12;
  const found = new Map();
  const roots = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || element.closest("[aria-hidden=true]")) continue;
      const text = [...element.childNodes].filter((each) => each.nodeType === Node.TEXT_NODE).map((each) => each.data).join("").trim();
      const size = parseFloat(getComputedStyle(element).fontSize);
      if (text && element.getBoundingClientRect().width && size < LEAST) {
        const name = [element.tagName.toLowerCase(), ...element.classList].join(".");
        found.set(name, `${size} px: ${name} “${text.slice(0, 30)}”`);
      }
    }
  }
  return [...found.values()];
}
