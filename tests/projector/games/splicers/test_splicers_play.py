"""Splicers in play: strange logs, steps back, set-up, corrected lines, and what bots and viewers see."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.games.splicers import TingsSpliced, TurnEnded
from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.shared import GameStarted, PlayTakenBack
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.model.areas import Area, Shown
from tabletape.projector.model.game import Game
from tabletape.projector.selfplay.simulate import Plan, simulate
from tabletape.projector.selfplay.trying import worth_now

TESTS = Path(__file__).parents[3]
sixty_examples = settings(deadline=None, max_examples=60)


def games_of(path: Path) -> list[list[Event]]:
    """Return the games of a file."""
    games: list[list[Event]] = []
    for line in recorded_lines(path):
        event = vocabulary("splicers").decode(line)
        if isinstance(event, GameStarted):
            games.append([])
        games[-1].append(event)
    return games


RECORDED_LINES = [
    event
    for path in sorted((TESTS / "recordings" / "splicers").glob("[bcik]*.jsonl"))
    for game_events in games_of(path)
    for event in game_events[1:]
]
WORKED_GAME = games_of(TESTS / "recordings" / "splicers" / "worked-game.jsonl")[0]


# -- logs --------------------------------------------------------------------------------------------------------------


def _random_log(draw: Callable[..., Any]) -> list[Event]:
    """Return the start of the worked game and random lines of many games, some with other players, cards and bioms."""
    chance = random.Random(draw(st.integers(0, 2**32)))  # noqa: S311 - hypothesis shrinks one number better than many
    lines = [chance.choice(RECORDED_LINES) for _ in range(draw(st.integers(1, 60)))]
    cut = draw(st.integers(1, len(WORKED_GAME)))
    names = ["A:?1", "B:?1", "A:nobody", "Z:kelp-choir", "kelp-choir", "B:brother-oskar", "A:thunder-shelf", ""]
    events = []
    for line in lines:
        fields: dict[str, Any] = {"seq": UNSET}
        for name in ("card", "target", "host", "was", "found", "player", "biom", "to"):
            if hasattr(line, name) and chance.random() < 0.1:
                fields[name] = chance.choice("ABZ") if name == "player" else chance.choice(names)
        events.append(msgspec.structs.replace(line, **fields))
    if draw(st.booleans()):
        events.insert(chance.randrange(len(events)), PlayTakenBack(to=chance.randrange(1, cut + 1)))
    return [*(msgspec.structs.replace(event, seq=UNSET) for event in WORKED_GAME[:cut]), *events]


random_logs = st.composite(_random_log)()


@sixty_examples
@given(events=random_logs)
def test_every_log_can_be_folded(splicers: Game, events: list[Event]) -> None:
    """Whatever a log says, no line makes the fold fail, and the table can be drawn, counted and played on."""
    replay = fold(splicers, events)
    assert replay.stopped is None or "could not be folded" not in replay.stopped.reason
    for player in replay.table.players:
        share = splicers.scoreboard.progress(replay.table, player)
        assert share is not None
        assert 0 <= share <= 1
        assert set(splicers.scoreboard.totals(replay.table, player)) == set(splicers.scoreboard.total_names)
        splicers.legal(replay.table, player)
        assert splicers.areas(replay.table, player)


@sixty_examples
@given(events=random_logs, data=st.data())
def test_a_step_back_gives_the_table_of_a_shorter_log(splicers: Game, events: list[Event], data: st.DataObject) -> None:
    """The table at any step is the table of a log that ends there."""
    replay = Replay(splicers, splicers.rulebook.ruleset("0.2a")).run(events)
    step = data.draw(st.integers(0, len(replay.events) - 1))
    shorter = Replay(splicers, splicers.rulebook.ruleset("0.2a")).run(events[: step + 1])
    assert replay.at(step).state() == shorter.table.state()


@sixty_examples
@given(seed=st.integers(0, 10**6), full=st.booleans())
def test_bots_break_no_rule(splicers: Game, seed: int, full: bool) -> None:
    """Bots choose among the offered decisions, and the audit finds nothing in their games, which come to an end."""
    for played in simulate(splicers, splicers.cards, Plan(seed=seed, full=full, limit=3000), 1):
        assert (played.abandoned, played.findings) == ("", [])


def test_a_mulligan_may_be_left_out(begin: Any) -> None:
    """A player whose mulligan is not in the log has kept the hand."""
    log = begin()
    log.lines[-2:] = []
    assert log.seeds("A", "reed-heron", "thunder-shelf").clean().table.round == 1


def test_both_players_may_bring_the_same_biom(begin: Any) -> None:
    """The log then names each of the two with its owner."""
    log = begin()
    log.lines[1]["bioms"] = ["saltglass-shore", "moss-parish"]
    log.lines[3]["row"] = ["saltglass-shore", "A:moss-parish", "B:moss-parish", "cinder-steppe"]
    table = log.seeds("A", "reed-heron", "A:moss-parish").clean().table
    assert table.card("A:moss-parish").totals == (1, 0)
    assert table.card("B:moss-parish").totals == (0, 0)


def test_a_missing_end_of_turn_is_one_finding(begin: Any) -> None:
    """If play goes on without a `turn.ended`, the lines of the next turns have no findings of their own."""
    log = begin().seeds("A", "reed-heron", "thunder-shelf", end=False).seeds("B", "mire-calf", "moss-parish")
    log.seeds("A", "kelp-choir", "thunder-shelf")
    assert log.broken() == ["turn.alternate"]


def test_a_missing_draw_is_one_finding(begin: Any) -> None:
    """A turn that begins before both players have drawn breaks one rule once, and the round goes on."""
    log = begin().passes("A", "B").add("cards.drawn", "A", cards=["A:tin-wasp"], reason="round-start")
    log.seeds("A", "reed-heron", "thunder-shelf").seeds("B", "mire-calf", "moss-parish")
    assert log.broken() == ["round.draw-one"]


def test_a_corrected_consequence_is_one_finding(begin: Any) -> None:
    """A wrong count and then the right one have one finding, for the wrong one."""
    log = begin().passes("A", "B").add("round.counted", round=1, dominated={"A": ["thunder-shelf"], "B": []})
    log.add("round.counted", round=1, dominated={"A": [], "B": []}).draws("tin-wasp", "spore-clerk")
    assert log.broken() == ["biom.dominated"]


def test_a_wrong_consequence_is_carried_out(begin: Any) -> None:
    """The fold goes on with what the log says: cards move, actions and dominance change, and turns begin as it says."""
    log = begin().seeds("A", "reed-heron", "thunder-shelf").add("card.discarded", card="A:reed-heron", reason="crunch")
    assert log.replay().table.card("A:reed-heron").zone.name == "discard:A"
    assert begin().add("actions.gained", "A", count=2).replay().table.players["A"].actions == 3
    assert begin().add("turn.started", "B").replay().table.active == "B"
    returned = (
        begin().seeds("A", "reed-heron", "thunder-shelf").add("card.returned", card="A:reed-heron", reason="bounce")
    )
    assert returned.replay().table.card("A:reed-heron").zone.name == "hand:A"
    mouldered = begin().seeds("A", "reed-heron", "thunder-shelf").add("card.mouldered", card="A:reed-heron")
    assert mouldered.replay().table.card("A:reed-heron").zone.name == "deck:A"
    strengthened = begin().seeds("A", "reed-heron", "thunder-shelf").add("dominance.changed", card="A:reed-heron", by=3)
    assert strengthened.replay().table.card("A:thunder-shelf").totals == (4, 0)
    exhausted = begin().add("card.exhausted", card="A:ilse-quandt")
    assert exhausted.replay().table.card("A:ilse-quandt").exhausted


@pytest.mark.parametrize(
    ("observed", "field", "value"),
    [
        ({"player": "A", "hand": 7}, "hand", 7),
        ({"player": "A", "actions": 3}, "actions", 3),
        ({"card": "A:reed-heron", "tokens": 2}, "tokens", 2),
        ({"card": "A:reed-heron", "face": "up"}, "dominance", 2),
        ({"card": "A:reed-heron", "dominance": 5}, "dominance", 5),
    ],
)
def test_an_observed_total_is_taken_over(begin: Any, observed: dict[str, Any], field: str, value: int) -> None:
    """A total that differs from the table is a drift, and it is the table's total from then on."""
    log = begin().seeds("A", "reed-heron", "saltglass-shore")
    log.lines.append({"type": "state.observed", **observed})
    log.lines.append(
        {
            "type": "state.observed",
            **{key: observed[key] for key in observed if key in {"player", "card"}},
            field: value,
        }
    )
    assert [each.kind for each in log.replay().findings] == ["drift"]


