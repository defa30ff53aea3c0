"""Why a line cannot be read, in plain words: from what the decoder says to code, place, reason and suggestion."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec
from rapidfuzz import fuzz, process

from tabletape.events.importing.quarantine.bad_lines import MIN_SIMILARITY, BadLineError, Path, did_you_mean, type_hint
from tabletape.events.vocabulary import SERVED, Decision, Event, Vocabulary, choices_of

WORDS: Final = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list […]",
    "object": "an object {…}",
    "null": "null",
    "datetime": "a time such as 2026-05-01T19:02:11Z",
}

SAID_OF_ENDS: Final = frozenset(
    ("pass", "passes", "passed", "done", "end", "ends", "end turn", "ends turn", "end of turn", "end of the turn")
)
"""What people say when they are done, whatever it is that a game has its players end."""

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""The numbers that people write as words, each at its place."""


def explain(error: Exception, fields: Any, vocabulary: Vocabulary) -> BadLineError:
    """Return why `fields` (a line as plain values) are no event of a game; `error` is what the decoder said."""
    if not isinstance(fields, Mapping):
        return BadLineError("wrong-type", (), f"an event is an object {{…}} of keys and values, not {_shown(fields)}")
    tag = fields.get("type")
    if "type" not in fields:
        return BadLineError("missing-field", (), "the line does not say what happened: `type` is missing")
    event_type = vocabulary.types.get(tag) if isinstance(tag, str) else None
    if event_type is None:
        message = f"{vocabulary.game} has no event type {_shown(tag)}"
        types = vocabulary.types
        near = _own_end(str(tag), types) or type_hint(str(tag), vocabulary) or _same_words(str(tag), types)
        return BadLineError("unknown-type", ("type",), message, near)
    text, _, place = str(error).partition(" - at `$")
    path = _path(place.rstrip("`"))
    for pattern, explain in _EXPLANATIONS:
        if match := pattern.fullmatch(text):
            return explain(match, path, event_type, _at(fields, path))
    return BadLineError("wrong-type", path, f"{_where(path)}{text}")


def _own_end(text: str, types: Mapping[str, type[Event]]) -> str:
    """Return the suggestion of what a player of a game ends, where somebody says to pass, to be done or to end a turn.

    By its letters `end turn` is nearer to a turn that starts.
    """
    ends = [tag for tag, kind in types.items() if tag.endswith(".ended") and issubclass(kind, Decision)]
    own = next((tag for tag in ends if tag == "turn.ended" or len(ends) == 1), "")
    return f"did you mean `{own}`?" if own and text.strip().casefold() in SAID_OF_ENDS else ""


def _same_words(text: str, types: Iterable[str]) -> str:
    """Return the suggestion of the type that has almost the words of a text in another order: `end of turn`."""
    words = {tag: tag.replace(".", " ").replace("-", " ") for tag in types}
    nearest = process.extractOne(text.casefold(), words, scorer=fuzz.token_sort_ratio, score_cutoff=MIN_SIMILARITY)
    return f"did you mean `{nearest[2]}`?" if nearest else ""


def _path(text: str) -> Path:
    """Read the decoder's path, `.players[0].name`."""
    return tuple(
        key or (int(index) if index.isdigit() else index)
        for key, index in re.findall(r"\.([^.\[]+)|\[([^\]]*)\]", text)
    )


def _at(fields: Any, path: Path) -> Any:
    """Return the value at a path; where the path says only `some key` (`[...]`), the value that holds it."""
    for step in path:
        try:
            fields = fields[step]
        except (KeyError, IndexError, TypeError):
            return fields
    return fields


def _where(path: Path) -> str:
    return f"`{path[0]}`: " if path else ""


