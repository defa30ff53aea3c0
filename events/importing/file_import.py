"""The import of one file: what it is, how it is read, which of its games are new, grown or changed."""

import shlex
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from tabletape.events.importing.differences import difference, only_mends
from tabletape.events.importing.files.known import KnownFiles, ReadingStamps, hash_of, kept_reading
from tabletape.events.importing.files.sources import (
    FILE_ERRORS,
    FOREIGN,
    NO_ZONE_CODE,
    NOT_LOOKED_AT_CODE,
    NotALogError,
    format_of_name,
    is_document,
    looks_foreign,
    problem,
    sniff,
    unforeseen,
    unknown_format,
    without_a_map,
)
from tabletape.events.importing.files.streams import Source, is_pipe
from tabletape.events.importing.games.checks import Checks
from tabletape.events.importing.games.notation import Notation, ReadGame
from tabletape.events.importing.games.reading import Reader
from tabletape.events.importing.lines.json_lines import JsonLines
from tabletape.events.importing.quarantine.bad_lines import BrokenGameError
from tabletape.events.importing.rejected import EnoughError, RejectedLines, StrictError
from tabletape.events.importing.remarks import EXAMPLE, EXAMPLE_ROWS, is_on_example, remarks_of, remarks_on_times
from tabletape.events.importing.report import FileReport, Options, TakenGame
from tabletape.events.importing.sheets.rows import Sheet, csv_rows
from tabletape.events.importing.sheets.workbooks import Workbook
from tabletape.events.log.rows import KeptReading, QuarantinedLine
from tabletape.events.log.schema import LogError
from tabletape.events.log.writing import Intake, LogWriter, Tail

if TYPE_CHECKING:
    from tabletape.events.importing.lines.text import MendsOfFile
    from tabletape.events.importing.maps.notation import MappedLog
    from tabletape.events.importing.readers import ReadLog