# -- bots and viewers --------------------------------------------------------------------------------------------------


def _renamed(event: Event, names: dict[str, str]) -> Event:
    text = vocabulary("splicers").encode(event).decode()
    for old, new in names.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    return vocabulary("splicers").decode(text)


def test_a_bot_does_not_see_the_hand_of_the_other_player(begin: Any, splicers: Game) -> None:
    """Ann's legal decisions are the same whatever cards Ben holds and has played as seeds."""
    hands = (
        ("mire-calf", "kelp-choir", "twin-root-alder", "long-drought"),
        ("rot-collar", "spore-clerk", "glass-moth", "harvest-fair"),
    )
    legal = []
    for hand in hands:
        log = begin(ben=hand).seeds("A", "reed-heron", "moss-parish").seeds("B", hand[0], "moss-parish")
        log.seeds("A", "undertow-eel", "saltglass-shore").passes("B", "A").draws("tin-wasp", "tithe-barn").passes("B")
        table = log.clean().table
        legal.append([_renamed(event, {f"B:{hand[0]}": "B:seed"}) for event in splicers.legal(table, "A")])
    assert legal[0] == legal[1]


def test_only_the_player_on_turn_may_decide(begin: Any, splicers: Game) -> None:
    """Only the player on turn has legal decisions, and after the end no player has any."""
    table = begin().clean().table
    assert splicers.actors(table) == ("A",)
    assert splicers.legal(table, "B") == []
    over = begin().add("player.conceded", "A").clean().table
    assert (splicers.actors(over), splicers.legal(over, "A"), worth_now(splicers, over, "B")) == ((), [], 1000.0)


