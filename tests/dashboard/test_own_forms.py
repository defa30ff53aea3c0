"""The forms of sentences: what each of many sentences of rulebooks is read as, or that it says more than its form."""

import pytest
import tomlkit

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import own_game, says_more
from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.forms import filled_from, fitting, forms, rule_of
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.dashboard.own_game.look import CiteSentence
from tabletape.dashboard.own_game.questions import RuleQuestion
from tabletape.dashboard.own_game.wording import is_permission
from tabletape.events.vocabulary.open_games import games_of

FIELDS = {"cards": "cards of hand"}
GAME = own_game(
    {
        "title": "Market",
        "cards": {"kind": ["silk", "tea", "lamp"], "number": [1, 2, 3], "copies": 9},
        "zones": {"deck": "shared hidden", "hand": "own"},
        "move": {
            "take": {"owed": True, "fields": {"card": "card of deck"}, "does": ["card -> hand"]},
            "sell": {"fields": FIELDS},
            "play": {"fields": FIELDS},
            "lead": {"fields": FIELDS},
            "swap": {"fields": {**FIELDS, "to": "player", "back": "cards of hand(to)"}},
            "give": {"fields": {**FIELDS, "to": "player"}},
            "pass": {},
            "bid": {"fields": {"number": "number 0 to 1000?"}},
        },
    },
    [],
    draws=True,
)
READ = {
    "Silk is always sold alone.": "sell with silk: no other card beside it",
    "A lamp is never played with other cards.": "play with lamp: no other card beside it",
    "Silk may only be sold alone.": "sell with silk: no other card beside it",
    "Lamps are played by themselves.": "play with lamp: no other card beside it",
    "Teas may not be played together with anything else.": "play with tea: no other card beside it",
    "Silks may not be sold in the first round.": "sell with silk: not in the first round",
    "Nobody may sell in the first round.": "sell: not in the first round",
    "Cards of different goods may never be sold together.": "sell: at once only cards of one kind",
    "Only goods of the same kind are sold at once.": "sell: at once only cards of one kind",
    "All cards that one sells are of the same colour.": "sell: at once only cards of one kind",
    "You may not swap a card for one of the same kind.": "swap: only for a card of another kind",
    "One swaps a card for one of another kind.": "swap: only for a card of another kind",
    "At most three cards are played at once.": "play: cards at once, at most: 3",
    "No more than two cards may be sold together.": "sell: cards at once, at most: 2",
    "A player sells up to four cards.": "sell: cards at once, at most: 4",
    "One plays one or two cards.": "play: cards at once, at most: 2",
    "One sells at least two cards.": "sell: cards at once, at least: 2",
    "A card is given to another player.": "give: never with oneself",
    "You cannot give to yourself.": "give: never with oneself",
    "Lamps cannot be sold.": "sell: never with lamp",
    "Silk is never given.": "give: never with silk",
    "Each player may pass once per game.": "pass: so often in a game by each player, at most: 1",
    "A player may sell at most twice in a game.": "sell: so often in a game by each player, at most: 2",
    "Nobody may pass twice in a row.": "pass: never twice without another move between",
    "Whoever holds the suit that was led has to play it.": "play: the kind that was led, as long as one has it",
    "Players must follow suit.": "play: the kind that was led, as long as one has it",
    "Follow suit if you can.": "play: the kind that was led, as long as one has it",
    "Whoever is on turn draws a card first.": "a turn begins with a draw of 1, as long as there is a deck",
    "On your turn you first take two cards.": "a turn begins with a draw of 2, as long as there is a deck",
    "Each turn begins with a draw of one card.": "a turn begins with a draw of 1, as long as there is a deck",
    "At the start of your turn, draw a card.": "a turn begins with a draw of 1, as long as there is a deck",
    "Nobody holds more than five cards at the end of a turn.": "cards kept at the end of a turn, at most: 5",
    "To sell costs twelve coins.": "sell: costs 12",
    "Nobody may sell in the first six rounds.": "sell: not in the first rounds: 6",
    "One sells at least six cards.": "sell: cards at once, at least: 6",
    "At most eight teas may be sold per turn.": "sell: tea at once, at most: 8",
    "A player may sell at most 12 lamps in a game.": "sell with lamp: so often in a game by each player, at most: 12",
    "On your turn you take five actions.": "moves in a turn: 5, then the next player",
    "Nobody holds more than twelve cards at the end of a turn.": "cards kept at the end of a turn, at most: 12",
    "At the end of the turn a player keeps at most seven cards.": "cards kept at the end of a turn, at most: 7",
    "On your turn you take two actions.": "moves in a turn: 2, then the next player",
    "Each player plays one card in turn.": "moves in a turn: 1, then the next player",
    "Everybody begins with four cards.": "cards in hand at the beginning: 4",
    "Deal six cards to each player.": "cards in hand at the beginning: 6",
    "Each player gets five cards.": "cards in hand at the beginning: 5",
    "To sell costs two coins.": "sell: costs 2",
    "Give: choose a card, give it away and pay one coin.": "give: costs 1",
    "One plays no kind a second time.": "play: no kind that the player has laid before",
    "A silk may only be played on a tea.": "play with silk: only where the player has laid tea before",
    "Lamps cannot be sold before a tea was sold.": "sell with lamp: only after somebody has shown tea",
    "A silk must not be sold before a tea.": "sell with silk: only after somebody has shown tea",
    "Silks may not be played until a silk has been sold.": "play with silk: only after somebody has shown silk",
    "A lamp can only be played if a tea was played before.": "play with lamp: only after somebody has shown tea",
    "You may not sell anything until you have played something.": "sell: not before the player has done play",
    "You must play before you can sell.": "sell: not before the player has done play",
    "Silks can't be sold in the first two rounds.": "sell with silk: not in the first rounds: 2",
    "Nobody may sell in the first three rounds.": "sell: not in the first rounds: 3",
    "Silk is never played together with tea.": "play: never silk and tea together",
    "You may sell a silk or a lamp, but not both.": "sell: never silk and lamp together",
    "At most two teas may be sold per turn.": "sell: tea at once, at most: 2",
    "One sells at most three cards in a turn.": "sell: cards at once, at most: 3",
    "You may play no more than three cards in one turn.": "play: cards at once, at most: 3",
    "A player may sell at most two lamps in a game.": "sell with lamp: so often in a game by each player, at most: 2",
    "You may pass only once per turn.": "pass: so often in a turn, at most: 1",
    "A player may pass no more than twice.": "pass: so often in a game by each player, at most: 2",
    "Passing twice in succession is not allowed.": "pass: never twice without another move between",
    "Never play the same kind as the player before you.": "play: not the kind that the player before has just shown",
    "Nobody may play the same kind twice in a row.": "play: not the kind that the player has just shown",
    "You cannot play a silk on a lamp.": "play with silk: not directly on lamp",
    "A tea must not be played directly after a tea.": "play with tea: not directly on tea",
    "The card you play must be higher than the one played before it.": "play: a higher number than the card before it",
    "Each bid must be higher than the bid before it.": "bid: a higher number than the bid before it",
    "The card you play must match the kind or the number of the card on top.": (
        "play: the kind or the number of the card on top"
    ),
    "The card you play must have the same kind as the card on top.": "play: the kind of the card on top",
    "You may swap a card with another player, but never a lamp.": "swap: never with lamp",
}
"""Sentences that a form holds whole, and what they are read as."""

