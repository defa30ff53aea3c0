import { button, make } from "./making.js";

// Drawing the table: areas in lines, cards in areas, from the values of projector/game.py (Area, Cell, Shown).

const MOST_BACKS = 7;

// How small a table may be drawn to be in sight as a whole; and what the page's own head takes above the replay.
const PHONE = 760;
// Names of cards are 12 pixels high and stay above 11.
const SCALES = [1, 0.96, 0.92];
const PAGE_HEAD = 64;

// Letters of a word that still fits a card in ordinary letters.
const LONG_WORD = 11;
const MARK_SIZE = 0.95;

// How many times as wide as an empty column the fullest may be.
const WIDEST = 6;

export class Drawing {
  constructor(tape) {
    this.tape = tape;
    this.seats = new Map(tape.players.map(([id], seat) => [id, seat]));
    this.names = new Map(tape.players);
    this.element = make("div", { class: "table", role: "group", "aria-label": "The table" });
    this.reading = make("div", { class: "reading", popover: "auto" });
    this.extents = new Map();
    this.scale = 0;
  }

  show(index, viewer) {
    const lines = this.tape.lines(viewer, index);
    const blocks = blocksOf(lines);
    this.element.style.setProperty("--widest", Math.max(...lines.map((areas) => areas.length)));
    const drawn = blocks.map((block) => (block.length > 1 ? this.block(block) : this.line(block[0])));
    const before = gridsIn(this.element);
    this.element.replaceChildren(...drawn);
    this.fit();
    gridsIn(this.element).forEach((grid, name) => keepInSight(grid, before.get(name)));
    this.signWider();
  }

