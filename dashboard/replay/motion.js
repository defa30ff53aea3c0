// Moving cards: where each one was before a step, and a short glide from there to where it is now.

const MILLISECONDS = 240;

function cardsOn(table) {
  return [...table.querySelectorAll(".card[data-name]")];
}

// Where each card stands on the table, by name: left and top edge in pixels.
export function placesOn(table) {
  const origin = table.getBoundingClientRect();
  return new Map(
    cardsOn(table).map((card) => {
      const { left, top } = card.getBoundingClientRect();
      return [card.dataset.name, { left: left - origin.left, top: top - origin.top }];
    }),
  );
}

// Let the cards on the table glide from their places before, and new ones fade in.
export function glide(table, before) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    return;
  }
  const now = placesOn(table);
  const timing = { duration: MILLISECONDS, easing: "ease-out" };
  for (const card of cardsOn(table)) {
    const was = before.get(card.dataset.name);
    const is = now.get(card.dataset.name);
    if (!was) {
      card.animate({ opacity: [0, 1] }, timing);
    } else if (Math.abs(was.left - is.left) > 1 || Math.abs(was.top - is.top) > 1) {
      card.animate({ transform: [`translate(${was.left - is.left}px, ${was.top - is.top}px)`, "none"] }, timing);
    }
  }
}
