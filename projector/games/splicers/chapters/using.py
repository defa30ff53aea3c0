"""Active abilities: who may use which one and when, what it costs, what follows, and what of it is offered."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Any

from msgspec import UNSET

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.splicers import board, selecting
from tabletape.projector.games.splicers.abilities import Active, Effect
from tabletape.projector.games.splicers.chapters import ABILITIES, answering, choosing
from tabletape.projector.games.splicers.chapters.cards import in_hand, named_hand
from tabletape.projector.games.splicers.chapters.choosing import ability_effect, possible
from tabletape.projector.games.splicers.chapters.picking import is_unexhausted
from tabletape.projector.games.splicers.chapters.turns import act, may_act, none_left, out_of_turn
from tabletape.projector.games.splicers.effects import carry_out, to_discard_pile
from tabletape.projector.games.splicers.naming import all_in, called, not_named, title
from tabletape.projector.games.splicers.state import ACTION, Doing, Splicers, SplicersCard, actions_left, in_play
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import Judgement, Rule, all_passed, group_check
from tabletape.projector.model.verdicts import AllPassed, Broken, Undecidable, Verdict


@ABILITIES.rule("splicers.ability.own-turn", "L132.5", rests_on="nothing")
def own_turn(table: Splicers, event: ev.AbilityUsed) -> Verdict:
    """Active abilities are used only in the own turn of the action phase."""
    if table.active == event.player and table.phase == ACTION:
        return None
    return out_of_turn(table, event, "uses an ability")


def uses_well(table: Splicers, event: ev.AbilityUsed) -> AllPassed | None:
    """Return what is kept where a ready card uses an ability that it has, and all that is chosen fits."""
    card = table.cards.get(event.card)
    if card is None:
        return None
    line = selecting.active_line(table, card, event.ability)
    if line is not None and may_act(table, event.player) and _is_ready(table, card, line, event):
        if not line.choosing or choosing.is_valid_choice(table, event, card, line.choosing):
            return kept_by(line)
        if choosing.is_nothing_to_choose(table, event, card, line.choosing):
            return kept_by(line, ability_effect)
    return None


def judge_ability(table: Splicers, event: ev.AbilityUsed) -> Sequence[Judgement]:
    """Check the use of an ability: who uses which card, then its line, its cost and what is chosen."""
    card = table.find(event.card)
    judged: list[Judgement] = [(own_turn, own_turn.check(table, event))]
    if card is None:
        return [*judged, (in_hand, f"there is no card {called(table, event.card)} on the table")]
    line, verdict = selecting.active_line(table, card, event.ability), face_up.check(table, event, card)
    judged += [(own_cards, own_cards.check(table, event, card)), (face_up, verdict)]
    if verdict is not None:
        return judged
    judged.append((colon, None if line is not None else colon.check(table, event, card)))
    return judged if line is None else judged + _judge_line(table, event, card, line)


def _is_ready(table: Splicers, card: SplicersCard, line: Active, event: ev.AbilityUsed) -> bool:
    """Return whether this is an open own card that pays for the ability by being exhausted, or with nothing."""
    if card.owner != event.player or card.host or not card.face_up or not in_play(card):
        return False
    if card.zone.name == "row" and table.options["biom_ability_user"] != "owner":
        return False
    if table.evolved_in[1] and _has_just_evolved(table, card):
        return False
    if line.costs_more or event.shown is not UNSET:
        return False
    return not card.exhausted or not (line.exhausts or _is_too_exhausted(table, card, line))


@lru_cache(maxsize=4096)
def kept_by(line: Active, without: Rule | None = None) -> AllPassed:
    """Return what is to be said of an ability with which nothing is wrong; `without` cards to choose, by which rule."""
    of_choice = [of for effect in line.choosing for of in choosing.rules_of(effect)] if without is None else [without]
    cost = (is_unexhausted, cost_paid) if line.exhausts else (cost_paid,)
    return all_passed(own_turn, own_cards, face_up, colon, consumes_action, *cost, *of_choice)


def _judge_line(table: Splicers, event: ev.AbilityUsed, card: SplicersCard, line: Active) -> list[Judgement]:
    """Check what an ability costs and at what is chosen for it."""
    judged: list[Judgement] = []
    if table.active == event.player and table.phase == ACTION:
        judged.append((consumes_action, consumes_action.check(table, event)))
    if line.exhausts:
        judged.append((is_unexhausted, _can_be_exhausted(table, card)))
    judged.append((cost_paid, cost_paid.check(table, event, card, line)))
    if isinstance(event.shown, str):
        judged.append((answering.willpower_show, answering.willpower_show.check(table, event)))
    return judged + _judge_choices(table, event, card, line)


def _judge_choices(table: Splicers, event: ev.AbilityUsed, card: SplicersCard, line: Active) -> list[Judgement]:
    """Check what is chosen for each effect of a line, in order."""
    cards = () if event.cards is UNSET else event.cards[line.cards_paid :]
    names = (event.target, *cards) if isinstance(event.target, str) else cards
    to = event.to if isinstance(event.to, str) else ""
    judged: list[Judgement] = []
    for number, effect in enumerate(line.choosing, start=1):
        is_last = number == len(line.choosing)
        used = len(names) if is_last else selecting.taken(table, effect, names, event.player, card)
        choice = choosing.EffectChoice(table, event.player, card, effect, names[:used], to)
        judged += choosing.judge_choice(choice, ability_effect)
        names = names[used:]
    return judged


@ABILITIES.rule("splicers.ability.consumes-action", "L132.6", rests_on="play")
def consumes_action(table: Splicers, event: ev.AbilityUsed) -> Verdict:
    """Besides its cost an active ability uses one action."""
    return None if actions_left(table, event.player) > 0 else none_left(table, event)


@ABILITIES.rule("splicers.ability.own-cards", "L132.7")
def own_cards(table: Splicers, event: ev.AbilityUsed, card: SplicersCard) -> Verdict:
    """A player activates only abilities of own cards."""
    users = selecting.users_of(table, card)
    if event.player in users:
        return None
    names = " and ".join([name_of(table, user) for user in users]) or "nobody"
    if card.zone.name == "row" and table.options["biom_ability_user"] == "dominator":
        dominated = f"is dominated by {names} and used by its dominator {by_ruling(table, 'biom_ability_user')}"
        return Broken(f"{title(table, card)} {dominated}", names)
    return Broken(f"{title(table, card)} belongs to {names}, not to {name_of(table, event.player)}", names)


@ABILITIES.rule("splicers.ability.face-up-in-play", "L132.8", rests_on="cards")
def face_up(table: Splicers, _event: ev.AbilityUsed, card: SplicersCard) -> Verdict:
    """Abilities work only while the card is face up in play."""
    if not in_play(card):
        return f"{title(table, card)} is not in play"
    if not card.face_up:
        return f"{title(table, card)} lies face down"
    if not _has_just_evolved(table, card):
        return None
    ruling = by_ruling(table, "evolve_then_use")
    return f"{title(table, card)} has evolved in this turn and cannot use an ability {ruling}"


def _has_just_evolved(table: Splicers, card: SplicersCard) -> bool:
    """Return whether a ting has evolved in this turn, so that it may use nothing (ruling `evolve_then_use`)."""
    when, names = table.evolved_in
    return when == table.turn and card.name in names


@ABILITIES.rule("splicers.ability.colon", "L132.3", rests_on="cards")
def colon(table: Splicers, event: ev.AbilityUsed, card: SplicersCard) -> Verdict:
    """An active ability is written as cost, colon, effect."""
    if card.text is None:
        lacks = f"has no ability {event.ability!r}"
        return not_named(card.name, lambda text: None if event.ability in text.says.active else f"{text.name} {lacks}")
    if card.text.manual:
        return Undecidable(f"{card.text.name} does what only people can tell: {card.text.manual}", once=True)
    has = " or ".join(repr(line) for line in card.text.says.active)
    if selecting.is_in_own_words(table, card, event.ability):
        meant = selecting.line_meant(table, card, event.ability)
        as_what = f"is taken for {meant.line!r}" if meant else f"may be any of {has}"
        return Undecidable(f"{event.ability!r} is no ability as {card.text.name} has it printed; it {as_what}")
    return Broken(f"{card.text.name} has no ability {event.ability!r}", has)


def _can_be_exhausted(table: Splicers, card: SplicersCard) -> Verdict:
    """A card that is exhausted as a cost was not exhausted, nor was its host."""
    if card.exhausted:
        return f"{title(table, card)} is exhausted already"
    if card.host and table.card(card.host).exhausted:
        return f"{title(table, table.card(card.host))}, the host of {title(table, card)}, is exhausted already"
    return None


@ABILITIES.rule("splicers.ability.cost-paid", "L132.4", rests_on="cards")
def cost_paid(table: Splicers, event: ev.AbilityUsed, card: SplicersCard, line: Active) -> Verdict:
    """The cost before the colon must be paid or no effect happens."""
    if line.willpower and event.shown is UNSET:
        return _shows_nothing(table, event)
    if event.shown is not UNSET and not line.willpower:
        return "a ting is shown, but the cost does not ask for one"
    if card.tokens < line.tokens:
        has = f"{title(table, card)} has {how_many(card.tokens, 'token')}"
        return Broken(f"{has}, the cost is {line.tokens}", how_many(line.tokens, "token"))
    if _is_too_exhausted(table, card, line):
        ruling = by_ruling(table, "activation_cost_other")
        return f"{title(table, card)} is exhausted and cannot use an ability {ruling}"
    if line.roam and not isinstance(event.to, str):
        return "the cost is to roam, but no biom is named"
    return _cards_paid(table, event, line) if line.discard or line.extinguish else None


def _shows_nothing(table: Splicers, event: ev.AbilityUsed) -> Verdict:
    """A ting is shown for willpower, unless there is none in the hand (ruling `willpower_no_ting`)."""
    if table.options["willpower_no_ting"] == "illegal":
        return "no ting is shown for willpower"
    tings = answering.tings_in_hand(table, event.player)
    return f"no ting is shown for willpower although {title(table, tings[0])} is in the hand" if tings else None


def _is_too_exhausted(table: Splicers, card: SplicersCard, line: Active) -> bool:
    """Return whether an exhausted card may not use an ability that does not exhaust it (ruling)."""
    return card.exhausted and not line.exhausts and table.options["activation_cost_other"] == "forbidden"


def _cards_paid(table: Splicers, event: ev.AbilityUsed, line: Active) -> Verdict:
    cards = () if event.cards is UNSET else event.cards
    if len(cards) < line.cards_paid:
        return Broken(f"{how_many(len(cards), 'card')} named for a cost of {line.cards_paid}", str(line.cards_paid))
    return all_in(table, cards[: line.discard], zone_of(table, "hand", event.player))


def _pay(table: Splicers, event: ev.AbilityUsed, card: SplicersCard, line: Active) -> None:
    """Pay what else is printed before the colon."""
    listed = () if event.cards is UNSET else event.cards
    if line.tokens:
        board.change_tokens(table, card, -line.tokens, "splicers.ability.cost-paid")
    if line.roam and isinstance(event.to, str):
        board.relocate(table, card, event.to)
    for name in listed[: line.discard]:
        to_discard_pile(table, table.take(name, zone_of(table, "hand", event.player)))
    for name in listed[line.discard : line.cards_paid]:
        board.discard(table, table.card(name), "extinguish", "splicers.kw.extinguish")


def offer_abilities(table: Splicers, player: str) -> Iterator[Event]:
    """Yield each legal use of each ability."""
    if actions_left(table, player) <= 0:
        return
    for card in table.cards.values():
        if card.face_up and card.text is not None and in_play(card) and player in selecting.users_of(table, card):
            for line in {each.line: each for each in selecting.lines_of(table, card)}.values():
                yield from _uses(table, player, card, line)


@move(ev.AbilityUsed, group_check(judge_ability, uses_well), offers=offer_abilities)
def ability_used(table: Splicers, event: ev.AbilityUsed) -> None:
    """Pay the cost of an ability and put its effects on the agenda, or wait for the answer to willpower."""
    player = event.player
    act(table, player, 1)
    card = table.card(event.card)
    if card.zone.name[:7] == "splicer":
        table.applied.append("splicers.splicer.always-in-play")
    line = selecting.line_meant(table, card, event.ability)
    if line is None:
        if selecting.is_in_own_words(table, card, event.ability):
            table.set(table, "unclear", event.ability)
        return
    if line.exhausts:
        if card.host:
            board.exhaust(table, table.card(card.host), "splicers.mutation.exhaust-cost-both")
        else:
            board.exhaust(table, card, "splicers.exhaust.at-symbol")
    cards, target, to = event.cards, event.target, event.to
    choices = () if cards is UNSET else cards
    if line.costs_more:
        _pay(table, event, card, line)
        choices = choices[line.cards_paid :]
    if isinstance(target, str):
        choices = (target, *choices)
    doing = Doing(player, card.name, line.effects, choices, to if isinstance(to, str) else "")
    if line.willpower:
        if isinstance(event.shown, str) or table.options["willpower_no_ting"] == "illegal":
            answering.ask_opponent(table, event, doing)
    else:
        carry_out(table, doing, card)


def _uses(table: Splicers, player: str, card: SplicersCard, line: Active) -> Iterator[Event]:
    """Return each legal use of an ability: every way to pay with every choice."""
    host = table.card(card.host) if card.host else card
    if _is_too_exhausted(table, card, line) or _has_just_evolved(table, card):
        return
    if (line.exhausts and (card.exhausted or host.exhausted)) or card.tokens < line.tokens:
        return
    ways = [_payments(table, player, card, line), *(_choices(table, player, card, each) for each in line.choosing)]
    for cost, *choices in product(*ways):
        fields: dict[str, Any] = dict(cost)
        for choice in choices:
            _add_choice(fields, choice)
        yield ev.AbilityUsed(player=player, card=card.name, ability=line.line, **fields)


def _add_choice(fields: dict[str, Any], choice: dict[str, Any]) -> None:
    """Put a choice into the fields of a line; where a target is named already the cards stand in `cards`."""
    more = choice.get("cards", ())
    if "target" in choice and "target" in fields:
        more = (choice["target"],) if choice["target"] is not None else ()
    else:
        fields.update({name: value for name, value in choice.items() if name != "cards"})
    if more or "cards" in choice:
        fields["cards"] = (*fields.get("cards", ()), *more)


def _payments(table: Splicers, player: str, card: SplicersCard, line: Active) -> list[dict[str, Any]]:
    """Return each way to pay what has to be chosen for the cost, as fields of the line."""
    payments: list[dict[str, Any]] = [{}]
    if line.willpower:
        payments = [{"shown": ting.name} for ting in answering.tings_in_hand(table, player)]
        if not payments and table.options["willpower_no_ting"] == "fails":
            payments = [{}]
    if line.roam:
        roam = Effect(verb="roam")
        payments = [{**each, "to": place} for each in payments for place in possible(table, player, roam, card)]
    if line.discard:
        names = [each.name for each in named_hand(table, player)]
        payments = [{**each, "cards": some} for each in payments for some in combinations(names, line.discard)]
    if line.extinguish is not None:
        victims = possible(table, player, Effect(verb="extinguish", cards=line.extinguish), card)
        some = list(combinations(victims, line.extinguish.quantity))
        payments = [{**each, "cards": (*each.get("cards", ()), *names)} for each in payments for names in some]
    return payments


def _choices(table: Splicers, player: str, card: SplicersCard, effect: Effect) -> list[dict[str, Any]]:
    """Return each choice for an effect, as fields of the line; an empty list where it may not be used."""
    options = possible(table, player, effect, card)
    if not options and table.options["noop_ability"] == "forbidden":
        return []
    if effect.verb == "roam":
        return [{"to": place} for place in options] or [{"to": None}]
    number = effect.quantity
    if number > 1 or effect.verb in {"revive", "discard"}:
        sizes = range(1, number + 1) if effect.cards is not None and effect.cards.upto else [min(number, len(options))]
        return [{"cards": some} for size in sizes for some in combinations(options, size)]
    free = effect.verb == "hunt" or effect.may or not options
    return [*({"target": name} for name in options), *([{"target": None}] if free else [])]
