"""The fold, tested on a game that is small enough to count every number by hand."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.vocabulary import Event
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.taken_back import UNDONE
from tabletape.projector.model.game import Drift, Game
from tabletape.projector.model.rulebook import RulesetError
from tabletape.projector.model.table import CannotFoldError
from tests.written_games import played

CARDS = ["one", "two", "three", "four", "five", "six"]
HEAD: list[dict[str, Any]] = [
    {"type": "game.started", "game": "higher", "edition": "first", "id": "g", "rulings": {},
     "players": [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]},
    {"type": "deck.declared", "player": "A", "cards": CARDS},
    {"type": "deck.declared", "player": "B", "cards": CARDS},
]  # fmt: skip
DRAWN: list[dict[str, Any]] = [
    {"type": "cards.drawn", "player": "A", "cards": ["A:one", "A:four", "A:six"]},
    {"type": "cards.drawn", "player": "B", "cards": ["B:two", "B:three", "B:six"]},
]
UNSEEN: list[dict[str, Any]] = [
    {"type": "cards.drawn", "player": "A", "count": 3},
    {"type": "cards.drawn", "player": "B", "count": 3},
]

UNSEEN_HEAD = [*HEAD, *UNSEEN]


def read(game: Game, lines: list[dict[str, Any]]) -> list[Event]:
    """Decode log lines as the importer does."""
    return [game.vocabulary.decode(json.dumps(line)) for line in lines]


def replay(game: Game, *lines: dict[str, Any], head: list[dict[str, Any]] = HEAD, **options: Any) -> Replay:
    """Fold a game that begins with both decks declared and three named cards in each hand."""
    return fold(game, read(game, [*head, *DRAWN, *lines]), **options)


def findings_of(replayed: Replay) -> list[tuple[int, str, str]]:
    """Return position, rule and kind of each finding."""
    return [(finding.seq, finding.rule, finding.kind) for finding in replayed.findings]


TAKE = {"type": "trick.taken", "player": "A"}
GAME = [played("A", "four"), played("B", "two"), played("A", "six"), played("B", "three")]


def test_a_legal_game_has_a_winner_and_no_findings(higher: Game) -> None:
    """Two tricks win, and a game without mistakes has no findings."""
    replayed = replay(higher, *GAME)
    assert findings_of(replayed) == []
    assert (replayed.table.winner, replayed.table.reason) == ("A", "tricks")


def test_a_wrong_end_does_not_end_a_game_that_goes_on(higher: Game) -> None:
    """An end that the rules do not derive is one finding; if more lines follow, the fold goes on as the players did."""
    wrong = {"type": "game.ended", "winner": "B", "reason": "tricks"}
    found = [(9, "higher.state.consequence", "mismatch")]
    replayed = replay(higher, *GAME[:2], TAKE, wrong, *GAME[2:])
    assert findings_of(replayed) == found
    assert replayed.table.winner == "A"
    also_written = replay(higher, *GAME[:2], wrong, TAKE, *GAME[2:], TAKE)
    assert [seq for seq, *_ in findings_of(also_written)] == [8]
    last = replay(higher, *GAME[:2], TAKE, wrong)
    assert findings_of(last) == found
    assert (last.table.over, last.table.winner) == (True, "B")


def test_nothing_comes_after_an_end_by_the_rules(higher: Game) -> None:
    """Every line after the end of a game is a finding."""
    replayed = replay(higher, *GAME, played("A", "one"), played("B", "one"))
    assert [(rule, kind) for _, rule, kind in findings_of(replayed)] == [("higher.end.nothing-after", "illegal")] * 2


def test_full_and_sparse_logs_fold_to_the_same_table(higher: Game) -> None:
    """Writing a consequence down changes nothing at the table."""
    full = [*GAME[:2], TAKE, *GAME[2:], TAKE, {"type": "game.ended", "winner": "A", "reason": "tricks"}]
    assert findings_of(replay(higher, *full)) == []
    assert replay(higher, *full).table.state() == replay(higher, *GAME).table.state()


def test_a_wrong_consequence_is_a_mismatch_that_names_the_derived_rule(higher: Game) -> None:
    """A trick that the log gives to the other player contradicts the rule that the fold carried out."""
    replayed = replay(higher, *GAME[:2], {"type": "trick.taken", "player": "B"})
    assert findings_of(replayed) == [(8, "higher.state.consequence", "mismatch")]
    assert replayed.findings[0].because == "higher.trick.higher-card"


def test_a_broken_rule_taints_what_comes_later_and_the_table_goes_on(higher: Game) -> None:
    """After an illegal card the fold goes on with what the table did; later findings are tainted."""
    replayed = replay(higher, played("B", "two"), played("A", "five"), played("A", "four"))
    assert [(finding.seq, finding.rule, finding.tainted) for finding in replayed.findings] == [
        (6, "higher.turn.alternate", False),
        (7, "higher.card.from-hand", True),
    ]
    assert replayed.tainted_from == 6
    assert {card.name for card in replayed.table.zones["taken"].cards} == {"B:two", "A:five"}


def test_a_broken_rule_that_stops_its_row_hides_later_rules(higher: Game) -> None:
    """A play out of turn stops the row of checks, so that the card not in hand is not reported as well."""
    assert findings_of(replay(higher, played("B", "five"))) == [(6, "higher.turn.alternate", "illegal")]


def test_opportunities_are_counted_whether_kept_or_broken(higher: Game) -> None:
    """A rule counts once for each event that it had something to say about."""
    replayed = replay(higher, *GAME[:3], played("A", "one"))
    number = higher.by_id["higher.turn.alternate"].number
    assert (replayed.kept[number], replayed.broken[number]) == (3, 1)
    derived = higher.by_id["higher.trick.higher-card"].number
    assert replayed.kept[derived] == 2


def test_an_empty_replay_has_no_counts(higher: Game) -> None:
    """The counts may be read before the first line is folded."""
    replayed = Replay(higher, higher.rulebook.ruleset("first"))
    assert not any((*replayed.kept, *replayed.broken))


def test_an_observed_total_wins_over_the_fold(higher: Game) -> None:
    """An observed total that differs from the fold is a drift, and the fold adopts it."""
    replayed = replay(higher, *GAME[:2], {"type": "state.observed", "player": "B", "tricks": 1})
    assert findings_of(replayed) == [(8, "higher.state.observed", "drift")]
    assert replayed.table.players["B"].tricks == 1


def test_the_verb_of_a_drift_agrees_with_its_noun(higher: Game) -> None:
    """Plural nouns take "were", singular ones "was"."""

    def message_for(noun: str) -> str:
        rule = higher.by_id["higher.state.observed"]
        changed = msgspec.structs.replace(higher, observe=lambda _table, _event: [Drift(rule, noun, 22, 20)])
        (found,) = replay(changed, *GAME[:2], {"type": "state.observed", "player": "B", "tricks": 1}).findings
        return found.message

    assert message_for("Ann's hit points") == "Ann's hit points were read as 20, the log makes them 22"
    assert message_for("the power of lanes") == "the power of lanes was read as 20, the log makes it 22"
    assert message_for("progress") == "progress was read as 20, the log makes it 22"


BEFORE_THE_TRICK = {"type": "state.observed", "player": "A", "tricks": 0}


def test_an_observation_between_two_automatic_steps_is_right(higher: Game) -> None:
    """An observation before a consequence that the log writes afterwards is no drift, and changes nothing."""
    replayed = replay(higher, *GAME[:2], BEFORE_THE_TRICK, TAKE, GAME[2])
    assert findings_of(replayed) == []
    assert replayed.table.players["A"].tricks == 1


@pytest.mark.parametrize("later", [[], [GAME[2]], [{"type": "play.taken-back", "to": 5}]])
def test_a_consequence_that_the_table_forgot_is_a_drift(higher: Game, later: list[dict[str, Any]]) -> None:
    """An observation of a state between two steps, without the second step, shows that the players forgot that step."""
    replayed = replay(higher, *GAME[:2], BEFORE_THE_TRICK, *later)
    assert findings_of(replayed) == [(8, "higher.state.observed", "drift")]
    assert replayed.broken[higher.by_id["higher.state.observed"].number] == 1


def test_what_the_table_forgot_is_adopted_with_the_next_decision(higher: Game) -> None:
    """The fold goes on with the observed total."""
    assert replay(higher, *GAME[:2], BEFORE_THE_TRICK, GAME[2]).table.players["A"].tricks == 0


def test_a_play_that_is_taken_back_leaves_the_table_as_it_was(higher: Game) -> None:
    """Events that were taken back stay in the log; the table is as before, and play goes on from there."""
    back = replay(higher, *GAME[:2], {"type": "play.taken-back", "to": 5})
    assert back.table.state() == replay(higher).table.state()
    again = replay(higher, *GAME[:2], {"type": "play.taken-back", "to": 5}, *GAME)
    assert findings_of(again) == []
    assert again.table.winner == "A"


def test_what_the_keeper_of_a_log_undoes_was_never_played(higher: Game) -> None:
    """It is no mistake of the table, and taints nothing behind it; a play that players take back was one."""
    for note, found in ((UNDONE, []), ("sorry", [(6, "higher.card.no-one", "illegal")])):
        lines = [{**HEAD[0], "edition": "second"}, *HEAD[1:], *DRAWN, played("A", "one")]
        back = {"type": "play.taken-back", "to": 5, "note": note}
        replayed = fold(higher, read(higher, [*lines, back, played("A", "four")]))
        assert findings_of(replayed) == found
        assert bool(replayed.tainted_from) is bool(found)


def test_taking_back_the_same_play_again_and_again_does_not_grow(higher: Game) -> None:
    """The journal grows by the same amount with each take-back to one event; it does not double."""
    again = [played("A", "four"), {"type": "play.taken-back", "to": 5}]
    never, once, often = (replay(higher, *again * times) for times in (0, 1, 40))
    grown = len(once.table.journal) - len(never.table.journal)
    assert len(often.table.journal) == len(never.table.journal) + 40 * grown
    assert often.table.state() == replay(higher).table.state()


def test_a_table_outlives_its_replay_with_a_journal_of_its_own(higher: Game) -> None:
    """The journal is freed with the replay; the table keeps its state and starts a new journal."""
    table = replay(higher, *GAME[:2], {"type": "play.taken-back", "to": 5}, *GAME).table
    assert (table.journal, table.reverted) == ([], {})
    state = table.state()
    table.set(table, "lead", "B")
    table.undo(0)
    assert table.state() == state == replay(higher, *GAME).table.state()


def test_zones_and_players_come_before_all_cards(higher: Game) -> None:
    """No zone and no player can be added to a table with cards, because copying relies on that order."""
    table = replay(higher).table
    with pytest.raises(ValueError, match="before the first card"):
        table.add_zone("late")
    with pytest.raises(ValueError, match="before the first card"):
        table.add_player(next(iter(table.players.values())))


def test_a_take_back_may_be_taken_back(higher: Game) -> None:
    """Players who took back too much may take that back, and everything is there again."""
    lines = [*UNSEEN_HEAD, played("A", "four"), {"type": "play.taken-back", "to": 3}]
    back = fold(higher, read(higher, [*lines, {"type": "play.taken-back", "to": 6}]))
    assert back.stopped is None
    assert back.table.state() == fold(higher, read(higher, lines[:-1])).table.state()


def test_a_take_back_to_an_event_that_does_not_exist_stops_the_replay(higher: Game) -> None:
    """An event that cannot be folded stops the replay there, with the reason."""
    replayed = replay(higher, *GAME[:2], {"type": "play.taken-back", "to": 99}, *GAME[2:])
    assert replayed.stopped is not None
    assert (replayed.stopped.seq, len(replayed.events)) == (8, 7)
    assert "99" in replayed.stopped.reason


def test_unnamed_cards_are_counted(higher: Game) -> None:
    """Hands that were drawn as counts have the right sizes, also after a named card is played from one."""
    lines = [*HEAD, *UNSEEN, played("A", "four")]
    table = fold(higher, read(higher, lines)).table
    sizes = {name: zone.size for name, zone in table.zones.items()}
    assert sizes == {"nowhere": 0, "A/deck": 3, "A/hand": 2, "B/deck": 3, "B/hand": 3, "trick": 1, "taken": 0}


def test_a_rule_about_an_unseen_card_is_decided_when_it_is_shown(higher: Game) -> None:
    """A rule that depends on an unseen card waits; when the card is shown, the finding has the line of the play."""
    second = [{**HEAD[0], "edition": "second"}, *HEAD[1:], *UNSEEN]
    unseen = {"type": "card.played", "player": "A", "card": "A:?1"}
    waiting = fold(higher, read(higher, [*second, unseen]))
    assert findings_of(waiting) == [(6, "higher.card.no-one", "unverifiable")]
    for card, expected in (("one", [(6, "higher.card.no-one", "illegal")]), ("two", [])):
        line = {"type": "card.shown", "card": f"A:{card}", "was": "A:?1"}
        shown = fold(higher, read(higher, [*second, unseen, line]))
        assert findings_of(shown) == expected
        assert [each.name for each in shown.table.zones["trick"].cards] == [f"A:{card}"]
        assert shown.table.zones["A/deck"].size == 3


def test_a_rule_of_another_edition_is_not_checked(higher: Game) -> None:
    """The One may be played under the first edition and not under the second; the log is the same."""
    lines = read(higher, [*HEAD, *DRAWN, played("A", "one")])
    assert findings_of(fold(higher, lines)) == []
    assert findings_of(fold(higher, lines, edition="second")) == [(6, "higher.card.no-one", "illegal")]


def test_an_option_that_is_not_built_is_refused(higher: Game) -> None:
    """A declared option that is not built is never silently ignored, and a misspelt one gets a suggestion."""
    lines = read(higher, [*HEAD, *DRAWN])
    with pytest.raises(RulesetError, match="ties = nobody is declared but not built"):
        fold(higher, lines, rulings={"ties": "nobody"})
    with pytest.raises(RulesetError, match="did you mean second_card"):
        fold(higher, lines, rulings={"ties": "second_crad"})
    with pytest.raises(RulesetError, match="no ruling called"):
        fold(higher, lines, rulings={"tie": "first_card"})


def test_a_log_without_a_head_is_refused(higher: Game) -> None:
    """A log begins with game.started."""
    with pytest.raises(CannotFoldError):
        fold(higher, read(higher, HEAD[1:]))


moves = st.lists(
    st.one_of(
        st.builds(played, st.sampled_from("AB"), st.sampled_from([*CARDS, "?1", "?2"])),
        st.builds(lambda to: {"type": "play.taken-back", "to": to}, st.integers(3, 9)),
        st.builds(
            lambda who, tricks: {"type": "state.observed", "player": who, "tricks": tricks},
            st.sampled_from("AB"),
            st.integers(0, 2),
        ),
        st.just(TAKE),
        st.builds(lambda c: {"type": "card.shown", "card": f"A:{c}", "was": "A:?1"}, st.sampled_from(CARDS)),
    ),
    max_size=14,
)  # fmt: skip
lenient = settings(deadline=None, max_examples=150)


@lenient
@given(lines=moves, hidden=st.booleans(), cut=st.integers(0, 20))
def test_folding_a_prefix_and_then_the_rest_is_folding_at_once(
    higher: Game,
    lines: list[dict[str, Any]],
    hidden: bool,
    cut: int,
) -> None:
    """Folding a prefix and then the rest gives the same table, findings and counts as folding all at once."""
    log = read(higher, [*HEAD, *(UNSEEN if hidden else DRAWN), *lines])
    ruleset, misread = higher.rulebook.ruleset("first"), fold(higher, log).misread
    whole = Replay(higher, ruleset, misread=misread).run(log).finish()
    parts = Replay(higher, ruleset, misread=misread).run(log[: max(1, cut)]).run(log[max(1, cut) :]).finish()
    assert parts.table.state() == whole.table.state()
    assert parts.findings == whole.findings
    assert parts.kept == whole.kept


@lenient
@given(lines=moves, hidden=st.booleans())
def test_every_step_back_is_a_shorter_fold(higher: Game, lines: list[dict[str, Any]], hidden: bool) -> None:
    """The table at any step, reached from a checkpoint or by undoing, is the fold of the log up to there."""
    log = read(higher, [*HEAD, *(UNSEEN if hidden else DRAWN), *lines])
    whole = fold(higher, log)
    for step in range(len(whole.events) - 1, -1, -1):
        prefix = Replay(higher, whole.ruleset, misread=whole.misread).run(log[: step + 1]).finish()
        shorter = prefix.table.state()
        assert whole.at(step).state() == shorter
        whole.table.undo(whole.journal_ends[step])
        assert whole.table.state() == shorter


def test_findings_are_complete_only_at_the_end(higher: Game) -> None:
    """Findings that are read during a fold do not change what they are after its end."""
    wrong = {"type": "state.observed", "player": "A", "tricks": 7}
    log = read(higher, [*HEAD, *DRAWN, played("A", "five"), played("B", "five"), wrong])
    early = Replay(higher, higher.rulebook.ruleset("first")).run(log)
    assert early.findings
    early.finish()
    assert early.findings == Replay(higher, higher.rulebook.ruleset("first")).run(log).finish().findings
