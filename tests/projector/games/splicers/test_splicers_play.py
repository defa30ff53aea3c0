"""Splicers on the table: logs of every kind fold to the same table, and bots and viewers see what they may."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from events.games.splicers import TingsSpliced, TurnEnded
from events.shared import GameStarted, PlayTakenBack
from events.vocabulary import Event, vocabulary
from projector.fold.folding import fold
from projector.fold.replay import Replay
from projector.games import game
from projector.model.game import Area, Game, Shown
from projector.selfplay.simulate import Plan, simulate
from projector.selfplay.trying import worth_now

TESTS = Path(__file__).parents[3]
modest = settings(deadline=None, max_examples=60)


def games_of(path: Path) -> list[list[Event]]:
    """Read a file of games."""
    games: list[list[Event]] = []
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        event = vocabulary("splicers").decode(line)
        if isinstance(event, GameStarted):
            games.append([])
        games[-1].append(event)
    return games


POOL = [
    event
    for path in sorted((TESTS / "recordings" / "splicers").glob("[bcik]*.jsonl"))
    for game_events in games_of(path)
    for event in game_events[1:]
]
WORKED = games_of(TESTS / "recordings" / "splicers" / "worked-game.jsonl")[0]


# -- logs --------------------------------------------------------------------------------------------------------------


def _shaken(draw: Callable[..., Any]) -> list[Event]:
    """Return lines of many games in disorder, some of them with other players, cards and bioms."""
    chance = random.Random(draw(st.integers(0, 2**32)))  # noqa: S311 - one number shrinks better than a thousand
    lines = [chance.choice(POOL) for _ in range(draw(st.integers(1, 60)))]
    cut = draw(st.integers(1, len(WORKED)))
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
    return [*(msgspec.structs.replace(event, seq=UNSET) for event in WORKED[:cut]), *events]


shaken = st.composite(_shaken)()


@modest
@given(events=shaken)
def test_no_log_is_too_strange_to_fold(splicers: Game, events: list[Event]) -> None:
    """Whatever a log says, the fold goes on to its end, and the table can be looked at, counted and played on."""
    replay = fold(splicers, events)
    assert replay.stopped is None or "could not be folded" not in replay.stopped.reason
    for player in replay.table.players:
        assert 0 <= splicers.progress(replay.table, player) <= 1
        assert set(splicers.totals(replay.table, player)) == set(splicers.total_names)
        splicers.legal(replay.table, player)
        assert splicers.areas(replay.table, player)


@modest
@given(events=shaken, data=st.data())
def test_a_step_back_is_a_shorter_fold(splicers: Game, events: list[Event], data: st.DataObject) -> None:
    """The table at any step is the table of a log that ends there."""
    replay = Replay(splicers, splicers.rulebook.ruleset("0.2a")).run(events)
    step = data.draw(st.integers(0, len(replay.events) - 1))
    shorter = Replay(splicers, splicers.rulebook.ruleset("0.2a")).run(events[: step + 1])
    assert replay.at(step).state() == shorter.table.state()


@modest
@given(seed=st.integers(0, 10**6), full=st.booleans())
def test_bots_break_no_rule(splicers: Game, seed: int, full: bool) -> None:
    """Every decision that is offered as legal is kept by the audit, to the end of the game."""
    for played in simulate(splicers, splicers.cards, Plan(seed=seed, full=full, limit=3000), 1):
        assert (played.abandoned, played.findings) == ("", [])


def test_lines_may_be_left_out_of_the_set_up(story: Any) -> None:
    """A mulligan that is not written down is a hand kept."""
    told = story()
    told.lines[-2:] = []
    assert told.seeds("A", "reed-heron", "thunder-shelf").clean().table.round == 1


def test_both_players_may_bring_one_biom(story: Any) -> None:
    """Then each goes by its card's name."""
    told = story()
    told.lines[1]["bioms"] = ["saltglass-shore", "moss-parish"]
    told.lines[3]["row"] = ["saltglass-shore", "A:moss-parish", "B:moss-parish", "cinder-steppe"]
    table = told.seeds("A", "reed-heron", "A:moss-parish").clean().table
    assert table.card("A:moss-parish").totals == (1, 0)
    assert table.card("B:moss-parish").totals == (0, 0)


