"""The rulebook of the Duelyst-style game with all its rules, those with a function and those without."""

from collections.abc import Mapping
from typing import Final

from projector.games.duelyst.rules import bloodbound, cards, luck, pets, setup, units
from projector.model.game import collect_rules
from projector.model.rulebook import Rulebook, read_rulebook
from projector.model.rules import Rule

RULEBOOK: Final[Rulebook] = read_rulebook("projector.games.duelyst")
RULES: Final[tuple[Rule, ...]] = collect_rules(RULEBOOK, setup, cards, bloodbound, units, luck, pets)
BY_ID: Final[Mapping[str, Rule]] = {rule.id: rule for rule in RULES}