  // The cards that a step with a finding names. The page goes down to the first of them; on a narrow screen, where what
  // is wrong stands above the table, not where it is `opened` at that step: its title and its controls are above.
  markWrong(step, opened) {
    const named = step.findings.length ? wordsIn(JSON.parse(step.source)) : [];
    const wrong = [...this.element.querySelectorAll(".card[data-name]")].filter((card) => named.includes(card.dataset.name));
    for (const card of wrong) {
      card.toggleAttribute("data-wrong", true);
    }
    if (wrong.length && !(opened && innerWidth <= PHONE)) {
      wrong[0].scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    return wrong[0];
  }

  // What is wider than the screen and can be pushed along says so.
  signWider() {
    for (const box of [this.element, ...this.element.querySelectorAll(".cells")]) {
      box.closest(".area, .table").toggleAttribute("data-wider", box.scrollWidth > box.clientWidth + 1);
    }
  }

  // Draw the table so small that all of it is in sight, as far as it can still be read: on a phone not at all. It never
  // grows again from step to step, so that nothing jumps.
  fit() {
    const replay = this.element.closest(".replay");
    if (!replay) {
      requestAnimationFrame(() => this.element.isConnected && this.fit());
      return;
    }
    const above = this.element.getBoundingClientRect().top - replay.getBoundingClientRect().top;
    const room = innerHeight - above - PAGE_HEAD;
    while (replay.clientWidth > PHONE && this.scale < SCALES.length - 1 && this.height() > room) {
      this.scale += 1;
      this.element.style.zoom = SCALES[this.scale];
    }
  }

  height() {
    return this.element.getBoundingClientRect().height;
  }

  fitAnew() {
    this.scale = 0;
    this.element.style.zoom = SCALES[0];
    this.fit();
    this.signWider();
  }

  line(areas) {
    const edge = areas.some((area) => area.shape === "hand" || area.shape === "pile");
    return make("div", { class: edge ? "line edge" : "line" }, areas.map((area) => this.area(area)));
  }

  // Lines whose columns stand below each other; a column that only one of them has is no wider than it must be.
  block(lines) {
    const columns = [...new Set(lines.flat().map((area) => area.column))].sort((one, other) => one - other);
    const shared = (column) => lines.filter((areas) => areas.some((area) => area.column === column)).length > 1;
    const fullest = (column) => Math.max(...lines.flat().map((area) => (area.column === column ? area.cards.length : 0)));
    // A column is as wide as its cards need, next to the others; an empty one is narrow.
    const share = (column) => `minmax(var(--lane), ${Math.min(WIDEST, Math.max(1, fullest(column)))}fr)`;
    const widths = columns.map((column) => (shared(column) ? share(column) : "fit-content(180px)"));
    const drawn = (area, row, place) => {
      const element = this.area(area);
      element.style.gridArea = `${row + 1} / ${place + 1}`;
      return element;
    };
    // A narrow screen shows one column after the other: what lies opposite each other stays together.
    const groups = columns.map((column, place) => make(
      "div",
      { class: "column" },
      lines.flatMap((areas, row) => areas.filter((area) => area.column === column).map((area) => drawn(area, row, place))),
    ));
    return make("div", { class: "block", style: `grid-template-columns: ${widths.join(" ")}` }, groups);
  }

  area(area) {
    const ahead = this.names.get(area.highlight);
    return make(
      "section",
      {
        class: `area ${area.shape}${area.cards.length || area.count || area.shape === "grid" ? "" : " none"}`,
        "data-area": area.name,
        "data-seat": this.seats.get(area.owner),
        "data-ahead": this.seats.get(area.highlight),
        "data-place": area.place || undefined,
        "aria-label": [area.title, area.caption, ahead && `${ahead} is ahead`].filter(Boolean).join(", "),
      },
      make("header", {}, make("h3", {}, area.title), this.sizeOf(area)),
      area.caption && make("p", { class: "caption" }, area.caption),
      area.shape === "grid" ? this.grid(area) : this.sides(area).map((cards) => make("div", { class: "cards" }, cards)),
    );
  }

  sizeOf(area) {
    const counted = area.shape === "pile" || area.shape === "hand";
    return counted ? make("span", { class: "count", "aria-label": `${area.count} cards` }, String(area.count)) : "";
  }

  // The cards of an area; where it is nobody's own, those of each player apart, the far player's first.
  sides(area) {
    if (area.shape === "pile") {
      return [this.pile(area)];
    }
    if (area.shape === "hand" || area.owner) {
      return [[...area.cards.map((card) => this.stack(card)), ...this.unnamed(area)]];
    }
    const owners = [...new Set(area.cards.map((card) => card.owner))];
    owners.sort((one, other) => this.distance(other) - this.distance(one));
    return owners.map((owner) => area.cards.filter((card) => card.owner === owner).map((card) => this.stack(card)));
  }

  distance(player) {
    return this.seats.get(player) ?? -1;
  }

  // The cards of a hand that nobody has named.
  unnamed(area) {
    const count = area.shape === "hand" ? Math.max(0, area.count - area.cards.length) : 0;
    return Array.from({ length: Math.min(count, MOST_BACKS) }, () => this.back(area));
  }

  pile(area) {
    const top = area.cards.at(-1);
    if (top) {
      return [this.stack(top)];
    }
    const empty = () => make("div", { class: "card empty" }, make("span", { class: "title" }, "empty"));
    return [area.count ? this.back(area) : empty()];
  }

  back(area) {
    return make("div", { class: "card back", "data-seat": this.seats.get(area.owner), "aria-hidden": "true" });
  }

  // A card with those that lie beneath it peeping out below.
  stack(shown) {
    if (!shown.under.length) {
      return this.card(shown);
    }
    return make("div", { class: "stack" }, this.card(shown), shown.under.map((below) => this.stack(below)));
  }

  card(shown) {
    const owner = this.names.get(shown.owner);
    // A card that lies sideways needs no word for it.
    const marks = shown.marks.filter((mark) => mark !== "exhausted");
    const words = [
      shown.title,
      owner && `of ${owner}`,
      shown.face_up ? "" : "face down",
      shown.exhausted && "exhausted",
      shown.value && `value ${shown.value}`,
      ...marks,
    ].filter(Boolean);
    const said = this.tape.cardTexts[shown.title];
    const read = said ? () => this.read(shown.title, said) : undefined;
    return make(
      "div",
      {
        class: classesOf(shown),
        style: `--letters: ${lettersOf(shown)}; --title: ${longestWord(shown.title)}`,
        "data-name": shown.name,
        "data-seat": this.seats.get(shown.owner),
        role: said ? "button" : "img",
        tabindex: said ? "0" : undefined,
        click: read,
        keydown: read && ((event) => event.key === "Enter" && read()),
        title: said ? `${words.join(", ")}\n${said}` : words.join(", "),
        "aria-label": words.join(", "),
      },
      make("span", { class: "title" }, wordsApart(shown.title)),
      make(
        "span",
        { class: "foot" },
        make("span", { class: "marks" }, marks.map((mark) => make("span", { class: "mark" }, mark))),
        shown.value && make("span", { class: "value" }, shown.value),
      ),
    );
  }

  // What is printed on a card, until somebody taps elsewhere.
  read(title, said) {
    this.reading.replaceChildren(make("b", {}, title), make("p", {}, said));
    this.reading.showPopover();
  }

  grid(area) {
    const { top, left, rows, columns } = this.extent(area.name);
    // What people call a column or row stands at its edge: `c7`, or the numbers of a place.
    const placeAt = (along, number) => area.cells.find((cell) => cell[along] === number)?.place;
    const [column, row] = this.tape.tiles ? [(number) => number, letterOf] : [(number) => placeAt("column", number)?.[0], (number) => placeAt("row", number)?.[1]];
    const named = [...edgeNames("column", left, columns, column), ...edgeNames("row", top, rows, row)];
    const cells = area.cells.map((cell) =>
      make(
        "div",
        {
          class: `cell${cell.mark ? " marked" : ""}`,
          style: `--row: ${cell.row - top + 1}; --column: ${cell.column - left + 1}`,
          "data-cell": `${cell.row},${cell.column}`,
          "data-place": cell.place?.join(","),
        },
        cell.card ? this.stack(cell.card) : "",
        cell.mark && make("span", { class: "cell-mark" }, cell.mark),
      ),
    );
    const style = `--columns: ${columns}; --rows: ${rows}`;
    return make("div", { class: `cells${this.tape.tiles ? " tiles" : ""}`, style, tabindex: "0", role: "group", "aria-label": area.title }, named, cells);
  }

  // The rows and columns that a grid ever uses, so that it does not jump about while it grows.
  extent(name) {
    if (!this.extents.has(name)) {
      const cells = [...new Set(this.tape.areasDrawn.filter((area) => area.name === name).flatMap((area) => area.cells))];
      const columns = cells.map((cell) => cell.column);
      const left = Math.min(...columns);
      const rows = cells.map((cell) => cell.row);
      const top = Math.min(...rows);
      this.extents.set(name, {
        top,
        left,
        rows: Math.max(...rows) - top + 1,
        columns: Math.max(...columns) - left + 1,
      });
    }
    return this.extents.get(name);
  }
}

// Every word in the values of a line of a log.
function wordsIn(value) {
  if (typeof value === "string") {
    return [value];
  }
  return value && typeof value === "object" ? Object.values(value).flatMap(wordsIn) : [];
}

const letterOf = (row) => String.fromCharCode("a".charCodeAt(0) + row - 1);

// The names of the columns or rows of a grid from the first, each at its place on the edge.
function edgeNames(along, first, count, nameOf) {
  const at = (index) => (along === "row" ? `--row: ${index + 1}; --column: 0` : `--row: 0; --column: ${index + 1}`);
  return Array.from({ length: count }, (_, index) =>
    make("span", { class: "edge-name", style: at(index), "aria-hidden": "true" }, String(nameOf(first + index) ?? "")));
}

// The grids of a table by the names of their areas: what is drawn, how far it is scrolled, which card is on which cell.
function gridsIn(table) {
  const grids = [...table.querySelectorAll(".cells")];
  return new Map(
    grids.map((cells) => {
      const cards = [...cells.querySelectorAll(".card[data-name]")];
      const places = new Map(cards.map((card) => [card.dataset.name, card.closest(".cell")]));
      return [cells.closest("[data-area]").dataset.area, { cells, scrolled: cells.scrollLeft, places }];
    }),
  );
}

// Leave a grid that is wider than the screen where the reader had scrolled it, unless a card has come or moved to where
// it is out of sight; at first the cards of the grid are in the middle.
function keepInSight({ cells, places }, before) {
  const wide = cells.clientWidth;
  const show = (from, to) => {
    cells.scrollLeft = (from + to - wide) / 2;
  };
  const edges = (cell) => [cell.offsetLeft - cells.offsetLeft, cell.offsetLeft - cells.offsetLeft + cell.offsetWidth];
  if (!before) {
    const taken = [...places.values()].flatMap(edges);
    if (taken.length) {
      show(Math.min(...taken), Math.max(...taken));
    }
    return;
  }
  cells.scrollLeft = before.scrolled;
  for (const [name, cell] of places) {
    const [from, to] = edges(cell);
    const stayed = before.places.get(name)?.dataset.cell === cell.dataset.cell;
    if (!stayed && (from < cells.scrollLeft || to > cells.scrollLeft + wide)) {
      show(from, to);
    }
  }
}

// The words of a title, each its own piece: where a card is very narrow, a word is cut short and no word broken.
function wordsApart(title) {
  return title.split(" ").flatMap((word) => [make("span", { class: "word" }, word), " "]).slice(0, -1);
}

function longestWord(words) {
  return Math.max(...words.split(" ").map((word) => word.length));
}

// The letters of a card's longest word; marks are written smaller.
function lettersOf(shown) {
  return Math.max(longestWord(shown.title), ...shown.marks.map((mark) => Math.round(longestWord(mark) * MARK_SIZE)));
}

function classesOf(shown) {
  const long = lettersOf(shown) > LONG_WORD;
  const classes = ["card", shown.face_up ? "face" : "back", shown.exhausted && "exhausted", long && "long"];
  return classes.filter(Boolean).join(" ");
}

// Neighbouring lines that have only rows of cards belong together; every other line stands alone.
function blocksOf(lines) {
  const blocks = [];
  let open = null;
  for (const areas of lines) {
    const rows = areas.every((area) => area.shape === "row");
    if (rows && open) {
      open.push(areas);
    } else {
      blocks.push([areas]);
      open = rows ? blocks.at(-1) : null;
    }
  }
  return blocks;
}
