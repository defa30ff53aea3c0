"""What other sentences of a rulebook except from a rule: kinds and numbers of cards, or nobody knows what."""

import re
from typing import Final

from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.composition import LAST, Composition
from tabletape.dashboard.own_game.game import OwnGame
from tabletape.dashboard.own_game.messages import SAID_NUMBER
from tabletape.dashboard.own_game.part_reading import NEGATION
from tabletape.dashboard.own_game.rulebook_words import RulebookWords
from tabletape.dashboard.own_game.signs import SignSentence, in_signs
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.dashboard.own_game.wording import is_permission, told_by

EXCEPTS: Final = re.compile(
    r"\b(?:except\w*|unless|however|nevertheless|instead|still|this (?:rule|limit)|(?:it|this|they|these) (?:is|are) "
    rf"(?:\w+ )?{SAID_NUMBER}|"
    r"(?:does|do) not (?:apply|hold|count)|(?:second|third|fourth|fifth|last) time|any card|any other|anything|"
    r"everything)\b",
    re.IGNORECASE,
)
"""Words of a sentence that may be an exception to the one before it."""

_FREELY: Final = re.compile(r"\b(?:any|always|exceptions?|still|however|anything|everything|whatever|free|freely)\b")
_OTHER_COUNT: Final = re.compile(r"(?:(?:an?|the|of|for|set|sets|only|just|are|is|needs?|enough|takes?) ?)+")
"""What a sentence says beside a kind and a number that are another count: `a set of coins needs only two cards`."""

PAYS: Final = re.compile(r"\b(?:pays?|paying|prices?|costs?)\b", re.IGNORECASE)
_DEARER: Final = re.compile(
    r"\b(?:less|more|fewer|cheaper|dearer|half|double|twice|discount\w*|free|extra|instead|unless|except\w*|if)\b",
    re.IGNORECASE,
)
"""With these a sentence about what is paid says another price."""

_FIRST: Final = re.compile(r"\bfirst (?:C|one)\b|\bempty P\d")


def exceptions_to(
    composition: Composition, sentence: CiteSentence, game: OwnGame, words: RulebookWords
) -> tuple[tuple[str, ...], list[str]]:
    """Return the cards that other sentences free of a rule, and those of these that are not understood."""
    freed: list[str] = []
    unread: list[str] = []
    at = game.sentences.index(sentence) if sentence in game.sentences else -9
    has_price = any(each.subject == "price" for each in composition.clauses)
    for number, each in enumerate(game.sentences):
        signs = in_signs(each.text, game, words)
        is_dearer = has_price and PAYS.search(each.text) and _DEARER.search(each.text)
        if each == sentence or not (is_dearer or _may_free(composition, (each, signs), number - at)):
            continue
        named = _freed_by(signs, composition, game)
        kinds = {signs.values[sign] for sign in re.findall(r"K\d+", signs.text)}
        by_number = all(clause.subject == "number" and clause.object == LAST for clause in composition.clauses)
        if by_number and kinds and kinds <= {*game.properties.get("bare", ())}:
            continue  # What has no number is never compared.
        if kinds and composition.kind and composition.kind not in kinds:
            continue
        freed += [card for card in named if card not in freed]
        unread += [each.text] * (not named)
    return tuple(freed), unread


def _may_free(composition: Composition, said: tuple[CiteSentence, SignSentence], behind: int) -> bool:
    """Return whether a sentence, so many `behind` a rule, may be an exception to it: it allows its move, or follows."""
    each, signs = said
    named = {signs.values[sign] for sign in re.findall(r"M\d+", signs.text)}
    said_freely = "" if PAYS.search(each.text) else re.sub(r"\bfor free\b", "", signs.text)  # That costs nothing.
    allows = is_permission(each.text) or re.search(r"\b(?:exceptions?|fits?|free)\b", said_freely)
    limits_others = all(each.is_of_cards and each.object != LAST for each in composition.clauses)
    if _FIRST.search(signs.text) or limits_others:
        return False  # Where nothing lies, nothing is compared: that frees of no count.
    others = EXCEPTS.sub("", each.text)
    is_own = NEGATION.search(others) or re.search(r"\b(?:only|must)\b", others)
    is_of_others = bool(named) and composition.move not in named and each.text.casefold().startswith("instead of")
    if behind == 1 and not (is_own or is_of_others) and EXCEPTS.search(each.text):
        return True
    is_count = any(
        each.subject == "cards" and (each.relation, each.object != "0") == ("=", True) for each in composition.clauses
    )
    counts = re.search(r"N\d+ (?:C|K\d+)\b", signs.text) and not (told_by(each.text) or NEGATION.search(signs.text))
    if is_count and behind in {1, 2} and not named and counts:
        return True  # Of some cards there may be another number.
    is_free = _FREELY.search(said_freely) is not None and (named or behind in {1, 2})
    return bool(named <= {composition.move} and allows and (is_free or (behind == 1 and named)))


def _freed_by(signs: SignSentence, composition: Composition, game: OwnGame) -> list[str]:
    """Return the kinds and numbers of cards that an exception frees; none where it says more than that."""
    bare = re.sub(r"\b(?:[KMN]\d+|C|W|V)\b|[.,;:()]", " ", signs.text)
    if re.search(r"K\d+", signs.text) and _OTHER_COUNT.fullmatch(" ".join(bare.split())):
        return [signs.values[sign] for sign in dict.fromkeys(re.findall(r"K\d+", signs.text))]
    if {*bare.split()} - word_list("freely") or not game.field_of(composition.move, "cards"):
        return []
    kinds = [signs.values[sign] for sign in dict.fromkeys(re.findall(r"K\d+", signs.text))]
    number = re.match(r"(?:exception : )?(?:an? |the )?(?P<n>N\d+)", signs.text)
    said = signs.values[number["n"]] if number else ""
    is_printed = bool(said) and int(said) in game.properties.get("number", ())
    cards = [kind for kind in kinds if kind != composition.kind] + [said] * is_printed
    return [] if re.search(r"N\d", signs.text) and not is_printed else cards
