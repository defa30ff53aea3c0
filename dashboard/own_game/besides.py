"""What a sentence says besides its form: words of its own that no form holds, and exceptions in other sentences.

A rule whose exception is not understood would accuse whoever keeps it: it is never read as it stands.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tabletape.dashboard.own_game import line_rules
from tabletape.dashboard.own_game.cited import CiteSentence, listing
from tabletape.dashboard.own_game.composition import types_of
from tabletape.dashboard.own_game.exceptions import EXCEPTS
from tabletape.dashboard.own_game.file import AWAY
from tabletape.dashboard.own_game.forms import OWN_WORDS, SentenceForm, filled_from, fitting, moves_in
from tabletape.dashboard.own_game.game import Blanks, OwnGame
from tabletape.dashboard.own_game.kinds import groups_of, printed_numbers
from tabletape.dashboard.own_game.messages import SAID_NUMBER, WORD, number_of
from tabletape.dashboard.own_game.rulebook_words import words_of
from tabletape.dashboard.own_game.sentence_reader import only_then, read_sentence
from tabletape.dashboard.own_game.states import state_limit
from tabletape.dashboard.own_game.stocks import stock_limit, stocks_of
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.dashboard.own_game.wording import (
    is_binding,
    is_permission,
    is_release,
    left_over,
    literals,
    unnumbered,
)
from tabletape.events.importing.maps.counted import forms_of, plurals_of
from tabletape.events.importing.maps.move_words import forms_of_verb
from tabletape.events.rules_file.cards import properties_in

_QUALIFIED: Final = re.compile(
    r"\b(?:unless|except\w*|if|when(?:ever)?|while|until|before|after|as (?:long|soon|often) as|instead|otherwise|but|"
    r"however|only|(?<!at )once|twice|during|without|in the (?:first|second|last|next|same|following) \w+|"
    r"at the (?:end|beginning|start)|from the \w+ (?:round|turn)|on top|the (?:dealer|winner|loser|leader)|"
    r"(?:first|last|starting|youngest|oldest|second|next|losing|winning) player|with \w+ players|"
    rf"{SAID_NUMBER} players|in a game (?:of|for|with))\b[^.;]*",
    re.IGNORECASE,
)
"""With these words a sentence says when something holds, and when not."""

_ANYTHING: Final = re.compile(
    r"\b(?:any (?:card|other|number|kind|time)|anything|whatever|whenever|even if|regardless)\b", re.IGNORECASE
)
_EXCEPTION: Final = re.compile(r"\b(?:exempt\w*|(?:does|do) not apply)\b(?! to this)", re.IGNORECASE)
_FREE: Final = re.compile(r"\b(?:free|without paying|costs? (?:only|nothing))\b", re.IGNORECASE)
_DUTIES: Final = frozenset({"follow", "draws-first", "actions", "at-least", "costs"})
"""Forms of what has to be: whoever need not do it is free of it. What may not be is none the more allowed by that."""

_INSTEAD: Final = re.compile(r"instead of [^,.]*?(?=,| (?:you|one|he|she|they|the|a) )", re.IGNORECASE)
"""With these words a sentence names another move for a turn."""

NOT_AMONG: Final = "not among them"
"""What is said of moves that a list of moves leaves out."""

_IF_NONE: Final = re.compile(
    r"\b(?:if|otherwise|when)\b.*\b(?:cannot|can't|none|no|not|otherwise)\b|\botherwise\b", re.IGNORECASE
)

_EVERYBODY: Final = re.compile(
    r"\b(?:each|every) (?P<who>\w+) (?:begins?|starts?|gets?|receives?|takes?|holds?|is dealt|draws?)\b|"
    r"\b(?:give|deal)s?(?: (?:\w+ ){0,4}to)? (?:each|every) (?P<to>\w+)\b",
    re.IGNORECASE,
)
_PRECEDES: Final = (
    r"(?P<word>\w+)(?: of the \w+)?(?::| are| is| called| named| come in| consists? of)\s+(?:the |an? |\w+ly )?"
    r"(?:%s),?(?: and| or)? (?:the |an? )?(?:%s)\b"
)
"""What the cards are called whose kinds are listed behind it."""


def says_more(form: SentenceForm, sentence: CiteSentence, game: OwnGame) -> str:
    """Return what a sentence says that its form does not hold, or an exception elsewhere; empty if nothing."""
    return _words_left(form, sentence, game) or next(iter(_exceptions_to(form, sentence, game)), "")


def first_listed(game: OwnGame, most: int) -> list[CiteSentence]:
    """Return the sentences to choose from at first: those of a known form, then others about a move or a card.

    Of too many those stay that name a move or a card. Of the others only what has to be, and what no rule cites yet.
    """
    told = [each for each in game.sentences if game.is_told_of(each.text)]
    known = [each for each in game.sentences if is_understood(each, game)]
    kept = sorted(known, key=lambda each: each not in told)[:most]
    printed = {*game.properties} - {"kind"}
    of_cards = [each for each in game.sentences if each in told or not printed.isdisjoint(WORD.findall(each.text))]
    others = (each for each in of_cards if is_binding(each.text) and not is_watched(game.raw, each))
    return [*filter(kept.__contains__, known), *(each for each in others if each not in known)][:most]


def is_understood(sentence: CiteSentence, game: OwnGame) -> bool:
    """Return whether a sentence has a form, or is read as a composition, that no rule of its game's file is yet."""
    readers = (read_sentence, only_then, stock_limit, state_limit, known_form)
    return any(read(sentence, game) for read in readers) and not is_watched(game.raw, sentence)


