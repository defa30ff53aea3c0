"""What the moves of a game do to the cards that lie in a place, as its rulebook tells it: proposed to a person."""

import re
from collections.abc import Mapping
from typing import Final

from tabletape.dashboard.own_game.composition import TABLE, Composition, kinds_of
from tabletape.dashboard.own_game.game import OwnGame
from tabletape.dashboard.own_game.rulebook_words import RulebookWords
from tabletape.dashboard.own_game.signs import SignSentence, in_signs
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.events.importing.maps.counted import forms_of

NOTHING: Final = "nothing"
UNKNOWN: Final = "?"
OUT: Final = "comes-out"
"""The move of a file by which cards are laid out that no player chooses."""

OTHERS: Final = "others"
"""The cards that belong to no group, in an answer about each group: `play with others: nothing`."""

EFFECTS: Final[Mapping[str, tuple[str, ...]]] = {
    NOTHING: (),
    "adds": ("cards -> {place}",),
    "adds to": ("cards -> {place}(to)",),
    "empties": ("{place} -> discards",),
    "last": ("top({place}) -> discards",),
    "last to": ("top({place}(to)) -> discards",),
    "takes": ("alike({place}, cards) -> discards",),
    UNKNOWN: ("top({place}) -> discards when unsaid > 0",),
}
"""What a move may do to the cards of a place, in the words of an answer, and as a file says it.

`adds to` and `last to` are about the player that the line names. Nobody counts `unsaid`: what depends on it is unknown.
"""

EFFECTS_TOLD: Final = {
    "adds": "lays its cards on the {place}",
    "adds to": "lays its cards on the {place} of the player named",
    "empties": "empties the {place}",
    "last": "takes the last card of the {place} away",
    "last to": "takes the last card from the {place} of the player named",
    "takes": "takes the cards that it names from the {place}",
}
"""What a move does to a place, in words."""

EFFECTS_IN_SHORT: Final = {
    "adds": "lays its cards there",
    "adds to": "there, of the player named",
    "empties": "it",
    "last": "goes away",
    "last to": "of the player named",
    "takes": "its cards away",
}
"""The same, to be read beside the word itself."""

DET: Final = r"(?:N\d+ of|your|the|his|her|their|its|own|W's|an?|another|other|that|this|each|every|same|any|W)"
_LISTING: Final = 3
"""A sentence that names so many groups of cards lists them, and tells nothing of what they do."""

_EMPTIES: Final = re.compile(
    r"\b(?:(?<!starts )(?<!begins )(?<!an )empt(?:y|ies|ied)|afresh|whole|aside|scores?|home|new|anew|"
    r"all (?:of )?(?:the )?C|all of them leave|starts? again|clears?)\b"
)
_LAST: Final = (
    r"(?:last|top|topmost|uppermost) (?:C|K\d+)\b(?! (?:of|from|off) (?:the |a )?(?:\w+ )?(?:deck|pile|stack|pack)\b)"
)
_LAST_AWAY: Final = re.compile(
    rf"\b{_LAST}\b.*\b(?:falls?|cut|off|discard\w*|removed?|taken?|takes?|goes|lost|away|sea|hand|stolen?|steals?)\b|"
    rf"\b(?:takes?|steals?|removes?|discards?|cuts?)\b.*\b{_LAST}\b"
)
_AWAY: Final = re.compile(
    r"\b(?:discard|remove|return|take|give|sell)s? (?:up to )?(?:an? |one |N\d+ )?(?:K\d+ )?C? ?(?:from|out of)\b"
)
_CHANGES: Final = re.compile(
    r"\b(?:discards?|removes?|returns?|takes?|gives?|swaps?|moves?|turns?|shuffles?|steals?|loses?|lost|sells?|away|"
    r"exchanges?|throws?|adds?|puts?|lays?|places?|draws?|picks?|sends?|brings?|falls?)\b"
)
"""What changes something that lies there, though nobody knows what."""

_NEXT_IS_FREE: Final = re.compile(r"\bnext (?:(?P<of>M\d+)|C)(?: M\d+)? (?:may|can) be (?:of )?any\b")
"""What lay there before is held against nothing any more: `the next shout may be any card at all`."""

