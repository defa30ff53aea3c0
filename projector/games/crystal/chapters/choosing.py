"""Anatomy of a card (L90): what a card asks for as it is played, an opponent, a lane or a card."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

from msgspec import UNSET

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary import Event, fields_of
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.games.crystal import board, effects
from tabletape.projector.games.crystal.abilities import LANES, TOKENS, TRIGGERS, Effect, ParsedText, verb
from tabletape.projector.games.crystal.chapters import ANATOMY, WRITTEN, phases
from tabletape.projector.games.crystal.chapters.setup import known_list
from tabletape.projector.games.crystal.schema import CrystalText
from tabletape.projector.games.crystal.state import DEPLOY, LANE, Crystal, CrystalCard, CrystalPlayer, lane_meant
from tabletape.projector.kit import common_rules, mismatches
from tabletape.projector.kit.adopting import surplus
from tabletape.projector.kit.consequence import by_rulings, consequence, follows
from tabletape.projector.model.amounts import joined
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Rule, Undecidable, Verdict

AFTER_PAYMENT: Final = WRITTEN["crystal.cost.after-payment"]
WORDS: Final = {"lane": LANES, "token": tuple(TOKENS)}
"""What a line may say in these fields; another word may be one of these in another language."""
CARD_FIELDS: Final = ("card", "cards", "target", "source")
"""The fields of lines that name cards."""
NO_CHOICE: Final[dict[str, Any]] = {}
"""No choice: the card asks for nothing, or leaves it."""


def printed(table: Crystal, event: ev.CardDeployed) -> CrystalText | None:
    """Return what is printed on the card that is played, None where nobody knows it."""
    card = table.find(event.card)
    return None if card is None else card.text


@ANATOMY.rule("crystal.ability.as-written", "L90.3")
def as_written(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """Abilities do what the card says; targets fit."""
    text = printed(table, event)
    if text is None:
        return NOT_APPLICABLE
    return uncheckable(text) if text.manual else next(_complaints(table, event, text), None)


ONCE: Final = WRITTEN["crystal.ability.once"]


def uncheckable(text: CrystalText) -> Undecidable:
    """Return the verdict on whatever may come from a card that only people can carry out, reported once."""
    message = f'{text.name} is a card that nobody can check ("{text.manual}"); what follows may come from it'
    return Undecidable(message, once=True)


def _complaints(table: Crystal, event: ev.CardDeployed, text: CrystalText) -> Iterator[Verdict]:
    """Yield what is chosen wrongly: everything that the text asks for has to be, to fit, and nothing else.

    For an effect whose condition does not hold nothing has to be chosen, and nothing comes of what is.
    """
    says, title = text.says, text.name
    happens = effects.happening(table, table.players[event.player], says.when_played)
    if not says.asks_opponent:
        if event.opponent is not UNSET:
            yield f"{title} is played against {name_of(table, event.opponent)}, but its text names no opponent"
    elif any(effect.who == "opponent" for effect in happens):
        yield from _about_opponent(table, event, title)
    if event.target_lane is UNSET:
        if says.asks_lane in happens:
            yield Broken(f"{title} does not say which lane of the opponent it means", joined(LANES, "or"))
    elif says.asks_lane is None:
        yield f"{title} names the lane {event.target_lane}, but asks for none"
    asks = says.asks_target
    if (asks is None or asks.verb != "move") and event.to_lane is not UNSET:
        yield f"{title} moves a card to {event.to_lane}, but says nothing of moving"
    if asks in happens:
        yield from _about_target(table, event, asks, title)
    elif event.target is not UNSET:
        yield _for_nothing(table, event, table.called(event.target), text)


def _for_nothing(table: Crystal, event: ev.CardDeployed, target: str, text: CrystalText) -> Verdict:
    """A card is chosen for a text that does nothing to one, or not now."""
    aimed, asks = f"{text.name} is aimed at {target}, but does nothing to a card", text.says.asks_target
    why = "" if asks is None else f" now: {name_of(table, event.player)} has no {asks.condition} token on a lane"
    return Broken(aimed + why, "", "info") if why else aimed


def _about_opponent(table: Crystal, event: ev.CardDeployed, title: str) -> Iterator[Verdict]:
    opponents = table.living_opponents(event.player)
    if event.opponent is not UNSET and event.opponent not in [other.id for other in opponents]:
        yield f"{title} is played against {name_of(table, event.opponent)}, who is no living opponent"
    elif effects.chosen_opponent(table, event.player, event) is None and opponents:
        there_are = joined((other.name for other in opponents), "or")
        yield Broken(f"{title} does not say which opponent it is played against", there_are)


def _about_target(table: Crystal, event: ev.CardDeployed, asks: Effect, title: str) -> Iterator[Verdict]:
    fitting = possible_targets(table, event.player, asks, event.opponent or "")
    if event.target is UNSET:
        if fitting and not asks.may:
            fits = joined((table.called(name) for name in fitting), "or")
            yield Broken(f"{title} has to {asks.verb} a card, but the line does not say which", fits)
        if event.to_lane is not UNSET:
            yield f"{title} moves a card to {event.to_lane}, but the line does not say which"
        return
    target = table.find(event.target)
    moves_itself = event.target == event.card and (asks.verb, asks.word) == ("move", "any")
    if not moves_itself and (target is None or target.name not in fitting):
        yield Broken(f"{table.called(event.target)} is no card that {title} may {asks.verb}", _what_fits(asks))
    elif asks.verb == "move":
        lane = lane_meant(event.lane) if moves_itself or target is None else target.lane
        if lane_meant(event.to_lane) in {UNSET, lane}:
            yield Broken(f"{title} leaves {table.called(event.target)} in its lane", "another own lane")


def _what_fits(asks: Effect) -> str:
    if asks.verb == "destroy":
        return f"a card of {asks.lane} {asks.n} or less in the {asks.lane} lane of the opponent"
    return "an own card deployed in an earlier round" if asks.word == "earlier" else "an own deployed card"


def possible_targets(table: Crystal, player: str, asks: Effect, opponent: str = "") -> list[str]:
    """Return the deployed cards that an effect may destroy or move; of one opponent, or of all of them.

    A card that nobody knows may be destroyed, whatever its value.
    """
    if asks.verb == "move":
        is_open = asks.word != "earlier"
        return [card.name for card in table.deployed(player) if is_open or card.since < table.round]
    others = [other.id for other in table.living_opponents(player) if not opponent or other.id == opponent]
    cards = (card for other in others for card in table.deployed(other, asks.lane))
    return [card.name for card in cards if card.text is None or card.text.values[LANE[asks.lane]] <= asks.n]


def choices(table: Crystal, player: CrystalPlayer, says: ParsedText) -> Iterator[dict[str, Any]]:
    """Yield every choice for what a card asks for, as fields of the line."""
    happens = effects.happening(table, player, says.when_played) if says.asks else ()
    asks_opponent = any(effect.who == "opponent" for effect in happens)
    asks_target = says.asks_target if says.asks_target in happens else None
    opponents = [other.id for other in table.living_opponents(player.id)] if asks_opponent else [""]
    for opponent in opponents:
        against = {"opponent": opponent} if opponent and len(opponents) > 1 else NO_CHOICE
        lanes = [{"target_lane": lane} for lane in LANES] if says.asks_lane in happens else [NO_CHOICE]
        for lane, target in product(lanes, _targets(table, player.id, asks_target, opponent)):
            yield {**against, **lane, **target}


def _targets(table: Crystal, player: str, asks: Effect | None, opponent: str) -> list[dict[str, Any]]:
    if asks is None:
        return [NO_CHOICE]
    names = possible_targets(table, player, asks, opponent)
    if asks.verb == "destroy":
        return [{"target": name} for name in names] or [NO_CHOICE]
    moves = [{"target": name, "to_lane": lane} for name in names for lane in LANES if lane != table.cards[name].lane]
    return [*moves, NO_CHOICE] if asks.may else moves or [NO_CHOICE]


OfSupply = ev.CrystalsGained | ev.CrystalsLost | ev.HitpointsGained | ev.DamageTaken
OfAbility = OfSupply | ev.PowerRaised | ev.PreventionAdded | ev.TokenPlaced | ev.CardDestroyed | ev.CardMoved
"""What the ability of a card does, to a supply or in a lane."""


def why_no_ability(table: Crystal, event: OfAbility) -> str | tuple[Rule, str]:
    """Return why no ability does what a line says of its source, and the rule behind that where it was not its time."""
    source = table.find(event.source)
    if source is None or source.text is None:
        return f"no card on the table is called {event.source}"
    title, word, says = table.called(source.name), verb.made_by[type(event)], source.text.says
    moments = [trigger for trigger in TRIGGERS if word in [effect.verb for effect in says.on(trigger)]]
    if not moments:
        says = f"says only: {source.text.text}" if source.text.text else "has no text"
        return f"{title} does nothing of the kind, it {says}"
    if not source.since:
        return f"{title} has not been played"
    is_early = source.since == table.round and "start-of-next-round" in moments
    return phases.START_ABILITIES if is_early else ONCE, _why_not_now(table, source, moments[0])


def _why_not_now(table: Crystal, source: CrystalCard, when: str) -> str:
    """Return why a card that was played does now nothing of what it does at some moment."""
    title = table.called(source.name)
    if when in phases.THIS_TURN and table.options["turn_word"] == "deploy_turn":
        return f"the turn in which {title} was played is over, {by_ruling(table, 'turn_word')}"
    if source.since == table.round:
        return f"{title} does so once, {TRIGGERS[when]}; that is not now, or is done already"
    if when == "start-of-next-round" and source.since == table.round - 1 and table.phase == DEPLOY:
        return f"what {title} does at the start of round {table.round} is done already"
    return f"{title} was played in round {source.since}, an ability happens once, and this is round {table.round}"


# -- what nobody can tell ----------------------------------------------------------------------------------------------


def doubt(table: Crystal, rule: Rule, event: Event) -> RuleVerdict | None:
    """Return the verdict that it is open whether a line breaks a rule; None where the log can tell."""
    rests_on = rule.rests_on
    if rests_on in {"", "cards", "printed"}:
        unknown = unknown_cards(filter(None, map(card_of, common_rules.names_in(event, CARD_FIELDS))), table.library)
        if unknown:
            return RuleVerdict(known_list, Undecidable(unknown, once=True))
    if (
        rests_on in {"printed", "nothing"}
        or (rests_on == "living" and not table.over and all(player.living for player in table.players.values()))
        or (rests_on == "lately" and table.round > table.unchecked_round + 1)
    ):
        return None
    unchecked = unchecked_card(table, event)
    return None if unchecked is None else RuleVerdict(as_written, unchecked)


def unchecked_card(table: Crystal, event: Event | None = None) -> Undecidable | None:
    """Return the verdict that a card in play, or just being played, is uncheckable; None without one."""
    name = table.uncheckable or (event.card if isinstance(event, ev.CardDeployed) else "")
    card = table.find(name)
    if card is not None and card.text is not None and card.text.manual:
        return uncheckable(card.text)
    if not table.uncheckable:
        return None
    unseen = f"nobody knew which card {name} is as it was played"
    nameless = f"no card file has {name}, and it is in play" if card is None or card.text is None else ""
    which = unseen if is_unseen(name) else nameless or f"{name} was played with a lane that nobody knows"
    return Undecidable(f"{which}; what follows may come from it", once=True)


# -- what is written of it ---------------------------------------------------------------------------------------------


def strange_word(event: Event) -> Undecidable | None:
    """Return the question which lane or token a line means by a word that names none."""
    said = ((field, lane_meant(getattr(event, field, UNSET))) for field in WORDS)
    return next((asked_of(field, word) for field, word in said if word is not UNSET and word not in WORDS[field]), None)


def asked_of(field: str, word: str) -> Undecidable:
    """Return the question which word is meant by one that is none of a field's."""
    return Undecidable(f"no {field} is called {word}: is it {joined(WORDS[field], 'or')}?")


