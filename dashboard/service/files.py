"""Files in and answers out: what a designer asks of the service beside the games."""

import io
import tempfile
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

import msgspec
import pyarrow as pa
from pyarrow import csv, ipc

from tabletape.dashboard.questions import question as question_called
from tabletape.dashboard.questions import questions as all_questions
from tabletape.dashboard.service.refusals import CannotReadError
from tabletape.dashboard.tape.answers import DatasetFolder
from tabletape.events.errors import TabletapeError
from tabletape.events.importing import FileReport, Options, import_paths
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.finding import fitting_map, map_of_file
from tabletape.events.importing.maps.map import MapError
from tabletape.events.log import Log
from tabletape.projector.archive.stored import import_options, workspace
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.freshness import folder_of, outdated
from tabletape.projector.datasets.pack_builder import alone
from tabletape.projector.datasets.plans import Request

ARROW = "application/vnd.apache.arrow.stream"


def imported(
    log: Log, name: str, content: bytes, beside: Path | None = None, chosen: Path | None = None
) -> dict[str, Any]:
    """Import a file, and return what became of it and of its games. Raises `CannotReadError` for one without a name.

    It is read by a `chosen` map, or by one that fits: also one that lies `beside` this path.
    """
    called = PurePath(name.replace("\\", "/")).name
    if not called or not content:
        raise CannotReadError("a file needs a name (?name=evening.jsonl) and something in it")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        file = folder / called
        try:
            file.write_bytes(content)
        except (OSError, ValueError):
            raise CannotReadError(f"no file can be called {called[:80]!r}") from None
        options = replace(import_options(workspace(log)), folder=folder)
        options = replace(options, maps=_maps(file, content, options, beside, chosen))
        report = import_paths(log, [file], options)
    if len(report.files) != 1:
        raise CannotReadError(f"{called} is no file that can be imported")
    return {**_told(report.files[0]), "head": log.head()}


def _told(one: FileReport) -> dict[str, Any]:
    """Return what became of a file and of its games."""
    return {
        "file": one.name,
        "format": one.format,
        "lines": one.lines,
        "games": [
            {
                "game_id": each.game_id,
                "status": f"{each.status}",
                "events": each.events,
                "contradiction": each.contradiction,
            }
            for each in one.games
        ],
        "quarantined": one.quarantined,
        "entries": [
            {"place": each.place, "message": each.message, "suggestion": each.suggestion} for each in one.entries[:100]
        ],
        "problem": one.problem.message if one.problem else "",
        "remarks": one.remarks,
    }


def _maps(file: Path, content: bytes, options: Options, beside: Path | None, chosen: Path | None) -> dict[str, Any]:
    """Return the map by which a file is to be read, by its path; none where the import finds it, or reads it itself."""
    try:
        if chosen is not None:
            return {str(file): map_of_file(chosen)}
        fitting = fitting_map(beside, content, options.workspace) if beside is not None else None
    except (MapError, ForeignError) as error:
        raise CannotReadError(f"{error}") from None
    return {str(file): fitting} if fitting is not None else {}


def questions() -> list[dict[str, str]]:
    """Return the questions that can be asked."""
    return [{"name": each.name, "title": each.title, "group": each.group} for each in all_questions()]


def answered(log: Log, name: str, game: str, accept: str) -> tuple[bytes, str]:
    """Return the answer to a question and its media type, in the form that is asked for. Raises `CannotReadError`."""
    try:
        question_called(name)
        if outdated(log):
            build(log, Request(), engine=alone)
        table = DatasetFolder(folder_of(log), log).ask(name, game=game).table
    except TabletapeError as error:
        raise CannotReadError(f"{error}") from None
    if "arrow" in accept:
        return _arrow(table), ARROW
    if "csv" in accept:
        stream = io.BytesIO()
        csv.write_csv(table, stream)
        return stream.getvalue(), "text/csv; charset=utf-8"
    return msgspec.json.encode(table.to_pylist()), "application/json"


def _arrow(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    with ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    return stream.getvalue()
