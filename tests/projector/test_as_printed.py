"""Names and words written as they are printed: the import recognises them in every field of every event type."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import cycle
from string import ascii_lowercase
from typing import Any

import pytest
from msgspec import UNSET

from tabletape.events.importing.games.checks import Checks
from tabletape.events.importing.games.table import TableNames
from tabletape.events.importing.lines.lenient_reader import LenientReader
from tabletape.events.importing.lines.shapes import Holds, Shape, shapes_of
from tabletape.events.importing.maps.values.times import Clock
from tabletape.events.importing.report import Known
from tabletape.events.vocabulary import vocabulary
from tabletape.projector.archive.stored import known_of
from tabletape.projector.games import game, games
from tests.projector.test_quarantine_gaps import RECORDINGS, clean, lines_of, read

KNOWN = partial(known_of, RECORDINGS)
WORDS = {Holds.CHOICE, Holds.WORD, Holds.PRINTED}
SEATS = {"A": "Ann", "B": "Ben"}


def reader_of(slug: str) -> tuple[LenientReader, TableNames]:
    """Return a lenient reader of a game's lines, and the table that it reads them for."""
    table = TableNames(SEATS, KNOWN(slug), {UNSET, None})
    return LenientReader(vocabulary(slug), SEATS, table, Clock(None)), table


def word_shapes(shape: Shape) -> Iterator[Shape]:
    """Yield a shape and the shapes inside it, as far as they hold one of a list of words."""
    if shape.holds in WORDS:
        yield shape
    for each in (*shape.inside, *shape.fields.values()):
        yield from word_shapes(each)


def forms(word: str, noun: str) -> list[str]:
    """Return the forms in which people write a word."""
    title = word.replace("-", " ").title()
    with_noun = [f" {title} {noun}", f"The {title} {noun}s"] if noun else []
    return [word.upper(), title, word.replace("-", "_"), f"the {title}", *with_noun]


@pytest.mark.parametrize("slug", games())
def test_each_word_of_each_field_is_read_as_printed(slug: str) -> None:
    """Any case, spaces, hyphens or underscores, an article, its noun, a plural: all of it means the one word."""
    reader, table = reader_of(slug)
    for tag, event_type in vocabulary(slug).types.items():
        for name, field in shapes_of(event_type).items():
            for shape in word_shapes(field):
                words = table.words(shape)
                noun = next(iter(sorted(words.nouns, key=len, reverse=True)), "")
                for word in words.exact:
                    for form in forms(word, noun):
                        value = [form] if field.holds is Holds.LIST else form
                        meant = reader.meant({"type": tag, name: value})
                        assert meant is not None
                        assert meant[name] in (word, [word]), (tag, name, form)


@pytest.mark.parametrize("slug", games())
def test_two_words_of_a_field_are_never_confused(slug: str) -> None:
    """Each word of a field is recognised as itself, never as another word that is spelt like it."""
    _, table = reader_of(slug)
    for event_type in vocabulary(slug).types.values():
        for field in shapes_of(event_type).values():
            for shape in word_shapes(field):
                words = table.words(shape)
                assert all(words.called(word) == word for word in words.exact)


class Printer:
    """Rewrites the lines of a recording with names and words in the forms that people use, in turn."""

    def __init__(self, slug: str, seats: Mapping[str, str], known: Known) -> None:
        self.slug = slug
        self.seats = seats
        self.titles = {card: title for title, card in known.names.items()}
        self.turn = cycle(range(4))

    def line(self, text: str) -> str:
        """Return a line with its names and words in printed forms."""
        fields = json.loads(text)
        shapes = shapes_of(vocabulary(self.slug).types[fields["type"]])
        kept = {"type", "at", "note", "text", "rule"}
        return json.dumps(
            {name: each if name in kept else self.value(shapes[name], each) for name, each in fields.items()}
        )

    def value(self, shape: Shape, value: Any) -> Any:  # noqa: PLR0911 - one for each kind of value
        """Return a value in a printed form."""
        match shape.holds, value:
            case Holds.LIST, list():
                return [self.value(shape.inside[0], each) for each in value]
            case Holds.PAIRS, dict():
                keys, values = shape.inside
                return {self.value(keys, key): self.value(values, each) for key, each in value.items()}
            case Holds.PART, dict():
                part = {name: self.value(shape.fields[name], each) for name, each in value.items()}
                return f"{part['card']} to {part['to']}" if shape.sentence and next(self.turn) % 2 else part
            case Holds.PLACE, [row, column]:
                tile = shape.a_tile and row > 0
                return f"{ascii_lowercase[row - 1]}{column}" if tile else f"({row}, {column})"
            case Holds.TRUTH, bool():
                return "yes" if value else "No"
            case _, str():
                return self.word(shape, value)
        return value

    def word(self, shape: Shape, text: str) -> str:
        """Return a single name or word in a printed form."""
        turn = next(self.turn)
        match shape.holds:
            case Holds.PLAYER:
                return self.seats.get(text, text)
            case Holds.CARD if text in self.titles:
                return (self.titles[text], f"the {self.titles[text]}")[turn % 2]
            case Holds.COPY if not text.partition(":")[2].startswith("?"):
                owner, _, card = text.rpartition(":")
                name, mark, number = card.partition("#")
                if name in self.titles and owner in self.seats:
                    whose = (f"{owner}:", f"{self.seats[owner]}: ", f"{self.seats[owner]}'s ", f"{owner}: ")[turn]
                    return f"{whose}{self.titles[name]}{' ' * bool(mark and turn % 2)}{mark}{number}"
            case Holds.CHOICE | Holds.WORD if text in shape.words.exact:
                return text.replace("-", (" ", "_", "-", "")[turn]).capitalize()
            case Holds.PRINTED:
                return text.title()
        return text


