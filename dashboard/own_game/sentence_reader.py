"""Reads a sentence of a rulebook as a composition: its move, and conditions by the words of relations and subjects.

What it cannot place is told as left over: a rule that leaves out half of its sentence is never proposed as the rule.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.composition import LAST, Clause, Composition
from tabletape.dashboard.own_game.game import OwnGame
from tabletape.dashboard.own_game.look import CiteSentence
from tabletape.dashboard.own_game.rulebook_words import RulebookWords, in_signs, words_of
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.dashboard.own_game.wording import is_permission
from tabletape.events.importing.maps.counted import forms_of

# -- what patterns are made of -----------------------------------------------------------------------------------------

_DET: Final = (
    r"(?:your|the|his|her|their|its|own|W's|an?|another|other|that|this|each|every|same|whose|any|no|one's|W|already)"
)
_PLACE: Final = rf"(?P<whose>(?:{_DET} )*)(?P<place>P\d+)(?P<of> of (?:{_DET} )*W|(?: that| which)? it enters)?"
_REL: Final = (
    r"(?P<rel>at least|no fewer than|no less than|at most|no more than|not more than|up to|only|exactly|more than|"
    r"fewer than|less than|over|under|at the most|a maximum of|a minimum of)"
)
_POST: Final = r"(?: (?:C|K\d+))?(?P<post> or more| or fewer| or less| at most| at the most| at least)"
_RELATIONS: Final = {
    **dict.fromkeys(("at least", "no fewer than", "no less than", "a minimum of", "or more"), ">="),
    **dict.fromkeys(("at most", "no more than", "not more than", "up to", "at the most", "a maximum of"), "<="),
    **dict.fromkeys(("or fewer", "or less", "only"), "<="),
    **dict.fromkeys(("more than", "over"), ">"),
    **dict.fromkeys(("fewer than", "less than", "under"), "<"),
    "exactly": "=",
}
_MANY: Final = rf"(?:{_REL} )?(?P<n>N\d+)(?:{_POST})?"
_TIMES: Final = r"(?P<times>once|twice|N\d+ times|one time)"
_HAS: Final = r"(?:has|have|holds?|contains?|needs?|with|of|is|are|be|contain|must have|must hold)"
_REF: Final = (
    r"(?:(?:the|your|own|his|her|their|that|its|most) )*(?:last |top |topmost |uppermost |previous |preceding |latest )?"
    r"(?:C_?|one)(?P<there> (?:below|under|beneath|before|behind) it| (?:played |laid )?before(?: it)?| that lies there|"
    r" on top)?"
    rf"(?: (?:already |now )?(?:in|on|on top of|of|at the end of) {_PLACE})?"
)
_DOES: Final = r"(?:you|W|they|he|she|somebody|someone|anybody|one|it)"
_HAVE: Final = r"(?:(?:have|has|had|must have) )?"
_NEGATION: Final = re.compile(
    r"\b(?:not|never|cannot|can't|nobody|no W|none|no (?=C|K\d|M\d|P\d)|mustn't|forbidden|neither|illegal|don't|doesn't|"
    r"isn't|aren't|prohibited)\b|(?<!\S)no (?=[CKMPW])"
)
_BINDS: Final = re.compile(
    r"\b(?:only|must|has to|have to|needs?|required?|if|when|as long as|allowed|always|unless|until|whole|all)\b"
)
_MORE: Final = frozenset(["more"])
_DOWN: Final = frozenset(
    [
        "lower",
        "less",
        "smaller",
        "younger",
        "shorter",
        "lighter",
        "weaker",
        "earlier",
        "lesser",
        "slower",
        "thinner",
        "cheaper",
    ]
)
_NO_COMPARATIVE: Final = frozenset(
    ["other", "rather", "another", "either", "neither", "whether", "order", "number", "never", "ever", "over", "under"]
)

Build = Callable[["_Reading", re.Match[str]], Sequence[Clause] | None]


class ReadSentence(NamedTuple):
    """What a sentence is read as, and what of it, or of exceptions elsewhere, the composition does not hold.

    `is_sure`: the sentence names its move. `is_part`: what is left over may turn the rule over.
    """

    composition: Composition
    left: str
    is_sure: bool
    is_part: bool


def read_sentence(sentence: CiteSentence, game: OwnGame) -> ReadSentence | None:
    """Return the composition that a sentence says; None where nothing of it is understood, or it only allows."""
    return _Reading(sentence, game, words_of(game)).result()


class _Reading:
    """Reads one sentence: each pattern that fits takes its words away."""

    def __init__(self, sentence: CiteSentence, game: OwnGame, words: RulebookWords) -> None:
        self.sentence, self.game, self.words = sentence, game, words
        self.signs = in_signs(sentence.text, game, words)
        self.text = self.signs.text.replace("\u2019", "'")
        self.rest = self.text = re.sub(
            r"\b(last|previous|top|uppermost|the|that) N\d+(?= [a-z.,~])(?! C)", self._one, self.text
        )
        self.spans: list[tuple[int, int]] = []
        self.clauses: list[Clause] = []
        self.moves_used: set[str] = set()
        self.place = ""
        self.kind = ""
        self.join = "and"
        self.refers = False

    def _one(self, match: re.Match[str]) -> str:
        """Return `the last one` with its sign of a card, as long as it was."""
        number = match[0].split(" ")[1]
        return f"{match[1]} {'C'.ljust(len(number), '_')}" if self.value(number) == "1" else match[0]

    # -- what patterns say ---------------------------------------------------------------------------------------------

    def value(self, sign: str | None) -> str:
        """Return what a sign stands for."""
        return self.signs.values.get(sign or "", "")

    @property
    def move(self) -> str:
        """The move of the sentence: the one that it names beside those that belong to a condition; empty if unsure."""
        named = dict.fromkeys(self.value(sign) for sign in re.findall(r"M\d+", self.text))
        mine = [each for each in named if each not in self.moves_used]
        return mine[0] if len(mine) == 1 else ""

    @property
    def is_negated(self) -> bool:
        """Whether the sentence denies something, beside what was taken away of it."""
        return len(_NEGATION.findall(self.rest)) % 2 == 1

    def is_behind(self, match: re.Match[str], *words: str) -> bool:
        """Return whether one of some words stands shortly before a part of the sentence."""
        return re.search(rf"\b(?:{'|'.join(words)})\b(?: [\w']+){{0,5}} ?$", self.text[: match.start()]) is not None

    def whose(self, match: re.Match[str]) -> str:
        """Return whose place is meant, and keep what it is called."""
        place = self.value(match["place"])
        self.place = self.place or next((form for form in forms_of(place)[::-1] if form in self.words.places), place)
        said = f"{match['whose']} {match['of'] or ''}"
        if place in self.words.common:
            return "all"
        others = re.search(r"\b(?:another|other|W's|that|whose|W|enters)\b", said) and "your" not in said
        move = self.move
        return "to" if (others or not said.strip()) and move and self.game.field_of(move, "to") else "own"

    def takes(self, match: re.Match[str]) -> None:
        """Take the words of a part of the sentence away."""
        self.spans.append(match.span())
        self.rest = self.rest[: match.start()] + "~" * (match.end() - match.start()) + self.rest[match.end() :]

    def relation(self, match: re.Match[str], usual: str) -> str:
        """Return the relation that a count says: `at least`, `or more`."""
        groups = match.groupdict()
        said = (groups.get("rel") or groups.get("post") or "").strip()
        return _RELATIONS.get(said, usual)

    def required(self, clause: Clause, match: re.Match[str]) -> Clause | None:
        """Return a condition as it has to be: its opposite where the sentence denies it, None where it only tells."""
        within = re.sub(rf"\b(?:{match.groupdict().get('rel') or '~'}|no K\d+)\b", "", match[0])
        rest = f"{self.rest[: match.start()]} {within} {self.rest[match.end() :]}"
        is_negated = len(_NEGATION.findall(rest)) % 2 == 1
        if is_negated:
            holds = self.is_behind(match, "unless", "until", "before", "except", "without")
            return clause if holds else clause.opposite
        is_limit = clause.relation in {"<=", "<"} and clause.subject in {"lying", "cards"}
        return clause if is_limit or _BINDS.search(rest) or clause.subject not in {"lying"} else None

    # -- the result ----------------------------------------------------------------------------------------------------

    def result(self) -> ReadSentence | None:
        """Return what the sentence says, None where that is nothing."""
        if is_permission(self.sentence.text) and not re.search(r"\bonly\b", self.text):
            return None
        for pattern, build in _PATTERNS:
            match = pattern.search(self.rest)
            while match:
                clauses = build(self, match)
                if clauses is None:
                    break
                self.clauses += [each for each in clauses if each not in self.clauses]
                self.takes(match)
                match = pattern.search(self.rest)
        self._only_kinds()
        if not self.clauses:
            return None
        move, is_sure = self._found_move()
        if not move:
            return None
        if not self.place and any(each.needs_place for each in self.clauses):
            self.place = self._place_of(move)
        clauses = tuple(self._placed(each, move) for each in self.clauses)
        composition = Composition(move, clauses, self.join, self.kind, (), self.place or "pile")
        left, is_grave = self._left(move)
        freed, unread = exceptions_to(composition, self.sentence, self.game, self.words)
        left = " ... ".join(filter(None, (left, *unread)))
        return ReadSentence(composition._replace(freed=freed), left, is_sure, is_grave or bool(unread))

    def _placed(self, clause: Clause, move: str) -> Clause:
        """Return a limit of what lies there as one with what the move lays, and whose place it is."""
        whose = clause.whose
        if clause.needs_place and clause.whose != "to":
            whose = "all" if (self.place in self.words.common or not (self.place or self.words.own)) else "own"
        lays = move in {
            *self._laying(),
            *(each for each in self.game.moves if self.place and each in forms_of(self.place)),
        }
        is_limit = clause.subject == "lying" and clause.relation in {"<=", "<"} and clause.object != "0"
        return clause._replace(whose=whose, after=is_limit and lays and clause.whose != "to")

    def _only_kinds(self) -> None:
        """Read which kinds of cards the sentence limits, or speaks of alone."""
        signs = [*dict.fromkeys(re.findall(r"K\d+", self.rest))]
        kinds = [*dict.fromkeys(self.value(sign) for sign in signs)]
        if not kinds:
            return
        only = re.search(
            r"\bonly (?:an? )?(?P<k>K\d+)(?: C)?(?: (?:may|can|be|are|is))* M\d+|M\d+ only (?P<k2>K\d+)", self.rest
        )
        if only and not self.is_negated:
            self.clauses.append(Clause("kind", "=", "|".join(kinds)))
        elif not self.clauses and self.is_negated:
            number = re.search(r"K\d+ (?P<n>N\d+)", self.rest)
            said = [f"{kind} {self.value(number['n'])}" if number else kind for kind in kinds]
            self.clauses.append(Clause("kind", "!=", "|".join(said)))
            if number:
                self.takes(number)
        elif self.clauses and len(kinds) == 1 and not self.kind:
            self.kind = kinds[0]
        else:
            return
        for sign in signs:
            for match in re.finditer(rf"\b{sign}\b", self.rest):
                self.takes(match)

    # -- the move and its place ----------------------------------------------------------------------------------------

    def _found_move(self) -> tuple[str, bool]:
        """Return the move of the sentence, and whether it names it; else the one that its place or heading says."""
        if move := self.move:
            return move, True
        named = [self.value(sign) for sign in re.findall(r"M\d+", self.text)]
        if named:
            mine = [each for each in named if each not in self.moves_used]
            return (mine or named)[0], False
        laying = [*self._laying()]
        if any(each.subject == "lying" or each.is_of_cards for each in self.clauses) and len({*laying}) == 1:
            return laying[0], True
        return next(self._moves_before(), next(iter(laying), "")), False

    def _moves_before(self) -> Iterator[str]:
        """Yield the moves of the sentences before it, the nearest first: what they begin with."""
        at = self.game.sentences.index(self.sentence) if self.sentence in self.game.sentences else 0
        for each in reversed(self.game.sentences[max(at - 4, 0) : at]):
            named = [move for move in self.game.moves if self.game.is_named(move, each.text)]
            if len(named) == 1:
                yield named[0]

    def _laying(self) -> Iterator[str]:
        """Yield the moves that lay cards in the place of the sentence."""
        for move in self.game.moves:
            if guessed_effect(self.game, self.words, move, self.place).startswith("adds"):
                yield move

    def _place_of(self, move: str) -> str:
        """Return the place in which a move lays its cards by the rulebook."""
        for place in sorted(self.words.places, key=len):
            if guessed_effect(self.game, self.words, move, place).startswith("adds"):
                return next((form for form in forms_of(place)[::-1] if form in self.words.places), place)
        return ""

    def _left(self, move: str) -> tuple[str, bool]:
        """Return the words that the composition does not hold, in stretches, and whether they may turn it over.

        A number, another move or kind, and a word such as `unless` do; `poisonous` only tells more.
        """
        covered = self.signs.covered(self.spans)
        stretches: list[list[str]] = [[]]
        governing, is_grave = {"not": 1, "only": 1, "must": 1}, False
        signs = [self.signs.text[start:end] for start, end in self.signs.spans]
        for at, word in enumerate(self.signs.words):
            sign, low = signs[at], word.casefold().replace("\u2019", "'")
            is_known = sign in {"C", "W", "W's", "V", "Q"} or self.value(sign) == move or not re.match(r"\w", sign)
            named = "not" if _NEGATION.fullmatch(low) or low == "no" else low
            if governing.get(named, 0):
                governing[named] -= 1
                is_known = True
            beside = {*covered, *(each for each, one in enumerate(signs) if self.value(one) == move)}
            near = low in _GOVERNING and not beside.isdisjoint(range(at + 1, at + 4))
            if at in covered or is_known or near or (sign[:1].islower() and low in _QUIET) or sign[0] == "P":
                stretches.append([])
                continue
            stretches[-1].append(word)
            is_grave = is_grave or sign[:1] in "KNM" or named == "not" or low in _GRAVE
        return " ... ".join(" ".join(stretch) for stretch in stretches if stretch), is_grave


_GOVERNING: Final = word_list("governing")
_GRAVE: Final = _GOVERNING | word_list("grave")
_QUIET: Final = (word_list("untelling") | word_list("quiet")) - _GRAVE


# -- exceptions in other sentences -------------------------------------------------------------------------------------

_FREELY: Final = re.compile(r"\b(?:any|always|exceptions?|still|however|anything|everything|whatever|free|freely)\b")
_FIRST: Final = re.compile(r"\bfirst (?:C|one)\b|\bempty P\d")


def exceptions_to(
    composition: Composition, sentence: CiteSentence, game: OwnGame, words: RulebookWords
) -> tuple[tuple[str, ...], list[str]]:
    """Return the kinds of cards that other sentences free of a rule, and those of these that are not understood."""
    freed: list[str] = []
    unread: list[str] = []
    at = game.sentences.index(sentence) if sentence in game.sentences else -9
    for number, each in enumerate(game.sentences):
        near = number - at in {1, 2}
        signs = in_signs(each.text, game, words)
        named = {signs.values[sign] for sign in re.findall(r"M\d+", signs.text)}
        if (
            each == sentence
            or not _FREELY.search(signs.text)
            or not (composition.move in named or (near and not named))
        ):
            continue
        if not (is_permission(each.text) or re.search(r"\b(?:exceptions?|fits?|free)\b", signs.text)):
            continue
        compares = any(clause.is_of_cards and clause.object == LAST for clause in composition.clauses)
        if compares and _FIRST.search(signs.text):
            continue  # Where nothing lies, nothing is compared.
        kinds = [signs.values[sign] for sign in re.findall(r"K\d+", signs.text)]
        bare = game.properties.get("bare", ())
        if compares and re.search(r"\bafter (?:an? )?K\d", signs.text) and {*kinds} <= {*bare}:
            continue
        numbers = re.search(r"N\d", signs.text)
        limits_others = all(each.subject == "kind" and each.object != LAST for each in composition.clauses)
        if kinds and (limits_others or (composition.kind and composition.kind not in kinds)):
            continue
        if kinds and not numbers and game.field_of(composition.move, "cards"):
            freed += [kind for kind in kinds if kind not in freed and kind != composition.kind]
        elif near or composition.move in named:
            unread.append(each.text)
    return tuple(freed), unread


# -- what a move does to the cards of a place --------------------------------------------------------------------------

_EMPTIES: Final = re.compile(
    r"\b(?:empt(?:y|ies|ied)|afresh|whole|aside|scores?|home|new|anew|all (?:of )?(?:the )?C|starts? again|clears?|cash)\b"
)
_LAST_AWAY: Final = re.compile(
    r"\b(?:last|top|topmost|uppermost) (?:C|one|K\d+)\b.*\b(?:falls?|cut|off|discard\w*|removed?|taken?|takes?|goes|lost|"
    r"away|sea|hand|stolen?|steals?)\b|\b(?:takes?|steals?|removes?|discards?|cuts?)\b.*\b(?:last|top|topmost|uppermost) (?:C|one)\b"
)
_AWAY: Final = re.compile(
    r"\b(?:discard|remove|return|take|give)s? (?:an? |one |N\d+ )?(?:K\d+ )?C? ?(?:from|out of)\b"
)
_INTO: Final = re.compile(
    rf"\b(?:into|onto|on|in|to|behind|at the end of|over) (?P<whose>(?:{_DET} )*)(?P<place>P\d+)(?P<of> of (?:{_DET} )*W)?"
)


def guessed_effects(game: OwnGame, words: RulebookWords, composition: Composition) -> dict[str, str]:
    """Return what each move does to the place of a composition by the rulebook; a move lays cards there at least."""
    effects = {move: guessed_effect(game, words, move, composition.place) for move in game.moves}
    if composition.place not in words.places:
        effects = {move: "nothing" if effect != "adds" else effect for move, effect in effects.items()}
    if not any(effect.startswith("adds") for effect in effects.values()):
        able = [move for move in game.moves if game.field_of(move, "cards") and move != game.draw]
        named = [move for move in able if move in forms_of(composition.place)]
        compares = any(each.is_of_cards or each.after for each in composition.clauses)
        lays = [composition.move] if compares else [move for move in able if effects[move] == "nothing"]
        for move in named or lays[:1]:
            effects[move] = "adds"
    return effects


def guessed_effect(game: OwnGame, words: RulebookWords, move: str, place: str) -> str:
    """Return what the rulebook lets a move do to the cards of a place, in the words of an answer: `nothing`."""
    for at, sentence in enumerate(game.sentences):
        if not game.is_named(move, sentence.text):
            continue
        signs = in_signs(sentence.text, game, words)
        named = {*(signs.values[sign] for sign in re.findall(r"M\d+", signs.text))}
        if named != {move}:
            continue
        behind = game.sentences[at + 1 : at + 2]
        more = [
            in_signs(each.text, game, words).text
            for each in behind
            if not any(game.is_named(m, each.text) for m in game.moves)
        ]
        text = " ".join([signs.text, *more])
        is_there = not place or any(
            {*forms_of(place)} & {*forms_of(signs.values[sign])} for sign in re.findall(r"P\d+", signs.text)
        )
        names = "to" if game.field_of(move, "to") else ""
        into = [
            m
            for m in _INTO.finditer(signs.text)
            if not place or {*forms_of(place)} & {*forms_of(signs.values[m["place"]])}
        ]
        if re.search(r"\b(?:not|never|cannot|only|must|may not)\b", signs.text) and not more:
            continue
        if _LAST_AWAY.search(text):
            return f"last {names}".strip()
        if is_there and _AWAY.search(signs.text) and game.field_of(move, "cards"):
            return "takes"
        if into and game.field_of(move, "cards"):
            theirs = names and re.search(r"\b(?:another|other|W|W's)\b", f"{into[0]['whose']} {into[0]['of'] or ''}")
            return "adds to" if theirs else "adds"
        if is_there and _EMPTIES.search(text):
            return "empties"
    return "nothing"


# -- the patterns ------------------------------------------------------------------------------------------------------


def _lying(
    reading: _Reading, match: re.Match[str], relation: str, number: str, of: str = ""
) -> Sequence[Clause] | None:
    whose = reading.whose(match)
    clause = reading.required(Clause("lying", relation, number, of, whose), match)
    return None if clause is None else [clause]


def _empty(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    return _lying(reading, match, "=", "0")


def _size(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    groups = match.groupdict()
    of = reading.value(groups.get("k")) or ("same" if groups.get("same") else "")
    usual = "<=" if groups.get("room") else ">" if groups.get("taller") else ">="
    return _lying(reading, match, reading.relation(match, usual), reading.value(match["n"]), of)


def _has_kind(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    relation = "=" if match.groupdict().get("none") else ">="
    return _lying(reading, match, relation, "0" if relation == "=" else "1", reading.value(match["k"]))


def _full(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    return [Clause("lying", "<=", reading.value(match["n"]), whose=reading.whose(match))]


def _same_limit(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    """Return that so many of one kind may not lie there, or a kind not at all a second time."""
    if not reading.is_negated:
        return None
    number = int(reading.value(match.groupdict().get("n")) or 2)
    more = _RELATIONS.get((match.groupdict().get("rel") or "").strip()) == ">"
    whose = reading.whose(match) if match.groupdict().get("place") else "own"
    return [Clause("lying", "<=", str(number if more else number - 1), "same", whose)]


def _already(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    return [Clause("lying", "=", "0", "same", reading.whose(match))] if reading.is_negated else None


def _compared(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    """Return a comparison with the card before it: longer than, of the same colour as."""
    groups = match.groupdict()
    whose = reading.whose(match) if groups.get("place") else "own"
    more = int(reading.value(groups.get("n")) or 0)
    if comparative := groups.get("than"):
        if comparative in _NO_COMPARATIVE or "number" not in reading.game.properties:
            return None
        down = comparative in _DOWN
        relation = ("=" if more else "<" if down else ">") if not groups.get("atleast") else ">="
        clauses = [Clause("number", relation, LAST, whose=whose, more=-more if down else more)]
    else:
        subjects = [{"Q": "kind", "V": "number"}[groups[name]] for name in ("p1", "p2") if groups.get(name)]
        relation = "!=" if groups.get("other") else "="
        clauses = [Clause(subject, relation, LAST, whose=whose) for subject in subjects]
        if len(clauses) > 1:
            reading.join = "or"
    if any(each.subject not in reading.game.properties for each in clauses):
        return None
    reading.refers = True
    if reading.is_negated and not reading.is_behind(match, "unless", "until"):
        clauses = [each.opposite for each in clauses]
        reading.join = "and"
    return clauses


def _or_same(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    """Return what is enough, too, beside a comparison with the card before it."""
    if not reading.refers or not reading.clauses or reading.clauses[-1].object != LAST:
        return None
    last = reading.clauses[-1]
    groups = match.groupdict()
    if groups.get("than"):
        more = int(reading.value(groups.get("n")) or 0)
        down = groups["than"] in _DOWN
        clause = last._replace(
            subject="number", relation="=" if more else "<" if down else ">", more=-more if down else more
        )
    else:
        subject = {"Q": "kind", "V": "number"}[groups["p1"]]
        clause = last._replace(subject=subject, relation="=", more=0)
    if clause.subject not in reading.game.properties:
        return None
    reading.join = "or"
    return [clause]


def _neighbours(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    whose = reading.whose(match) if match.groupdict().get("place") else "own"
    return [Clause("kind", "!=", LAST, whose=whose)] if reading.is_negated else None


def _times(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    """Return how often a move may be done in a turn, a round, the game, or without another between."""
    groups = match.groupdict()
    said = groups["times"]
    number = {"once": 1, "one time": 1, "twice": 2}.get(said) or int(reading.value(said.split(" ")[0]) or 2)
    relation = reading.relation(match, "")
    span = {"turn": "turn", "round": "round", "game": "game"}.get(groups.get("span") or "", "row")
    if since := reading.value(groups.get("since")):
        reading.moves_used.add(since)
        span = f"since:{since}"
    negated = reading.is_negated
    if relation in {">", ""} and negated:
        number -= relation == ""
    elif relation in {">", ">="} or (not relation and not re.search(r"\b(?:only|may|can|most)\b", reading.text)):
        return None
    if re.search(r"\b(?:must|has to|have to|at least)\b", reading.rest) or number < 1:
        return None
    of, whose = "", "own"
    if re.search(r"\bsame W\b", reading.text):
        whose = "to"
    if re.search(r"\b(?:all|altogether|in total|somebody)\b", reading.rest):
        whose = "all"
    return [Clause("done", "<=", str(number), of, whose, span)]


def _kind_times(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    relation, number = reading.relation(match, ""), reading.value(match["n"])
    if relation == "<=" or (relation == ">" and reading.is_negated):
        return [Clause("done", "<=", number, reading.value(match["k"]), span=match["span"])]
    return None


def _after(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    """Return that another move comes before: some time, or right before."""
    groups = match.groupdict()
    other = reading.value(groups["other"])
    named = {reading.value(sign) for sign in re.findall(r"M\d+", reading.rest)}
    if len(named) < 2 and not groups.get("here"):
        return None
    just = "just" if groups.get("just") else ""
    word = groups.get("when") or "after"
    binds = re.search(r"\b(?:only|must|has to|have to|need)\b", reading.rest)
    if reading.is_negated:
        relation = "=" if word in {"until", "unless", "before", "except"} else "!="
        if relation == "!=":
            just = just or "just"
    elif binds or groups.get("here"):
        relation = "="
    else:
        return None
    reading.moves_used.add(other)
    whose = "all" if re.search(r"\b(?:somebody|someone|anybody)\b", match[0]) else "own"
    return [Clause("after", relation, other, whose=whose, span=just)]


def _suffered(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    other = reading.value(match["other"])
    if not reading.is_negated or not reading.game.field_of(other, "to"):
        return None
    reading.moves_used.add(other)
    return [Clause("suffered", "!=", other)]


def _then(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    other = reading.value(match["other"])
    if reading.value(match["here"]) == other or reading.is_negated:
        return None
    reading.moves_used.add(other)
    return [Clause("then", "=", other)]


def _shown(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    if reading.is_negated and not re.search(r"\b(?:until|unless|before)\b", match[0]):
        return None
    return [Clause("shown", "=", reading.value(match["k"]), whose="all")]


_ORDINALS: Final = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "2nd": 2, "3rd": 3, "4th": 4}


def _round(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    groups = match.groupdict()
    if groups.get("nth"):
        is_so = reading.is_negated or groups.get("from")
        return [Clause("round", ">", str(_ORDINALS[groups["nth"]] - 1))] if is_so else None
    return [Clause("round", ">", reading.value(groups.get("n")) or "1")] if reading.is_negated else None


def _to(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    side = "left" if match.groupdict().get("left") else "right" if match.groupdict().get("right") else "other"
    move = reading.move
    if reading.is_negated and side != "other":
        return None
    return [Clause("to", "=", side)] if move and reading.game.field_of(move, "to") else None


def _said(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    """Return what the number has to be that a line says: beside a number, or the one before it."""
    move = reading.move
    if not move or not reading.game.field_of(move, "number"):
        return None
    groups = match.groupdict()
    comparative = (groups.get("than") or "").split(" ")[0]
    if groups.get("before"):
        whose = "own" if re.search(r"\b(?:own|your|same W)\b", match[0]) else "all"
        more = int(reading.value(groups.get("by")) or 0)
        relation = "<" if comparative in _DOWN else ">"
        if reading.is_negated:
            clause = Clause("said", relation, "before", whose=whose).opposite
        else:
            clause = Clause("said", ">=" if more and relation == ">" else relation, "before", whose=whose, more=more)
        return [clause._replace(span=reading.restart(move))]
    relation = reading.relation(match, "") or ("<" if comparative in _DOWN else ">" if comparative else "")
    if not relation:
        return None
    clause = Clause("said", relation, reading.value(match["n"]))
    return [clause.opposite if reading.is_negated else clause]


def _restart(self: _Reading, move: str) -> str:
    """Return the move behind which numbers begin anew by the rulebook, as a span; any other move where it is silent."""
    for each in self.game.sentences:
        if re.search(r"\b(?:again|anew|afresh|from nothing|from zero|new)\b", each.text):
            named = [other for other in self.game.moves if self.game.is_named(other, each.text)]
            others = [other for other in named if other != move]
            if len(others) == 1:
                return f"since:{others[0]}"
    return "row"


_Reading.restart = _restart  # type: ignore[attr-defined]


def _per_card(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    if reading.value(match["n"]) != "1":
        return None
    return [Clause("said", "=", "lying", whose=reading.whose(match))]


def _cards(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    """Return how many cards a line names."""
    groups = match.groupdict()
    of = reading.value(groups.get("k"))
    number = reading.value(groups.get("most") or groups.get("n"))
    usual = "<=" if groups.get("most") else "=" if groups.get("pairs") else ""
    relation = reading.relation(match, usual)
    if not relation or not reading.game.field_of(reading.move or "-", "cards"):
        return None
    clause = Clause("cards", relation, number, of)
    if of and (groups.get("pairs") or relation in {">=", "="}):
        reading.kind, clause = of, clause._replace(of="")
    return (
        [clause.opposite if reading.is_negated and relation == ">" else clause]
        if not reading.is_negated or relation == ">"
        else None
    )


def _alike(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    return None if reading.is_negated else [Clause("kinds", "=", "1")]


def _together(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    if not reading.is_negated:
        return None
    reading.kind = reading.value(match["k"])
    return [Clause("cards", "=", "0", reading.value(match["k2"]))]


def _alone(reading: _Reading, match: re.Match[str]) -> Sequence[Clause] | None:
    return None if reading.is_negated else [Clause("cards", "<=", "1")]


_SOURCES: Final[Sequence[tuple[str, Build]]] = (
    # what the line says as a number
    (rf"(?P<n>N\d+) (?!C\b)[a-z]+ (?:for|per) (?:each |every |a |an )?(?:C|one)?(?: of yours)?(?: (?:in|on|of|from) {_PLACE})", _per_card),
    (r"(?:(?:be )?(?P<than>\w+er|beat|beats|less|more|exceed) (?:than )?|(?:at least )?)"
     r"(?:the |your |own |his |its )+(?P<before>previous|last|one before|preceding|highest)(?: (?:M\d+|one|V|W's M\d+))?"
     r"(?: before(?: it)?)?(?: by (?:at least )?(?P<by>N\d+))?", _said),
    (r"(?P<than>\w+er|less|more) than the (?:\w+ )?(?P<before>M\d+|one) before(?: it)?", _said),
    (rf"(?:(?P<than>\w+er) than|{_REL}) (?P<n>N\d+)(?! C)(?! K)(?: points?| coins?)?(?! times)", _said),
    # comparisons with the card before
    (rf"(?:one |(?P<n>N\d+) )?(?P<than>\w+er|less|more)(?: V)? than {_REF}", _compared),
    (rf"(?:the )?same (?P<p1>Q|V)(?: (?:or|and) (?:the )?(?:same )?(?P<p2>Q|V))? as {_REF}", _compared),
    (rf"(?:match\w*|fit\w*|share\w*) (?:the )?(?P<p1>Q|V)(?: or (?:the )?(?P<p2>Q|V))? of {_REF}", _compared),
    (rf"(?:with|of) the (?P<p1>Q|V) (?:that|which) {_REF} (?:shows|has)", _compared),
    (rf"(?P<other>another|an? different|other) (?P<p1>Q|V) (?:than|from|to) {_REF}", _compared),
    (r"(?:unless|or|except if) (?:\w+ )*?(?:of |have |has |be |show )*(?:the )?same (?P<p1>Q|V)(?: as (?:it|that|them|the (?:other|last) C))?", _or_same),
    (r"or (?:an? |with an? |has an? )?V(?: (?:that|which) is)? (?P<n>N\d+) (?P<than>\w+er)", _or_same),
    (r"or (?:be |is )?(?:(?P<n>N\d+) )?(?P<than>higher|lower|older|younger|longer|shorter|bigger|smaller|greater|less|taller)\b(?: V)?(?: than it)?", _or_same),
    (rf"(?:N\d+ )?C of (?:the )?(?:same|one) Q (?:[\w']+ )*?(?:next to|beside|behind|after|on|on top of) (?:each other|one another)(?: (?:in|on) {_PLACE})?", _neighbours),
    (rf"(?:{_REL} )?(?P<n>N\d+) (?:C )?of (?:the same|one|a|any) Q (?:[\w']+ )*?(?:in|on) {_PLACE}", _same_limit),
    (rf"Q (?:that|which) (?:is|lies|are) already (?:in|on) {_PLACE}", _already),
    # what lies there
    (rf"(?:{_DET} )*empty {_PLACE}", _empty),
    (rf"{_PLACE} (?:is|are) empty", _empty),
    (rf"{_PLACE} (?:\w+ )?(?:has|have) (?P<room>room|space) for {_MANY}", _size),
    (rf"{_PLACE} with (?P<n>N\d+) C (?:is|are) full", _full),
    (rf"{_PLACE} (?:may |can |must )?(?:be |is )?(?P<taller>taller|longer|bigger|higher|larger|greater) than (?P<n>N\d+)", _size),
    (rf"{_PLACE} (?:that |which |to |may |can |cannot |must |not |never |only |ever )*{_HAS} (?:only )?{_MANY}(?: (?:C|(?P<k>K\d+)))?", _size),
    (rf"(?:there (?:are|is) |{_HAVE}|have )?{_MANY}(?: (?:C|(?P<k>K\d+)(?: C)?))?(?: (?:are|is|lie|lies|stand|sit|may be|must be|be|already))* (?:in|on|at) {_PLACE}", _size),
    (rf"{_PLACE} (?:that |which )?(?:holds?|has|have|contains?) (?P<none>no) (?P<k>K\d+)(?: C)?", _has_kind),
    (rf"(?:an? |the )?(?P<k>K\d+)(?: C)? (?:is|are|lies?|stands?|sits?)(?: already)? (?:in|on) {_PLACE}", _has_kind),
    # how often, and when
    (rf"(?:{_REL} )?{_TIMES}(?P<post> at most| only)? (?:without|unless|before) (?:\w+ )*?(?P<since>M\d+)(?: in between| between| again)?", _times),
    (rf"(?:{_REL} )?{_TIMES}(?P<post> at most| only)? (?:in|per|during|within|of|each|every|a)(?: (?:a|an|each|every|the|one|your|same|whole|entire|course|of|single))* ?(?P<span>turn|round|game)(?:s? at most| only)?(?: ,)?(?: (?:but )?not more(?: often)?)?", _times),
    (rf"{_MANY} (?P<k>K\d+)(?: C)? (?:in|per|during) (?:(?:a|each|the|course|of|whole|entire|one) )*(?P<span>turn|round|game)", _kind_times),
    (r"(?P<times>twice|N\d+ times|N\d+ turns) (?:in a row|running|in succession|one after (?:the other|another)|consecutively)", _times),
    (r"(?P<times>twice|N\d+ times) (?:without|in two)", _times),
    (rf"(?P<rel>more than|at most|only|no more than|not more than) {_TIMES}(?: in total)?(?! \w+ a? ?(?:turn|round))", _times),
    (rf"(?P<here>before) {_DOES} M\d+,? {_DOES} must (?:first )?{_HAVE}(?P<other>M\d+)", _after),
    (rf"(?:after|if|when|once|whenever) {_DOES} {_HAVE}(?P<here>M\d+),? {_DOES} (?:must|has to|have to) (?P<other>M\d+)(?: (?:in|on) your next turn| next)?", _then),
    (r"(?P<here>M\d+) (?:must|has to|have to) be followed by (?:an? )?(?P<other>M\d+)", _then),
    (r"(?:W|whoever|who|you)(?: who| that)? (?:has|have|was|were)(?P<just> just)? been (?P<other>M\d+)", _suffered),
    (rf"(?:(?P<just>directly|right|immediately|just) )(?P<when>after|behind|before) (?:{_DOES} )?{_HAVE}(?P<other>M\d+)(?: something| somebody)?", _after),
    (rf"(?P<when>after|if|when|once|unless|until|before) (?:{_DOES} )?{_HAVE}(?P<just>just )?(?P<other>M\d+)(?: \w+thing| somebody| someone| C)*(?: earlier| before| already| at least once| in the game)*", _after),
    (r"(?:after|if|when|once|until|unless|before) (?:an? |the |some )?(?P<k>K\d+)(?: C)? (?:(?:has|have|was|were|is|are|been|already) )*M\d+(?: before)?", _shown),
    (r"(?:in|during) the first (?:(?P<n>N\d+) )?rounds?", _round),
    (r"(?P<from>from|in|before) the (?P<nth>second|third|fourth|fifth|sixth) round(?: on)?", _round),
    # whom
    (r"(?:only )?(?:name |choose )?(?:the )?(?P<left>W (?:on|to) your left|next W|left-hand W|left W)", _to),
    (r"(?:only )?(?:name |choose )?(?:the )?(?P<right>W (?:on|to) your right|right W)", _to),
    (r"(?:name |choose |pick )?(?:another|the other|an opponent|the opponent)(?: W)?(?! C| P)|\b(?:yourself|oneself)\b", _to),
    # how many, and which
    (r"(?P<k>K\d+)(?: C)? (?:together )?with (?:an? )?(?P<k2>K\d+)(?: C)?", _together),
    (r"\b(?:alone|by (?:itself|themselves)|on (?:its|their) own)\b", _alone),
    (r"(?P<k>K\d+)(?: C)? (?:\w+ )*?(?P<pairs>only) in (?P<n>N\d+)", _cards),
    (r"(?:N\d+|one) (?:to|or) (?P<most>N\d+)(?: C| (?P<k>K\d+))?(?: at once| together| at a time)?", _cards),
    (rf"{_MANY}(?: C| (?P<k>K\d+))?(?: at once| together| at a time)?", _cards),
    (r"\b(?:they |these |all |of them |the C |both |but |and )*(?:(?:must|have to|has to|are) )?(?:all )?(?:be )?(?:alike|Q alike|of (?:the same|one) Q|the same Q)\b", _alike),
    (r"\ball (?:\w+ )*?(?:be )?Q\b", _alike),
)  # fmt: skip
_PATTERNS: Final = tuple(
    (re.compile(rf"(?<![\w~]){source}(?![\w~])" if not source.startswith(r"\b") else source), build)
    for source, build in _SOURCES
)