def known_form(sentence: CiteSentence, game: OwnGame) -> SentenceForm | None:
    """Return the form that says most of a sentence: one that leaves half of it out is none."""
    form = fitting(sentence, game)
    if form is not None and form.name == "costs" and game.kinds_in(WORD.findall(sentence.text)):
        return None  # It is a price of these cards.
    if (
        form is not None
        and form.name == "actions"
        and any(each.composition.beside for each in read_sentence(sentence, game))
    ):
        return None  # It says how many of those that another sentence lists: there are others beside these.
    places = words_of(game).places - {"hand", "hands"}
    if form is not None and form.name == "hand-limit":
        thing = re.match(r"(?:an?|the|each|every|no|your) (?!player|hand)\w+", game.plain(sentence.text), re.IGNORECASE)
        if thing or not places.isdisjoint(WORD.findall(sentence.text.casefold())):
            return None  # `Your tray never holds more than six cards` is about no hand.
    left = _words_left(form, sentence, game).split() if form is not None else []
    return form if 2 * len(left) <= len(unnumbered(sentence.text).split()) else None


def is_watched(raw: object, sentence: CiteSentence) -> bool:
    """Return whether a table cites the place of a sentence; where it stands nowhere, whether one says it."""
    if not isinstance(raw, Mapping):
        return False
    key, said = ("says", sentence.own) if sentence.cite == OWN_WORDS else ("cite", sentence.cite)
    return raw.get(key) == said or any(is_watched(value, sentence) for value in raw.values())


def _exceptions_to(form: SentenceForm, sentence: CiteSentence, game: OwnGame) -> list[str]:
    """Return the sentences of the rulebook that may be exceptions to one: the next one, and what allows its move."""
    if sentence not in game.sentences:
        return []
    at, rule = game.sentences.index(sentence), _FilledForm(form, filled_from(form, game, sentence), game)
    behind, others = game.sentences[at + 1 : at + 2], (*game.sentences[:at], *game.sentences[at + 2 :])
    near = filter(rule.is_limited_by, behind)
    return [each.text for each in (*near, *filter(rule.is_freed_by, others))]


class _FilledForm(NamedTuple):
    """The form of a sentence, filled in: other sentences are held against it, which may be exceptions to it."""

    form: SentenceForm
    blanks: Blanks
    game: OwnGame

    def is_limited_by(self, behind: CiteSentence) -> bool:
        """Return whether the sentence behind it may be an exception; one with a form of its own has to free it."""
        text = self.game.plain(behind.text)
        if self._is_held_by(text):
            return False
        may = self._is_allowed_in(text) and (self._is_move_in(text) or _is_of_cards(text, self.game))
        is_apart = fitting(behind, self.game) is not None or bool(read_sentence(behind, self.game))
        return self._frees(text) or (not is_apart and (may or EXCEPTS.search(text) is not None))

    def is_freed_by(self, elsewhere: CiteSentence) -> bool:
        """Return whether a sentence elsewhere is an exception; `Exception: ...` belongs to the one before it."""
        text = self.game.plain(elsewhere.text)
        return not (text.casefold().startswith("exception") or self._is_held_by(text)) and self._frees(text)

    def _frees(self, text: str) -> bool:
        is_free = _ANYTHING.search(text) or _FREE.search(text)  # From a price frees only what costs nothing.
        may = is_free and self._is_allowed_in(text) and _is_of_cards(text, self.game)
        return self._is_move_in(text) and bool(may or _EXCEPTION.search(text))

    def _is_held_by(self, text: str) -> bool:
        return self.form.name == "follow" and _IF_NONE.search(text) is not None

    def _is_allowed_in(self, text: str) -> bool:
        return is_permission(text) and (self.form.name in _DUTIES or not is_release(text))

    def _is_move_in(self, text: str) -> bool:
        return "move" in self.blanks and self.game.is_named(self.blanks["move"], text)


