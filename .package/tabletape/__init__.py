"""The tape recorder of the card table: import playtest logs, replay them, audit them against the rulebook, count.

    import tabletape

    with tabletape.open("tabletape.db") as tape:
        tape.import_files("evenings/")
        for finding in tape.audit(game="splicers"):
            print(finding.game_id, finding.seq, finding.message)

What is named here is the interface for notebooks and scripts; `docs/how-to/use-from-python.md` shows it.
"""

TYPE_CHECKING = False  # Type checkers take it for true; `typing` takes longer to load than all of this.
if TYPE_CHECKING:
    from tabletape.dashboard.service.connection import RemoteTape, connect
    from tabletape.dashboard.tape.answers import AnsweredShare, DatasetFolder, QuestionAnswer
    from tabletape.dashboard.tape.games import FindingList, GameList, TapeGame
    from tabletape.dashboard.tape.mending import GameMending
    from tabletape.dashboard.tape.records import Records
    from tabletape.dashboard.tape.replaying import TapeReplay, TapeStep
    from tabletape.dashboard.tape.tape import Tape
    from tabletape.dashboard.tape.tape import open_tape as open  # noqa: A004 - `tabletape.open` reads as what it does
    from tabletape.events.errors import TabletapeError

__version__ = "0.1.0"

__all__ = [
    "AnsweredShare",
    "DatasetFolder",
    "FindingList",
    "GameList",
    "GameMending",
    "QuestionAnswer",
    "Records",
    "RemoteTape",
    "TabletapeError",
    "Tape",
    "TapeGame",
    "TapeReplay",
    "TapeStep",
    "connect",
    "open",
]

_PLACES = {
    "AnsweredShare": "dashboard.tape.answers",
    "DatasetFolder": "dashboard.tape.answers",
    "FindingList": "dashboard.tape.games",
    "GameList": "dashboard.tape.games",
    "GameMending": "dashboard.tape.mending",
    "QuestionAnswer": "dashboard.tape.answers",
    "Records": "dashboard.tape.records",
    "Tape": "dashboard.tape.tape",
    "TapeGame": "dashboard.tape.games",
    "TapeReplay": "dashboard.tape.replaying",
    "TapeStep": "dashboard.tape.replaying",
    "TabletapeError": "events.errors",
    "RemoteTape": "dashboard.service.connection",
    "connect": "dashboard.service.connection",
    "open": "dashboard.tape.tape:open_tape",
}
"""Where each name lies: it is loaded when it is first used, so that no command waits for what it does not need."""


def __getattr__(name: str) -> object:
    """Load a name of the interface (PEP 562). Raises `AttributeError` for any other."""
    if name not in _PLACES:
        raise AttributeError(f"module 'tabletape' has no attribute {name!r}: it has {', '.join(__all__)}")
    from importlib import import_module  # noqa: PLC0415 - the command begins here, and Ctrl-C is not yet in words

    module, _, own = _PLACES[name].partition(":")
    found: object = getattr(import_module(f"tabletape.{module}"), own or name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the names of the interface beside those of the module."""
    return sorted({*globals(), *__all__})