def rule_of_ability(table: Crystal, event: OfAbility, expected: OfAbility | None) -> Rule | RuleVerdict:
    """Return the rule about what an ability does, another amount or card; that it was not its time the reason says."""
    if (asked := strange_word(event)) is not None:
        return RuleVerdict(as_written, asked)
    if expected is not None:
        names = [field.name for field in fields_of(type(event))]
        differing = [name for name in names if getattr(event, name) not in (UNSET, getattr(expected, name))]
        if differing == ["lane"] and lane_meant(getattr(event, "lane", "")) == getattr(expected, "lane", ""):
            return RuleVerdict(as_written, None)  # it calls the lane otherwise, and says the same
    is_at_start = mismatches.rule_behind(table, expected) == phases.START_ABILITIES.id
    return phases.START_ABILITIES if is_at_start else as_written


@by_rulings
def _behind_damage(table: Crystal, _expected: ev.DamageTaken) -> Iterator[str]:
    decided = {"prevention_reach": "any_damage", "mining_prevention": "ability_damage"}
    return (key for key, option in decided.items() if table.options[key] == option)


ABILITY_RULES: Final[dict[str, Any]] = {"rule": rule_of_ability, "why": why_no_ability}
GAINED_LINES: Final = follows(ev.CrystalsGained, ev.HitpointsGained, adopt=board.adopt_totals(1), **ABILITY_RULES)
LOST: Final = follows(ev.CrystalsLost, adopt=board.adopt_totals(-1), **ABILITY_RULES)
DAMAGE_LINE: Final = follows(ev.DamageTaken, adopt=board.adopt_totals(-1), behind=_behind_damage, **ABILITY_RULES)


