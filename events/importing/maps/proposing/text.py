"""Proposing a map for a text that nobody has described: the kinds of its lines, and an event for each kind.

Nothing is proposed as certain: a person accepts, changes or skips each kind, and sees how much is understood then.
"""

import contextlib
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from rapidfuzz import fuzz

from tabletape.events.importing.games.known_deck import printed_cards
from tabletape.events.importing.maps.effort import Effort
from tabletape.events.importing.maps.map import MapError
from tabletape.events.importing.maps.move_words import MoveWords
from tabletape.events.importing.maps.proposing.bare_cards import BareCards, taken_back
from tabletape.events.importing.maps.proposing.leftover import shape_of
from tabletape.events.importing.maps.proposing.moves import (
    TOLD_PREFIX,
    OwnMove,
    as_move,
    cards_said,
    end_said,
    move_of_row,
    own_move,
    words_said,
)
from tabletape.events.importing.maps.proposing.phrases import SCORE, Meaning, counter_of, meaning_of, meanings, words_of
from tabletape.events.importing.maps.proposing.several_games import games_in
from tabletape.events.importing.maps.proposing.spoken import NUMERAL, Spoken, spoken_by
from tabletape.events.importing.maps.proposing.surveying import Survey
from tabletape.events.importing.maps.proposing.templates import HOLE, sentences_of
from tabletape.events.importing.maps.writing import require_readable
from tabletape.events.vocabulary import Decision, Event, Vocabulary, vocabulary

DECISIVE: Final = frozenset({"first-player.chosen", "game.ended", "game.abandoned", "player.conceded"})
"""Events that few lines say and most questions are about: who began, and how it ended."""

EXACT: Final = 90
"""A sentence is a phrase, not one that begins so, if it is at least this similar to it (rapidfuzz, 0-100)."""

MIN_MESSAGES: Final = 4
"""How many messages begin with a word that says what is done again and again."""

_ROUND: Final = re.compile(
    r"\W*(?:(?:round|runde|manche|ronda)|(?P<turn>turn|zug|tour|turno)) \{n\}(?: (?:begins|starts|beginnt))?\W*",
    re.IGNORECASE,
)
_REMARK: Final = re.compile(
    r"(?P<act>[^,;]+\S)(?P<sign>[,;] | [-\u2013] )(?P<words>(?:[^\sA-Z\u00c0-\u00dd{}]+ ){2,}[^\sA-Z\u00c0-\u00dd{}]+)"
)
"""At least three words without a capital."""

_COUNTED_HOLE: Final = re.compile(r"(\{n\} )\{(?:card|text)\}")
"""A number with different things behind it, each of which is counted by itself."""

_CLOCK: Final = re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?")
_SKIPPED: Final[Mapping[str, Any]] = {"skip": True}
_DIGITS: Final = str.maketrans("", "", "0123456789")

_TALK: Final = re.compile(r"(?:[^:{}<>]{1,40}|\{player\}): |<(?:[^{}<>]{1,40}|\{player\})> (?:- )?")


class LineProposal(NamedTuple):
    """A kind of line: its sentence, what it is proposed to mean, how many there are, the first of them.

    `is_unsure`: it names a move or, in talk, a card of the game, and what is said of that is not understood; or it
    tells of a victory again and again, and nothing says of what. `meant` is what it means if a person says that it is a
    move of the card that it names; `is_slip`: it does not spell that card rightly.
    """

    sentence: str
    entry: Mapping[str, Any]
    lines: int
    first: int
    example: str
    is_unsure: bool = False
    meant: Mapping[str, Any] = {}
    is_slip: bool = False


