"""What a sentence says by its neighbours: exceptions beside it, and a rulebook's own words for players and cards."""

import pytest
import tomlkit

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import known_form, own_game, says_more
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.forms import filled_from
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.dashboard.own_game.questions import RuleQuestion
from tabletape.dashboard.own_game.sentence_reader import read_sentence
from tabletape.events.vocabulary.open_games import games_of
from tests.dashboard.test_own_forms import GAME

EXCEPTED = {
    ("One sells at least two cards.", "Exception: tea may be sold as a single card."): "kind = 'tea'",
    ("Silk is always sold alone.", "A silk may however be sold together with a tea."): "kind = 'tea'",
    ("At most two cards are sold at once.", "A lamp may always be sold."): "kind = 'lamp'",
    (
        "The card you play must match the kind or the number of the card on top.",
        "A three may be played on anything.",
    ): "number = 3",
    ("The card you play must be higher than the one played before it, unless it is a lamp.", ""): "kind = 'lamp'",
    ("The card you play must be higher than the one played before it.", "Whoever won starts with any card."): None,
    ("Each player may pass at most once per game.", "The player with the fewest silks may pass a second time."): None,
    ("At most two cards are sold at once.", "With a lamp in play it is three."): None,
    ("Silk is always sold alone.", "A silk that was given is an exception to this."): None,
    ("Silk is always sold alone.", "A fresh silk may be sold with a tea."): None,
    ("Silk is always sold alone.", "This rule does not apply to the last player."): None,
}
"""Sentences with an exception behind them: the cards that are free, as a file says it, None where nobody knows."""


@pytest.mark.parametrize(("said", "free"), EXCEPTED.items())
def test_an_exception_belongs_to_the_sentence_before_it(said: tuple[str, str], free: str | None) -> None:
    """A rule with an exception that is not understood is never read as it stands: it would accuse who keeps it."""
    sentences = [CiteSentence(text, f"L{number}") for number, text in enumerate(said, 1) if text]
    game = own_game(GAME.raw, sentences, draws=True)
    (read,) = read_sentence(sentences[0], game)
    assert read.is_part == (free is None)
    if free is None:
        return
    rule = rule_said(game, sentences[0], None, lambda question: question.usual)
    assert isinstance(rule, FirstRule)
    assert f"any(cards where it.{free})" in str(rule.changes).replace("\\", "")
    assert games_of("market.toml", "market", with_changes(tomlkit.dumps(GAME.raw), rule.changes))


OWN_WORDS_FOR = {
    "The bale you play must be higher than the last bale of the same kind on your stall.": "",
    "Nobody may hold more than six: sell the rest.": "",
    "To swap, name another player, and both bales must be of the same kind.": "",
    "At most four may be played on a stall.": "",
    "Nobody may sell silks until somebody has sold tea.": "",
    "On your turn you take up to two bales, or you play one bale.": "",
    "No trader may sell more than two teas in one go.": "sell: at most 2 tea cards at once",
    "Each trader is dealt five bales.": "cards in hand at the beginning: 5",
    "You must not sell the same bale as the trader before you.": (
        "sell: the kind is not that which the player before has just shown"
    ),
    "You may not play a silk bale directly after a tea bale.": ("play with silk: not where tea lies last on the pile"),
    "Haul the tea bale first.": "",
    "There is one bale each with a value of 1 to 3.": "",
    "The oldest trader may not sell in the first round.": "",
}


@pytest.mark.parametrize(("text", "read"), OWN_WORDS_FOR.items())
def test_a_rulebook_has_its_own_words_for_players_and_cards(text: str, read: str) -> None:
    """Who *each trader* is, and what the bales are, its first sentences say; a certain trader is not everybody."""
    head = [CiteSentence("Bales are silk, tea and lamp.", "L1"), CiteSentence("Every trader begins with a coin.", "L2")]
    sentence = CiteSentence(text, "L3")
    game = own_game(GAME.raw, [*head, sentence], draws=True)
    form = known_form(sentence, game)
    if form is not None:
        assert form.shown(filled_from(form, game, sentence)) == read
        assert not says_more(form, sentence, game)
        return
    whole = [each.composition.shown for each in read_sentence(sentence, game) if not each.is_part]
    assert whole == [read] * bool(read)


