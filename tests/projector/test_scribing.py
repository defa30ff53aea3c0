"""Keeping a log: what is asked for and offered can be written, nothing shown is lost, and nothing is refused."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.importing.import_files import import_paths
from tabletape.events.log import Log
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import GameStarted, NoteAdded
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.scribing.after_finding import agreed, rulings_without
from tabletape.projector.scribing.asking import AnswerError, answered, copies_among, question_of, with_drawn
from tabletape.projector.scribing.beginning import (
    Beginning,
    BeginningError,
    NewSeat,
    begin,
    decks_of,
    last_table,
    pasted_deck,
)
from tabletape.projector.scribing.choices import MAX_LIST, Choice, Group, drawn_after, in_steps, narrowed
from tabletape.projector.scribing.forms import FormError, forms, line_of
from tabletape.projector.scribing.screen import ViewerScreen, as_line
from tabletape.projector.scribing.scribe import Scribe
from tabletape.projector.selfplay.simulate import Plan, simulate

every_game = pytest.mark.parametrize("slug", games())
RECORDINGS = Path(__file__).parents[1] / "recordings"


def new_scribe(log: Log, slug: str, **more: Any) -> Scribe:
    """Begin a game of Ann and Ben with the first two decks."""
    decks = list(decks_of(log, slug)) or ["", ""]
    players = tuple(NewSeat(name=name, deck=deck) for name, deck in zip(("Ann", "Ben"), decks * 2, strict=False))
    return Scribe(log, begin(log, Beginning(game=slug, players=players, **more)))


def next_line(scribe: Scribe, view: ViewerScreen, rng: Random) -> Event | None:
    """Return a random line that is asked for or offered, answered as by a player who sees every card."""
    replay = scribe.replay
    table = replay.table
    due = replay.game.due(table)
    if due and (not view.choices or rng.random() < 0.9):
        chosen = rng.choice(due)
        question = question_of(table, chosen)
        if question.lines:
            return rng.choice(question.lines)[1]
        if question.ordered:
            names = [name for name, _ in question.ordered]
            return answered(table, chosen, rng.sample(names, len(names)), 0)
        # From a hidden deck any card may come, or a card that nobody sees.
        if question.unseen and rng.random() < 0.3:
            return answered(table, chosen, (), question.most)
        copies = [card.card for card in question.cards for _ in range(card.copies)]
        return answered(table, chosen, rng.sample(copies, question.most), 0)
    if not view.choices:
        return None
    event = rng.choice(view.choices).event
    return with_drawn(table, event, (), drawn_after(event)) if drawn_after(event) else event


@every_game
@settings(deadline=None, max_examples=3)
@given(seed=st.integers(0, 500))
def test_a_game_of_lines_asked_for_or_offered_breaks_no_rule(slug: str, seed: int, tmp_path_factory: Any) -> None:
    """A log of lines that were asked for or offered, with seen and unseen cards, has no broken rule."""
    rng = Random(seed)  # noqa: S311 - the same game for the same seed
    with Log.open(tmp_path_factory.mktemp("kept") / "t.db", create=True) as log:
        scribe = new_scribe(log, slug)
        view = ViewerScreen(scribe, EVERYTHING)
        for _ in range(40):
            event = next_line(scribe, view, rng)
            if event is None or scribe.replay.table.over:
                break
            scribe.write([event], scribe.last_seq)
        assert scribe.last_seq > 8
        # A starting hand of Crystal Factions mixes two decks: in which order its open cards came is not asked.
        judged = [each for each in scribe.replay.findings if each.rule != "crystal.draw.basic-top"]
        broken = [each for each in judged if each.kind in {"illegal", "missing"}]
        assert broken == []
        # The page shows what the log holds: folding the log again gives the same table.
        events = log.events(log.game(scribe.stored.game_id))
        assert Scribe(log, scribe.stored.game_id).replay.table.state() == scribe.replay.table.state()
        assert fold(scribe.replay.game, events).stopped is None


@every_game
def test_every_choice_is_reached_in_four_taps_through_short_lists(slug: str, tmp_path: Path) -> None:
    """From a table in a game of bots each offer is reached in at most four taps; no list is longer than `MAX_LIST`."""
    one = game(slug)
    (match,) = simulate(one, one.cards, Plan(seed=7, limit=60), 1)
    with Log.open(tmp_path / "t.db", create=True) as log:
        head = match.events[0]
        assert isinstance(head, GameStarted)
        log.append(head.id, match.events[:-1], expected_last_seq=0)
        scribe = Scribe(log, head.id)
        for choice in ViewerScreen(scribe, EVERYTHING).choices:
            assert taps_to(scribe, ViewerScreen(scribe, EVERYTHING).choices, choice) <= 4


def taps_to(scribe: Scribe, choices: list[Choice], choice: Choice) -> int:
    """Return how many taps it takes to write a choice, each on a group or on a card or cell of the board."""
    table, tapped, remaining = scribe.replay.table, list[str](), choices
    for number in range(1, 9):
        shown = in_steps(table, remaining, tapped)
        assert len(shown) <= MAX_LIST
        if choice in shown:
            return number
        groups = [each.mark for each in shown if isinstance(each, Group)]
        free = [mark for mark in choice.marks if mark not in tapped]
        on_board = [mark for mark in free if mark in table.cards]
        rows = [f"{mark.partition(',')[0]}," for mark in free if "," in mark]
        tapped.append(next((mark for mark in [*free, *rows] if mark in groups), on_board[0] if on_board else free[0]))
        remaining = narrowed(choices, tapped)
        assert choice in remaining
    raise AssertionError(f"{choice.words} is not reached")


def test_without_typed_text_the_end_of_a_turn_is_never_first(tmp_path: Path) -> None:
    """Without typed text a decision about a card comes first; typed text brings the matching choice to the front."""
    one = game("crystal")
    (match,) = simulate(one, one.cards, Plan(seed=7, limit=60), 1)
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = None
        for event in match.events:
            log.append("bot-crystal-7-1", [event], expected_last_seq=scribe.last_seq if scribe else 0)
            scribe = Scribe(log, "bot-crystal-7-1")
            view = ViewerScreen(scribe, EVERYTHING)
            if len(view.choices) > 1:
                assert view.screen().options[0].words.endswith("lane") or view.screen().options[0].mark
                done = view.screen(typed="done").options
                assert [option.words for option in done] == [f"{done[0].words.split(' is ')[0]} is done deploying"]


@every_game
def test_everything_can_be_entered_with_a_form(slug: str) -> None:
    """Each line of a full game is made by the form of its type, whose fields are those of the type."""
    one = game(slug)
    (match,) = simulate(one, one.cards, Plan(seed=3, full=True, limit=150), 1)
    replay = fold(one, match.events)
    by_type = {form.type: form for form in forms(one.vocabulary, replay.table)}
    for event in match.events[1:]:
        line = as_line(event)
        line.pop("cause", None)
        form = by_type[line["type"]]
        assert line.keys() - {"type"} <= {field.name for field in form.fields}
        assert as_line(line_of(one.vocabulary, line)) == line
    with pytest.raises(FormError, match="player"):
        line_of(one.vocabulary, {"type": "deck.declared"})


@every_game
def test_a_form_offers_the_cards_and_players_of_its_fields(slug: str) -> None:
    """A field for a card, a player or a place has options to choose from, however the vocabulary describes it."""
    one = game(slug)
    (match,) = simulate(one, one.cards, Plan(seed=3, limit=40), 1)
    table = fold(one, match.events).table
    for form in forms(one.vocabulary, table):
        for field in form.fields:
            if field.kind in {"player", "card", "cards"}:
                assert field.options
            elif field.kind == "text":
                assert field.name not in {"target", "targets", "host", "card", "cards", "player", "to", "at"} or (
                    (form.type, field.name) in {("ability.used", "to"), ("priority.passed", "to")}
                )


def test_a_form_that_cannot_be_read_says_in_plain_words_what_is_expected() -> None:
    """What is missing or of the wrong kind is named as in an import, without the decoder's words."""
    words = game("crystal").vocabulary
    with pytest.raises(FormError, match=r"`starting-hand.drawn` needs the field `cards`"):
        line_of(words, {"type": "starting-hand.drawn", "player": "A"})
    with pytest.raises(FormError, match=r"`cards`: a list \[…\] is expected, not `\"A:trooper\"`"):
        line_of(words, {"type": "starting-hand.drawn", "player": "A", "cards": "A:trooper"})


