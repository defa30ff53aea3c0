"""The steps from an unknown file to its map, on the page of imports: what it is, who plays, what its lines mean.

The same steps as those of `tabletape map`; the map is written into `maps/` of the workspace, where `import` finds it.
"""

import re
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import Any, Final, Literal
from zlib import crc32

import streamlit as st
from msgspec.structs import replace

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.own_game.file import begin_named
from tabletape.dashboard.report.document import Rows
from tabletape.dashboard.report.writing import as_fragment
from tabletape.dashboard.sections.answers import folded
from tabletape.dashboard.sections.line_kinds import KINDS, accepted_of, kinds_in, unread_of, what_are_these
from tabletape.dashboard.sections.open_lines import MAX_LETTERS, show_fates, show_lines
from tabletape.dashboard.sections.sheet_columns import asked_columns, asked_unread, columns_in_words
from tabletape.dashboard.sections.which_game import asked_game
from tabletape.dashboard.sections.who_won import ask_of_rows, mends_said
from tabletape.dashboard.workspace import log_address
from tabletape.events.importing.files.sources import MAX_FOREIGN, NotALogError, looks_like_sheet
from tabletape.events.importing.lines.words import plain
from tabletape.events.importing.maps.documents.foreign import is_vassal, sheet_of
from tabletape.events.importing.maps.documents.trees import ForeignError, Tree, in_utf8
from tabletape.events.importing.maps.fates import remarks_on
from tabletape.events.importing.maps.finding import stem_of
from tabletape.events.importing.maps.map import SUFFIX, Map, MapError, read_map
from tabletape.events.importing.maps.notation import NEW_GAME
from tabletape.events.importing.maps.proposing.describing import holds, ways_on
from tabletape.events.importing.maps.proposing.preview import Preview, preview
from tabletape.events.importing.maps.proposing.said_columns import is_unknown_sheet
from tabletape.events.importing.maps.proposing.survey import Survey, with_days, with_start
from tabletape.events.importing.maps.proposing.surveying import PARTS, Said, survey_of
from tabletape.events.importing.maps.values.times import NO_DAY, ZoneError, zone_called
from tabletape.events.importing.maps.writing import expecting, map_text
from tabletape.events.time_zone import zone_of
from tabletape.events.vocabulary import known_games, vocabulary
from tabletape.events.vocabulary.open_games import TABLETOP, open_games
from tabletape.events.whole_files import made_folder, write_whole
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.archive.stored import known_of, workspace_at
from tabletape.projector.model.amounts import counted, day_said

WITHOUT_A_MAP: Final = frozenset({"unknown-format", "no-header", "json-list"})
"""Codes of files that a map may read."""

FEW: Final = 5
"""How many games stand in the page before somebody asks for all."""

WRONG: Final = "Is something read wrongly?"
"""The fold with all that need not be said of most files."""

RESULT_KEY: Final = "map result "
"""Before the key of a file: where the session keeps who won, as it was said on this page."""

BROUGHT: Final = "chat from Import"
"""Where the session keeps name and content of a file that is a chat of a game of one's own."""

UNTOLD: Final = re.compile(r"; (?:nobody is said to have begun|0 turns|no winner|[\d,]+ events?)\b")
"""What the words of a game say that nobody has to look at here."""

NO_MAP: Final = "; no map fits it"
"""What the import says of a file that this page reads by what is said on it."""

Pages = Mapping[str, Any]
"""The pages of the dashboard by their addresses."""

Became = Literal["unfit", "asked", "saved"]
"""What became of a file: it holds nothing that a map could read, it is being asked about, a map of it was saved."""


def content_of(file: Any) -> bytes:
    """Return an uploaded file, with who won as its last line where that was said on this page."""
    said = st.session_state.get(f"{RESULT_KEY}{file.file_id}")
    content: bytes = file.getvalue()
    return in_utf8(content, "").rstrip() + f"\n{said}\n".encode() if said else content


def map_steps(file: Any, message: str, pages: Pages) -> Became:
    """Show the steps for a file that no map fits, as `message` says; `pages` are those that lead on from here."""
    key, content = file.file_id, content_of(file)
    try:
        content = sheet_of(content)
        seen, wrong = survey_of(content, _said(key)), ""
    except (ForeignError, NotALogError) as error:
        seen, wrong = Survey(), str(error)
        if isinstance(error, NotALogError) or len(content) > MAX_FOREIGN or b"\0" in content[:4096]:
            return "unfit"
    is_open = not wrong and is_unknown_sheet(seen, content)
    what = "It looks like results" if "columns" in seen.head else message.removesuffix(NO_MAP).capitalize()
    st.text(f"{'This is a sheet' if is_open else what}. Nothing is in the log yet.")
    if is_open and (said := asked_columns(content, key, _said(key).heading_row)) is not None:
        if "columns" not in said.head:
            return "asked"
        seen = said
    outcome = st.container()  # It stands above what can be changed of it.
    with folded(WRONG):
        details = st.container()
        _ask_how_to_read(seen, content, key)
    with outcome:
        return _questions(seen, wrong, content, (file.name, key), (details, pages))


