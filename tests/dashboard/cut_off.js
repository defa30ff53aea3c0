/* Return the texts of the page that are cut off: outside the window, their box or their chart. */
() => {
  const SCROLLS = ["auto", "scroll"];
  const HIDES = ["hidden", "clip"];
  const HIDDEN_PARTS =
    "[aria-hidden=true], [hidden], [data-testid=stSidebar][aria-expanded=false], [data-testid=stHeader], " +
    "[data-testid=stSkipToContent], " +
    "details:not([open]) > :not(summary)";
  const found = [];
  const shown = (node) =>
    node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !node.closest(HIDDEN_PARTS);
  const excerpt = (text) => text.trim().replace(/\s+/g, " ").slice(0, 70);

  /* Return the left and right edge of the visible part of a node, or null if the user can scroll to the rest. */
  const visibleRange = (node) => {
    let [left, right] = [0, document.documentElement.clientWidth];
    for (let box = node; box && box !== document.body; box = box.parentElement) {
      const how = getComputedStyle(box).overflowX;
      if (SCROLLS.includes(how) && box.dataset.testid !== "stMain") return null;
      if (HIDES.includes(how)) {
        const visible = box.getBoundingClientRect();
        [left, right] = [Math.max(left, visible.left), Math.min(right, visible.right)];
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
    const edges = visibleRange(node);
    if (box.width < 2 || !edges) continue;
    if (box.left < edges[0] - 1 || box.right > edges[1] + 1) found.push(`text: ${excerpt(text.textContent)}`);
  }

  /* The box of a rotated or tall word is a little larger than its letters. */
  const SLACK = 4;
  for (const chart of document.querySelectorAll("[data-testid=stVegaLiteChart] svg")) {
    if (!shown(chart)) continue;
    const frame = chart.getBoundingClientRect();
    for (const word of chart.querySelectorAll("text")) {
      const box = word.getBoundingClientRect();
      const across = box.left < frame.left - SLACK || box.right > frame.right + SLACK;
      const down = box.top < frame.top - SLACK || box.bottom > frame.bottom + SLACK;
      if (box.width && (across || down)) found.push(`chart: ${excerpt(word.textContent)}`);
      if (word.textContent.includes("…")) found.push(`chart, shortened: ${excerpt(word.textContent)}`);
    }
  }
  return found;
}
