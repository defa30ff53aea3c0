"""Card text and sample cards of the Duelyst-style game."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.games.duelyst.abilities import parsed_text, verb
from tabletape.projector.model.cards import CardError

GAME = game("duelyst")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("rsh", "'rsh'"),
        ("rush hour", "'hour'"),
        ("backstab much", "'much'"),
        ("cast -> dammage target 2", "'dammage'"),
        ("cast on enemy minion -> damage target two", "'two'"),
        ("cast on enemy mnion -> damage target 2", "'mnion'"),
        ("cast on minion near home -> damage target 2", "'home'"),
        ("cast on minion -> buff target 2", "'2'"),
        ("cast on minion -> grant target speed", "'speed'"),
        ("cast -> damage target 2", "does not say at which one"),
        ("cast ->", "ends too early"),
        ("whenever -> draw 1", "'whenever'"),
        ("bond goblin -> draw 1", "'goblin'"),
        ("cast -> attack +1", "'attack'"),
        ("zeal -> draw 1", "'draw'"),
        ("always -> cost -1 second spell", "'second'"),
        ("cast -> summon Big_Thing near self", "'Big_Thing'"),
        ("cast -> suspend everything", "'everything'"),
    ],
)
def test_an_unknown_word_is_refused(line: str, word: str) -> None:
    """A line that cannot be parsed is refused, and the message names the word that is wrong."""
    with pytest.raises(ValueError, match=re.escape(word)):
        parsed_text((line,))


def test_a_card_with_an_unknown_word_is_refused_with_its_place() -> None:
    """The message names file, line and card, and suggests a known word."""
    source = '[[card]]\nid = "odd"\nname = "Odd"\nkind = "minion"\nabilities = ["flyng"]\n'
    with pytest.raises(CardError, match=r"own\.toml:2: card 'odd': 'flyng'.*did you mean 'flying'"):
        GAME.read_cards(source, "own.toml")


@pytest.mark.parametrize(
    ("kind", "line", "why"),
    [
        ("spell", "flying", "'flying' does nothing on a card of type spell"),
        ("artifact", "build 2", "'build' does nothing on a card of type artifact"),
        ("general", "build 2", "never summoned"),
        ("spell", "opening-gambit -> draw 1", "'opening-gambit' does nothing on a card of type spell"),
        ("artifact", "cast -> draw 1", "'cast' does nothing on a card of type artifact"),
        ("minion", "cast -> draw 1", "'cast' does nothing on a card of type minion"),
        ("minion", "equipped -> attack +1", "'equipped' does nothing on a card of type minion"),
        ("token", "opening-gambit -> draw 1", "never played from the hand"),
        ("general", "bond golem -> draw 1", "never summoned"),
        ("minion", "dying-wish on minion -> damage target 2", "nobody names a target for 'dying-wish'"),
        ("spell", "cast on friendly minion -> teleport target 2", "for a bloodbound spell alone"),
        ("minion", "opening-gambit -> appear ghost-wolf", "where a unit died"),
        ("spell", "cast -> summon iron-dervish near self", "not on the board then"),
        ("minion", "dying-wish -> heal self 2", "not on the board then"),
    ],
)
def test_a_line_without_an_effect_on_its_card_is_refused(kind: str, line: str, why: str) -> None:
    """A line that no rule can carry out on a card of its kind is refused with its place and the reason."""
    source = f'[[card]]\nid = "odd"\nname = "Odd"\nkind = "{kind}"\nabilities = ["{line}"]\n'
    with pytest.raises(CardError, match=rf"own\.toml:2: card 'odd': .*{why}"):
        GAME.read_cards(source, "own.toml")


@pytest.mark.parametrize(("field", "value"), [("kind", "monster"), ("tribe", "goblin")])
def test_a_card_of_an_unknown_kind_or_tribe_is_refused(field: str, value: str) -> None:
    """The kind and the tribe of a card are those of the rulebook."""
    fields = {"id": "odd", "name": "Odd", "kind": "minion"} | {field: value}
    source = "[[card]]\n" + "\n".join(f'{key} = "{each}"' for key, each in fields.items())
    with pytest.raises(CardError, match=value):
        GAME.read_cards(source, "own.toml")


def test_every_effect_of_the_sample_cards_has_a_verb() -> None:
    """Every effect that happens once, unlike those that last, has a verb with a function that carries it out."""
    lasting = {"attack", "cost", "absorb", "immune"}
    for text in GAME.cards.library.values():
        for trigger, abilities in text.says.abilities.items():
            for effect in (effect for ability in abilities for effect in ability.effects):
                is_lasting = effect.verb in lasting or trigger == "always"
                assert is_lasting or effect.verb in verb.does, (text.id, effect.verb)


def test_the_cards_that_texts_name_exist() -> None:
    """A card that a text summons, lets appear or adds to a hand is in the card file."""
    library = GAME.cards.library
    brought = {
        name
        for text in library.values()
        for abilities in text.says.abilities.values()
        for ability in abilities
        for effect in ability.effects
        for name in ((effect.word, *effect.words) if effect.verb in {"summon", "appear", "add"} else ())
    } - {""}
    assert brought
    assert brought <= set(library)


def test_there_are_93_cards_and_four_decks() -> None:
    """All sample cards and decks of the catalogue are there."""
    assert len(GAME.cards.library) == 93
    assert set(GAME.cards.decks) == {"lyonar-vanguard", "vetruvian-dunes", "vanar-hunt", "songhai-shadow"}
    for deck in GAME.cards.decks.values():
        assert len(deck.cards) == 39
        assert set(deck.cards) <= set(GAME.cards.library)
        assert GAME.cards.library[deck.extra["general"]].kind == "general"


def test_every_general_has_its_bloodbound_spell() -> None:
    """The bloodbound spell of a general is a card of that type."""
    generals = [text for text in GAME.cards.library.values() if text.kind == "general"]
    assert len(generals) == 6
    for text in generals:
        assert GAME.cards.library[text.bloodbound_spell].kind == "bloodbound-spell"


def test_keywords_of_a_card_are_words_of_the_rulebook() -> None:
    """The keywords of a card are its keywords, its triggers and its tribe."""
    assert set(GAME.cards.keywords(GAME.cards.library["scarlet-viper"])) == {"flying", "backstab"}
    assert set(GAME.cards.keywords(GAME.cards.library["trinity-wing"])) == {"flying", "bond", "arcanyst"}
    assert set(GAME.cards.keywords(GAME.cards.library["scaffold-sentinel"])) == {"build"}


def test_text_that_only_people_can_judge_is_unverifiable(begin: Callable[..., Any]) -> None:
    """A card with `manual` text has one `unverifiable` finding for itself and for all that it causes."""
    source = '[[card]]\nid = "storm"\nname = "Storm"\nkind = "spell"\nmanual = "Everybody swaps hands."\n'
    library = GAME.cards.plus(GAME.read_cards(source, "own.toml")).library
    log = begin(["storm"]).add("spell.cast", player="A", card="A:storm")
    log.add("damage.dealt", unit="B:zirix-starstrider", amount=1, health=24, source="A:storm")
    replay = fold(GAME, log.events, library=library)
    assert replay.stopped is None
    message = "only people can tell what Storm does, and what follows from it: Everybody swaps hands."
    assert [(each.kind, each.rule, each.message) for each in replay.findings] == [
        ("unverifiable", "duelyst.ability.as-declared", message),
    ]
    assert replay.table.cards["A:storm"].zone.name == "graveyard:A"


def test_a_game_goes_on_with_an_unknown_card(begin: Callable[..., Any]) -> None:
    """An unknown card has one `unverifiable` finding; it is on the board, and the game goes on."""
    log = begin(["dragonlrk", "komodo-charger"]).add("minion.summoned", player="A", card="A:dragonlrk", tile=[2, 2])
    log.turns(1).add("unit.moved", player="B", unit="B:zirix-starstrider", to=[3, 8])
    replay = log.replay()
    assert [(each.rule, each.kind) for each in replay.findings] == [("duelyst.state.known-card", "unverifiable")]
    assert replay.findings[0].message == "unknown card dragonlrk; did you mean dragonlark?"
    assert replay.stopped is None
    assert replay.table.standing[2, 2].name == "A:dragonlrk"


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("artifact.worn", {"card": "A:dragonlrk", "durability": 2}),
        ("unit.moved", {"player": "A", "unit": "A:dragonlrk", "to": [3, 4]}),
    ],
)
def test_what_an_unknown_card_in_hand_does_is_not_taken_for_a_play_left_out(
    begin: Callable[..., Any], line: str, fields: dict[str, Any]
) -> None:
    """Nobody knows whether it can be worn or has legs: the fold goes on, and it stays where it is."""
    replay = begin(["dragonlrk", "komodo-charger"]).add(line, **fields).replay()
    assert replay.stopped is None
    assert replay.table.cards["A:dragonlrk"].zone.name == "hand:A"


def test_what_the_log_says_of_an_unknown_unit_is_accepted(recorded: Callable[[str], Any]) -> None:
    """The damage and the deaths that the log writes for an unknown unit happen: both units lie in graveyards."""
    _, _, replay = recorded("duelyst/card-unknown-in-play")
    table = replay.table
    assert [card.name for card in table.graveyards["A"].cards] == ["A:reed-heron"]
    assert [card.name for card in table.graveyards["B"].cards] == ["B:komodo-charger#1"]
    assert replay.stopped is None