def test_an_illegal_action_does_not_stop_the_turns(story: Any) -> None:
    """The table went on without a `turn.ended`: the next player's lines are not held against them."""
    told = story().seeds("A", "reed-heron", "thunder-shelf", end=False).seeds("B", "mire-calf", "moss-parish")
    told.seeds("A", "kelp-choir", "thunder-shelf")
    assert told.broken() == ["turn.alternate"]


def test_missing_draws_do_not_stop_the_round(story: Any) -> None:
    """Who acts without having drawn breaks one rule once, and the round goes on."""
    told = story().passes("A", "B").add("cards.drawn", "A", cards=["A:tin-wasp"], reason="round-start")
    told.seeds("A", "reed-heron", "thunder-shelf").seeds("B", "mire-calf", "moss-parish")
    assert told.broken() == ["round.draw-one"]


def test_a_corrected_consequence_stands(story: Any) -> None:
    """A wrong line and then the right one is one mistake, not two."""
    told = story().passes("A", "B").add("round.counted", round=1, dominated={"A": ["thunder-shelf"], "B": []})
    told.add("round.counted", round=1, dominated={"A": [], "B": []}).draws("tin-wasp", "spore-clerk")
    assert told.broken() == ["biom.dominated"]


def test_the_table_does_what_a_wrong_consequence_says(story: Any) -> None:
    """A card that the log discards is discarded, tokens and actions are those of the log, a turn is whose it says."""
    told = story().seeds("A", "reed-heron", "thunder-shelf").add("card.discarded", card="A:reed-heron", reason="crunch")
    assert told.folded().table.card("A:reed-heron").zone.name == "discard:A"
    assert story().add("actions.gained", "A", count=2).folded().table.players["A"].actions == 3
    assert story().add("turn.started", "B").folded().table.active == "B"
    kite = story().seeds("A", "reed-heron", "thunder-shelf").add("card.returned", card="A:reed-heron", reason="bounce")
    assert kite.folded().table.card("A:reed-heron").zone.name == "hand:A"
    sent = story().seeds("A", "reed-heron", "thunder-shelf").add("card.mouldered", card="A:reed-heron")
    assert sent.folded().table.card("A:reed-heron").zone.name == "deck:A"
    more = story().seeds("A", "reed-heron", "thunder-shelf").add("dominance.changed", card="A:reed-heron", by=3)
    assert more.folded().table.card("A:thunder-shelf").totals == (4, 0)
    back = story().add("card.exhausted", card="A:ilse-quandt")
    assert back.folded().table.card("A:ilse-quandt").exhausted


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
def test_what_was_seen_wins(story: Any, observed: dict[str, Any], field: str, value: int) -> None:
    """A total read off the table that differs is a drift, and from then on it is the table's."""
    told = story().seeds("A", "reed-heron", "saltglass-shore")
    told.lines.append({"type": "state.observed", **observed})
    told.lines.append(
        {
            "type": "state.observed",
            **{key: observed[key] for key in observed if key in {"player", "card"}},
            field: value,
        }
    )
    assert [each.kind for each in told.folded().findings] == ["drift"]


# -- bots and viewers --------------------------------------------------------------------------------------------------


def _renamed(event: Event, names: dict[str, str]) -> Event:
    text = vocabulary("splicers").encode(event).decode()
    for old, new in names.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    return vocabulary("splicers").decode(text)


def test_a_bot_does_not_see_the_other_hand(story: Any, splicers: Game) -> None:
    """Ann's choices are the same whatever Ben holds and has seeded, as far as the names go."""
    hands = (
        ("mire-calf", "kelp-choir", "twin-root-alder", "long-drought"),
        ("rot-collar", "spore-clerk", "glass-moth", "harvest-fair"),
    )
    legal = []
    for hand in hands:
        told = story(ben=hand).seeds("A", "reed-heron", "moss-parish").seeds("B", hand[0], "moss-parish")
        told.seeds("A", "undertow-eel", "saltglass-shore").passes("B", "A").draws("tin-wasp", "tithe-barn").passes("B")
        table = told.clean().table
        legal.append([_renamed(event, {f"B:{hand[0]}": "B:seed"}) for event in splicers.legal(table, "A")])
    assert legal[0] == legal[1]


def test_nobody_else_may_decide(story: Any, splicers: Game) -> None:
    """Only the player on turn has legal decisions, and none is left after the end."""
    table = story().clean().table
    assert splicers.actors(table) == ("A",)
    assert splicers.legal(table, "B") == []
    over = story().add("player.conceded", "A").clean().table
    assert (splicers.actors(over), splicers.legal(over, "A"), worth_now(splicers, over, "B")) == ((), [], 1000.0)