def _is_of_cards(text: str, game: OwnGame) -> bool:
    """Return whether a sentence speaks of cards of the game, or of anything."""
    first = next(iter(re.findall(r"^(?:an? |the )?(\w+)", text.casefold())), "")
    is_number = number_of(first) in game.properties.get("number", ())
    return bool(game.kinds_in(WORD.findall(text))) or _ANYTHING.search(text) is not None or is_number


def _words_left(form: SentenceForm, sentence: CiteSentence, game: OwnGame) -> str:
    """Return the words of a sentence that its form does not hold."""
    left = game.plain(sentence.text)
    held = _held(form, game, sentence)
    left = form.holds.sub(" ", left) if form.holds is not None else left
    if form.name == "deal" and (stocks := "|".join(map(re.escape, stocks_of(game)))):
        besides = rf"(?:,| and)* ?\b(?:an?|no|{SAID_NUMBER}) (?:{stocks})(?:e?s)?\b,?(?: and\b)?"
        left = re.sub(besides, " ", left, flags=re.IGNORECASE)
    cards = {number_of(each) for each in re.findall(rf"\b({SAID_NUMBER}) cards?\b", left, re.IGNORECASE)}
    if form.name == "actions" and " or " in left and len(cards) > 1:
        return left  # `draw up to two cards, or lay one card`: so many cards, and not moves
    if more := _QUALIFIED.search(left):
        return " ".join(more[0].split()).rstrip(" .,;")
    return _not_listed(sentence, game) if form.name == "actions" else left_over(left, held)


def _not_listed(sentence: CiteSentence, game: OwnGame) -> str:
    """Return the moves that are none of those which a sentence lists; none where it lists no moves."""
    listed = [*listing(sentence, game.sentences), *_in_place_of(sentence, game)]
    said = {form for word in listed for form in forms_of_verb(word)}
    if sum(not game.called(move).isdisjoint(said) for move in game.moves) < 2:
        said |= {*game.actions}  # Another sentence lists them.
    others = [move for move in game.moves if not game.called(move) & said]
    is_list = len(game.moves) - len(others) > 1
    owed = {move for move in game.moves if game.raw["move"][move].get("owed")}
    others = [move for move in others if move not in {game.draw, "pass", "skip", *thrown_away(game)} | owed]
    return f"{', '.join(others)} {NOT_AMONG}" if is_list and others else ""


def thrown_away(game: OwnGame) -> list[str]:
    """Return the moves by which a hand that is too large becomes smaller at the end of a turn: none of its actions."""
    limits = [each.text for each in game.sentences if (form := fitting(each, game)) and form.name == "hand-limit"]
    return [move for move in game.moves if move in AWAY and any(game.is_named(move, text) for text in limits)]


def _in_place_of(sentence: CiteSentence, game: OwnGame) -> list[str]:
    """Return the words of the sentences that say what else one may do instead of the moves which a sentence lists."""
    moves = [move for move in game.moves if game.is_named(move, sentence.text)]
    behind = [each.text for each in game.sentences if (match := _INSTEAD.match(each.text))
              and any(game.is_named(move, match[0]) for move in moves)]  # fmt: skip
    return [word for text in behind for word in WORD.findall(text)]


def _held(form: SentenceForm, game: OwnGame, sentence: CiteSentence) -> set[str]:
    """Return the words of a sentence that its form holds: its own, what is filled in, and the move."""
    text, blanks = game.plain(sentence.text), filled_from(form, game, sentence)
    words = [word.casefold() for word in re.findall(r"[\w'-]+", text)]
    patterns = (*form.known_by, *([form.holds] if form.holds else []))
    held = {*literals(" ".join(each.pattern for each in patterns)), *literals(form.words.partition(":")[2])}
    held |= word_list("kinds") if form.name == "follow" else set()
    held |= {word for word in words if "number" in blanks and str(number_of(word)) == blanks["number"]}
    spoken = moves_in(form, game, text) if "move" in form.blanks else []
    moves = {called for move in spoken for called in game.called(move)}
    held |= {word for word in words if not moves.isdisjoint(forms_of_verb(word))}
    if form.name == "costs":
        held |= {word.casefold() for paid in line_rules.PAID.finditer(text) for word in WORD.findall(paid[0])}
    return held


