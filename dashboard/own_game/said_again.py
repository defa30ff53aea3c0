"""What an answer to a line of a chat says: what that line means, and those that are like it."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import tomlkit

from tabletape.dashboard.own_game.chat import ChatReading, ReadLines, done_by, in_words, is_readable, restated
from tabletape.dashboard.own_game.file import SaidMove, move_table, with_changes, write_checked
from tabletape.dashboard.own_game.line_shapes import CLAUSE, LineShape, ShapeReader
from tabletape.dashboard.own_game.messages import DETERMINERS, DRAWN_BY, FILLERS, NO_VERB, WORD, number_of, table_verbs
from tabletape.dashboard.own_game.offered import LineOffer
from tabletape.dashboard.own_game.place_effects import OUT
from tabletape.dashboard.own_game.states import taking
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.events.importing.maps.counted import forms_of
from tabletape.events.importing.maps.map import SUFFIX
from tabletape.events.importing.maps.move_words import forms_of_verb, move_called
from tabletape.events.importing.maps.proposing.earlier import Entry
from tabletape.events.importing.maps.proposing.spoken import required_of
from tabletape.events.importing.maps.values.captured import DRAW_EVENT
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.open_games import SOMEWHERE
from tabletape.events.workspace_files import GameFileError, text_of

TALK_WORDS: Final = frozenset({"talk", "t"})
"""What somebody says of a line that is talk."""

NO_MOVE: Final = "that is none of the moves, with the cards and players that belong to it, nor do cards come out there"
"""What is said of an answer that cannot be read."""

NOBODY_SAYS: Final = (
    "no player says this line: write who does it and what, such as `16 Ann draws 1`, or `16 talk`, or `16 comes out` "
    "where cards come out"
)
"""What is said of an answer that reads such a line as a move of nobody."""

_OUT_WORDS: Final = frozenset({"comes out", "out", "kommt heraus"})
"""What somebody says of a line by which cards come out that no player takes or lays: a market is filled up."""

_SAYING: Final = FILLERS | NO_VERB | word_list("small")
"""Words that tell of no thing which a move is about."""

_BEGUN: Final = "# as a line says it; goes with the last of these"
"""Stands behind the header of a move that somebody's answer about a line has begun."""

_DISPLAY: Final = "display"
_FIELDS: Final = {
    "{card}": ("cards", f"cards of {SOMEWHERE}?"),
    "{name}": ("to", "player?"),
    "{number}": ("number", "number 0 to 1000?"),
}
"""What a line of a move may name, and the field of a file that says so."""


class SaidLine(NamedTuple):
    """A chat with a line that somebody has said again: what that is read as, the other lines that are read so.

    `near` are those that say it in more words: somebody has to say that they are the same.
    """

    reading: ChatReading
    words: str
    also: tuple[int, ...]
    near: tuple[LineOffer, ...]

    @property
    def in_words(self) -> str:
        """What the line is read as, and which others are."""
        lines = f"{'lines' if len(self.also) > 1 else 'line'} {', '.join(map(str, self.also))}"
        return f"read as {self.words}{f'; read so too: {lines}' if self.also else ''}"


