"""The rules of the Duelyst-style game by their ids, those with a function and those without."""

from collections.abc import Mapping
from typing import Final

from projector.games.duelyst.moves import CHAPTERS
from projector.model.game import collect_rules
from projector.model.rulebook import read_rulebook
from projector.model.rules import Rule

BY_ID: Final[Mapping[str, Rule]] = {
    rule.id: rule for rule in collect_rules(read_rulebook("projector.games.duelyst"), *CHAPTERS)
}
