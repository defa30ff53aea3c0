"""Evolving: a seed is turned face up."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import is_unseen
from tabletape.projector.games.splicers import board, dominance, rounds
from tabletape.projector.games.splicers.chapters import (
    ADVANCED_KEYWORDS,
    EVOLVING,
    REQUIREMENTS,
    TING_CARDS,
    TING_KEYWORDS,
    TURN_STRUCTURE,
    WRITTEN,
    cards,
)
from tabletape.projector.games.splicers.chapters.playing import is_mutation, remember
from tabletape.projector.games.splicers.chapters.turns import TURNS, act, consume, may_act, who_may_act
from tabletape.projector.games.splicers.naming import called, not_in, title
from tabletape.projector.games.splicers.schema import SplicersText
from tabletape.projector.games.splicers.selecting import genes_of, has_keyword
from tabletape.projector.games.splicers.state import ACTION, Splicers, SplicersCard, actions_left, tings_and_seeds
from tabletape.projector.kit.adopting import as_written
from tabletape.projector.kit.consequence import consequence
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import Judgement, all_passed, case, group_check, judgement_of
from tabletape.projector.model.verdicts import NOT_APPLICABLE, AllPassed, Broken, Undecidable, Verdict, is_broken


def judge_evolving(table: Splicers, event: ev.TingEvolved) -> Sequence[Judgement]:
    """Check a seed that evolves: who does it, the seed itself, and whether it is the card that the log says."""
    seed = table.find(event.card if event.was is UNSET else event.was)
    judged = [judgement_of(who_may_act(table, event), table, event)]
    judged += _judge_seed(table, event, seed)
    return [*judged, (cards.one_identity, cards.one_identity(table, event))]


def _is_ready(table: Splicers, seed: SplicersCard) -> bool:
    """Return whether this is an unexhausted seed that no text and no ruling keeps from evolving with one action."""
    if seed.place is None or seed.face_up or seed.exhausted or seed.text is None:
        return False
    if table.seeded_in[1] and _is_new(table, seed):
        return False
    return seed.text.kind == "ting" and seed.text.says.evolves_freely and table.options["evolve_unmet_req"] != "illegal"


def _judge_seed(table: Splicers, event: ev.TingEvolved, seed: SplicersCard | None) -> list[Judgement]:
    """Check a seed that evolves: where it lies, whose it is, what it is, what it costs, what comes with it."""
    verdict = is_seed.check(table, event, seed)
    if seed is None or (verdict is not None and is_broken(verdict)):
        return [(is_seed, verdict)]
    text = cards.text_of(table, event.card)
    judged: list[Judgement] = [(is_seed, verdict), (own_seed, own_seed.check(table, event, seed))]
    verdict = ting_only.check(table, event)
    judged.append((ting_only, verdict))
    if verdict is not None and is_broken(verdict):
        return judged
    judged.append((unexhausted, unexhausted.check(table, event, seed)))
    may_be = text is None or "abomination" in text.says.keywords
    if may_be and table.options["abilities_outside_play"] == "keyword_exceptions":
        judged.append((abomination, abomination.check(table, event, text)))
    if table.active == event.player and table.phase == ACTION:
        cost = _evolve_cost(table, text)
        is_dear = cost > 1 and table.players[event.player].actions > 0
        judged.append((expensive, expensive.check(table, event, cost)) if is_dear else (consume, consume(table, event)))
    if event.mutations:
        judged += _judge_mutations(table, event)
    if table.options["evolve_unmet_req"] == "illegal" and text is not None:
        judged.append((must_hold, must_hold.check(table, event, seed, text)))
    return judged


@EVOLVING.rule("splicers.evolve.unexhausted", "L129.2", rests_on="cards")
def unexhausted(table: Splicers, event: ev.TingEvolved, seed: SplicersCard) -> Verdict:
    """Only an unexhausted seed may evolve."""
    if seed.exhausted:
        return f"{called(table, event.card)} is exhausted; only an unexhausted seed may evolve"
    if _is_new(table, seed):
        ruling = by_ruling(table, "seed_unexhaust")
        return f"{called(table, event.card)} was laid down in this round and may evolve in the next one {ruling}"
    return None


def _is_new(table: Splicers, seed: SplicersCard) -> bool:
    """Return whether a seed was laid down in this round, so that it has to wait (ruling `seed_unexhaust`)."""
    when, names = table.seeded_in
    return when == table.round and seed.name in names


@TING_CARDS.rule("splicers.ting.evolve-definition", "L75.3", rests_on="cards")
def is_seed(table: Splicers, event: ev.TingEvolved, seed: SplicersCard | None) -> Verdict:
    """Turning a seed face up is called evolving."""
    if seed is not None and seed.place is not None:
        return f"{title(table, seed)} is face up already" if seed.face_up else None
    mine = table.zones[f"play:{event.player}"].cards
    if any(is_unseen(each.name) and not each.face_up for each in mine):
        return Undecidable(f"{called(table, event.card)} may be one of the seeds that the log does not name")
    return f"{called(table, event.card)} does not lie at a biom"


@TURN_STRUCTURE.rule("splicers.evolve.own-card", "L109.1 L129.1")
def own_seed(table: Splicers, event: ev.TingEvolved, seed: SplicersCard) -> Verdict:
    """Players evolve their own seeds (inferred)."""
    if seed.owner == event.player:
        return None
    return f"{title(table, seed)} belongs to {name_of(table, seed.owner)}, not to {name_of(table, event.player)}"


@EVOLVING.rule("splicers.evolve.ting-only", "L129.1")
def ting_only(table: Splicers, event: ev.TingEvolved) -> Verdict:
    """Nothing but a ting can evolve."""
    return cards.of_kind(table, event.card, "ting")


@ADVANCED_KEYWORDS.rule("splicers.kw.abomination", "L192.1")
def abomination(_table: Splicers, event: ev.TingEvolved, text: SplicersText | None) -> Verdict:
    """An abomination cannot be evolved."""
    return cards.depends(event.card, text, _abominable)


def _abominable(text: SplicersText) -> str | None:
    return f"{text.name} is an abomination, which cannot evolve" if "abomination" in text.says.keywords else None


@case(abomination)
def no_abomination(table: Splicers, event: ev.JumperPlayed | ev.TingUpgraded | ev.TingReplaced) -> Verdict:
    """What enters face up is no abomination, where none ever does (ruling `abomination_entry`)."""
    if table.options["abomination_entry"] == "other_ways_allowed":
        return NOT_APPLICABLE
    name = event.replacement if isinstance(event, ev.TingReplaced) else event.card
    if name is None:
        return NOT_APPLICABLE
    verdict = cards.depends(name, cards.text_of(table, name), _abominable)
    if not isinstance(verdict, str):
        return verdict
    return f"{verdict} nor enter face up {by_ruling(table, 'abomination_entry')}"


@REQUIREMENTS.rule("splicers.req.must-hold", "L143.2", rests_on="cards")
def must_hold(table: Splicers, event: ev.TingEvolved, seed: SplicersCard, text: SplicersText) -> Verdict:
    """A ting may be in a biom only while its own and the biom's requirement are met."""
    genes = set(text.genes) | genes_of(table, seed)
    if table.options["mutation_genes_req"] == "count":
        for name in event.mutations or ():
            mutation = table.find(name)
            genes |= set(mutation.text.genes) if mutation is not None and mutation.text is not None else set()
    lacking = dominance.lacks(table, text, frozenset(genes), seed.place or "")
    return f"{lacking}; without it nothing evolves {by_ruling(table, 'evolve_unmet_req')}" if lacking else None


