"""What the lines of a text are, by their shapes: moves of the game, talk, rounds, acts with a remark behind them."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from tabletape.events.importing.games.known_deck import names_said
from tabletape.events.importing.maps.effort import Effort
from tabletape.events.importing.maps.move_words import MoveWords
from tabletape.events.importing.maps.proposing.bare_cards import BareCards, compact_in, taken_back
from tabletape.events.importing.maps.proposing.endings import end_said
from tabletape.events.importing.maps.proposing.leftover import shape_of
from tabletape.events.importing.maps.proposing.meant import (
    DECISIVE,
    end_told,
    endings_of,
    is_decisive,
    is_fixed,
    meant,
)
from tabletape.events.importing.maps.proposing.moves import (
    OwnMove,
    cards_said,
    move_of_row,
    own_move,
    with_drawn_number,
)
from tabletape.events.importing.maps.proposing.phrases import event_begun_in, meaning_of, meanings, words_of
from tabletape.events.importing.maps.proposing.spoken import (
    NUMERAL,
    Spoken,
    fields_of,
    is_number,
    spoken_by,
    words_said,
)
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.proposing.templates import sentences_of
from tabletape.events.importing.maps.values.captured import OWN_MOVE
from tabletape.events.vocabulary import Decision, Event, Vocabulary, vocabulary

MIN_MESSAGES: Final = 4
"""How many messages begin with a word that says what is done again and again."""

TALK: Final = re.compile(r"(?:[^:{}<>]{1,40}|\{player\}): |<(?:[^{}<>]{1,40}|\{player\})> (?:- )?")
"""Before these somebody is named who says the rest."""

_NOT_DONE: Final = re.compile(
    r"^(?:\{player\} |i |ich )?(?:\w+n['\u2019]t|dont|didnt|cant|not|never|would|could|should|might|may|can|did|does|"
    r"if|she|he|they|you|we|all|everybody|everyone|nobody|sie|er|ihr|wir|alle|niemand|wenn|falls|kann)\b"
    r"|\b(?:no|zero) cards?\b|\b(?:nicht|keinen?|keine|nie)\b"
)
"""What stands before or in words for what is done at a table, where it is not done, or not by who says it."""

_WITHDRAWN: Final = re.compile(
    r"\b(?:no,? wait|wait,? no|never ?mind|nvm|scratch that|(?:just )?(?:kidding|joking)|jk|takes? (?:it|that) back|"
    r"doch nicht)\b",
    re.IGNORECASE,
)
"""With these a line takes back what it says beside them, or what was said before it."""

_ROUND: Final = re.compile(
    r"\W*(?:(?:round|runde|manche|ronda)|(?P<turn>turn|zug|tour|turno)) \{n\}(?: (?:begins|starts|beginnt))?\W*",
    re.IGNORECASE,
)
_NAME_AS_HEADING: Final = re.compile(r"[-=#~\u2013\u2014]+ *\{player\}[^\w{}]*")
"""`--- Ann`, with no word beside it; a name without such marks may say who writes what stands below it."""

_REMARK: Final = re.compile(
    r"(?P<act>[^,;]+\S)(?P<sign>[,;] | [-\u2013] )(?P<words>(?:[^\sA-Z\u00c0-\u00dd{}]+ ){2,}[^\sA-Z\u00c0-\u00dd{}]+)"
)
"""At least three words without a capital."""


_PARTS: Final = re.compile(r"[,;.!?:&+]+|\b(?:and|then|und|dann|also|et|puis|y|luego|e|poi)\b", re.IGNORECASE)
"""Between the parts of a line."""

_DOES: Final = re.compile(
    r" (?!(?:and|or|with|for|on|from|to|in|at|of|by|und|oder|mit|von|an|et|avec|de|y|con|e)\b)[^\W\d_A-Z]"
)
"""What stands behind a name of whom a line says what is done: a small letter, and no small word."""

_NUMBER_ONLY: Final = re.compile(r"(?:[^:{}<>]{1,40}|\{player\}): \{n\}[\s.!]*")
"""A message that is a number, which may be a bid."""


_WITH_CARDS: Final = frozenset({"draws", "plays", "discards"})
"""The names of the phrases for what is done with cards."""


class Shapes(NamedTuple):
    """The lines of a text, each with its number and shape, and what the shapes are.

    `moves` are of the game, or an end in words; `unsure` may be moves; `phrases` are talk that names a move or a card,
    `well played`; `begun` are rounds and turns, with their event. `remarks` are acts with words behind them: the sign,
    the act, the words. `sentences` of the others have a hole where something is named. `bare` reads what begins with a
    card.
    """

    lines: Sequence[tuple[int, str, str]]
    moves: Mapping[str, OwnMove]
    unsure: Collection[str]
    phrases: Collection[str]
    talk: Collection[str]
    begun: Mapping[str, str]
    remarks: Mapping[str, tuple[str, str, str]]
    sentences: Mapping[str, str]
    bare: BareCards


def shapes_in(seen: Survey, game: str, cards: Sequence[str]) -> Shapes:
    """Return what the lines of a text are; talk that names a move or one of the `cards` of the game is no mere talk."""
    players, known = sorted(seen.players, key=len, reverse=True), vocabulary(game)
    lines = [
        (number, line, _named_at_the_end(shape_of(line, players, (), Effort()), players)) for number, line in seen.lines
    ]
    shapes = [shape for _, _, shape in lines]
    often = words_said(line for _, line, _ in lines)
    often |= cards_said(shapes, known, often)
    spoken = spoken_by(players, game, often, shapes)
    lines = [(number, line, with_drawn_number(line, shape, known, spoken)) for number, line, shape in lines]
    shapes = [shape for _, _, shape in lines]
    withdrawn = {shape for shape in shapes if _WITHDRAWN.search(TALK.sub("", shape, count=1))}
    moves = {shape: move for shape, move in _moves(seen, lines, known, spoken).items() if shape not in withdrawn}
    cards = (*cards, *names_said(game))
    named = MoveWords(known, (*cards, *(NUMERAL.sub("n", card) for card in cards)))
    talk = _talk(seen, shapes) - {*moves}
    others = {shape for shape in shapes if named.is_own and shape not in moves}
    # Messages that say nothing that is known to happen at a table.
    unread = {shape for shape in others if TALK.match(shape) and "harmless" in meant(shape)[1]}
    partly = {shape for shape in {*shapes} - {*moves} - unread if _leaves_a_move(shape, named)}
    partly |= {shape for shape in {*shapes} - {*moves} if _tells_of_several(shape)}
    partly |= {shape for shape in {*shapes} - {*moves} if _tells_of_another(shape) or _is_not_done(shape)}
    partly |= {shape for shape in withdrawn if meaning_of(TALK.sub("", shape, count=1)) or named.first_in(shape)}
    partly |= {shape for shape in {*shapes} - {*moves} - talk if _tells_of_a_stranger(shape)}
    numbers = {shape for shape in others if _NUMBER_ONLY.fullmatch(shape) and _has_number(known)}
    naming = {shape for shape in talk | unread if named.first_in(TALK.sub("", shape, count=1))}
    # A phrase of talk that names a move, `well played`, is passed over by a sentence of its own.
    phrases = {shape for shape in naming if is_fixed(shape)}
    talk -= naming
    compact = frozenset[str]() if named.is_own else compact_in(lines) - {*moves}
    talk -= partly | numbers | compact
    unsure = (
        (naming - phrases)
        | partly
        | numbers
        | compact
        | {shape for shape, move in moves.items() if not (move.entry or is_fixed(shape)) and _misleads(shape)}
    )
    said = [str(moves[shape].entry.get("event", "")) for shape in shapes if shape in moves]
    bare = BareCards(game, named, said, taken_back(lines, unsure), compact)
    others = {*shapes} - talk
    remarks = {shape: remark for shape in others if (remark := _remark(shape)) is not None}
    plain = {remarks[shape][1] if shape in remarks else shape for shape in shapes}
    sentences = sentences_of(plain - talk - {shape for shape in others if is_fixed(shape)}, endings_of)
    begun = dict.fromkeys(_rounds(seen, shapes, known), "round.started")
    begun |= dict.fromkeys(_turns(seen, shapes), "turn.started")
    return Shapes(lines, moves, unsure, phrases, talk, begun, remarks, sentences, bare)


def _named_at_the_end(shape: str, players: Collection[str]) -> str:
    """Return a shape in which who has won is a player, too, whose name is in small letters: `tobi wins, gg`."""
    who, sign, message = shape.partition(": ")
    for name in players if who == "{player}" else ():
        named = re.sub(rf"(?<!\w){re.escape(name.casefold())}(?= )", "{player}", message, count=1)
        if named != message and end_told(told := f"{who}{sign}{named}", ()) is not None:
            return told
    return shape


def _misleads(shape: str) -> bool:
    """Return whether a line that is not wholly understood as a move would be taken for talk, or for another event."""
    return TALK.match(shape) is not None or "event" in meant(shape)[1]


def _talk(seen: Survey, shapes: Sequence[str]) -> set[str]:
    """Return what somebody says, and not what is done at the table."""
    shared = _words_of_several(seen) if seen.spoken else frozenset[str]()
    talk = {shape for shape in shapes if TALK.match(shape) and not _says_an_action(shape, shared)}
    # `Winner: Ann` says something of Ann, and nobody is called so who says it.
    return {shape for shape in talk if shape.startswith(("{player}", "<")) or not is_decisive(shape)}


def _leaves_a_move(shape: str, named: MoveWords) -> bool:
    """Return whether a line is read by a phrase of any table that leaves aside words of a move or a card.

    Where the game has no moves of its own, these are what a card is played, drawn or discarded with.
    """
    message = TALK.sub("", shape, count=1)
    meaning = meaning_of(message)
    if is_fixed(shape) or meaning is None or "skip" in meaning.entry:
        return False
    first, *behind = _PARTS.split(message.removeprefix("{player} "))
    if not named.is_own:
        return any(_does_something(each.strip()) for each in behind)
    # Its first part says what the phrase says: a card that belongs to it, and else nothing.
    aside = behind if meaning.card or meaning.name == "draws" else [first.partition(" ")[2], *behind]
    return any(named.first_in(each) for each in aside)


def _tells_of_several(shape: str) -> bool:
    """Return whether a line says of several players what each does, and so is more than what one phrase says of it.

    An end, or a beginning, may be told so: `Ann concedes, Ben wins`.
    """
    message = TALK.sub("", shape, count=1)
    deeds = [event for part in message.split("{player} ") if (event := event_begun_in(part))]
    return len(deeds) > 1 and not {*deeds} <= DECISIVE and not is_fixed(message)


def _tells_of_another(shape: str) -> bool:
    """Return whether what a line is taken for is done by another player than who is named first, or than who writes it.

    `Jo: 4. Mira concedes`, `Ann 5, Ben wins`: Jo has not conceded, and Ann has not won.
    """
    if "event" not in meant(shape)[1]:
        return False
    message = TALK.sub("", shape, count=1)
    parts = message.split("{player}")
    if len(parts) == 2 and "{" not in parts[0] and _is_known(message):
        return False  # `It is Ann's turn` is said of her whatever stands before her name.
    # `Priya 13. I win!` tells of who writes it: what somebody does follows the name directly.
    does = (at for at, part in enumerate(parts) if event_begun_in(part) and (not at or part[1:2].isalpha()))
    told = next(does, 0)
    return told > 1 or (told == 1 and message != shape and bool(parts[0].strip()))


def _is_known(message: str) -> bool:
    """Return whether the words of a message are a phrase, letter by letter."""
    return any(words_of(message) in each.phrases for each in meanings())


def _is_not_done(shape: str) -> bool:
    """Return whether what a line is taken for is not done, or by somebody else: `I don't draw`, `she draws 2 cards`."""
    message = TALK.sub("", shape, count=1).casefold()
    is_said = "event" in meant(shape)[1] and _NOT_DONE.search(message) is not None
    return is_said and not _is_known(message)


def _tells_of_a_stranger(shape: str) -> bool:
    """Return whether somebody who is no player draws, plays or discards: by another name of a player, perhaps."""
    who, _, deed = shape.partition(" ")
    return who[:1].isupper() and _does_something(deed)


def _does_something(part: str) -> bool:
    """Return whether a part of a line begins with words for what is done with cards, and names some."""
    words = part.casefold()
    return any(
        words.startswith(f"{phrase} ") for each in meanings() if each.name in _WITH_CARDS for phrase in each.phrases
    )


def _has_number(known: Vocabulary) -> bool:
    """Return whether a move of the game's own file says a number."""
    return any(tag.startswith(OWN_MOVE) and any(map(is_number, fields_of(kind))) for tag, kind in known.types.items())