_TURNED_UP: Final = re.compile(r"\b(?:turn|flip|reveal|deal|lay|put|open)s?\b.*\b(?:face up|top C|open|new|start)\b")
_SIGN: Final = re.compile(r"\bP\d+")
_DONE: Final = re.compile(r"(?<!\bthe )(?<!\ba )(?<!\ban )\bM\d+")
"""A move that is done; `the rest` is none."""
_ACTS: Final = re.compile(r"^the (M\d+) (?!(?:goes|lies|is|has|falls|stays)\b)[a-z]+s\b")
"""A card of a move does something itself: `the mouse eats the top cheese of that wheel`."""

_ALL_GO: Final = re.compile(r"(?:every|all)(?: other| the)? C\b.*\b(?:away|goes?|taken|discarded|returned)\b")
_LIMITS: Final = re.compile(r"\b(?:not|never|cannot|only|must)\b")
_FREES: Final = re.compile(
    r"\b(?:next|following|new) (?:C )?(?P<move>M\d+)|(?P<done>M\d+) (?:may be |is )?any(?: C|thing)?\b"
)
"""So a sentence lets a later move be done otherwise."""

_BEGINS: Final = re.compile(r"(?:to|by|when|whenever|if|whoever|after|as) [^,.;:]*?\bM\d+")
"""So a sentence begins that tells what comes of a move, and those behind it go on."""

_GOES_ELSEWHERE: Final = re.compile(
    r"\b(?:pays?|costs?|gains?|gets?|raises?|lowers?|receives?|counts?|scores?|holds?|keeps?|goes|says?|deals?|plays?|M\d+)\b"
)
_IS_THING: Final = re.compile(r"\b(?:[CKPW]\d*|N\d+|hand|deck|pile|stack)\b")
_TOLD_OF: Final = re.compile(
    r"^[( ]*(?:(?:the|an?|that|this|each|every|all|both) )?"
    r"(?:M\d+ )?(?:[CKPW]\d*\b|you\b|who|every|each|nobody|no |if |when|after |with |game\b|round\b)"
)
"""Of these a sentence tells that leaves what lies somewhere as it is, unless it names the place."""

_WHEN: Final = re.compile(r" ,? ?(?:but |and )?(?:only if|never)\b[^,.;]*")
"""When, and where not, a move is done: what it does stands before that."""

_INTO: Final = re.compile(
    rf"\b(?:into|onto|on|in|to|at|behind|at the end of) (?P<whose>(?:{DET} )*)(?P<place>P\d+)"
    rf"(?P<of> of (?:{DET} )*W)?"
)


def guessed_effects(game: OwnGame, words: RulebookWords, composition: Composition) -> dict[str, str]:
    """Return what each move does to the place of a composition by the rulebook; a move lays cards there at least."""
    effects = {move: guessed_effect(game, words, move, composition.place) for move in game.moves}
    if OUT in effects:
        effects[OUT] = (
            "adds"
            if any(_is_laid_out(each.text, game, words, composition.place) for each in game.sentences)
            else UNKNOWN
        )
    for move in game.moves if composition.place in words.numbered else ():
        if effects[move] == NOTHING and not {*game.raw["move"][move].get("fields", {})}.isdisjoint(game.labels):
            effects[move] = UNKNOWN  # Its lines name one of these places; what it does there the rulebook leaves out.
    if not any(effect.startswith("adds") for effect in effects.values()):
        able = [move for move in game.moves if game.field_of(move, "cards") and move != game.draw]
        named = [move for move in able if move in forms_of(composition.place)]
        compares = any(each.is_of_cards or each.after for each in composition.clauses)
        lays = [composition.move] if compares else [move for move in able if effects[move] == "nothing"]
        for move in named or lays[:1]:
            effects[move] = "adds"
    if composition.is_common:
        effects |= dict.fromkeys(_silencing(game, words, composition.move), "empties")
    said = {composition.kind, *(each.of for each in composition.clauses)} & {*game.groups}
    is_apart = said and composition.place != TABLE  # What is compared with any card is laid by all of them.
    return _by_group(game, words, effects, (composition.place, said)) if is_apart else effects


