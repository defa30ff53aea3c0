"""The mistakes of a file, each with its line, found by header and key: the reader of TOML keeps no places."""

import re
from typing import Any, Final

import msgspec

from tabletape.events.rules_file.values import WrongError, guess

MOST: Final = 50
"""Mistakes beyond these are not told: whoever mends the first ones has others then."""

_HEADER: Final = re.compile(r"\s*\[+\s*([^\]]+?)\s*\]")
_KEY: Final = re.compile(r'("[^"]+"|[\w.-]+)\s*(?==[^=])')
_UNKNOWN: Final = re.compile(r"unknown field `(.*?)`")
_MISSING: Final = re.compile(r"missing required field `(.*?)`")
_PLACE: Final = re.compile(r" - at `\$\.?(.*?)`$")
_EXAMPLES: Final = {"says": '"A clue costs one token."', "cite": '"L16"', "that": '"tokens > 0"', "does": "[]"}


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
        self.found.append(f"{self._name}:{number}{column}: {f'[{where}] ' if where else ''}{message}")

    def wrong(self, path: tuple[Any, ...], error: WrongError, text: str) -> None:
        """Note what is wrong with an expression."""
        self.add(path, str(error), text=text, at=error.at)

    def misfit(self, path: tuple[Any, ...], error: msgspec.ValidationError, kind: Any) -> None:
        """Note that a table is not what it has to be."""
        said = str(error)
        place = _PLACE.search(said)
        inner = tuple(part for part in (place[1] if place else "").split(".") if part and "[" not in part)
        if unknown := _UNKNOWN.search(said):
            known = [field.encode_name for field in msgspec.structs.fields(kind)]
            more = guess(unknown[1], known) or f"; there is {', '.join(known)}"
            self.add((*path, *inner, unknown[1]), f"`{unknown[1]}` is not known here{more}")
        elif missing := _MISSING.search(said):
            example = _EXAMPLES.get(missing[1], "...")
            what = {"says": "write the sentence", "cite": "say where the sentence stands"}
            self.add(
                (*path, *inner),
                f"has no `{missing[1]}`: {what.get(missing[1], 'it is needed')}, such as `{missing[1]} = {example}`",
            )
        else:
            self.add((*path, *inner), _PLACE.sub("", said).replace("Expected", "expected").replace("Object", "a table"))

    # -- where a key stands --------------------------------------------------------------------------------------------

    def _marked(self) -> list[tuple[int, tuple[str, ...], frozenset[str]]]:
        """Return the lines with a key or a header: number, the names of the header, the keys."""
        header: tuple[str, ...] = ()
        found = []
        for number, line in enumerate(self._lines, 1):
            if line.lstrip().startswith("#"):
                continue
            if match := _HEADER.match(line):
                header = tuple(part.strip('"') for part in match[1].split("."))
                found.append((number, header, frozenset(header[-1:])))
            keys = [part for key in _KEY.findall(line) for part in ((key[1:-1],) if key[0] == '"' else key.split("."))]
            if keys:
                found.append((number, header, frozenset(keys)))
        return found

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
