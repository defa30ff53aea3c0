"""PhyloGenome: two players lay sequencing projects into one tableau; the most points win."""

from events.games import phylogenome as ev
from events.vocabulary import vocabulary
from projector.games.phylogenome.abilities import keywords
from projector.games.phylogenome.enforcing import ENFORCE
from projector.games.phylogenome.legal import actors, legal, more, offers
from projector.games.phylogenome.luck import due, fill_in_chance, value
from projector.games.phylogenome.opening import opening
from projector.games.phylogenome.play import PLAY, under_deck
from projector.games.phylogenome.rulebook import RULEBOOK
from projector.games.phylogenome.rules import acting, carried_out, consequences, observed
from projector.games.phylogenome.rules.doubts import doubt
from projector.games.phylogenome.rules.rows import MODULES, gate, rows
from projector.games.phylogenome.sampling import sample
from projector.games.phylogenome.schema import check_text
from projector.games.phylogenome.state import PhyloText
from projector.games.phylogenome.turns import settle
from projector.games.phylogenome.view import TOTALS, areas, dimensions, points, progress, totals
from projector.model.cards import parse_cards, read_cards
from projector.model.game import Game, TurnEnd, collect_rules

GAME = Game(
    slug="phylogenome",
    title="PhyloGenome",
    vocabulary=vocabulary("phylogenome"),
    rulebook=RULEBOOK,
    cards=read_cards(__name__, PhyloText, check_text),
    read_cards=lambda source, name: parse_cards(source, name, PhyloText, check_text),
    rules=collect_rules(RULEBOOK, *MODULES),
    rows=rows,
    opening=opening,
    play=PLAY,
    settle=settle,
    turn_end=TurnEnd(ev.TurnEnded, acting.active_player),
    explain_mismatch=consequences.explain_mismatch,
    enforce=ENFORCE,
    doubt=doubt,
    observe=observed.observe,
    gate=gate,
    actors=actors,
    legal=legal,
    offers=offers,
    more=more,
    sample=sample,
    due=due,
    fill_in_chance=fill_in_chance,
    under_deck=under_deck,
    value=value,
    progress=progress,
    points=points,
    totals=totals,
    dimensions=dimensions,
    areas=areas,
    keywords=keywords,
    dimension_names=("kingdom",),
    total_names=TOTALS,
    endings=tuple(carried_out.ENDS),
)
