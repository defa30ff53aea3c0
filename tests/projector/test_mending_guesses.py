"""What mending guesses: what chance brought, what a finding points to, and which of several repairs comes first."""

from typing import Any, cast

import msgspec

from tabletape.events.games.duelyst import MulliganTaken
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.mending.candidates import beside
from tabletape.projector.mending.clues import Clues, clues_of, values_in
from tabletape.projector.mending.edits import Edit, bare
from tabletape.projector.mending.kinds import in_kinds
from tabletape.projector.mending.proposals import mend
from tabletape.projector.mending.ranking import Found, Habits, ranked
from tabletape.projector.mending.supposed_dice import SupposedDice
from tabletape.projector.mending.ways import apart, together
from tabletape.projector.model.game import Game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.projector.test_fold import DRAWN, HEAD, read
from tests.waiting import ALL_LINES
from tests.written_games import played


def dealt(higher: Game) -> Replay:
    """Return the replay of a game in which both decks are declared and no card is drawn."""
    ruleset = higher.rulebook.ruleset(higher.rulebook.editions[0].label)
    return Replay(higher, ruleset).run(read(higher, HEAD))


def test_a_missing_draw_has_the_cards_that_are_used_later(higher: Game) -> None:
    """The cards that later lines use were drawn; those that a later line draws were not; nobody saw the others."""
    later = read(higher, [played("A", "four"), {"type": "cards.drawn", "player": "A", "cards": ["A:six"]}])
    dice = SupposedDice(dealt(higher).table, [*later, *read(higher, [played("A", "six"), played("A", "two")])])
    assert dice.draw("A", 3) == ("A:four", "A:two", "A:?1")


def test_a_draw_takes_no_more_than_the_deck_has(higher: Game) -> None:
    """Of six cards in the deck nobody draws nine."""
    assert len(SupposedDice(dealt(higher).table, []).draw("A", 9)) == 6


def test_supposed_dice_give_every_answer(higher: Game) -> None:
    """Each number gives other answers, until every combination of answers to two questions was given once."""
    dice = SupposedDice(dealt(higher).table, [])
    answers = []
    for number in range(6):
        dice.decide_by(number)
        answers.append((dice.choose("ab"), dice.choose("xyz")))
    assert dice.options == 6
    assert len(set(answers)) == 6


def test_a_spot_beside_the_one_found_wrong_is_a_clue() -> None:
    """Cards and spots point to lines that name them; a spot half as much to the ones beside it."""
    moved: Any = game("duelyst").vocabulary.convert
    clues = Clues(frozenset({"A:koi"}), frozenset({(2, 2)}))
    lines = [("A:koi", [5, 5]), ("A:ion", [2, 2]), ("A:ion", [3, 3]), ("A:koi", [1, 2]), ("A:ion", [4, 2])]
    moves = [moved({"type": "unit.moved", "player": "A", "unit": unit, "to": to}) for unit, to in lines]
    assert [clues.share([*values_in([each])]) for each in moves] == [0.5, 0.5, 0.25, 0.75, 0.0]


def test_cards_beside_a_spot_are_clues(higher: Game) -> None:
    """A line that names a spot is about the cards that lie there and beside it."""
    table = dealt(higher).table
    for name, place in (("A:one", (1, 1)), ("A:two", (4, 4))):
        table.set(table.card(name), "place", place)
    moved = game("duelyst").vocabulary.convert({"type": "unit.moved", "player": "A", "unit": "A:koi", "to": [2, 2]})
    assert clues_of(table, [moved]).cards == {"A:koi", "A:one"}


def test_a_forgotten_line_stands_where_the_log_usually_has_it(higher: Game) -> None:
    """Where plays alternate, a play between those of the other player is more usual than one behind another's."""
    plays = [played("AB"[number % 2], "one") for number in range(8)]
    events = read(higher, [*HEAD, *DRAWN, *plays[:5], *plays[6:]])
    missing = read(higher, [plays[5]])
    habits = Habits(events)
    assert habits.of(Edit("insert", 10, 0, (missing[0],))) > habits.of(Edit("insert", 11, 0, (missing[0],)))