class FileImport:
    """The import of one file."""

    def __init__(self, name: str, error: NotALogError | None, options: Options, checks: Checks) -> None:
        self._options = options
        self._checks = checks
        self.name = options.name_of(name)
        self.report = FileReport(self.name)
        self.path = name
        self.named = True
        self.is_known = self._foreign = self._passed_over = False
        self.mends: Mapping[str, MendsOfFile] = {}
        self.stamps = ReadingStamps(options, checks, {})
        self._error = error
        self._open = ExitStack()
        self._source: Source | None = None
        self._workbook: Workbook | None = None
        self._mapped: MappedLog | ReadLog | None = None
        self._encoding, self._intake = "", 0
        self._rejected = RejectedLines(self.report, strict=options.strict)
        self._tape: LogWriter

    # -- before the log is locked --------------------------------------------------------------------------------------

    def recognise(self, before: KnownFiles) -> None:
        """Find out whether the file is one that was read before."""
        with self._refusing():
            if self._error is None and (known := before.report(self.path, self.name)):
                self.report, self.is_known = known, True

    def is_quick(self) -> bool:
        """Return whether the file can be read without waiting for somebody else or for a workbook."""
        if self.is_known:
            return True
        with self._refusing():
            if self._error is None and self._source is None and not is_pipe(self.path):
                self._look()
        return bool(self.report.problem or self._error or self._workbook or self._passed_over) or (
            self._source is not None and self.report.format != "xlsx"
        )

    def prepare(self) -> None:
        """Do what may take long: read a pipe to its end, and a workbook wholly."""
        with self._refusing():
            if self._error is None and self._source is None:
                self._look()
            if self._source is not None and self.report.format == "xlsx" and self._workbook is None:
                self._workbook = self._open.enter_context(Workbook(self._source.content))
                if not self._workbook.has_log():
                    self._mapped = self._map(self._workbook.as_csv())
                    if self._mapped is None:
                        raise without_a_map("a workbook in which no sheet has a column `type`", self.report.name)

    def _look(self) -> None:
        """Open the file and find out how it is written."""
        options = self._options
        source = Source(self.path, options.progress, any_size=options.any_size, wait=options.wait)
        self._open.callback(source.close)
        self._foreign = looks_foreign(source.start())
        if options.format is None and (options.map is not None or self._foreign):
            self._mapped = self._map(source.read_foreign())
            if self._mapped is not None:
                self._source = source
                return
            if is_document(source.start()):
                raise unknown_format(source.start(), self.report.name)
        kind = sniff(source.start())
        written_as = options.format or kind.format or format_of_name(self.path)
        is_sheet = written_as == "csv" and not (options.format or kind.format)
        if written_as is None or (is_sheet and b"game.started" not in source.start()):
            raise unknown_format(source.start(), self.report.name)
        self.report.format = written_as
        self._encoding = kind.encoding
        self._source = source

    def _map(self, content: bytes) -> "MappedLog | ReadLog | None":
        """Return a file as somebody's map, a reader, or else a shipped map that fits reads it; None where none does."""
        from tabletape.events.importing.mapped import has_own_map, mapped_log  # noqa: PLC0415 - most need no map
        from tabletape.events.importing.readers import read_log  # noqa: PLC0415 - nor a reader

        options = self._options
        own = has_own_map(self.path, content, options)
        reader: MappedLog | ReadLog | None = None if own else read_log(content, self.report.remark)
        if reader is None:
            reader = mapped_log((self.path, self.name), content, options, self._checks, self.mends.get(self.name, {}))
        self.report.format = reader.format if reader is not None else self.report.format
        return reader

    def close(self) -> None:
        """Release the file."""
        self._open.close()

    def refused(self, error: NotALogError) -> FileReport:
        """Return the report of a file of which nothing was taken."""
        self.report.refuse(problem(self.report.name, error))
        return self.report

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Turn whatever is wrong with the file into the refusal of it; what is wrong with the log goes on."""
        try:
            yield
        except StrictError as strict:
            self.report.refuse(strict.args[0])
        except BrokenGameError as error:  # A map has asked for the cards of its game.
            self.report.set_aside[error.message] = 1
        except NotALogError as error:
            # Somebody's notes beside the logs are no mistake, but they are not passed over in silence.
            foreign = not self.named and Path(self.path).suffix.lower() in FOREIGN
            if foreign and error.code in {"unknown-format", "empty", "json-list"}:
                self._passed_over = True
                self.report.remark(f"passed over: {error}; {error.suggestion}")
            else:
                self.refused(error)
        except FILE_ERRORS as error:
            self.refused(NotALogError("damaged", f"the file is damaged: {error}", "fetch it again"))
        except OSError as error:
            self.refused(NotALogError("no-file", f"the file cannot be read: {error.strerror or error}"))
        except (SQLAlchemyError, LogError):
            raise
        except Exception as error:  # noqa: BLE001 - the files beside it are not to suffer
            self.refused(unforeseen("file", error))

    # -- while the log is locked ---------------------------------------------------------------------------------------

    def run(self, tape: LogWriter) -> FileReport:
        """Import the file, or leave no trace of it."""
        if self.is_known:
            return self.report
        if self._error is not None:
            return self.refused(self._error)
        if self._source is None or self.report.problem:
            self.close()
            return self.report
        self._tape, self._intake = tape, tape.next_intake()
        self._rejected.goes_to(tape)
        mark, keep = tape.mark(), False
        with self._refusing():
            keep = self._take(self._source)
        tape.release(mark, keep=keep)
        self.close()
        return self.report

    def _take(self, source: Source) -> bool:
        """Read the file into the tape; return whether there is anything to keep."""
        report = self.report
        self._checks.clock.without_zone = self._checks.clock.without_day = False
        for name, notation in self._notations(source):
            reader = Reader(name, notation, self._checks, self._finish, self._rejected.add)
            try:
                reader.read(self.mends.get(name, {}))
            except EnoughError as enough:
                last = reader.pass_over_rest()
                more = ", nor the sheets behind this one" if self._workbook is not None else ""
                self._rejected.end_file(name, enough.args[0].line, last, more)
            except FILE_ERRORS as error:
                if not reader.lines:
                    raise
                reader.stop()
                message = f"the file is damaged after line {reader.lines}: {str(error) or 'it breaks off'}"
                damage = QuarantinedLine(name, reader.lines, 0, "damaged", message, "fetch it again", "")
                self._rejected.add(damage)
            report.lines += reader.lines
            for text in remarks_of(reader):
                report.remark(text)
            if self._workbook is not None and self._rejected.is_full:
                break
        self._rejected.end_doubts()
        report.remarks += self._checks.refused_cards()
        return self._settle(source)

    def _settle(self, source: Source) -> bool:
        """Ask what has to be known before a file is stored; return whether there is anything to keep."""
        report = self.report
        if self._is_copy(source):
            return False
        self._ask_for_zone()
        if self._options.needs_look and self._mapped is not None and report.events:
            games = sum(bool(taken.events) for taken in report.games)
            read = "1 game is" if games == 1 else f"{games} games are"
            raise NotALogError(NOT_LOOKED_AT_CODE, f"{read} read, and nothing is stored yet", "look at it, and say so")
        if report.set_aside and not report.games and not report.quarantined:
            return False
        if not report.games and not report.quarantined:
            if any(EXAMPLE in each for each in report.remarks):
                report.remarks.clear()
                raise NotALogError("empty", "the sheet is still empty", "write on it in place of its example")
            nothing = "; ".join(["there is no event in the file", *report.remarks])
            report.remarks.clear()
            raise NotALogError("empty", nothing, "a log begins with its game.started")
        return self._keep(source, *source.finish())

    def _is_copy(self, source: Source) -> bool:
        """Return whether a map reads the very bytes that came in under another name, and say so: no game counts twice.

        Its games are called like the file, so that nothing else tells that they are the same.
        """
        report = self.report
        if self._mapped is None or self._options.map is not None or {game.status for game in report.games} != {"new"}:
            return False
        before = self._tape.games_of(source.finish()[0])
        if len(before) < len(report.games) or report.name in before.values():
            return False
        self.report = FileReport(report.name, report.format)
        self.report.remark(
            f"byte for byte what was imported as {next(iter(before.values()))}: its games are not taken a second time; "
            f"where they are others, `tabletape import {shlex.quote(report.name)} --map MAP` takes them"
        )
        return True

    def _ask_for_zone(self) -> None:
        """Refuse a file whose times say no zone where somebody can be asked for it; say else what became of them."""
        clock, mapped = self._checks.clock, self._mapped
        if self._options.needs_zone and (clock.without_zone or (mapped is not None and mapped.is_without_zone)):
            raise NotALogError(NO_ZONE_CODE, "its times say no time zone", "`--zone Europe/Berlin` says it, once")
        self.report.remarks += remarks_on_times(clock, self.report.format)

    def _notations(self, source: Source) -> Iterator[tuple[str, Notation]]:
        """Return the file as a notation; a workbook may have several sheets with logs."""
        name, remark = self.report.name, self.report.remark
        if self._mapped is not None:
            yield name, self._mapped
            for text in self._mapped.remarks:
                remark(text)
            self.report.fates = list(self._mapped.fates)
            self._rejected.add_some(name, self._mapped.entries)
        elif self._workbook is not None:
            for sheet, rows in self._workbook.sheets():
                yield f"{name} [{sheet}]", Sheet(rows, self._checks.clock)
        elif self.report.format == "jsonl":
            yield name, JsonLines(source.content, self._encoding, remark)
        else:
            yield name, Sheet(csv_rows(source.content, self._encoding, remark), self._checks.clock)

    def _keep(self, source: Source, sha256: str, size: int) -> bool:
        """Keep the raw file and what belongs to it, unless the very same file brought nothing new.

        A file that was refused is not kept either: what it was to mend is still in quarantine.
        """
        report = self.report
        raw = self._tape.raw_file(sha256)
        # A map that comes later may read what looks like a file of another program.
        reading = kept_reading(report, self.stamps, may_change=bool(self._mapped or self._foreign))
        if not report.kept or (raw is not None and report.events == 0 and not self._is_read_differently(raw, reading)):
            return False
        if raw is None:
            raw = self._tape.keep(sha256, report.name, size, source.parts())
        self._rejected.flush()
        self._tape.quarantine(report.quarantined + 1, map(self._left_out, report.refused))
        self._tape.add_intake(Intake(raw, report.name, report.format, report.lines), reading)
        if self._mapped is not None and not self._options.dry_run:
            self._mapped.remember(self._options.workspace)
        return True

    def _is_read_differently(self, raw: int, reading: KeptReading | None) -> bool:
        """Return whether this is the file as it came last, but what is kept of its reading is no longer so.

        What cannot be read of it is different, or its reading depends on something else, as after an update: without
        the new stamp the file would be read whole each time that it comes.
        """
        last = self._tape.arrival(self.report.name)
        if last is None or last.raw_file != raw:
            return False
        is_restamped = reading is not None and self._tape.stamp(self.report.name) != reading.stamp
        has_other_map = self._mapped is not None and last.format != self.report.format
        return is_restamped or has_other_map or self._tape.unread(self.report.name) != self._rejected.messages

    def _left_out(self, refused: TakenGame) -> QuarantinedLine:
        """Return the entry for a game that was refused while others of its file were taken."""
        name, way_out = self.report.name, self.report.revising
        return QuarantinedLine(name, refused.line, 0, "contradicts", refused.contradiction, way_out, "")

    def _finish(self, game: ReadGame) -> None:
        """Append what the log does not have yet of a game; the example of a sheet for logs was never played."""
        if is_on_example(game):
            self._pass_over_example(game)
            return
        unknown_edition = self._checks.edition(game.head)
        if unknown_edition:
            self.report.remark(unknown_edition)
        tails = self._tape.tails(game.head.id)
        taken = self._compare(game, tails) if tails else self._start(game, 1)
        self.report.games.append(taken)
        if taken.status != "refused":
            self.report.changed += ((game.head.id, seq, text) for seq, text in game.changed.items())

    def _pass_over_example(self, game: ReadGame) -> None:
        """Take nothing of the example of a sheet; of a game that was written below it say what is to be done."""
        if len(game.chain.rows.seqs) <= EXAMPLE_ROWS:
            self.report.remark(f"{EXAMPLE} passed over")
            return
        message = f"who plays and begins here is still {EXAMPLE}, so the game below it is not taken"
        way_out = "write who played into its first row, and delete the other grey rows"
        self._rejected.add(QuarantinedLine(game.file, game.line, 0, "example", message, way_out, ""))

    def _start(self, game: ReadGame, revision: int, earlier: int | None = None) -> TakenGame:
        """Append a whole game, new or as the next revision; a revision is of a game that was played by older cards."""
        rows = game.chain.rows
        number = self._tape.start(game.head, revision)
        self._tape.append(number, rows, self._intake)
        texts = self._checks.card_texts(game.head.game)
        if earlier is not None:
            self._tape.keep_cards_of(number, earlier)
        elif texts is not None:
            self._tape.keep_cards(number, texts)
        return game.taken("new" if revision == 1 else "revised", revision, len(rows.seqs))

    def _compare(self, game: ReadGame, tails: list[Tail]) -> TakenGame:
        """Compare a game with its revisions in the log; hashes are equal where everything before is."""
        latest = tails[0]
        rows = game.chain.rows
        behind = bisect_right(rows.seqs, latest.last_seq)
        if behind and rows.hashes[behind - 1] == latest.last_hash:
            self._tape.append(latest.number, rows.behind(behind), self._intake)
            new = len(rows.seqs) - behind
            return game.taken("grown" if new else "unchanged", latest.revision, new)
        is_kept = self.path in self._options.names and self._tape.source_of(latest.number) == self.report.name
        for tail in tails[:1] if is_kept else tails:  # What a kept file is read as now stands, as it may have before.
            end = self._tape.row(tail.number, rows.seqs[-1])
            if end is not None and end[5] == rows.hashes[-1] and not (self._options.revise and self._has_other_map()):
                return game.taken("unchanged", tail.revision, 0)
        stored, read = [*self._tape.rows(latest.number)], [*rows.each()]
        if self._options.revise or self._reads_otherwise(latest) or only_mends(stored, read, self._unread_before(game)):
            return self._start(game, latest.revision + 1, latest.number)
        return game.taken("refused", latest.revision, 0)._replace(difference=difference(stored, read))

    def _reads_otherwise(self, latest: Tail) -> bool:
        """Return whether a game came from this file, and only how it is read is another: that is no contradiction.

        The file comes out of the log itself (it was mended, or its map), had another map or zone last time, or begins
        as it did when an older Tabletape read it.
        """
        last = self._tape.arrival(self.report.name)
        if last is None or self._tape.source_of(latest.number) != self.report.name:
            return False
        return self._has_other_map() or self.path in self._options.names or self._begins_as(last.raw_file)

    def _has_other_map(self) -> bool:
        """Return whether the file had another map last time: the end of its game may be talk now."""
        last = self._tape.arrival(self.report.name)
        return last is not None and self._mapped is not None and last.format != self.report.format

    @lru_cache(maxsize=1)  # noqa: B019 - an import of a file is gone with its report
    def _begins_as(self, raw_file: int) -> bool:
        """Return whether the file begins as a kept one, byte for byte; never where it comes out of a pipe."""
        sha256, size = self._tape.kept_file(raw_file)
        spooled = self._source if self._workbook is not None else None
        return (spooled.finish()[0] if spooled is not None else hash_of(self.path, size)) == sha256

    def _unread_before(self, game: ReadGame) -> int:
        """Count the lines of the game that were in quarantine when the file was last taken."""
        return sum(game.file == file and game.line < line < game.end for file, line in self._tape.unread(self.name))
