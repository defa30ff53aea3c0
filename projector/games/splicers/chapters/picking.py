"""The rules about a card that was chosen for an effect: what it is, where it lies, whose it is, how it lies."""

from typing import Final

import msgspec

from tabletape.projector.games.splicers.abilities import Effect
from tabletape.projector.games.splicers.chapters import COMMON_KEYWORDS, EXHAUSTED_CARDS, TING_CARDS, TING_KEYWORDS
from tabletape.projector.games.splicers.chapters.cards import in_hand
from tabletape.projector.games.splicers.chapters.splicing import no_splicer
from tabletape.projector.games.splicers.naming import not_named, title
from tabletape.projector.games.splicers.selecting import has_keyword, is_itself, types_of
from tabletape.projector.games.splicers.state import Splicers, SplicersCard, place_of
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import Broken, Verdict, case


class Pick(msgspec.Struct, frozen=True, gc=False):
    """A card that a player chose for an effect of the card `source`."""

    player: str
    card: SplicersCard
    effect: Effect
    source: SplicersCard


@case(no_splicer)
def is_no_splicer(table: Splicers, pick: Pick) -> Verdict:
    """Return whether the card is no splicer."""
    is_splicer = pick.card.zone.name[:7] == "splicer"
    return f"{title(table, pick.card)} is a splicer, neither ting nor seed" if is_splicer else None


@case(in_hand)
def is_in_place(table: Splicers, pick: Pick) -> Verdict:
    """Return whether the card lies where a text of this kind can mean it."""
    noun = pick.effect.cards.noun if pick.effect.cards is not None else "ting"
    zone = pick.card.zone.name
    if zone == "season" and table.options["season_target"] == "never":
        ruling = by_ruling(table, "season_target")
        return f"{title(table, pick.card)} is an active season, which nothing is done to {ruling}"
    if noun in {"ting", "seed"}:
        return None if zone[:4] == "play" else f"{title(table, pick.card)} does not lie at a biom"
    if noun == "mutation":
        return None if zone == "mutations" else f"{title(table, pick.card)} lies under no host"
    if noun == "biom":
        return None if zone == "row" else f"{title(table, pick.card)} is no biom of the row"
    is_biom_meant = zone == "row" and table.options["biom_mods"] == "any_effect"
    if zone[:4] == "play" or zone in {"mutations", "season"} or is_biom_meant:
        return None
    return _may_be_probed(table, pick) if pick.effect.verb == "probe" else _is_elsewhere(table, pick)


def _is_elsewhere(table: Splicers, pick: Pick) -> str:
    """Return the words that what is chosen is a biom, which is not meant by ruling, or not in play."""
    if pick.card.zone.name != "row":
        return f"{title(table, pick.card)} is not in play"
    means = f"which only a text that names bioms means {by_ruling(table, 'biom_mods')}"
    return f"{title(table, pick.card)} is a biom, {means}"


def _may_be_probed(table: Splicers, pick: Pick) -> Verdict:
    """Return whether a hidden card may be probed that does not lie in play: one of a hand or a deck (ruling)."""
    if not pick.card.zone.role or table.options["probe_scope"] == "as_card_says":
        return None
    return f"{title(table, pick.card)} is not in play, and nothing else is probed {by_ruling(table, 'probe_scope')}"


@TING_CARDS.rule("splicers.ting.seed-definition", "L75.2", rests_on="cards")
def is_right_side_up(table: Splicers, pick: Pick) -> Verdict:
    """A face-down ting in play is a seed, not a ting."""
    noun = pick.effect.cards.noun if pick.effect.cards is not None else ""
    if noun == "ting" and not pick.card.face_up and table.options["seed_is_ting"] == "face_up_only":
        return f"{title(table, pick.card)} is a seed, not a ting"
    return f"{title(table, pick.card)} is face up and no seed" if noun == "seed" and pick.card.face_up else None


@COMMON_KEYWORDS.rule("splicers.kw.enemy", "L159.1")
def is_enemy(table: Splicers, pick: Pick) -> Verdict:
    """An enemy card is one that the opponent owns."""
    is_own = pick.card.owner == pick.player
    return f"{title(table, pick.card)} is {name_of(table, pick.player)}'s own" if is_own else None


@COMMON_KEYWORDS.rule("splicers.kw.friendly", "L160.1")
def is_friendly(table: Splicers, pick: Pick) -> Verdict:
    """A friendly card is one that one owns oneself."""
    if pick.card.owner == pick.player:
        return None
    return f"{title(table, pick.card)} belongs to {name_of(table, pick.card.owner)}"


@case(is_enemy)
def is_crunchable(table: Splicers, pick: Pick) -> Verdict:
    """Return whether the seed may be crunched, which has to be an enemy one by ruling."""
    if table.options["crunch_chooser"] == "any_seed":
        return None
    verdict = is_enemy(table, pick)
    return f"{verdict}, and only enemy seeds are crunched {by_ruling(table, 'crunch_chooser')}" if verdict else None


@COMMON_KEYWORDS.rule("splicers.kw.close", "L157.1", rests_on="cards")
def is_close(table: Splicers, pick: Pick) -> Verdict:
    """What is close is in the same biom."""
    if is_itself(table, pick.card, pick.source):
        return f"{title(table, pick.card)} is not close to itself {by_ruling(table, 'close_self')}"
    if place_of(table, pick.card) == place_of(table, pick.source):
        return None
    return f"{title(table, pick.card)} is not at the biom of {title(table, pick.source)}"