# -- illegal lines -----------------------------------------------------------------------------------------------------


def test_an_illegal_line_is_written_and_a_ruling_makes_it_legal(tmp_path: Path) -> None:
    """An illegal line is logged and reported at once; a ruling that allows it is stored with a revision of the game."""
    path = RECORDINGS / "crystal" / "catalogue-tech-within-limit.jsonl"
    lines = recorded_lines(path)
    events = [game("crystal").vocabulary.decode(line) for line in lines]
    with Log.open(tmp_path / "t.db", create=True) as log:
        head = events[0]
        assert isinstance(head, GameStarted)
        wrong = next(each.seq for each in fold(game("crystal"), events).findings)
        log.append(head.id, events[: wrong - 1], expected_last_seq=0)
        scribe = Scribe(log, head.id)
        scribe.write([events[wrong - 1]], wrong - 1)
        (finding,) = scribe.brought()
        assert finding.rule == "crystal.tech.within-limit"
        assert ", and cards before it have used 1, by the ruling" in finding.message
        assert finding.expected == "a card that needs no tech"
        (ruling,) = rulings_without(scribe, finding)
        assert (ruling.key, ruling.option) == ("tech_semantics", "threshold")
        scribe.write(
            agreed(scribe, finding, ruling.key, ruling.option), scribe.last_seq, rulings={ruling.key: ruling.option}
        )
        assert scribe.replay.findings == []
        assert scribe.stored.revision == 2
        assert scribe.stored.rulings == {"tech_semantics": "threshold"}
        last = scribe.replay.events[-1]
        assert isinstance(last, NoteAdded)
        assert last.rule == finding.rule
        assert (log.game(head.id, 1).last_seq, scribe.last_seq) == (wrong, wrong + 1)