MORE = {
    "In a turn a player does one of three things: sells, plays or passes.": "lead, swap, give, bid not among them",
    "After that you do exactly one of the following: play, swap or pass.": "sell, lead, give, bid not among them",
    "Silk is always sold alone unless the market is empty.": "unless the market is empty",
    "Lamps cannot be sold while a silk lies there.": "",
    "At most three cards are played at once, except by the last player.": "except by the last player",
    "Nobody holds more than five cards until the deck is empty.": "until the deck is empty",
    "On your turn you take two actions, but only one in the first round.": "but only one in the first round",
    "One sells at least two cards if one has them.": "if one has them",
    "You cannot give to yourself when nobody else plays.": "when nobody else plays",
    "Everybody begins with four cards, but the first player with three.": "but the first player with three",
    "Each player may pass once per game after the first turn.": "after the first turn",
    "To sell costs two coins during the night.": "during the night",
    "One plays one or two cards, but they must be fresh.": "but they must be fresh",
    "One plays one or two cards of the same kind, but fresh.": "fresh",
    "Ripe lamps are played alone.": "Ripe",
    "One plays no silk a second time.": "silk",
    "sell with tea: at least 2 cards": "tea",
    "No player may sell with more than five cards in hand.": "sell",
    "Whoever passes draws a card first.": "passes",
    "No more than two players sell at once.": "two players sell",
    "Only silk is sold alone.": "Only silk is sold alone",
    "Silk is sold alone or with tea.": "tea",
    "Teas and silks may not be sold in the first round.": "silks",
    "Silks may be sold in the first round, but not teas.": "",
    "sell to Tom: at least 2 cards": "Tom",
    "Sell two or more cards of the same ware from your stall back to the box.": "stall back to the box",
    "A stall holds at most six cards.": "stall",
    "Exception: silk is always sold alone.": "Exception: silk is always sold alone",
    "2.2 Never swap two cards of the same ware (no Tea for Tea).": "Tea for Tea",
    "The starting player draws a card first.": "starting player draws a card first",
    "A silk may only be played on a tea if nobody objects.": "if nobody objects",
    "Cards of different goods may, unless the stall is empty, never be sold together.": (
        "unless the stall is empty, never be sold together"
    ),
    "Suit must be followed except in the last trick.": "",
    "A card is given to another player instead of being sold.": "instead of being sold",
}
"""Sentences that say more than the form that they have; those with nothing beside them have none that is known."""

