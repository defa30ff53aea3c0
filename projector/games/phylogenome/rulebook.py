"""The rulebook of PhyloGenome as data."""

from typing import Final

from projector.model.rulebook import read_rulebook

RULEBOOK: Final = read_rulebook("projector.games.phylogenome")
