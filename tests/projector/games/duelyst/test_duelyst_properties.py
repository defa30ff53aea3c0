"""What holds for every Duelyst-style game, whoever plays and whatever a log says."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from events.games import duelyst as ev
from events.vocabulary import Consequence, Event, fields_of, vocabulary
from projector.fold.folding import fold
from projector.fold.judging import Judging
from projector.fold.replay import Replay
from projector.games import game
from projector.games.duelyst.state import Duelyst
from projector.games.duelyst.tiles import TILES
from projector.model.rulebook import Ruleset
from projector.model.table import Table
from projector.selfplay.bots import Bot
from projector.selfplay.dice import SeededDice
from projector.selfplay.simulate import Plan, simulate

GAME = game("duelyst")
WORDS = vocabulary("duelyst")
RECORDINGS = Path(__file__).parents[3] / "recordings" / "duelyst"
SEEDS = st.integers(min_value=1, max_value=60)
EDITIONS = st.sampled_from(["rulebook", "digital"])


@st.composite
def readings(draw: st.DrawFn) -> tuple[tuple[str, str], ...]:
    """Return an option for every ruling, as sorted pairs."""
    found = {
        ruling.key: draw(st.sampled_from([option.name for option in ruling.options]))
        for ruling in GAME.rulebook.rulings
        if ruling.key != "deck_rules"  # The sample decks are of other sizes.
    }
    return tuple(sorted(found.items()))


@cache
def played(
    seed: int, edition: str = "rulebook", bot: Bot = Bot.RANDOM, rulings: tuple[tuple[str, str], ...] = ()
) -> tuple[Event, ...]:
    """Return a whole game of two bots, with everything that follows written down."""
    plan = Plan(seed=seed, bots=(bot, bot), edition=edition, rulings=dict(rulings), full=True)
    found = next(simulate(GAME, GAME.cards, plan, 1))
    assert rulings or not found.abandoned  # Who may replace without end may do so until the limit.
    assert found.findings == []
    return tuple(found.events)


def driving(events: tuple[Event, ...]) -> list[Event]:
    """Leave out what follows from the other lines."""
    return [event for event in events if not isinstance(event, Consequence)]


@settings(deadline=None, max_examples=15)
@given(seed=SEEDS, edition=EDITIONS)
def test_a_bots_game_has_no_findings(seed: int, edition: str) -> None:
    """What is legal is judged legal, what luck writes is permitted, and the game ends with a dead general."""
    replay = fold(GAME, played(seed, edition))
    assert replay.findings == []
    assert replay.table.reason in {"general-killed", "both-generals-killed"}


@settings(deadline=None, max_examples=15)
@given(seed=SEEDS, rulings=readings())
def test_bots_play_under_every_reading(seed: int, rulings: tuple[tuple[str, str], ...]) -> None:
    """Under any readings together what is offered is legal, and nothing but what follows from it is derived."""
    events = played(seed, rulings=rulings)
    assert fold(GAME, events).findings == []
    assert fold(GAME, driving(events)).findings == []


@settings(deadline=None, max_examples=10)
@given(seed=SEEDS, edition=EDITIONS)
def test_who_provokes_is_known_at_every_moment(seed: int, edition: str) -> None:
    """The units that are asked for provoke are those on the board that have it, in the order of entering."""
    replay = fold(GAME, played(seed, edition))
    for step in range(0, len(replay.events), 5):
        table = replay.at(step)
        assert isinstance(table, Duelyst)
        assert list(table.provoking) == [each.name for each in table.zones["board"].cards if "provoke" in each.keywords]


@settings(deadline=None, max_examples=10)
@given(seed=SEEDS, edition=EDITIONS, data=st.data())
def test_who_stands_where_is_known_after_wrong_lines(seed: int, edition: str, data: st.DataObject) -> None:
    """Also where lines put units onto tiles that are taken, a tile is that unit's which entered the board first."""
    events = driving(played(seed, edition))
    tiles = data.draw(st.lists(st.sampled_from(TILES), min_size=len(events), max_size=len(events)))
    for index in data.draw(st.sets(st.integers(1, len(events) - 1), max_size=12)):
        for field in {"tile", "to"} & {*events[index].__struct_fields__}:
            events[index] = msgspec.structs.replace(events[index], **{field: tiles[index]})
    replay = Replay(GAME, GAME.rulebook.ruleset(edition))
    for event in events:
        table = replay.run([event]).table
        assert isinstance(table, Duelyst)
        units = table.zones["board"].cards
        assert table.standing == {unit.place: unit for unit in reversed(units)}
        assert [*table.timed] == [unit.name for unit in units if "timed" in unit.text.heeded]
    half = len(events) // 2
    assert replay.at(half).state() == fold(GAME, events[: half + 1], edition=edition).table.state()


