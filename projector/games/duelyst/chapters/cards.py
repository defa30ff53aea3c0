"""Card types: playing a card from the hand for its cost; spells and artifacts."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import UNSET

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Consequence, Event
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.games.duelyst import board, overdue
from tabletape.projector.games.duelyst.abilities import Ability
from tabletape.projector.games.duelyst.chapters import ARTIFACT_CARD, CARD_TYPES, TURN_OVERVIEW, mulligan
from tabletape.projector.games.duelyst.chapters.setup import general_on_board, known_cards
from tabletape.projector.games.duelyst.chapters.turns import active_player, adopt_mana
from tabletape.projector.games.duelyst.owed import first, owed_now
from tabletape.projector.games.duelyst.schema import DuelystText
from tabletape.projector.games.duelyst.state import GENERAL, SLOTS, SPELLS, Duelyst, DuelystCard, DuelystPlayer, Tile
from tabletape.projector.games.duelyst.tasks import SpellDone, Tasks
from tabletape.projector.games.duelyst.tiles import candidates, cost_of, fits, is_structure, targeted
from tabletape.projector.kit import common_rules, mismatches
from tabletape.projector.kit.card_verdicts import as_printed
from tabletape.projector.kit.consequence import Follows, consequence, follows, resting_on, why_not
from tabletape.projector.kit.moves import move
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import as_ruled, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Rule, Undecidable, Verdict, case, stop

MINIONS: Final = frozenset({"minion", "token"})
ARTIFACTS: Final = frozenset({"artifact"})
PLAYS: Final[dict[type[Event], tuple[str, frozenset[str]]]] = {
    ev.MinionSummoned: ("summoned", MINIONS),
    ev.SpellCast: ("cast", SPELLS),
    ev.ArtifactEquipped: ("equipped", ARTIFACTS),
}
"""What is done with cards of which types."""

# -- every card --------------------------------------------------------------------------------------------------------


def _printed(table: Duelyst, name: str) -> DuelystText | None:
    """Return what is printed on a card that lies on the table, or None."""
    card = table.cards.get(name)
    return None if card is None else card.text


@case(known_cards)
def known_played(table: Duelyst, event: ev.ArtifactEquipped | ev.MinionSummoned | ev.SpellCast) -> Verdict:
    """The card that is played is in the card file."""
    return None if _printed(table, event.card) is not None else common_rules.unknown_among(table, (event.card,))


@CARD_TYPES.rule("duelyst.play.card-type", "L24 L34 L42", rests_on="nothing")
def card_type(table: Duelyst, event: ev.ArtifactEquipped | ev.MinionSummoned | ev.SpellCast) -> Verdict:
    """Minions are summoned, artifacts equipped, spells cast."""
    text = _printed(table, event.card) or table.library.get(card_of(event.card))
    if text is None:
        return NOT_APPLICABLE
    verb, kinds = PLAYS[type(event)]
    if text.kind in kinds:
        return None
    return f"{table.called(event.card)} is {verb}, but its type is {text.kind.replace('-', ' ')}"


@TURN_OVERVIEW.rule("duelyst.cost.mana", "L86")
def mana(table: Duelyst, event: ev.ArtifactEquipped | ev.MinionSummoned | ev.SpellCast) -> Verdict:
    """The cost of a card must be there and is paid (implied)."""
    card, player = table.cards.get(event.card), table.players[event.player]
    if card is None or card.text is None:
        return NOT_APPLICABLE
    cost = cost_of(table, player.id, card)
    if cost <= player.mana:
        return None
    return Broken(f"{table.called(card.name)} costs {cost}, {player.name} has {player.mana} mana left", f"{cost} mana")


@CARD_TYPES.rule("duelyst.ability.as-declared", "")
@as_printed
def as_declared(_table: Duelyst, _event: Event, text: DuelystText) -> Verdict:
    """A card does what its declared text says."""
    return told_by_people(text) if text.manual else NOT_APPLICABLE


def told_by_people(text: DuelystText) -> Undecidable:
    """Return the verdict that only people can tell what a card does; it is reported once a game."""
    message = f"only people can tell what {text.name} does, and what follows from it: {text.manual}"
    return Undecidable(message, once=True)


CARD_TESTS: Final = (active_player, known_played, mulligan.from_hand, stop(card_type), mana)


def play_card(table: Duelyst, player: DuelystPlayer, name: str, kind: str) -> DuelystCard:
    """Take a card from the hand and pay for it; an unknown one is of the kind as which it is played."""
    hand = table.hands[player.id]
    card = table.cards.get(name)
    if card is None or card.zone is not hand:
        card = table.take(name, hand)
    board.require_text(table, card, kind)
    pay(table, player, cost_of(table, player.id, card), "duelyst.cost.mana")
    if card.text.counts_as and not card.text.counts_as <= player.played:
        table.set(player, "played", player.played | card.text.counts_as)
    return card


def pay(table: Duelyst, player: DuelystPlayer, amount: int, rule: str) -> None:
    """Pay mana, as far as there is some."""
    if amount > 0:
        left = max(player.mana - amount, 0)
        table.set(player, "mana", left)
        table.derived.append(Derived(ev.ManaPaid(player=player.id, amount=amount, mana=left), rule, len(table.journal)))


def discard(table: Duelyst, card: DuelystCard) -> None:
    """Put a card into the graveyard of its owner."""
    board.strip(table, card)
    table.move(card, table.graveyards[card.owner])


def playable(table: Duelyst, player: str, kinds: frozenset[str]) -> Iterator[DuelystCard]:
    """Yield the cards of some types in a hand that its player can pay for."""
    left = table.players[player].mana
    for card in table.hands[player].cards:
        if card.text is not None and card.text.kind in kinds and cost_of(table, player, card) <= left:
            yield card


# -- targets -----------------------------------------------------------------------------------------------------------


def aimed(
    table: Duelyst, event: ev.MinionSummoned | ev.SpellCast, text: DuelystText, trigger: str, tile: Tile | None = None
) -> Verdict:
    """Check the target of a card that is played, a minion on a tile."""
    ability = targeted(text, trigger)
    if ability is None or ability.target is None:
        if event.target is UNSET:
            return NOT_APPLICABLE
        return f"{text.name} asks for no target, {table.called(event.target)} is named"
    if event.target is UNSET:
        return f"{text.name} is played without a target"
    unit = table.unit_called(event.target)
    if unit is not None and fits(table, ability.target, event.player, tile, unit):
        return None
    return f"{table.called(event.target)} is no target for {text.name}: {why_no_target(table, text, unit)}"


def why_no_target(table: Duelyst, text: DuelystText, unit: DuelystCard | None) -> str:
    """Return what a card asks for; of a Structure that would gain attack, that it cannot (ruling `structure_buff`)."""
    is_strengthened = any(ability.target.is_strengthened for ability in text.says.aims.values() if ability.target)
    if unit is None or not is_strengthened or not is_structure(unit):
        return text.text
    return f"a Structure gains no attack{as_ruled(table, 'structure_buff')}"


def targets_offered(table: Duelyst, player: str, ability: Ability | None, tile: Tile | None) -> list[Any]:
    """Return the targets that may be named, UNSET where none is."""
    if ability is None or ability.target is None:
        return [UNSET]
    targets: list[Any] = [unit.name for unit in candidates(table, ability.target, player, tile)]
    may_lack = ability.target.optional if targets else table.options["empty_gambit"] != "forbidden"
    return [*targets, UNSET] if may_lack and ability.trigger == "opening-gambit" else targets


# -- spells ------------------------------------------------------------------------------------------------------------


@CARD_TYPES.rule("duelyst.spell.target", "")
@as_printed
def spell_target(table: Duelyst, event: ev.SpellCast, text: DuelystText) -> Verdict:
    """The target of a spell is what its text asks for."""
    return aimed(table, event, text, "cast")


def cast(player: str, text: Any, source: str, target: Any, tile: Any = UNSET) -> Tasks:
    """Return what a spell does, aimed at a target and a tile, each of which may be UNSET."""
    return board.doings(player, source, text.says.effects.get("cast", ()), aim=(target or "", tile or None))


def _spells(table: Duelyst, player: str) -> Iterator[Event]:
    for card in playable(table, player, SPELLS):
        for target in targets_offered(table, player, targeted(card.text, "cast"), None):
            yield ev.SpellCast(player=player, card=card.name, target=target)


@move(ev.SpellCast, *CARD_TESTS, spell_target, as_declared, offers=_spells)
def _cast_spell(table: Duelyst, event: ev.SpellCast) -> None:
    if not board.is_owned(table, event.card):
        return
    player = event.player
    card = play_card(table, table.players[player], event.card, "spell")
    discard(table, card)
    table.applied.append("duelyst.spell.to-graveyard")
    if card.text.kind in SPELLS:
        first(table, (*cast(player, card.text, card.name, event.target), SpellDone(player)))


# -- artifacts ---------------------------------------------------------------------------------------------------------


@ARTIFACT_CARD.rule("duelyst.artifact.free-slot", "L21 L36")
def free_slot(table: Duelyst, event: ev.ArtifactEquipped) -> Verdict:
    """An artifact is equipped to the own general, in a free slot."""
    worn = len(table.worn[event.player].cards)
    if worn < SLOTS or table.options["artifact_overflow"] == "replaces_oldest":
        return None
    why = as_ruled(table, "artifact_overflow")
    message = f"the general of {name_of(table, event.player)} wears {worn} artifacts already{why}"
    return Broken(message, f"at most {SLOTS}", because="duelyst.general.three-slots")


def _artifacts(table: Duelyst, player: str) -> Iterator[Event]:
    if len(table.worn[player].cards) < SLOTS or table.options["artifact_overflow"] == "replaces_oldest":
        for card in playable(table, player, ARTIFACTS):
            yield ev.ArtifactEquipped(player=player, card=card.name)


@move(ev.ArtifactEquipped, *CARD_TESTS, free_slot, as_declared, offers=_artifacts)
def _equip(table: Duelyst, event: ev.ArtifactEquipped) -> None:
    if not board.is_owned(table, event.card):
        return
    card, worn = play_card(table, table.players[event.player], event.card, "artifact"), table.worn[event.player]
    if card.text.kind != "artifact":
        discard(table, card)
        return
    if len(worn.cards) >= SLOTS and table.options["artifact_overflow"] == "replaces_oldest":
        board.break_artifact(table, worn.cards[0], "duelyst.artifact.free-slot")
    is_copy = any(other.text is card.text for other in worn.cards)
    table.applied.append("duelyst.general.same-artifact-twice" if is_copy else "duelyst.general.three-slots")
    if card.place is not None:
        board.strip(table, card)
    table.move(card, worn)
    table.set(card, "durability", card.text.durability)


# -- what nobody can tell ----------------------------------------------------------------------------------------------

CARD_FIELDS: Final = ("card", "unit", "target", "source", "cards", "returned", "drawn")
"""The fields of lines that name cards."""
HIDDEN_ROLES: Final = frozenset({"deck", "hand", "nowhere"})
"""The roles of zones in which a card does nothing."""


def doubt(table: Duelyst, rule: Rule, event: Event) -> RuleVerdict | None:
    """Return the verdict that it is open whether a line breaks a rule; None where the log can tell."""
    if rule.rests_on == "nothing":
        return None
    names = [*common_rules.names_in(event, CARD_FIELDS)]
    text, named = unchecked(table, names), [card_of(name) or name for name in names if not is_unseen(name)]
    unknown = unknown_cards(named, table.library) or unknown_cards([text.id] if text else (), table.library)
    if unknown:
        return RuleVerdict(known_cards, Undecidable(unknown, once=True))
    return None if text is None else RuleVerdict(as_declared, told_by_people(text))


def unchecked(table: Duelyst, names: Iterable[str]) -> DuelystText | None:
    """Return the uncheckable text of a card which a line names, or of one that has come into play."""
    return next((text for text in _at_work(table, names) if text is not None and text.manual), None)


def _at_work(table: Duelyst, names: Iterable[str]) -> Iterator[Any]:
    """Yield the texts that may have caused what a line says: of cards that it names or that have come into play."""
    yield from (table.library.get(card_of(name)) for name in names)
    yield from (card.text for card in table.cards.values() if card.zone.role not in HIDDEN_ROLES)
    yield from (table.spell_of(player.id) for player in table.players.values() if player.turns > 2)


# -- what follows, as a log writes it ----------------------------------------------------------------------------------

AS_A_CARD_SAYS: Final = Follows(rule=as_declared)
"""What is said of all other lines: they come from what a text says."""


COUNTED: Final = ev.ManaPaid | ev.BuildProgressed | ev.ArtifactWorn
"""Lines that say what somebody has left or has reached, whatever has led to it."""


def may_adopt(table: Duelyst, event: Consequence, expected: Any) -> bool:
    """Return whether the table has done what a line says: the rules make it otherwise, or nobody can check its text.

    So has it where the line says how much there is now: a play may be missing before it. A line that luck has not
    written one before yet is taken as derived: what the log has just said is not expected again.
    """
    if expected is not None:
        return True
    if owed_now(table) is not None:
        overdue.take_as_derived(table, event)
        return False
    is_known = isinstance(event, COUNTED)
    return is_known or unchecked(table, common_rules.names_in(event, ("unit", "source"))) is not None


@consequence(
    ev.ManaPaid, why=lambda _table, event: ("duelyst.cost.mana" if event.amount else "duelyst.mech.free-after-five", "")
)
def adopt_paid(table: Duelyst, event: ev.ManaPaid, expected: ev.ManaPaid | None) -> None:
    """Go on with the mana that is written."""
    if expected is not None:
        adopt_mana(table, event, expected)
    else:
        table.set(table.players[event.player], "mana", event.mana)


WEARS: Final = "duelyst.artifact.wears-with-general"


def _why_not_worn(table: Duelyst, event: ev.ArtifactWorn | ev.ArtifactBroken) -> tuple[str, str]:
    rule = "duelyst.artifact.breaks-at-zero" if isinstance(event, ev.ArtifactBroken) else WEARS
    card = table.find(event.card)
    if card is None or not card.zone.name.startswith("artifacts:"):
        return rule, "nobody wears it"
    return rule, f"its durability is {card.durability}, and its general has taken no other damage"


def _wears_wrongly(table: Duelyst, event: ev.ArtifactWorn, expected: ev.ArtifactWorn | None) -> str:
    """Return the rule of a wrong durability: one damage wears by one, and what has worn too little began with more."""
    wears_more = expected is not None and event.durability < expected.durability
    return WEARS if wears_more else mismatches.rule_behind(table, expected)


@consequence(ev.ArtifactWorn, rule=_wears_wrongly, why=_why_not_worn, behind=resting_on("artifact_damage", WEARS))
def adopt_worn(table: Duelyst, event: ev.ArtifactWorn, expected: ev.ArtifactWorn | None) -> None:
    """Go on with the durability that is written, of an artifact that is worn, or was put on with no line of its own."""
    card = table.find(event.card)
    if card is None or not event.durability:
        return
    if card.zone.name.startswith("hand:") and card.text is not None and card.text.kind == "artifact":
        table.move(card, table.worn[card.owner])
        expected = event
    if expected and card.zone.name.startswith("artifacts:"):
        table.set(card, "durability", event.durability)


BROKEN_ARTIFACT: Final = follows(ev.ArtifactBroken, why=_why_not_worn)


@why_not(ev.CardReturned)
def _why_not_returned(table: Duelyst, event: ev.CardReturned) -> str | tuple[str, str]:
    text = _printed(table, event.card)
    is_general = text is not None and text.kind == GENERAL
    return (general_on_board.id, "a general is always on the board") if is_general else ""
