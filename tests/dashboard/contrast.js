// The texts and signs of a page that stand out too little from what they lie on (WCAG 2.2, AA): 4.5 to 1 for letters,
// 3 to 1 for large ones and for what is no letter. What cannot be seen, or is greyed because it cannot be used, is left out.
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const colours = new Map();
  // A colour in any notation as red, green, blue (0 to 255) and opacity (0 to 1).
  const rgba = (text) => {
    if (!colours.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      colours.set(text, [r, g, b, a / 255]);
    }
    return colours.get(text);
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const light = (colour) => {
    const [r, g, b] = colour.map((each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const parent = (element) => element.parentElement ?? element.getRootNode().host;
  const page = () => rgba(matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#ffffff");
  // In a chart a word may lie on a mark that was drawn before it.
  const mark = (word) => {
    const box = word.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const below = [...word.closest("svg").querySelectorAll("path, rect")].filter((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      const isBefore = each.compareDocumentPosition(word) & Node.DOCUMENT_POSITION_FOLLOWING;
      return isBefore && left <= x && x <= right && top <= y && y <= bottom && getComputedStyle(each).fill !== "none";
    }).at(-1);
    if (!below) {
      return [];
    }
    const style = getComputedStyle(below);
    const [r, g, b, a] = rgba(style.fill);
    return [[r, g, b, a * Number(style.fillOpacity) * Number(style.opacity)]];
  };
  const ground = (element) => {
    const layers = element instanceof SVGElement && element.closest("svg") ? mark(element) : [];
    for (let each = element; each; each = parent(each)) {
      layers.push(rgba(getComputedStyle(each).backgroundColor));
      if (layers.at(-1)[3] === 1) {
        break;
      }
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), page());
  };
  const faint = (element) => {
    let seen = 1;
    for (let each = element; each; each = parent(each)) {
      seen *= Number(getComputedStyle(each).opacity);
    }
    return seen;
  };
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest(":disabled, [aria-disabled=true], [aria-hidden=true], label:has(:disabled)");
  const found = new Map();
  const judge = (element, colour, behind, least, what) => {
    const [r, g, b, a] = rgba(colour);
    const got = ratio(over([r, g, b, a * faint(element)], behind), behind);
    if (got < least) {
      const name = [element.tagName.toLowerCase(), ...element.classList].join(".");
      found.set(`${name} ${what}`, `${got.toFixed(2)} of ${least}: ${name} ${what} (${colour} on rgb(${behind.slice(0, 3).map(Math.round).join(", ")}))`);
    }
  };
  const roots = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) {
        roots.push(element.shadowRoot);
      }
      if (!isShown(element)) {
        continue;
      }
      const style = getComputedStyle(element);
      const size = parseFloat(style.fontSize);
      const letters = [...element.childNodes].filter((each) => each.nodeType === Node.TEXT_NODE).map((each) => each.data.trim()).join(" ").trim();
      if (letters && element.getBoundingClientRect().width) {
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const colour = element instanceof SVGElement ? style.fill : style.color;
        judge(element, colour, ground(element), large ? 3 : 4.5, `“${letters.slice(0, 30)}”`);
      }
      if (element.matches("input:not([type=checkbox], [type=hidden], [type=file]), select, textarea")) {
        const behind = ground(parent(element));
        const own = ratio(ground(element), behind);
        if (own < 3) {
          judge(element, style.borderBottomColor, behind, 3, "border");
        }
        if (element.placeholder && !element.value) {
          judge(element, getComputedStyle(element, "::placeholder").color, ground(element), 4.5, `placeholder “${element.placeholder}”`);
        }
      }
      if (element.matches(".tick:not(.row-chart *)")) {
        judge(element, style.backgroundColor, ground(parent(element)), 3, "sign");
      }
    }
  }
  return [...found.values()];
}