def test_a_greedy_bot_beats_a_random_one() -> None:
    """How good a table looks leads to winning."""
    plan = Plan(seed=3, bots=(Bot.GREEDY, Bot.RANDOM))
    winners = [found.winner for found in simulate(GAME, GAME.cards, plan, 8)]
    assert winners.count("A") >= 7


def candidates(table: Duelyst, player: str) -> Iterator[Event]:
    """Return every decision that could be written down with the cards and tiles there are."""
    units = [unit.name for unit in table.zones["board"].cards]
    targets: list[Any] = [UNSET, *units]
    hand = [card.name for card in table.zones[f"hand:{player}"].cards]
    for unit in units:
        yield from (ev.UnitMoved(player=player, unit=unit, to=tile) for tile in TILES)
        yield from (ev.UnitAttacked(player=player, unit=unit, target=target) for target in units)
    for card in hand:
        yield ev.CardReplaced(player=player, card=card)
        yield ev.ArtifactEquipped(player=player, card=card)
        yield from (ev.SpellCast(player=player, card=card, target=target) for target in targets)
        for target in targets:
            yield from (ev.MinionSummoned(player=player, card=card, tile=tile, target=target) for tile in TILES)
    for target in targets:
        yield ev.BloodboundSpellCast(player=player, target=target)
        yield from (ev.BloodboundSpellCast(player=player, target=target, tile=tile) for tile in TILES)
    for number in (1, 2):
        name = f"{player}:mechaz0r#{number}"
        yield from (ev.MechSummoned(player=player, unit=name, tile=tile) for tile in TILES)
    yield ev.TurnEnded(player=player)


def complaints(judging: Judging, event: Event) -> bool:
    """Return whether the rules of the row complain about an event at this table."""
    before = len(judging.raw_findings)
    judging._judge(judging._rows.get(type(event), ()), event)
    found = len(judging.raw_findings) > before
    judging._found.clear()
    return found


def judging_at(table: Table[Any, Any], ruleset: Ruleset) -> Judging:
    """Return what makes the tests of lines at a table, and plays nothing."""
    judging = Judging(GAME, ruleset)
    judging.table = table
    return judging


@settings(deadline=None, max_examples=12)
@given(seed=SEEDS, edition=EDITIONS, data=st.data())
def test_legal_decisions_are_exactly_those_that_break_no_rule(seed: int, edition: str, data: st.DataObject) -> None:
    """Of all decisions that could be written down, the legal ones are offered and no others."""
    check_offers(played(seed, edition), GAME.rulebook.ruleset(edition), data)


@settings(deadline=None, max_examples=12)
@given(seed=SEEDS, rulings=readings(), data=st.data())
def test_legal_is_what_is_offered_under_every_reading(
    seed: int, rulings: tuple[tuple[str, str], ...], data: st.DataObject
) -> None:
    """The same holds under any readings together."""
    check_offers(played(seed, rulings=rulings), GAME.rulebook.ruleset("rulebook", dict(rulings)), data)


def check_offers(events: tuple[Event, ...], ruleset: Ruleset, data: st.DataObject) -> None:
    """Assert that at some moment of a game the decisions that are offered are those that break no rule."""
    cut = data.draw(st.integers(min_value=9, max_value=len(events) - 1))
    table = Replay(GAME, ruleset).run(events[:cut]).table
    assert isinstance(table, Duelyst)
    judging = judging_at(table, ruleset)
    for player in GAME.actors(table):
        if table.turn:
            kept = {event for event in candidates(table, player) if not complaints(judging, event)}
            assert set(GAME.legal(table, player)) == kept