@TING_KEYWORDS.rule("splicers.kw.expensive", "L174.1", rests_on="cards")
def expensive(table: Splicers, event: ev.TingEvolved, cost: int) -> Verdict:
    """An expensive card needs one extra action to evolve."""
    player = table.players[event.player]
    message = f"evolving {called(table, event.card)} uses {cost} actions, {player.name} has {player.actions}"
    return None if player.actions >= cost else Broken(message, f"{cost} actions")


def _judge_mutations(table: Splicers, event: ev.TingEvolved) -> list[Judgement]:
    """What is played with an evolving ting are mutations of the hand."""
    hand = zone_of(table, "hand", event.player)
    judged: list[Judgement] = []
    for name in event.mutations or ():
        judged.append((cards.in_hand, None if table.may_be_in(name, hand) else not_in(table, name, hand)))
        judged.append((is_mutation, cards.of_kind(table, name, "mutation")))
    seed = table.find(event.card)
    number = len(event.mutations or ()) + (len(seed.mutations) if seed is not None else 0)
    if number > 1 and table.options["mutation_limit"] == "one_per_host":
        ruling = by_ruling(table, "mutation_limit")
        judged.append((is_mutation, f"{called(table, event.card)} would host {number} mutations, one is all {ruling}"))
    return judged


EVOLUTION_KEPT: Final = {of: all_passed(of, is_seed, own_seed, ting_only, unexhausted, consume) for of in TURNS}


def evolves_well(table: Splicers, event: ev.TingEvolved) -> AllPassed | None:
    """Return what is kept where an own seed evolves that no text and no ruling keeps from it."""
    if event.mutations is UNSET and event.was is UNSET:
        player, known = event.player, table.cards.get(event.card)
        of = may_act(table, player)
        if of is not None and known is not None and known.owner == player and _is_ready(table, known):
            return EVOLUTION_KEPT[of]
    return None


