"""The rules of evolving: a seed is turned face up."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from events.games import splicers as ev
from events.names import is_unseen
from projector.games.splicers.acting import evolve_cost
from projector.games.splicers.dominance import lacks
from projector.games.splicers.naming import called, not_in, title
from projector.games.splicers.rules import playing
from projector.games.splicers.rules.turns import TURNS, consume, may_act, who_may_act
from projector.games.splicers.schema import SplicersText
from projector.games.splicers.selecting import genes_of
from projector.games.splicers.state import ACTION, Splicers, SplicersCard
from projector.kit.seating import zone_of
from projector.model.phrases import by_ruling, name_of
from projector.model.rules import (
    NOT_APPLICABLE,
    AllPassed,
    Broken,
    Judgement,
    Undecidable,
    Verdict,
    all_passed,
    case,
    is_broken,
    judgement_of,
    rule,
)

EVOLVING: Final = "Misc. Rules: Evolving"


def judge_evolving(table: Splicers, event: ev.TingEvolved) -> Sequence[Judgement]:
    """Check a seed that evolves: who does it, the seed itself, and whether it is the card that the log says."""
    seed = table.find(event.card if event.was is UNSET else event.was)
    judged = [judgement_of(who_may_act(table, event), table, event)]
    judged += _judge_seed(table, event, seed)
    return [*judged, (playing.one_identity, playing.one_identity(table, event))]


def _is_ready(table: Splicers, seed: SplicersCard) -> bool:
    """Return whether this is an unexhausted seed that no text and no ruling keeps from evolving with one action."""
    if seed.place is None or seed.face_up or seed.exhausted or seed.text is None:
        return False
    if table.seeded_in[1] and is_new(table, seed):
        return False
    return seed.text.kind == "ting" and seed.text.says.evolves_freely and table.options["evolve_unmet_req"] != "illegal"


def _judge_seed(table: Splicers, event: ev.TingEvolved, seed: SplicersCard | None) -> list[Judgement]:
    """Check a seed that evolves: where it lies, whose it is, what it is, what it costs, what comes with it."""
    verdict = is_seed.check(table, event, seed)
    if seed is None or (verdict is not None and is_broken(verdict)):
        return [(is_seed, verdict)]
    text = playing.text_of(table, event.card)
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
        cost = evolve_cost(table, text)
        is_dear = cost > 1 and table.players[event.player].actions > 0
        judged.append((expensive, expensive.check(table, event, cost)) if is_dear else (consume, consume(table, event)))
    if event.mutations:
        judged += _judge_mutations(table, event)
    if table.options["evolve_unmet_req"] == "illegal" and text is not None:
        judged.append((must_hold, must_hold.check(table, event, seed, text)))
    return judged


@rule("splicers.evolve.unexhausted", EVOLVING, "L129.2", "Only an unexhausted seed may evolve.")
def unexhausted(table: Splicers, event: ev.TingEvolved, seed: SplicersCard) -> Verdict:
    """The seed is unexhausted (and was not laid down in this round, by ruling)."""
    if seed.exhausted:
        return f"{called(table, event.card)} is exhausted; only an unexhausted seed may evolve"
    if is_new(table, seed):
        ruling = by_ruling(table, "seed_unexhaust")
        return f"{called(table, event.card)} was laid down in this round and may evolve in the next one {ruling}"
    return None


def is_new(table: Splicers, seed: SplicersCard) -> bool:
    """Return whether a seed was laid down in this round, so that it has to wait (ruling `seed_unexhaust`)."""
    when, names = table.seeded_in
    return when == table.round and seed.name in names


@rule("splicers.ting.evolve-definition", "Card Types: Ting", "L75.3", "Turning a seed face up is called evolving.")
def is_seed(table: Splicers, event: ev.TingEvolved, seed: SplicersCard | None) -> Verdict:
    """What evolves lies face down at a biom."""
    if seed is not None and seed.place is not None:
        return f"{title(table, seed)} is face up already" if seed.face_up else None
    mine = table.zones[f"play:{event.player}"].cards
    if any(is_unseen(each.name) and not each.face_up for each in mine):
        return Undecidable(f"{called(table, event.card)} may be one of the seeds that the log does not name")
    return f"{called(table, event.card)} does not lie at a biom"


@rule("splicers.evolve.own-card", "Turn Structure", "L109.1 L129.1", "Players evolve their own seeds (inferred).")
def own_seed(table: Splicers, event: ev.TingEvolved, seed: SplicersCard) -> Verdict:
    """The seed belongs to the player."""
    if seed.owner == event.player:
        return None
    return f"{title(table, seed)} belongs to {name_of(table, seed.owner)}, not to {name_of(table, event.player)}"


@rule("splicers.evolve.ting-only", EVOLVING, "L129.1", "Nothing but a ting can evolve.")
def ting_only(table: Splicers, event: ev.TingEvolved) -> Verdict:
    """What is printed on the seed is a ting, as far as it is known."""
    return playing.of_kind(table, event.card, "ting")


@rule("splicers.kw.abomination", "Advanced Keywords", "L192.1", "An abomination cannot be evolved.")
def abomination(_table: Splicers, event: ev.TingEvolved, text: SplicersText | None) -> Verdict:
    """What is printed on the seed is no abomination, as far as it is known."""
    return playing.depends(event.card, text, _abominable)


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
    verdict = playing.depends(name, playing.text_of(table, name), _abominable)
    return (
        f"{verdict} nor enter face up {by_ruling(table, 'abomination_entry')}" if isinstance(verdict, str) else verdict
    )


@rule(
    "splicers.req.must-hold",
    "Misc. Rules: Requirements",
    "L143.2",
    "A ting may be in a biom only while its own and the biom's requirement are met.",
)
def must_hold(table: Splicers, event: ev.TingEvolved, seed: SplicersCard, text: SplicersText) -> Verdict:
    """A ting evolves only where its requirements are met (ruling `evolve_unmet_req`)."""
    genes = set(text.genes) | genes_of(table, seed)
    if table.options["mutation_genes_req"] == "count":
        for name in event.mutations or ():
            mutation = table.find(name)
            genes |= set(mutation.text.genes) if mutation is not None and mutation.text is not None else set()
    lacking = lacks(table, text, frozenset(genes), seed.place or "")
    return f"{lacking}; without it nothing evolves {by_ruling(table, 'evolve_unmet_req')}" if lacking else None


@case(must_hold)
def may_stay_there(table: Splicers, event: ev.JumperPlayed | ev.TingUpgraded) -> Verdict:
    """A ting enters face up only where its requirements are met (ruling `req_on_entry`)."""
    text = playing.text_of(table, event.card)
    if table.options["req_on_entry"] == "devolves" or text is None:
        return NOT_APPLICABLE
    old = table.find(event.discarded) if isinstance(event, ev.TingUpgraded) else None
    place = event.biom if isinstance(event, ev.JumperPlayed) else (old.place or "") if old is not None else ""
    lacking = lacks(table, text, frozenset(text.genes), place)
    return f"{lacking}; without it nothing enters {by_ruling(table, 'req_on_entry')}" if lacking else None


@rule(
    "splicers.kw.expensive", "Keywords: Ting-related", "L174.1", "An expensive card needs one extra action to evolve."
)
def expensive(table: Splicers, event: ev.TingEvolved, cost: int) -> Verdict:
    """There are as many actions as it costs; with no action left it is the other rule that is broken."""
    player = table.players[event.player]
    message = f"evolving {called(table, event.card)} uses {cost} actions, {player.name} has {player.actions}"
    return None if player.actions >= cost else Broken(message, f"{cost} actions")


def _judge_mutations(table: Splicers, event: ev.TingEvolved) -> list[Judgement]:
    """What is played with an evolving ting are mutations of the hand."""
    hand = zone_of(table, "hand", event.player)
    judged: list[Judgement] = []
    for name in event.mutations or ():
        judged.append((playing.in_hand, None if table.may_be_in(name, hand) else not_in(table, name, hand)))
        judged.append((playing.is_mutation, playing.of_kind(table, name, "mutation")))
    seed = table.find(event.card)
    number = len(event.mutations or ()) + (len(seed.mutations) if seed is not None else 0)
    if number > 1 and table.options["mutation_limit"] == "one_per_host":
        ruling = by_ruling(table, "mutation_limit")
        judged.append(
            (playing.is_mutation, f"{called(table, event.card)} would host {number} mutations, one is all {ruling}")
        )
    return judged


EVOLVED: Final = {of: all_passed(of, is_seed, own_seed, ting_only, unexhausted, consume) for of in TURNS}


def evolves_well(table: Splicers, event: ev.TingEvolved) -> AllPassed | None:
    """Return what is kept where an own seed evolves that no text and no ruling keeps from it."""
    if event.mutations is UNSET and event.was is UNSET:
        known = table.cards.get(event.card)
        of = may_act(table, event.player)
        if of is not None and known is not None and known.owner == event.player and _is_ready(table, known):
            return EVOLVED[of]
    return None
