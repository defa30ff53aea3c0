"""Proposed maps of chats: what is done at a table is told from talk, and what is unsure is asked about."""

import pytest

from tabletape.events.importing.maps.map import read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.proposing.surveying import Said, survey, survey_of
from tabletape.events.importing.maps.proposing.text import proposals
from tabletape.events.importing.maps.writing import entry_of, entry_text, map_text
from tabletape.events.vocabulary import vocabulary


def test_a_short_chat_says_what_is_done_at_the_table() -> None:
    """Where no word comes often, those count together that begin an action; talk of one player alone stays talk."""
    said = ("Ann: play fox", "Ben: draw 2", "Ben: play owl", "Ann: ouch", "Ben: pass", "Ann: play bear")
    seen = survey("\n".join(f"[20:0{minute}] {each}" for minute, each in enumerate(said)))
    events = {kind.sentence: kind.entry.get("event", "") for kind in proposals(seen, "tabletop")}
    assert events["{player}: play {card}"] == "card.moved"
    assert events["{player}: draw {count:number}"] == "cards.drawn"
    assert events["{player}: {words}"] == ""
    told = ("Ann: use what you like", "Ben: hello", "Ann: play fair", "Ann: draw it", "Ann: use this", "Ben: bye")
    seen = survey("\n".join(f"[20:0{minute}] {each}" for minute, each in enumerate(told)))
    assert [kind.entry for kind in proposals(seen, "tabletop")] == [{"skip": True}]


def test_a_line_that_tells_what_two_players_do_is_asked_about() -> None:
    """It is never the deed of one of them alone; an end told of both is one, and a card played on a player is, too."""
    lines = (
        "Ann plays Verdant Choir, Ben plays Emberforge Syndicate",
        "Ann begins, Ben draws 2 cards",
        "Ann plays Owl on Ben",
        "Ann wins 12, Ben 9",
    )
    kinds = {kind.first: kind for kind in proposals(Survey(tuple(enumerate(lines)), ("Ann", "Ben")), "tabletop")}
    assert [kinds[at].is_unsure for at in range(4)] == [True, True, False, False]
    assert [kinds[at].entry["event"] for at in range(4)] == ["log.gap", "log.gap", "card.moved", "game.ended"]


@pytest.mark.parametrize(
    "line",
    [
        "Cem: 4. Ann wins",
        "Ann 5, Ben wins",
        "Cem: ok Ann draws a card",
        "Cem: 3! Ben concedes",
        "Ann 2, Ben gains 3 points",
    ],
)
def test_what_another_does_than_who_is_named_first_is_asked_about(line: str) -> None:
    """It is never the deed of who writes it, or of who is named before: nobody wins because another has won."""
    seen = Survey(((1, line), (2, "Cem: Ann wins"), (3, "Ann draws a card")), ("Ann", "Ben", "Cem"), spoken=True)
    kinds = {kind.first: kind.entry for kind in proposals(seen, "tabletop")}
    assert kinds[1]["event"] == "log.gap"
    assert kinds[2] == {"event": "game.ended", "with": {"winner": "{player}", "reason": "won"}}
    assert kinds[3]["event"] == "cards.drawn"


@pytest.mark.parametrize("said", ["tobi wins, gg", "gg Tobi wins", "Tobi has won, good game", "tobi wins!"])
def test_who_has_won_is_read_with_a_cheer_and_in_small_letters(said: str) -> None:
    """Whoever types the end of an evening types a name as it comes."""
    seen = Survey(((1, f"Jo: {said}"), (2, "Jo: tobi wins the bet")), ("Tobi", "Jo"), spoken=True)
    kinds = {kind.first: kind for kind in proposals(seen, "tabletop")}
    assert kinds[1].entry == {"event": "game.ended", "with": {"winner": "{player}", "reason": "won"}}
    assert kinds[1].sentence.startswith("{speaker:player}: ")
    assert kinds[2].entry.get("event") != "game.ended"


@pytest.mark.parametrize(
    "said",
    [
        *("I don't draw a card", "Ann didn't draw a card", "she draws 2 cards", "can I draw a card"),
        *(
            "Ann draws no cards",
            "I draw a card, no wait",
            "I draw a card (just kidding)",
            "I draw a card... never mind",
        ),
    ],
)
def test_what_is_not_done_or_by_somebody_else_is_asked_about(said: str) -> None:
    """Nobody draws because somebody says what he would do, or what she does."""
    lines = (f"Cem: {said}", *(f"{who}: I draw a card" for who in ("Ann", "Ben", "Cem", "Ann", "Ben", "Cem")))
    kinds = {kind.first: kind.entry.get("event") for kind in proposals(survey("\n".join(lines)), "tabletop")}
    assert kinds == {1: "log.gap", 2: "cards.drawn"}