def _silencing(game: OwnGame, words: RulebookWords, move: str) -> set[str]:
    """Return the moves behind which the next card of a move is held against none before it, by the rulebook.

    The sentence says so of the move that it names, or of the one that the sentence before it is about.
    """
    found, before = set[str](), list[str]()
    for each in game.sentences:
        signs = in_signs(each.text, game, words)
        free = _NEXT_IS_FREE.search(signs.text)
        named = [signs.values[sign] for sign in _DONE.findall(signs.text.replace(free[0], "") if free else signs.text)]
        if free and signs.values.get(free["of"] or "", move) == move:
            told = {*named} or {*before}
            found |= told - {move} if len(told) == 1 else set()
        before = named
    return found


def not_understood(game: OwnGame, words: RulebookWords, effects: Mapping[str, str]) -> dict[str, str]:
    """Return the moves that change a place by nothing which is understood, each with a sentence that is not.

    `The canyon falls silent: the next shout may be any card`: what was thrown may have taken the cards away.
    """
    laying = {move.partition(" with ")[0] for move, effect in effects.items() if effect.startswith("adds")}
    unclear: dict[str, str] = {}
    for move in (each for each, effect in effects.items() if effect == NOTHING and each in game.moves):
        told, before = False, ""
        for sentence in game.sentences:
            signs = in_signs(sentence.text, game, words)
            is_head = _explains(game, sentence.heading) == [move]
            is_begun = bool(signs.head or _BEGINS.match(signs.text)) and _is_of(signs, move, is_head=is_head)
            told = is_begun or (told and before == sentence.cite.partition(".")[0])
            before = sentence.cite.partition(".")[0]
            if (told or is_head) and _is_unclear(signs, laying - {move}):
                unclear[move] = sentence.own
                break
    return unclear


def _explains(game: OwnGame, heading: str) -> list[str]:
    return [each for each in game.moves if game.is_named(each, heading)]


def _is_of(signs: SignSentence, move: str, *, is_head: bool) -> bool:
    """Return whether a sentence tells of a move and no other."""
    named = {signs.values[sign] for sign in _DONE.findall(signs.text)}
    return (signs.head or move) == move and bool(signs.head or named == {move} or (is_head and named <= {move}))


def _is_unclear(signs: SignSentence, laying: set[str]) -> bool:
    """Return whether a sentence about a move may say what becomes of a place, in words that are not understood."""
    freed = (signs.values[each["move"] or each["done"]] for each in _FREES.finditer(signs.text))
    if not laying.isdisjoint(freed):
        return True
    named = {signs.values[sign] for sign in _DONE.findall(signs.text)}
    is_change = (_CHANGES.search(signs.text) or _GOES_ELSEWHERE.search(signs.text)) and _IS_THING.search(signs.text)
    return not (laying & named or is_change or _LIMITS.search(signs.text) or _TOLD_OF.match(signs.text))


def _is_laid_out(text: str, game: OwnGame, words: RulebookWords, place: str) -> bool:
    """Return whether a sentence says that cards are turned up in a place: `turn the top card to start a new wall`."""
    signs = in_signs(text, game, words)
    named = {form for sign in _SIGN.findall(signs.text) for form in forms_of(signs.values[sign])}
    return not named.isdisjoint(forms_of(place)) and _TURNED_UP.search(signs.text) is not None


def _by_group(
    game: OwnGame, words: RulebookWords, effects: Mapping[str, str], where: tuple[str, set[str]]
) -> dict[str, str]:
    """Return what each move does to a place in which cards of some groups lie, apart for each group that it may lay.

    What cards of another group do nobody knows where a sentence names both them and the place, or a group that lies
    there: `a storm sinks a ship`.
    """
    place, lying = where
    apart: dict[str, str] = {}
    told = [{*in_signs(each.text, game, words).values.values()} for each in game.sentences]
    told = [values for values in told if len(values & game.groups.keys()) < _LISTING]
    there = {kind for each in lying for kind in game.groups[each].kinds}
    groups = [each for each, group in game.groups.items() if each in lying or there.isdisjoint(group.kinds)]
    others = {*game.kinds}.difference(*(each.kinds for each in game.groups.values()))
    for move, effect in effects.items():
        if effect.startswith("adds") and _is_of_any(game, words, move, place):
            apart[move] = effect
            continue
        for group in (*groups, *([OTHERS] if others else [])) if effect.startswith("adds") else ():
            touched = {*lying, *forms_of(place)}
            named = others if group == OTHERS else {group, *kinds_of(group, game.groups)}
            is_told = any(not named.isdisjoint(values) and not touched.isdisjoint(values) for values in told)
            apart[f"{move} with {group}"] = effect if group in lying else UNKNOWN if is_told else NOTHING
        if not effect.startswith("adds"):
            apart[move] = effect
    return apart