def test_a_missing_draw_belongs_where_it_is_due_first(higher: Game) -> None:
    """A chance event is written as soon as it is due: of several places the first one is proposed first."""
    events = read(higher, [*HEAD, DRAWN[1], played("A", "one")])
    drawn = read(higher, DRAWN[:1])[0]
    found = [Found(Edit("insert", place, 0, (drawn,)), 0, order) for order, place in enumerate((5, 4, 3))]
    assert next(each.edit.start for each in ranked(found, events, 4)) == 3


def test_names_come_before_their_number(higher: Game) -> None:
    """A draw of three cards is no second repair beside the same draw with their names."""
    events = read(higher, [*HEAD, DRAWN[1]])
    named = read(higher, DRAWN[:1])[0]
    number = read(higher, [{"type": "cards.drawn", "player": "A", "count": 3}])[0]
    found = [Found(Edit("insert", 3, 0, (each,)), 0, order) for order, each in enumerate((number, named))]
    assert [bare(each.edit.events[0]) for each in ranked(found, events, 3)] == [named]


def test_lines_with_the_same_cards_are_one_kind() -> None:
    """Of many moves one of each card is tried first; a move to a spot found wrong, or beside it, is its own kind."""
    moved: Any = game("duelyst").vocabulary.convert
    moves = [
        Edit("insert", 9, 0, (moved({"type": "unit.moved", "player": "A", "unit": unit, "to": [row, 1]}),))
        for unit in ("A:koi", "A:ion")
        for row in range(1, 9)
    ]
    kinds = in_kinds(moves, Clues(frozenset(), frozenset({(8, 1)})))
    assert [len(each) for each in kinds] == [6, 1, 1, 6, 1, 1]
    assert [len(each) for each in in_kinds(moves[:4], Clues(frozenset(), frozenset()))] == [1, 1, 1, 1]


def test_what_the_log_cannot_tell_apart_is_one_edit(higher: Game) -> None:
    """One card at several places beside each other is one repair, and so is each other card at one of these."""
    events = read(higher, [*HEAD, *DRAWN, played("B", "two"), played("B", "six")])
    plays = read(higher, [played("A", "four"), played("A", "six")])
    edits = [Edit("insert", place, 0, (play,)) for play in plays for place in (7, 6, 5)]
    repairs = together([Found(edit, 0, order) for order, edit in enumerate(edits)], events)
    assert [[way.start for way in each.ways] for each in repairs] == [[7, 6, 5, 7, 6, 5]]
    assert [bare(each.events[0]) for each in apart(repairs[0].ways)] == list(map(bare, plays))


def test_a_line_missing_at_places_that_do_not_touch_is_two_edits(higher: Game) -> None:
    """Between the places lie lines of the other player, and behind some of them the line would not explain anything."""
    events = read(higher, [*HEAD, *DRAWN, played("B", "two"), played("B", "six"), played("B", "one")])
    (four,) = read(higher, [played("A", "four")])
    found = [Found(Edit("insert", place, 0, (four,)), 0, order) for order, place in enumerate((5, 8, 7))]
    assert [[way.start for way in each.ways] for each in together(found, events)] == [[5], [8, 7]]


