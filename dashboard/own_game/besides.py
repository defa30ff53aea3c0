"""What a sentence says besides its form: words of its own that no form holds, and exceptions in other sentences.

A rule whose exception is not understood would accuse whoever keeps it: it is never read as it stands.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tabletape.dashboard.own_game import line_rules
from tabletape.dashboard.own_game.forms import BESIDE_COUNTS, OWN_WORDS, SentenceForm, filled_from, fitting, moves_in
from tabletape.dashboard.own_game.game import Blanks, FirstRule, OwnGame
from tabletape.dashboard.own_game.look import CiteSentence, listing
from tabletape.dashboard.own_game.messages import SAID_NUMBER, WORD, number_of
from tabletape.dashboard.own_game.sentence_reader import read_sentence
from tabletape.dashboard.own_game.turn_rules import quoted
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

_QUALIFIED: Final = re.compile(
    r"\b(?:unless|except\w*|if|when(?:ever)?|while|until|before|after|as (?:long|soon|often) as|instead|otherwise|but|"
    r"however|only|(?<!at )once|twice|during|without|in the (?:first|second|last|next|same|following) \w+|"
    r"at the (?:end|beginning|start)|from the \w+ (?:round|turn)|on top|the (?:dealer|winner|loser|leader)|"
    r"(?:first|last|starting|youngest|oldest|second|next|losing|winning) player|with \w+ players|"
    rf"{SAID_NUMBER} players|in a game (?:of|for|with))\b[^.;]*",
    re.IGNORECASE,
)
"""With these words a sentence says when something holds, and when not."""

_EXCEPTS: Final = re.compile(
    r"\b(?:except\w*|unless|however|nevertheless|instead|still|this (?:rule|limit)|(?:it|this|they|these) (?:is|are) "
    rf"(?:\w+ )?{SAID_NUMBER}|"
    r"(?:does|do) not (?:apply|hold|count)|(?:second|third|fourth|fifth|last) time|any card|any other|anything|"
    r"everything)\b",
    re.IGNORECASE,
)
"""Words of a sentence that may be an exception to the one before it."""

_TURN_LIST: Final = re.compile(
    r"(?:on|in|during) (?:your|a|each|every|one's|his|her|their) turn\b"
    r"(?!.*\b(?:rounds?|already|even|always|any\w*|every\w*|whenever|still|also|first|beginning|start)\b)",
    re.IGNORECASE,
)
"""So begins a sentence that lists what a turn may be, and says nothing of when: what holds in some rounds limits it."""

_ANYTHING: Final = re.compile(r"\b(?:any (?:card|other|number|kind)|anything|whatever)\b", re.IGNORECASE)
_EXCEPTION: Final = re.compile(r"\b(?:exempt\w*|(?:does|do) not apply)\b(?! to this)", re.IGNORECASE)
_FREE: Final = re.compile(r"\b(?:free|without paying|costs? (?:only|nothing))\b", re.IGNORECASE)
_DUTIES: Final = frozenset({"follow", "draws-first", "actions", "at-least", "costs"})
"""Forms of what has to be: whoever need not do it is free of it. What may not be is none the more allowed by that."""

_IF_NONE: Final = re.compile(
    r"\b(?:if|otherwise|when)\b.*\b(?:cannot|can't|none|no|not|otherwise)\b|\botherwise\b", re.IGNORECASE
)

_CARD_MAY: Final = re.compile(
    r"(?:(?:an )?exceptions?(?: to this)?:?,? |however,? |but )?(?P<card>.+?) (?:may|can)\b(?P<rest>.*)|"
    r"(?P<only>.+?) (?:is|are) (?:an )?exceptions?(?: to this)?|"
    r"(?:unless (?:it|the card|one) is|except(?:ing)?(?: for)?|(?:this|that|it) does not apply to) (?P<but>.+)",
    re.IGNORECASE,
)
"""An exception that is understood: a card that may be what others may not."""

_EVERYBODY: Final = re.compile(
    r"\b(?:each|every) (?P<who>\w+) (?:begins?|starts?|gets?|receives?|takes?|holds?|is dealt|draws?)\b|"
    r"\b(?:give|deal) each (?P<to>\w+)\b",
    re.IGNORECASE,
)
_PRECEDES: Final = (
    r"(?P<word>\w+)(?: of the \w+)?(?::| are| is| called| named| come in| consists? of)\s+(?:the |an? |\w+ly )?"
    r"(?:%s),?(?: and| or)? (?:the |an? )?(?:%s)\b"
)
"""What the cards are called whose kinds are listed behind it."""


def says_more(form: SentenceForm, sentence: CiteSentence, game: OwnGame) -> str:
    """Return what a sentence says that its forms do not hold, or an exception elsewhere that is not understood.

    `unless ...`, `ripe`, another card, the sentence behind it that begins with `However`; empty if nothing.
    """
    more = _words_left(form, sentence, game)
    if more and not _exempt_by(more, form, sentence, game):
        return more
    exceptions = _exceptions_to(form, sentence, game)
    return next((each.text for each in exceptions if not _exempt_by(each.text, form, sentence, game)), "")


def left_of(sentence: CiteSentence, game: OwnGame) -> tuple[SentenceForm, ...]:
    """Return the forms of a sentence that its game's file does not have yet; none of one form that is cited there."""
    return known_forms(sentence, game)[_times_cited(game.raw, sentence) :]


