"""The rules that all games share, and their messages."""

from pathlib import Path
from typing import Any

import pytest

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.archive.recordings import read_recording, recordings
from tabletape.projector.games import game, games
from tabletape.projector.kit.adopting import adopt_total, as_written, surplus
from tabletape.projector.kit.common_rules import first_lacking, is_unknown, lacking, names_in, unknown_among
from tabletape.projector.kit.mismatches import contradiction, rule_behind, unexpected
from tabletape.projector.kit.owed import OwedLine, missing, what_is_owed
from tabletape.projector.model.phrases import expected_in_words
from tabletape.projector.model.rules import NO_LINE, Broken, Section
from tabletape.projector.model.sentences import clause
from tabletape.projector.model.table import Table

RECORDINGS = Path(__file__).parents[1] / "recordings"
SEATS = [Seat(id="A", name="Ann"), Seat(id="B", name="Ben")]


@pytest.fixture
def table() -> Table[Any, Any]:
    """Return a table of Crystal Factions before its first line."""
    one = game("crystal")
    return one.opening(SEATS, one.rulebook.ruleset("2025", {}), one.cards.library)


@pytest.mark.parametrize("slug", games())
def test_a_mismatch_quotes_the_derived_sentence(slug: str) -> None:
    """Where the log contradicts the rules, the message quotes the derived sentence, or the part that differs."""
    quoted = 0
    for path in recordings(RECORDINGS / slug):
        for finding in read_recording(path, slug).replay.findings:
            written, _, derived = finding.message.partition("; the rules say ")
            if finding.kind == "mismatch" and written.startswith("the log says that ") and derived:
                quoted += 1
                words = finding.expected.split()
                ends = [" ".join(words[start:]).strip("()") for start in range(len(words))]
                assert derived.startswith((f"that {finding.expected}", *ends)), path.name
    assert quoted


@pytest.mark.parametrize("slug", games())
def test_a_line_after_the_end_says_how_the_game_has_ended(slug: str) -> None:
    """In every game, each line after the end that accuses somebody has a message about how the game ended."""
    replays = (read_recording(path, slug).replay for path in recordings(RECORDINGS / slug))
    found = (each for replay in replays for each in replay.findings if each.kind != "info")
    late = [each.message for each in found if each.rule.endswith(".nothing-after-end")]
    assert late
    assert all(message.startswith("the game is over, but the log goes on: ") for message in late)


def test_a_contradiction_states_both_sides(table: Table[Any, Any]) -> None:
    """The message has what was written and what was derived; `expected` is what was derived."""
    written, derived = ev.TechLimitSet(player="A", limit=3), ev.TechLimitSet(player="A", limit=2)
    broken = contradiction(table, written, derived, ", by a ruling")
    assert broken.message == "the log says that Ann's tech limit is 3; the rules say 2, by a ruling"
    assert broken.expected == "Ann's tech limit is 2"


def test_an_unexpected_line_is_reported_with_the_one_that_is_due(table: Table[Any, Any]) -> None:
    """A due line of the same type is named; without one, no such line is expected."""
    event = ev.TechLimitSet(player="A", limit=3)
    alone = unexpected(table, event, "")
    message = "the log says that Ann's tech limit is 3, but nothing brings that about"
    assert (alone.message, alone.expected) == (message, NO_LINE)
    due = ev.TechLimitSet(player="B", limit=1)
    table.derive(due, "crystal.tech.limit-set")
    beside = unexpected(table, event, "it is not her turn")
    assert beside.message.endswith(f"but it is not her turn; due is: {clause(table, due)}")
    assert rule_behind(table, due) == "crystal.tech.limit-set"
    assert rule_behind(table, event) == ""


def test_what_only_the_log_states_counts_for_no_rule(table: Table[Any, Any]) -> None:
    """The written line is not expected again but its consequences are, and no rule counts as applied."""
    follows = ev.TurnStarted(player="B")
    with as_written(table, ev.RoundStarted(round=1)):
        table.derive(ev.RoundStarted(round=1), "crystal.round.phase-order")
        table.derive(follows, "crystal.deploy.own-turn")
        table.applied.append("crystal.hand.one-flip")
    assert [each.event for each in table.derived] == [follows]
    assert table.newly_applied == []