def own_game(raw: Mapping[str, Any], sentences: Sequence[CiteSentence], *, draws: bool) -> OwnGame:
    """Return a game by the tables of its file, with the sentences of its rulebook that say all of a form.

    `draws`: cards are drawn in its stored games.
    """
    texts, kinds = [each.text for each in sentences], [*map(str, properties_in(raw.get("cards", {})).get("kind", ()))]
    types = types_of(raw.get("cards", {}))
    groups = {**types, **groups_of(texts, kinds, types)}
    bare = OwnGame(raw, {}, draws, tuple(sentences), groups=groups, numbers=printed_numbers(texts, kinds))
    people, card_word = _words_for(bare, kinds)
    bare = bare._replace(people=people, card_word="" if card_word in groups else card_word)
    said: dict[str, tuple[Blanks, CiteSentence]] = {}
    for sentence in sentences:
        form = fitting(sentence, bare)
        blanks = filled_from(form, bare, sentence) if form is not None else {}
        if form is not None and {*form.blanks} <= {*blanks} and not says_more(form, sentence, bare):
            said.setdefault(form.name, (blanks, sentence))
    return bare._replace(said=said)


def _words_for(game: OwnGame, named: Sequence[str]) -> tuple[str, str]:
    """Return what a rulebook calls each of the players, and each of its cards; empty where it has no such word."""
    text = "\n".join(each.text for each in game.sentences)
    people = {(match["who"] or match["to"]).casefold() for match in _EVERYBODY.finditer(text)} - {"player"}
    kinds = [form for kind in named for form in (kind, *plurals_of(kind))]
    names = "|".join(map(re.escape, kinds))
    list_of = re.compile(_PRECEDES % (names, names), re.IGNORECASE) if kinds else None
    listed = (match["word"].casefold() for match in list_of.finditer(text)) if list_of else ()
    card_word = next((forms_of(word)[:2][-1] for word in listed if word not in word_list("kinds") - {"fruit"}), "")
    card_word = card_word or _card_word(game, text.casefold())
    people -= {card_word, *plurals_of(card_word)}
    return people.pop() if len(people) == 1 else "", card_word


def _card_word(game: OwnGame, text: str) -> str:
    """Return what a rulebook calls its cards where it lists no kinds: it says so, tells what is on each, or deals them.

    What is only dealt has to be what moves are done with, too.
    """
    columns = "|".join(map(re.escape, (*game.columns(numbers=True), *game.columns(numbers=False), "name")))
    sure = (
        r"\bcards are (?:all )?(?:called )?([a-z]+)\b(?=[.,:]| and\b)",
        rf"\b(?:each|every) ([a-z]+) has (?:an?|its|the) (?:own )?(?:{columns})\b",
    )
    dealt = rf"\b(?:deals?|draws?|gets?|receives?|dealt|given|takes?) (?:out )?{SAID_NUMBER} ([a-z]+)\b"
    verbs = "|".join(word for move in game.moves if game.field_of(move, "cards") for word in sorted(game.called(move)))
    done = {*re.findall(rf"\b(?:{verbs or '(?!)'})(?:s|ing)? (?:an?|the|one|any|another) ([a-z]+)\b", text)}
    found = [word for pattern in sure for word in re.findall(pattern, text)]
    found += [word for word in re.findall(dealt, text) if not done.isdisjoint(forms_of(word))]
    no_card = (
        word_list("no_place")
        | (word_list("untelling") - word_list("wares"))
        | {*game.kinds, *game.groups, *game.moves, "player"}
    )
    words = (forms_of(word)[:2][-1] if word.endswith("s") else word for word in found)
    return next((word for word in words if word not in no_card and len(word) > 2), "")


def but_for_numbers(said: str, listed: Sequence[CiteSentence]) -> CiteSentence | None:
    """Return the sentence of a rulebook that is nearly the same, and says other numbers."""
    words, numbers = _in_words(said)
    near = ((_in_words(each.own), each) for each in listed)
    return next(
        (
            each
            for (other, counts), each in near
            if counts != numbers and counts and numbers and 2 * len(words & other) > len(words | other)
        ),
        None,
    )


def _in_words(text: str) -> tuple[set[str], list[int]]:
    words = WORD.findall(text.casefold())
    numbers = [*map(int, re.findall(r"\d+", text)), *filter(None, map(number_of, words))]
    return {word for word in words if not number_of(word)}, numbers
