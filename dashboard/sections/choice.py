"""Which games a page is about: the filters of the sidebar, kept in the page's address so that a link can be copied."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
import streamlit as st

from tabletape.dashboard.questions import Filters
from tabletape.events.vocabulary import known_games
from tabletape.projector.games import game, title_of
from tabletape.projector.model.phrases import with_options_said
from tabletape.projector.model.rulebook import Rulebook

UNSAID: Final = "unknown"
"""The edition of a log that names none."""

Played = Literal["people", "bots", "all"]

SOURCES: Final[dict[str, Played]] = {"people": "people", "bots": "bots", "both": "all"}
"""Whose games can be chosen, as the address says it."""

QUERY_PARAMETERS: Final = "query-params"


class GameChoice(msgspec.Struct, frozen=True, kw_only=True):
    """What the sidebar says: games of one game under one ruleset, and `beside` it a second one to compare with.

    `counts` has for each ruleset of the game how many games there are, of people and of bots. What asks for mistakes
    (`of_mistakes`) counts the games in which they were made, whether only clean ones were chosen or not.
    """

    slug: str = ""
    ruleset: str = ""
    beside: str = ""
    source: Played = "people"
    clean: bool = False
    of_mistakes: bool = False
    decks: tuple[str, ...] = ()
    counts: Mapping[str, Mapping[str, int]] = msgspec.field(default_factory=dict)

    def filters(self, *, beside: bool = False) -> Filters:
        """Return the filters of a question, of the chosen ruleset or of the one beside it."""
        return Filters(
            game=self.slug,
            ruleset=self.beside if beside else self.ruleset,
            source=self.source,
            clean=self.clean and not self.of_mistakes,
            decks=self.decks,
        )

    def address(self) -> dict[str, Any]:
        """Return the choice as the parameters of an address."""
        parameters: dict[str, Any] = {"of": title_of(self.slug), "ruleset": self.ruleset} if self.slug else {}
        if self.beside:
            parameters["beside"] = self.beside
        if self.source != "people":
            parameters["source"] = next(word for word, source in SOURCES.items() if source == self.source)
        if self.clean:
            parameters["clean"] = "true"
        if self.decks:
            parameters["decks"] = list(self.decks)
        return parameters

    @property
    def rulesets(self) -> tuple[tuple[str, str], ...]:
        """The rulesets that are shown, each with the letter that it has in a comparison: none, or A and B."""
        return (("A", self.ruleset), ("B", self.beside)) if self.beside else (("", self.ruleset),)

    def called(self, letter: str) -> str:
        """Return what a ruleset of a comparison is called: its edition, unless both have the same."""
        editions = {each: edition_of(ruleset) for each, ruleset in self.rulesets}
        return letter and (editions[letter] if len({*editions.values()}) > 1 else letter)


def choose(
    rows: Iterable[Mapping[str, Any]], decks: Mapping[str, Mapping[str, str]], *, of_mistakes: bool = False
) -> GameChoice:
    """Show the filters in the sidebar and give what is chosen.

    `rows` are the answer to `overview` (with a `source`), `decks` the decks of each game in words, by
    their ids. Where a page asks for mistakes, leaving out the games that have some is not offered.
    """
    found = list(rows)
    counted = _counted(found)
    with st.sidebar:
        slug = _game(counted)
        counts = counted[slug]
        mine = [row for row in found if row["game"] == slug]
        said = called_apart(game(slug).rulebook, _last_first(counts, mine))
        offered = said if [*said] != [UNSAID] else {}  # where no game says its edition, there is nothing to choose
        ruleset = offered and picked_one("Version", "ruleset", offered, is_kept=True, help=RULESET_HELP)
        ruleset = ruleset or next(iter(said))
        others = {each: words for each, words in said.items() if each != ruleset}
        how: dict[str, Any] = {"is_kept": True, "placeholder": "Nothing", "help": BESIDE_HELP}
        beside = picked_one("Compare with", "beside", others, **how) if others else ""
        began = {row["ruleset"]: str(row["first_played"] or "") for row in mine}
        if beside and began[ruleset] < began[beside]:  # Whichever was chosen first: the newer against the older.
            ruleset, beside = beside, ruleset
        source, clean = _source(counts), False
        if game(slug).rulebook.stated and any(row["by_result"] < row["games"] for row in mine):
            how = {"key": "clean", "bind": QUERY_PARAMETERS, "help": CLEAN_HELP}
            clean = st.toggle("Clean games only", disabled=of_mistakes, **how)
            if of_mistakes:
                st.caption(ALL_COUNT)
        how = {"is_kept": True, "placeholder": "All decks", "help": DECKS_HELP}
        chosen = some_of("Decks", "decks", decks[slug], **how) if decks.get(slug) else []
    return GameChoice(
        slug=slug,
        ruleset=ruleset,
        beside=beside,
        source=source,
        clean=clean,
        of_mistakes=of_mistakes,
        decks=tuple(chosen),
        counts=counts,
    )


def _source(counts: Mapping[str, Mapping[str, int]]) -> Played:
    """Ask whose games count; those of people where no bot has played."""
    if not any(each.get("bots") for each in counts.values()):
        return "people"
    how: dict[str, Any] = {"default": "people", "required": True, "key": "source", "bind": QUERY_PARAMETERS}
    return SOURCES[st.segmented_control("Played by", list(SOURCES), **how) or "people"]


def keep_choice() -> None:
    """Keep what was chosen on a page without the filters: Streamlit forgets what belongs to nothing on a page."""
    for key in ("of", "ruleset", "beside", "source", "clean", "decks"):
        if key in st.session_state:
            st.session_state[key] = st.session_state[key]


RULESET_HELP: Final = "The version of the rules, and every ruling that is not the usual one."
BESIDE_HELP: Final = (
    "A second version or ruling, set beside the first one. The page Rules reads the same games by another ruling."
)
CLEAN_HELP: Final = "Leave out games with a mistake."
ALL_COUNT: Final = "Not on this page: it asks for mistakes, so it counts the games in which they were made."
DECKS_HELP: Final = "Only games in which one of these decks was played."


def _counted(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, dict[str, int]]]:
    """Count games: game → ruleset → source."""
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for row in rows:
        if row["game"] in known_games():
            counts.setdefault(row["game"], {}).setdefault(row["ruleset"], {})[row["source"]] = row["games"]
    return counts


def edition_of(ruleset: str) -> str:
    """Return the edition of a ruleset, in words."""
    words = " ".join(word for word in ruleset.split() if "=" not in word)
    return "not said" if words == UNSAID else words


def called_apart(rulebook: Rulebook, rulesets: Sequence[str]) -> dict[str, str]:
    """Return what rulesets are called: by the edition, with its options in words where others are of the same."""
    editions = Counter(map(edition_of, rulesets))
    return {
        each: edition_of(each) if editions[edition_of(each)] == 1 else with_options_said(rulebook, each)
        for each in rulesets
    }


def _last_first(counts: Mapping[str, Mapping[str, int]], rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return rulesets, the one that people played last first, of equals that of most games.

    A few logs that name no edition stand behind those that do.
    """
    days = {row["ruleset"]: str(row["last_played"] or "") for row in rows if row["source"] == "people"}
    most = sorted(counts, key=lambda each: (-counts[each].get("people", 0), -sum(counts[each].values()), each))
    last = sorted(most, key=lambda each: days.get(each, ""), reverse=True)
    return sorted(last, key=lambda each: each == UNSAID != most[0])


