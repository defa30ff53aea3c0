"""The page on which logs are handed in: dropped files are imported at once, and the page shows what became of them."""

import tempfile
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any, Final, NoReturn

import msgspec
import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.report.choosing import UNDATED_DAY
from tabletape.dashboard.sections.answers import folded
from tabletape.dashboard.sections.freshness import TAKEN_KEY, build_all
from tabletape.dashboard.sections.lists import LINES, finding_lines, game_in_words, nothing_found
from tabletape.dashboard.sections.looked_at import MAX_SHOWN, looked_at
from tabletape.dashboard.sections.map_steps import WITHOUT_A_MAP, content_of, map_steps, zone_here
from tabletape.dashboard.sections.open_lines import UNREAD, open_lines_section, show_fates, show_lines
from tabletape.dashboard.sections.starting_points import starting_points
from tabletape.dashboard.sections.which_game import names_no_known_game
from tabletape.dashboard.sections.who_won import mends_to_keep
from tabletape.dashboard.site import Site, answered
from tabletape.dashboard.workspace import log_address
from tabletape.events.importing import FileReport, ImportReport, Options, TakenGame, import_paths
from tabletape.events.importing.files.sources import NO_ZONE_CODE, NOT_LOOKED_AT_CODE
from tabletape.events.importing.maps.fates import NOT_READ_FATE, LineFate, remarks_on
from tabletape.events.importing.maps.values.times import NO_DAY, NO_ZONE_REMARK, ZoneError, zone_called
from tabletape.events.importing.quarantine.mends import keep_mends
from tabletape.events.log import Log
from tabletape.events.log.new import removed_if_empty
from tabletape.events.time_zone import remember_zone
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.projector.archive.audit import audit, reported
from tabletape.projector.archive.stored import import_options, workspace, workspace_at
from tabletape.projector.fold.detail import detail_of
from tabletape.projector.games import game, title_of
from tabletape.projector.model.amounts import counted, day_said

STATUS: Final = {
    "new": ":green-badge[new]",
    "grown": ":blue-badge[grown]",
    "revised": ":violet-badge[new revision]",
    "unchanged": ":gray-badge[unchanged]",
    "refused": ":red-badge[refused]",
}
"""What became of a game, as a line begins."""

RESULTS_SHEET: Final = "results-sheet"
"""The map of the sheet that this page offers, which takes a game that nobody knows for an edition."""

WHAT_TO_DO: Final = (
    "If the file is right, take it as a new revision: the log keeps both, and the newest one is counted. "
    "If the log is right, there is nothing to do."
)

ZONE: Final = "Time zone"
"""The fold in which the zone of times is said that name none."""

ZONE_UNSAID: Final = f"The times say no time zone, so they are left out: say it above, under {ZONE}."
"""What the page says of times without a zone."""

STORED_KEY: Final = "just stored"
"""Where the session keeps what a button has stored, for the page that is drawn next."""

MAX_AUDITED: Final = 200
"""How many new games are audited at once for this page; the page Games has all."""


class UploadResult(msgspec.Struct, frozen=True):
    """What an upload came to: its import, what the audit found in the games that it changed, and their `details`."""

    report: ImportReport
    findings: list[dict[str, Any]]
    details: list[tuple[str, str]]
    more: int = 0


def import_page(site: Site) -> None:
    """Take uploaded logs, and show what became of them."""
    st.title("Import", anchor=False)
    intro = st.empty()
    files = st.file_uploader("Logs of playtests", accept_multiple_files=True, label_visibility="collapsed")
    if not files:
        kinds = "chats (.txt, .html), sheets (.xlsx, .ods, .csv), exports of other programs (.json, .xml)"
        intro.text(f"Drop the logs of playtests here: {kinds}.")
    results: dict[str, UploadResult] = st.session_state.setdefault("handed in", {})
    below = st.container()
    _zone(results)
    with below:
        _take(site, files, results)


def _take(site: Site, files: Sequence[Any], results: dict[str, UploadResult]) -> None:
    """Import what was uploaded since, and show what became of each file, or how to begin."""
    waiting = [file for file in files if file.file_id not in results]
    for file in waiting:
        results[file.file_id] = _import(file.name, file.getvalue(), look=True)
    if waiting:
        build_all()
        _open_evening(site, [results[file.file_id] for file in waiting])
        st.rerun()
    if stored := st.session_state.pop(STORED_KEY, None):
        _open_evening(site, stored)
    _take_all(files, results)
    if not files:
        starting_points(site)
    if evening := max(_days([report for result in results.values() for report in result.report.files]), default=""):
        which = "The evening, whose day the log does not say" if evening == UNDATED_DAY else "This evening"
        label = f"{which}: what it came to, how it felt, and the way to send it"
        site.link("evening", label, icon=":material/nightlight:", day=evening)
    for file in reversed(files):
        _show_result(site, file, results)
    open_lines_section({report.name for file in files for report in results[file.file_id].report.files})