def said_again(chat: ChatReading, number: int, words: str, folder: Path) -> SaidLine | None:
    """Return a chat with what somebody says of a line, open or read wrongly; None where these words say no move.

    That is `talk`, `comes out` or the move in plain words. Every line of the same shape that was open, or read so, is
    read so from now on, with the cards, names and numbers that it says itself; what says it in more words is `near`.
    """
    texts = dict(chat.seen.lines)
    before, spoken = chat.lines(folder), "" if words.casefold() in TALK_WORDS | _OUT_WORDS else words
    kinds, act = before.alike(number), _doer(chat, number, words)[1]
    for clause in filter(None, (each.strip() for each in CLAUSE.split(act))):
        if _is_new_move(chat, clause, texts[number], is_beside=not act.startswith(clause)):
            _begin_move(folder / "games" / f"{chat.slug}.toml", clause, ShapeReader(chat.slug, chat.seen.players))
    like = {line: text for line, text in texts.items() if before.alike(line) == kinds}
    like = {line: text for line, text in like.items() if (line in before.open) == (number in before.open)}
    shapes = ShapeReader(chat.slug, chat.seen.players)
    taught = shapes.shape(chat.speaker(texts[number])[1])
    if words.casefold() in _OUT_WORDS:
        cards = [said for kind, said in _holes(taught) if kind == "{card}"]
        words = f"{OUT} {', '.join(cards)}"
        if cards:
            _let_cards_out(folder / "games" / f"{chat.slug}.toml")
    entry = meaning_said(chat, (number, texts[number]), words, folder)
    entry = entry or _with_fields_open(chat, (number, texts[number]), words, folder)
    if entry is None:
        return None
    reading, near = chat.with_entry(entry), []
    for other, line in like.items():
        shape, is_same = _like(taught, chat.speaker(line)[1], shapes)
        filled = filled_words(words, shapes, taught, shape) if shape and other != number else ""
        meant = meaning_said(chat, (other, line), filled, folder) if filled and not chat.is_withdrawn(line) else None
        if meant is not None and is_same:
            reading = reading.with_entry(meant)
        elif meant is not None:
            read = in_words((meant[1], *meant[1].get("also", ()))) if "event" in meant[1] else "talk"
            near.append(LineOffer(other, f"{line.strip()}: read as {read}", meant))
    after = reading.lines(folder)
    also = tuple(
        each
        for each in like
        if each != number
        and each not in after.open
        and (each in before.open or after.meant(each) != before.meant(each))
    )
    spoken = shapes.in_full(spoken)
    unused = unused_words(spoken, entry, shapes) + _cards_unused(spoken, entry, shapes) or _left_out(
        shapes.in_full(chat.speaker(texts[number])[1]), spoken, shapes
    )
    near = [each for each in near if each.number not in also]
    _end_moves(chat, after, folder)
    return SaidLine(reading, f"{after.meant(number)}{unused}", also, tuple(near))


def unused_words(said: str, entry: Entry, shapes: ShapeReader) -> str:
    """Return which words that say more than how a move is said are not in an entry; empty where there are none."""
    held = {*WORD.findall(str(entry[1]).casefold().replace("'", " "))}
    held |= {"draw", "draws", "drew"} if DRAW_EVENT in str(entry[1]) else set()
    words = (each[0].casefold() for each in WORD.finditer(shapes.without_holes(said)))
    done = {each["event"] for each in (entry[1], *entry[1].get("also", ())) if "event" in each}
    left = [word for word in dict.fromkeys(words) if word not in held | _SAYING and not shapes.is_among(word, done)]
    return f"; {' and '.join(left)} {'are' if len(left) > 1 else 'is'} not used" if left else ""


def _cards_unused(said: str, entry: Entry, shapes: ShapeReader) -> str:
    """Return which cards of an answer are not in its entry: the move names none."""
    held = re.findall(r"[^\W\d_]+", str(entry[1]).casefold())
    cards = (said[start:end].casefold() for start, end, kind in shapes.holes_in(said) if kind == "{card}")
    left = [card for card in cards if not any(_is_same(card.split()[0], word) for word in held)]
    return f"; {' and '.join(left)} {'are' if len(left) > 1 else 'is'} not used" if left else ""


def _left_out(message: str, spoken: str, shapes: ShapeReader) -> str:
    """Return which numbers and cards of a message an answer leaves out; empty where it is no move, or none."""
    said = [*re.findall(r"\w+", spoken.casefold()), *(spoken[start:end] for start, end, _ in shapes.holes_in(spoken))]
    holes = (message[start:end].casefold() for start, end, kind in shapes.holes_in(message) if kind != "{name}")
    left = [each for each in dict.fromkeys(holes) if not any(_is_same(each, word) for word in said)]
    return f"; its {' and '.join(left)} {'are' if len(left) > 1 else 'is'} left out" if said and left else ""


def _like(taught: LineShape, message: str, shapes: ShapeReader) -> tuple[LineShape | None, bool]:
    """Return the shape of a message that is like a taught one, and whether it is surely the same; None for another."""
    shape = shapes.shape(message)
    if shape.words == taught.words:
        return shape, not taught.is_bare
    acts = [shape, *(shapes.shape(act) for act in _without_asides(message, shapes))]
    found = (each for each in acts if each.words == taught.words or shapes.adds_little(taught, each))
    return next(found, None) or next((each for each in acts if shapes.is_word_apart(taught, each)), None), False


def _without_asides(message: str, shapes: ShapeReader) -> Iterator[str]:
    """Yield a message without its last clauses, where these say nothing of moves, cards and others."""
    for sign in reversed([*CLAUSE.finditer(message)]):
        act, aside = message[: sign.start()], message[sign.end() :]
        if act and not (shapes.is_doubtful(aside) or "?" in sign[0] or shapes.named.first_in(aside)):
            yield act