def _moves(
    seen: Survey, lines: Sequence[tuple[int, str, str]], known: Vocabulary, spoken: Spoken
) -> dict[str, OwnMove]:
    """Return the moves of the game that shapes of lines are, or its end in words.

    Those of rows have what their other columns say.
    """
    numbers: dict[str, list[int]] = {}
    for number, _, shape in lines:
        numbers.setdefault(shape, []).append(number)
    wrote = Counter(line.partition(": ")[0] for _, line, _ in lines if seen.spoken)
    writers = {who for who, times in wrote.items() if times > 1}
    by_shape: dict[str, OwnMove] = {}
    for shape, those in numbers.items():
        row = move_of_row(shape, _cells(seen, those), known, spoken) if seen.columns else None
        move = row or own_move(shape, known, spoken) or end_told(shape, writers)
        if move is None and (said := end_said(shape)) is not None:
            move = OwnMove(*said)
        by_shape |= {shape: move} if move is not None else {}
    return by_shape


def _cells(seen: Survey, numbers: Sequence[int]) -> dict[str, list[str]]:
    """Return what the other columns of a sheet say in some lines."""
    return {
        name: [cells[number] for number in numbers]
        for name, cells in seen.columns.items()
        if all(number in cells for number in numbers)
    }


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
            word = _begun_with(message, who)
            begun[word] += 1
            speakers.setdefault(word, set()).add(who)
            meaning = meaning_of(shape_of(message, (who,), (), Effort()))
            acting |= {word} if meaning is not None and "skip" not in meaning.entry else set()
    often = {word for word, times in begun.items() if times >= MIN_MESSAGES and len(speakers[word]) > 1}
    of_all = set[str]().union(*(speakers[word] for word in acting))
    if len(of_all) > 1 and sum(begun[word] for word in acting) >= MIN_MESSAGES:
        often |= acting
    return frozenset(often)