def first_listed(game: OwnGame, most: int) -> list[CiteSentence]:
    """Return the sentences to choose from at first: those of a known form, then others about a move or a card.

    Of too many those stay that name a move or a card. Of the others only what has to be, and what no rule cites yet.
    """
    told = [each for each in game.sentences if game.is_told_of(each.text)]
    known = [each for each in game.sentences if is_understood(each, game)]
    kept = sorted(known, key=lambda each: each not in told)[:most]
    others = (each for each in told if is_binding(each.text) and not _times_cited(game.raw, each))
    return [*filter(kept.__contains__, known), *(each for each in others if each not in known)][:most]


def is_understood(sentence: CiteSentence, game: OwnGame) -> bool:
    """Return whether a sentence has a form, or is read as a composition, that no rule of its game's file is yet."""
    if left_of(sentence, game):
        return True
    return not (_times_cited(game.raw, sentence) or known_forms(sentence, game)) and bool(read_sentence(sentence, game))


def known_forms(sentence: CiteSentence, game: OwnGame) -> tuple[SentenceForm, ...]:
    """Return the forms that say most of a sentence: one that leaves half of it out is none."""
    words = unnumbered(sentence.text).split()
    more = {form: _words_left(form, sentence, game) for form in fitting(sentence, game)}
    return tuple(form for form, left in more.items() if 2 * len(left.split()) <= len(words))


def _times_cited(raw: object, sentence: CiteSentence) -> int:
    """Return how many tables cite the place of a sentence; where it stands nowhere, how many say it."""
    if not isinstance(raw, Mapping):
        return 0
    key, said = ("says", sentence.text) if sentence.cite == OWN_WORDS else ("cite", sentence.cite)
    return (raw.get(key) == said) + sum(_times_cited(value, sentence) for value in raw.values())


def with_exceptions(rule: FirstRule, form: SentenceForm, game: OwnGame, sentence: CiteSentence) -> FirstRule:
    """Return a rule that does not speak of lines with a card that is an exception to it."""
    more = _words_left(form, sentence, game)
    said = [CiteSentence(more, sentence.cite)] * bool(more) + _exceptions_to(form, sentence, game)
    for each in said:
        if free := _exempt_by(each.text, form, sentence, game):
            changes = _freed(rule.changes, sentence, f" or {free}")
            rule = rule._replace(changes=changes, taken=(*rule.taken, f"an exception: {quoted(each)}"))
    return rule


def _freed(changes: Mapping[str, Any], sentence: CiteSentence, free: str) -> dict[str, Any]:
    """Return tables in which the condition of a sentence holds too where something else is so."""
    freed = {
        key: _freed(value, sentence, free) if isinstance(value, Mapping) else value for key, value in changes.items()
    }
    if freed.get("says") == sentence.text and "that" in freed:
        freed["that"] = f"{freed['that']}{free}"
    return freed


