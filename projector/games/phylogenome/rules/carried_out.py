"""The rules that the fold carries out by itself; a written consequence that differs from what it makes breaks them."""

from collections.abc import Mapping
from typing import Final

from projector.games.phylogenome.scoring import AWARDS
from projector.kit.ending import early_end_rules
from projector.model.rules import Rule, declare

SIDE_BY_SIDE: Final = declare(
    "phylogenome.setup.progress-side-by-side",
    "Preparation",
    "L34 L67",
    "Each player starts with a first-generation progress card in play; the two cards lie next to each other.",
)
STARTS_AT_ONE: Final = declare(
    "phylogenome.generation.starts-at-one", "Generation progress", "L34", "Everybody starts at sequencing generation 1."
)
SPECIES_PILE: Final = declare(
    "phylogenome.discard.species-pile",
    "Species card",
    "L19",
    "A discarded Species goes to the pile of the player it was facing.",
)
EVENT_PILE: Final = declare(
    "phylogenome.discard.event-pile",
    "Event card",
    "L30",
    "A discarded Event goes to the pile of whoever played it, wherever it lay.",
)
BENEATH_STAYS: Final = declare(
    "phylogenome.event.beneath-stays",
    "Event card",
    "L25",
    "An Event beneath a Species acts until that Species is discarded; then it is discarded too.",
)
TRAVELS: Final = declare(
    "phylogenome.event.travels-with-host", "Event card", "L25", "An Event beneath a Species moves with it."
)
ON_TOP_ONCE: Final = declare(
    "phylogenome.event.on-top-once", "Event card", "L26", "An Event on top of a Species acts at once and is discarded."
)
TABLE_STAYS: Final = declare(
    "phylogenome.event.table-stays",
    "Event card",
    "L27",
    "An Event on the table acts all the time until it is discarded.",
)
MOMENTARY: Final = declare(
    "phylogenome.event.momentary", "Event card", "L28", "Other Events act once and are discarded."
)
FOUR_OF_PREVIOUS: Final = declare(
    "phylogenome.generation.four-of-previous",
    "Generation progress",
    "L34 L40",
    "The next generation is reached with at least four Species of the one before facing you.",
)
AT_ONCE: Final = declare(
    "phylogenome.generation.at-once",
    "Generation progress",
    "L34 L40",
    "The progress card is added at the very moment.",
    says_when=True,
)
LOST_BELOW_FOUR: Final = declare(
    "phylogenome.generation.lost-below-four",
    "Sequencing generations",
    "L34 L42",
    "With three or fewer Species of the lower generation the advancement is lost.",
)
SPECIES_STAY: Final = declare(
    "phylogenome.generation.species-stay",
    "Sequencing generations",
    "L42",
    "Species of a generation that was lost stay in play.",
)
FALLS_TO_FIRST: Final = declare(
    "phylogenome.generation.falls-to-first",
    "Sequencing generations",
    "L44",
    "Whoever has generation 3 and drops below four first-generation Species falls back to generation 1.",
)
REGAINED: Final = declare(
    "phylogenome.generation.regained-at-once",
    "Sequencing generations",
    "L44",
    "With four first-generation Species again and still four of the second, generation 3 is reached at once.",
    says_when=True,
)
END_DISCARDS: Final = declare(
    "phylogenome.turn.end-discards",
    "The game begins",
    "L82",
    "At the end of the turn Species in bad spots are discarded (after the time to repair, ruling grace).",
)
UNTIL_NEXT_TURN: Final = declare(
    "phylogenome.fix.until-end-of-next-turn",
    "Addressing inconsistencies",
    "L57",
    "There is time to repair until the end of the next own turn.",
)
DISCARD_UNFIXED: Final = declare(
    "phylogenome.fix.discard-unfixed",
    "Addressing inconsistencies",
    "L57 L82",
    "What is still cut off or incompatible then is discarded.",
    says_when=True,
)
DEPLETED: Final = declare(
    "phylogenome.end.species-depleted",
    "The game ends",
    "L86",
    "The game ends when both players have used up their Species.",
)
POINTS_SPECIES: Final = declare(
    "phylogenome.points.species", "Counting points", "L92", "Add up the points of all Species facing you."
)
POINTS_BENEATH: Final = declare(
    "phylogenome.points.events-beneath", "Counting points", "L92", "Events beneath a Species change its points."
)
POINTS_TECHNOLOGY: Final = declare(
    "phylogenome.points.technology", "Counting points", "L93", "Species of generation 1, 2, 3 give 1, 2, 3 points."
)
COMPARISON: Final = declare(
    "phylogenome.points.special-by-comparison",
    "Counting points",
    "L94",
    "Special points go to the better one of the two players.",
)
LONGEST_CHAIN: Final = declare(
    "phylogenome.points.longest-chain",
    "Counting points",
    "L95",
    "15 points: the longest chain of Species in order of publication, longer than five.",
)
INTEREST_AREAS: Final = declare(
    "phylogenome.points.interest-areas", "Counting points", "L96", "8 points: the most genomic interest areas."
)
OLDEST: Final = declare(
    "phylogenome.points.oldest-publication", "Counting points", "L97", "2 points: the oldest publication date."
)
LARGEST: Final = declare("phylogenome.points.largest-genome", "Counting points", "L98", "2 points: the largest genome.")
MOST_GENES: Final = declare(
    "phylogenome.points.most-genes", "Counting points", "L99", "2 points: the most protein-coding genes."
)
MOST_CHROMOSOMES: Final = declare(
    "phylogenome.points.most-chromosomes", "Counting points", "L100", "2 points: the most different chromosomes."
)
MOST_POINTS: Final = declare("phylogenome.win.most-points", "Counting points", "L11 L90", "The most points win.")
EQUAL_POINTS: Final = declare(
    "phylogenome.win.equal-points", "Outside the rulebook", "", "Equal totals are not covered: ruling final_tie."
)
DECK_OUT: Final = declare(
    "phylogenome.end.deck-out",
    "The game begins",
    "L76",
    "What happens to a player who has to draw from an empty deck is not said: ruling deck_out.",
)
CONCESSION, ABANDONED = early_end_rules("phylogenome")

AS_DECLARED: Final = declare(
    "phylogenome.event.as-declared", "Event card", "L19 L30", "A card does what its declared text says."
)

AWARD_RULES: Final[Mapping[str, Rule]] = dict(
    zip(AWARDS, (LONGEST_CHAIN, INTEREST_AREAS, OLDEST, LARGEST, MOST_GENES, MOST_CHROMOSOMES), strict=True)
)
ENDS: Final[Mapping[str, Rule]] = {
    "points": DEPLETED,
    "concession": CONCESSION,
    "deck-out": DECK_OUT,
    "abandoned": ABANDONED,
}
