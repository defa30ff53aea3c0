"""The rules of what may be chosen for an effect: the selections of card texts, hunt, graze, roam, revive, probe."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import UNSET

from events.games import splicers as ev
from projector.games.splicers.abilities import Effect, Selection
from projector.games.splicers.dominance import unmet
from projector.games.splicers.rules.playing import in_hand
from projector.games.splicers.rules.preparing import named, not_all_in, number_drawn
from projector.games.splicers.rules.splicing import not_a_splicer
from projector.games.splicers.selecting import candidates, has_keyword
from projector.games.splicers.state import (
    Splicers,
    SplicersCard,
    name_of,
    place_of,
    tings_and_seeds,
    title_of,
    zone_of,
)
from projector.rules import NOT_AT_STAKE, Broken, CannotTell, Case, Rule, Test, Verdict, case, first_of, rule

# -- a card that was chosen --------------------------------------------------------------------------------------------


class Pick(msgspec.Struct, frozen=True, gc=False):
    """A card that a player chose for an effect of the card `source`."""

    table: Splicers
    player: str
    card: SplicersCard
    effect: Effect
    source: SplicersCard

    @property
    def title(self) -> str:
        """What the chosen card is called."""
        return title_of(self.card)


Judge = Callable[[Pick], Verdict]


def cards_chosen(event: Any, skip: int) -> tuple[str, ...]:
    """Give the cards that a line chooses for the effects; `skip` of its `cards` went into the cost."""
    target = (event.target,) if isinstance(event.target, str) else ()
    cards = getattr(event, "cards", UNSET)
    return target if cards is UNSET else (*target, *cards[skip:])


def judging(of: Rule, judge: Judge, effect: Effect, skip: int) -> Case:
    """Give the case of a rule that judges each card chosen for an effect."""

    def check(table: Splicers, event: Any) -> Verdict:
        names = cards_chosen(event, skip)
        source = table.card(event.card)
        for name in names:
            card = table.find(name)
            if card is None:
                return f"there is no card {name} on the table"
            verdict = judge(Pick(table, event.player, card, effect, source))
            if verdict is not None:
                return verdict
        return None if names else NOT_AT_STAKE

    return Case(of, check)


# -- selections --------------------------------------------------------------------------------------------------------

SEED_DEFINITION: Final = Rule(
    id="splicers.ting.seed-definition",
    section="Card Types: Ting",
    lines="L75.2",
    text="A face-down ting in play is a seed, not a ting.",
)
ENEMY: Final = Rule(
    id="splicers.kw.enemy", section="Keywords: Common", lines="L159.1", text="Enemy means: owned by the opponent."
)
FRIENDLY: Final = Rule(
    id="splicers.kw.friendly", section="Keywords: Common", lines="L160.1", text="Friendly means: owned by oneself."
)
CLOSE: Final = Rule(
    id="splicers.kw.close", section="Keywords: Common", lines="L157.1", text="Close means: in the same biom."
)
DISTANT: Final = Rule(
    id="splicers.kw.distant",
    section="Keywords: Common",
    lines="L158.1",
    text="Distant means: in play but not in the same biom.",
)
PROBE: Final = Rule(
    id="splicers.kw.probe",
    section="Keywords: Common",
    lines="L164.1",
    text="Probe lets the player look at a face-down or hidden card.",
)


def _is_no_splicer(pick: Pick) -> Verdict:
    if pick.card.zone.name == f"splicer:{pick.card.owner}":
        return f"{pick.title} is a splicer, neither ting nor seed"
    return None


def _is_in_place(pick: Pick) -> Verdict:
    noun = pick.effect.cards.noun if pick.effect.cards is not None else "ting"
    zone = pick.card.zone.name
    if noun in {"ting", "seed"}:
        return None if zone[:4] == "play" else f"{pick.title} does not lie at a biom"
    if noun == "mutation":
        return None if zone == "mutations" else f"{pick.title} lies under no host"
    if noun == "biom":
        return None if zone == "row" else f"{pick.title} is no biom of the row"
    if pick.effect.verb == "probe" or zone[:4] == "play" or zone in {"mutations", "season"}:
        return None
    return f"{pick.title} is not in play"


def _is_right_side_up(pick: Pick) -> Verdict:
    noun = pick.effect.cards.noun if pick.effect.cards is not None else ""
    if noun == "ting" and not pick.card.face_up:
        return f"{pick.title} is a seed, not a ting"
    return f"{pick.title} is face up and no seed" if noun == "seed" and pick.card.face_up else None


def _is_enemy(pick: Pick) -> Verdict:
    return f"{pick.title} is {name_of(pick.table, pick.player)}'s own" if pick.card.owner == pick.player else None


def _is_friendly(pick: Pick) -> Verdict:
    if pick.card.owner == pick.player:
        return None
    return f"{pick.title} belongs to {name_of(pick.table, pick.card.owner)}"


def _is_close(pick: Pick) -> Verdict:
    if place_of(pick.table, pick.card) == place_of(pick.table, pick.source):
        return None
    return f"{pick.title} is not at the biom of {title_of(pick.source)}"


def _is_distant(pick: Pick) -> Verdict:
    if place_of(pick.table, pick.card) != place_of(pick.table, pick.source):
        return None
    return f"{pick.title} is at the biom of {title_of(pick.source)}, not distant"


def _is_of_kind(pick: Pick) -> Verdict:
    wanted = pick.effect.cards
    if wanted is None:
        return None
    if wanted.type:
        if pick.card.text is None:
            return CannotTell(f"nobody knows the types of {pick.card.name}")
        if wanted.type not in pick.card.text.types:
            return f"{pick.title} is no {wanted.type}"
    if wanted.turned and pick.card.exhausted != (wanted.turned == "exhausted"):
        return f"{pick.title} is not {wanted.turned}"
    return None


def _is_hidden(pick: Pick) -> Verdict:
    if pick.card.face_up or pick.card.zone.seen_by == "all":
        return f"{pick.title} is open to everybody; there is nothing to probe"
    return None


# -- hunt, graze, revive -----------------------------------------------------------------------------------------------

HUNT: Final = Rule(
    id="splicers.kw.hunt",
    section="Keywords: Ting-related",
    lines="L171.1",
    text="Hunt devolves an animal in the same biom.",
)
HUNT_DOMINANCE: Final = Rule(
    id="splicers.kw.hunt-dominance",
    section="Keywords: Ting-related",
    lines="L171.1",
    text="The prey's dominance must not exceed the hunter's.",
)
EVADE: Final = Rule(
    id="splicers.kw.evade",
    section="Keywords: Ting-related",
    lines="L172.1",
    text="An animal with evade cannot be hunted.",
)
GRAZE: Final = Rule(
    id="splicers.kw.graze-target",
    section="Keywords: Ting-related",
    lines="L175.1",
    text="Graze exhausts a plant in the same biom.",
)
NOT_TWICE: Final = Rule(
    id="splicers.exhaust.not-twice",
    section="Misc. Rules: Exhausted cards",
    lines="L135.3",
    text="A card that is exhausted cannot be exhausted again.",
)
REVIVE: Final = Rule(
    id="splicers.kw.revive",
    section="Keywords: Common",
    lines="L165.1",
    text="Revive brings a discarded card back to the hand.",
)


def _is_close_ting(pick: Pick, kind: str) -> Verdict:
    card = pick.card
    place = place_of(pick.table, pick.source)
    if card.zone.name[:4] != "play" or card.place != place or not card.face_up:
        return f"{pick.title} is no ting at the biom of {title_of(pick.source)}"
    if card.text is None:
        return CannotTell(f"nobody knows the types of {card.name}")
    return None if kind in card.text.types else f"{pick.title} is no {kind}"


def _is_prey(pick: Pick) -> Verdict:
    if pick.card is pick.source:
        return f"{pick.title} hunts itself"
    if pick.table.options["hunt_owner"] == "enemy_only" and pick.card.owner == pick.player:
        return f"{pick.title} is {name_of(pick.table, pick.player)}'s own"
    return _is_close_ting(pick, "Animal")


def _does_not_evade(pick: Pick) -> Verdict:
    return f"{pick.title} evades" if has_keyword(pick.table, pick.card, "evade") else None


def _is_weaker(pick: Pick) -> Verdict:
    prey, hunter = (_dominance(pick.table, card) for card in (pick.card, pick.source))
    if prey is None or hunter is None or prey <= hunter:
        return None
    return Broken(f"{pick.title} has dominance {prey}, {title_of(pick.source)} only {hunter}", f"at most {hunter}")


def _dominance(table: Splicers, card: SplicersCard) -> int | None:
    if table.options["hunt_dominance"] == "printed":
        return card.text.dominance if card.text is not None else None
    return card.worth


def _is_plant(pick: Pick) -> Verdict:
    if pick.table.options["graze_owner"] == "friendly_only" and pick.card.owner != pick.player:
        return f"{pick.title} belongs to {name_of(pick.table, pick.card.owner)}"
    return _is_close_ting(pick, "Plant")


def _is_unexhausted(pick: Pick) -> Verdict:
    if pick.card.exhausted:
        return f"{pick.title} is exhausted already"
    return f"{pick.title} is exhausted by its own ability" if pick.card is pick.source else None


# -- what has to be chosen ---------------------------------------------------------------------------------------------


@rule(
    "splicers.ability.effect",
    "Misc. Rules: Abilities",
    "L132.4",
    "With its cost paid, what stands behind the colon happens, completely and at once.",
)
def ability_effect(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """An ability's draw is made by its player, with as many cards as printed or as there are."""
    awaited = table.awaited
    name = name_of(table, event.player)
    if awaited is None:
        return f"{name} draws for an ability although none says so"
    if awaited.player != event.player:
        return Broken(f"{name} draws for an ability of {name_of(table, awaited.player)}", awaited.player)
    number = number_drawn(event)
    if number == awaited.count:
        return None
    return Broken(f"{name} draws {number} card(s) for the ability", str(awaited.count))


