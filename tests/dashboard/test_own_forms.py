"""Sentences of rulebooks: what each of many is read as, or that it says more than that."""

import pytest
import tomlkit

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import known_form, own_game, says_more
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.composed_tables import composed_rule
from tabletape.dashboard.own_game.composition import Clause, Composition
from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.forms import filled_from, forms
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.dashboard.own_game.questions import RuleQuestion
from tabletape.dashboard.own_game.sentence_reader import read_sentence
from tabletape.dashboard.own_game.wording import is_permission
from tabletape.events.vocabulary.open_games import games_of

FIELDS = {"cards": "cards of hand"}
GAME = own_game(
    {
        "title": "Market",
        "cards": {"kind": ["silk", "tea", "lamp"], "number": [1, 2, 3], "copies": 9},
        "zones": {"deck": "shared hidden", "hand": "own"},
        "move": {
            "take": {"owed": True, "fields": {"cards": "cards of deck"}, "does": ["cards -> hand"]},
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
    "Silk is always sold alone.": "sell with silk: at most 1 card at once",
    "A lamp is never played with other cards.": "play with lamp: at most 1 card at once",
    "Silk may only be sold alone.": "sell with silk: at most 1 card at once",
    "Lamps are played by themselves.": "play with lamp: at most 1 card at once",
    "Teas may not be played together with anything else.": "play with tea: at most 1 card at once",
    "Silks may not be sold in the first round.": "sell with silk: the round is later than 1",
    "Nobody may sell in the first round.": "sell: the round is later than 1",
    "Cards of different goods may never be sold together.": "sell: at once only cards of one kind",
    "Only goods of the same kind are sold at once.": "sell: at once only cards of one kind",
    "All cards that one sells are of the same colour.": "sell: at once only cards of one kind",
    "You may not swap a card for one of the same kind.": "swap: only for a card of another kind",
    "One swaps a card for one of another kind.": "swap: only for a card of another kind",
    "At most three cards are played at once.": "play: at most 3 cards at once",
    "No more than two cards may be sold together.": "sell: at most 2 cards at once",
    "A player sells up to four cards.": "sell: at most 4 cards at once",
    "One plays one or two cards.": "play: at most 2 cards at once",
    "One sells at least two cards.": "sell: at least 2 cards at once",
    "A card is given to another player.": "give: only another player is named",
    "You cannot give to yourself.": "give: only another player is named",
    "Lamps cannot be sold.": "sell: the kind is not lamp",
    "Silk is never given.": "give: the kind is not silk",
    "One sells at most three cards in a turn.": "sell: at most 3 cards in a turn by the same player",
    "You may take at most two cards in your turn.": "take: at most 2 cards in a turn by the same player",
    "You never take more than one card on your turn.": "take: at most 1 card in a turn by the same player",
    "Nobody takes more than six cards in the game.": "take: at most 6 cards in a game by the same player",
    "You never pass in two turns running.": "pass: at most once in turns in a row by the same player",
    "You may not pass on two of your turns in a row.": "pass: at most once in turns in a row by the same player",
    "At the end of your turn, if you have more than six cards in hand, discard down to six.": (
        "cards kept at the end of a turn, at most: 6"
    ),
    "Then you do up to two of the following, in any order.": "moves in a turn: 2, then the next player",
    "Each player may pass once per game.": "pass: at most once in a game by the same player",
    "A player may sell at most twice in a game.": "sell: at most twice in a game by the same player",
    "Nobody may pass twice in a row.": "pass: at most once in a row by the same player",
    "You may pass at most twice in a row.": "pass: at most twice in a row by the same player",
    "Whoever holds the suit that was led has to play it.": "play: the kind that was led, as long as one has it",
    "Players must follow suit.": "play: the kind that was led, as long as one has it",
    "Follow suit if you can.": "play: the kind that was led, as long as one has it",
    "Whoever is on turn draws a card first.": "a turn begins with a draw of 1, as long as there is a deck",
    "On your turn you first take two cards.": "a turn begins with a draw of 2, as long as there is a deck",
    "Each turn begins with a draw of one card.": "a turn begins with a draw of 1, as long as there is a deck",
    "At the start of your turn, draw a card.": "a turn begins with a draw of 1, as long as there is a deck",
    "Nobody holds more than five cards at the end of a turn.": "cards kept at the end of a turn, at most: 5",
    "To sell costs twelve coins.": "sell: costs 12",
    "Nobody may sell in the first six rounds.": "sell: the round is later than 6",
    "One sells at least six cards.": "sell: at least 6 cards at once",
    "A player may sell at most 12 lamps in a game.": "sell: at most 12 lamp cards in a game by the same player",
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
    "One plays no kind a second time.": "play: exactly 0 cards of the same kind lie on the own pile",
    "A silk may only be played on a tea.": (
        "play with silk: at least 1 tea card lie on a pile, the own one or that of all"
    ),
    "Lamps cannot be sold before a tea was sold.": "sell with lamp: only after tea was shown",
    "A silk must not be sold before a tea.": "sell with silk: only after tea was shown",
    "Silks may not be played until a silk has been sold.": "play with silk: only after silk was shown",
    "A lamp can only be played if a tea was played before.": "play with lamp: only after tea was shown",
    "You may not sell anything until you have played something.": "sell: only after the player has done play",
    "You must play before you can sell.": "sell: only after the player has done play",
    "Silks can't be sold in the first two rounds.": "sell with silk: the round is later than 2",
    "Nobody may sell in the first three rounds.": "sell: the round is later than 3",
    "Silk is never played together with tea.": "play with silk: exactly 0 tea cards at once",
    "You may sell a silk or a lamp, but not both.": "sell with silk: exactly 0 lamp cards at once",
    "A player may sell at most two lamps in a game.": "sell: at most 2 lamp cards in a game by the same player",
    "You may pass only once per turn.": "pass: at most once in a turn by the same player",
    "A player may pass no more than twice.": "pass: at most twice in a game by the same player",
    "Passing twice in succession is not allowed.": "pass: at most once in a row by the same player",
    "Never play the same kind as the player before you.": (
        "play: the kind is not that which the player before has just shown"
    ),
    "Nobody may play the same kind twice in a row.": "play: the kind is not that which the player has just shown",
    "You cannot play a silk on a lamp.": "play with silk: not where lamp lies last on the pile",
    "A tea must not be played directly after a tea.": ("play with tea: not where tea lies last on the pile"),
    "The card you play must be higher than the one played before it.": (
        "play: the number is higher than that of the last card on the pile"
    ),
    "Each bid must be higher than the bid before it.": (
        "bid: the number that is said is higher than the number before it"
    ),
    "The card you play must match the kind or the number of the card on top.": (
        "play: the kind is that of the last card on the pile, or the number is that of the last card on the pile"
    ),
    "The card you play must have the same kind as the card on top.": (
        "play: the kind is that of the last card on the pile"
    ),
    "You may swap a card with another player, but never a lamp.": "swap: the kind is not lamp",
    "Nobody may pass twice in a game.": "pass: at most once in a game by the same player",
    "Nobody may pass twice in a turn.": "pass: at most once in a turn by the same player",
    "sell with tea: at least 2 cards": "sell with tea: at least 2 cards at once",
    **dict.fromkeys(
        (
            "After you pass, you may not sell on your next turn.",
            "Whoever passes may not sell in their next turn.",
            "If a player passes, that player cannot sell during the following turn.",
            "You may not sell in the turn after passing.",
            "The player who passes is a sleeper: on their next turn they must not sell.",
        ),
        "sell: not in the next turn of a player who has done pass",
    ),
}
"""Sentences that are understood whole, and what they are read as."""

MORE = {
    "You may play no more than three cards in one turn.": "one turn",
    "At most two teas may be sold per turn.": "per turn",
    "At most eight teas may be sold per turn.": "per turn",
    "In a turn a player does one of three things: sells, plays or passes.": "lead, swap, give, bid not among them",
    "After that you do exactly one of the following: play, swap or pass.": "",
    "Silk is always sold alone unless the market is empty.": "unless ... market ... empty",
    "Lamps cannot be sold while a silk lies there.": "",
    "At most three cards are played at once, except by the last player.": "except ... last",
    "Nobody holds more than five cards until the deck is empty.": "until the deck is empty",
    "On your turn you take two actions, but only one in the first round.": "but only one in the first round",
    "One sells at least two cards if one has them.": "if one",
    "You cannot give to yourself when nobody else plays.": "",
    "Everybody begins with four cards, but the first player with three.": "",
    "Each player may pass once per game after the first turn.": "after ... first turn",
    "To sell costs two coins during the night.": "during the night",
    "One plays one or two cards, but they must be fresh.": "they must be fresh.",
    "One plays one or two cards of the same kind, but fresh.": "but fresh",
    "Ripe lamps are played alone.": "Ripe",
    "One plays no silk a second time.": "second",
    "No player may sell with more than five cards in hand.": "sell",
    "Whoever passes draws a card first.": "passes",
    "No more than two players sell at once.": "",
    "Only silk is sold alone.": "silk",
    "Silk is sold alone or with tea.": "Silk ... or ... tea",
    "Teas and silks may not be sold in the first round.": "Teas ... silks",
    "Silks may be sold in the first round, but not teas.": "Silks ... but ... teas",
    "sell to Tom: at least 2 cards": "Tom",
    "Sell two or more cards of the same ware from your stall back to the box.": "stall back ... box",
    "Exception: silk is always sold alone.": "Exception",
    "2.2 Never swap two cards of the same ware (no Tea for Tea).": "two",
    "The starting player draws a card first.": "",
    "A silk may only be played on a tea if nobody objects.": "if ... objects",
    "Cards of different goods may, unless the stall is empty, never be sold together.": "",
    "Suit must be followed except in the last trick.": "",
    "A card is given to another player instead of being sold.": "",
}
"""Sentences that say more than what they are read as; those with nothing beside them are not understood at all."""

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
    "A stall holds at most six cards.",
    "The player with the most coins wins.",
    "Suns are never led before a sun was played.",
)
"""Sentences without a form, or of something that the game does not have."""


def said(text: str) -> tuple[str, str, bool]:
    """Return what a sentence is read as, what of it is left over, and whether that may turn it over."""
    sentence = CiteSentence(text, "L1")
    game = own_game(GAME.raw, [sentence], draws=True)
    if (form := known_form(sentence, game)) is not None:
        more = says_more(form, sentence, game)
        return form.shown(filled_from(form, game, sentence)), more, bool(more)
    read = read_sentence(sentence, game)
    left = " ... ".join(each.left for each in read if each.left)
    return "; ".join(each.composition.shown for each in read), left, any(each.is_part for each in read)


@pytest.mark.parametrize(("text", "read"), READ.items())
def test_a_sentence_is_read_with_all_that_it_says(text: str, read: str) -> None:
    """Its move, its cards and its numbers come from the sentence, and it says no more than that."""
    assert said(text) == (read, "", False)


@pytest.mark.parametrize(("text", "more"), MORE.items())
def test_what_is_not_held_is_said(text: str, more: str) -> None:
    """A sentence with a qualification is no plain rule: what it says besides is named, and it is left open."""
    read, left, is_part = said(text)
    assert left == more
    assert left or is_part or not read
    assert not own_game(GAME.raw, [CiteSentence(text, "L1")], draws=True).said


@pytest.mark.parametrize("head", NUMBERED)
@pytest.mark.parametrize(
    "text", ["A player sells at least two cards.", "All cards that one sells are of the same colour."]
)
def test_the_number_before_a_sentence_is_none_of_the_rule(head: str, text: str) -> None:
    """With its number or without, a sentence is read the same; the quotation keeps the number."""
    assert said(f"{head}{text}") == (READ.get(text, "sell: at least 2 cards at once"), "", False)
    rule = rule_said(GAME, CiteSentence(f"{head}{text}", "L1"), None, lambda question: question.usual)
    assert isinstance(rule, FirstRule)
    assert f"{head}{text}" in str(rule.changes)


@pytest.mark.parametrize("text", [*ALLOWED, *OPPOSITE])
def test_a_sentence_that_only_allows_or_denies_that_something_has_to_be_is_no_rule(text: str) -> None:
    """The opposite of a rule would accuse whoever keeps it: what is denied is understood as that, or as a part."""
    read, _, is_part = said(text)
    assert not read or is_part


@pytest.mark.parametrize("text", READ)
def test_what_is_allowed_is_told_from_what_has_to_be(text: str) -> None:
    """Rules are no permissions, though `may` stands in some of them."""
    form = known_form(CiteSentence(text, "L1"), GAME)
    assert not is_permission(text, counts=form is not None and form.name == "actions")
    assert all(is_permission(each) for each in ALLOWED)


def test_a_sentence_may_say_two_things() -> None:
    """How many cards, and that they are of one kind: both are one rule, and neither is left out."""
    two = "You may sell one or two cards, but they must be of the same fruit."
    assert said(two) == ("sell: at most 2 cards at once, and at once only cards of one kind", "", False)
    more = "3.1 Sell two or more cards of the same ware."
    assert said(more) == ("sell: at least 2 cards at once, and at once only cards of one kind", "", False)


@pytest.mark.parametrize("text", ["In this sell at most two cards.", "One sells or swaps at most two cards."])
def test_the_move_is_asked_where_the_sentence_does_not_say_one(text: str) -> None:
    """Of two moves somebody says which is meant, and nothing is written without that."""
    sentence = CiteSentence(text, "L1")
    rule = rule_said(GAME, sentence, None, lambda question: question.usual)
    assert isinstance(rule, FirstRule) is ("swap" not in text)


@pytest.mark.parametrize("text", NONE)
def test_other_sentences_say_no_rule(text: str) -> None:
    """Nothing is made of them without a person."""
    read, _, is_part = said(text)
    assert not read or is_part


def test_a_number_on_a_card_is_not_the_number_of_a_line() -> None:
    """Where cards have numbers, a line that names a card and no number beside it would be called right unseen."""
    plays = {"play": {"fields": {**FIELDS, "number": "number 0 to 1000?"}}}
    game = own_game({**GAME.raw, "move": {**GAME.raw["move"], **plays}}, [], draws=True)
    higher = (Clause("said", ">", "before", whose="all", span="row"),)
    more = CiteSentence("Bid more.", "L1")
    assert composed_rule(game, Composition("bid", higher), more, {}) is not None
    assert composed_rule(game, Composition("play", higher), more, {}) is None


def test_a_rule_that_somebody_composes_asks_for_the_other_move() -> None:
    """Its sentence does not say it, and no move has to come before itself: that would accuse everybody."""
    asked: dict[str, RuleQuestion] = {}

    def ask(question: RuleQuestion) -> str:
        asked[question.name] = question
        return {
            "what": "which move comes before or after it",
            "detail": "sell: only after the player has done (a move)",
            "value": "play",
        }.get(question.name, question.usual)

    rule = rule_said(GAME, CiteSentence("Whoever sells is a good trader.", "L1"), None, ask)
    assert isinstance(rule, FirstRule)
    assert rule.words == "sell: only after the player has done play"
    assert "move" not in asked
    assert {*asked["value"].choices} == {*GAME.moves} - {"sell"}


def test_a_draw_that_has_to_come_next_has_come() -> None:
    """It stayed owed for ever, and every line behind it was accused."""
    composition = Composition("sell", (Clause("then", "=", "take"),))
    rule = composed_rule(GAME, composition, CiteSentence("After you sell, you take.", "L1"), {})
    assert rule is not None
    assert "sell_just_done = 0" in rule.changes["move"]["take"]["does"]


def test_every_form_is_written_by_some_sentence() -> None:
    """Each form has its sentence above."""
    seen = {form.name for text in READ if (form := known_form(CiteSentence(text, "L1"), GAME)) is not None}
    assert seen == {form.name for form in forms()}


@pytest.mark.parametrize("text", READ)
def test_each_rule_makes_a_file_that_can_be_read(text: str) -> None:
    """Whatever a sentence is read as, the file with its rule has no mistake, or nothing is written."""
    sentence = CiteSentence(text, "L1")
    rule = rule_said(GAME, sentence, known_form(sentence, GAME), lambda question: question.usual)
    if isinstance(rule, FirstRule):
        assert games_of("market.toml", "market", with_changes(tomlkit.dumps(GAME.raw), rule.changes))