def _begun_with(message: str, who: str) -> str:
    """Return the first word of a message; behind the name of `who` writes it, as in `Ann: Ann plays`, the second."""
    first, _, rest = message.partition(" ")
    return f"{{player}} {rest.split(' ')[0].casefold()}" if first == who else first.casefold()


def _says_an_action(shape: str, shared: Collection[str]) -> bool:
    """Return whether a message says what its writer does at the table; `shared` words say so."""
    message = shape.removeprefix("{player}: ")
    if message == shape:
        return False
    if is_decisive(message):
        return True
    if not shared:
        return False
    meaning = meaning_of(message)
    return _begun_with(message, "{player}") in shared if meaning is None else "skip" not in meaning.entry


def _rounds(seen: Survey, shapes: Sequence[str], known: Vocabulary) -> Collection[str]:
    """Return the lines that say that a round begins, where the table itself says so: `Round 3`.

    `Turn 3` is one where most of the turns so numbered are those of several players.
    """
    if not issubclass(known.types.get("round.started", Event), Decision):
        return ()
    acting: list[set[str]] = []
    longest = sorted(seen.players, key=len, reverse=True)
    for (_, line), shape in zip(seen.lines, shapes, strict=True):
        if _ROUND.fullmatch(shape):
            acting.append(set())
        elif acting:
            acting[-1].update(_told_of(line.strip(), longest))
    together = sum(len(players) > 1 for players in acting) * 2 > len(acting)
    return {shape for shape in shapes if (match := _ROUND.fullmatch(shape)) and (together or not match["turn"])}


