"""What a printed card of PhyloGenome can have and has to have."""

from typing import Final

from projector.games.phylogenome.state import EVENT, SPECIES, PhyloText

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