def proposals(seen: Survey, game: str, cards: Sequence[str] = ()) -> list[LineProposal]:
    """Return the kinds of lines, each with what it may mean: beginnings and ends first, then the most frequent.

    The phrases are those of any table: what has no event in the vocabulary of the game is proposed to change nothing.
    Talk in which a move or one of the `cards` of the game is named may be a move, and is not proposed to be skipped.
    """
    players = sorted(seen.players, key=len, reverse=True)
    shapes = [(number, line, shape_of(line, players, (), Effort())) for number, line in seen.lines]
    shared = _words_of_several(seen) if seen.spoken else frozenset[str]()
    known = vocabulary(game)
    often = words_said(line for _, line, _ in shapes)
    often |= cards_said((shape for _, _, shape in shapes), known, often)
    cards = (*cards, *printed_cards(game).values())
    spoken = spoken_by(players, game, often, (shape for _, _, shape in shapes))
    moves = _moves(seen, shapes, known, spoken)
    talk = {shape for _, _, shape in shapes if _TALK.match(shape) and not _says_an_action(shape, shared)} - {*moves}
    # `Winner: Ann` says something of Ann, and nobody is called so who says it.
    talk -= {shape for shape in talk if not shape.startswith(("{player}", "<")) and _is_decisive(shape)}
    named = MoveWords(known, (*cards, *(NUMERAL.sub("n", card) for card in cards)))
    unread = {shape for _, _, shape in shapes if named.is_own and shape not in moves and _is_unread(shape)}
    naming = {shape for shape in talk | unread if named.first_in(_TALK.sub("", shape, count=1))}
    # A phrase of talk that names a move, `well played`, is passed over by a sentence of its own.
    phrases = {shape for shape in naming if _is_fixed(shape)}
    talk -= naming
    said = [str(moves[shape].entry.get("event", "")) for _, _, shape in shapes if shape in moves]
    unsure = (naming - phrases) | {
        shape for shape, move in moves.items() if not move.entry and _TALK.match(shape) and not _is_fixed(shape)
    }
    bare = BareCards(game, named, said, taken_back(shapes, unsure))
    fixed = {shape for _, _, shape in shapes if shape not in talk and _is_fixed(shape)}
    rounds = _rounds(seen, [shape for _, _, shape in shapes], known)
    remarks = {shape: remark for _, _, shape in shapes if shape not in talk and (remark := _remark(shape)) is not None}
    plain = {remarks[shape][1] if shape in remarks else shape for _, _, shape in shapes}
    sentences = sentences_of(plain - talk - fixed, _endings_of)
    kinds: dict[str, LineProposal] = {}
    for number, line, shape in shapes:
        if shape in unsure:
            _count(_unsure(number, line, shape, bare), kinds)
            continue
        if _CLOCK.fullmatch(line.strip()):
            sentence, entry = "{at:time}", _SKIPPED
        elif shape in moves and moves[shape].entry:
            sentence, entry = moves[shape]
        elif shape in phrases:
            sentence, entry = _named(shape), _SKIPPED
        elif shape in talk:
            sentence, entry = _talk(shape)
        elif shape in rounds:
            sentence, entry = shape.replace("{n}", "{round:number}"), {"event": "round.started"}
        elif shape in remarks:
            sentence, entry = _remarked(remarks[shape], sentences)
        else:
            sentence, entry = _meant(sentences.get(shape, shape))
        sentence, entry = as_move(sentence, entry, known)
        if len(seen.players) != 2 and "{other}" in entry.get("with", {}).get("scores", {}):
            entry = _without_scores(entry)
        _count(LineProposal(sentence, entry, 0, number, line.strip()), kinds)
    games = games_in(seen.lines, str(seen.head.get("starts", "")))
    usable = [each for kind in kinds.values() if (each := _usable(kind, game, games, seen.head)) is not None]
    return sorted(usable, key=lambda kind: (kind.entry.get("event") not in DECISIVE, -kind.lines, kind.first))


def _count(kind: LineProposal, kinds: dict[str, LineProposal]) -> None:
    before = kinds.get(kind.sentence, kind)
    kinds[kind.sentence] = before._replace(lines=before.lines + 1)