def test_a_ruling_is_agreed_in_a_game_of_a_version_that_no_rulebook_lists(tmp_path: Path) -> None:
    """The rulings under which a finding goes away are looked for in the text by which the game is read."""
    lines = recorded_lines(RECORDINGS / "crystal" / "catalogue-tech-within-limit.jsonl")
    events = [game("crystal").vocabulary.decode(line) for line in lines]
    head = msgspec.structs.replace(events[0], edition="home-made")
    assert isinstance(head, GameStarted)
    wrong = next(each.seq for each in fold(game("crystal"), events).findings)
    with Log.open(tmp_path / "t.db", create=True) as log:
        log.append(head.id, [head, *events[1:wrong]], expected_last_seq=0)
        scribe = Scribe(log, head.id)
        finding = next(each for each in scribe.replay.findings if each.seq == wrong)
        (ruling,) = rulings_without(scribe, finding)
        agree = agreed(scribe, finding, ruling.key, ruling.option)
        scribe.write(agree, scribe.last_seq, rulings={ruling.key: ruling.option})
        assert scribe.replay.findings == []
        assert scribe.replay.ruleset.edition == "home-made"


def test_a_finding_about_an_earlier_line_is_shown_when_a_card_reveals_it(tmp_path: Path) -> None:
    """A finding about an earlier line is on the screen, with the text of that line, until the next line is written."""
    lines = recorded_lines(RECORDINGS / "crystal" / "card-shown-was-too-dear.jsonl")
    events = [msgspec.structs.replace(game("crystal").vocabulary.decode(line), seq=UNSET) for line in lines]
    with Log.open(tmp_path / "t.db", create=True) as log:
        log.append("cry-recorded", events[:11], expected_last_seq=0)
        scribe = Scribe(log, "cry-recorded")
        view = ViewerScreen(scribe, EVERYTHING)

        def findings(screen_of: ViewerScreen = view) -> list[tuple[int, str, str]]:
            return [(each.finding.seq, each.finding.kind, each.about) for each in screen_of.screen().findings]

        scribe.write([events[11]], 11)
        assert findings() == [(12, "unverifiable", "")]
        scribe.write([events[12]], 12)
        revealed = [(12, "illegal", "Ann plays unseen card 1 into the attack lane")]
        assert findings() == revealed
        assert findings(ViewerScreen(Scribe(log, "cry-recorded"), EVERYTHING)) == revealed
        scribe.write(scribe.undone(), 13)
        assert findings() == [(12, "unverifiable", "")]
        scribe.write([events[12]], 14)
        assert findings() == revealed
        scribe.write([NoteAdded(text="oh", rule="crystal.cost.affordable")], 15)
        assert findings() == []
        scribe.write([events[13]], 16)
        assert findings() == []


