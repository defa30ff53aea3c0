"""A small part of the standing attack: mutated inputs cause neither a traceback nor a hang."""

from tests.attack.inputs import FORMATS, attack
from tests.attack.through import outcomes
from tests.waiting import PATIENCE

INPUTS = 30
"""Inputs in the usual tests; `make attack` sends 10,000."""


def test_a_seed_always_gives_the_same_input() -> None:
    """An input that an attack reported by its seed can be made again."""
    first, second = ([attack(seed).content for seed in range(len(FORMATS))] for _ in range(2))
    assert first == second


def test_mutated_inputs_are_processed_from_import_to_replay() -> None:
    """Import, audit, datasets and replay accept each; every line of an input is stored, in quarantine or blank."""
    assert [outcome for outcome in outcomes(range(INPUTS), seconds=PATIENCE) if outcome.problem] == []