def _unsure(number: int, line: str, shape: str, bare: BareCards) -> LineProposal:
    """Return the kind of a message that may be a move, and of which only a person knows whether it is one."""
    if number in bare.withdrawn:
        sentence, why = f"{{player}}:{line.partition(':')[2]}", "may be taken back by the next line"
        return LineProposal(sentence, gap(why), 0, number, line.strip(), is_unsure=True)
    meant, is_right = bare.meant(shape)
    return LineProposal(_named(shape), gap("may be a move"), 0, number, line.strip(), True, meant, not is_right)


def _moves(
    seen: Survey, shapes: Sequence[tuple[int, str, str]], known: Vocabulary, spoken: Spoken
) -> dict[str, OwnMove]:
    """Return the moves of the game that shapes of lines are, or its end in words.

    Those of rows have what their other columns say.
    """
    by_shape: dict[str, OwnMove] = {}
    for shape in dict.fromkeys(shape for _, _, shape in shapes):
        row = move_of_row(shape, _cells(seen, shapes, shape), known, spoken) if seen.columns else None
        move = row or own_move(shape, known, spoken) or end_said(shape)
        by_shape |= {shape: move} if move is not None else {}
    return by_shape


def _cells(seen: Survey, shapes: Sequence[tuple[int, str, str]], shape: str) -> dict[str, list[str]]:
    """Return what the other columns of a sheet say in all lines of a shape."""
    numbers = [number for number, _, each in shapes if each == shape]
    return {
        name: [cells[number] for number in numbers]
        for name, cells in seen.columns.items()
        if all(number in cells for number in numbers)
    }


def _usable(kind: LineProposal, game: str, games: int, head: Mapping[str, Any]) -> LineProposal | None:
    """Return a proposal that a map of a game can hold: without a meaning that it lacks, None for no sentence."""
    ends = kind.lines > games and kind.entry.get("event") == "game.ended"
    if ends and (":text}" in kind.sentence or ":player}" in kind.sentence):
        # Who `wins {text}` again and again wins tricks, or games that nothing parts: a person knows which.
        return kind._replace(entry=gap("may be the end of a game"), is_unsure=True)
    for entry in (kind.entry, _without_scores(kind.entry), {"harmless": True}):
        with contextlib.suppress(MapError):
            require_readable(kind.sentence, entry, game, head if "player" in head else {})
            return kind._replace(entry=entry)
    return None


def gap(why: str) -> dict[str, Any]:
    """Return the entry of a line of which nobody knows so far what it says: behind it nothing is called illegal."""
    return {"event": "log.gap", "with": {"lines": 1, "text": why}}