@rule("splicers.event.ability-on-reveal", "Card Types: Event", "L95.5", "Its abilities happen at the reveal.")
def ability_on_reveal(table: Splicers, event: ev.EventRevealed) -> Verdict:
    """An event that asks for no choice simply happens."""
    return None


def possible(table: Splicers, player: str, effect: Effect, source: SplicersCard) -> list[str]:
    """Give what may be chosen for an effect: names of cards, or bioms for roam."""
    if effect.verb == "roam":
        card = table.card(source.host) if source.host else source
        return [place for place in table.row if place != card.place and not unmet(table, card, place)]
    if effect.verb in {"revive", "discard"}:
        return [card.name for card in zone_of(table, _PILES[effect.verb], player).cards]
    if effect.verb in _TESTS:
        picks = [Pick(table, player, card, effect, source) for card in tings_and_seeds(table)]
        return [pick.card.name for pick in picks if all(judge(pick) is None for _, judge in _TESTS[effect.verb])]
    wanted = effect.cards or Selection(noun="ting")
    return [card.name for card in candidates(table, wanted, player, source)]


_PILES: Final = {"revive": "discard", "discard": "hand"}
_TESTS: Final[dict[str, tuple[tuple[Rule, Judge], ...]]] = {
    "hunt": ((HUNT, _is_prey), (EVADE, _does_not_evade), (HUNT_DOMINANCE, _is_weaker)),
    "graze": ((GRAZE, _is_plant), (NOT_TWICE, _is_unexhausted)),
}