def _questions(seen: Survey, wrong: str, content: bytes, of: tuple[str, str], places: tuple[Any, Pages]) -> Became:
    """Ask which game it is, who plays and what its lines mean; or say what is `wrong` with the file.

    `of` are its name and key, `places` where what is known stands to be changed, and the pages that lead on.
    """
    (name, key), (details, pages) = of, places
    if wrong:
        st.error(escaped(wrong))
        return "asked"
    if not ("columns" in seen.head or seen.players or _is_text(content, seen)):
        st.error(escaped(_way_on(content, name, key)))
        return "asked"
    is_sheet = "columns" in seen.head  # which has no moves
    top = plain(seen.lines[0][1]) if seen.lines else ""
    slug, edition, title = asked_game(key, seen.games, top, details, is_sheet=is_sheet)
    if not slug:
        label = "A game of your own? **My game** reads its moves from a chat, and watches its rules."
        if not is_sheet and st.button(label, icon=":material/draw:", type="tertiary", key=f"map own {key}"):
            st.session_state[BROUGHT] = (name, content)
            st.switch_page(pages["my-game"])
        return "asked"
    seen = _players(seen, content, key, details)
    return (
        _lines(seen, content, name, (slug, edition, key, title), places)
        if _is_said(seen, key, partial(_way_on, content, name, key))
        else "asked"
    )


def _way_on(content: bytes, name: str, key: str) -> str:
    plain = in_utf8(content, _said(key).encoding)
    return f"{holds(plain)}; {ways_on(plain, Path(name))}, or say below how to read it."


def _is_said(seen: Survey, key: str, way_on: Callable[[], str]) -> bool:
    """Return whether it is known who plays, and who a row means that says only won or lost; say else what is not."""
    if "columns" not in seen.head and not seen.players:
        st.caption("No name begins several of its lines: say who plays.")
        st.caption(escaped(way_on()))
        return False
    if seen.open_rows and not st.checkbox("Each row is a game, and no part of one", key=f"map rows {key}"):
        st.caption(f"{PARTS[0].upper()}{PARTS[1:]}.")
        return False
    if seen.is_open and not st.checkbox("Won or lost stands for all who played, together", key=f"map all {key}"):
        st.caption("Nothing else says who won: if it does not, add a column with the name of the winner.")
        return False
    return True


def _lines(seen: Survey, content: bytes, name: str, about: tuple[str, ...], places: tuple[Any, Pages]) -> Became:
    """Show what comes of the lines, and what they mean; `about` are game, edition, key, title, `places` as before."""
    (slug, edition, key, title), (details, pages) = about, places
    is_new = slug not in known_games()
    kinds = kinds_in(seen, slug)
    unread = unread_of(seen, kinds)
    is_lost, is_said = 2 * unread > len(seen.lines), f"{RESULT_KEY}{key}" in st.session_state
    if is_lost:
        what_are_these(unread, len(seen.lines) - is_said, slug, pages["keep"])
    # What people say of a game whose rules are code is nothing that somebody could say better here.
    with st.container() if is_lost and slug in open_games() else details:
        accepted = accepted_of(kinds, slug, key)
    if "columns" not in seen.head and not accepted:
        _ask_result(seen, key)
        return "asked"
    seen, stem = _day(seen, key), stem_of(Path(name))
    written = map_text(seen, accepted, game=slug, edition=edition or "unknown")
    with details:
        # What else was said writes another map: a box of its own, which begins with it.
        box = f"map {crc32(written.encode())} {key}"
        written = st.text_area("How it is written down, to be changed by hand", written, key=box, height=240) or ""
    try:
        seen_as = {slug: TABLETOP.slug} if is_new else {}  # Its import begins it.
        used = read_map(written, f"{stem}{SUFFIX}", lambda each: vocabulary(seen_as.get(each, each)))
        shown = _preview(used, content, (stem, key), seen_as)
    except (MapError, ForeignError, ZoneError) as error:
        st.error(escaped(str(error)))
        return "asked"
    asked = [each for each in shown.open if each.winners]
    _show_games(shown, title, len(asked))
    ask_of_rows(asked, key)
    known_below = {NO_DAY, NEW_GAME.format(title, slug), *remarks_on(shown.fates)}
    for remark in shown.remarks:  # Above the button: what is not read is to be known before.
        if remark not in known_below:
            st.caption(escaped(f"{remark[:1].upper()}{remark[1:]}."))
    if is_said or not shown.useful:
        _ask_result(seen, key)
    _ask_day(shown, key, is_sheet="columns" in seen.head)
    label = f"Import {counted(len(shown.games), 'game')}{f' of {escaped(title)}' if is_new else ''}"
    label += f", and leave {counted(unread, 'line')} as they were said" if is_lost else ""
    kind: Any = "secondary" if is_lost and slug in open_games() else "primary"
    saved = shown.useful and st.button(label, key=f"map {key}", type=kind, disabled=not shown.is_well)
    _show_preview(shown, {(each.line, each.raw) for each in asked}, said=is_said)
    return _write(stem, expecting(written, shown.least), title if is_new else "") if saved else "asked"