@pytest.mark.parametrize(
    ("before", "is_exception"),
    [
        ("On your turn you may play one card, sell one silk, or pass.", False),
        ("On your turn you may sell any silk.", True),
        ("The eldest may always sell.", True),
    ],
)
def test_what_a_turn_may_be_is_limited_by_what_holds_in_some_rounds(before: str, *, is_exception: bool) -> None:
    """The list of the moves of a turn is no exception to a prohibition in the first round; what says when may be."""
    said = [CiteSentence(before, "L1"), CiteSentence("Nobody may sell in the first round.", "L2")]
    (read,) = read_sentence(said[1], own_game(GAME.raw, said, draws=True))
    assert read.is_part is is_exception
    assert read.left == before * is_exception


@pytest.mark.parametrize(
    ("head", "text", "whose"),
    [
        ("Every trader begins with a coin.", "A silk may only be played on a tea.", ""),
        ("Play your cards into your stall.", "A silk may only be played on a tea.", "own"),
        ("Give a card into the stall of another player.", "Nobody may give a silk onto a tea.", "to"),
        ("Play your cards into your stall.", "Your stall never holds more than six cards.", "own"),
        ("Keep your coins in your purse.", "A silk may not be played on a tea.", ""),
        ("Keep your coins in your purse.", "A silk may not be played directly after a tea.", "all"),
        ("Keep your coins in your purse.", "The card you play must be higher than the last one.", ""),
        ("Every trader begins with a coin.", "The card you play must be higher than the last one.", "all"),
    ],
)
def test_whose_pile_it_is_is_asked_where_no_words_say_it(head: str, text: str, whose: str) -> None:
    """The narrower pile would accuse who keeps the rule of the other one: without an answer nobody is accused."""
    sentences = [CiteSentence(head, "L1"), CiteSentence(text, "L2")]
    game = own_game(GAME.raw, sentences, draws=True)
    (read,) = read_sentence(sentences[1], game)
    assert known_form(sentences[1], game) is None
    assert {each.whose for each in read.composition.clauses} == {whose}
    for answer in ("", "the own pile of each player", "one pile of all players"):
        asked: list[str] = []

        def told(question: RuleQuestion, asked: list[str] = asked, answer: str = answer) -> str:
            asked.append(question.name)
            return answer if question.name == "whose" else question.usual

        rule = rule_said(game, sentences[1], None, told)
        assert ("whose" in asked) is (not whose)
        assert isinstance(rule, FirstRule) is bool(whose or answer)
        if not whose and isinstance(rule, FirstRule):
            kept = "open" if answer.startswith("the own") else "shared"
            assert rule.changes["zones"]["pile"] == kept


@pytest.mark.parametrize(
    ("aside", "freed"),
    [
        ("(just one if only one is left)", " or size(cards) = 1 and unsaid > 0"),
        ("(fewer when that is agreed)", " or unsaid > 0"),
        ("(each from the hand)", ""),
    ],
)
def test_what_a_sentence_says_in_brackets_of_some_cards_is_left_out_and_accuses_nobody(aside: str, freed: str) -> None:
    """Of lines of which the brackets may speak nobody knows whether they are right; the others are held against it."""
    sentence = CiteSentence(f"One always sells exactly two cards {aside}.", "L1")
    game = own_game(GAME.raw, [sentence], draws=True)

    def ask(question: RuleQuestion) -> str:
        return next((each for each in question.choices if "exactly 2 cards" in each), question.usual)

    rule = rule_said(game, sentence, None, ask)
    assert isinstance(rule, FirstRule)
    assert [each["that"] for each in rule.changes["move"]["sell"]["needs"].values()] == [f"size(cards) = 2{freed}"]
    assert (f"what is left out: \u201c{aside}\u201d; where that may be so, nobody is accused" in rule.taken) is bool(
        freed
    )
    assert games_of("market.toml", "market", with_changes(tomlkit.dumps(GAME.raw), rule.changes))