def _shown(value: Any) -> str:
    """Show a value as it would stand in a log, shortened."""
    text = msgspec.json.encode(value).decode()
    return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}...`"


def _unknown_field(match: re.Match[str], path: Path, event_type: type[Event], _found: Any) -> BadLineError:
    name = match[1]
    known = [field.encode_name for field in msgspec.structs.fields(event_type) if field.name not in SERVED]
    message = f"`{event_type.__struct_config__.tag}` has no field `{name}`"
    if path:
        message = f"{_where(path)}there is no field `{name}` in it"
        known = []
    suggestion = did_you_mean(name, known) or (f"its fields are {', '.join(known)}" if known else "")
    return BadLineError("unknown-field", (*path, name), message, suggestion, at_key=True)


def _missing_field(match: re.Match[str], path: Path, event_type: type[Event], _found: Any) -> BadLineError:
    message = f"`{event_type.__struct_config__.tag}` needs the field `{match[1]}`"
    return BadLineError("missing-field", path, f"{_where(path)}the field `{match[1]}` is missing" if path else message)


def _wrong_word(_match: re.Match[str], path: Path, event_type: type[Event], value: Any) -> BadLineError:
    choices = next(
        (choices_of(field.type) for field in msgspec.structs.fields(event_type) if field.encode_name == path[0]), ()
    )
    message = f"{_where(path)}{_shown(value)} is none of the words that may stand here: {', '.join(choices)}"
    return BadLineError("wrong-type", path, message, did_you_mean(str(value), choices))


def _one_of(match: re.Match[str], _path: Path, event_type: type[Event], _found: Any) -> BadLineError:
    stand = "both stand here" if match[2] == "both" else "neither does"
    fields = match[1].replace("`, `", "` and `")
    message = f"`{event_type.__struct_config__.tag}` needs exactly one of {fields}, but {stand}"
    return BadLineError("one-of", (), message)


def _wrong_type(match: re.Match[str], path: Path, _event_type: type[Event], value: Any) -> BadLineError:
    wanted = " or ".join(WORDS.get(word.strip(" `"), word.strip(" `")) for word in match[1].split("|"))
    number = _number_in(value) if "int" in match[1] else ""
    suggestion = f"did you mean `{number}`?" if number else ""
    return BadLineError("wrong-type", path, f"{_where(path)}{wanted} is expected, not {_shown(value)}", suggestion)


def _number_in(text: Any) -> str:
    """Return the number in `2 cards` or `two`; empty where there is none, or more than one."""
    if not isinstance(text, str) or re.search(r"\d[.,]\d|-\d", text):
        return ""
    digits = [word for word in re.findall(r"\d+", text) if word.isascii()]
    words = [str(NUMBERS.index(word)) for word in text.casefold().split() if word in NUMBERS]
    return (digits + words)[0] if len(digits + words) == 1 else ""


def _too_low(match: re.Match[str], path: Path, _event_type: type[Event], value: Any) -> BadLineError:
    return BadLineError("wrong-type", path, f"{_where(path)}at least {match[1]} is expected, not {_shown(value)}")


def _too_high(match: re.Match[str], path: Path, _event_type: type[Event], value: Any) -> BadLineError:
    return BadLineError("wrong-type", path, f"{_where(path)}at most {match[1]} is expected, not {_shown(value)}")


def _out_of_range(_match: re.Match[str], path: Path, _event_type: type[Event], value: Any) -> BadLineError:
    return BadLineError("wrong-type", path, f"{_where(path)}the number {_shown(value)} is out of any range")


def _too_long(match: re.Match[str], path: Path, _event_type: type[Event], value: Any) -> BadLineError:
    message = f"{_where(path)}at most {match[1]} entries are expected, not {len(value):,}"
    return BadLineError("wrong-type", path, message)


def _no_time(_match: re.Match[str], path: Path, _event_type: type[Event], value: Any) -> BadLineError:
    message = f"{_where(path)}{_shown(value)} is no time with a time zone"
    return BadLineError(
        "wrong-type",
        path,
        message,
        "write it as 2026-05-01T19:02:11Z or …+02:00, or import it with --zone Europe/Berlin",
    )


_Say = Callable[[re.Match[str], Path, type[Event], Any], BadLineError]

_EXPLANATIONS: Final[tuple[tuple[re.Pattern[str], _Say], ...]] = (
    (re.compile(r"Object contains unknown field `(.*)`"), _unknown_field),
    (re.compile(r"Object missing required field `(.*)`"), _missing_field),
    (re.compile(r"Invalid enum value .*"), _wrong_word),
    (re.compile(r"Expected exactly one of (.*), got (both|neither)"), _one_of),
    (re.compile(r"Expected `int` >= (-?\d+)"), _too_low),
    (re.compile(r"Expected `int` <= (-?\d+)"), _too_high),
    (re.compile(r"Expected `(?:array|object)` of length <= (\d+)"), _too_long),
    (re.compile(r"(?:Integer value|Number) out of range"), _out_of_range),
    (re.compile(r"Expected `datetime`.*|Invalid RFC3339.*"), _no_time),
    (re.compile(r"Expected `(.*?)`(?:, got `.*`| of length .*)?"), _wrong_type),
)
