"""Properties of all Duelyst-style games: those of bots, offered decisions, and logs that make no sense."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Consequence, Event, fields_of, vocabulary
from tabletape.events.vocabulary.shared import PlayTakenBack
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.games.duelyst.state import Duelyst
from tabletape.projector.games.duelyst.tiles import TILES
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.table import Table
from tabletape.projector.selfplay.dice import SeededDice
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate

GAME = game("duelyst")
VOCABULARY = vocabulary("duelyst")
RECORDINGS = Path(__file__).parents[3] / "recordings" / "duelyst"
SEEDS = st.integers(min_value=1, max_value=60)
EDITIONS = st.sampled_from(["rulebook", "digital"])


@st.composite
def mixed_rulings(draw: st.DrawFn) -> tuple[tuple[str, str], ...]:
    """Return an option for every ruling, as sorted pairs."""
    found = {
        ruling.key: draw(st.sampled_from([option.name for option in ruling.options]))
        for ruling in GAME.rulebook.rulings
        if ruling.key != "deck_rules"  # The sample decks are of other sizes.
    }
    return tuple(sorted(found.items()))


@cache
def game_of_bots(
    seed: int, edition: str = "rulebook", bot: Bot = Bot.RANDOM, rulings: tuple[tuple[str, str], ...] = ()
) -> tuple[Event, ...]:
    """Return a whole game of two bots with all its consequences."""
    plan = Plan(seed=seed, bots=(bot, bot), edition=edition, rulings=dict(rulings), full=True)
    found = next(simulate(GAME, GAME.cards, plan, 1))
    assert rulings or not found.abandoned  # With unlimited replacing a game can reach its limit of lines.
    assert found.findings == []
    return tuple(found.events)


def without_consequences(events: tuple[Event, ...]) -> list[Event]:
    """Return the events that are no consequences."""
    return [event for event in events if not isinstance(event, Consequence)]


@settings(deadline=None, max_examples=15)
@given(seed=SEEDS, edition=EDITIONS)
def test_a_game_of_bots_has_no_findings(seed: int, edition: str) -> None:
    """The audit finds nothing in a game of bots, and the game ends with a dead general."""
    replay = fold(GAME, game_of_bots(seed, edition))
    assert replay.findings == []
    assert replay.table.reason in {"general-killed", "both-generals-killed"}


@settings(deadline=None, max_examples=15)
@given(seed=SEEDS, rulings=mixed_rulings())
def test_games_of_bots_are_clean_under_any_mix_of_rulings(seed: int, rulings: tuple[tuple[str, str], ...]) -> None:
    """Under any options together a game of bots is clean, with its consequences and without them."""
    events = game_of_bots(seed, rulings=rulings)
    assert fold(GAME, events).findings == []
    assert fold(GAME, without_consequences(events)).findings == []


@settings(deadline=None, max_examples=10)
@given(seed=SEEDS, edition=EDITIONS)
def test_the_index_of_provoking_units_is_right_after_every_line(seed: int, edition: str) -> None:
    """`provoking` holds the units on the board that have provoke, in the order of entering."""
    replay = fold(GAME, game_of_bots(seed, edition))
    for step in range(0, len(replay.events), 5):
        table = replay.at(step)
        assert isinstance(table, Duelyst)
        assert list(table.provoking) == [each.name for each in table.zones["board"].cards if "provoke" in each.keywords]


@settings(deadline=None, max_examples=10)
@given(seed=SEEDS, edition=EDITIONS, data=st.data())
def test_the_index_of_tiles_is_right_after_wrong_lines(seed: int, edition: str, data: st.DataObject) -> None:
    """If lines put several units onto one tile, `standing` has the unit that entered the board first."""
    events = without_consequences(game_of_bots(seed, edition))
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
    begun = Replay(GAME, GAME.rulebook.ruleset(edition)).run(events[: half + 1])
    assert replay.at(half).state() == begun.table.state()


def test_a_greedy_bot_beats_a_random_one() -> None:
    """The greedy bot wins at least 7 of 8 games."""
    plan = Plan(seed=3, bots=(Bot.GREEDY, Bot.RANDOM))
    winners = [found.winner for found in simulate(GAME, GAME.cards, plan, 8)]
    assert winners.count("A") >= 7


def candidates(table: Duelyst, player: str) -> Iterator[Event]:
    """Yield every decision that a log could have with the cards and tiles of a table."""
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


def breaks_a_rule(judge: Judge, event: Event) -> bool:
    """Return whether an event breaks one of the rules that are checked for its type at this table."""
    before = len(judge.raw_findings)
    judge.judge(judge.rows.get(type(event), ()), event)
    found = len(judge.raw_findings) > before
    judge.found.clear()
    return found


def judging_at(table: Table[Any, Any]) -> Judge:
    """Return a `Judge` that checks events at a table without carrying them out."""
    judge = Judge(GAME)
    judge.table = table
    return judge


@settings(deadline=None, max_examples=12)
@given(seed=SEEDS, edition=EDITIONS, data=st.data())
def test_legal_decisions_are_exactly_those_that_break_no_rule(seed: int, edition: str, data: st.DataObject) -> None:
    """Of all decisions that a log could have, exactly those that break no rule are offered."""
    check_legal_decisions(game_of_bots(seed, edition), GAME.rulebook.ruleset(edition), data)


@settings(deadline=None, max_examples=12)
@given(seed=SEEDS, rulings=mixed_rulings(), data=st.data())
def test_legal_decisions_are_exact_under_any_mix_of_rulings(
    seed: int, rulings: tuple[tuple[str, str], ...], data: st.DataObject
) -> None:
    """The same holds under any options together."""
    check_legal_decisions(game_of_bots(seed, rulings=rulings), GAME.rulebook.ruleset("rulebook", dict(rulings)), data)


def check_legal_decisions(events: tuple[Event, ...], ruleset: Ruleset, data: st.DataObject) -> None:
    """Assert that after some line of a game the offered decisions are those that break no rule."""
    cut = data.draw(st.integers(min_value=9, max_value=len(events) - 1))
    table = Replay(GAME, ruleset).run(events[:cut]).table
    assert isinstance(table, Duelyst)
    judge = judging_at(table)
    for player in GAME.actors(table):
        if table.turn:
            allowed = {event for event in candidates(table, player) if not breaks_a_rule(judge, event)}
            assert set(GAME.legal(table, player)) == allowed


def test_every_mulligan_that_is_offered_is_legal() -> None:
    """Every offered mulligan breaks no rule once its cards are drawn."""
    events = without_consequences(game_of_bots(1))
    before = next(n for n, event in enumerate(events) if isinstance(event, ev.MulliganTaken))
    replay = fold(GAME, events[:before])
    offered = GAME.legal(replay.table, "A")
    judge = judging_at(replay.table)
    assert len(offered) == 32
    for event in offered:
        dice = SeededDice("mulligan")
        dice.shuffle("A", add=[card.name for card in replay.table.zones["deck:A"].cards])
        line = GAME.bots.fill_in_chance(replay.table, event, dice)
        assert not breaks_a_rule(judge, line)


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


def field_values(name: str, kind: type[Event]) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of a field, sensible ones and others."""
    if name in {"player", "winner"}:
        return PLAYERS
    if name in {"tile", "to"} and kind is not PlayTakenBack:
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
def random_events(draw: st.DrawFn) -> Event:
    """Return an event of any type with any values for its fields."""
    tag, kind = draw(st.sampled_from(sorted(VOCABULARY.types.items())))
    line: dict[str, Any] = {"type": tag}
    for field in fields_of(kind):
        if field.required or draw(st.booleans()):
            line[field.name] = draw(field_values(field.name, kind))
    if tag == "cards.drawn":
        line.pop("count" if "cards" in line else "", None)
        line.setdefault("count", 1) if "cards" not in line else None
    try:
        return VOCABULARY.convert(line)
    except msgspec.ValidationError:
        return ev.TurnEnded(player="A")