def test_cards_at_other_spots_are_variations_of_a_line() -> None:
    """A move of the same cards to any other spots is one, those with a single difference come first; a part is, too."""
    legal = game("phylogenome")
    (match,) = simulate(legal, legal.cards, Plan(seed=701, full=False, bots=(Bot.GREEDY, Bot.RANDOM)), 1)
    events = list(match.events)
    place = next(at for at, each in enumerate(events) if len(getattr(each, "moves", ())) == 2)
    line: Any = events[place]
    replay = fold(legal, events[:place])
    all_others: list[Any] = beside(replay, line)
    parts = [other for other in all_others if len(other.moves) == 1]
    assert parts
    assert all({*values_in((part,))} < {*values_in((line,))} for part in parts)
    assert any(len(more.moves) == 2 for more in cast("list[Any]", beside(replay, parts[0])))
    others = [other for other in all_others if len(other.moves) == 2]
    cards = [{move.card for move in other.moves} for other in others]
    mine = {move.card for move in line.moves}
    differing = [sum(one != other for one, other in zip(line.moves, each.moves, strict=True)) for each in others]
    assert differing.index(2) > differing.index(1)
    assert all(each == mine for each, number in zip(cards, differing, strict=True) if number == 2)


def test_changes_of_two_lines_stay_two(higher: Game) -> None:
    """A line written anew in two ways is one repair; the same of another line, or leaving more findings, is another."""
    events = read(higher, [*HEAD, *DRAWN, played("A", "four"), played("B", "two")])
    six, one = read(higher, [played("A", "six"), played("A", "one")])
    wrong = [(5, six, 0), (5, one, 0), (6, one, 0), (5, one, 1)]
    found = [Found(Edit("replace", at, 1, (line,)), left, order) for order, (at, line, left) in enumerate(wrong)]
    assert [len(each.ways) for each in together(found, events)] == [2, 1, 1]


def test_moves_of_any_cards_in_place_of_one_line_are_one_repair() -> None:
    """Where the whole list of a line is wrong, the log cannot tell which cards were moved, or where to."""
    moved: Any = game("phylogenome").vocabulary.convert
    lists = [[("A:rice", [1, 1])], [("A:maize", [2, 3])], [("A:maize", [2, 3]), ("A:rice", [0, 0])]]
    lines = [
        moved({"type": "species.moved", "player": "A", "moves": [{"card": card, "to": to} for card, to in moves]})
        for moves in lists
    ]
    found = [Found(Edit("replace", 1, 1, (line,)), 0, order) for order, line in enumerate(lines)]
    assert [len(each.ways) for each in together(found, lines)] == [3]


def test_a_forgotten_line_is_believed_before_another_card(higher: Game) -> None:
    """What makes a line right as it stands comes before one with a card that it does not name."""
    events = read(higher, [*HEAD, *DRAWN, played("A", "four"), played("B", "two"), played("A", "two")])
    six, one = read(higher, [played("A", "six"), played("A", "one")])
    found = [Found(Edit("replace", 7, 1, (six,)), 0, 0), Found(Edit("insert", 6, 0, (one,)), 0, 1)]
    assert [each.edit.change for each in ranked(found, events, 7)] == ["insert", "replace"]
    found[0] = Found(Edit("replace", 7, 1, (msgspec.structs.replace(events[7], player="B"),)), 0, 0)
    assert [each.edit.change for each in ranked(found, events, 7)] == ["replace", "insert"]


def test_a_forgotten_mulligan_is_one_proposal() -> None:
    """Which cards were put back the log cannot tell: whatever they were, it is the same line that is missing."""
    one = game("duelyst")
    (match,) = simulate(one, one.cards, Plan(seed=3, full=False), 1)
    place = next(at for at, each in enumerate(match.events) if isinstance(each, MulliganTaken))
    left = [*match.events[:place], *match.events[place + 1 :]]
    wrong = [msgspec.structs.replace(each, seq=seq) for seq, each in enumerate(left, 1)]
    found = mend("g", fold(one, wrong), lines=ALL_LINES)
    assert found is not None
    (proposal,) = found.proposals
    true: Any = match.events[place]
    lines: list[Any] = [edit.events[0] for edit in proposal.readings]
    assert {type(line) for line in lines} == {MulliganTaken}
    assert sorted(true.returned) in [sorted(line.returned) for line in lines]