def _game(counted: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    by_title = {title_of(slug): slug for slug in counted}

    def weight(title: str) -> int:
        return sum(sum(each.values()) for each in counted[by_title[title]].values())

    return by_title[one_of("Game", "of", sorted(by_title, key=lambda title: (-weight(title), title)))]


def one_of(label: str, key: str, options: list[str]) -> str:
    """Offer a choice of one among several; the first stands for no choice, and the address names it too.

    The address always says which one is shown: what comes first may change with the next import.
    """
    first = key not in st.session_state
    if (st.query_params.get(key) if first else st.session_state[key]) not in options:
        st.session_state[key] = options[0]
        if first:
            # The selectbox writes each later choice into the address, but not its first value.
            st.query_params[key] = options[0]
    return st.selectbox(label, options, index=None, key=key, bind=QUERY_PARAMETERS) or options[0]


def some_of(label: str, key: str, words: Mapping[str, str], *, is_kept: bool = False, **looks: Any) -> list[str]:
    """Offer several of some by their words, and return their ids, which stand in the address under `key`.

    With `is_kept` they stay from page to page.
    """
    asked = st.query_params.get_all(key) or (st.session_state.get(key, []) if is_kept else [])
    st.session_state[key] = [each for each in asked if each in words]
    if is_kept:
        _to_address(key)
    options = sorted(words, key=lambda each: words[each].casefold())
    how: dict[str, Any] = {"format_func": lambda each: words.get(each, each), "on_change": _to_address, **looks}
    return list(st.multiselect(label, options, key=key, args=(key,), **how))


def _to_address(key: str) -> None:
    """Write into the address what a widget of the session holds."""
    if picked := st.session_state[key]:
        st.query_params[key] = picked
    else:
        st.query_params.pop(key, None)


def picked_one(label: str, key: str, words: Mapping[str, str], *, is_kept: bool = False, **looks: Any) -> str:
    """Offer one of several by its words, and return its id, which stands in the address under `key`.

    Streamlit itself would write the words there. Without a `placeholder` the first one stands for no choice. With
    `is_kept` it stays from page to page, and the order is that of `words`.
    """
    asked = (st.query_params.get(key), st.session_state.get(key) if is_kept else None)
    first = None if looks.get("placeholder") else next(iter(words))
    st.session_state[key] = next((each for each in asked if each in words), first)
    if is_kept:
        _to_address(key)
    options = list(words) if is_kept else sorted(words, key=lambda each: words[each].casefold())
    how: dict[str, Any] = {"format_func": lambda each: words.get(each, each), "on_change": _to_address, **looks}
    return st.selectbox(label, options, index=None, key=key, args=(key,), **how) or ""
