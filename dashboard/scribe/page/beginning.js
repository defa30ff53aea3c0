import { ask, tell } from "./asking.js";
import { button, make } from "./making.js";
import { Result, labelled } from "./result.js";
import { languageChoice, learn, t } from "./words.js";

// The first page: go on with a game, the same table again, or a new one.

const LEAST_PLAYERS = 2;

// What the players are called in a log, in the order in which they sit.
const SEATS = "ABCDEFGH";

// The day in the id of a game that was begun here; the id itself where there is none.
function dayOf(game_id) {
  const [day] = game_id.match(/\d{4}-\d\d-\d\d/) ?? [];
  const language = document.documentElement.lang.replace(/^en$/, "en-GB");
  return day ? new Date(`${day}T12:00`).toLocaleDateString(language, { day: "numeric", month: "short" }).replace(" ", "\u00a0") : game_id;
}

export class Beginning {
  constructor(root, begun, said) {
    this.root = root;
    this.begun = begun;
    this.said = said;
    this.players = [];
  }

  async show(wanted) {
    [this.known, this.kept] = await Promise.all([ask("beginnings"), ask("games")]);
    const last = this.known.last;
    const slug = wanted || last?.game || this.known.games[0].slug;
    this.choose(slug, last?.game === slug ? last : null);
  }

  choose(slug, like) {
    this.game = this.known.games.find((each) => each.slug === slug) ?? this.known.games[0];
    this.like = like;
    const players = like ? like.players : [{ name: "" }, { name: "" }];
    this.players = players.map((each, number) => this.player(each, number));
    this.draw();
  }

  player(given, number) {
    const label = t("Player {number}", { number: number + 1 });
    const name = make("input", { "aria-label": label, placeholder: label, value: given.name ?? "", autocomplete: "off", maxlength: 60 });
    const choices = this.game.decks.map(([id, title]) => make("option", { value: id, selected: id === given.deck }, title));
    const deck = make("select", { "aria-label": `${t("Deck")}: ${label}` }, make("option", { value: "" }, t("deck …")), choices);
    const pasted = make("textarea", { rows: 4, "aria-label": `${t("List")}: ${label}`, placeholder: "2 Reed Heron\nKelp Choir x3", hidden: true });
    const paste = button(t("Paste a list"), `${t("Paste a list")}: ${label}`, () => {
      pasted.hidden = !pasted.hidden;
    }, { class: "quiet" });
    const hasDecks = this.game.decks.length > 0;
    const role = make("input", { "aria-label": `${t("Role or deck")}: ${label}`, value: given.deck ?? "", list: "roles", autocomplete: "off", maxlength: 60 });
    const played = hasDecks ? [labelled(t("Deck"), deck), paste, pasted] : this.game.open ? [labelled(t("Role or deck"), role)] : [];
    const element = make("div", { class: "seat" }, labelled(label, name), played);
    return { element, value: () => ({ name: name.value, deck: hasDecks ? deck.value : role.value.trim(), pasted: pasted.hidden ? "" : pasted.value }) };
  }

  draw() {
    const title = (slug) => this.known.games.find((each) => each.slug === slug)?.title ?? slug;
    const game = make("select", { name: "game", "aria-label": t("Game"), change: () => this.choose(game.value, null) },
      this.known.games.map((each) => make("option", { value: each.slug, selected: each === this.game }, each.title)));
    this.edition = this.editions();
    const last = this.known.last;
    const again = last && button(t("The same table: {players} ({game})", { players: last.players.map((each) => each.name).join(", "), game: title(last.game) }),
      t("Fill in the table of the last game"), () => this.choose(last.game, last), { class: "wide-button" });
    const kept = this.kept.filter((each) => each.open).slice(0, 5).map((each) => button(`${title(each.game)}: ${Object.values(each.players).join(", ")} · ${dayOf(each.game_id)}`,
      t("Go on with {game}", { game: each.game_id }), () => this.begun(each.game_id), { class: "wide-button" }));
    this.root.replaceChildren(make("div", { class: "beginning" },
      make("div", { class: "title" }, make("h1", {}, t("Keep a log while you play")),
        languageChoice(async () => { await learn(); this.draw(); })),
      again,
      make("div", { class: "seat" }, labelled(t("Game"), game), labelled(t("Version"), this.edition.element)),
      this.players.map((each) => each.element),
      make("datalist", { id: "roles" }, (this.game.roles ?? []).map((each) => make("option", { value: each }))),
      make("div", { class: "row" },
        button(t("Another player"), t("Another player"), () => this.more()),
        this.players.length > LEAST_PLAYERS && button(t("One player less"), t("One player less"), () => this.fewer())),
      this.rulings(),
      this.ways(),
      kept.length ? make("h2", {}, t("Or go on with")) : "",
      kept));
  }

