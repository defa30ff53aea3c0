"""Events are written as sentences, by the templates of their types."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from tabletape.events.games import crystal, duelyst, evolve, phylogenome, splicers
from tabletape.events.vocabulary.shared import CardsDrawn, DeckDeclared, GameEnded, GameStarted, NoteAdded, Seat
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games
from tabletape.projector.model.game import Game
from tabletape.projector.model.sentences import clause, event_in_words, in_words, outline, sentence, templates_of
from tests.projector.test_fold import replay
from tests.written_games import played

if TYPE_CHECKING:
    from tabletape.events.vocabulary import Event
    from tabletape.projector.fold.replay import Replay

SEATS = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))


@pytest.fixture
def table(higher: Game) -> Any:
    """Return a table with Ann and Ben, who have the same deck."""
    found: Replay = replay(higher, played("A", "four"))
    return found.table


@pytest.mark.parametrize("slug", games())
def test_every_event_type_has_its_sentence(slug: str) -> None:
    """Each event type has a sentence of its own, which names only fields that it has."""
    without = {tag for tag, kind in game(slug).vocabulary.types.items() if not templates_of(kind)}
    assert without <= {"state.observed"}


def test_the_first_template_whose_fields_are_written_is_used(table: Any) -> None:
    """Named cards are listed; others are counted, with the noun in the singular or plural."""
    named = CardsDrawn(player="A", cards=("A:one", "A:two", "A:six"))
    assert sentence(table, named) == "Ann draws One, Two and Six"
    assert sentence(table, CardsDrawn(player="B", count=1)) == "Ben draws 1 card"
    assert sentence(table, CardsDrawn(player="B", count=3)) == "Ben draws 3 cards"
    assert sentence(table, CardsDrawn(player="B", cards=())) == "Ben draws nothing"
    assert sentence(table, DeckDeclared(player="A", cards=("one",) * 6)) == "Ann plays a deck of 6 cards"


def test_a_value_of_none_has_its_own_template(table: Any) -> None:
    """A game that ended without a winner has another sentence than one with a winner."""
    assert sentence(table, GameEnded(winner="A", reason="tricks")) == "Ann has won (tricks)"
    assert sentence(table, GameEnded(winner=None, reason="tricks")) == "Nobody has won (tricks)"


def test_an_optional_part_needs_its_fields(table: Any) -> None:
    """A part of a template whose fields are not written is left out of the sentence."""
    assert sentence(table, NoteAdded(text="late")) == "Note: late"
    assert sentence(table, NoteAdded(player="A", text="late", rule="r")) == "Ann notes: late (r)"


def test_booleans_changes_and_fixed_values_have_words(table: Any) -> None:
    """In place of `paid yes`, `by -2` and `deck-out` a sentence has the words of its template or of the type."""
    paid = [evolve.OrganismUnstressed(player="A", card="A:one", paid=each) for each in (True, False)]
    sentences = [sentence(table, each) for each in paid]
    assert sentences == ["Ann unstresses One for 1 DNA", "Ann unstresses One for free"]
    changed = [evolve.DnaChanged(player="B", by=by, to=3) for by in (1, -2)]
    assert [sentence(table, each) for each in changed] == ["Ben gains 1 DNA and has 3", "Ben loses 2 DNA and has 3"]
    assert sentence(table, evolve.GameEnded(winner="A", reason="deck-out")) == "Ann has won (empty deck)"


def test_an_optional_part_may_have_an_alternative(table: Any) -> None:
    """A mulligan that returns no cards has other words than one that returns some."""
    kept = evolve.MulliganTaken(player="A", free=False, returned=(), drawn=(), shuffled=False)
    taken = evolve.MulliganTaken(player="A", free=False, returned=("A:one",), drawn=("A:six",), shuffled=True)
    assert sentence(table, kept) == "Ann keeps the hand"
    assert sentence(table, taken) == "Ann takes a mulligan: puts One under the deck, shuffles it and draws Six"


def test_optional_parts_in_a_row_leave_no_extra_comma(table: Any) -> None:
    """An observed state lists only the values that were observed."""
    assert sentence(table, evolve.StateObserved(player="A", dna=3, hand=1)) == (
        "Ann is seen to have 3 DNA, 1 card in hand"
    )


def test_a_sentence_may_be_part_of_a_longer_one(table: Any) -> None:
    """Within a finding a sentence begins with a small letter, unless a name is first."""
    assert clause(table, evolve.PhaseStarted(phase="main")) == "the main step begins"


def test_a_card_with_a_namesake_on_the_other_side_is_named_with_its_owner(table: Any) -> None:
    """If both players have a card of that name, the other player's is named with its owner, one's own without."""
    assert in_words(table, "B:one", "A") == "Ben's One"
    assert in_words(table, "B:one", "B") == "One"


def test_a_hidden_card_stays_hidden(table: Any) -> None:
    """A sentence names no card that its reader may not know."""
    one = CardsDrawn(player="A", cards=("A:one",))
    assert sentence(table, one, frozenset({"A:one"})) == "Ann draws a hidden card"
    several = CardsDrawn(player="A", cards=("A:one", "A:six"))
    assert sentence(table, several, frozenset({"A:one", "A:six"})) == "Ann draws 2 hidden cards"


def test_ones_own_unseen_card_is_named_without_its_owner(table: Any) -> None:
    """Ann draws `unseen card 1`; only an unseen card of the other player is named with its owner."""
    assert sentence(table, CardsDrawn(player="A", cards=("A:?1",))) == "Ann draws unseen card 1"
    assert in_words(table, "B:?1", "A") == "unseen card 1 of Ben"


def test_a_zero_may_be_left_out_and_values_are_listed_by_player(table: Any) -> None:
    """A prevented damage of 0 is left out; the dominated bioms are listed for each player."""
    resolved: dict[str, Any] = {"player": "A", "power": 3, "highest": 5, "hitpoints": 7}
    sentences = [sentence(table, crystal.AttackResolved(prevented=n, damage=2 - n, **resolved)) for n in (0, 1)]
    assert sentences == [
        "Ann has 3 attack, the highest is 5: 2 damage (7 hit points left)",
        "Ann has 3 attack, the highest is 5: 1 damage, with up to 1 prevented (7 hit points left)",
    ]
    counted = splicers.RoundCounted(round=2, dominated={"A": ("shore", "shelf"), "B": ()})
    assert sentence(table, counted) == "Round 2 is counted: Ann dominates shore and shelf, Ben dominates nothing"


def test_the_outline_of_a_decision_has_gaps_for_its_choices(table: Any) -> None:
    """A group of choices is named by the sentence of its type, with a gap for what is still to be chosen."""
    seed = splicers.SeedPlayed(player="A", card="A:one", biom="shore")
    assert outline(table, seed) == "Ann plays … as a seed at …"
    assert outline(table, splicers.TingEvolved(player="B", card="B:one")) == "Ben evolves …"
    kept = duelyst.MulliganTaken(player="A", returned=(), drawn=())
    assert outline(table, kept) == "Ann takes a mulligan: puts … back and draws … or keeps the hand"


def test_a_type_without_a_sentence_is_written_by_its_fields(higher: Game, table: Any) -> None:
    """A game need not define sentences for its types."""
    event: Event = higher.vocabulary.decode(json.dumps(played("A", "four")))
    assert event_in_words(table, event) == "Ann: card played - Four"


def test_a_part_of_an_event_has_a_template_of_its_own() -> None:
    """Each move in a list is written by its own template; each keyword in a list has its own words."""
    one = game("phylogenome")
    moved = phylogenome.SpeciesMoved(
        player="A",
        moves=(phylogenome.SpeciesMove(card="rice", to=(1, 2)), phylogenome.SpeciesMove(card="chicken", to=(0, -1))),
    )
    laid_out = fold(one, [GameStarted(game="phylogenome", edition="basic", id="g", players=SEATS)]).table
    assert sentence(laid_out, moved) == "Ann moves Rice to [1, 2] and Chicken to [0, -1]"
    zeros: dict[str, Any] = dict.fromkeys(("chain", "species", "technology"), 0)
    counted = phylogenome.PointsCounted(
        player="A", awards=("oldest-publication", "largest-genome"), special=4, total=4, **zeros
    )
    assert "4 special for the oldest publication and the largest genome" in sentence(laid_out, counted)