def _open_evening(site: Site, results: Sequence[UploadResult]) -> None:
    """Open the page of the newest evening that was handed in, where all of it was taken and nothing is left to do.

    Of one game and mostly other days it is Overview; where no log says its day this page stays, with the way there.
    """
    reports = [report for result in results for report in result.report.files]
    if any(each.problem or each.quarantined or each.refused or each.set_aside for each in reports):
        return
    days = _days(reports)
    if (evening := max(days, default="")) not in {"", UNDATED_DAY}:
        changed = [taken for each in reports for taken in each.games if taken.events]
        st.session_state[TAKEN_KEY] = f"Taken: {counted(len(changed), 'game')}."
        of = {taken.game for taken in changed}
        if 2 * days.count(evening) < len(changed) and len(of) == 1:
            st.switch_page(site.pages["overview"], query_params={"of": title_of(*of)})
        st.switch_page(site.pages["evening"], query_params={"day": evening})


def _days(reports: Sequence[FileReport]) -> list[str]:
    """Return the days of the games of people that files have changed; `UNDATED_DAY` where none says its day."""
    ids = [taken.game_id for each in reports for taken in each.games if taken.events and not is_by_bots(taken.game_id)]
    if not ids:
        return []
    with Log.open(log_address()) as log:
        began = [log.game(each).started_at for each in ids]
    return [each[:10] for each in began if each] or [UNDATED_DAY]


def _zone(results: dict[str, UploadResult]) -> None:
    """Say in which zone times are read that name none, and take another; what was handed in is read by it.

    Where nobody has said one yet it is that of the browser. The workspace remembers what was said or read by.
    """
    known = zone_here()
    with folded(ZONE if known else f"{ZONE}: not said"):
        st.caption("Of days and times that name no zone. The workspace remembers it.")
        zone = (st.text_input("Zone, as in Europe/Berlin", known, key="zone") or "").strip()
        try:
            zone_called(zone)
        except ZoneError as error:
            st.error(str(error))
            return
    if zone and zone != known:
        remember_zone(workspace_at(log_address()), zone)
        results.clear()
        st.rerun()


def _is_waiting(result: UploadResult) -> bool:
    """Return whether an upload is not stored before somebody has seen what becomes of it."""
    return any(file.problem is not None and file.problem.code == NOT_LOOKED_AT_CODE for file in result.report.files)


def _take_all(files: Sequence[Any], results: dict[str, UploadResult]) -> None:
    """Offer to store all files that wait for somebody's look at once, where there are several."""
    waiting = [file for file in files if _is_waiting(results[file.file_id])]
    if len(waiting) > 1 and st.button(f"Store all {len(waiting)} files that a map reads", key="take all"):
        _store(waiting, results)


def _store(files: Sequence[Any], results: dict[str, UploadResult], *, revise: bool = False) -> NoReturn:
    """Import uploaded files for good, count them, and begin the page anew."""
    for file in files:
        name = _name_of(file.name)
        if mends := mends_to_keep(name, file.file_id):
            with Log.open(log_address(), create=True) as log:
                keep_mends(log, name, mends)
        results[file.file_id] = _import(file.name, content_of(file), revise=revise)
    build_all()
    st.session_state[STORED_KEY] = [results[file.file_id] for file in files]
    st.rerun()


def _import(name: str, content: bytes, *, revise: bool = False, look: bool = False) -> UploadResult:
    """Import one uploaded file into the log, and audit the games that it has changed.

    With `look` nothing is stored of what a map reads, before somebody has seen what becomes of it.
    """
    with (
        st.spinner(f"Importing {escaped(name)} …"),
        tempfile.TemporaryDirectory() as place,
        removed_if_empty(log_address()),
        Log.open(log_address(), create=True) as log,
    ):
        folder = Path(place)
        file = folder / _name_of(name)
        file.write_bytes(content)
        options = replace(import_options(workspace(log)), revise=revise, folder=folder, needs_look=look)
        report = _imported(log, file, options)
        changed = [taken.game_id for taken in report.games if taken.events]
        findings: list[dict[str, Any]] = []
        details: list[tuple[str, str]] = []
        for audited in audit(log, log.games(ids=changed[:MAX_AUDITED])):
            findings += map(msgspec.structs.asdict, reported(audited))
            details.append((audited.stored.game, detail_of(audited.replay.events if audited.replay else ())))
    return UploadResult(report, findings, details, max(len(changed) - MAX_AUDITED, 0))


