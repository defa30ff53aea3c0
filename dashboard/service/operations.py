"""What the service can be asked: each operation once, for the routes, for OpenAPI and for the page that shows it."""

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from tabletape.dashboard.service.feedback import NewForm
from tabletape.dashboard.service.keeping import AgreedPlay, Answer, TakeBack
from tabletape.dashboard.service.reading import DueLine, LegalLine, ReadLine
from tabletape.dashboard.service.tokens import Whose
from tabletape.dashboard.service.writing import WriteAnswer
from tabletape.projector.model.game import Area
from tabletape.projector.model.rules import Finding
from tabletape.projector.scribing.after_finding import AgreedRuling
from tabletape.projector.scribing.beginning import Beginning
from tabletape.projector.scribing.forms import Form
from tabletape.projector.scribing.judged import JudgedRule
from tabletape.projector.scribing.screen import Screen

Answers = Literal["json", "stream", "html", "text"]


class GameBegun(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was begun, and where its lines are."""

    game_id: str
    seq: int
    events: str


class GameEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A game: its id, which game it is, who plays, how many events it has, the number of the last one."""

    game_id: str
    game: str
    edition: str
    players: dict[str, str]
    events: int
    seq: int


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be asked: its method and path, what it does, what it takes and answers, and who may ask."""

    name: str
    method: Literal["GET", "POST"]
    path: str
    does: str
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

_WRITING: Final[Any] = {
    "query": (_VIEWER, _SHOW),
    "headers": (_BEHIND, _KEY),
    "refusals": (404, 409, 413, 422),
}
"""What all operations that write lines have in common."""

OPERATIONS: Final[Sequence[Operation]] = (
    Operation(
        name="begin",
        whose="beginner",
        method="POST",
        path="/v1/games",
        status=201,
        takes=Beginning,
        answers=GameBegun,
        does="Begin a game.",
        headers=(_KEY,),
        refusals=(422,),
    ),
    Operation(
        name="beginnings",
        whose="beginner",
        method="GET",
        path="/v1/beginnings",
        answers=dict[str, Any],
        does="List what a game can begin with: games, editions, rulings, decks.",
    ),
    Operation(
        name="games", method="GET", path="/v1/games", answers=list[GameEntry], does="List the games, the newest first."
    ),
    Operation(
        name="game", method="GET", path="/v1/games/{id}", answers=GameEntry, does="Show a game.", refusals=(404,)
    ),
    Operation(
        name="write",
        whose="writer",
        method="POST",
        path="/v1/games/{id}/events",
        takes=dict[str, Any] | list[dict[str, Any]],
        answers=WriteAnswer,
        does="Write a line, a list of lines, or one a line (application/x-ndjson): all or none. The answer comes when "
        "they are on the disk, with what is found now that was not found before, and what is due.",
        **_WRITING,
    ),
    Operation(
        name="events",
        method="GET",
        path="/v1/games/{id}/events",
        answers=list[ReadLine],
        refusals=(404,),
        does="Read the lines of a game, at most 1,000.",
        query=(_VIEWER, _AFTER),
    ),
    Operation(
        name="table",
        method="GET",
        path="/v1/games/{id}/table",
        answers=list[Area],
        refusals=(404,),
        does="Read the table as it is drawn.",
        query=(_VIEWER, ("at", "as it was after the line with this number")),
    ),
    Operation(
        name="findings",
        method="GET",
        path="/v1/games/{id}/findings",
        answers=list[Finding],
        refusals=(404,),
        does="Read what is wrong, with its place in the rulebook.",
        query=(_VIEWER,),
    ),
    Operation(
        name="due",
        method="GET",
        path="/v1/games/{id}/due",
        answers=list[DueLine],
        refusals=(404,),
        does="Read which lines are owed now.",
        query=(_VIEWER,),
    ),
    Operation(
        name="legal",
        method="GET",
        path="/v1/games/{id}/legal",
        answers=list[LegalLine],
        refusals=(404,),
        does="Read what may be decided now, at most 200 decisions.",
        query=(_VIEWER,),
    ),
    Operation(
        name="stream",
        method="GET",
        path="/v1/games/{id}/stream",
        form="stream",
        refusals=(404,),
        does="Hear lines as they come (`line`, its number as id) and, behind them, findings and what is due (`state`). "
        "A comment is sent every 15 seconds; with a `problem` it ends, and whoever follows asks again.",
        query=(_VIEWER, _AFTER, ("delay", "seconds, at most 600, that everything comes late")),
        headers=(("Last-Event-ID", "the number of the last line that came"),),
    ),
    Operation(
        name="board",
        method="GET",
        path="/v1/games/{id}/board",
        does="Read all steps of a game for the board of a page.",
        answers=dict[str, Any],
        query=(_VIEWER,),
        refusals=(404,),
    ),
    Operation(
        name="answer",
        whose="keeper",
        method="POST",
        path="/v1/games/{id}/answers",
        takes=Answer,
        answers=WriteAnswer,
        does="Answer what is asked: by the number of the question, or a line for which cards are drawn.",
        **_WRITING,
    ),
    Operation(
        name="take-back",
        whose="keeper",
        method="POST",
        path="/v1/games/{id}/undo",
        takes=TakeBack,
        answers=WriteAnswer,
        does="Take lines back, or write again what was taken back last.",
        **_WRITING,
    ),
    Operation(
        name="agree",
        whose="keeper",
        method="POST",
        path="/v1/games/{id}/rulings",
        takes=AgreedPlay,
        answers=WriteAnswer,
        does="Write down that the table plays it so: by a ruling from its beginning on, or by a house rule.",
        **_WRITING,
    ),
    Operation(
        name="rulings",
        whose="keeper",
        method="GET",
        path="/v1/games/{id}/rulings",
        answers=list[AgreedRuling],
        does="Read the rulings under which a finding goes away.",
        query=(("seq", "the line of the finding"), ("rule", "its rule")),
        refusals=(404, 422),
    ),
    Operation(
        name="screen",
        whose="keeper",
        method="GET",
        path="/v1/games/{id}/screen",
        answers=Screen,
        does="Read what the scribe's page shows: the table, what is asked, what may be decided, findings.",
        query=(
            _VIEWER,
            ("tap", "something that was tapped; may be repeated"),
            ("typed", "what was typed"),
            ("begins", "the line of a decision to go on from, as JSON"),
            ("whatever", "also what no rule allows"),
        ),
        refusals=(404, 422),
    ),
    Operation(
        name="forms",
        whose="keeper",
        method="GET",
        path="/v1/games/{id}/forms",
        answers=list[Form],
        does="Read a form for each type of line.",
        refusals=(404,),
    ),
    Operation(
        name="judged",
        whose="keeper",
        method="GET",
        path="/v1/games/{id}/judged",
        answers=list[JudgedRule],
        does="Read which rules were looked at with a line, or with the last one.",
        query=(("on", "the number of the line"),),
        refusals=(404, 422),
    ),
    Operation(
        name="changes",
        whose="keeper",
        method="GET",
        path="/v1/games/{id}/changes",
        answers=Changed,
        does="Wait until a game is not as you know it, at most 25 seconds: for programs that cannot hear a stream.",
        query=(("stamp", "what the last answer, or a screen, said"),),
        refusals=(404,),
    ),
    Operation(
        name="open-form",
        whose="keeper",
        method="POST",
        path="/v1/games/{id}/form",
        takes=NewForm,
        answers=FormPlace,
        does="Open a form on which the players say how it was; its code opens that form and nothing else.",
        refusals=(404, 422),
    ),
    Operation(
        name="form",
        method="GET",
        path="/form/{code}/feedback",
        answers=dict[str, Any],
        does="Read what a form asks.",
        refusals=(404,),
        whose="everybody",
    ),
    Operation(
        name="feedback",
        method="POST",
        path="/form/{code}/feedback",
        takes=dict[str, Any],
        answers=dict[str, int],
        does="Say how it was: a `feedback.given` without its type.",
        headers=(_KEY,),
        refusals=(404, 413, 422),
        whose="everybody",
    ),
    Operation(
        name="import",
        whose="designer",
        method="POST",
        path="/v1/imports",
        answers=dict[str, Any],
        refusals=(413, 422),
        does="Import a file: its content is the body. The answer is the report of the import.",
        query=(("name", "the name of the file, with its ending"),),
    ),
    Operation(
        name="questions",
        whose="log",
        method="GET",
        path="/v1/questions",
        answers=list[dict[str, str]],
        does="List the questions.",
    ),
    Operation(
        name="question",
        whose="log",
        method="GET",
        path="/v1/questions/{name}",
        answers=list[dict[str, Any]],
        refusals=(404, 422),
        does="Answer a question, as JSON, or as CSV or an Arrow stream by `Accept`.",
        query=(("game", "only this game"),),
    ),
    Operation(
        name="metrics",
        whose="designer",
        method="GET",
        path="/metrics",
        form="text",
        does="Count what was asked (Prometheus).",
    ),
    Operation(
        name="health",
        method="GET",
        path="/healthz",
        answers=dict[str, str],
        does="Say whether the log can be read.",
        whose="everybody",
    ),
    Operation(
        name="watch",
        method="GET",
        path="/watch/{id}",
        form="html",
        does="Show a game as it is played; the token stands behind `#` in the address.",
        whose="everybody",
    ),
    Operation(
        name="openapi",
        method="GET",
        path="/v1/openapi.json",
        answers=dict[str, Any],
        does="Describe all this (OpenAPI 3.1).",
        whose="everybody",
    ),
    Operation(
        name="page", method="GET", path="/v1/", form="html", does="Describe all this to people.", whose="everybody"
    ),
)