def _write(stem: str, written: str, new: str) -> Became:
    """Write a map, and begin the game of a title that is `new`; say why where a game cannot be called so."""
    workspace = workspace_at(log_address())
    try:
        if new:
            begin_named(workspace, new)
    except GameFileError as error:
        st.error(escaped(str(error)))
        return "asked"
    target = workspace / "maps" / f"{stem}{SUFFIX}"
    with made_folder(target.parent):
        write_whole(target, written)
    return "saved"


def _ask_result(seen: Survey, key: str) -> None:
    """Ask who won where no line says it; the answer becomes the last line, as if somebody had said it."""
    kept = f"{RESULT_KEY}{key}"
    if kept in st.session_state:
        st.caption(escaped(f"You said it: “{st.session_state[kept]}” is the last line of the file now."))
        if st.button("Take it back", key=f"map unsaid {key}", icon=":material/undo:"):
            del st.session_state[kept]
            st.rerun()
        return
    st.markdown("##### Who won? No line says it.")
    with st.container(horizontal=True):
        for said in (*(f"{player} won" for player in seen.players), "It was a draw"):
            if st.button(escaped(said), key=f"map {said} {key}"):
                st.session_state[kept] = said if said != "It was a draw" else "It is a draw"
                st.rerun()


def _said(key: str) -> Said:
    """Return what was answered by `_ask_how_to_read` before."""
    given: Mapping[str, Any] = {
        name: st.session_state.get(f"map {name} {key}") for name in ("row", "scored", "encoding")
    }
    encoding = str(given["encoding"] or "").strip()
    return Said(int(given["row"] or 0), _names(str(given["scored"] or "")), encoding=encoding)


def _ask_how_to_read(seen: Survey, content: bytes, key: str) -> None:
    """Ask what cannot be seen of a file that looks wrong: what concerns its kind, below its first line."""
    begun = "" if is_vassal(content) else content.partition(b"\n")[0].decode("utf-8-sig", errors="replace")
    if begun:
        st.text(f"The file begins: {shorten(begun, MAX_LETTERS, placeholder=' …')}")
    if "columns" in seen.head or looks_like_sheet(content):
        st.number_input("Which row names the columns? 0 where those above are right", 0, key=f"map row {key}")
        st.text_input("Who has a column or a row of scores, as Ann, Ben", key=f"map scored {key}")
    else:
        before = "What stands before the words of each line? Write [{at:time}] for [19:04], and a blank behind it"
        st.text_input(before, key=f"map prefix {key}")
    if not content.isascii():
        st.text_input("Are letters wrong, as é or ß? Then how the file is encoded, as cp850", key=f"map encoding {key}")


def _is_text(content: bytes, seen: Survey) -> bool:
    """Return whether a file has lines, of which it can be asked who plays."""
    plain = in_utf8(content, seen.head.get("encoding", ""))
    return bool(seen.lines) and (is_vassal(content) or not Tree(plain).shape)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _players(seen: Survey, content: bytes, key: str, details: Any) -> Survey:
    """Say in `details` what the file looks like, and ask who plays where only the lines say it."""
    if "columns" in seen.head:
        seen = asked_unread(seen, content, key)
        columns = seen.head["columns"]
        details.html(as_fragment(Rows(("What", "Column"), columns_in_words(seen))))
        if seen.left_out:
            st.caption(escaped(f"{seen.left_out}."))
        if seen.open_day:
            orders = {"the day": "day", "the month": "month", "not known": ""}
            order = st.radio(f"What comes first in {seen.open_day}?", orders, 2, key=f"map days {key}", horizontal=True)
            seen = with_days(seen, orders[order]) if orders[order] else seen
        if "best" not in columns:
            return seen
        if seen.guessed:
            st.caption(escaped(f"Only headings say who plays: are {', '.join(seen.guessed)} players?"))
        best = st.radio("Which score wins?", ["highest", "lowest"], key=f"map best {key}", horizontal=True)
        return seen._replace(head={**seen.head, "columns": {**columns, "best": best}})
    if "player" in seen.head:
        details.text(f"Who plays: {', '.join(seen.players)} (in {seen.head['player']})")
        return seen
    prefix = str(st.session_state.get(f"map prefix {key}") or "")
    try:
        seen = survey_of(content, _said(key)._replace(prefix=prefix)) if prefix else seen
    except MapError as error:
        st.error(escaped(str(error).partition(": ")[2]))
    named = (details if seen.players else st).text_input(
        "**Who plays?** As the lines call them", ", ".join(seen.players), key=f"map players {prefix} {key}"
    )
    seen = seen._replace(players=_names(named))
    begins = escaped(f"Each {seen.open_start} begins a new game, and stands not within one")
    if seen.open_start and st.checkbox(begins, key=f"map starts {key}"):
        return with_start(seen, seen.open_start)
    return seen


