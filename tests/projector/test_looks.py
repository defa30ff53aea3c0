"""What bots see of decisions with every card that the grammar of a game allows, under the rulings that it touches."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

import pytest

from tabletape.events.games import duelyst as ev
from tabletape.projector.games import game
from tabletape.projector.games.duelyst import abilities as duelyst
from tabletape.projector.games.duelyst import board
from tabletape.projector.games.duelyst.schema import DuelystText, check_text
from tabletape.projector.games.duelyst.state import GENERAL
from tabletape.projector.games.duelyst.tiles import free_beside
from tabletape.projector.games.evolve import abilities as evolve
from tabletape.projector.games.evolve import changes
from tabletape.projector.games.evolve.schema import EvolveText
from tabletape.projector.games.evolve.selecting import limit_of
from tabletape.projector.games.evolve.state import MAIN, organisms
from tabletape.projector.kit.card_text import Patterns
from tabletape.projector.selfplay.simulate import Plan
from tabletape.projector.selfplay.trying import TryOut
from tests.projector.decisions import misjudged, tables_before_decisions

PIECE: Final = re.compile(r"\[([^\]]*)\]|\{(?:\w+:)?([^}]+?)(?: or \w+)?\}|([^\s\[{]+)")
WRITTEN: Final[dict[str, Sequence[str]]] = {
    "n": ("2",),
    "change": ("+2", "-2"),
    "changes": ("+2/+1", "-2/-9", "+1/-9", "-3/+2"),
    "card": ("ghost-wolf", "far-wolf"),
    "cards": ("all organism", "host", "self", "all enemy nonfood", "1 food", "all friendly organism"),
    "change of the host": (
        *("cannot be stressed", "cannot be removed by event"),
        *(
            f"{action} {resource} {n}"
            for action in evolve.ACTIONS
            for resource in ("energy", "dna")
            for n in ("+1", "-1")
        ),
    ),
}
"""How values are written whose kind is a function; those of other kinds are listed by the grammar."""


def written(pattern: str, patterns: Patterns, own: dict[str, Sequence[str]]) -> Iterator[str]:
    """Yield lines of a pattern in which each value of each kind occurs, and what may be left out both ways."""
    columns: list[Sequence[str]] = []
    for optional, kind, word in PIECE.findall(pattern):
        known: Any = patterns.kinds.get(kind)
        values = own.get(kind) or WRITTEN.get(kind) or known
        columns.append([word] if word else ["", *written(optional, patterns, own)] if optional else values)
    for place in range(max(map(len, columns))):
        yield " ".join(column[place % len(column)] for column in columns if column[place % len(column)])


def all_written(patterns: Patterns, own: dict[str, Sequence[str]] | None = None) -> list[str]:
    """Return lines of all patterns."""
    return [line for pattern in patterns for line in written(pattern, patterns, own or {})]


def busy_tables(slug: str, plan: Plan, first: int, least: int) -> Iterator[tuple[Any, str]]:
    """Yield the table of a game of bots from some decision on, as often as a player has so many to choose from."""
    one = game(slug)
    for table, player in islice(tables_before_decisions(one, plan), first, None):
        if len(one.legal(table, player)) >= least:
            yield table, player


# -- Duelyst -----------------------------------------------------------------------------------------------------------

TOUCHING: Final = {
    *("surrounded", "path", "summon_range", "while_building", "bond_by_effect", "pet_first_turn", "structure_buff"),
    *("token_graveyard", "both_generals_die", "artifact_damage", "empty_gambit", "dispelled_build", "globe_effect"),
}
"""The rulings that what a minion does when it is summoned, or a unit on its tile, may hang on."""


def duelyst_texts() -> list[DuelystText]:
    """Return a card for each verb, trigger and sign of the grammar, and a spell for each verb beside a teleport."""
    effects = all_written(duelyst.verb, {"cards": ("ghost-wolf", "ghost-wolf far-wolf")})
    once = [f"{trigger} golem" if trigger in duelyst.TRIBE_TRIGGERS else trigger for trigger in duelyst.ONCE]
    lines = [
        [_aimed(trigger, f"{effect}; buff general +2/+1")]
        for trigger in once
        for effect in (effects[::6] if trigger in WAITING else effects)
    ]
    lasting = [
        [f"{trigger} -> {line}"] for trigger, each in duelyst.LASTING_VERBS.items() for line in all_written(each)
    ]
    lines += lasting + [[word] for word in duelyst.KEYWORDS] + [[f"{word} 2"] for word in duelyst.NUMBERED_KEYWORDS]
    lines += [["opening-gambit -> destroy self", "dying-wish -> appear far-wolf"]] * 3
    lines += [["build 2", *each] for each in lasting]
    lines += [[_aimed("cast", f"teleport target 2; {effect}")] for effect in effects]
    lines += [["cast on enemy minion -> teleport target 3"], ["cast on friendly minion -> teleport target 3"]]
    return [text for number, each in enumerate(lines) if (text := _duelyst_text(f"c{number}", each)) is not None]


def _aimed(trigger: str, effect: str) -> str:
    return (
        f"{trigger} on minion -> {effect}"
        if " target" in effect and trigger in {"cast", *AIMING}
        else f"{trigger} -> {effect}"
    )


WAITING: Final = ("start-of-turn", "own-spell-cast", "deals-damage")
"""Triggers that no decision sets off which is looked at: a few effects are enough to see that."""
AIMING: Final = ("opening-gambit", "bond golem")


def _duelyst_text(name: str, lines: list[str]) -> DuelystText | None:
    """Return a card with these lines, or None where they could never do anything."""
    trigger = lines[-1].split()[0]
    kind = {"cast": "bloodbound-spell", "equipped": "artifact"}.get(trigger, "minion")
    try:
        text = DuelystText(id=name, name=name, kind=kind, tribe="golem", attack=1, health=2, abilities=tuple(lines))
        check_text(text)
    except ValueError:
        return None
    return text


def test_the_cards_of_duelyst_have_each_word_of_the_grammar() -> None:
    """No verb, trigger or keyword is left out because a card with it could not be written."""
    texts = duelyst_texts()
    said = {
        word
        for text in texts
        for trigger, effects in text.says.effects.items()
        for word in (trigger, *(each.verb for each in effects))
    }
    assert {*duelyst.ONCE, *duelyst.LASTING_TRIGGERS, *duelyst.verb.does} - said == set()
    assert {*duelyst.KEYWORDS} - {word for text in texts for word in text.says.keywords} == set()


def _give_duelyst(table: Any, player: str, text: DuelystText, *, wishes: bool) -> list[str]:
    """Put a card into the hand, onto the board or into use that says something; return the names of what may act."""
    for seat in table.players.values():
        table.update(seat, mana=9, bloodbound=1)
    general = table.general_of(player)
    assert general is not None
    if text.kind == "bloodbound-spell":
        general_text = DuelystText(id="g", name="g", kind=GENERAL, attack=2, health=25, bloodbound_spell=text.id)
        table.library = {**table.library, text.id: text}
        table.set(general, "text", general_text)
        return [general.name]
    if text.kind == "artifact":
        worn = table.make(f"{player}:{text.id}", table.worn[player])
        table.set(worn, "text", text)
        return [unit.name for unit in table.units if unit.owner == player]
    minions = [unit for unit in table.units if unit.text.kind != GENERAL]
    mine = [unit for unit in minions if unit.owner == player]
    hand = table.hands[player].cards[0]
    table.set(hand, "text", text)
    _says(table, mine[0], text)
    if wishes:
        for unit in minions:
            if unit is not mine[0]:
                _says(table, unit, WISHING)
    return [hand.name, mine[0].name, general.name]


WISHING: Final = DuelystText(
    id="w",
    name="w",
    kind="minion",
    health=1,
    abilities=("dying-wish -> summon far-wolf near general; buff general +2/+1",),
)


def _says(table: Any, unit: Any, text: DuelystText) -> None:
    board.forget(table, unit)
    table.update(unit, text=text, exhausted=False, moves=0, damage=0, dispelled=False, building=text.says.build)
    board.activate_text(table, unit)


FAR_WOLF: Final = DuelystText(
    id="far-wolf", name="far-wolf", kind="token", attack=1, health=1, abilities=("infiltrate -> attack +3",)
)


SHARES: Final = 11
"""Under each ruling one of so many cards is tried, in turn: under all rulings together each of them several times."""


def _rulings(slug: str, keys: set[str]) -> list[dict[str, str]]:
    rulings = {each.key: each for each in game(slug).rulebook.rulings}
    return [{key: option.name} for key in sorted(keys) for option in rulings[key].options]


@pytest.mark.parametrize(("share", "rulings"), [*enumerate(_rulings("duelyst", TOUCHING))], ids=str)
def test_what_is_seen_in_duelyst_holds_for_every_card(share: int, rulings: dict[str, str]) -> None:
    """Whatever a card says, no decision is worth more than is seen of it, or differs from one that looks alike."""
    one, texts = game("duelyst"), duelyst_texts()
    for table, player in busy_tables("duelyst", Plan(seed=5, rulings=rulings, limit=90), 40, 8):
        minions = [unit for unit in table.units if unit.text.kind != GENERAL]
        if len({unit.owner for unit in minions}) < 2 or not table.hands[player].cards:
            continue
        table.library = {**table.library, FAR_WOLF.id: FAR_WOLF}
        for number, text in islice(enumerate(texts), share % SHARES, None, SHARES):
            with TryOut(table):
                _crowd(table, player, minions, is_far=number % 4 > 1)
                names = _give_duelyst(table, player, text, wishes=number % 2 == 0)
                events = [each for each in one.legal(table, player) if _is_about(each, names)]
                assert misjudged(one, table, player, events) == [], (text.abilities, rulings)
        return
    pytest.fail("no table has minions of both players")


def _crowd(table: Any, player: str, minions: list[Any], *, is_far: bool) -> None:
    """Leave one free tile around the general, and put the first minion on it or onto the other half of the board."""
    general: Any = table.general_of(player)
    mine = next(unit for unit in minions if unit.owner == player)
    free = sorted(free_beside(table, general.place))
    for tile in free[2:]:
        board.create(table, board.next_name(table, player, "ghost-wolf"), tile)
    column = 6 if table.players[player].seat == 0 else 4
    half = [(row, column) for row in range(1, 6) if (row, column) not in table.standing]
    table.step_on(mine, half[0] if is_far else (free or half)[0])


def _is_about(event: Any, names: list[str]) -> bool:
    if isinstance(event, ev.BloodboundSpellCast):
        return True
    return getattr(event, "card", getattr(event, "unit", "")) in names


# -- Evolve ------------------------------------------------------------------------------------------------------------


def evolve_texts() -> list[EvolveText]:
    """Return a mutation for each moment, verb, condition, change and sign of the grammar."""
    effects = [line for line in all_written(evolve.verb) if "1 food" not in line]
    conditions = ["", *(f"if {line} " for line in all_written(evolve.CONDITIONS))]
    lines = [f"when {moment} -> {effect}" for moment in evolve.MOMENTS for effect in effects]
    lines += [f"when enters {each}-> dna +1" for each in conditions]
    lines += [f"always {each}-> {change}" for each in conditions for change in all_written(evolve.CHANGES)]
    lines += [f"action {name}: energy +1 self" for name in evolve.ACTIONS]
    lines += ["limit actions 2"]
    return [
        EvolveText(id=f"m{number}", name=f"m{number}", kind="mutation", abilities=(line,))
        for number, line in enumerate(lines)
    ]


EVOLVE: Final = ("divide_duplicate", "energy_cap_changes", "energy_cap_no_evolve", "status_scope_food", "kill_by")


@pytest.mark.parametrize(("share", "rulings"), [*enumerate(_rulings("evolve", {*EVOLVE}))], ids=str)
def test_what_is_seen_in_evolve_holds_for_every_mutation(share: int, rulings: dict[str, str]) -> None:
    """Whatever a mutation says, and another one in play, it comes to the same on each host where it looks alike."""
    one, texts = game("evolve"), evolve_texts()
    tried = 0
    for table, player in busy_tables("evolve", Plan(seed=2, rulings=rulings, limit=60), 0, 1):
        hosts = [card for card in organisms(table) if not card.text.food]
        hand = table.zones[f"hand:{player}"].cards
        if len(hosts) < 3 or not hand or table.phase != MAIN or table.active != player:
            continue
        for text in texts[share % 3 + 3 * (tried % 2) :: 6]:
            for in_hand in (text, PLAIN):
                with TryOut(table):
                    _give_evolve(table, hosts[0], hand[0], in_hand, text)
                    events = [each for each in one.legal(table, player) if getattr(each, "card", "") == hand[0].name]
                    assert misjudged(one, table, player, events) == [], (text.abilities, rulings)
        tried += 1
        if tried == 2:
            break
    assert tried


PLAIN: Final = EvolveText(id="plain", name="plain", kind="mutation")


def _give_evolve(table: Any, host: Any, hand: Any, in_hand: EvolveText, in_play: EvolveText) -> None:
    """Put a mutation into the hand, and one onto an organism that is full of energy, or has too much of it."""
    other = table.make(f"{host.owner}:{in_play.id}#9", table.zones["attached"])
    table.set(other, "text", in_play)
    table.update(other, controller=host.controller, host=host.name)
    table.set(host, "mutations", (*host.mutations, other.name))
    changes.watch(table, other)
    table.set(hand, "text", in_hand)
    limit = limit_of(table, host)
    table.set(host, "energy", 9 if in_hand is PLAIN or limit is None else limit)