def _name_of(name: str) -> str:
    """Return the name by which the log knows a file that was handed in."""
    return PurePath(name.replace("\\", "/")).name or "log"


def _imported(log: Log, file: Path, options: Options) -> ImportReport:
    """Import a file; one whose times need a zone that the workspace does not know is read by the one on the page."""
    zone = zone_here()
    report = import_paths(log, [file], replace(options, needs_zone=bool(zone)))
    if not any(each.problem and each.problem.code == NO_ZONE_CODE for each in report.files):
        return report
    report = import_paths(log, [file], replace(options, zone=zone))
    if any(each.problem is None for each in report.files):
        remember_zone(workspace(log), zone)
    return report


# -- what comes out ----------------------------------------------------------------------------------------------------


def _show_result(site: Site, file: Any, results: dict[str, UploadResult]) -> None:
    """Show what became of an uploaded file, and offer to take what was refused as a new revision."""
    result = results[file.file_id]
    for report in result.report.files:
        st.subheader(escaped(report.name), anchor=False)
        if report.problem and report.problem.code == NOT_LOOKED_AT_CODE:
            if not (_is_asked(file, report) and _map(site, file, report.problem.message, results)):
                fates = [each for each in map(LineFate._make, report.fates) if each.fate != NOT_READ_FATE]
                _remarks(report, {*remarks_on(fates)})  # What is not read is to be known before.
                if looked_at(file, report):
                    _store([file], results)
            continue
        if report.problem:
            _remarks(report)
            if not (report.problem.code in WITHOUT_A_MAP and _map(site, file, report.problem.message, results)):
                st.error("Nothing was taken from this file.", icon=":material/error:")
                wrong = ": ".join(filter(None, (report.problem.message, report.problem.suggestion)))
                st.text(f"{report.problem.place}: {wrong}.")
                st.caption("The log is as it was. Mend the file and hand it in again.")
            continue
        kept = "kept aside" if report.kept else "that cannot be read"
        lines = f", {counted(report.quarantined, 'line')} {kept}" if report.quarantined else ""
        form = report.format if report.format.startswith("reader ") else report.format.upper()
        # What a map reads stands in the table below, by its kinds of lines, or by its rows.
        read = "" if report.format.startswith("map ") else f"{form}, {counted(report.lines, 'line')}: "
        if read or lines:  # Of results nobody counts events.
            st.text(f"{read}{counted(report.events, 'new event')}{lines}" if read else lines.removeprefix(", "))
        _remarks(report, {*remarks_on([LineFate(*each) for each in report.fates])})
        show_fates(report.fates)
        for reason, number in report.set_aside.items():
            st.error(f"{counted(number, 'game')} not read", icon=":material/error:")
            st.text(f"{reason}. Mend that, and hand the file in again.")
        _games(site, report.games)
        _refused(file, report, results)
        _quarantine(report)
    _findings(site, result)


def _is_asked(file: Any, report: FileReport) -> bool:
    """Return whether a sheet that fits our own results sheet names no game that was known when it was handed in."""
    key = f"new game {file.file_id}"
    if key not in st.session_state:
        st.session_state[key] = report.format.split()[1] == RESULTS_SHEET and names_no_known_game(content_of(file))
    return bool(st.session_state[key])


def _remarks(report: FileReport, said: Container[str] = ()) -> None:
    """Say what is to be said of a file and is not `said` elsewhere."""
    ours = {NO_ZONE_REMARK: ZONE_UNSAID, NO_DAY: "The times have no day or no year, so they are left out."}
    for remark in report.remarks:
        if remark not in said:
            st.caption(escaped(ours.get(remark, remark)))


def _map(site: Site, file: Any, message: str, results: dict[str, UploadResult]) -> bool:
    """Ask what a file of another program holds, and import it by that; return whether that can be asked."""
    became = map_steps(file, message, site.pages)
    if became == "saved":
        _store([file], results)
    return became != "unfit"