def _preview(used: Map, content: bytes, of: tuple[str, str], seen_as: Mapping[str, str]) -> Preview:
    """Return what a map makes of a file, `of` its stem and key, with what was said of its rows."""
    slug = used.written.game
    used = used._replace(written=replace(used.written, game=seen_as.get(slug, slug)))
    known = known_of(workspace_at(log_address()), used.written.game).ids
    return preview(used, content, known, of[0], mends_said(of[1]))


def _day(seen: Survey, key: str) -> Survey:
    """Take the day and the zone that were said for a file whose lines have times alone, or the year of its days."""
    if year := st.session_state.get(f"map year {key}"):
        return seen._replace(head={**seen.head, "date": f"{year}-01-01"})
    day, zone = st.session_state.get(f"map day {key}"), str(st.session_state.get(f"map zone {key}") or "").strip()
    if not day:
        return seen
    return seen._replace(head={**seen.head, "date": day.isoformat(), **({"zone": zone} if zone else {})})


def _show_games(shown: Preview, title: str, asked: int) -> None:
    """Show each game in a line; of `asked` others it is not known who won."""
    games = [_without_id(UNTOLD.sub("", each)) for each in shown.games]
    if len(games) == 1:
        told = escaped(f"{title}: {games[0]}.")
        st.markdown(f"##### {told}")
        return
    if games:
        number = f"{len(games)} of {len(games) + asked} games" if asked else counted(len(games), "game")
        st.markdown(f"##### {number} of {escaped(title)}. Is this right?")
    for line in games[:FEW]:
        st.text(line)
    if games[FEW:]:
        with st.expander(f"{len(games) - FEW} more"):
            for line in games[FEW:]:
                st.text(line)


def _without_id(line: str) -> str:
    """Return the words of a game with its day first: nobody knows the id that it will have."""
    words, dated, day = line.partition(": ")[2].rpartition("; dated ")
    return f"{day_said(date.fromisoformat(day))}: {words}" if dated else day


def zone_here() -> str:
    """Return the zone of days and times that name none: what the workspace remembers, or else that of the browser."""
    said, browser = zone_of(workspace_at(log_address())), st.context.timezone or ""
    with suppress(ZoneError):
        return said or (browser if zone_called(browser) else "")
    return ""  # A browser may name a zone that is not known here.


def _ask_day(shown: Preview, key: str, *, is_sheet: bool) -> None:
    """Ask for the day and the zone where the lines have times alone, or of a sheet for the year of its days."""
    if is_sheet:
        if NO_DAY in shown.remarks or st.session_state.get(f"map year {key}"):
            st.number_input("Which year? The days do not say it.", 1900, 2100, None, key=f"map year {key}")
        return
    if NO_DAY in shown.remarks or st.session_state.get(f"map day {key}"):
        day, zone = st.columns(2)
        day.date_input("Which day was it? The lines do not say it, or not the year.", None, key=f"map day {key}")
        zone.text_input("In which time zone, as Europe/Berlin?", zone_here(), key=f"map zone {key}")


def _show_preview(shown: Preview, asked: Container[tuple[int, str]], *, said: bool) -> None:
    """Say how much of the file the map understands, and what is left over and was not `asked` about.

    Where it was `said` here who won, that is one more line than the file has.
    """
    if shown.lines and shown.useful:
        passed = f", {shown.passed_over:,} passed over" if shown.passed_over else ""
        also = ", and who won as you said it" if said else ""
        st.caption(f"{shown.read - said:,} of {counted(shown.lines - said, 'line')} read{passed}{also}.")
    elif not shown.lines:
        show_fates(shown.fates)
    if shown.ends:
        st.warning(escaped(shown.ends_in_words), icon=":material/call_split:")
    unread = [each for each in shown.entries if (each.line, each.raw) not in asked]
    if unread:
        what = counted(len(unread), "kind") + " of line" if shown.lines else counted(len(unread), "row")
        with folded(f"Not read: {what}"):
            show_lines(unread[:KINDS])