def _is_new_move(chat: ChatReading, words: str, line: str, *, is_beside: bool) -> bool:
    """Return whether an answer says a verb that is no move yet, and behind it only cards, players and numbers.

    It is one that every table knows, or that its line says itself, and no slip of typing. What is done `beside` another
    move is both, and may be done to a thing that its line names: `take the crown`.
    """
    verb, _, rest = words.casefold().partition(" ")
    shapes = ShapeReader(chat.slug, chat.seen.players)
    left = {*WORD.findall(shapes.without_holes(rest))} - word_list("small") - word_list("paying")
    said = {form for word in WORD.findall(line.casefold()) for form in forms_of_verb(word)}
    is_said = verb in said and verb not in FILLERS | word_list("carrying") | TALK_WORDS and not [*shapes.slips(verb)]
    if is_beside:
        left -= {*WORD.findall(line.casefold())}
        is_said = is_said and verb in table_verbs()
    is_verb = is_said or (verb in table_verbs() and shapes.names_card(rest))
    is_known = shapes.is_act(verb) or not DRAWN_BY.isdisjoint(forms_of_verb(verb))
    return is_verb and not left and not is_known and not [*shapes.holes_in(verb)]


def _begin_move(file: Path, words: str, shapes: ShapeReader) -> None:
    """Write into the file of a game the move that an answer says, with what it names: `play crab 9`, `win pike`."""
    verb, _, rest = words.casefold().partition(" ")
    named = {kind for _, _, kind in shapes.holes_in(rest)}
    marks = ("?" if hole in named else "" for hole in ("{card}", "{name}", "{number}"))
    cards, to, number = marks
    name = min((each for each in forms_of_verb(verb) if each in table_verbs()), key=len, default=verb)
    thing = " ".join(sorted({*WORD.findall(shapes.without_holes(rest))} - word_list("small") - word_list("paying")))
    said = SaidMove(name, (), to=to, cards="!" if cards and not number else cards, number=number, takes=thing)
    table = move_table(said)
    if thing:  # It is said beside the one move of a turn, which may be over by that.
        table.update({"owed": True, "does": taking(tomlkit.parse(text_of(file)), thing)})
    document = tomlkit.parse(with_changes(text_of(file), {"move": {said.name: table}}))
    document["move"][said.name].comment(_BEGUN.removeprefix("# "))
    write_checked(file, tomlkit.dumps(document))


def _end_moves(chat: ChatReading, after: ReadLines, folder: Path) -> None:
    """Take the moves out of the file of a game that an answer about a line began, and that no line says any more."""
    file = folder / "games" / f"{chat.slug}.toml"
    document = tomlkit.parse(text_of(file))
    maps = (text_of(each) for place in (folder, folder / "maps") for each in place.glob(f"*{SUFFIX}"))
    others = "\n".join(each for each in maps if each != chat.written)
    said = {each["event"].removeprefix("move.") for some in after.moves.values() for each in some}
    for name, table in [*document.get("move", {}).items()]:
        is_said = name in said or f"move.{name}" in others or "needs" in table
        if table.trivia.comment == _BEGUN and not is_said:
            del document["move"][name]
    with suppress(GameFileError):  # Another rule may speak of it: then it stays.
        write_checked(file, tomlkit.dumps(document))


def _with_fields_open(chat: ChatReading, said: tuple[int, str], words: str, folder: Path) -> Entry | None:
    """Return what a line means by an answer that leaves out what each line of its move has named so far, or names more.

    From then on the file lets lines of that move do so.
    """
    file, known = folder / "games" / f"{chat.slug}.toml", vocabulary(chat.slug)
    who, act = _doer(chat, said[0], words)
    tag = next((move_called(word, known) for word in WORD.findall(act)[:1]), "")
    kind, text = known.types.get(tag), text_of(file)
    fields = tomlkit.parse(text).get("move", {}).get(tag.removeprefix("move."), {}).get("fields", {})
    names = [each.name for each in required_of(kind)] if kind else []
    needed = {name: f"{fields[name]}?" for name in names if name in fields}
    holes = ShapeReader(chat.slug, chat.seen.players).holes_in(act)
    named = {hole: act[start:end] for start, end, hole in holes}
    own = {hole for hole, each in named.items() if hole == "{name}" or each.casefold() in said[1].casefold()}
    needed |= {name: what for hole, (name, what) in _FIELDS.items() if kind and hole in own and name not in fields}
    if not needed:
        return None
    write_checked(file, with_changes(text, {"move": {tag.removeprefix("move."): {"fields": needed}}}))
    entry = meaning_said(chat, said, words, folder)
    if entry is None and "{name}" in named:
        cards = named.get("{card}", "")
        entry = meaning_said(chat, said, f"{who} {WORD.findall(act)[0]} {cards} with {named['{name}']}", folder)
    if entry is None:
        write_checked(file, text)
    return entry


