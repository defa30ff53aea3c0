"""Sentences that list the moves of a turn, or that other sentences bear on: what is asked, and what stays."""

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import known_form, own_game
from tabletape.dashboard.own_game.chat import surveyed
from tabletape.dashboard.own_game.cited import CiteSentence, listed_moves
from tabletape.dashboard.own_game.forms import open_questions
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.dashboard.own_game.look import first_look
from tabletape.dashboard.own_game.questions import RuleQuestion
from tabletape.events.importing.maps.map import read_map
from tabletape.events.vocabulary import vocabulary
from tests.dashboard.test_own_forms import FIELDS, GAME


def test_a_suit_that_is_followed_keeps_what_another_rule_counts() -> None:
    """What was written for another sentence stays: else that would accuse lines that keep it."""
    shown = "silk_shown = 1 when any(cards where it.kind = 'silk')"
    moves = {**GAME.raw["move"], "play": {"fields": FIELDS, "does": ["cards -> laid", shown]}}
    deal = {"zone": "hand", "count": 9, "says": "Nine each.", "cite": "L2"}
    sentence = CiteSentence("The others must follow suit if they can.", "L1")
    game = own_game({**GAME.raw, "move": moves, "deal": deal}, [sentence], draws=False)
    rule = rule_said(game, sentence, known_form(sentence, game), lambda question: question.usual or "play")
    assert isinstance(rule, FirstRule)
    assert rule.changes["move"]["play"]["does"] == ["cards -> trick", shown]


def test_what_is_done_then_is_no_choice_of_one_move() -> None:
    """`Sell, then play or pass` are two things: as one move of a turn it would accuse every second line."""
    sentence = CiteSentence("On your turn, sell one card, then play, lead or pass.", "L1")
    assert known_form(sentence, own_game(GAME.raw, [sentence], draws=True)) is None


def test_what_a_list_of_moves_names_is_one_though_chats_say_it_of_other_things() -> None:
    """`Wait` is talk in most chats; where the rulebook lists it, it is a move, and no turn is missing."""
    book = [CiteSentence("In a turn you do one of the following: load, shunt or wait.", "L1")]
    lines = ["Rob: load", "Mia: wait", "Rob: shunt", "Mia: waits", "Rob: waiting", "Mia: load"]
    look = first_look(surveyed("\n".join(lines).encode(), "chat.txt"), book)
    assert look.moves["wait"] == 3
    assert "wait" not in first_look(surveyed("\n".join(lines).encode(), "chat.txt"), []).moves


def test_who_says_moves_in_the_third_person_plays_and_who_only_talks_does_not() -> None:
    """`Tobi: goat boards` is a move of Tobi's; whoever played on another evening plays with one word."""
    book = [
        CiteSentence("On your turn you board a passenger, call or sail.", "L1"),
        CiteSentence("The passengers are goats, wolves and nurses.", "L2"),
    ]
    lines = [
        f"20:{at:02} {line}"
        for at, card in enumerate(("wolf", "goat", "nurse"))
        for line in (
            *(f"Ana: I board a {card}", "Mira: I call", f"Tobi: {card} boards, pay 1"),
            *("Ana: calling again", f"Mira: I board a {card}, 1 coin", f"Ira: what a lovely {card}, who boards?"),
        )
    ]
    chat = surveyed("\n".join(lines).encode(), "chat.txt")
    assert chat.players == ("Ana", "Mira")
    assert first_look(chat, book).players == ("Ana", "Mira", "Tobi")
    text = 'map = 1\ngame = "tabletop"\nshape = "lines"\n[players]\nIra = {}\n[[line]]\nis = "hi"\nskip = true\n'
    earlier = read_map(text, "chat.map.toml", vocabulary)
    assert first_look(chat, book, [earlier]).players == ("Ana", "Mira", "Tobi", "Ira")


def test_what_a_limit_of_the_hand_lacks_is_said() -> None:
    """Not all that may be unknown is named, only what is."""
    limit = CiteSentence("At the end of a turn nobody holds more than seven cards.", "L1")
    turn = CiteSentence("In a turn you do one of the following: sell, play, lead, swap, give, bid, take or pass.", "L2")
    for more, lacks in (([], "where a turn ends"), ([turn], "how many cards are dealt")):
        game = own_game(GAME.raw, [limit, *more], draws=True)
        why = rule_said(game, limit, known_form(limit, game), lambda question: question.usual)
        assert isinstance(why, str)
        assert lacks in why


def test_a_list_may_say_who_does_each_move_and_with_what() -> None:
    """`You load a pot` is the move `load`, though a chat that says `loads` alone tells nobody that it is one."""
    told = "On your turn you do exactly one of these three things: you load a pot, you stoke the fire, or you rest."
    assert listed_moves([CiteSentence(told, "L1")]) == {"load", "stoke", "rest"}
    assert listed_moves([CiteSentence("Remember one of these things: you load a pot.", "L1")]) == frozenset()


def test_what_it_comes_to_that_a_move_is_not_listed_is_said() -> None:
    """Who reads it so anyway has lines accused that are no move of a turn: that has to be understood before."""
    sentence = CiteSentence("In a turn a player does one of three things: sells, plays or passes.", "L1")
    game = own_game(GAME.raw, [sentence], draws=True)
    asked: list[RuleQuestion] = []

    def ask(question: RuleQuestion) -> str:
        asked.append(question)
        return ""

    assert rule_said(game, sentence, known_form(sentence, game), ask) == ""
    assert asked[0].text == "It does not list lead, swap, give, bid: is that done"
    beside, among = asked[0].choices
    for chosen, is_any_time in ((beside, True), (among, None)):

        def said(question: RuleQuestion, chosen: str = chosen) -> str:
            return chosen if question.name == "unlisted" else question.usual

        rule = rule_said(game, sentence, known_form(sentence, game), said)
        assert isinstance(rule, FirstRule)
        assert rule.changes["move"].get("swap", {}).get("owed") is is_any_time


def test_a_draw_that_a_list_of_moves_names_is_not_asked_about() -> None:
    """The sentence says itself that it is one of the actions."""
    sentence = CiteSentence("On your turn you do two of these things: take, sell, play or pass.", "L1")
    game = own_game(GAME.raw, [sentence], draws=True)
    form = known_form(sentence, game)
    assert form is not None
    assert [(each.name, each.usual) for each in open_questions(form, game, sentence.text, "2")] == [("draws", "y")]