def _is_of_any(game: OwnGame, words: RulebookWords, move: str, place: str) -> bool:
    """Return whether a sentence lets a move lay cards in a place, and names none of their groups and kinds."""
    apart = {*game.groups, *game.kinds}
    return any(
        _told_effect(game, words, move, (place, at)).startswith("adds")
        and apart.isdisjoint(in_signs(each.text, game, words).values.values())
        for at, each in enumerate(game.sentences)
    )


def guessed_effect(game: OwnGame, words: RulebookWords, move: str, place: str) -> str:
    """Return what the rulebook lets a move do to the cards of a place, in the words of an answer: `nothing`."""
    told = (_told_effect(game, words, move, (place, at)) for at in range(len(game.sentences)))
    said = [*filter(None, told)] or _all_go(game, words, move) * [UNKNOWN]
    return next((each for each in said if each != "?"), next(iter(said), "nothing"))


def _all_go(game: OwnGame, words: RulebookWords, move: str) -> bool:
    """Return whether a sentence below the name of a move says of all cards, of no place, that they go: `opening`."""
    below = (each.text for each in game.sentences if game.is_named(move, each.heading))
    return any(_ALL_GO.match(in_signs(each, game, words).text) for each in below)


def _told_effect(game: OwnGame, words: RulebookWords, move: str, where: tuple[str, int]) -> str:
    """Return what one sentence, with the one behind it, tells of a move and a place; empty where it tells nothing."""
    place, at = where
    sentence, behind = game.sentences[at], game.sentences[at + 1 : at + 2]
    is_head = _explains(game, sentence.heading) == [move]
    signs = in_signs(sentence.text, game, words)
    named = {signs.values[sign] for sign in _DONE.findall(signs.text) or _ACTS.findall(signs.text)}
    if is_head and re.match(r"M\d+ (?:an? |the |one |N\d+ )*[CK]", signs.text):  # `Put a bake there`, below *Serving*
        named -= {each for each in word_list("places") if not game.field_of(each, "cards")}
    if (signs.head or move) != move or not (signs.head or named == {move} or (is_head and named <= {move})):
        return ""
    more = [
        in_signs(each.text, game, words)
        for each in behind
        if not any(game.is_named(one, each.text) for one in game.moves)
    ]
    told = [each for each in (signs, *more) if not _LIMITS.search(_WHEN.sub("", each.text))]
    text, whole = (" ".join(each.text for each in some) for some in (told, (signs, *more)))
    places = {
        form for each in (signs, *more) for sign in _SIGN.findall(each.text) for form in forms_of(each.values[sign])
    }
    is_there = not place or not places.isdisjoint(forms_of(place))
    names, cards = "to" if game.field_of(move, "to") else "", game.field_of(move, "cards")
    into = next(
        (
            match
            for match in _INTO.finditer(signs.text if signs in told else "")
            if not place or {*forms_of(place)} & {*forms_of(signs.values[match["place"]])}
        ),
        None,
    )
    if (is_there or not places) and _LAST_AWAY.search(text):
        return f"last {names}".strip()
    is_away = is_there and cards and any(_takes_from(each, place) for each in told)
    if cards and (is_away or into):
        said = f"{into['whose']} {into['of'] or ''}" if into else ""
        theirs = names and re.search(r"\b(?:another|other|W|W's)\b", said)
        return "takes" if is_away else "adds to" if theirs else "adds"
    if is_there and (_EMPTIES.search(text) or any(map(_EMPTIES.fullmatch, game.called(move)))):
        return "empties"
    return "?" if place and is_there and _CHANGES.search(whole) else ""


def _takes_from(signs: SignSentence, place: str) -> bool:
    """Return whether a sentence says that cards are taken away, and from no other place than this one."""
    match = _AWAY.search(signs.text)
    source = re.match(rf" (?:{DET} )*(P\d+|hand)\b", signs.text[match.end() :]) if match else None
    is_here = not (source and place) or {*forms_of(signs.values.get(source[1], source[1]))} & {*forms_of(place)}
    return match is not None and bool(is_here)
