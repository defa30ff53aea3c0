"""The rules of what may be chosen for an effect: the selections of card texts, hunt, graze, roam, revive, probe."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import UNSET

from events.games import splicers as ev
from projector.games.splicers.abilities import Effect, Selection
from projector.games.splicers.dominance import unmet
from projector.games.splicers.rules.declaring import declare
from projector.games.splicers.rules.naming import by_ruling, counted, named, title
from projector.games.splicers.rules.playing import in_hand
from projector.games.splicers.rules.preparing import not_all_in, number_drawn
from projector.games.splicers.rules.splicing import NOT_A_SPLICER
from projector.games.splicers.selecting import candidates, fits, has_keyword, is_itself
from projector.games.splicers.state import (
    Splicers,
    SplicersCard,
    name_of,
    place_of,
    tings_and_seeds,
    zone_of,
)
from projector.model.rules import NOT_APPLICABLE, Broken, Judgement, Rule, Undecidable, Verdict, is_broken, rule

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
        return title(self.table, self.card)


Judge = Callable[[Pick], Verdict]


class Choice(msgspec.Struct, frozen=True, gc=False):
    """What a line chooses for an effect of the card `source`: the cards `names`, or the biom `to`."""

    table: Splicers
    player: str
    source: SplicersCard
    effect: Effect
    names: tuple[str, ...]
    to: str = ""


# -- selections --------------------------------------------------------------------------------------------------------

SEED_DEFINITION: Final = declare(
    "ting.seed-definition", "Card Types: Ting", "L75.2", "A face-down ting in play is a seed, not a ting."
)
ENEMY: Final = declare("kw.enemy", "Keywords: Common", "L159.1", "Enemy means: owned by the opponent.")
FRIENDLY: Final = declare("kw.friendly", "Keywords: Common", "L160.1", "Friendly means: owned by oneself.")
CLOSE: Final = declare("kw.close", "Keywords: Common", "L157.1", "Close means: in the same biom.")
DISTANT: Final = declare("kw.distant", "Keywords: Common", "L158.1", "Distant means: in play but not in the same biom.")
PROBE: Final = declare(
    "kw.probe", "Keywords: Common", "L164.1", "Probe lets the player look at a face-down or hidden card."
)


def _is_no_splicer(pick: Pick) -> Verdict:
    if pick.card.zone.name[:7] == "splicer":
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
    if is_itself(pick.table, pick.card, pick.source):
        return f"{pick.title} is not close to itself {by_ruling(pick.table, 'close_self')}"
    if place_of(pick.table, pick.card) == place_of(pick.table, pick.source):
        return None
    return f"{pick.title} is not at the biom of {title(pick.table, pick.source)}"


def _is_distant(pick: Pick) -> Verdict:
    if place_of(pick.table, pick.card) != place_of(pick.table, pick.source):
        return None
    return f"{pick.title} is at the biom of {title(pick.table, pick.source)}, not distant"


def _is_of_kind(pick: Pick) -> Verdict:
    wanted = pick.effect.cards
    if wanted is None:
        return None
    if wanted.type:
        if pick.card.text is None:
            return Undecidable(f"nobody knows the types of {pick.card.name}")
        if wanted.type not in pick.card.text.types:
            return f"{pick.title} is no {wanted.type}"
    if wanted.turned and pick.card.exhausted != (wanted.turned == "exhausted"):
        return f"{pick.title} is not {wanted.turned}"
    return None


def _is_hidden(pick: Pick) -> Verdict:
    if pick.card.face_up or pick.card.zone.seen_by == "all":
        return f"{pick.title} is open to everybody; there is nothing to probe"
    return None


# -- hunt, graze, revive, roam ---------------------------------------------------------------------------------------

HUNT: Final = declare("kw.hunt", "Keywords: Ting-related", "L171.1", "Hunt devolves an animal in the same biom.")
HUNT_DOMINANCE: Final = declare(
    "kw.hunt-dominance", "Keywords: Ting-related", "L171.1", "The prey's dominance must not exceed the hunter's."
)
EVADE: Final = declare("kw.evade", "Keywords: Ting-related", "L172.1", "An animal with evade cannot be hunted.")
GRAZE: Final = declare(
    "kw.graze-target", "Keywords: Ting-related", "L175.1", "Graze exhausts a plant in the same biom."
)
NOT_TWICE: Final = declare(
    "exhaust.not-twice", "Misc. Rules: Exhausted cards", "L135.3", "A card that is exhausted cannot be exhausted again."
)
REVIVE: Final = declare("kw.revive", "Keywords: Common", "L165.1", "Revive brings a discarded card back to the hand.")


ROAM: Final = declare(
    "kw.roam", "Keywords: Ting-related", "L177.1", "Roam moves the card to another biom if that is allowed."
)
ROAM_BLOCKED: Final = declare(
    "req.roam-blocked",
    "Misc. Rules: Requirements",
    "L143.4",
    "Roam may not go to a biom where a requirement would be unmet.",
)
TINGS_AND_SEEDS: Final = frozenset({"ting", "seed"})


def _is_close_ting(pick: Pick, kind: str) -> Verdict:
    card = pick.card
    place = place_of(pick.table, pick.source)
    if card.zone.name[:4] != "play" or card.place != place:
        return f"{pick.title} is not at the biom of {title(pick.table, pick.source)}"
    if not card.face_up:
        return f"{pick.title} is a seed; {pick.effect.verb} needs a ting, which is face up"
    if card.text is None:
        return Undecidable(f"nobody knows the types of {card.name}")
    return None if kind in card.text.types else f"{pick.title} is no {kind}"


def _is_prey(pick: Pick) -> Verdict:
    if pick.card is pick.source:
        return f"{pick.title} hunts itself"
    if pick.table.options["hunt_owner"] == "enemy_only" and pick.card.owner == pick.player:
        return f"{_is_enemy(pick)}, and only enemies are hunted {by_ruling(pick.table, 'hunt_owner')}"
    return _is_close_ting(pick, "Animal")


def _does_not_evade(pick: Pick) -> Verdict:
    return f"{pick.title} evades" if has_keyword(pick.table, pick.card, "evade") else None


def _is_weaker(pick: Pick) -> Verdict:
    prey, hunter = (_dominance(pick.table, card) for card in (pick.card, pick.source))
    if prey is None or hunter is None or prey <= hunter:
        return None
    return Broken(
        f"{pick.title} has dominance {prey}, {title(pick.table, pick.source)} only {hunter}", f"at most {hunter}"
    )


def _dominance(table: Splicers, card: SplicersCard) -> int | None:
    if table.options["hunt_dominance"] == "printed":
        return card.text.dominance if card.text is not None else None
    return card.worth


def _is_plant(pick: Pick) -> Verdict:
    if pick.table.options["graze_owner"] == "friendly_only" and pick.card.owner != pick.player:
        return f"{_is_friendly(pick)}, and only own plants are grazed {by_ruling(pick.table, 'graze_owner')}"
    if is_itself(pick.table, pick.card, pick.source):
        return _is_close(pick)
    return _is_close_ting(pick, "Plant")


def _is_unexhausted(pick: Pick) -> Verdict:
    if pick.card.exhausted:
        return f"{pick.title} is exhausted already"
    if pick.effect.source_is_exhausted and pick.card.name in {pick.source.name, pick.source.host}:
        return f"{pick.title} is exhausted by its own ability"
    return None


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
        return f"{name} draws for an ability although no card that was used makes anybody draw now"
    if awaited.player != event.player:
        return Broken(
            f"{name} draws for an ability of {name_of(table, awaited.player)}", name_of(table, awaited.player)
        )
    number = number_drawn(event)
    if number == awaited.count:
        return None
    return Broken(
        f"{name} draws {counted(number, 'card')} for the ability, which is due {awaited.count}", str(awaited.count)
    )


@rule("splicers.event.ability-on-reveal", "Card Types: Event", "L95.5", "Its abilities happen at the reveal.")
def ability_on_reveal(table: Splicers, event: ev.EventRevealed) -> Verdict:
    """An event that asks for no choice simply happens."""
    return None


def possible(table: Splicers, player: str, effect: Effect, source: SplicersCard) -> list[str]:
    """Return what may be chosen for an effect: names of cards, or bioms for roam."""
    if effect.verb == "roam":
        card = table.card(source.host) if source.host else source
        return [place for place in table.row if place != card.place and not unmet(table, card, place)]
    if effect.verb in {"revive", "discard"}:
        return [card.name for card in zone_of(table, _PILES[effect.verb], player).cards]
    if effect.verb in _TESTS:  # which are about tings at the same biom
        here = place_of(table, source)
        close = [card for card in tings_and_seeds(table) if card.face_up and card.place == here]
        picks = [Pick(table, player, card, effect, source) for card in close]
        return [pick.card.name for pick in picks if all(judge(pick) is None for _, judge in _TESTS[effect.verb])]
    cards = candidates(table, effect.cards or Selection(noun="ting"), player, source)
    if effect.verb == "probe":
        cards = [card for card in cards if not (card.face_up or card.zone.seen_by == "all")]
    if effect.verb == "exhaust":
        cards = [card for card in cards if _is_unexhausted(Pick(table, player, card, effect, source)) is None]
    return [card.name for card in cards]


_PILES: Final = {"revive": "discard", "discard": "hand"}
_TESTS: Final[dict[str, tuple[tuple[Rule, Judge], ...]]] = {
    "hunt": ((HUNT, _is_prey), (EVADE, _does_not_evade), (HUNT_DOMINANCE, _is_weaker)),
    "graze": ((GRAZE, _is_plant), (NOT_TWICE, _is_unexhausted)),
}


# -- looking at a choice -----------------------------------------------------------------------------------------------


def judge_choice(choice: Choice, of: Rule) -> list[Judgement]:
    """Check what was chosen for an effect: at each card up to the first mistake, then whether enough was chosen.

    `of` is the rule that asks for a choice: that of abilities, or that of events.
    """
    verb = choice.effect.verb
    if verb == "revive":
        verdict = _revived(choice)
        return [(REVIVE, verdict)] if is_broken(verdict) else [(REVIVE, verdict), (of, _is_made(choice, of))]
    said = _judge_roaming(choice) if verb == "roam" else _judge_cards(choice)
    said.append((of, _is_made(choice, of)))
    return said


def is_valid_choice(table: Splicers, event: ev.AbilityUsed, source: SplicersCard, choosing: tuple[Effect, ...]) -> bool:
    """Return whether one biom or one card is chosen, and it is as the text says, so that nothing is wrong with it."""
    effect, player = choosing[0], event.player
    if len(choosing) > 1:
        return False
    if effect.verb == "roam":
        place = event.to if isinstance(event.to, str) else ""
        return place in table.bioms and place != source.place and not unmet(table, source, place)
    cards = event.cards
    name = event.target if cards is UNSET else cards[0] if len(cards) == 1 and event.target is UNSET else None
    card = table.cards.get(name) if isinstance(name, str) and effect.quantity == 1 else None
    if card is None or card.renamed_to:
        return False
    if effect.text_decides and effect.cards is not None:
        return fits(table, effect.cards, card, player, source)
    if effect.verb == "revive":
        return not_all_in(table, (card.name,), zone_of(table, "discard", player)) == ""
    pick = Pick(table, player, card, effect, source)
    return all(judge(pick) is None for _, judge in judges_of(effect))


def rules_of(effect: Effect) -> tuple[Rule, ...]:
    """Return the rules about what is chosen for an effect of an ability, where one biom or one card is chosen."""
    if effect.verb in _OWN_RULES:
        return (*_OWN_RULES[effect.verb], ability_effect)
    return (*(of for of, _ in judges_of(effect)), ability_effect)


_OWN_RULES: Final = {"roam": (ROAM, ROAM_BLOCKED), "revive": (REVIVE,)}


def _judge_cards(choice: Choice) -> list[Judgement]:
    table = choice.table
    said: list[Judgement] = []
    for name in choice.names:
        card = table.find(name)
        if card is None:
            return [*said, (in_hand, f"there is no card {named(table, name)} on the table")]
        pick = Pick(table, choice.player, card, choice.effect, choice.source)
        for of, judge in judges_of(choice.effect):
            verdict = judge(pick)
            said.append((of, verdict))
            if verdict is not None and is_broken(verdict):
                return said
    return said


@lru_cache(maxsize=4096)
def judges_of(effect: Effect) -> tuple[tuple[Rule, Judge], ...]:
    """Return what is looked at for a chosen card, in order; only what the text asks for."""
    wanted = effect.cards
    if wanted is None:
        return _TESTS.get(effect.verb, ())
    asked: list[tuple[Rule, Judge]] = [(NOT_A_SPLICER, _is_no_splicer), (in_hand, _is_in_place)]
    if wanted.noun in TINGS_AND_SEEDS:
        asked.append((SEED_DEFINITION, _is_right_side_up))
    if wanted.whose:
        asked.append((ENEMY, _is_enemy) if wanted.whose == "enemy" else (FRIENDLY, _is_friendly))
    if wanted.near:
        asked.append((CLOSE, _is_close) if wanted.near == "close" else (DISTANT, _is_distant))
    if wanted.type or wanted.turned:
        asked.append((ability_effect, _is_of_kind))
    if effect.verb == "probe":
        asked.append((PROBE, _is_hidden))
    if effect.verb == "exhaust":
        asked.append((NOT_TWICE, _is_unexhausted))
    return tuple(asked)


def _is_made(choice: Choice, of: Rule) -> Verdict:
    """Something is chosen where there is something, and as many cards as the text says."""
    effect = choice.effect
    wanted = effect.quantity or 1
    number = len(choice.names) if effect.verb != "roam" else int(choice.to != "")
    if number == wanted:
        return None
    name = title(choice.table, choice.source)
    if number > wanted:
        return Broken(f"{number} cards are chosen for {effect.verb} of {name}, not {wanted}", str(wanted))
    may = effect.verb == "hunt" or effect.may or (effect.cards is not None and effect.cards.upto)
    forbidden = of is ability_effect and not number and choice.table.options["noop_ability"] == "forbidden"
    if may and not forbidden:
        return None
    options = possible(choice.table, choice.player, effect, choice.source)
    left = [name for name in options if name not in choice.names]
    if left and not may:
        could = ", ".join([named(choice.table, name) for name in left])
        return Broken(f"nothing is chosen for {effect.verb} of {name}", f"one of {could}")
    if forbidden and not left:
        ruling = by_ruling(choice.table, "noop_ability")
        return f"{name} is used although there is nothing to choose for {effect.verb}, which is forbidden {ruling}"
    return None


def _revived(choice: Choice) -> Verdict:
    """What is revived are different cards of the own discard pile."""
    table = choice.table
    if not choice.names:
        return NOT_APPLICABLE
    wrong = not_all_in(table, choice.names, zone_of(table, "discard", choice.player))
    return f"{wrong} is not in the discard pile of {name_of(table, choice.player)}" if wrong else None


def _judge_roaming(choice: Choice) -> list[Judgement]:
    """Check where a card roams to: another biom of the row, and one where the requirements are met."""
    table, place = choice.table, choice.to
    if not place:
        return []
    if place not in table.bioms:
        return [(ROAM, Broken(f"there is no biom {place} in the row", ", ".join(table.row)))]
    card = table.card(choice.source.host) if choice.source.host else choice.source
    if card.place == place:
        return [(ROAM, f"{title(table, card)} is at that biom already")]
    return [(ROAM, None), (ROAM_BLOCKED, unmet(table, card, place) or None)]