def _choice_made(of: Rule, effect: Effect, skip: int) -> Case:
    """Give the case that a choice is made where there is one, and for as many cards as the text says."""

    def check(table: Splicers, event: Any) -> Verdict:
        names = cards_chosen(event, skip) if effect.verb != "roam" else (event.to,) * isinstance(event.to, str)
        wanted = effect.cards.quantity if effect.cards is not None else effect.number or 1
        source = table.card(event.card)
        if len(names) > wanted:
            return Broken(f"{len(names)} are chosen for {effect.verb}", f"{wanted}")
        if len(names) == wanted:
            return None
        left = [name for name in possible(table, event.player, effect, source) if name not in names]
        if left and not (effect.verb == "hunt" or effect.may or (effect.cards is not None and effect.cards.upto)):
            could = ", ".join([named(table, name) for name in left])
            return Broken(f"{title_of(source)}: nothing is chosen for {effect.verb}", f"one of {could}")
        if not left and not names and of is ability_effect and table.options["noop_ability"] == "forbidden":
            return f"{title_of(source)} is used although there is nothing to choose for {effect.verb}"
        return None

    return Case(of, check)


@case(REVIVE)
def revived_lie_in_pile(table: Splicers, event: ev.AbilityUsed) -> Verdict:
    """What is revived are different cards of the own discard pile."""
    if event.cards is UNSET or not event.cards:
        return NOT_AT_STAKE
    wrong = not_all_in(table, event.cards, zone_of(table, "discard", event.player))
    return f"{wrong} is not in the discard pile of {name_of(table, event.player)}" if wrong else None


