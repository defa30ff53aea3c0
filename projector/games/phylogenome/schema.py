"""What is printed on a card, and what each kind can have and has to have."""

from typing import Any, Final

import msgspec

from tabletape.projector.games.phylogenome.abilities import ParsedText, parsed_text
from tabletape.projector.games.phylogenome.state import EVENT, SPECIES
from tabletape.projector.model.things import CardText

ONLY_SPECIES: Final = (
    "scientific_name",
    "kingdom",
    "genome_scale",
    "sequencing_generation",
    "first_publication",
    "genome_size_mb",
    "coding_genes",
    "unique_chromosomes",
    "interest_areas",
    "points",
    "uncertain",
)
ONLY_EVENTS: Final = ("mode", "requires", "target", "effects", "trigger", "duration")


class PhyloText(CardText, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A printed card.

    Of a Species: scale, generation (1 to 3), points and the data that awards compare (`first_publication` as
    `2001-02-15`, genome size in megabases); a missing value of these takes no part in its award. `uncertain` names the
    facts that depend on a convention. Of an Event: the tables that `says` is read from.
    """

    scientific_name: str = ""
    kingdom: str = ""
    genome_scale: int | None = None
    sequencing_generation: int = 0
    first_publication: str = ""
    genome_size_mb: float | None = None
    coding_genes: int | None = None
    unique_chromosomes: int | None = None
    interest_areas: tuple[str, ...] = ()
    points: int = 0
    uncertain: tuple[str, ...] = ()
    mode: str = ""
    requires: tuple[dict[str, Any], ...] = ()
    target: dict[str, Any] = msgspec.field(default_factory=dict)
    effects: tuple[dict[str, Any], ...] = ()
    trigger: str = ""
    duration: str = ""
    says: ParsedText = ParsedText()

    def __post_init__(self) -> None:
        """Read what an Event says. Raises `ValueError` for an unknown word."""
        if self.kind == EVENT:
            msgspec.structs.force_setattr(self, "says", parsed_text(self))


def check_text(card: PhyloText) -> None:
    """Check a printed card. Raises `ValueError` for what a card of its kind cannot have or has to have."""
    if card.kind not in {SPECIES, EVENT}:
        raise ValueError(f"a card is a species or an event, not a {card.kind!r}")
    strange = ONLY_EVENTS if card.kind == SPECIES else ONLY_SPECIES
    article = "a Species" if card.kind == SPECIES else "an Event"
    for field in strange:
        if getattr(card, field):
            raise ValueError(f"{article} has no {field}")
    if card.kind == EVENT:
        if not card.effects and not card.manual:
            raise ValueError("an Event needs effects, or the field manual with what people do by hand")
        return
    if card.genome_scale is None:
        raise ValueError("a Species needs a genome_scale")
    if card.sequencing_generation not in {1, 2, 3}:
        raise ValueError("a Species needs a sequencing_generation from 1 to 3")
