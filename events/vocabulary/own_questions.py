"""The designer's own questions to the players: `feedback.toml` in the workspace."""

import re
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from rapidfuzz import process

from tabletape.events.plans import planned
from tabletape.events.toml_text import TomlError, toml_of
from tabletape.events.workspace_files import GameFileError, lies_there, text_of

FILE: Final = "feedback.toml"
MOST: Final = 20
"""More questions than these nobody answers on a phone after a game."""

Kind = Literal["scale", "choice", "yes/no", "text", "card", "rule"]
"""How a question is answered; a scale goes from 1 to 5, `card` and `rule` ask which one."""

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class OwnQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question: its id in the log, what is asked, how it is answered; `options` are those of a choice.

    `low` and `high` are the ends of a scale in words. `games` are those after which it is asked; without them all.
    """

    id: Annotated[str, msgspec.Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
    ask: Words
    kind: Kind
    options: Annotated[tuple[Words, ...], msgspec.Meta(max_length=MOST)] = ()
    low: str = ""
    high: str = ""
    games: tuple[str, ...] = ()


@planned
class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    question: Annotated[tuple[OwnQuestion, ...], msgspec.Meta(max_length=MOST)] = ()


def own_questions(workspace: Path, game: str = "") -> tuple[OwnQuestion, ...]:
    """Return the designer's questions, of a `game` those that are asked after it; none where there is no file.

    Raises `GameFileError` with the line for whatever is wrong with the file.
    """
    file = workspace / FILE
    if not lies_there(file):
        return ()
    text = ""
    try:
        text = text_of(file)
        asked = msgspec.convert(toml_of(text), _File).question
        _require_sense(asked)
    except TomlError as error:
        raise GameFileError(f"{file}:{error.line}: {error}") from None
    except OSError as error:
        raise GameFileError(f"{file}: {error.strerror}") from None
    except (msgspec.ValidationError, ValueError) as error:
        raise GameFileError(f"{file}:{_line(text, str(error))}: {_reason(str(error))}") from None
    return tuple(each for each in asked if not game or not each.games or game in each.games)


def _require_sense(questions: tuple[OwnQuestion, ...]) -> None:
    for number, each in enumerate(questions):
        where = f" - at `$.question[{number}]"
        if any(other.id == each.id for other in questions[:number]):
            raise ValueError(f"the id {each.id!r} is there twice{where}.id`")
        if (each.kind == "choice") != bool(each.options):
            needs = "needs `options` to choose from" if each.kind == "choice" else "has no `options`: its kind says all"
            raise ValueError(f"the question {each.id!r} {needs}{where}.options`")


def _line(text: str, message: str) -> int:
    """Return the line of the question, or of the key in it, that a message names."""
    lines = text.splitlines()
    begins = [number for number, line in enumerate(lines, 1) if re.match(r"\s*\[\[\s*question\s*\]\]", line)]
    place = re.search(r"\$\.question\[(\d+)\](?:\.(\w+))?", message)
    if place is None or int(place[1]) >= len(begins):
        return 1
    first = begins[int(place[1])]
    end = begins[int(place[1]) + 1] - 1 if int(place[1]) + 1 < len(begins) else len(lines)
    key = re.search(r"unknown field `(\w+)`", message)
    name = key[1] if key else place[2] or ""
    keys = (number for number in range(first, end + 1) if name and re.match(rf"\s*{name}\s*=", lines[number - 1]))
    return next(keys, first)


def _reason(message: str) -> str:
    plain = re.sub(r" - at `\$[^`]*`", "", message).replace("Object missing required field", "the question needs")
    unknown = re.search(r"unknown field `(\w+)`", message)
    known = [field.name for field in msgspec.structs.fields(OwnQuestion)]
    if unknown is not None:
        near = process.extractOne(unknown[1], known, score_cutoff=60)
        hint = f"; did you mean `{near[0]}`?" if near else f"; there are {', '.join(known)}"
        return f"a question has no `{unknown[1]}`{hint}"
    if "Invalid enum value" in message:
        return f"{plain}; the kinds are scale, choice, yes/no, text, card and rule"
    return plain