@rule("splicers.kw.roam", "Keywords: Ting-related", "L177.1", "Roam moves the card to another biom if that is allowed.")
def roam(table: Splicers, event: ev.AbilityUsed) -> Verdict:
    """The card moves to another biom of the row."""
    if not isinstance(event.to, str):
        return NOT_AT_STAKE
    if event.to not in table.bioms:
        return Broken(f"there is no biom {event.to} in the row", ", ".join(table.row))
    card = table.card(event.card)
    return f"{title_of(card)} is at that biom already" if place_of(table, card) == event.to else None


@rule(
    "splicers.req.roam-blocked",
    "Misc. Rules: Requirements",
    "L143.4",
    "Roam may not go to a biom where a requirement would be unmet.",
)
def roam_blocked(table: Splicers, event: ev.AbilityUsed) -> Verdict:
    """The requirements are met where the card roams to."""
    if not isinstance(event.to, str):
        return NOT_AT_STAKE
    card = table.card(event.card)
    return unmet(table, table.card(card.host) if card.host else card, event.to) or None


# -- all tests of an effect --------------------------------------------------------------------------------------------


def tests_of(effect: Effect, skip: int, *, revealed: bool) -> tuple[Test, ...]:
    """Give the tests of what is chosen for an effect; `revealed`: an event is turned over."""
    choice = _choice_made(ability_on_reveal if revealed else ability_effect, effect, skip)
    if effect.verb == "roam":
        return first_of(roam, roam_blocked), choice
    if effect.verb == "revive":
        return (first_of(revived_lie_in_pile, choice),)
    if effect.verb in _TESTS:
        judges = [judging(of, judge, effect, skip) for of, judge in _TESTS[effect.verb]]
        return first_of(*judges), choice
    if effect.cards is None:
        return (choice,)
    return first_of(*_selection_tests(effect.cards, effect, skip)), choice


def _selection_tests(wanted: Selection, effect: Effect, skip: int) -> list[Case]:
    """Give the tests of a selection, in order; only what the text asks for is looked at."""
    found: list[tuple[Rule, Judge]] = [(not_a_splicer, _is_no_splicer), (in_hand, _is_in_place)]
    if wanted.noun in {"ting", "seed"}:
        found.append((SEED_DEFINITION, _is_right_side_up))
    if wanted.whose:
        found.append((ENEMY, _is_enemy) if wanted.whose == "enemy" else (FRIENDLY, _is_friendly))
    if wanted.near:
        found.append((CLOSE, _is_close) if wanted.near == "close" else (DISTANT, _is_distant))
    if wanted.type or wanted.turned:
        found.append((ability_effect, _is_of_kind))
    if effect.verb == "probe":
        found.append((PROBE, _is_hidden))
    return [judging(of, judge, effect, skip) for of, judge in found]