def _games(site: Site, games: Sequence[TakenGame]) -> None:
    """Show what became of the games of a file: how many, the remarkable ones first, the others on demand."""
    order = list(reversed(STATUS))
    ordered = sorted(games, key=lambda each: order.index(each.status))
    counts = Counter(str(taken.status) for taken in ordered)
    st.markdown(" ".join(f"{STATUS[status]} {counted(number, 'game')}" for status, number in counts.items()))
    remarkable = [taken for taken in ordered if taken.status != "unchanged"][:LINES]
    rest = [taken for taken in ordered if taken not in remarkable]
    shown = [taken.game_id for taken in (*remarkable, *rest[:MAX_SHOWN])]
    played = {row["game_id"]: row for row in answered(site, "games", {"source": "all", "games": shown}).to_pylist()}
    for taken in remarkable:
        _game(site, taken, played.get(taken.game_id))
    if rest:
        with st.expander(f"{counted(len(rest), 'game')} more" if remarkable else counted(len(rest), "game")):
            for taken in rest[:MAX_SHOWN]:
                _game(site, taken, played.get(taken.game_id))
            if len(rest) > MAX_SHOWN:
                st.caption(f"and {counted(len(rest) - MAX_SHOWN, 'game')} more: see the page Games")


def _game(site: Site, taken: TakenGame, row: dict[str, Any] | None) -> None:
    """Show a game by its day, its players and its end, where it has been counted, else by its id."""
    day = f"{day_said(row['began'])}, " if row and row["began"] else ""
    which = day + game_in_words(row) if row else taken.game_id
    label = f"{STATUS[taken.status]} {escaped(which)} :gray[{escaped(_of(taken))}]"
    site.link("replay", label, game=taken.game_id)


def _of(taken: TakenGame) -> str:
    revision = f", revision {taken.revision}" if taken.revision > 1 else ""
    return f"{game(taken.game).title}{revision}"


def _refused(file: Any, report: FileReport, results: dict[str, UploadResult]) -> None:
    """Show in what a file contradicts the log; the reader may take it as a new revision."""
    if not report.refused:
        return
    st.warning(_left_out(report), icon=":material/difference:")
    st.text("\n".join(f"{report.name}:{taken.line}: {taken.contradiction}" for taken in report.refused))
    st.caption(WHAT_TO_DO)
    if st.button("Take as a new revision", key=f"revise {file.file_id}", icon=":material/history:"):
        _store([file], results, revise=True)
    st.text(f"In a terminal: {report.revising}.")


def _left_out(report: FileReport) -> str:
    """Say which games were left out, and what was kept beside them."""
    refused, others = len(report.refused), len(report.games) - len(report.refused)
    one = refused == 1
    how = f"contradict{'s' * one} the log and {'was' if one else 'were'} left out"
    outcome = f"{counted(refused, 'game')} of this file {how}"
    if not report.kept:
        return f"{outcome}. Nothing of the file was kept: the log is as it was."
    return f"{outcome}; what is new in {counted(others, 'other game')} was taken."


def _quarantine(report: FileReport) -> None:
    """Show the lines of a file that could not be read, and say what became of the others."""
    if not report.quarantined:
        return
    if report.kept:
        is_kept = "is" if report.quarantined == 1 else "are"
        outcome = f"{counted(report.quarantined, 'line')} could not be read and {is_kept} kept aside: see below, under "
        outcome += f"“{UNREAD}”."
    else:
        outcome = f"{counted(report.quarantined, 'line')} could not be read. Nothing of the file was kept."
    st.warning(outcome, icon=":material/rule:")
    if not report.kept:
        show_lines(report.entries[:MAX_SHOWN])
        if report.quarantined > MAX_SHOWN:
            st.caption(f"and {counted(report.quarantined - MAX_SHOWN, 'more line')}")


def _findings(site: Site, result: UploadResult) -> None:
    """Show what the audit found in the games that an import has changed."""
    changed = sum(bool(taken.events) for taken in result.report.games)
    if not changed:
        return
    if not result.findings:
        nothing_found(result.details)
        return
    st.markdown(f"**{counted(len(result.findings), 'finding')} in {counted(changed, 'new or changed game')}**")
    finding_lines(site, result.findings)
    if site.choice.slug:
        site.link("games", "All findings", icon=":material/list:")
    if result.more:
        st.caption(f"{counted(result.more, 'more game')} not looked at here: see the page Games.")