def test_legal_decisions_are_those_of_the_rulebook(begin: Any, splicers: Game) -> None:
    """At the start: five cards at four bioms, one ability, one event, a pass; the turn may end after an action only."""
    kinds = [type(event).__name__ for event in splicers.legal(begin().clean().table, "A")]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "SeedPlayed": 20,
        "AbilityUsed": 1,
        "EventPlayed": 1,
        "TurnPassed": 1,
    }
    after = begin().seeds("A", "reed-heron", "moss-parish", end=False).clean().table
    assert splicers.legal(after, "A") == [TurnEnded(player="A")]


def test_a_splice_is_offered_with_what_it_can_find(begin: Any, splicers: Game) -> None:
    """A splice of Reed Heron (Air, Nautic) and Kelp Choir (Nautic, Plant) finds a card with a gene of each, or none."""
    log = begin().seeds("A", "reed-heron", "saltglass-shore").seeds("B", "mire-calf", "moss-parish")
    log.seeds("A", "kelp-choir", "saltglass-shore").passes("B", "A").draws("tin-wasp", "spore-clerk").passes("B")
    log.evolves("A", "reed-heron").draws("glass-moth", "tithe-barn").passes("B").evolves("A", "kelp-choir")
    table = log.draws("velvet-patriarch", "glass-moth").passes("B").clean().table
    found = {event.found for event in splicers.legal(table, "A") if isinstance(event, TingsSpliced)}
    assert found == {None, "A:gill-graft"}


def _all_shown(areas: list[Area]) -> list[Shown]:
    shown = [card for area in areas for card in area.cards]
    return [*shown, *(under for card in shown for under in card.under)]


def test_a_drawing_hides_what_a_viewer_may_not_know(begin: Any, splicers: Game) -> None:
    """Ann and the viewer of everything see the names of Ann's seed and hand; Ben and the public see backs."""
    table = begin().seeds("A", "reed-heron", "thunder-shelf").clean().table
    for viewer, knows in (("A", True), ("B", False), ("", False), ("*", True)):
        drawn = {card.title: card for card in _all_shown(list(splicers.areas(table, viewer)))}
        assert ("Weather Kite" in drawn) is knows
        assert ("Reed Heron" in drawn and "seed" in drawn["Reed Heron"].marks) is knows
        assert ("seed of Ann" in drawn) is not knows


def test_a_drawing_says_who_is_ahead(begin: Any, splicers: Game) -> None:
    """A biom shows both totals, its value and its dominator; a mutation lies under its host."""
    log = begin(("kelp-choir", "gill-graft", "reed-heron", "undertow-eel", "first-frost"))
    log.seeds("A", "kelp-choir", "saltglass-shore").seeds("B", "mire-calf", "saltglass-shore").passes("A", "B")
    log.draws("tin-wasp", "spore-clerk").evolves("A", "kelp-choir", mutations=["A:gill-graft"])
    areas = {area.name: area for area in splicers.areas(log.clean().table, "*")}
    biom = areas["saltglass-shore"]
    assert (biom.caption, biom.highlight) == ("Ann 3 : 1 Ben, goal 3", "A")
    assert [card.title for card in areas["saltglass-shore:A"].cards[0].under] == ["Gill Graft"]
    assert areas["hand:A"].count == 4
    assert {area.line for area in areas.values()} == {0, 1, 2, 3, 4}


def test_progress_counts_bioms_and_the_next_one(begin: Any, splicers: Game) -> None:
    """Progress is the share of three bioms that a player dominates; how near the next one is counts in part."""
    log = begin().seeds("A", "undertow-eel", "saltglass-shore").seeds("B", "mire-calf", "moss-parish")
    log.passes("A", "B").draws("tin-wasp", "spore-clerk").evolves("A", "undertow-eel")
    table = log.clean().table
    assert splicers.scoreboard.progress(table, "A") == pytest.approx(1 / 3)
    assert splicers.scoreboard.progress(table, "B") == pytest.approx(1 / 9)
    assert splicers.scoreboard.totals(table, "A") == {
        "dominated": 1,
        "dominance": 3,
        "hand": 5,
        "deck": 9,
        "actions": 0,
    }


def test_the_game_is_found_by_its_slug() -> None:
    """The slug is the name of the game's folder."""
    assert game("splicers").title == "Splicers"
