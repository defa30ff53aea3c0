"""Reads a sentence of a rulebook as a composition: its move, and conditions by the words of relations and subjects.

What it cannot place is told as left over: a rule that leaves out half of its sentence is never proposed as the rule.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.composition import TABLE, Clause, Composition
from tabletape.dashboard.own_game.exceptions import PAYS, exceptions_to
from tabletape.dashboard.own_game.game import OwnGame
from tabletape.dashboard.own_game.messages import WORD, number_of
from tabletape.dashboard.own_game.part_reading import NEGATION, PartReading
from tabletape.dashboard.own_game.place_effects import OUT, guessed_effect
from tabletape.dashboard.own_game.rulebook_words import RulebookWords, words_of
from tabletape.dashboard.own_game.sentence_parts import read_parts
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.dashboard.own_game.wording import is_binding, is_permission, limited_part
from tabletape.events.importing.maps.counted import SEVERAL, forms_of

_CLAUSE_ENDS: Final = re.compile(
    r"\s*(?:;|,? (?:and|but)|,) (?=(?:you|nobody|no \w+|it|they|never|the player|he|she) "
    r"(?:may|must|can|cannot|can't|never|has to|have to|are|is)\b)|; |, but (?=never\b|not (?:once|twice|more)\b)",
    re.IGNORECASE,
)
"""Here a sentence goes on with another one."""

_CONDITION: Final = re.compile(r"\b(?:until|before|unless|except\w*|if|when|while|as long as|after)\b", re.IGNORECASE)
"""Behind these a ban says when it holds: half of it would ban too much."""

_OF_THE_BOX: Final = re.compile(
    r"\b(?:pack|deck|box) (?:has|have|holds?|contains?|consists?)\b|"
    r"\bgame\b[^.;]* for (?:[\w-]+ ){1,3}(?:players?|people|persons?)\b",
    re.IGNORECASE,
)
"""So a sentence tells what is in the box, and for how many people it is."""

_ALLOWED_WHEN: Final = re.compile(
    r"(?:when(?:ever)?|if|once|as soon as|as long as|while) (?P<condition>.+?),? "
    r"(?P<who>you|they|he|she|(?:a|the) player) (?:may|can) (?P<act>[^.;:]+)(?::[^.;]*)?\.?",
    re.IGNORECASE,
)
"""So a sentence allows something under a condition, and means mostly that it is allowed only then."""

_AT_START: Final = re.compile(r" at the (?:start|beginning) of (?:your|his|her|their) turn", re.IGNORECASE)
"""Where a turn has one move, that is before any other one."""

_EFFECT: Final = re.compile(r"\W*(?:when|if|as soon as)\b", re.IGNORECASE)
"""So a sentence begins that tells what comes of something, where it says of nothing that it has to be."""

_BY_NUMBER: Final = re.compile(
    rf"(?:(?<![\w~])(?:an?|every|each|the) (?P<n>N\d+)(?: C)?(?! are)|(?<!in )\b(?P<all>(?:{SEVERAL}|sixe|\d+)s)|"
    r"\bC with (?:an? |the )?V (?P<of>N\d+))(?= (?:may|can|must|is|are|cannot|can't|or|and|nor|[.,;])| ?$)"
)
"""So a sentence calls cards by their number: `a seven`, `sevens`, `a card with the number 7`."""

_BUYS: Final = frozenset({"buy", "kaufe", "pay"})
_GOVERNING: Final = word_list("governing")
_GRAVE: Final = _GOVERNING | word_list("grave")
_QUIET: Final = (word_list("untelling") | word_list("quiet")) - _GRAVE


class ReadSentence(NamedTuple):
    """What a sentence is read as, and what of it, or of exceptions elsewhere, the composition does not hold.

    It says `also` what others say.
    `is_sure`: the sentence names its move. `is_part`: what is left over may turn the rule over.
    """

    composition: Composition
    left: str
    is_sure: bool
    is_part: bool
    also: tuple[Composition, ...] = ()

    @property
    def each(self) -> tuple["ReadSentence", ...]:
        """It, and what the sentence says of further moves."""
        return (self._replace(also=()), *(self._replace(composition=more, also=()) for more in self.also))


def read_sentence(sentence: CiteSentence, game: OwnGame) -> tuple[ReadSentence, ...]:
    """Return the compositions that a sentence says, one for each of its parts that says one; none if it only allows.

    What a part says that is not understood is left over of the others.
    """
    words = words_of(game)
    text = limited_part(sentence.text)
    parts = _CLAUSE_ENDS.split(text)
    if _OF_THE_BOX.search(sentence.text) or (_EFFECT.match(sentence.text) and not is_binding(sentence.text)):
        return ()
    is_allowed = is_permission(sentence.text) and not re.search(r"\bonly\b", sentence.text, re.IGNORECASE)
    if is_allowed or game.case_of_duty(sentence.text):
        return ()
    whole = _read(sentence, text, game, words)
    if len(parts) == 1 or (whole is not None and not whole.left):
        return whole.each if whole is not None else ()
    read = [None if is_permission(part) else _read(sentence, part, game, words) for part in parts]
    found = [each for each in read if each is not None]
    unread = [part for part, each in zip(parts, read, strict=True) if each is None and not is_permission(part)]
    if not found or (whole is not None and any(each.is_part for each in found)):
        return whole.each if whole is not None else ()
    if unread:
        found[0] = found[0]._replace(left=" ... ".join(filter(None, (found[0].left, *unread))), is_part=True)
    return tuple(found)


def only_then(sentence: CiteSentence, game: OwnGame) -> tuple[ReadSentence, ...]:
    """Return what a sentence says that allows something when a condition holds, if that is allowed only then.

    Of one that says what has to be done then: what it says if nothing else is allowed. It is none where not all of it
    is understood.
    """
    said, case = _ALLOWED_WHEN.fullmatch(sentence.text), game.case_of_duty(sentence.text)
    texts: list[str] = []
    if said and is_permission(sentence.text):
        condition = re.sub(r"\bone of (?=(?:your|their|his|her)\b)", "", said["condition"])
        texts = [f"{said['who']} may {said['act']} only when {condition}."]
    elif case and not re.search(r"\b(?:unless|except\w*)\b", sentence.text):
        case = _AT_START.sub("", case) if ("actions", "1") in _turn_said(game) else case
        moves = [
            each for each in game.limitable if each not in {game.draw, OUT} and not game.raw["move"][each].get("owed")
        ]
        moves = [each for each in moves if not game.is_named(each, sentence.text)]
        texts = [f"You may not {move} if {case}." for move in moves]
    read = [read_sentence(sentence._replace(text=text, said=sentence.own), game) for text in texts]
    if not all(each and not any(one.left or not one.is_sure for one in each) for each in read):
        return ()
    return tuple(one for each in read for one in each)


def _turn_said(game: OwnGame) -> set[tuple[str, str]]:
    """Return how many moves a turn has by the rulebook, or by the file."""
    said = {(name, blanks.get("number", "")) for name, (blanks, _) in game.said.items()}
    return said | {("actions", str(game.raw.get("turn", {}).get("actions", "")))}


def _read(sentence: CiteSentence, text: str, game: OwnGame, words: RulebookWords) -> ReadSentence | None:
    """Return the composition that a text of a sentence says, None where nothing of it is understood."""
    reading = PartReading(sentence, text, game, words)
    read_parts(reading)
    if not reading.by_columns():
        return None
    is_ban = not reading.clauses
    _read_numbers(reading)
    _read_kinds(reading)
    is_ban = is_ban and any(each.relation == "!=" for each in reading.clauses)
    is_of_numbers = is_ban and any(each.subject == "number" for each in reading.clauses)
    move, is_sure = (reading.together[0], True) if reading.together else _found_move(reading)
    if not reading.clauses or not move:
        return None
    if not reading.place and any(each.needs_place for each in reading.clauses):
        reading.place = _place_of(reading, move)
    clauses = tuple(_placed(reading, each, move) for each in reading.clauses)
    looks = [each for each in clauses if each.needs_place]
    if reading.place in words.own and all((each.subject, each.whose) == ("top", "all") for each in looks):
        clauses = tuple(each._replace(whose="") for each in clauses)  # `right after a goat`: whose is asked.
    elif reading.place in words.own and all(each.whose == "all" for each in looks):
        reading.place = TABLE  # The card that anybody laid last lies in no place of one player.
    composition = Composition(move, clauses, reading.join, reading.kind, (), reading.place or "pile")
    if len(reading.together) > 1:
        composition = composition._replace(beside=tuple(reading.together[1:]))
    left, is_grave = _left(reading, move)
    freed, unread = exceptions_to(composition, sentence, game, words)
    is_half = bool(left) and not (is_of_numbers or _CONDITION.search(text) or not is_sure)
    if is_ban and not (is_half or (not left and _is_plain_ban(reading))):
        return None  # `until somebody has sold bread` is no ban of bread, nor is `never on the same track`.
    if any(each.subject == "after" for each in clauses) and (same := re.search(r"M\d+ (it|them)\b", reading.text)):
        left, is_grave = f"{left} {same[1]}".strip(), True  # Another card than that one is none of its business.
    is_part = is_grave or bool(unread) or (is_ban and bool(left))
    left = " ... ".join(filter(None, (left, *unread)))
    composition = composition._replace(freed=(*reading.freed, *freed))
    also = tuple(composition._replace(move=other, clauses=(clause,)) for other, clause in reading.also)
    return ReadSentence(composition, left, is_sure, is_part, also)


def _is_plain_ban(reading: PartReading) -> bool:
    """Return whether a sentence bans some kinds of cards and says nothing beside that: `a lamp is never sold`."""
    rest = re.sub(r"[KMCWVQ]\d*(?:'s)?|[~.,;:()]", " ", reading.rest)
    return not {*re.findall(r"[\w']+", rest)} - word_list("banning")


def _read_numbers(reading: PartReading) -> None:
    """Read the cards that a sentence calls by their numbers: it limits them, or bans them."""
    printed = {str(each) for each in reading.game.properties.get("number", ())}
    found = [match for match in _BY_NUMBER.finditer(reading.rest) if _number_in(reading, match) in printed]
    if reading.clauses and found and not found[0].start():
        reading.kind = _number_in(reading, found[0])
        reading.spans.append(found[0].span())
    elif found and not reading.clauses and reading.names_cards and reading.is_denied():
        reading.clauses += [Clause("number", "!=", _number_in(reading, match)) for match in found]
        reading.spans.append((found[0].start(), found[-1].end()))
        for match in found:
            reading.takes(match)


def _number_in(reading: PartReading, match: re.Match[str]) -> str:
    """Return the number by which cards are called: 7 for `a seven` and `sevens`."""
    word = match["all"] or ""
    return reading.value(match["n"] or match["of"]) or str(number_of(word[:-1]) or number_of(word[:-2]))


def _read_kinds(reading: PartReading) -> None:
    """Read which kinds of cards the sentence limits, or speaks of alone."""
    signs = [*dict.fromkeys(re.findall(r"K\d+", reading.rest))]
    kinds = [*dict.fromkeys(reading.value(sign) for sign in signs)]
    only = re.search(
        r"\bonly (?:an? )?K\d+(?: C)?(?: (?:may|can|be|are|is|used|to))* M\d+|M\d+ only K\d+", reading.rest
    )
    if only and reading.clauses:
        return
    if only and not reading.is_denied():
        reading.clauses.append(Clause("kind", "=", "|".join(kinds)))
    elif kinds and not reading.clauses and reading.is_denied():
        number = re.search(r"K\d+ (?P<n>N\d+)", reading.rest)
        said = [f"{kind} {reading.value(number['n'])}" if number else kind for kind in kinds]
        reading.clauses.append(Clause("kind", "!=", "|".join(said)))
        if number:
            reading.takes(number)
    elif reading.clauses and len(kinds) == 1 and not reading.kind:
        reading.kind = kinds[0]
    else:
        return
    for sign in signs:
        for match in re.finditer(rf"\b{sign}\b", reading.rest):
            reading.takes(match)


def _placed(reading: PartReading, clause: Clause, move: str) -> Clause:
    """Return a limit of what lies there as one with what the move lays, and whose place it is.

    Where no words say whose, it is the place in which the move lays its cards; else that of all, where a rulebook that
    tells of no own places compares with the card before; else nobody knows.
    """
    whose = clause.whose
    if clause.needs_place and whose != "to" and reading.place in reading.words.common:
        whose = "" if reading.place in reading.words.numbered else "all"
    elif clause.needs_place and not whose and reading.place not in reading.words.unclear:
        is_before = clause.subject != "lying" and not reading.words.own
        laid = guessed_effect(reading.game, reading.words, move, reading.place) if reading.place else ""
        whose = "to" if laid == "adds to" else "own" if laid else "all" if is_before else ""
    is_limit = clause.subject == "lying" and clause.relation in {"<=", "<"} and clause.object != "0"
    is_limit = is_limit and clause not in reading.states
    laying = reading.laying() or [move] * bool(reading.game.field_of(move, "cards"))
    return clause._replace(whose=whose, after=is_limit and whose != "to" and move in laying)


# -- the move and its place --------------------------------------------------------------------------------------------


def _found_move(reading: PartReading) -> tuple[str, bool]:
    """Return the move of the sentence, and whether it names it; else the one that its place or heading says."""
    if move := reading.move:
        return move, True
    whole = [move for move in reading.game.moves if reading.game.is_named(move, reading.sentence.text)]
    if len(whole) == 1 or any(each.subject == "price" for each in reading.clauses):
        return (whole[0], True) if len(whole) == 1 else _paying(reading)
    named = [reading.value(sign) for sign in re.findall(r"M\d+", reading.text)]
    if named:
        mine = [each for each in named if each not in reading.moves_before]
        return (mine or named)[0], {*named} == reading.moves_before and len({*named}) == 1
    if len(makers := _makers_of(reading)) == 1:
        return makers.pop(), True
    laying = reading.laying()
    if any(each.needs_place for each in reading.clauses) and len(laying) == 1:
        return laying[0], True
    return next(_moves_above(reading), next(iter(laying), "")), False


def _paying(reading: PartReading) -> tuple[str, bool]:
    """Return the move whose lines say cards and what is paid for them; of several the one that pays by the rulebook."""
    game = reading.game
    able = [move for move in game.moves if game.field_of(move, "cards") and game.field_of(move, "number")]
    told = [each.text for each in game.sentences if PAYS.search(each.text)]
    named = [move for move in able if move in _BUYS or any(game.is_named(move, text) for text in told)]
    kinds = {reading.value(sign) for sign in re.findall(r"K\d+", reading.text)}
    texts = [each.text for each in game.sentences if kinds & {*game.kinds_in(WORD.findall(each.text))}]
    with_kind = [move for move in able if any(game.is_named(move, text) for text in texts)]
    named = with_kind if len(with_kind) == 1 else named
    return next(iter(named or able), ""), len(named) == 1


def _makers_of(reading: PartReading) -> set[str]:
    """Return the moves by which is made what the sentence speaks of: `bind two or more as a bouquet`."""
    said = {reading.value(sign) for sign in re.findall(r"P\d+", reading.text)} & reading.words.made
    made = "|".join(re.escape(form) for word in said for form in forms_of(word)) or "(?!)"
    texts = [each.text for each in reading.game.sentences if re.search(rf"\bas (?:an?|one) (?:{made})\b", each.text)]
    return {move for move in reading.game.moves for text in texts if reading.game.is_named(move, text)}


def _moves_above(reading: PartReading) -> Iterator[str]:
    """Yield the moves of the sentences above it that name one, the nearest first."""
    heads = [move for move in reading.game.moves if reading.game.is_named(move, reading.sentence.heading)]
    if len(heads) == 1:
        yield heads[0]
    sentences = reading.game.sentences
    at = sentences.index(reading.sentence) if reading.sentence in sentences else 0
    for each in reversed(sentences[max(at - 4, 0) : at]):
        named = [move for move in reading.game.moves if reading.game.is_named(move, each.text)]
        if len(named) == 1:
            yield named[0]


def _place_of(reading: PartReading, move: str) -> str:
    """Return the place in which a move lays its cards by the rulebook."""
    for place in sorted(reading.words.places, key=len):
        if guessed_effect(reading.game, reading.words, move, place).startswith("adds"):
            return reading.named_place(place)
    common = {reading.named_place(each) for each in reading.words.common - reading.words.numbered}
    return common.pop() if len(common) == 1 else ""


# -- what is left over -------------------------------------------------------------------------------------------------


def _left(reading: PartReading, move: str) -> tuple[str, bool]:
    """Return the words that the composition does not hold, in stretches, and whether they may turn it over.

    A number, another move or kind, and a word such as `unless` do; `poisonous` only tells more.
    """
    covered, signs = reading.signs.covered(reading.spans), reading.signs.each
    beside = {*covered, *(at for at, sign in enumerate(signs) if reading.value(sign) == move)}
    governing, is_grave = {"not": 1, "only": 1, "must": 1}, False
    stretches: list[list[str]] = [[]]
    is_told = not reading.signs.head and ":" in signs and any(at < signs.index(":") for at in covered)
    told = signs.index(":") if is_told else len(signs)
    for at, word in enumerate(reading.signs.words):
        sign, low = signs[at], word.casefold().replace("\u2019", "'")
        named = "not" if low == "no" or NEGATION.fullmatch(low) else low
        is_held = (
            at in covered or sign[0] == "P" or sign in {"C", "C_", "W", "W's", "V", "Q"} or not re.match(r"\w", sign)
        )
        is_held = is_held or reading.value(sign) == move or (sign[0].islower() and low in _QUIET)
        is_held = is_held or (low in _GOVERNING and not beside.isdisjoint(range(at + 1, at + 4)))
        if not is_held and governing.get(named, 0):
            governing[named] -= 1
            is_held = True
        if is_held:
            stretches.append([])
            continue
        stretches[-1].append(word)
        narrows = at + 1 < len(signs) and signs[at + 1][0] in "KCPW"
        is_other = at > 0 and signs[at - 1] == "be" and sign[0].islower()  # `be led`: it is about another move.
        is_grave = is_grave or (
            at < told and (sign[0] in "KNM" or narrows or is_other or named == "not" or low in _GRAVE)
        )
    return " ... ".join(" ".join(stretch) for stretch in stretches if stretch), is_grave