def _exempt_by(text: str, form: SentenceForm, sentence: CiteSentence, game: OwnGame) -> str:
    """Return the condition of lines that an exception frees; none where it says more, or frees all of a rule."""
    if form.rule is None or "cards" not in form.rule.fields:
        return ""  # Of these lines nobody knows the card.
    plain = game.plain(text).strip(" .,;()")
    match = _CARD_MAY.fullmatch(plain)
    if match is None:
        return ""
    exempt, blanks = _exempt_in(match, game), filled_from(form, game, sentence.text)
    frees_all = not exempt.number and {*exempt.kinds, *exempt.beside} <= {*blanks.values()}
    return "" if frees_all or left_over(plain, _words_of(exempt, plain, blanks, game)) else exempt.condition


class _ExemptCards(NamedTuple):
    """The cards that an exception frees: of some kinds, with the number that a word says, where others are `beside`."""

    kinds: list[str]
    number: int
    word: str
    beside: list[str]

    @property
    def condition(self) -> str:
        """The condition of lines with these cards."""
        ones = [f"any(cards where it.kind = '{kind}')" for kind in self.kinds]
        ones += [f"any(cards where it.number = {self.number})"] * bool(self.number)
        freed = [f"({' or '.join(ones)})"] * bool(ones)
        return " and ".join([*freed, *(f"any(cards where it.kind = '{kind}')" for kind in self.beside)])


def _exempt_in(match: re.Match[str], game: OwnGame) -> _ExemptCards:
    freed = (match["card"] or match["only"] or match["but"]).split()
    beside = game.kinds_in((match["rest"] or "").split())
    number = number_of(freed[-1])
    is_printed = number in game.properties.get("number", ())
    return _ExemptCards(game.kinds_in(freed), number if is_printed else 0, freed[-1].casefold(), beside)


def _words_of(exempt: _ExemptCards, plain: str, blanks: Blanks, game: OwnGame) -> set[str]:
    """Return the words of an exception that say its cards and the move, and that it is one."""
    moves = game.called(blanks["move"]) if "move" in blanks else set()
    words = {word.casefold() for word in re.findall(r"\w+", plain)}
    said = {word for word in words if {*forms_of(word)} & {*game.kinds} or {*forms_of_verb(word)} & moves}
    return said | word_list("freely") | ({exempt.word} if exempt.number else set())


def _exceptions_to(form: SentenceForm, sentence: CiteSentence, game: OwnGame) -> list[CiteSentence]:
    """Return the sentences of the rulebook that may be exceptions to one: the next one, and what allows its move."""
    if sentence not in game.sentences:
        return []
    at, rule = game.sentences.index(sentence), _FilledForm(form, filled_from(form, game, sentence.text), game)
    before, behind, after = game.sentences[:at], game.sentences[at + 1 : at + 2], game.sentences[at + 2 :]
    near = filter(rule.is_limited_by, behind)
    return [*filter(rule.is_freed_by, before), *near, *filter(rule.is_freed_by, after)]


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
        may = self._is_allowed_in(text) and (self._is_move_in(text) or self._is_about(text))
        return self._frees(text) or (not fitting(behind, self.game) and (may or _EXCEPTS.search(text) is not None))

    def is_freed_by(self, elsewhere: CiteSentence) -> bool:
        """Return whether a sentence elsewhere is an exception; `Exception: ...` belongs to the one before it."""
        text = self.game.plain(elsewhere.text)
        is_apart = text.casefold().startswith("exception") or self._is_held_by(text) or self._limits(text)
        return not is_apart and self._frees(text)

    def _limits(self, text: str) -> bool:
        """Return whether a form of some rounds limits what a text lists as the moves of a turn."""
        of_rounds = self.form.rule is not None and "round" in self.form.rule.that
        is_list = of_rounds and _TURN_LIST.match(text.strip()) is not None
        return is_list and sum(self.game.is_named(move, text) for move in self.game.moves) > 1

    def _frees(self, text: str) -> bool:
        rule, is_move, anything = self.form.rule, self._is_move_in(text), _ANYTHING.search(text) is not None
        is_free = rule is not None or anything or _FREE.search(text)  # From a price frees only what costs nothing.
        may = is_free and self._is_allowed_in(text) and self._is_about(text)
        starts = anything and rule is not None and rule.counter and (is_move or not self._is_other_move_in(text))
        return bool(starts or (is_move and (may or _EXCEPTION.search(text))))

    def _is_held_by(self, text: str) -> bool:
        return self.form.name == "follow" and _IF_NONE.search(text) is not None

    def _is_allowed_in(self, text: str) -> bool:
        return is_permission(text) and (self.form.name in _DUTIES or not is_release(text))

    def _is_move_in(self, text: str) -> bool:
        return "move" in self.blanks and self.game.is_named(self.blanks["move"], text)

    def _is_other_move_in(self, text: str) -> bool:
        return any(self.game.is_named(move, text) for move in self.game.moves)

    def _is_about(self, text: str) -> bool:
        """Return whether a sentence speaks of the cards of the form, of any where it names none, or of anything."""
        own = {self.blanks[name] for name in ("kind", "other") if name in self.blanks}
        kinds = {*self.game.kinds_in(WORD.findall(text))}
        return bool(kinds & own if own else kinds) or bool(_ANYTHING.search(text)) or _says_a_number(text, self.game)


