/* Names every text of the page that is cut off: outside the window or a box that hides it, or outside its chart. */
() => {
  const SCROLLS = ["auto", "scroll"];
  const HIDES = ["hidden", "clip"];
  const NOT_SHOWN =
    "[aria-hidden=true], [hidden], [data-testid=stSidebar][aria-expanded=false], [data-testid=stHeader], " +
    "[data-testid=stSkipToContent], " +
    "details:not([open]) > :not(summary)";
  const found = [];
  const shown = (node) =>
    node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !node.closest(NOT_SHOWN);
  const said = (text) => text.trim().replace(/\s+/g, " ").slice(0, 70);

  /* Return the left and right end of what can be seen at a node, or null where the reader can scroll to the rest. */
  const room = (node) => {
    let [left, right] = [0, document.documentElement.clientWidth];
    for (let box = node; box && box !== document.body; box = box.parentElement) {
      const how = getComputedStyle(box).overflowX;
      if (SCROLLS.includes(how) && box.dataset.testid !== "stMain") return null;
      if (HIDES.includes(how)) {
        const seen = box.getBoundingClientRect();
        [left, right] = [Math.max(left, seen.left), Math.min(right, seen.right)];
      }
    }
    return [left, right];
  };

  const texts = document.createTreeWalker(document.querySelector("[data-testid=stApp]"), NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode()); ) {
    const node = text.parentElement;
    if (!text.textContent.trim() || node.closest("svg, style, script, canvas") || !shown(node)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    const seen = room(node);
    if (box.width < 2 || !seen) continue;
    if (box.left < seen[0] - 1 || box.right > seen[1] + 1) found.push(`text: ${said(text.textContent)}`);
  }

  /* The box of a turned or tall word is a little larger than its letters. */
  const SLACK = 4;
  for (const chart of document.querySelectorAll("[data-testid=stVegaLiteChart] svg")) {
    if (!shown(chart)) continue;
    const frame = chart.getBoundingClientRect();
    for (const word of chart.querySelectorAll("text")) {
      const box = word.getBoundingClientRect();
      const across = box.left < frame.left - SLACK || box.right > frame.right + SLACK;
      const down = box.top < frame.top - SLACK || box.bottom > frame.bottom + SLACK;
      if (box.width && (across || down)) found.push(`chart: ${said(word.textContent)}`);
      if (word.textContent.includes("…")) found.push(`chart, shortened: ${said(word.textContent)}`);
    }
  }
  return found;
}