@settings(deadline=None, max_examples=200)
@given(seed=SEEDS, lines=st.lists(random_events(), min_size=1, max_size=12), data=st.data())
def test_every_log_is_folded_or_stopped_with_a_reason(seed: int, lines: list[Event], data: st.DataObject) -> None:
    """Whatever a log says, the fold does not fail, and the table can be drawn, counted and played on."""
    events = game_of_bots(seed)
    cut = data.draw(st.integers(min_value=1, max_value=len(events)))
    replay = Replay(GAME, GAME.rulebook.ruleset("rulebook")).run([*events[:cut], *lines])
    if replay.stopped is not None:
        assert "could not be folded" not in replay.stopped.reason, replay.stopped
    for viewer in ("", "A", "*"):
        GAME.areas(replay.table, viewer)
    for player in replay.table.players:
        share = GAME.scoreboard.progress(replay.table, player)
        assert share is not None
        assert 0 <= share <= 1
        GAME.scoreboard.totals(replay.table, player)
        GAME.legal(replay.table, player)


def test_each_recorded_game_can_be_undone() -> None:
    """Undoing all events of a recorded game, illegal ones included, leads to the opening table."""
    for path in sorted(RECORDINGS.glob("*.jsonl")):
        events = [VOCABULARY.decode(line) for line in recorded_lines(path)]
        replay = fold(GAME, events)
        start = fold(GAME, events[:1]).table.state()
        replay.table.undo(replay.journal_ends[0])
        assert replay.table.state() == start, path.stem
