"""Battle pet: when a pet acts, and that luck picks one of the choices that it has."""

from typing import Final

from msgspec import UNSET

from tabletape.events.games import duelyst as ev
from tabletape.projector.games.duelyst import board, overdue, pets
from tabletape.projector.games.duelyst.chapters import WRITTEN
from tabletape.projector.games.duelyst.chapters.combat import attack
from tabletape.projector.games.duelyst.effects import act_of
from tabletape.projector.games.duelyst.owed import first, owed_as, pet_owed, works_off
from tabletape.projector.games.duelyst.state import PET, Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tasks import Owed, PetsBegin, Tasks
from tabletape.projector.games.duelyst.tiles import has, is_commanded
from tabletape.projector.kit.moves import move
from tabletape.projector.model.due import Asked, Due
from tabletape.projector.model.phrases import as_ruled, name_of, tile_in_words
from tabletape.projector.model.rules import Broken, Judgement, Kept, Undecidable, Verdict, group_check

AT_TURN_START: Final = WRITTEN["duelyst.pet.at-turn-start"]
RANGED: Final = WRITTEN["duelyst.pet.ranged"]
CHOICE_RULES: Final = {each: WRITTEN[each] for each in (pets.ADJACENT, pets.NEAREST, pets.TOWARD)}


def judge_pet(table: Duelyst, event: ev.PetActed) -> tuple[Judgement, ...]:
    """Check a pet that acts: whether it is its time, and whether luck picked one of the permitted choices."""
    verdict, pet = _in_time(table, event), table.unit_called(event.unit)
    if verdict is not None or pet is None:
        return ((AT_TURN_START, verdict),)
    choices, chosen = pets.choices_of(table, pet, around=False), _chosen(event)
    if chosen not in choices.permitted:
        choices = pets.choices_of(table, pet)  # To look for a way around takes longer than all the rest.
    if chosen not in choices.permitted and (why := _other_board(table, pet)):
        return (AT_TURN_START, None), (CHOICE_RULES[choices.rule], why)
    rule = RANGED if _aims_wrong(table, pet, event, choices) else CHOICE_RULES[choices.rule]
    return (AT_TURN_START, None), (rule, judge_choice(table, event, choices))


def _in_time(table: Duelyst, event: ev.PetActed) -> Verdict:
    """Return whether a pet acts when it is its time, and in the order of entering."""
    acts = owed_as(table, event)
    if acts is None:
        return _not_now(table, event.unit)
    due = overdue.unreported(table) if acts is not table.owed[0] and not acts.passed_over else None
    if due is None or due.line is not ev.PetActed or due is acts:
        return None
    first = table.called(due.source)
    message = f"{table.called(event.unit)} acts, but {first} entered before it and has not acted"
    return Broken(message, f"{first} acts first")


def _other_board(table: Duelyst, pet: DuelystCard) -> Undecidable | None:
    """Return the doubt whether a pet acted before what units of its player do then, where no order is demanded."""
    if table.options["begin_order"] != "any_order":
        return None
    timed = [table.cards[name] for name in table.timed]
    if not [unit for unit in timed if unit.owner == pet.owner and unit.text.says.begins]:
        return None
    why = f"may have acted before what other units do then{as_ruled(table, 'begin_order')}"
    return Undecidable(f"{table.called(pet.name)} {why}")


def _not_now(table: Duelyst, name: str) -> str:
    """Return why a unit does not act by itself now."""
    pet, who = table.unit_called(name), table.called(name)
    if pet is None:
        return f"{who} acts, but it is not on the board"
    if pet.text.tribe != PET:
        return f"{who} acts by itself, but it is no Battle Pet"
    if is_commanded(table, pet):
        return f"{who} is dispelled and commanded by its player{as_ruled(table, 'dispelled_pet')}"
    acted = f"the Battle Pets of {name_of(table, pet.owner)} have acted in this turn"
    return f"{who} acts, but {acted if table.active == pet.owner else f'{name_of(table, table.active)} is on turn'}"