  // A game of one's own may be written down by its result alone; where it always was, that comes first.
  ways() {
    const begin = (words, look) => button(words, t("Begin the game"), () => this.begin(), { class: look });
    const only = (look) => button(t("Write down only the result"), t("Write down who won, the points and the fun, without the moves"), () => this.result(), { class: look });
    if (this.game.results) {
      return [only("main-button"), begin(t("Begin, move by move"), "option")];
    }
    return [begin(t("Begin"), "main-button"), this.game.open ? only("option") : ""];
  }

  // Nothing is begun before the result is sent.
  result() {
    const names = this.players.map((each) => each.value().name.trim());
    if (!names.every(Boolean) || new Set(names).size < names.length) {
      this.said(t("every player needs a name, and no two the same"));
      return;
    }
    const asked = this.asked();
    const result = new Result(names.map((name, number) => [SEATS[number], name]), { most: this.game.fun, alone: true });
    const minutes = make("input", { type: "number", min: 1, placeholder: t("minutes"), "aria-label": t("How many minutes it took") });
    const send = async () => {
      const said = result.read();
      if (!said) {
        return;
      }
      const { winners, scores } = said;
      const told = { type: "result.recorded", winners, scores, ...(minutes.value ? { minutes: Number(minutes.value) } : {}) };
      try {
        this.made ??= (await tell("games", asked)).game_id;
        await tell(`games/${encodeURIComponent(this.made)}/events`, [told, ...said.said]);
        this.made = undefined;
        await this.show(asked.game);
        this.said(t("The result is written down."));
      } catch (error) {
        this.said(error.message);
      }
    };
    this.root.replaceChildren(make("div", { class: "beginning" },
      make("h1", {}, `${this.game.title}: ${t("Write down only the result")}`),
      result.elements,
      make("div", { class: "row over" }, make("label", {}, t("How many minutes it took")), minutes),
      button(t("Log it"), t("Log the result"), send, { class: "main-button" }),
      button(t("Back"), t("Back to who plays"), () => this.draw(), { class: "option" })));
  }

  // The editions of a game, the newest one chosen; of one whose text nobody has listed any other may be named.
  editions() {
    const named = make("input", { "aria-label": t("Another version"), placeholder: t("Another version"), maxlength: 60, autocomplete: "off" });
    const select = make("select", { "aria-label": t("Version"), change: () => (select.value ? named.remove() : element.append(named)) },
      this.game.editions.map((each) => make("option", { value: each, selected: each === this.like?.edition }, each)),
      this.game.open ? make("option", { value: "" }, t("another …")) : "");
    const element = make("span", {}, select);
    return { element, value: () => select.value || named.value.trim() };
  }

  more() {
    this.players.push(this.player({}, this.players.length));
    this.draw();
  }

  fewer() {
    this.players.pop();
    this.draw();
  }

  rulings() {
    const agreed = this.like?.rulings ?? {};
    this.chosen = this.game.rulings.map((each) => {
      const option = agreed[each.key] ?? each.default;
      const select = make("select", { "aria-label": each.question },
        each.options.map(([name, text]) => make("option", { value: name, selected: name === option }, text || name)));
      return { ...each, select };
    });
    if (!this.chosen.length) {
      return "";
    }
    return make("details", {}, make("summary", {}, t("Our table plays it otherwise")),
      this.chosen.map((each) => make("label", { class: "ruling" }, make("span", {}, each.question), each.select)));
  }

  // Which game is to be begun, as it was chosen.
  asked() {
    const differ = (this.chosen ?? []).filter((each) => each.select.value !== each.default);
    const rulings = Object.fromEntries(differ.map((each) => [each.key, each.select.value]));
    return { game: this.game.slug, edition: this.edition.value(), rulings, players: this.players.map((each) => each.value()) };
  }

  async begin() {
    try {
      const { game_id } = await tell("games", this.asked());
      this.begun(game_id);
    } catch (error) {
      this.said(error.message);
    }
  }
}