def test_however_many_things_taps_may_mean_there_is_an_answer(tmp_path: Path) -> None:
    """Of forty taps that may each mean one of two things there are 2^40 ways: only so many are looked at."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        view = ViewerScreen(new_scribe(log, "crystal"), EVERYTHING)
        assert view.screen(["A:?1\n3,4"] * 40).anyway == ()


# -- answers and decks -------------------------------------------------------------------------------------------------


def test_each_copy_is_assigned_once() -> None:
    """Each card id is assigned a copy that is left; an id without such a copy is refused with a message."""
    names = ["A:kelp-choir#1", "A:kelp-choir#2", "A:glass-moth"]
    assert copies_among(["kelp-choir", "kelp-choir"], names) == ("A:kelp-choir#1", "A:kelp-choir#2")
    with pytest.raises(AnswerError, match="no other glass-moth"):
        copies_among(["glass-moth", "glass-moth"], names)
    with pytest.raises(AnswerError, match="no reed-heron"):
        copies_among(["reed-heron"], names)


def test_a_deck_list_may_be_pasted_in_several_notations() -> None:
    """Each line has the name or id of a card, its number before or after it; a wrong name is reported with its line."""
    cards = game("splicers").cards
    deck = pasted_deck("2 Reed Heron\nkelp-choir x3\n\n# a remark\nGlass Moth", cards, "Ann's list", {"splicer": "x"})
    assert deck.cards == ("reed-heron",) * 2 + ("kelp-choir",) * 3 + ("glass-moth",)
    assert deck.extra == {"splicer": "x"}
    with pytest.raises(
        BeginningError, match=r"line 2 of Ann's list: there is no card 'Reed Horn'; did you mean 'reed heron'\?"
    ):
        pasted_deck("Glass Moth\nReed Horn", cards, "Ann's list", {})


def test_the_players_of_the_last_game_begin_another_one(tmp_path: Path) -> None:
    """The next game has the players, decks and rulings of the last one that people played, and a new id."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        assert last_table(log) is None
        first = new_scribe(log, "crystal", rulings={"tech_semantics": "threshold"})
        (bots,) = simulate(game("crystal"), game("crystal").cards, Plan(), 1)
        log.append(bots.game_id, bots.events, expected_last_seq=0)
        again = last_table(log)
        assert again is not None
        then, now = first.stored, Scribe(log, begin(log, again)).stored
        assert (now.players, now.rulings) == (then.players, {"tech_semantics": "threshold"})
        assert now.game_id != then.game_id


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ((), "every player needs a name"),
        (("Ann", "Ann"), "no two the same"),
        (("Ann", " "), "every player needs a name"),
    ],
)
def test_a_game_with_invalid_players_is_refused_with_a_message(
    players: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    """Without names, with a name twice, or without a deck no game begins, and nothing is stored."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        with pytest.raises(BeginningError, match=message):
            begin(log, Beginning(game="crystal", players=tuple(NewSeat(name=name) for name in players)))
        with pytest.raises(BeginningError, match="Ann needs a deck"):
            begin(log, Beginning(game="crystal", players=(NewSeat(name="Ann"), NewSeat(name="Ben"))))
        assert log.games() == []


def test_what_the_log_cannot_judge_is_offered_apart(tmp_path: Path) -> None:
    """While an unseen card lies in a lane its text may allow what no rule does: that is offered as neither."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        import_paths(log, [RECORDINGS / "crystal" / "hidden-card-never-known.jsonl"])
        screen = ViewerScreen(Scribe(log, log.games()[0].game_id), EVERYTHING).screen(whatever=True)
    line = "Ann plays Emberforge Syndicate into the mining lane"
    where = {name for name in ("options", "unsure", "anyway") for each in getattr(screen, name) if each.words == line}
    assert where == {"unsure"}


def test_a_card_of_a_hand_that_nobody_has_seen_is_against_no_rule(own_games: Path) -> None:
    """What may lie in it is offered beside what is legal, and no finding comes; of its unseen cards one is offered."""
    with Log.open(own_games / "unseen.db", create=True) as log:
        scribe = new_scribe(log, "expeditions")
        view = ViewerScreen(scribe, EVERYTHING)
        screen = view.screen(typed="lays yellow 5")
        assert [each.words for each in screen.options] == ["Ann lays Yellow 5", "Ben lays Yellow 5"]
        assert screen.anyway == ()
        lines: list[dict[str, Any]] = [{"type": "cards.drawn", "player": each, "count": 8} for each in "AB"]
        lines.insert(0, {"type": "first-player.chosen", "player": "A", "method": ""})
        scribe.write([line_of(scribe.replay.game.vocabulary, each) for each in lines], scribe.last_seq)
        assert [each.words for each in view.screen(typed="ann lays").options] == ["Ann lays unseen card 1"]
        screen = view.screen(typed="lays yellow 5")
        assert [each.words for each in screen.options] == ["Ann lays Yellow 5"]
        assert [each.words for each in screen.anyway] == ["Ben lays Yellow 5"]  # It is not his turn.
        scribe.write([line_of(scribe.replay.game.vocabulary, screen.options[0].line or {})], scribe.last_seq)
        assert scribe.brought() == []
