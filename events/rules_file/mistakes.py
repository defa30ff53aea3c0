"""The mistakes of a file, each with its line, found by header and key: the reader of TOML keeps no places."""

import re
from typing import Any, Final

import msgspec

from tabletape.events.rules_file.values import WrongError, guess

MOST: Final = 50
"""Mistakes beyond these are not told: whoever mends the first ones has others then."""

_HEADER: Final = re.compile(r"\s*\[+\s*([^\]]+?)\s*\]")
_KEY: Final = re.compile(r'("[^"]+"|[\w.-]+)\s*(?==[^=])')
_UNKNOWN_FIELD: Final = re.compile(r"unknown field `(.*?)`")
_MISSING_FIELD: Final = re.compile(r"missing required field `(.*?)`")
_PLACE: Final = re.compile(r" - at `\$\.?(.*?)`$")
_INDEX: Final = re.compile(r"\[.*?\]")
_WRONG_TYPE: Final = re.compile(r"Expected `(.*?)`, got `(.*?)`")
_KINDS: Final = {
    "array": "a list between [ and ]",
    "object": "parts between { and }",
    "str": "a text between quotes",
    "int": "a whole number without quotes",
    "float": "a number without quotes",
    "bool": "true or false, without quotes",
    "null": "nothing",
}
_SUCH: Final = {
    "array": '["card -> table"]',
    "object": "{ water = 1 }",
    "str": "'size(hand) < 3'",
    "int": "1",
    "float": "0.5",
    "bool": "true",
    "players": "[2, 4]",
    "phases": '["draw", "play"]',
    "fields": '{ card = "card of hand" }',
    "needs": '{ once = { that = "size(hand) < 3", says = "A sentence.", cite = "L1" } }',
    "order": '"left"',
}
"""What may stand at a key, else in a place of a kind."""

_OTHER_WORDS: Final = (
    (re.compile(r"\bless than\b"), "<"),
    (re.compile(r"\b(?:more|greater) than\b"), ">"),
    (re.compile(r"\bat most\b|\u2264"), "<="),
    (re.compile(r"\bat least\b|\u2265"), ">="),
    (re.compile("\u2260"), "!="),
    (re.compile(r"\u2192|=>"), "->"),
    (re.compile(r"&&"), "and"),
    (re.compile(r"\|\|"), "or"),
    (re.compile(r"\bcount\("), "size("),
    (re.compile(r"(\w+) ?([-+])="), r"\1 \2 1"),
)
"""How other languages, and people, say it, and what a file says for it."""

_EXAMPLES: Final = {"says": '"A clue costs one token."', "cite": '"L16"', "that": '"tokens > 0"', "does": "[]"}


def in_words(said: str, key: str) -> str:
    """Return what the reader of types says of a key in plain words, with an example of what stands there."""
    if "matching regex" in said:
        return f"this cannot stand there; such as `{key} = {_SUCH.get(key, '...')}`"
    match = _WRONG_TYPE.search(said)
    if match is None or match[1].split(" | ")[0] not in _KINDS:
        return said.replace("Expected `array` of length", "expected a list of length").replace("Object", "a table")
    wanted = match[1].split(" | ")[0]
    got = _KINDS.get(match[2], match[2])
    return f"here stands {got}, it has to be {_KINDS[wanted]}, such as `{key} = {_SUCH.get(key) or _SUCH[wanted]}`"


def written_so(text: str) -> str:
    """Return how what stands in an expression in other words is written: `; write `<` for `less than``."""
    said_so = [
        f"`{met.expand(sign)}` for `{met[0]}`" for pattern, sign in _OTHER_WORDS if (met := pattern.search(text))
    ]
    return f"; write {' and '.join(said_so)}" if said_so else ""


class Mistakes:
    """Collects what is wrong with a text called `name`."""

    def __init__(self, name: str, text: str) -> None:
        self._name, self.text, self._lines = name, text, text.splitlines()
        self._marks = self._marked()
        self.found: list[str] = []

    def add(self, path: tuple[Any, ...], message: str, *, text: str = "", at: int = -1) -> None:
        """Note a mistake at a key; `at` is the letter of an expression `text` at which it stands."""
        if len(self.found) >= MOST:
            return
        number = self._line(*map(str, path))
        line = self._lines[number - 1] if self._lines else ""
        place = line.find(text) if text and at >= 0 else -1
        column = f":{place + at + 1}" if place >= 0 else ""
        where = ".".join(map(str, path))
        self.found.append(f"{self._name}:{number}{column}: {f'[{where}] ' if where else ''}{' '.join(message.split())}")

    def wrong(self, path: tuple[Any, ...], error: WrongError, text: str) -> None:
        """Note what is wrong with an expression."""
        self.add(path, f"{error}{written_so(text)}", text=text, at=error.at)

    def misfit(self, path: tuple[Any, ...], error: msgspec.ValidationError, kind: Any) -> None:
        """Note that a table is not what it has to be."""
        said = str(error)
        place = _PLACE.search(said)
        inner = tuple(filter(None, _INDEX.sub("", place[1] if place else "").split(".")))
        if unknown := _UNKNOWN_FIELD.search(said):
            known = [field.encode_name for field in msgspec.structs.fields(kind)]
            more = guess(unknown[1], known) or f"; there is {', '.join(known)}"
            self.add((*path, *inner, unknown[1]), f"`{unknown[1]}` is not known here{more}")
        elif missing := _MISSING_FIELD.search(said):
            example = _EXAMPLES.get(missing[1], "...")
            what = {"says": "write the sentence", "cite": "say where the sentence stands"}
            self.add(
                (*path, *inner),
                f"has no `{missing[1]}`: {what.get(missing[1], 'it is needed')}, such as `{missing[1]} = {example}`",
            )
        else:
            key = str((*path, *inner)[-1])
            self.add((*path, *inner), in_words(_PLACE.sub("", said), key))

    # -- where a key stands --------------------------------------------------------------------------------------------

    def _marked(self) -> list[tuple[int, tuple[str, ...], frozenset[str]]]:
        """Return the lines with a key or a header: number, the names of the header, the keys."""
        header: tuple[str, ...] = ()
        marked = []
        for number, line in enumerate(self._lines, 1):
            if line.lstrip().startswith("#"):
                continue
            if match := _HEADER.match(line):
                header = tuple(part.strip('"') for part in match[1].split("."))
                marked.append((number, header, frozenset(header[-1:])))
            keys = [part for key in _KEY.findall(line) for part in ((key[1:-1],) if key[0] == '"' else key.split("."))]
            if keys:
                marked.append((number, header, frozenset(keys)))
        return marked

    def _line(self, *path: str) -> int:
        """Return the line of a key, else that of the table in which it should stand."""
        for length in range(len(path), 0, -1):
            want = path[:length]
            best, place = 0, 0
            for number, header, keys in self._marks:
                names = {*header, *keys}
                if want[-1] not in keys or not (want[0] in names or length == 1):
                    continue
                score = sum(2 for part in want if part in names) + sum(1 for part in want if part in header)
                if score > best:
                    best, place = score, number
            if place:
                return place
        return 1