def _aims_wrong(table: Duelyst, pet: DuelystCard, event: ev.PetActed, choices: pets.Choices) -> bool:
    """Return whether a Ranged pet moves rightly toward the closest enemy, but attacks the wrong one or nobody."""
    if choices.rule != pets.TOWARD or not has(table, pet, "ranged"):
        return False
    tile, target = _chosen(event)
    return (tile, target) not in choices.permitted and tile in {where for where, _ in choices.permitted}


def _chosen(event: ev.PetActed) -> pets.Choice:
    """Return what a pet did by its line: the tile and the target, None where it has none."""
    return None if event.to is UNSET else event.to, None if event.target is UNSET else event.target


def judge_choice(table: Duelyst, event: ev.PetActed, choices: pets.Choices) -> Verdict:
    """Return whether luck picked one of the permitted choices, and which these are."""
    chosen, permitted = _chosen(event), choices.permitted

    def does() -> str:
        return f"{table.called(event.unit)} {choice_in_words(table, chosen)}"

    def words() -> str:
        return "; ".join(sorted(choice_in_words(table, choice) for choice in permitted))

    if chosen in permitted:
        others = "nothing else was permitted" if len(permitted) == 1 else "permitted were: {}"
        if choices.rule == pets.TOWARD:
            others = "straight toward the closest enemy were permitted: {}"
        return Kept(lambda: f"{does()}; {others.format(words())}")
    is_ruled = choices.rule == pets.TOWARD and chosen[0] is not None and table.options["pet_approach"] == "nearest_tile"
    message = does() + (as_ruled(table, "pet_approach") if is_ruled else "")
    one_of = "one of: " if len(choices.permitted) > 1 else ""
    return Broken(message, one_of + words(), because=pets.keyword_ignored(table, event.unit, chosen, choices))


def choice_in_words(table: Duelyst, choice: pets.Choice) -> str:
    """Return a pet's choice as people say it."""
    tile, target = choice
    where = "stays" if tile is None else f"goes to {tile_in_words(tile)}"
    return f"{where} and attacks {table.called(target) if target else 'nobody'}"


@works_off(PetsBegin)
def _pets_begin(table: Duelyst, task: PetsBegin) -> Tasks:
    dues: Tasks = ()
    for name in table.timed:
        unit = table.cards[name]
        if unit.owner == task.player and unit.text.tribe == PET:
            dues += (act_of(task.player, name),)
    return dues


@move(ev.PetActed, group_check(judge_pet))
@overdue.of_luck
def _pet_acted(table: Duelyst, event: ev.PetActed) -> None:
    acts = pet_owed(table, event.unit)
    if acts is not None:
        overdue.strike_pet_off(table, acts)
    unit = table.unit_called(event.unit)
    if unit is None:
        return
    if not is_commanded(table, unit):
        table.applied.append("duelyst.pet.not-controlled")
    if unit.keywords or table.granting:
        for keyword in ("ranged", "flying"):
            if has(table, unit, keyword):
                table.applied.append(f"duelyst.pet.{keyword}")
    if event.to is not UNSET:
        table.applied.append("duelyst.pet.shortest-path")
        table.step_on(unit, event.to)
        board.step_on_globe(table, unit, event.to, walking=True)
    target = None if event.target is UNSET else table.unit_called(event.target)
    if target is not None and target is not unit:
        first(table, attack(table, unit, target))


def due_act(table: Duelyst, owed: Owed) -> list[Due]:
    """Return the line of a pet that is to act, with the choices that it has."""
    pet = table.unit_called(owed.source)
    if pet is None:
        return []
    permitted = [
        zip(("to", "target"), each, strict=True) for each in sorted(pets.choices_of(table, pet).permitted, key=str)
    ]
    options = tuple({name: value for name, value in each if value is not None} for each in permitted)
    asked = Asked(kind="option", options=options)
    return [Due(line=ev.PetActed, known={"unit": pet.name}, rule=owed.rule, asked=asked)]
