"""Counting points of PhyloGenome, and what the rulings on unclear sentences make of them."""

from collections.abc import Callable
from typing import Any

import pytest

from events.games.phylogenome import PointsCounted
from projector.fold.replay import Replay
from projector.games import game
from projector.model.rulebook import RulesetError

GAME = game("phylogenome")
# Six Species in order of publication, one more than a short chain.
DATED = ("roundworm", "fruit-fly", "thale-cress", "rice", "tiger-pufferfish", "malaria-mosquito")
LATER = ("black-cottonwood", "honey-bee", "grapevine", "human", "dog", "maize")


def counted(replay: Replay) -> dict[str, PointsCounted]:
    """Return the points that are derived at the end, by player."""
    events = (each.event for each in replay.table.derived)
    return {event.player: event for event in events if isinstance(event, PointsCounted)}


def ended(begin: Callable[..., Any], ann: tuple[str, ...], ben: tuple[str, ...], **rulings: str) -> Any:
    """Write a game in which both play six Species in columns of their own; each draws the sixth card."""
    game_ = begin(ann, ben, **rulings)
    for turn in range(2):
        for player, cards in (("A", ann), ("B", ben)):
            if turn == 0:
                game_.add("cards.drawn", player=player, cards=[f"{player}:{cards[5]}"])
            game_.column(*(f"{player}:{card}" for card in cards[3 * turn : 3 * turn + 3]))
    return game_


def test_points_are_those_of_the_rulebook(begin: Callable[..., Any]) -> None:
    """Species, technology and awards add up; a chain of six gets the fifteen points."""
    points = counted(ended(begin, DATED, LATER).replay())
    ann = points["A"]
    assert ann.chain == 6
    assert ann.awards[:1] == ("longest-chain",)
    assert ann.species == sum(GAME.cards.library[card].points for card in DATED)
    assert ann.technology == 6
    assert "largest-genome" in points["B"].awards
    assert ann.total == ann.species + ann.technology + ann.special
    assert ann.special == 15 + sum({"interest-areas": 8}.get(award, 2) for award in ann.awards[1:])


def test_a_chain_of_five_is_too_short_unless_a_ruling_says_so(begin: Callable[..., Any]) -> None:
    """`chain_minimum: five` reads longer than 5 as at least 5."""
    shorter = (*DATED[:5], "bakers-yeast")
    written = ended(begin, shorter, LATER)
    assert counted(written.replay())["A"].chain == 5
    assert "longest-chain" not in counted(written.replay())["A"].awards
    assert "longest-chain" in counted(written.replay(chain_minimum="five"))["A"].awards


@pytest.mark.parametrize(("option", "points"), [("none", 0), ("both", 2), ("split_down", 1)])
def test_a_tie_for_an_award(begin: Callable[..., Any], option: str, points: int) -> None:
    """Who shares the best value gets nothing, all or half (ruling `special_tie`)."""
    found = counted(ended(begin, DATED, DATED, special_tie=option).replay())
    tied = {"oldest-publication", "largest-genome", "most-genes", "most-chromosomes"}
    for player in ("A", "B"):
        got = tied & set(found[player].awards)
        assert got == (tied if points else set())
        others = {"none": 0, "both": 23, "split_down": 11}[option]
        assert found[player].special == 4 * points + others


def test_every_icon_or_every_area(begin: Callable[..., Any]) -> None:
    """`areas_count: total` counts an interest area as often as it is printed."""
    many = ("malaria-parasite", "bakers-yeast", "fission-yeast", "red-bread-mould", "colon-bacterium", "social-amoeba")
    few = ("dog", "human", "brown-rat", "house-mouse", "chicken", "platypus")
    areas = {deck: [area for card in deck for area in GAME.cards.library[card].interest_areas] for deck in (many, few)}
    written = ended(begin, many, few)
    for option, count in (("distinct", lambda found: len(set(found))), ("total", len)):
        best = max(count(found) for found in areas.values())
        winners = [player for player, deck in (("A", many), ("B", few)) if count(areas[deck]) == best]
        points = counted(written.replay(areas_count=option))
        got = [player for player in "AB" if "interest-areas" in points[player].awards]
        assert got == (winners if len(winners) == 1 else [])


@pytest.mark.parametrize(("tie", "winner"), [("draw", ""), ("more_species", ""), ("more_technology", "")])
def test_equal_totals_and_equal_everything_have_no_winner(begin: Callable[..., Any], tie: str, winner: str) -> None:
    """Where the tie-break of the ruling `final_tie` is equal as well nobody wins."""
    replay = ended(begin, DATED, DATED, final_tie=tie).replay()
    assert replay.table.reason == "points"
    assert replay.table.winner == winner


def test_more_species_break_a_tie(begin: Callable[..., Any]) -> None:
    """With equal totals more Species win under `final_tie: more_species`, more technology under the other."""
    # Ann: 3 + 1 technology; Ben: 2 + 2 Species of one point less each, found by the cards' own points.
    ann = ("haemophilus", "funding-round", "funding-round", "funding-round", "funding-round")
    written = begin(ann, ann, stall_guard="score_after_six_idle_turns")
    written.play("A:haemophilus", 0, 1).end(*"ABABABAB")
    assert written.replay(final_tie="more_species").table.winner == "A"


def test_a_retraction_after_an_upgrade_leaves_nothing(begin: Callable[..., Any]) -> None:
    """Events beneath a Species act in the order in which they were played."""
    ann = ("roundworm", "assembly-upgrade", "fruit-fly", "thale-cress", "rice")
    ben = ("retraction", "malaria-mosquito", "honey-bee", "grapevine", "house-mouse")
    written = begin(ann, ben).play("A:roundworm", 0, 1)
    written.add("event.played", player="A", card="A:assembly-upgrade", target="A:roundworm")
    worth = {"after the upgrade": GAME.totals(written.replay().table, "A")["species_points"]}
    written.end("A").add("event.played", player="B", card="B:retraction", target="A:roundworm")
    worth["after the retraction"] = GAME.totals(written.replay().table, "A")["species_points"]
    assert worth == {"after the upgrade": 5, "after the retraction": 0}


def test_progress_is_the_share_of_points(begin: Callable[..., Any]) -> None:
    """Nobody has any share at first; then the shares add up to one."""
    written = begin()
    assert [GAME.progress(written.replay().table, player) for player in "AB"] == [0, 0]
    written.column("A:roundworm", "A:fruit-fly").column("B:malaria-mosquito")
    shares = [GAME.progress(written.replay().table, player) for player in "AB"]
    assert sum(shares) == pytest.approx(1)
    assert shares[0] > shares[1]


@pytest.mark.parametrize("ruling", GAME.rulebook.rulings, ids=lambda ruling: str(ruling.key))
def test_every_option_is_in_force_or_refused_by_name(begin: Callable[..., Any], ruling: Any) -> None:
    """A built option folds the set-up; one that is not built is refused with those that are."""
    for option in ruling.options:
        if option.built:
            findings = begin().replay(**{ruling.key: option.name}).findings
            assert {finding.rule for finding in findings} <= {"phylogenome.deck.recommended-size"}
        else:
            with pytest.raises(RulesetError, match=f"{ruling.key} = {option.name} is declared but not built"):
                begin().replay(**{ruling.key: option.name})