def test_a_written_total_is_adopted(table: Table[Any, Any]) -> None:
    """The total becomes the written one; the surplus is what exceeds the derived amount, or all of it without one."""
    event = ev.CrystalsGained(player="A", amount=3, crystals=9, source="A:x")
    adopt_total("crystals", "crystals")(table, event, None)
    assert table.players["A"].crystals == 9
    assert surplus(event, ev.CrystalsGained(player="A", amount=1, crystals=7, source="A:x"), "amount") == 2
    assert surplus(event, None, "amount") == 3


def test_the_first_missing_step_names_the_player_who_lacks_it(table: Table[Any, Any]) -> None:
    """Only the player who has not taken a step is named, and when all steps are taken nothing is missing."""
    rule = Section("Setup").declare("crystal.test", "L1", "Decks are declared.")
    steps = (
        lacking(rule, "listed", "declared a deck", "deck.declared"),
        lacking(rule, "opened", "drawn", "cards.drawn"),
    )
    table.players["A"].listed = True
    found = first_lacking(table, steps)
    assert found is steps[0]
    assert found.check(table, None) == Broken("Ben has not declared a deck yet", "deck.declared", "missing")
    for player in table.players.values():
        player.listed = player.opened = True
    assert first_lacking(table, steps) is None


def test_unknown_cards_are_reported_once_and_unseen_ones_never(table: Table[Any, Any]) -> None:
    """A card in no card file is unknown and gets a suggestion; an unseen card is not unknown."""
    assert is_unknown(table, "A:spark-tinkerr")
    assert not is_unknown(table, "A:?1")
    verdict = unknown_among(table, ("A:?1", "A:spark-tinkerr"))
    assert verdict is not None
    assert (verdict.once, verdict.message) == (True, "unknown card spark-tinkerr; did you mean spark-tinkerer?")
    assert unknown_among(table, ("A:?1",)) is None


def test_the_names_in_a_line_are_those_of_its_fields() -> None:
    """Names and lists of names come in the order of the given fields; absent fields give none."""
    drawn = ev.CardsDrawn(player="A", cards=("A:one", "A:two"), from_="faction")
    assert [*names_in(drawn, ("card", "cards", "target"))] == ["A:one", "A:two"]


def test_an_owed_line_is_described_together_with_the_line_that_came_instead(table: Table[Any, Any]) -> None:
    """If it is missing, the message names the player, the number, the card with its copy, and the line that came."""
    rule = "crystal.play.resolve-first"
    due = OwedLine(line=ev.CardsDrawn, player="A", rule=rule, count=2, source="A:trooper#2")
    name = table.library["trooper"].name
    assert what_is_owed(table, due, 3) == f"draws 3 cards for {name} 2"
    broken = missing(table, due, ev.DeployEnded(player="B"))
    owed = f"Ann draws 2 cards for {name} 2"
    assert broken.message == f"no line says that {owed}, and the log goes on: Ben is done deploying"
    assert (broken.expected, broken.kind) == ("cards.drawn by Ann", "missing")


def test_a_missing_line_is_said_to_players_without_its_type() -> None:
    """The terminal names the type of the line that is to be written; whoever reads a page or a report gets words."""
    recorded = read_recording(RECORDINGS / "crystal" / "catalogue-draw-one-per-turn.jsonl", "crystal")
    (found,) = [each for each in recorded.replay.findings if each.kind == "missing"]
    assert (found.expected, expected_in_words(found)) == ("cards.drawn by Ana", "cards drawn by Ana")


def test_updating_several_fields_records_each_change(table: Table[Any, Any]) -> None:
    """Changed fields are recorded in the given order, unchanged ones are not, and all changes can be undone."""
    before, length = table.state(), len(table.journal)
    table.update(table, phase="deploy", active="", round=1)
    assert [field for _, field, _, _ in table.journal[length:]] == ["phase", "round"]
    table.undo(length)
    assert table.state() == before