def _acts_now(table: Crystal, source: str) -> bool:
    """Return whether a card was deployed in this round, so that what it does now holds until the end of it."""
    card = table.find(source)
    return card is not None and card.since == table.round


@consequence(ev.PowerRaised, **ABILITY_RULES)
def adopt_raised(table: Crystal, event: ev.PowerRaised, expected: ev.PowerRaised | None) -> None:
    """Raise the power by as much as is written."""
    if event.lane in LANE and _acts_now(table, event.source):
        board.raise_power(table, table.players[event.player], event.lane, surplus(event, expected, "amount"))


@consequence(ev.PreventionAdded, **ABILITY_RULES)
def adopt_prevention(table: Crystal, event: ev.PreventionAdded, expected: ev.PreventionAdded | None) -> None:
    """Prevent as much as is written."""
    if _acts_now(table, event.source):
        board.prevent(table, table.players[event.player], surplus(event, expected, "amount"))


@consequence(ev.CardDestroyed, **ABILITY_RULES)
def adopt_destroyed(table: Crystal, event: ev.CardDestroyed, _expected: object) -> None:
    """Put away the card that is written."""
    card = table.find(event.card)
    if card is not None and card.lane:
        board.put_away(table, card)


@consequence(ev.CardMoved, **ABILITY_RULES)
def adopt_moved(table: Crystal, event: ev.CardMoved, _expected: object) -> None:
    """Move a card to the lane that is written."""
    card = table.find(event.card)
    if card is not None and card.lane and event.lane in LANE:
        board.enter(table, card, card.zone.owner, event.lane)