def _let_cards_out(file: Path) -> None:
    """Write into the file of a game that cards come out, which is no action of a turn; as they are where it says so."""
    if f"move.{OUT}" in vocabulary(file.stem).types:
        return
    move = {"owed": True, "does": [f"cards -> {_DISPLAY}"], "fields": {"cards": f"cards of {SOMEWHERE}"}}
    write_checked(file, with_changes(text_of(file), {"zones": {_DISPLAY: "shared"}, "move": {OUT: move}}))


def meaning_said(chat: ChatReading, said: tuple[int, str], words: str, folder: Path) -> Entry | None:
    """Return what a line means by an answer; one that no player says is told of who is named, or who spoke last."""
    number, line = said
    if words.casefold() in TALK_WORDS:
        talk: Entry = chat.sentence(line), {"skip": True}
        return talk if is_readable(talk, chat.slug) else None
    shapes = ShapeReader(chat.slug, chat.seen.players)
    who, act = _doer(chat, number, shapes.in_full(words))
    is_told = chat.speaker(line)[0] != who
    spoken = chat.spoken_by(who, line) if is_told else line
    meant = restated(chat, number, spoken, act, folder)
    for plain in () if meant else _without_own_words(act, chat.speaker(spoken)[1], shapes):
        meant = meant or restated(chat, number, spoken, plain, folder)
    return done_by(who, line, meant[1], chat.slug) if meant is not None and is_told else meant


def _doer(chat: ChatReading, number: int, words: str) -> tuple[str, str]:
    """Return who does what an answer says of a line, and what without that name; empty where nobody says it.

    It is whom the answer names first, who says the line, or the only player in it; cards come out behind the move of
    who spoke last.
    """
    line = dict(chat.seen.lines)[number]
    first, _, act = words.partition(" ")
    named = next((each for each in chat.seen.players if act and each.casefold() == first.casefold()), "")
    words = act if named else words
    says = chat.speaker(line)[0]
    if words.startswith(OUT) and not says:
        spoken = {at: who for at, text in chat.seen.lines if (who := chat.speaker(text)[0])}
        named = spoken[max((at for at in spoken if at < number), default=min(spoken))]
    return named or says or chat.doer(line), words


def _without_own_words(words: str, message: str, shapes: ShapeReader) -> Iterator[str]:
    """Yield an answer without the last of its words that name no card, as far as its line says these, or articles."""
    own = {*WORD.findall(message.casefold())} | DETERMINERS
    while (word := re.search(r"[\s,]+([^\s,]+)$", words)) and {*WORD.findall(word[1].casefold())} & own:
        if shapes.is_doubtful(word[1]) or shapes.named.first_in(word[1]) or [*shapes.holes_in(word[1])]:
            return
        words = words[: word.start()]
        yield words


def _holes(shape: LineShape) -> list[tuple[str, str]]:
    kinds = (word for word in shape.words if word.startswith("{"))
    return [*zip(kinds, shape.said, strict=True)]


def filled_words(words: str, shapes: ShapeReader, taught: LineShape, other: LineShape) -> str:
    """Return an answer with what another line says in place of what the taught one says.

    It is empty where the answer says something that its line does not, or not as often: that is known of this line
    only.
    """
    if words.casefold() in TALK_WORDS:
        return words
    holes, fill = _holes(taught), _holes(other)
    if [kind for kind, _ in holes] != [kind for kind, _ in fill]:
        return ""
    named = [*shapes.holes_in(words)]
    pieces, end = list[str](), 0
    for start, stop, kind in named:
        places = [at for at, hole in enumerate(holes) if hole[0] == kind and _is_same(hole[1], words[start:stop])]
        like = [at for at, till, other in named if other == kind and _is_same(words[at:till], words[start:stop])]
        if len(places) != len(like):
            return ""
        pieces += [words[end:start], fill[places[like.index(start)]][1]]
        end = stop
    return "".join([*pieces, words[end:]])


def _is_same(said: str, word: str) -> bool:
    one, other = said.casefold(), word.casefold()
    forms = {*forms_of(one)} & {*forms_of(other)}
    return bool(forms) or 0 < number_of(one) == number_of(other)
