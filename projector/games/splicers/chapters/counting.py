"""The end of a round and of the game: the bioms are counted, and somebody has won or the next round begins."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import UNSET

from tabletape.events.games import splicers as ev
from tabletape.projector.games.splicers import dominance, rounds
from tabletape.projector.games.splicers.chapters import WRITTEN, answering
from tabletape.projector.games.splicers.chapters.cards import CONSEQUENCE
from tabletape.projector.games.splicers.chapters.drawing import unable_to_draw
from tabletape.projector.games.splicers.chapters.events import reveal_in_time
from tabletape.projector.games.splicers.chapters.turns import alternate, final_turn_first, has_final_turn
from tabletape.projector.games.splicers.naming import called, title
from tabletape.projector.games.splicers.selecting import dominated_by
from tabletape.projector.games.splicers.state import ACTION, END, OVER, START, Splicers, SplicersCard, tings_and_seeds
from tabletape.projector.kit.adopting import as_written
from tabletape.projector.kit.consequence import consequence, follows
from tabletape.projector.kit.ending import NOT_ENDED_REASONS, adopt_end, early_end_rules, early_ends
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Rule, Undecidable, Verdict, case, judgement_of

DOMINATED: Final = WRITTEN["splicers.biom.dominated"]
COUNTS: Final = WRITTEN["splicers.ting.face-up-counts"]


def round_counted(table: Splicers, event: ev.RoundCounted, expected: ev.RoundCounted | None) -> Rule | RuleVerdict:
    """Return the verdict on a count that is written down otherwise than it is derived, or before its time."""
    if expected is None:
        return _not_over(table, "is counted") or has_final_turn
    if event.round not in {UNSET, expected.round}:
        message = f"round {event.round} is counted, it is round {expected.round}"
        return RuleVerdict(CONSEQUENCE, Broken(message, f"round {expected.round}"))
    if wrong := _wrong_bioms(event, expected):
        broken = _wrong_dominated(table, wrong, expected)
        tings = [_without_requirement(table, biom) for biom, *_ in wrong]
        if all(tings):
            why = f"what {', '.join(tings)} there requires is not written down, and may count as well"
            return RuleVerdict(DOMINATED, Undecidable(f"{broken.message}; {why}"))
        return RuleVerdict(DOMINATED, broken, because=_why_not(table, wrong, expected))
    if off := _wrong_totals(event, expected):
        return RuleVerdict(COUNTS, _other_totals(table, off), because="splicers.seed.counts-one")
    return RuleVerdict(CONSEQUENCE, None)


def _not_over(table: Splicers, what: str) -> RuleVerdict | None:
    """Return what has to come before a round is over: the reveal of its event, or its final turn."""
    if table.phase == END and table.zones["event"].cards:
        lying = ", ".join([title(table, card) for card in table.zones["event"].cards])
        message = f"round {table.round} {what} although {lying} still lies face down"
        return RuleVerdict(reveal_in_time, Broken(message, "event.revealed"))
    at_stake = final_turn_first(table, None)
    return RuleVerdict(*judgement_of(at_stake, table, None)) if rounds.is_final_turn(table) else None


Wrong = tuple[str, str, str]
"""A biom, who dominates it by the log and who by the cards (empty for nobody)."""


def _wrong_bioms(event: ev.RoundCounted, expected: ev.RoundCounted) -> list[Wrong]:
    written = {biom: player for player, bioms in event.dominated.items() for biom in bioms}
    due = {biom: player for player, bioms in expected.dominated.items() for biom in bioms}
    both = [(biom, written.get(biom, ""), due.get(biom, "")) for biom in {**written, **due}]
    return [(biom, by_log, by_cards) for biom, by_log, by_cards in both if by_log != by_cards]


def _without_requirement(table: Splicers, place: str) -> str:
    """Name a ting at a biom that somebody has seen face up although nothing in the log meets its requirement."""
    tings = (each for each in tings_and_seeds(table) if each.place == place and each.face_up)
    return next((title(table, each) for each in tings if dominance.unmet(table, each, place)), "")


def _wrong_dominated(table: Splicers, wrong: Iterable[Wrong], expected: ev.RoundCounted) -> Broken:
    """Return which bioms are counted for whom, and whom they are to be counted for, with the totals there."""
    clauses = [
        f"{called(table, biom)} is counted for {_who(table, by_log)}, but {_who(table, player)} dominates it"
        f"{state_of_biom(table, biom, expected)}"
        for biom, by_log, player in wrong
    ]
    due = [f"{called(table, biom)}: {_who(table, player)}" for biom, _, player in wrong]
    return Broken("; ".join(clauses), "; ".join(due))


def _who(table: Splicers, player: str) -> str:
    return name_of(table, player) if player else "nobody"


def _totals(table: Splicers, biom: SplicersCard, counted: ev.RoundCounted | None) -> Sequence[int]:
    """Return the totals at a biom, in the order of the seats: those with which a round was counted, or those of now."""
    then = counted.totals if counted is not None and counted.totals is not UNSET else {}
    totals = then.get(biom.place or "", {})
    return [totals.get(who, now) for who, now in zip(table.seating, biom.totals, strict=True)]


def state_of_biom(table: Splicers, place: str, counted: ev.RoundCounted | None = None) -> str:
    """Return the value of a biom and the totals there, now or when a round was counted: ` (value 4; Ann 3, Ben 0)`."""
    biom = table.cards.get(table.bioms.get(place, ""))
    if biom is None or biom.text is None:
        return ""
    there = _totals(table, biom, counted)
    totals = ", ".join(f"{name_of(table, who)} {total}" for who, total in zip(table.seating, there, strict=True))
    is_close = biom.text.dominance in there
    ruling = f"; {by_ruling(table, 'domination_threshold')}" if is_close else ""
    return f" (value {biom.text.dominance}; {totals}{ruling})"


def _why_not(table: Splicers, wrong: Iterable[Wrong], counted: ev.RoundCounted) -> str:
    """Return the part of domination that a written dominator lacks: the value of the biom, or more than the other."""
    for place, player, _ in wrong:
        if place in table.bioms and player in table.players:
            biom = table.cards[table.bioms[place]]
            value = biom.text.dominance or 0 if biom.text is not None else 0
            mine = _totals(table, biom, counted)[table.players[player].seat]
            reached = mine > value or (mine == value and table.options["domination_threshold"] == "at_least")
            return "splicers.biom.beats-opponent" if reached else "splicers.biom.threshold"
    return ""


Off = tuple[str, str, int, int]
"""A biom, a player, the total that is written down and the one that the cards make."""


def _wrong_totals(event: ev.RoundCounted, expected: ev.RoundCounted) -> list[Off]:
    """Return the totals that are written down and are others than those of the cards; a log may name some of them."""
    if event.totals is UNSET or expected.totals is UNSET:
        return []
    due = expected.totals
    named_totals = [(biom, who, total) for biom, by in event.totals.items() for who, total in by.items()]
    both = [(biom, who, total, due.get(biom, {}).get(who, 0)) for biom, who, total in named_totals]
    return [each for each in both if each[2] != each[3]]


def _other_totals(table: Splicers, off: Iterable[Off]) -> Broken:
    counted = ", ".join(f"{name_of(table, who)} {total} at {called(table, biom)}" for biom, who, total, _ in off)
    due = ", ".join(f"{name_of(table, who)} {total} at {called(table, biom)}" for biom, who, _, total in off)
    return Broken(f"the totals are counted as {counted}; the cards there make {due}", due)


def round_started(table: Splicers, event: ev.RoundStarted, expected: ev.RoundStarted | None) -> Rule | RuleVerdict:
    """Return the rule that the beginning of a round breaks: its number, or its time."""
    if expected is not None or event.round <= table.round:
        return WRITTEN["splicers.turn.rounds-of-turns"]
    return _not_over(table, "ends") or has_final_turn


THREE_BIOMS: Final = WRITTEN["splicers.win.three-bioms"]
AT_ROUND_END: Final = WRITTEN["splicers.win.check-at-round-end"]
CONCESSION, ABANDONED = early_end_rules("splicers")


@case(CONCESSION)
def may_concede(table: Splicers, event: ev.PlayerConceded) -> Verdict:
    """Return whether a player may give up (ruling `concede`)."""
    if table.options["concede"] == "accepted":
        return NOT_APPLICABLE
    return f"{name_of(table, event.player)} gives up, which nobody may {by_ruling(table, 'concede')}"


def game_ended(table: Splicers, event: ev.GameEnded, _expected: Any) -> Rule:
    """Return the rule that a written end of the game breaks."""
    if event.reason == "domination":
        at_end = table.phase in {OVER, START} and not table.drew and not table.zones["event"].cards
        return THREE_BIOMS if at_end else AT_ROUND_END
    if event.reason in NOT_ENDED_REASONS:
        return CONCESSION if event.reason == "concession" else ABANDONED
    if not table.last_round:
        return unable_to_draw
    numbers = {len(dominated_by(table, player)) for player in table.players}
    if max(numbers) >= rounds.NEEDED_BIOMS and table.reason == "domination":
        return THREE_BIOMS
    return WRITTEN["splicers.end.final-most-bioms" if len(numbers) > 1 else "splicers.end.final-tie-printed-sum"]


def goes_on(table: Splicers, event: ev.GameEnded) -> str:
    """Return why the game does not end as a line says; empty where nothing can be said."""
    rule = game_ended(table, event, None)
    if rule is AT_ROUND_END:
        return "bioms are counted when the round ends"
    if rule is THREE_BIOMS and event.winner is not None:
        number = how_many(len(dominated_by(table, event.winner)), "biom")
        return f"{name_of(table, event.winner)} dominates {number}, and {rounds.NEEDED_BIOMS} are needed"
    return NOT_ENDED_REASONS.get(event.reason, "")


def _round_over(table: Splicers, event: ev.RoundCounted | ev.RoundStarted, expected: Any) -> None:
    """End a round of which the log does not have the final turn, or its end; the line stands for what that derives."""
    if expected is None and rounds.is_final_turn(table):
        with as_written(table, event):
            rounds.end_round(table)


def _counted_otherwise(table: Splicers, event: ev.RoundCounted, expected: ev.RoundCounted | None) -> None:
    """Take over the totals that are written: nobody knows which card counts otherwise.

    Where there are none, a biom counts as written where a ting lacks its requirement. A round that the log has not
    ended ends.
    """
    off = [] if expected is None else _wrong_totals(event, expected)
    for place, player, total, due in off:
        biom, who = table.cards.get(table.bioms.get(place, "")), table.players.get(player)
        if biom is not None and who is not None:
            dominance.adopt_total(table, biom, who.seat, biom.totals[who.seat] + total - due)
    for place, player, _ in () if expected is None or off else _wrong_bioms(event, expected):
        biom = table.cards.get(table.bioms.get(place, ""))
        if biom is not None and biom.text is not None and _without_requirement(table, place):
            value = biom.text.dominance or 0
            for each in table.players.values():
                total = value + 1 if each.id == player else min(biom.totals[each.seat], value - 1)
                dominance.adopt_total(table, biom, each.seat, total)
    _round_over(table, event, expected)


COUNTED_ROUND: Final = follows(
    ev.RoundCounted,
    rule=round_counted,
    why=lambda table, _event: f"round {table.round} is not over",
    adopt=_counted_otherwise,
)
ROUND_STARTED: Final = follows(
    ev.RoundStarted,
    rule=round_started,
    why=lambda table, _event: f"it is round {table.round}, which is not over",
    is_so=lambda table, event: event.round == table.round,
    adopt=_round_over,
)


@consequence(
    ev.TurnStarted,
    rule=alternate,
    why=lambda table, _event: f"{f'the turn of {name_of(table, table.active)}' if table.active else 'no turn'} is due",
    is_so=lambda table, event: event.player == table.active,
)
def adopt_turn(table: Splicers, event: ev.TurnStarted, _expected: object) -> None:
    """Begin the turn that is written."""
    if table.phase == ACTION and event.player in table.players and table.active != event.player:
        with as_written(table, event):
            table.begin_turn(event.player, alternate.id)


def _dominator(table: Splicers, event: ev.BiomRotated) -> str:
    name = table.bioms.get(event.biom, "")
    return table.cards[name].dominator if name else ""


ROTATED_BIOM: Final = follows(
    ev.BiomRotated,
    rule=WRITTEN["splicers.biom.rotate"],
    why=lambda table, event: f"{_who(table, _dominator(table, event))} dominates it",
    is_so=lambda table, event: (event.dominator or "") == _dominator(table, event),
    behind=lambda table, event, _expected: state_of_biom(table, event.biom),
)
GAME_ENDED: Final = follows(ev.GameEnded, rule=game_ended, why=goes_on, adopt=adopt_end(rounds.end_game))


def contradicted(table: Splicers, event: ev.BiomRotated | ev.RoundCounted | ev.RoundStarted, expected: Any) -> str:
    """Return the derived rule that a line contradicts which the rules do not make: about its card, or its kind."""
    if expected is not None or (isinstance(event, ev.TingDevolved) and event.reason == "requirement"):
        return ""
    name = getattr(event, "card", "")
    card = table.find(name) if name else None
    leaves = isinstance(event, ev.CardDiscarded | ev.CardReturned | ev.CardMouldered)
    if card is not None and card.zone.name == f"splicer:{card.owner}" and leaves:
        discarded = isinstance(event, ev.CardDiscarded)
        return "splicers.splicer.no-discard" if discarded else "splicers.splicer.always-in-play"
    if card is not None and card.zone.name == "season":
        return "splicers.kw.season"
    of_kind = [each.rule for each in table.derived if type(each.event) is type(event)]
    of_card = [each.rule for each in table.derived if name and getattr(each.event, "card", "") == name]
    if of_kind or of_card:
        return [*of_kind, *of_card][0]
    if not isinstance(event, answering.EFFECTS):
        return ""
    at_start = "splicers.round.end-effects" if table.phase == START else ""
    return "splicers.event.one-shot" if table.zones["event"].cards else at_start


MOVES: Final = early_ends(rounds.end_game, "splicers", may_concede)
