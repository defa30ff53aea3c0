"""What a card text picks out: selections such as `1 close enemy ting`, and conditions such as `dominating 1`."""

from collections.abc import Collection
from functools import lru_cache

from tabletape.projector.games.splicers.abilities import HERE, Active, Effect, Keyword, Line, Selection
from tabletape.projector.games.splicers.state import Splicers, SplicersCard, place_of, tings_and_seeds
from tabletape.projector.kit.card_text import Condition
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.suggestions import nearest

# -- what a card is ----------------------------------------------------------------------------------------------------


def lines_given(table: Splicers, card: SplicersCard) -> list[Line]:
    """Return the ability lines that other cards grant to a card that is face up in play."""
    given: list[Line] = []
    for name in card.mutations:
        text = table.cards[name].text
        if text is not None:
            given += text.says.grants_host
    for name in table.granting:
        source = table.cards[name]
        for static in source.text.says.statics:
            for effect in static.effects:
                if effect.grants is not None and _grants_now(table, source, static.condition, effect, card):
                    given.append(effect.grants)
    return given


def reaches(table: Splicers, source: SplicersCard, card: SplicersCard | None) -> bool:
    """Return whether what a card does by itself reaches another one: a biom its owner's only, by ruling."""
    if card is None or source.zone.name != "row" or table.options["biom_passive_scope"] == "both_sides":
        return True
    return card.owner == source.owner


def _grants_now(
    table: Splicers, source: SplicersCard, condition: Condition | None, effect: Effect, card: SplicersCard
) -> bool:
    holds_now = holds(table, condition, source.owner, source) and holds(table, effect.condition, source.owner, source)
    if not (holds_now and effect.cards is not None and reaches(table, source, card)):
        return False
    return fits(table, effect.cards, card, source.owner, source)


def has_keyword(table: Splicers, card: SplicersCard, word: str) -> bool:
    """Return whether a card has a keyword, printed or granted; no for an unknown card."""
    if card.text is None:
        return False
    if word in card.text.says.keywords:
        return True
    if not card.face_up or not (card.mutations or table.granting):
        return False
    for line in lines_given(table, card):  # noqa: SIM110 - `any` would have to be given a generator
        if isinstance(line, Keyword) and line.word == word:
            return True
    return False


def active_line(table: Splicers, card: SplicersCard, line: str) -> Active | None:
    """Return the active ability that a card has under this text, printed or granted."""
    if card.text is None:
        return None
    active: Active | None = card.text.says.active.get(line)
    if active is None and (card.mutations or table.granting):
        for each in lines_given(table, card):
            if isinstance(each, Active) and each.line == line:
                return each
    return active


def is_in_own_words(table: Splicers, card: SplicersCard, ability: str) -> bool:
    """Return whether an ability is written as no card has it, by a slip or in words of somebody's own.

    What is written as cards are (cost, colon, effect) and is far from all that the card has is said to stand on it.
    """
    if any(ability in text.says.active for text in table.library.values()):
        return False
    lines = [each.line for each in lines_of(table, card)]
    return bool(lines) and (":" not in ability or bool(nearest(ability, lines)))


def line_meant(table: Splicers, card: SplicersCard, ability: str) -> Active | None:
    """Return the active ability that a card has under a text, or the only one that it has where the words are own."""
    printed: Active | None = card.text.says.active.get(ability) if card.text is not None else None
    active = printed or active_line(table, card, ability)
    if active is None and is_in_own_words(table, card, ability):
        lines = {each.line: each for each in lines_of(table, card)}
        return next(iter(lines.values())) if len(lines) == 1 else lines.get(nearest(ability, lines))
    return active


def lines_of(table: Splicers, card: SplicersCard) -> list[Active]:
    """Return the active abilities of a card, printed and granted."""
    printed_lines = card.text.says.active.values() if card.text is not None else ()
    return [*printed_lines, *(line for line in lines_given(table, card) if isinstance(line, Active))]


def genes_of(table: Splicers, card: SplicersCard) -> frozenset[str]:
    """Return the genes of a ting with those of its mutations, as they count for requirements and upgrades."""
    genes = frozenset(card.text.genes) if card.text is not None else frozenset()
    if card.mutations and table.options["mutation_genes_req"] == "count":
        for name in card.mutations:
            text = table.cards[name].text
            genes |= frozenset(text.genes) if text is not None else frozenset()
    return genes


def types_of(table: Splicers, card: SplicersCard) -> Collection[str]:
    """Return the types of a card, with those of its mutations where these count for the host (ruling)."""
    types = card.text.types if card.text is not None else ()
    if card.mutations and table.options["mutation_types"] == "count":
        for name in card.mutations:
            text = table.cards[name].text
            types += text.types if text is not None else ()
    return types


def printed(table: Splicers, name: str) -> int | None:
    """Return the printed dominance of a card, or None where the log does not tell which card it is."""
    card = table.find(name) if name else None
    return (card.text.dominance or 0) if card is not None and card.text is not None else None


def to_be_lower_than(table: Splicers, name: str) -> int | None:
    """Return the value of a ting that its replacement has to be printed below: the printed one, or what it counts."""
    card = table.find(name)
    if card is not None and table.options["diminish_compare"] == "printed_current":
        return card.worth
    return printed(table, name)


def users_of(table: Splicers, card: SplicersCard) -> Collection[str]:
    """Return who may use the active abilities of a card: its owner, or for a mutation or a biom somebody else."""
    if card.host and table.options["mutation_ability_user"] == "host_owner":
        return (table.card(card.host).owner,)
    if card.zone.name == "row" and table.options["biom_ability_user"] != "owner":
        both = table.options["biom_ability_user"] == "both_players"
        return table.seating if both else (card.dominator,) if card.dominator else ()
    return (card.owner,)