def test_legal_decisions_are_those_of_the_rulebook(story: Any, splicers: Game) -> None:
    """At the start: five cards at four bioms, the probe, the event, a pass; no end of the turn before an action."""
    kinds = [type(event).__name__ for event in splicers.legal(story().clean().table, "A")]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "SeedPlayed": 20,
        "AbilityUsed": 1,
        "EventPlayed": 1,
        "TurnPassed": 1,
    }
    after = story().seeds("A", "reed-heron", "moss-parish", end=False).clean().table
    assert splicers.legal(after, "A") == [TurnEnded(player="A")]


def test_a_splice_is_offered_with_what_it_can_find(story: Any, splicers: Game) -> None:
    """Reed Heron (Air, Nautic) and Kelp Choir (Nautic, Plant) find what has a gene of each."""
    told = story().seeds("A", "reed-heron", "saltglass-shore").seeds("B", "mire-calf", "moss-parish")
    told.seeds("A", "kelp-choir", "saltglass-shore").passes("B", "A").draws("tin-wasp", "spore-clerk").passes("B")
    told.evolves("A", "reed-heron").draws("glass-moth", "tithe-barn").passes("B").evolves("A", "kelp-choir")
    table = told.draws("velvet-patriarch", "glass-moth").passes("B").clean().table
    found = {event.found for event in splicers.legal(table, "A") if isinstance(event, TingsSpliced)}
    assert found == {None, "A:gill-graft"}


def _all_shown(areas: list[Area]) -> list[Shown]:
    shown = [card for area in areas for card in area.cards]
    return [*shown, *(under for card in shown for under in card.under)]


def test_a_drawing_hides_what_a_viewer_may_not_know(story: Any, splicers: Game) -> None:
    """Ben sees Ann's seed and hand as backs, Ann sees her own, and one who sees everything sees all."""
    table = story().seeds("A", "reed-heron", "thunder-shelf").clean().table
    for viewer, knows in (("A", True), ("B", False), ("", False), ("*", True)):
        titles = {card.title for card in _all_shown(list(splicers.areas(table, viewer)))}
        assert ("Weather Kite" in titles) is knows
        assert ("Reed Heron (seed of Ann)" in titles) is knows
        assert ("seed of Ann" in titles) is not knows


def test_a_drawing_says_who_is_ahead(story: Any, splicers: Game) -> None:
    """A biom shows both totals and its value, and is turned to whoever dominates it; mutations lie under hosts."""
    told = story(("kelp-choir", "gill-graft", "reed-heron", "undertow-eel", "first-frost"))
    told.seeds("A", "kelp-choir", "saltglass-shore").seeds("B", "mire-calf", "saltglass-shore").passes("A", "B")
    told.draws("tin-wasp", "spore-clerk").evolves("A", "kelp-choir", mutations=["A:gill-graft"])
    areas = {area.name: area for area in splicers.areas(told.clean().table, "*")}
    biom = areas["saltglass-shore"]
    assert (biom.caption, biom.highlight) == ("Ann 3 : 1 Ben of 3", "A")
    assert [card.title for card in areas["saltglass-shore:A"].cards[0].under] == ["Gill Graft"]
    assert areas["hand:A"].count == 4
    assert {area.line for area in areas.values()} == {0, 1, 2, 3, 4}


def test_progress_counts_bioms_and_the_next_one(story: Any, splicers: Game) -> None:
    """One dominated biom of three and a third of the next: (1 + 1/3) / 3."""
    told = story().seeds("A", "undertow-eel", "saltglass-shore").seeds("B", "mire-calf", "moss-parish")
    told.passes("A", "B").draws("tin-wasp", "spore-clerk").evolves("A", "undertow-eel")
    table = told.clean().table
    assert splicers.progress(table, "A") == pytest.approx(1 / 3)
    assert splicers.progress(table, "B") == pytest.approx(1 / 9)
    assert splicers.totals(table, "A") == {"dominated": 1, "dominance": 3, "hand": 5, "deck": 9, "actions": 0}


def test_the_game_is_found_by_its_slug() -> None:
    """Nothing but its folder names the game."""
    assert game("splicers").title == "Splicers"