@COMMON_KEYWORDS.rule("splicers.kw.distant", "L158.1", rests_on="cards")
def is_distant(table: Splicers, pick: Pick) -> Verdict:
    """What is distant is in play, but not in the same biom."""
    if place_of(table, pick.card) != place_of(table, pick.source):
        return None
    if pick.card is pick.source:
        return f"{title(table, pick.card)} is not distant from itself"
    return f"{title(table, pick.card)} is at the biom of {title(table, pick.source)}, not distant"


def is_of_kind(table: Splicers, pick: Pick) -> Verdict:
    """Return whether the card has the type that the text asks for, and is turned as it says."""
    wanted = pick.effect.cards
    if wanted is None:
        return None
    if wanted.type:
        if pick.card.text is None:
            return not_named(pick.card.name)
        if wanted.type not in types_of(table, pick.card):
            return f"{title(table, pick.card)} is no {wanted.type}"
    if wanted.turned and pick.card.exhausted != (wanted.turned == "exhausted"):
        return f"{title(table, pick.card)} is not {wanted.turned}"
    return None


@COMMON_KEYWORDS.rule("splicers.kw.probe", "L164.1", "Probe lets the player look at a face-down or hidden card.")
def is_hidden(table: Splicers, pick: Pick) -> Verdict:
    """Return whether there is something to probe."""
    is_open = pick.card.face_up or pick.card.zone.seen_by == "all"
    return f"{title(table, pick.card)} is open to everybody; there is nothing to probe" if is_open else None


TINGS_AND_SEEDS: Final = frozenset({"ting", "seed"})


def _is_close_ting(table: Splicers, pick: Pick, kind: str) -> Verdict:
    card = pick.card
    place = place_of(table, pick.source)
    if card.zone.name[:4] != "play" or card.place != place:
        return f"{title(table, pick.card)} is not at the biom of {title(table, pick.source)}"
    if not card.face_up:
        return f"{title(table, pick.card)} is a seed; {pick.effect.verb} needs a ting, which is face up"
    if card.text is None:
        return not_named(card.name)
    return None if kind in types_of(table, card) else f"{title(table, pick.card)} is no {kind}"


@TING_KEYWORDS.rule("splicers.kw.hunt", "L171.1", rests_on="cards")
def is_prey(table: Splicers, pick: Pick) -> Verdict:
    """Hunt devolves an animal in the same biom."""
    if pick.card is pick.source and table.options["hunt_self"] == "forbidden":
        return f"{title(table, pick.card)} hunts itself {by_ruling(table, 'hunt_self')}"
    if table.options["hunt_owner"] == "enemy_only" and pick.card.owner == pick.player:
        return f"{is_enemy(table, pick)}, and only enemies are hunted {by_ruling(table, 'hunt_owner')}"
    return _is_close_ting(table, pick, "Animal")


@TING_KEYWORDS.rule("splicers.kw.evade", "L172.1")
def does_not_evade(table: Splicers, pick: Pick) -> Verdict:
    """An animal with evade cannot be hunted."""
    evades = has_keyword(table, pick.card, "evade")
    return f"{title(table, pick.card)} evades, so it cannot be hunted" if evades else None


@TING_KEYWORDS.rule("splicers.kw.hunt-dominance", "L171.1", rests_on="cards")
def is_weaker(table: Splicers, pick: Pick) -> Verdict:
    """The prey's dominance must not exceed the hunter's."""
    prey, hunter = (_dominance(table, card) for card in (pick.card, pick.source))
    if prey is None or hunter is None or prey <= hunter:
        return None
    has = f"{title(table, pick.card)} has dominance {prey}"
    return Broken(f"{has}, {title(table, pick.source)} only {hunter}", f"at most {hunter}")


def _dominance(table: Splicers, card: SplicersCard) -> int | None:
    if table.options["hunt_dominance"] == "printed":
        return card.text.dominance if card.text is not None else None
    return card.worth


@TING_KEYWORDS.rule("splicers.kw.graze-target", "L175.1", rests_on="cards")
def is_plant(table: Splicers, pick: Pick) -> Verdict:
    """Graze exhausts a plant in the same biom."""
    if table.options["graze_owner"] == "friendly_only" and pick.card.owner != pick.player:
        return f"{is_friendly(table, pick)}, and only own plants are grazed {by_ruling(table, 'graze_owner')}"
    if is_itself(table, pick.card, pick.source):
        return is_close(table, pick)
    return _is_close_ting(table, pick, "Plant")


@EXHAUSTED_CARDS.rule("splicers.exhaust.not-twice", "L135.3", rests_on="cards")
def is_unexhausted(table: Splicers, pick: Pick) -> Verdict:
    """A card that is exhausted cannot be exhausted again."""
    if pick.effect.verb == "graze" and table.options["graze_exhausted"] == "allowed":
        return None
    if pick.card.exhausted:
        return f"{title(table, pick.card)} is exhausted already"
    if pick.effect.source_is_exhausted and pick.card.name in {pick.source.name, pick.source.host}:
        return f"{title(table, pick.card)} is exhausted by its own ability"
    return None