def test_headings_that_are_a_name_part_a_game_into_turns() -> None:
    """They do where another is named each time and something stands below; a list of who was there says no turn."""
    turns = ("--- Ann", "Ann plays Owl", "--- Ben", "Ben plays Fox", "--- Ann", "Ann draws 2 cards")
    assert _events(turns)["--- {player}"] == "turn.started"
    there = ("# Ann", "# Ben", "# Cem", "Ann plays Owl", "# Ann", "Ben plays Fox")
    twice = ("--- Ann", "Ann plays Owl", "--- Ann", "Ann plays Fox", "--- Ben", "Ben plays Hen")
    once = ("--- Ann", "4 points", "--- Ben", "3 points")
    for lines in (there, twice, once):
        assert "turn.started" not in _events(lines).values()


def _events(lines: tuple[str, ...]) -> dict[str, str]:
    """Return the event that each kind of some lines of Ann, Ben and Cem is proposed to be."""
    seen = Survey(tuple(enumerate(lines)), ("Ann", "Ben", "Cem"))
    return {kind.sentence: kind.entry.get("event", "") for kind in proposals(seen, "tabletop")}


def test_who_writes_the_own_name_before_each_deed_does_it() -> None:
    """`Ann: Ann plays fox` is no talk where several write so; what else they say stays talk."""
    said = ("Ann plays Fox", "Ben plays Owl", "Ann plays Hen", "Ben plays Bear")
    seen = survey("\n".join((*(f"{each[:3]}: {each}" for each in said), "Ann: well", "Ben: well well")))
    events = {kind.sentence: kind.entry.get("event", "") for kind in proposals(seen, "tabletop")}
    assert events == {"{speaker:player}: {player} plays {card}": "card.moved", "{player}: {words}": ""}


def test_of_a_game_with_rules_a_chat_tells_the_result_and_nothing_is_judged_by_it() -> None:
    """A draw or a play in words lacks what its rules ask for: each such line is a gap in its words, the end is read."""
    said = (
        "Kai: plays Red Fox",
        "Lea: draw",
        "Kai: draw",
        "Lea: that's not allowed!!",
        "Kai: pass",
        "Kai: gg Lea wins",
    )
    seen = survey("\n".join(said))
    accepted = [(kind.sentence, kind.entry) for kind in proposals(seen, "phylogenome")]
    used = read_map(map_text(seen, accepted, game="phylogenome", edition="x"), "chat", vocabulary)
    log = MappedLog("chat", used, "\n".join(said).encode(), FileReading(lambda _: {}, "UTC", "chat"))
    ((_, *events),) = log.events()
    assert [getattr(event, "text", "") for _, event in events] == [each[5:] for each in said[:-1]] + [""]
    assert getattr(events[-1][1], "winners", None) == ("B",)


def test_two_scores_behind_two_names_can_be_changed_by_hand() -> None:
    """What a line means is written so that it can be read again, with players as keys too."""
    seen = survey("Ann plays lamp\nBen plays tea\nAnn draws 2\nBen draws 2\nAnn won with 21 points, Ben 17")
    (end,) = (kind for kind in proposals(seen, "tabletop") if kind.entry.get("event") == "game.ended")
    assert entry_of(end.sentence, entry_text(end.entry), "tabletop") == end.entry


def test_talk_of_a_card_is_not_skipped() -> None:
    """A message that names a card of the game may be a move: it is none, and it is no talk either."""
    messages = ["well then", "nice one", "Red Fox again", "I think so", "that red fox!", "Redder Fox"]
    seen = survey_of(
        "\n".join(f"[19:0{n}] {who}: {said}" for n, said in enumerate(messages) for who in ("Ann", "Ben")).encode(),
        Said(),
    )
    kinds = proposals(seen, "tabletop", ("Red Fox", "Blue Owl"))
    assert {kind.sentence for kind in kinds if kind.is_unsure} == {"{player}: Red Fox again", "{player}: that red fox!"}
    assert [kind.sentence for kind in kinds if "skip" in kind.entry] == ["{player}: {words}"]