def _says_a_number(text: str, game: OwnGame) -> bool:
    first = next(iter(re.findall(r"^(?:an? |the )?(\w+)", text.casefold())), "")
    return number_of(first) in game.properties.get("number", ())


def _words_left(form: SentenceForm, sentence: CiteSentence, game: OwnGame) -> str:
    """Return the words of a sentence that its forms do not hold."""
    left = game.plain(sentence.text)
    said = {form.name: form, **{each.name: each for each in fitting(sentence, game)}}
    beside = said.values() if form.name in BESIDE_COUNTS else (form,)
    held = {word for each in beside for word in _held(each, game, left)}
    for each in beside:
        left = each.holds.sub(" ", left) if each.holds is not None else left
    if len([*beside]) > 1:  # What stands behind `but` is the other form, or is left over.
        left = re.sub(r"\bbut\b", " ", left)
    if more := _QUALIFIED.search(left):
        return " ".join(more[0].split()).rstrip(" .,;")
    return _not_listed(sentence, game) if form.name == "actions" else left_over(left, held)


def _not_listed(sentence: CiteSentence, game: OwnGame) -> str:
    """Return the moves that are none of those which a sentence lists; none where it lists no moves."""
    said = {form for word in listing(sentence, game.sentences) for form in forms_of_verb(word)}
    others = [move for move in game.moves if not game.called(move) & said]
    is_list = len(game.moves) - len(others) > 1
    others = [move for move in others if move not in {game.draw, "pass", "skip"}]
    return f"{', '.join(others)} not among them" if is_list and others else ""


def _held(form: SentenceForm, game: OwnGame, text: str) -> set[str]:
    """Return the words of a sentence that its form holds: its own, what is filled in, and the move."""
    words = [word.casefold() for word in re.findall(r"[\w'-]+", text)]
    blanks = filled_from(form, game, text)
    cards = {blanks[name] for name in ("kind", "other") if name in blanks}
    patterns = (*form.known_by, *([form.holds] if form.holds else []))
    held = {*literals(" ".join(each.pattern for each in patterns)), *literals(form.words.partition(":")[2])}
    held |= word_list("kinds") if form.name in {"same-kind", "other-kind", "no-second", "follow"} else set()
    held |= {word for word in words if not cards.isdisjoint(game.kinds_in([word]))}
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
    people, card_word = _words_for(raw, sentences)
    bare = OwnGame(raw, {}, draws, tuple(sentences), people, card_word)
    said: dict[str, tuple[Blanks, CiteSentence]] = {}
    for sentence in sentences:
        for form in fitting(sentence, bare):
            blanks = filled_from(form, bare, sentence.text)
            if {*form.blanks} <= {*blanks} and not says_more(form, sentence, bare):
                said.setdefault(form.name, (blanks, sentence))
    return bare._replace(said=said)


def _words_for(raw: Mapping[str, Any], sentences: Sequence[CiteSentence]) -> tuple[str, str]:
    """Return what a rulebook calls each of the players, and each of its cards; empty where it has no such word."""
    text = "\n".join(each.text for each in sentences)
    people = {(match["who"] or match["to"]).casefold() for match in _EVERYBODY.finditer(text)} - {"player"}
    kinds = [form for kind in raw.get("cards", {}).get("kind", ()) for form in (kind, *plurals_of(kind))]
    names = "|".join(map(re.escape, kinds))
    list_of = re.compile(_PRECEDES % (names, names), re.IGNORECASE) if kinds else None
    match = list_of.search(text) if list_of else None
    return people.pop() if len(people) == 1 else "", forms_of(match["word"].casefold())[:2][-1] if match else ""
