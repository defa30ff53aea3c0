"""How people say cards in a chat, `2 figs`, `three plums`, `a fig`: how many, and what one of them is called."""

import re
from collections.abc import Iterable
from typing import Final

_NUMBERS: Final = (
    (
        *("a", "an", "one", "the", "my", "his", "her", "their", "your", "its"),
        *("ein", "eine", "einen", "der", "die", "das", "den", "un", "une", "uno", "una", "le", "la", "el", "il", "lo"),
    ),
    ("two", "zwei", "deux", "dos", "due"),
    ("three", "drei", "trois", "tres", "tre"),
    ("four", "vier", "quatre", "cuatro", "quattro"),
    ("five", "fünf", "cinq", "cinco", "cinque"),
    ("six", "sechs", "seis", "sei"),
    ("seven", "sieben", "sept", "siete", "sette"),
    ("eight", "acht", "huit", "ocho", "otto"),
    ("nine", "neun", "neuf", "nueve", "nove"),
    ("ten", "zehn", "dix", "diez", "dieci"),
    *((word,) for word in ("eleven", "twelve", "thirteen", "fourteen", "fifteen")),
    *((word,) for word in ("sixteen", "seventeen", "eighteen", "nineteen", "twenty")),
)
COUNTS: Final = {word: number for number, words in enumerate(_NUMBERS, 1) for word in words}
"""What number a word in small letters says; that there is one where it is an article."""

SEVERAL: Final = "|".join(words[0] for words in _NUMBERS[1:])
"""A pattern for the English ones that say more than one."""

MOST: Final = 40
"""More cards nobody lays at once."""

ONE: Final = f"(?:{'|'.join(word for word, number in COUNTS.items() if number == 1)})(?!\\w)"
"""A pattern for those that say that there is one, or are no more than an article."""

NUMBER: Final = f"(?:{'|'.join(sorted(COUNTS, key=len, reverse=True))})"
"""A pattern for these words."""

_GERMAN_PLURALS: Final = ("n", "e", "en")
_LONG: Final = 5
"""A shorter name with one of these behind it is a word of its own more often than several cards: pin, pine."""

_COUNTED: Final = re.compile(rf"(?P<number>\d{{1,3}}|{NUMBER})(?: ?x)? (?P<name>.+)", re.IGNORECASE)

_UNNAMED: Final = re.compile(
    rf"(?:(?:{NUMBER}|\d+|another|last|next|top|new|more|other|some|few|any|all) )*"
    r"(?:cards?|karten?|Karten?|cartes?|cartas?|kaart(?:en)?|nothing|nichts|rien|nada|niente|niets)"
    r"(?: (?:from|off|of|out|face|to|into|in|on|more|vom|von|aus|auf|du|de|del|da|dal|al|op|van) .+)?"
)
"""What people write where they do not say which card it was: `a card`, `two cards from the deck`."""


def is_unnamed(text: str) -> bool:
    """Return whether a text says cards without their names, and is not the name of one."""
    return _UNNAMED.fullmatch(text) is not None


def counted(text: str) -> tuple[int, str]:
    """Return how many cards a text says, and their name as it stands: 2 and `figs`; 0 where it says no number."""
    match = _COUNTED.fullmatch(text)
    if match is None:
        return 0, text
    number = COUNTS.get(match["number"].casefold()) or int(match["number"])
    return (number, match["name"]) if 0 < number <= MOST else (0, text)


_IRREGULAR: Final = {
    "children": "child",
    "men": "man",
    "women": "woman",
    "mice": "mouse",
    "geese": "goose",
    "knives": "knife",
}
"""What one of several is called where no ending says it."""


def forms_of(name: str) -> list[str]:
    """Return what one of several may be called: `figs` is fig, `berries` berry; the name itself comes first."""
    ends: tuple[tuple[str, str], ...] = (("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"))
    ends += tuple((end, "") for end in _GERMAN_PLURALS if len(name) > _LONG)
    low = name.casefold()
    if low in _IRREGULAR:
        return [name, _IRREGULAR[low]]
    return [name, *(f"{name[: len(name) - len(end)]}{instead}" for end, instead in ends if low.endswith(end))]


def plurals_of(name: str) -> list[str]:
    """Return how a name of a card may be written where several are meant."""
    low = name.casefold()
    german = [f"{name}{end}" for end in _GERMAN_PLURALS if len(name) >= _LONG]
    ends = [f"{name}s", f"{name}es", *german, *([f"{name[:-1]}ies"] if low.endswith("y") else [])]
    irregular = [several for several, one in _IRREGULAR.items() if one == low]
    return [*irregular, *ends, *([f"{name[:-1]}ves"] if low.endswith("f") else [])]


def cards_pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """Return what fits one card or a list of cards of these names, each perhaps with its number; None without names."""
    every = sorted({each for name in names for each in (name, *plurals_of(name)) if name}, key=len, reverse=True)
    if not every:
        return None
    one = rf"(?:(?:\{{n\}}(?: ?x)?|{NUMBER}) )?(?:{'|'.join(map(re.escape, every))})"
    return re.compile(rf"(?<![\w{{]){one}(?:(?:, and |, | and | und | & | \+ ){one})*(?!\w)", re.IGNORECASE)