@pytest.mark.parametrize("slug", games())
def test_a_log_with_everything_as_printed_is_the_same_game(slug: str) -> None:
    """Each clean recording, with names, words, tiles and answers in printed forms, is imported as the same events."""
    for path in clean(slug):
        lines = lines_of(path)
        games_of, entries = read(lines, known=KNOWN)
        seats = {each["id"]: each["name"] for each in json.loads(lines[0])["players"]}
        has_own_cards, without_owner = (
            path.with_suffix(".cards.toml").exists(),
            any('"source": "cinder' in each for each in lines),
        )
        if entries or len({*seats.values()}) < len(seats) or has_own_cards or without_owner:
            continue
        printer = Printer(slug, seats, KNOWN(slug))
        printed = [lines[0], *(line if '"game.started"' in line else printer.line(line) for line in lines[1:])]
        found, left = read(printed, known=KNOWN)
        assert [(entry.raw, entry.message) for entry in left] == [], path.stem
        assert [one.chain.rows.bodies for one in found] == [one.chain.rows.bodies for one in games_of], path.stem


def entry_of(slug: str, line: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the events that a line after the head is imported as, and the questions about it (code, suggestion)."""
    label = game(slug).rulebook.editions[0].label
    players = '[{"id":"A","name":"Ann"},{"id":"B","name":"Ben"}]'
    head = f'{{"type":"game.started","game":"{slug}","edition":"{label}","id":"x","players":{players}}}'
    (one,), entries = read([head, line], known=KNOWN)
    return one.chain.rows.bodies[1:], [(each.code, each.suggestion) for each in entries]


def test_a_misspelt_word_is_asked_about() -> None:
    """A lane that is spelt like one of the three is a question, not an accusation; any other is left to the audit."""
    line = '{"type":"card.deployed","player":"A","card":"A:?1","lane":"%s"}'
    (body,), asked = entry_of("crystal", line % "tec")
    assert '"log.gap"' in body
    assert asked == [("unknown-word", "did you mean `tech`?")]
    for lane in ("minning", "MINING", "Mining Lane"):
        (body,), asked = entry_of("crystal", line % lane)
        assert ('"lane":"mining"' in body, asked) == (True, [])
    (body,), asked = entry_of("crystal", line % "north")
    assert ('"lane":"north"' in body, asked) == (True, [])


def test_parts_of_an_event_may_be_one_sentence() -> None:
    """Two Species that are moved may be written in one text, as people say it."""
    line = '{"type":"species.moved","player":"A","moves":"Brown Rat to (1, -1); Ann\'s Chicken to 0/2"}'
    (body,), asked = entry_of("phylogenome", line)
    assert json.loads(body)["moves"] == [{"card": "A:brown-rat", "to": [1, -1]}, {"card": "A:chicken", "to": [0, 2]}]
    assert asked == []


def test_an_ambiguous_owner_is_asked_about() -> None:
    """A target that both players have is a question; one that only the opponent has is the opponent's."""
    lists = [
        f'{{"type":"deck.declared","player":"{player}","faction":"verdant-choir","basic":[],"cards":{cards}}}'
        for player, cards in (("A", '["scrap-runner","blast-sapper"]'), ("B", '["scrap-runner","siege-crown"]'))
    ]
    head = '{"type":"game.started","game":"crystal","edition":"2025","id":"x","players":["Ann","Ben"]}'
    line = '{"type":"card.deployed","player":"A","card":"Blast Sapper","lane":"attack","target":"%s"}'
    (one,), entries = read([head, *lists, line % "Siege Crown"], known=KNOWN)
    assert entries == []
    assert json.loads(one.chain.rows.bodies[-1])["target"] == "B:siege-crown"
    (one,), (entry,) = read([head, *lists, line % "Scrap Runner"], known=KNOWN)
    assert (entry.code, entry.message) == ("which-copy", "whose scrap-runner is meant is not written")
    assert entry.suggestion == "write whose it is in front of it, as in Ann: Reed Heron"
    assert one.chain.rows.types[-1] == "log.gap"


def test_a_minus_sign_in_card_text_is_not_a_hyphen() -> None:
    """Card texts that differ only in plus or minus, or in a number, are different texts."""
    words = Known(frozenset(), {}, printed={"active": frozenset({"@: dom +1", "@: dom -1", "@: dom +2"})})
    table = TableNames(SEATS, words, {UNSET, None})
    reader = LenientReader(vocabulary("splicers"), SEATS, table, Clock(None))
    for written, text in (("@ : Dom +1", "@: dom +1"), ("@: DOM \u22121", "@: dom -1"), ("@: dom + 2", "@: dom + 2")):
        meant = reader.meant({"type": "ability.used", "ability": written})
        assert meant is not None
        assert meant["ability"] == text


def test_editions_and_rulings_are_read_as_printed() -> None:
    """An edition in capitals and a ruling with spaces mean the edition and the ruling of the rulebook."""
    players = '[{"id":"A","name":"Ann"},{"id":"B","name":"Ben"}]'
    rulings = '{"Domination Threshold":"At Least"}'
    head = (
        f'{{"type":"game.started","game":"splicers","edition":"0.2A","id":"x","players":{players},"rulings":{rulings}}}'
    )
    (one,), entries = read([head], known=KNOWN)
    assert entries == []
    assert (one.head.edition, one.head.rulings) == ("0.2a", {"domination_threshold": "at_least"})
    assert Checks(KNOWN).edition(one.head) == ""