REQUIREMENT: Final = WRITTEN["splicers.req.devolve"]


def _send_shockwave(table: Splicers, card: SplicersCard) -> None:
    """Exhaust the other tings at the biom of a card (only enemy ones or itself as well, by ruling)."""
    scope = table.options["shockwave_scope"]
    for other in tings_and_seeds(table):
        if other.place != card.place or not other.face_up or (other is card and scope != "including_itself"):
            continue
        if scope != "enemy_only" or other.owner != card.owner:
            board.exhaust(table, other, "splicers.kw.shockwave")


def _evolve_cost(table: Splicers, text: SplicersText | None) -> int:
    """Return the actions that evolving a card uses: one, and more if it is expensive."""
    if text is None or not text.says.expensive or table.options["abilities_outside_play"] == "strict":
        return 1
    return 1 + text.says.expensive


def came_evolved(table: Splicers, card: SplicersCard) -> None:
    """Treat a ting that has entered face up as one that evolves, where that counts as evolving (ruling)."""
    if table.options["upgrade_triggers"] == "not_evolving":
        return
    if has_keyword(table, card, "shockwave"):
        _send_shockwave(table, card)
    board.fire(table, "evolves", card)


def see_far(table: Splicers, card: SplicersCard) -> None:
    """Add one to a face-up ting with farsight until the round ends."""
    if card.face_up and has_keyword(table, card, "farsight"):
        board.change_dominance(table, card, 1, "splicers.kw.farsight")


def offer_evolving(table: Splicers, player: str) -> Iterator[Event]:
    """Yield each own seed that is ready, alone or with a hand mutation."""
    if actions_left(table, player) <= 0:
        return
    mutations = [card.name for card in cards.named_hand(table, player) if card.text.kind == "mutation"]
    for card in table.zones[f"play:{player}"].cards:
        if not (card.face_up or card.exhausted or card.text is None) and card.text.kind == "ting":
            yield ev.TingEvolved(player=player, card=card.name)
            for mutation in mutations:
                yield ev.TingEvolved(player=player, card=card.name, mutations=(mutation,))


@move(ev.TingEvolved, group_check(judge_evolving, evolves_well), offers=offer_evolving)
def ting_evolved(table: Splicers, event: ev.TingEvolved) -> None:
    """Turn a seed face up, with the mutations that are played with it."""
    card = table.card(event.card) if event.was is UNSET else board.recognise(table, event.was, event.card)
    text = card.text
    act(table, event.player, 1 if text is not None and text.says.evolves_freely else _evolve_cost(table, text))
    if card.place is None:
        return
    board.turn_up(table, card)
    for name in event.mutations or ():
        board.attach(table, table.take(name, zone_of(table, "hand", event.player)), card)
        table.applied.append("splicers.mutation.with-evolve")
    table.requirement_queue += (card,)
    table.applied.append("splicers.evolve.no-longer-seed")
    if table.options["evolve_mutation_timing"] == "short_window":
        table.set(table, "window", card.name)
    if table.options["evolve_then_use"] == "forbidden":
        remember(table, "evolved_in", table.turn, card)
    if table.options["evolve_order"] == "requirement_then_triggers":
        dominance.weigh_card(table, card)
        rounds.look_at_requirements(table)
    if card.face_up and has_keyword(table, card, "shockwave"):
        _send_shockwave(table, card)
    if table.event_by and table.options["farsight_window"] == "whole_round":
        see_far(table, card)
    if "evolves" in table.moments:
        board.fire(table, "evolves", card)
    dominance.weigh_card(table, card)


MUTATION_WITH_EVOLVE: Final = "splicers.mutation.with-evolve"
DEVOLVING_RULES: Final = cards.by_reason({"hunt": "splicers.kw.hunt-optional", "ability": "splicers.kw.devolve"})


def _behind_devolving(table: Splicers, event: ev.TingDevolved, expected: ev.TingDevolved | None) -> str:
    if event.reason == "requirement":
        return MUTATION_WITH_EVOLVE if MUTATION_WITH_EVOLVE in table.newly_applied else ""
    return DEVOLVING_RULES(table, event, expected)


@consequence(
    ev.TingDevolved,
    rule=lambda _table, event, _expected: REQUIREMENT if event.reason == "requirement" else cards.CONSEQUENCE,
    why=lambda _table, event: "its requirements are met" if event.reason == "requirement" else "",
    because=_behind_devolving,
)
@cards.adopts_card
def adopt_devolved(table: Splicers, card: SplicersCard, event: ev.TingDevolved, _expected: object) -> None:
    """Turn the ting face down, and discard its mutations."""
    if card.face_up and card.place is not None:
        with as_written(table, event):
            board.devolve(table, card, event.reason, board.HOST_GONE)