def _told_of(line: str, longest: Sequence[str]) -> Iterator[str]:
    """Yield the players of whom a line tells what they do: it begins with a name, or a verb stands behind one.

    A line of Anna is none of Ann, and who is attacked `with` something does nothing.
    """
    for each in re.finditer(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", line):
        if not each.start() or _DOES.match(line, each.end()):
            yield each[0]


def _turns(seen: Survey, shapes: Sequence[str]) -> Collection[str]:
    """Return the headings that are a player's name alone, `--- Ann`, where they part a game into turns.

    They do if something stands below each, the next one names somebody else, and somebody is named again.
    """
    heads = [at for at, shape in enumerate(shapes) if _NAME_AS_HEADING.fullmatch(shape)]
    longest = sorted(seen.players, key=len, reverse=True)
    named = [next(each for each in longest if each in seen.lines[at][1]) for at in heads]
    is_list = any(other - one == 1 for one, other in pairwise(heads))
    is_turns = len({*named}) > 1 and len(named) > len({*named}) and all(one != other for one, other in pairwise(named))
    return {shapes[at] for at in heads} if is_turns and not is_list else ()


def _remark(shape: str) -> tuple[str, str, str] | None:
    """Return what a player does with a card, apart from the sign and the words that somebody wrote behind it.

    `plays Owl, oh wait he has no water` plays an owl; what is written with a capital may be of the card's name.
    """
    match = _REMARK.fullmatch(shape)
    meaning = meaning_of(match["act"]) if match and "{player}" in match["act"] else None
    return (match["sign"], match["act"], match["words"]) if match and meaning is not None and meaning.card else None