ALLOWED = (
    "Amber may be sold alone.",
    "3.2 Exception: Silk may be sold as a single card.",
    "Silk may be sold alone.",
    "You need not follow suit.",
    "Nobody has to follow suit.",
    "At the start of your turn you may draw a card.",
    "A player may hold more than five cards.",
    "You can sell tea on its own.",
    "A silk does not have to be sold alone.",
    "You may sell cards of the same kind.",
)
"""Sentences that allow something: nothing can break them."""

OPPOSITE = (
    "Silk is never sold alone.",
    "No lamp is played by itself.",
    "Silks aren't sold alone.",
    "It is forbidden to sell silk alone.",
    "You may not swap a card for one of another kind.",
    "Nobody may pass twice in a game.",
    "Nobody may pass twice in a turn.",
    "Each player passes at least once per game.",
    "Each player must pass once per game.",
    "A player passes more than once per game.",
    "You may pass twice in a row.",
    "No player draws a card first.",
    "There is no hand limit.",
    "A card is not given to another player.",
    "To sell never costs two coins.",
)
"""Sentences that deny what the form with their words says, or say it the other way round."""

NUMBERED = (
    "3.2 ",
    "1.2. ",
    "(4) ",
    "a) ",
    "12. ",
    "## 3.1 ",
    "- 2) ",
    "**3.2** ",
    "\u00a7 7 ",
    "4 ",
    "(b) ",
    "iv. ",
    "Rule 9: ",
)

NONE = (
    "Shuffle the deck.",
    "The youngest player begins.",
    "No player may have more than six trees.",
    "The player with the most coins wins.",
    "Suns are never led before a sun was played.",
)
"""Sentences without a form, or of something that the game does not have."""


@pytest.mark.parametrize(("text", "read"), READ.items())
def test_a_sentence_is_read_as_its_form_with_all_that_it_says(text: str, read: str) -> None:
    """The form, its move, its card and its number come from the sentence, and it says no more than that."""
    sentence = CiteSentence(text, "L1")
    form, *_ = fitting(sentence, GAME)
    blanks = filled_from(form, GAME, text)
    assert form.shown(blanks) == read
    assert not says_more(form, sentence, GAME)


@pytest.mark.parametrize(("text", "more"), MORE.items())
def test_what_a_form_does_not_hold_is_said(text: str, more: str) -> None:
    """A sentence with a qualification is no plain rule: what it says besides is named, and it is left open."""
    sentence = CiteSentence(text, "L1")
    form = next(iter(fitting(sentence, GAME)), None)
    assert (says_more(form, sentence, GAME) if form else "") == more
    assert not own_game(GAME.raw, [sentence], draws=True).said


@pytest.mark.parametrize("head", NUMBERED)
@pytest.mark.parametrize(
    "text", ["A player sells at least two cards.", "All cards that one sells are of the same colour."]
)
def test_the_number_before_a_sentence_is_none_of_the_rule(head: str, text: str) -> None:
    """With its number or without, a sentence is read the same; the quotation keeps the number."""
    sentence = CiteSentence(f"{head}{text}", "L1")
    (form,) = fitting(sentence, GAME)
    assert form.shown(filled_from(form, GAME, sentence.text)) == READ.get(text, "sell: cards at once, at least: 2")
    assert not says_more(form, sentence, GAME)
    rule = rule_of(form, GAME, filled_from(form, GAME, sentence.text), sentence)
    assert rule is not None
    assert sentence.text in str(rule.changes)


@pytest.mark.parametrize("text", [*ALLOWED, *OPPOSITE])
def test_a_sentence_that_denies_a_form_or_allows_something_has_none(text: str) -> None:
    """Only a sentence that says what the form says is read so: the opposite of it would accuse whoever keeps it."""
    assert not fitting(CiteSentence(text, "L1"), GAME)


