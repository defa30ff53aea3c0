"""What the service can be asked: each operation once, for the routes, for OpenAPI and for the page that shows it."""

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from tabletape.dashboard.service.feedback import NewForm
from tabletape.dashboard.service.keeping import AgreedPlay, Answer, TakeBack
from tabletape.dashboard.service.reading import DueLine, LegalLine, ReadLine
from tabletape.dashboard.service.tokens import Whose
from tabletape.dashboard.service.writing import WriteAnswer
from tabletape.projector.model.areas import Area
from tabletape.projector.model.rules import Finding
from tabletape.projector.scribing.after_finding import AgreedRuling
from tabletape.projector.scribing.beginning import Beginning
from tabletape.projector.scribing.forms import Form
from tabletape.projector.scribing.judged import JudgedRule
from tabletape.projector.scribing.screen_parts import Screen

Answers = Literal["json", "stream", "html", "text"]


class GameBegun(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was begun, and where its lines are."""

    game_id: str
    seq: int
    events: str


class GameEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A game: its id, which game it is, who plays, how many events it has, the number of the last one.

    `open`: it was kept here, by people, and is not over.
    """

    game_id: str
    game: str
    edition: str
    players: dict[str, str]
    events: int
    seq: int
    open: bool


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be asked: its method and path, what it does, what it takes and answers, and who may ask."""

    name: str
    path: str
    does: str
    method: Literal["GET", "POST"] = "GET"
    answers: Any = None
    status: int = 200
    form: Answers = "json"
    takes: Any = None
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    refusals: tuple[int, ...] = ()
    whose: Whose = "token"

    @property
    def asks_token(self) -> bool:
        """Whether it is done for nobody without a token."""
        return self.whose != "everybody"


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """What changes when a game does."""

    stamp: str


class FormPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where a game's form for its players is, and a picture of that address for a phone."""

    address: str
    picture: str


_VIEWER: Final = (
    "viewer",
    "a player's id, or `public`; the token of a player or viewer sees no more than that",
)
_KEY: Final = ("Idempotency-Key", "a word of your own: the same request again with it is done once")
_BEHIND: Final = ("If-Match", "the number of the last line that you know, in quotation marks; else behind the last")
_SHOW: Final = ("show", "`screen`: the answer has the screen in it, for who reads everything")
_AFTER: Final = ("after", "only lines behind this number")

_WRITING_PARTS: Final[Any] = {
    "query": (_VIEWER, _SHOW),
    "headers": (_BEHIND, _KEY),
    "refusals": (404, 409, 413, 422),
}
"""What all operations that write lines have in common."""

GAME: Final = "/v1/games/{id}"


def _reads(name: str, path: str, does: str, answers: Any = None, **others: Any) -> Operation:
    """Return what answers and changes nothing; a path that names something refuses what is not there."""
    refusals = (404,) if "{" in path else ()
    return Operation(**{"name": name, "path": path, "does": does, "answers": answers, "refusals": refusals} | others)


def _does(name: str, path: str, does: str, answers: Any, **others: Any) -> Operation:
    """Return what changes something; it is sent to the path."""
    return _reads(name, path, does, answers, method="POST", **others)


OPERATIONS: Final[Sequence[Operation]] = (
    _does(
        "begin",
        "/v1/games",
        "Begin a game.",
        GameBegun,
        whose="beginner",
        status=201,
        takes=Beginning,
        headers=(_KEY,),
        refusals=(422,),
    ),
    _reads(
        "beginnings",
        "/v1/beginnings",
        "List what a game can begin with: games, editions, rulings, decks.",
        dict[str, Any],
        whose="beginner",
    ),
    _reads("games", "/v1/games", "List the games, the newest first.", list[GameEntry]),
    _reads("game", GAME, "Show a game.", GameEntry),
    _does(
        "write",
        f"{GAME}/events",
        "Write a line, a list of lines, or one a line (application/x-ndjson): all or none. The answer comes when "
        "they are on the disk, with what is found now that was not found before, and what is due.",
        WriteAnswer,
        whose="writer",
        takes=dict[str, Any] | list[dict[str, Any]],
        **_WRITING_PARTS,
    ),
    _reads(
        "events", f"{GAME}/events", "Read the lines of a game, at most 1,000.", list[ReadLine], query=(_VIEWER, _AFTER)
    ),
    _reads(
        "table",
        f"{GAME}/table",
        "Read the table as it is drawn.",
        list[Area],
        query=(_VIEWER, ("at", "as it was after the line with this number")),
    ),
    _reads(
        "findings",
        f"{GAME}/findings",
        "Read what is wrong, with its place in the rulebook.",
        list[Finding],
        query=(_VIEWER,),
    ),
    _reads("due", f"{GAME}/due", "Read which lines are owed now.", list[DueLine], query=(_VIEWER,)),
    _reads(
        "legal",
        f"{GAME}/legal",
        "Read what may be decided now, at most 200 decisions.",
        list[LegalLine],
        query=(_VIEWER,),
    ),
    _reads(
        "stream",
        f"{GAME}/stream",
        "Hear lines as they come (`line`, its number as id) and, behind them, findings and what is due (`state`). "
        "A comment is sent every 15 seconds; with a `problem` it ends, and whoever follows asks again.",
        form="stream",
        query=(_VIEWER, _AFTER, ("delay", "seconds, at most 600, that everything comes late")),
        headers=(("Last-Event-ID", "the number of the last line that came"),),
    ),
    _reads(
        "board", f"{GAME}/board", "Read all steps of a game for the board of a page.", dict[str, Any], query=(_VIEWER,)
    ),
    _does(
        "answer",
        f"{GAME}/answers",
        "Answer what is asked: by the number of the question, or a line for which cards are drawn.",
        WriteAnswer,
        whose="keeper",
        takes=Answer,
        **_WRITING_PARTS,
    ),
    _does(
        "take-back",
        f"{GAME}/undo",
        "Take lines back, or write again what was taken back last.",
        WriteAnswer,
        whose="keeper",
        takes=TakeBack,
        **_WRITING_PARTS,
    ),
    _does(
        "agree",
        f"{GAME}/rulings",
        "Write down that the table plays it so: by a ruling from its beginning on, or by a house rule.",
        WriteAnswer,
        whose="keeper",
        takes=AgreedPlay,
        **_WRITING_PARTS,
    ),
    _reads(
        "rulings",
        f"{GAME}/rulings",
        "Read the rulings under which a finding goes away.",
        list[AgreedRuling],
        whose="keeper",
        query=(("seq", "the line of the finding"), ("rule", "its rule")),
        refusals=(404, 422),
    ),
    _reads(
        "screen",
        f"{GAME}/screen",
        "Read what the scribe's page shows: the table, what is asked, what may be decided, findings.",
        Screen,
        whose="keeper",
        query=(
            _VIEWER,
            ("tap", "something that was tapped; may be repeated"),
            ("typed", "what was typed"),
            ("begins", "the line of a decision to go on from, as JSON"),
            ("whatever", "also what no rule allows"),
        ),
        refusals=(404, 422),
    ),
    _reads("forms", f"{GAME}/forms", "Read a form for each type of line.", list[Form], whose="keeper"),
    _reads(
        "judged",
        f"{GAME}/judged",
        "Read which rules were looked at with a line, or with the last one.",
        list[JudgedRule],
        whose="keeper",
        query=(("on", "the number of the line"),),
        refusals=(404, 422),
    ),
    _reads(
        "changes",
        f"{GAME}/changes",
        "Wait until a game is not as you know it, at most 25 seconds: for programs that cannot hear a stream.",
        Changed,
        whose="keeper",
        query=(("stamp", "what the last answer, or a screen, said"),),
    ),
    _does(
        "open-form",
        f"{GAME}/form",
        "Open a form on which the players say how it was; its code opens that form and nothing else.",
        FormPlace,
        whose="keeper",
        takes=NewForm,
        refusals=(404, 422),
    ),
    _reads("form", "/form/{code}/feedback", "Read what a form asks.", dict[str, Any], whose="everybody"),
    _does(
        "feedback",
        "/form/{code}/feedback",
        "Say how it was: a `feedback.given` without its type.",
        dict[str, int],
        takes=dict[str, Any],
        headers=(_KEY,),
        whose="everybody",
        refusals=(404, 413, 422),
    ),
    _does(
        "import",
        "/v1/imports",
        "Import a file: its content is the body. The answer is the report of the import.",
        dict[str, Any],
        whose="designer",
        query=(("name", "the name of the file, with its ending"),),
        refusals=(413, 422),
    ),
    _reads("questions", "/v1/questions", "List the questions.", list[dict[str, str]], whose="log"),
    _reads(
        "question",
        "/v1/questions/{name}",
        "Answer a question, as JSON, or as CSV or an Arrow stream by `Accept`.",
        list[dict[str, Any]],
        whose="log",
        query=(("game", "only this game"),),
        refusals=(404, 422),
    ),
    _reads("metrics", "/metrics", "Count what was asked (Prometheus).", whose="designer", form="text"),
    _reads("health", "/healthz", "Say whether the log can be read.", dict[str, str], whose="everybody"),
    _reads(
        "watch",
        "/watch/{id}",
        "Show a game as it is played; the token stands behind `#` in the address.",
        form="html",
        whose="everybody",
        refusals=(),
    ),
    _reads("openapi", "/v1/openapi.json", "Describe all this (OpenAPI 3.1).", dict[str, Any], whose="everybody"),
    _reads("page", "/v1/", "Describe all this to people.", form="html", whose="everybody"),
)
