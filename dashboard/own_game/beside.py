"""What a line says beside its moves: what was paid, `(2 pegs)`, and what things have come to, `, 3 now`."""

import re
from typing import Final

_COME_TO: Final = re.compile(
    r"(?:\s*[,(=+]\s*|\s+)(?:(?:so|i'?m at|that'?s|now|=)\s+)*\d{1,3}\s*(?:now|left|pts?|points?|punkte?)\b"
    r"(?: for me)?(?:\s*=\s*\d+)?(?:,?\s*\d+ now)?\s*\)?!*|\s*,\s*i'?m at \d{1,3}\b",
    re.IGNORECASE,
)
"""What somebody has now, and the points that a move brings: `(3 now)`, `, 3 pts`."""


_NONE: Final = re.compile(r"(?!)")
_ENDS: Final = r"(?=\s*(?:[,.;!+()]|$| and\b| then\b))"
"""What stands behind a clause."""


def come_to(people: str) -> re.Pattern[str]:
    """Return what fits what things have come to, or one of the `people`: `attacks: Jo 18`, `-> Jo is down to 13`."""
    tells = r"(?:['\u2019]s|\s+(?:is|goes|drops|falls|down|up|back|now|at|to|on|has|hp|life))*"
    has = r"\s*(?:\d{1,3}|dead\b)(?:\s*(?:hp|life|left|now))*\)?"
    own = rf"(?:\s*[:,(]\s*|\s*(?:->|=>|\u2192)\s*)(?:{people})\b{tells}{has}"
    return re.compile(rf"{own}{_ENDS}|{_COME_TO.pattern}", re.IGNORECASE)


def in_plain_words(message: str, cards: str, people: str, *, priced: bool = True) -> tuple[str, tuple[str, ...]]:
    """Return a message with what is paid behind a card as `for 2`, without what things have come to, and that.

    `cards` and `people` are patterns of the names of cards and players. A number alone is what was paid in brackets
    only. A clause that is a number and something else than cards is what comes of a move: `sail, 3 coins`. Where moves
    are not `priced`, what is paid stands beside them, too: the price of a card is printed on it.
    """
    paid = re.compile(
        rf"(?P<card>(?<!\w)(?:{cards})(?: \d+)?)(?:\s*\(\s*(?:for )?(?P<alone>\d{{1,2}})(?: [^\W\d_]+)?\s*\)|"
        r"(?:\s*,\s*|,?\s+(?:for|(?:and )?pay(?:s|ing)?|costs?)\s+)(?P<number>\d{1,2}) (?!cards?\b)[^\W\d_]+"
        rf"{_ENDS})",
        re.IGNORECASE,
    )
    come = re.compile(
        rf"{_COME_TO.pattern}|\s*(?:[,.!(=+]+\s*)[+-]?\d{{1,3}} (?!cards?\b|(?:{cards})\b)[^\W\d_]{{2,}}"
        rf"(?: for me)?\)?{_ENDS}|\s*\([+-]?\d{{1,3}}\)",
        re.IGNORECASE,
    )
    message, come_now = re.sub(r"\bw/ ?", "with ", message), come_to(people)
    text = paid.sub(lambda match: f"{match['card']} for {match['alone'] or match['number']}", come_now.sub("", message))
    prices = _NONE if priced else re.compile(rf"(?<=\w) for \d{{1,2}}{_ENDS}", re.IGNORECASE)
    beside = tuple(
        match[0].strip(" ,.!")
        for each, said in ((prices, text), (come_now, message), (come, text))
        for match in each.finditer(said)
    )
    text = prices.sub("", text)
    text = re.sub(rf"^([^\W\d_]+)!+ (?={cards})", r"\1 ", come.sub("", text), flags=re.IGNORECASE)
    return re.sub(r",? \+ ", ", ", re.sub(r"\b([^\W\d_]{3,}) \1\b", r"\1, \1", text)), beside