def _without_scores(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an entry without the scores that not every game has at its end."""
    fields = {name: value for name, value in entry.get("with", {}).items() if name != "scores"}
    return {**entry, "with": fields} if fields else entry


# -- what a line may mean ----------------------------------------------------------------------------------------------


def _is_phrase(shape: str) -> bool:
    """Return whether a sentence is a phrase of which the meaning is known, and nothing more."""
    meaning, words = meaning_of(shape), words_of(shape)
    return meaning is not None and any(fuzz.ratio(words, phrase) >= EXACT for phrase in meaning.phrases)


def _is_fixed(shape: str) -> bool:
    """Return whether a line without its player is a phrase: nothing is named in it."""
    plain = SCORE.sub("", shape)
    return re.sub(r"\{player\}", "", plain).count("{") == 0 and _is_phrase(plain)


def _is_unread(shape: str) -> bool:
    """Return whether a message says nothing that is known to happen at a table."""
    return bool(_TALK.match(shape)) and "harmless" in _meant(shape)[1]


def _is_decisive(message: str) -> bool:
    """Return whether a message says who began or how the game ended, and nothing more."""
    meaning = meaning_of(message)
    return meaning is not None and meaning.entry.get("event") in DECISIVE and _is_fixed(message)


def _endings_of(head: str) -> Collection[tuple[str, ...]] | None:
    """Return what may stand behind the card that a beginning names (`wirft {card} ab`); None where it names none."""
    meaning, words = meaning_of(head), words_of(head)
    begun = (phrase for phrase in _card_phrases() if phrase.startswith(f"{words} "))
    endings = {tuple(phrase[len(words) + 1 :].split(" ")) for phrase in begun}
    names = bool(endings) or (meaning is not None and meaning.card and _is_phrase(head))
    return endings if names else None


@cache
def _card_phrases() -> frozenset[str]:
    return frozenset(phrase for each in meanings() if each.card for phrase in each.phrases)


def _words_of_several(seen: Survey) -> frozenset[str]:
    """Return the words with which several players begin messages, often: they say what is done at the table.

    In a short chat no word comes often; there those count together that begin a phrase for an action.
    """
    begun: Counter[str] = Counter()
    speakers: dict[str, set[str]] = {}
    acting: set[str] = set()
    for _, line in seen.lines:
        who, _, message = line.partition(": ")
        if who in seen.players and message:
            word = message.split(" ")[0].casefold()
            begun[word] += 1
            speakers.setdefault(word, set()).add(who)
            meaning = meaning_of(shape_of(message, (), (), Effort()))
            acting |= {word} if meaning is not None and "skip" not in meaning.entry else set()
    often = {word for word, times in begun.items() if times >= MIN_MESSAGES and len(speakers[word]) > 1}
    of_all = set[str]().union(*(speakers[word] for word in acting))
    if len(of_all) > 1 and sum(begun[word] for word in acting) >= MIN_MESSAGES:
        often |= acting
    return frozenset(often)


def _says_an_action(shape: str, shared: Collection[str]) -> bool:
    """Return whether a message says what its writer does at the table; `shared` words say so."""
    message = shape.removeprefix("{player}: ")
    if message == shape:
        return False
    if _is_decisive(message):
        return True
    if not shared:
        return False
    meaning = meaning_of(message)
    return message.split(" ")[0].casefold() in shared if meaning is None else "skip" not in meaning.entry


def _rounds(seen: Survey, shapes: Sequence[str], known: Vocabulary) -> Collection[str]:
    """Return the lines that say that a round begins, where the table itself says so: `Round 3`.

    `Turn 3` is one where most of the turns so numbered are those of several players.
    """
    if not issubclass(known.types.get("round.started", Event), Decision):
        return ()
    acting: list[set[str]] = []
    for (_, line), shape in zip(seen.lines, shapes, strict=True):
        if _ROUND.fullmatch(shape):
            acting.append(set())
        elif acting:
            acting[-1].update(player for player in seen.players if line.strip().startswith(player))
    together = sum(len(players) > 1 for players in acting) * 2 > len(acting)
    return {shape for shape in shapes if (match := _ROUND.fullmatch(shape)) and (together or not match["turn"])}


def _remark(shape: str) -> tuple[str, str, str] | None:
    """Return what a player does with a card, apart from the sign and the words that somebody wrote behind it.

    `plays Owl, oh wait he has no water` plays an owl; what is written with a capital may be of the card's name.
    """
    match = _REMARK.fullmatch(shape)
    meaning = meaning_of(match["act"]) if match and "{player}" in match["act"] else None
    return (match["sign"], match["act"], match["words"]) if match and meaning is not None and meaning.card else None


def _remarked(remark: tuple[str, str, str], sentences: Mapping[str, str]) -> tuple[str, Mapping[str, Any]]:
    """Return the sentence of a line with a remark behind it, and an entry that keeps the remark as a note."""
    sign, act, words = remark
    sentence, entry = _meant(sentences.get(act, act))
    return f"{sentence}{sign}{words}", {**entry, "also": [{"event": "note.added", "with": {"text": words}}]}


def _talk(shape: str) -> tuple[str, Mapping[str, Any]]:
    """Return the sentence of a message that is only talk."""
    match = _TALK.match(shape)
    return f"{match[0] if match else ''}{{words}}", {"skip": True}


def _meant(sentence: str) -> tuple[str, Mapping[str, Any]]:
    """Return a sentence with its holes named, and the entry that it may mean."""
    if sentence.startswith(TOLD_PREFIX):
        # Somebody tells of another: who is named does it, not who writes.
        told, entry = _meant(sentence.removeprefix("{player}: "))
        return f"{{speaker:player}}: {told}", entry
    if "{player}" not in sentence:
        known = meaning_of(sentence)
        is_told = known is not None and known.table and _is_fixed(sentence)
        return _named(sentence), known.entry if known is not None and is_told else {"skip": True}
    meaning = meaning_of(sentence)
    if meaning is None or "skip" in meaning.entry:
        return _named(sentence), {"harmless": True} if meaning is None else meaning.entry
    if meaning.counts:
        return _counting(sentence, meaning)
    if meaning.name == "draws":
        return _drawing(sentence, meaning)
    if meaning.card and HOLE not in sentence:
        sentence = sentence.replace("{text}", HOLE, 1)
    return _scored(_named(sentence, card=meaning.card), meaning.entry)


def _scored(sentence: str, entry: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return what the end of a game means; a number behind each of several players is the score of each.

    Of two numbers together the first is that of who is named first: `Anna wins 12:9`.
    """
    holes = re.findall(r"\{(\w+)(?::\w+)?\}", sentence)
    pairs = dict(zip(holes[::2], holes[1::2], strict=False))
    if entry.get("event") == "game.ended" and holes in (["player", "n", "n2"], ["player", "player2", "n", "n2"]):
        if "player" in entry["with"].get("winner", ""):
            other = "{player2}" if len(holes) > 3 else "{other}"
            return sentence, {**entry, "with": {**entry["with"], "scores": {"{player}": "{n}", other: "{n2}"}}}
        return sentence, entry
    every = len(pairs) > 1 and all(f"{who}{n}".translate(_DIGITS) == "playern" for who, n in pairs.items())
    if entry.get("event") != "game.ended" or not every or len(holes) % 2:
        return sentence, entry
    scores = {f"{{{player}}}": f"{{{score}}}" for player, score in pairs.items()}
    return sentence, {**entry, "with": {**entry["with"], "scores": scores}}


def _drawing(sentence: str, meaning: Meaning) -> tuple[str, Mapping[str, Any]]:
    """Return what a line means that says that cards are drawn: how many, or which."""
    if "{n}" in sentence:
        return _named(sentence.replace("{n}", "{count:number}", 1)), meaning.entry
    sentence = sentence.replace("{text}", HOLE, 1)
    if HOLE in sentence:
        return _named(sentence, card=True), {**meaning.entry, "with": {"cards": [HOLE]}}
    return _named(sentence), {**meaning.entry, "with": {"count": 1}}


def _counting(sentence: str, meaning: Meaning) -> tuple[str, Mapping[str, Any]]:
    """Return what a line means that says a number of something: that it is so many now, or by how much it changes."""
    sentence, varies = _COUNTED_HOLE.subn(r"\1{counter:text}", sentence, count=1)
    fields = {} if varies else {"counter": counter_of(sentence)}
    hole = "by" if meaning.name == "gains" else "to"
    if meaning.name == "loses":
        hole, fields["by"] = "by_number", meaning.counts
    return _named(sentence.replace("{n}", f"{{{hole}:number}}", 1)), {**meaning.entry, "with": fields}


def _named(sentence: str, *, card: bool = False) -> str:
    """Return a sentence in which each number and text is a hole of its own; what is named is a `card`, or a text."""
    names: Counter[str] = Counter()

    def hole(match: re.Match[str]) -> str:
        name = match[1] if match[1] != "card" or card else "text"
        names[name] += 1
        count = "" if names[name] == 1 else str(names[name])
        kind = {"n": ":number", "text": ":text"}.get(name, "")
        return f"{{{name}{count}{kind or (':player' if count and name == 'player' else '')}}}"

    return re.sub(r"\{(n|text|player|card)\}", hole, sentence)