def test_every_mulligan_that_is_offered_is_legal() -> None:
    """With the cards that luck draws for it, every mulligan that is offered breaks no rule."""
    events = driving(played(1))
    before = next(n for n, event in enumerate(events) if isinstance(event, ev.MulliganTaken))
    replay = fold(GAME, events[:before])
    offered = GAME.legal(replay.table, "A")
    judging = judging_at(replay.table, GAME.rulebook.ruleset("rulebook"))
    assert len(offered) == 32
    for event in offered:
        dice = SeededDice("mulligan")
        dice.shuffle("A", add=[card.name for card in replay.table.zones["deck:A"].cards])
        line = GAME.fill_in_chance(replay.table, event, dice)
        assert not complaints(judging, line)


# -- logs that make no sense -------------------------------------------------------------------------------------------


NAMES = st.sampled_from(
    [
        "A:argeon-highmayne",
        "B:zirix-starstrider",
        "A:koi#1",
        "B:?1",
        "A:nobody",
        "C:koi",
        "koi",
        "A:tempest",
        "B:wind-dervish#1",
        "A:roar",
        "A:sunstone-bracers#1",
        "",
    ]
)
PLAYERS = st.sampled_from(["A", "B", "C", ""])


def values(name: str, kind: type[Event]) -> st.SearchStrategy[Any]:
    """Return values for a field of an event type, sensible and not."""
    if name in {"player", "winner"}:
        return PLAYERS
    if name in {"tile", "to"} and kind is not ev.PlayTakenBack:
        return st.tuples(st.integers(-1, 10), st.integers(-1, 10)).map(list)
    if name in {"cards", "returned", "drawn"}:
        return st.lists(NAMES, max_size=3)
    if name == "reason":
        return st.sampled_from(["setup", "mulligan", "general-killed", "concession"])
    numbers = {"amount", "mana", "capacity", "health", "attack", "durability", "progress", "count", "units", "hand"}
    if name in numbers | {"to", "turn", "deck", "graveyard", "artifacts"}:
        return st.integers(0, 30)
    return NAMES


@st.composite
def nonsense(draw: st.DrawFn) -> Event:
    """Return an event of any type with any values."""
    tag, kind = draw(st.sampled_from(sorted(WORDS.types.items())))
    line: dict[str, Any] = {"type": tag}
    for field in fields_of(kind):
        if field.required or draw(st.booleans()):
            line[field.name] = draw(values(field.name, kind))
    if tag == "cards.drawn":
        line.pop("count" if "cards" in line else "", None)
        line.setdefault("count", 1) if "cards" not in line else None
    try:
        return WORDS.convert(line)
    except msgspec.ValidationError:
        return ev.TurnEnded(player="A")


@settings(deadline=None, max_examples=200)
@given(seed=SEEDS, lines=st.lists(nonsense(), min_size=1, max_size=12), data=st.data())
def test_nonsense_never_surprises_the_fold(seed: int, lines: list[Event], data: st.DataObject) -> None:
    """Whatever a log says, it is folded, or stopped with a reason in words; a stopped table is whole."""
    events = played(seed)
    cut = data.draw(st.integers(min_value=1, max_value=len(events)))
    replay = Replay(GAME, GAME.rulebook.ruleset("rulebook")).run([*events[:cut], *lines])
    if replay.stopped is not None:
        assert "could not be folded" not in replay.stopped.reason, replay.stopped
    for viewer in ("", "A", "*"):
        GAME.areas(replay.table, viewer)
    for player in replay.table.players:
        assert 0 <= GAME.progress(replay.table, player) <= 1
        GAME.totals(replay.table, player)
        GAME.legal(replay.table, player)


@pytest.mark.parametrize("path", sorted(RECORDINGS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_recorded_game_can_be_walked_back(path: Path) -> None:
    """Also after illegal lines the way back leads to the table that was laid out."""
    events = [WORDS.decode(line) for line in path.read_text(encoding="utf-8").splitlines()]
    replay = fold(GAME, events)
    start = fold(GAME, events[:1]).table.state()
    replay.table.undo(replay.journal_ends[0])
    assert replay.table.state() == start
