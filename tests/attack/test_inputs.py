"""A small part of the standing attack: mutated inputs go all the way through without a traceback or a hang."""

from tests.attack.inputs import FORMATS, attack
from tests.attack.through import outcomes
from tests.waiting import PATIENCE

SMALL = 30
"""Inputs in the usual tests; `make attack` sends 10,000."""


def test_the_same_number_is_the_same_input() -> None:
    """A number that was told by an attack can be looked at again."""
    assert [attack(seed).content for seed in range(len(FORMATS)) if seed != 2] == [
        attack(seed).content for seed in range(len(FORMATS)) if seed != 2
    ]


def test_mutated_inputs_go_all_the_way() -> None:
    """Import, audit, datasets and replay take each; every line that came in is stored, in quarantine or blank."""
    assert [outcome for outcome in outcomes(range(SMALL), seconds=PATIENCE) if outcome.wrong] == []
