"""What is printed on a card, and what each kind has to say: looked at when a card file is read."""

import re
from typing import Final

import msgspec

from tabletape.projector.games.splicers.abilities import ParsedText, parsed_text
from tabletape.projector.model.amounts import with_article
from tabletape.projector.model.things import CardText

KINDS: Final = ("ting", "mutation", "event", "biom", "splicer")
GENES_AT_MOST: Final = 2
TING_KEYWORDS: Final = ("evade", "expensive", "farsight", "upgrade", "shockwave", "jumper", "abomination")
MEANT_FOR: Final = {**dict.fromkeys(TING_KEYWORDS, ("ting",)), "backup": ("ting", "mutation", "event")}
"""The kinds of cards on which a keyword means something; a mutation may grant any of them to its host."""

SPOKEN: Final = {
    r"^@, (\w+):": r"Exhaust, \1:",
    r"^@:": "Exhaust:",
    r"^req (\w+) (\w+)$": r"Needs the \1 \2",
    r"^when round\.(start|end) ->": r"At the \1 of a round:",
    r"^when (close|friendly) (\w+) evolves ->": r"When a \1 \2 evolves:",
    r"^when self\.(\w+) ->": r"When it \1:",
    r"^reveal ->": "When revealed:",
    r"^always (?:->)?": "",
    r"\bif dominating (\d+) ->": r"if you dominate \1 biom or more,",
    r"\bdom ([+-]\d+) ": r"\1 dominance for ",
    r"\btoken ([+-]\d+) ": r"\1 token on ",
    r"\bgrant (\w+) \"@: (.*)\"": r"\1 has “Exhaust: \2”",
    r" ->": ":",
    r"\bself\b": "itself",
    r"\bhost\b": "its host",
    r"\bthat$": "it",
}
"""How the signs of an ability line are read aloud, one after the other."""


class SplicersText(CardText, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A printed card; `says` is what its ability lines mean (read from `abilities`, whatever is written in its place).

    `dominance` is the printed value of a ting and the value to reach of a biom, `start_cards` the opening hand of a
    splicer.
    """

    types: tuple[str, ...] = ()
    genes: tuple[str, ...] = ()
    dominance: int | None = None
    start_cards: int | None = None
    says: ParsedText = ParsedText()

    def __post_init__(self) -> None:
        """Read the ability lines. Raises `ValueError` for an unknown word."""
        msgspec.structs.force_setattr(self, "says", parsed_text(self.abilities))

    @property
    def words(self) -> str:
        """What the card says to people: its text, or its ability lines as they are read aloud."""
        return self.text or ". ".join(map(self.aloud, self.abilities))

    @staticmethod
    def aloud(ability: str) -> str:
        """Return an ability line as it is read aloud: `Exhaust: probe 1 enemy seed`."""
        for signs, words in SPOKEN.items():
            ability = re.sub(signs, words, ability).strip()
        return ability[:1].upper() + ability[1:]


def check_text(card: SplicersText) -> None:
    """Check a printed card. Raises `ValueError` for what a card of its kind cannot have or has to have."""
    if card.kind not in KINDS:
        raise ValueError(f"a card is a {', '.join(KINDS[:-1])} or {KINDS[-1]}, not a {card.kind!r}")
    _look_at("dominance", card.dominance, card.kind, ("ting", "biom"))
    _look_at("start_cards", card.start_cards, card.kind, ("splicer",))
    if card.genes and card.kind in {"biom", "splicer"}:
        raise ValueError(f"{with_article(card.kind)} has no genes")
    if len(card.genes) > GENES_AT_MOST:
        raise ValueError(f"a card has at most two genes, not {len(card.genes)}")
    says = card.says
    for word in sorted(says.keywords & MEANT_FOR.keys()):
        if card.kind not in MEANT_FOR[word]:
            kinds = " or ".join(with_article(kind) for kind in MEANT_FOR[word])
            raise ValueError(f"only {kinds} can have `{word}`, this is {with_article(card.kind)}")
    if says.needs_types and card.kind != "ting":
        raise ValueError("only a ting can require a type (of the biom)")
    if says.needs_genes and card.kind != "biom":
        raise ValueError("only a biom can require a gene (of the tings there)")
    if (says.reveal or "season" in says.keywords) and card.kind != "event":
        raise ValueError(f"only an event has `reveal` lines or `season`, this is {with_article(card.kind)}")


def _look_at(field: str, value: int | None, kind: str, kinds: tuple[str, ...]) -> None:
    if value is not None and kind not in kinds:
        raise ValueError(f"{with_article(kind)} has no {field}")
    if value is None and kind in kinds:
        raise ValueError(f"{with_article(kind)} needs {field}")