@pytest.mark.parametrize("text", READ)
def test_what_is_allowed_is_told_from_what_has_to_be(text: str) -> None:
    """Rules are no permissions, though `may` stands in some of them."""
    actions = fitting(CiteSentence(text, "L1"), GAME)[0].name == "actions"
    assert not is_permission(text, counts=actions)
    assert all(is_permission(each) for each in ALLOWED)


def test_a_sentence_may_have_two_forms() -> None:
    """How many cards, and that they are of one kind: both are offered, and neither is said to be left out."""
    two = CiteSentence("You may sell one or two cards, but they must be of the same fruit.", "L1")
    assert [says_more(form, two, GAME) for form in fitting(two, GAME)] == ["", ""]
    sentence = CiteSentence("3.1 Sell two or more cards of the same ware.", "L1")
    forms_of_it = fitting(sentence, GAME)
    read = [form.shown(filled_from(form, GAME, sentence.text)) for form in forms_of_it]
    assert read == ["sell: cards at once, at least: 2", "sell: at once only cards of one kind"]
    assert not any(says_more(form, sentence, GAME) for form in forms_of_it)


@pytest.mark.parametrize(
    "text", ["In this sell at most two cards.", "One sells or swaps at most two cards.", "Cards: at most two cards."]
)
def test_the_move_is_asked_where_the_sentence_does_not_say_one(text: str) -> None:
    """A noun is no move, and of two moves somebody says which is meant."""
    (form,) = fitting(CiteSentence(text, "L1"), GAME)
    assert filled_from(form, GAME, text) == {"number": "2"}
    rule = rule_of(form, GAME, {"move": "sell", "number": "2"}, CiteSentence(text, "L1"))
    assert rule is not None
    assert rule.taken == (("`swap` is named too, and not watched",) if "swap" in text else ())


@pytest.mark.parametrize("text", NONE)
def test_other_sentences_say_no_rule(text: str) -> None:
    """Nothing is made of them without a person."""
    sentence = CiteSentence(text, "L1")
    form = next(iter(fitting(sentence, GAME)), None)
    assert form is None or says_more(form, sentence, GAME) or not {*form.blanks} <= {*filled_from(form, GAME, text)}


def test_a_number_on_a_card_is_not_the_number_of_a_line() -> None:
    """Where cards have numbers, a line that names a card and no number beside it would be called right unseen."""
    form = next(each for each in forms() if each.name == "number-higher")
    plays = {"play": {"fields": {**FIELDS, "number": "number 0 to 1000?"}}}
    game = own_game({**GAME.raw, "move": {**GAME.raw["move"], **plays}}, [], draws=True)
    assert rule_of(form, game, {"move": "bid"}, CiteSentence("Bid more.", "L1")) is not None
    assert rule_of(form, game, {"move": "play"}, CiteSentence("Play more.", "L1")) is None


def test_a_rule_that_somebody_composes_asks_for_the_other_move() -> None:
    """Its sentence does not say it, and no move has to come before itself: that would accuse everybody."""
    asked: dict[str, RuleQuestion] = {}

    def ask(question: RuleQuestion) -> str:
        asked[question.name] = question
        return {
            "what": "which move comes before or after it",
            "detail": "only after the player has done (a move)",
            "value": "play",
        }.get(question.name, question.usual)

    rule = rule_said(GAME, CiteSentence("Whoever sells is a good trader.", "L1"), None, ask)
    assert isinstance(rule, FirstRule)
    assert rule.words == "sell: only after the player has done play"
    assert asked["move"].usual == "sell"
    assert {*asked["value"].choices} == {*GAME.moves} - {"sell"}


def test_every_form_is_written_by_some_sentence() -> None:
    """Each form has its sentence above."""
    seen = {form.name for text in READ for form in fitting(CiteSentence(text, "L1"), GAME)}
    assert seen == {form.name for form in forms()}


@pytest.mark.parametrize("text", READ)
def test_each_rule_makes_a_file_that_can_be_read(text: str) -> None:
    """Whatever a sentence is read as, the file with its rule has no mistake, or nothing is written."""
    sentence = CiteSentence(text, "L1")
    form, *_ = fitting(sentence, GAME)
    rule = rule_of(form, GAME, filled_from(form, GAME, text), sentence)
    if rule is not None:
        assert games_of("market.toml", "market", with_changes(tomlkit.dumps(GAME.raw), rule.changes))