def answer_suffices(table: Splicers, answer: int, asked: int) -> bool:
    """Return whether the printed sum of an answer to willpower is enough against what was shown (ruling on ties)."""
    return answer > asked or (answer == asked and table.options["willpower_tie"] == "enough")


# -- domination --------------------------------------------------------------------------------------------------------


def dominator_of(table: Splicers, biom: SplicersCard) -> str:
    """Return the player who dominates a biom by the totals there, or an empty string."""
    value = biom.text.dominance if biom.text is not None else None
    if value is None:
        return ""
    seat = _seat_ahead(biom.totals, value)
    if seat < 0 or (biom.totals[seat] == value and table.options["domination_threshold"] == "more_than"):
        return ""
    return table.seating[seat]


@lru_cache(maxsize=4096)
def _seat_ahead(totals: tuple[int, ...], value: int) -> int:
    """Return the seat whose total is the highest and comes up to a value; -1 where there is none or several."""
    best = max(totals, default=0)
    return totals.index(best) if best >= value and totals.count(best) == 1 else -1


def dominated_by(table: Splicers, player: str) -> tuple[str, ...]:
    """Return the bioms that a player dominates, in the order of the row.

    A biom is turned to its dominator, unless its totals have changed just now.
    """
    dominated: list[str] = []
    for place in table.row:
        biom = table.cards[table.bioms[place]]
        if (dominator_of(table, biom) if biom in table.turning else biom.dominator) == player:
            dominated.append(place)
    return tuple(dominated)


# -- conditions and selections -----------------------------------------------------------------------------------------


def holds(table: Splicers, condition: Condition | None, player: str, source: SplicersCard) -> bool:
    """Return whether the condition of a card's text holds for a player."""
    if condition is None:
        return True
    what = condition.what
    if what == "dominating":
        dominated = dominated_by(table, player)
        return place_of(table, source) in dominated if condition.n == HERE else len(dominated) >= condition.n
    if what in {"gene", "type"}:
        host = table.find(source.host) if source.host else source
        traits = genes_of if what == "gene" else types_of
        return host is not None and condition.name in traits(table, host)
    numbers = {"hand": zone_of(table, "hand", player).size, "tokens": source.tokens, "round": table.round}
    return condition.compares(numbers[what])


def fits(table: Splicers, wanted: Selection, card: SplicersCard, player: str, source: SplicersCard) -> bool:
    """Return whether a card is one that a text means; `player` uses it, `source` is the card that has it."""
    noun = wanted.noun
    is_seed = noun == "seed"
    if is_seed or noun == "ting":
        if card.zone.name not in table.sides:
            return False
        if card.face_up is is_seed and (is_seed or table.options["seed_is_ting"] == "face_up_only"):
            return False
    elif noun in {"self", "host"}:
        return card.name == (source.name if noun == "self" else source.host)
    elif not _is_meant(table, noun, card.zone.name):
        return False
    return (
        (not wanted.whose or (card.owner == player) is (wanted.whose == "friendly"))
        and (not wanted.near or _is_near(table, wanted.near, card, source))
        and (not wanted.turned or card.exhausted is (wanted.turned == "exhausted"))
        and (not wanted.type or (card.face_up and wanted.type in types_of(table, card)))
    )


def _is_meant(table: Splicers, noun: str, zone: str) -> bool:
    """Return whether what lies in a zone is called so, where it does not matter how it lies (two rulings)."""
    if noun == "biom":
        return zone == "row"
    if noun == "mutation":
        return zone == "mutations"
    if zone == "season":
        return table.options["season_target"] != "never"
    if zone == "row":
        return table.options["biom_mods"] == "any_effect"
    return zone[:4] == "play" or zone in {"mutations", "event"}


def is_itself(table: Splicers, card: SplicersCard, source: SplicersCard) -> bool:
    """Return whether a card is the one that asks for a close card, and so is not meant (ruling `close_self`)."""
    return card is source and table.options["close_self"] == "others_only"


def _is_near(table: Splicers, near: str, card: SplicersCard, source: SplicersCard) -> bool:
    if near == "close" and is_itself(table, card, source):
        return False
    here = place_of(table, source)
    there = place_of(table, card)
    return bool(here and there) and (here == there) is (near == "close")


def everything(table: Splicers) -> list[SplicersCard]:
    """Return all cards that a text may mean, in the order in which they are looked at."""
    zones = table.zones
    rest = [card for name in ("mutations", "row", "season", "event") for card in zones[name].cards]
    return tings_and_seeds(table) + rest


def candidates(table: Splicers, wanted: Selection, player: str, source: SplicersCard) -> list[SplicersCard]:
    """Return the cards that a text may mean."""
    cards = tings_and_seeds(table) if wanted.noun in {"ting", "seed"} else everything(table)
    return [card for card in cards if fits(table, wanted, card, player, source)]


def taken(table: Splicers, effect: Effect, names: tuple[str, ...], player: str, source: SplicersCard) -> int:
    """Return how many of the chosen cards are meant for an effect, where later effects of the line ask for cards too.

    It takes as many as it asks for, up to the first card that does not fit; the last effect takes all that is left.
    """
    wanted = effect.cards
    for number, name in enumerate(names[: effect.quantity]):
        card = table.find(name)
        if wanted is not None and (card is None or not fits(table, wanted, card, player, source)):
            return number
    return min(effect.quantity, len(names))
