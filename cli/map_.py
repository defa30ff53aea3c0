"""`tabletape map`: says what the lines of another program's file mean, and writes it down as a map."""

import contextlib
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.line_kinds import Sample, asked_of, begun_in, proposed_of, say_apart, told_of
from tabletape.cli.terminal.options import DATABASE, Database
from tabletape.cli.terminal.output import is_at_terminal, print_fates, remark, say
from tabletape.cli.terminal.sheet_columns import asked_columns
from tabletape.dashboard.tape.choosing import require_game
from tabletape.events.errors import RefusedError
from tabletape.events.importing.files.sources import FILE_ERRORS, NotALogError
from tabletape.events.importing.files.streams import Source
from tabletape.events.importing.maps.documents.foreign import sheet_of
from tabletape.events.importing.maps.documents.trees import ForeignError, Tree, in_utf8
from tabletape.events.importing.maps.finding import fitting_map, map_of_file, maps_of_program, shipped_maps, stem_of
from tabletape.events.importing.maps.map import SUFFIX, Map, MapError, map_name, read_map
from tabletape.events.importing.maps.proposing.describing import holds, ways_on
from tabletape.events.importing.maps.proposing.earlier import unread_by
from tabletape.events.importing.maps.proposing.preview import Preview
from tabletape.events.importing.maps.proposing.said_columns import is_unknown_sheet
from tabletape.events.importing.maps.proposing.survey import Survey, with_days, with_start
from tabletape.events.importing.maps.proposing.surveying import PARTS, Said, survey_of
from tabletape.events.importing.maps.remembering import maps_before
from tabletape.events.importing.maps.results.rows import is_title
from tabletape.events.importing.maps.values.times import ZoneError
from tabletape.events.importing.maps.writing import expecting, map_text, toml_value
from tabletape.events.importing.readers import read_log
from tabletape.events.importing.report import STANDARD_INPUT
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.open_games import TABLETOP, open_games
from tabletape.events.whole_files import write_whole
from tabletape.projector.archive.stored import workspace_at
from tabletape.projector.model.amounts import counted

MOST_REASONS: Final = 3
"""How many reasons are named why no game comes out of a file."""

MOST_GAMES: Final = 20
"""How many games, and how many lines that are not read, are shown of what a map makes of a file."""

HAND_GUIDE: Final = "docs/how-to/bring-any-log.md"


def map_(  # noqa: PLR0913 - each parameter is an option of the command
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A chat, a log or a document of another program.")],
    *,
    game: Annotated[
        str, typer.Option(metavar="NAME", help="The game; else the only one with a file here, or tabletop.")
    ] = "",
    edition: Annotated[str, typer.Option(help="The version that was played, as a name.")] = "unknown",
    out: Annotated[Path | None, option("--out MAP", "Where the map is written.")] = None,
    players: Annotated[str, option("--players NAMES", "Who plays, as the lines call them: Ann,Ben.")] = "",
    prefix: Annotated[str, option("--prefix SENTENCE", "What stands before each line, as '{at:time} | '.")] = "",
    heading_row: Annotated[int, option("--heading-row N", "The row of a sheet that names its columns.", min=0)] = 0,
    encoding: Annotated[str, option("--encoding NAME", "The encoding of the file, as cp850, if it is unusual.")] = "",
    propose: Annotated[bool, option("--propose", "Write the proposal without asking.")] = False,
    check: Annotated[bool, option("--check", "Only say how well the map of the file reads it.")] = False,
    force: Annotated[bool, option("--force", "Write over a map that is there already.")] = False,
    db: Database = DATABASE,
) -> None:
    """Say what the lines of another program's file mean, and write it down as a map that `import` reads the file by.

    The kinds of lines are shown by frequency, each with a proposal, those that may mean the same together: Enter
    or 1 accepts it, 2 skips such lines as talk, 3 says that they change nothing, 4 asks what else they are, 5 stops.
    After every answer it says how much is understood and which are the first events that come out. The map lies beside
    the file, is called like it, and may be changed by hand: see docs/how-to/bring-any-log.md. One that is there and
    reads more of the file is not written over by answers that stop early.

    Example:
        tabletape map friday.txt
        tabletape map friday.txt --propose --game wyldwood
        tabletape map friday.txt --check
    """
    folder = workspace_at(db)
    content = _content(file)
    game = game or _game_here(folder, [] if check else _played_in(content, Said(heading_row, encoding=encoding)))
    require_game(game)
    target, sample = out or file.with_name(stem_of(file) + SUFFIX), Sample(content, stem_of(file), game, folder)
    program = maps_of_program(content)
    if out is None and not target.exists() and not program:
        _require_unread(content, file, game, folder)
    if check:
        used = map_of_file(target) if target.exists() else fitting_map(file, content, folder)
        if used is None:
            raise RefusedError(f"no map fits {file}; `tabletape map {file}` writes one")
        raise typer.Exit(0 if _print_preview(_preview(used, sample)) else 1)
    named = tuple(name.strip() for name in players.split(",") if name.strip())
    seen = _seen(file, content, Said(heading_row, named, prefix, encoding))
    before = [] if force or propose or not target.exists() else begun_in(target, seen, game, edition)
    if target.exists() and not (force or before):
        raise RefusedError(
            f"{target} is there already: change it by hand, `tabletape map {file} --check` says how it reads the file; "
            f"`tabletape map {file}{' --propose' if propose else ''} --force` writes over it with "
            f"{'a new proposal' if propose else 'new answers'}, --out writes another one"
        )
    _print_survey(file, seen)
    is_own = game in open_games() and game != TABLETOP.slug
    earlier = program + (maps_before(file, folder, game) if is_own else [])
    before = before if before or force else told_of(seen, earlier)
    seen = unread_by(program, seen)
    if propose:
        _require_sure(seen, file)
    seen = seen if propose else _with_start(_with_days(_with_direction(_with_rows(_with_all(seen, file), file))))
    accepted = proposed_of(seen, sample, before) if propose else asked_of(seen, sample, before)
    if not accepted and "columns" not in seen.head:
        raise RefusedError(
            f"{file}: no map is written, since nothing of it has a meaning so far: `tabletape map {file}` asks again; "
            f"{ways_on(in_utf8(content, encoding), file)}, see {HAND_GUIDE}"
        )
    seen = seen._replace(head={**seen.head, "proposed": True}) if propose else seen
    written = map_text(seen, accepted, game=game, edition=edition)
    used = read_map(written, str(target), vocabulary)
    shown = _preview(used, sample)
    if propose:
        _require_reading(shown, file)
    elif _is_better(target, shown, sample):
        raise RefusedError(
            f"{target} stays as it is: it reads more of {file} than these answers do; "
            f"`tabletape map {file} --check` shows how much"
        )
    write_whole(target, expecting(written, shown.least))
    say(f"{target}: written")
    _print_preview(shown)
    say_apart([*earlier, used])
    remark(f"Next: `tabletape import {file}` reads the file by it.")
    if propose:
        remark(f"Nobody has looked at it: once it is right, delete `proposed = true` from {target}.")


def _is_better(target: Path, new: Preview, sample: Sample) -> bool:
    """Return whether a map that is there already reads more of a file than a new one."""
    if not target.exists():
        return False
    with contextlib.suppress(MapError, ForeignError, ZoneError):
        return sample.read_by(map_of_file(target)).read > new.read
    return False


def _require_unread(content: bytes, file: Path, game: str, folder: Path) -> None:
    """Refuse to ask about a file that is read as it is, with the command that shows what becomes of it.

    A sheet whose headings are those of the sheet for results may mean something else by them.
    """
    reader = read_log(content, remark)
    how = reader.format if reader is not None else ""
    if reader is None and (used := fitting_map(file, content, folder)) in shipped_maps() and used.written.game == game:
        how = "" if used.written.shape == "results" and not Tree(content).shape else f"map {map_name(Path(used.name))}"
    if how:
        raise RefusedError(
            f"{file}: the {how} reads it as it is, `tabletape import {file} --dry-run` shows what becomes of "
            f"it; `--out MAP` writes a map of your own, `tabletape import {file} --map MAP` reads the file by that"
        )


def _seen(file: Path, content: bytes, said: Said) -> Survey:
    """Return what a file looks like; refuse one of which nothing says who plays, with the way on."""
    try:
        seen, plain = survey_of(content, said), in_utf8(content, said.encoding)
    except ForeignError as error:
        raise RefusedError(f"{file}: {error}") from None
    except MapError as error:
        raise RefusedError(f"--prefix: {str(error).partition(': ')[2]}") from None
    if is_unknown_sheet(seen, plain) and (asked := asked_columns(plain, said.heading_row)):
        return asked
    if "columns" not in seen.head and not seen.players:
        raise RefusedError(f"{file}: {holds(plain)}; {ways_on(plain, file)}, or write the map by hand: {HAND_GUIDE}")
    return seen


def _played_in(content: bytes, said: Said) -> Sequence[str]:
    """Return the games that a sheet names, none where that cannot be told."""
    try:
        return survey_of(content, said).games
    except ForeignError:
        return ()


def _game_here(folder: Path, played: Sequence[str]) -> str:
    """Return the only game that a sheet says was `played`, or that has a file in the workspace; else what is named.

    Where nobody does, it is the table of which nothing is known. The file of a game that is new is begun.
    """
    if len(played) == 1 and is_title(played[0]):
        return _known_or_begun(folder, played[0])
    if played:
        return TABLETOP.slug
    own = {each.slug: each for each in open_games().values() if each.slug != TABLETOP.slug}
    texts = {each.text for each in own.values()}
    if len(texts) == 1:
        slug = min(own, key=len)  # its variants are called like it, with a word behind
        remark(f"Read as {own[slug].title}, the game of this workspace; --game names another.")
        return slug
    if not is_at_terminal():
        return TABLETOP.slug
    name = typer.prompt("What is the game called? (Enter: it is not named)", default="", show_default=False).strip()
    return _known_or_begun(folder, name) if name else TABLETOP.slug


def _known_or_begun(folder: Path, name: str) -> str:
    """Return what the log calls the game of a name or title, whose file is begun where it is new."""
    from tabletape.dashboard.own_game.file import begin_named, called  # noqa: PLC0415 - it loads the readers of chats

    return called(name) or begin_named(folder, name)


def _require_reading(preview: Preview, file: Path) -> None:
    """Refuse a proposal that nobody has looked at and that does not read the game, before it is written."""
    if not preview.games:
        why = "; ".join(dict.fromkeys(entry.message for entry in preview.entries[:MOST_REASONS])) or "it holds none"
        raise RefusedError(f"{file}: no map is written, because no game comes out of it: {why}; by hand: {HAND_GUIDE}")
    if preview.ends:
        raise RefusedError(f"{file}: no map is written, because {preview.ends_in_words}: {HAND_GUIDE}")
    if not preview.tells:
        raise RefusedError(
            f"{file}: no map is written, because the proposal does not read the game: 0 turns, no winner, nobody "
            f"began, no move of the game ({preview.passed_over:,} of {preview.lines:,} lines are skipped). "
            f"`tabletape map {file}` asks about each kind of line; {HAND_GUIDE} shows how to write the map by hand, "
            f"and `tabletape map {file} --check` then tries it"
        )


def _print_survey(file: Path, seen: Survey) -> None:
    """Say what a file looks like."""
    if "columns" in seen.head:
        say(f"{file}: results, read by their columns")
        for name, column in seen.read_as.items():
            say(f"  {name} = {toml_value(column)}")
        if seen.left_out:
            say(f"  {seen.left_out}")
        return
    who = f"{counted(len(seen.players), 'player')}: {', '.join(seen.players)}"
    where = "".join(
        f"; {key} = {toml_value(seen.head[key])}" for key in ("rows", "text", "player", "at") if key in seen.head
    )
    say(f"{file}: {seen.lines_in_words} of {who}{where}")
    if seen.guessed:
        say("  ", ("No other name is told of in its own lines: `--players Ann,Ben` names all who play.", "yellow"))


def _column_of(seen: Survey) -> str:
    won = seen.head["columns"]["won"]
    return str(won["column"] if isinstance(won, Mapping) else won)


def _require_sure(seen: Survey, file: Path) -> None:
    """Refuse to propose who plays, what begins a game or that all win or lose together, where nothing says so."""
    if seen.guessed:
        names = shlex.quote(",".join(dict.fromkeys((*seen.players, *seen.guessed))))
        why = f"no more is told of them than what {seen.players[0]} does" if seen.players else "only headings say it"
        if seen.players == seen.guessed:
            why = "no other name begins several lines"
        raise RefusedError(
            f"{file}: no map is proposed, because nobody knows whether these play, {', '.join(seen.guessed)}: {why}; "
            f"`tabletape map {shlex.quote(str(file))} --players {names}` says who plays"
        )
    if seen.open_start:
        raise RefusedError(
            f"{file}: no map is proposed, because nothing says whether each `{seen.open_start}` begins a game or "
            f"stands within one: `tabletape map {shlex.quote(str(file))}` asks"
        )
    if seen.open_rows:
        raise RefusedError(
            f"{file}: no map is proposed, because nothing says whether each row is a game or a part of one: "
            f"`tabletape map {file}` asks"
        )
    if seen.is_open:
        raise RefusedError(
            f"{file}: no map is proposed, because `{_column_of(seen)}` says won or lost of a whole row, and nothing "
            f"says whether all who played win or lose together: `tabletape map {file}` asks"
        )


def _with_all(seen: Survey, file: Path) -> Survey:
    """Ask whether all who played win or lose together, where a row says only won or lost; refuse where they do not."""
    if seen.is_open and _letter(f"`{_column_of(seen)}` says won or lost: of all who played together (y)") != "y":
        raise RefusedError(f"{file}: nothing says who won: add a column with the name of the winner")
    return seen


def _with_rows(seen: Survey, file: Path) -> Survey:
    """Ask whether each row of scores is a game, where nothing says it; refuse where they are parts of one."""
    if seen.open_rows and _letter("Each row is a game (y), or the rows are parts of one (Enter)") != "y":
        raise RefusedError(f"{file}: {PARTS}")
    return seen


def _with_start(seen: Survey) -> Survey:
    """Ask whether headings that count something count the games, where nothing else in the text says it."""
    if not seen.open_start:
        return seen
    letter = _letter(f"Each `{seen.open_start}` begins a new game (y), or stands within one (Enter)")
    return with_start(seen, seen.open_start) if letter == "y" else seen


def _with_direction(seen: Survey) -> Survey:
    """Ask which score wins where only the scores of the players say who won."""
    columns = seen.head.get("columns", {})
    if "best" not in columns:
        return seen
    scored = columns.get("score_of") or "the players"
    say(f"Nothing says who won, but there are scores of {scored if isinstance(scored, str) else ', '.join(scored)}.")
    others = ", or these are no players (n)" if seen.guessed else ""
    letter = _letter(f"The highest score wins (Enter), or the lowest (l){others}")
    if letter == "n":
        raise RefusedError(f"nothing says who played: {HAND_GUIDE}")
    best = "lowest" if letter == "l" else "highest"
    return seen._replace(head={**seen.head, "columns": {**columns, "best": best}})


def _with_days(seen: Survey) -> Survey:
    """Ask, once, in which order the figures of days stand where nothing says it."""
    if not seen.open_day:
        return seen
    letter = _letter(f"In {seen.open_day} the day comes first (d), the month (m), or nobody knows (Enter)")
    return with_days(seen, "day" if letter == "d" else "month") if letter in {"d", "m"} else seen


def _letter(question: str) -> str:
    """Return the first letter of an answer, empty where there is none; one that is not offered is asked about again."""
    try:
        answer: str = typer.prompt(question, default="", show_default=False)
    except typer.Abort:
        if is_at_terminal():
            raise
        return ""
    letter = answer.strip().lower()[:1]
    return letter if letter in {*re.findall(r"\((\w)\)", question), "n", ""} else _letter(question)


def _content(file: Path) -> bytes:
    """Return a file as a map reads it: unpacked, and the sheets of a workbook as CSV."""
    if file.is_dir():
        raise RefusedError(f"{file} is a folder: name one file of it")
    if str(file) == STANDARD_INPUT:
        raise RefusedError("a map lies beside a file and is called like it: write what comes here into one")
    try:
        with Source(str(file), None) as source:
            content = sheet_of(source.read_foreign())
    except OSError as error:
        raise RefusedError(f"{file} cannot be read: {error.strerror or error}") from None
    except FILE_ERRORS as error:
        raise RefusedError(f"{file}: the file is damaged: {error}; fetch it again") from None
    except NotALogError as error:
        raise RefusedError("; ".join(filter(None, (f"{file}: {error}", error.suggestion)))) from None
    if not content.strip():
        raise RefusedError(f"{file}: the file is empty")
    return content


def _preview(used: Map, sample: Sample) -> Preview:
    """Return what a map makes of a file; refuse one that cannot be read by it."""
    try:
        return sample.read_by(used)
    except (ForeignError, ZoneError) as error:
        raise RefusedError(str(error)) from None


def _print_preview(preview: Preview) -> bool:
    """Say what a map makes of a file: games, winners, beginners, turns, the rest; return whether all is well."""
    for game in preview.games[:MOST_GAMES]:
        say(game)
    if len(preview.games) > MOST_GAMES:
        say(f"... and {len(preview.games) - MOST_GAMES:,} more games")
    for event in preview.first:
        say("  ", (event, "dim"))
    if preview.lines:
        if preview.tells:
            say(preview.in_words)
        else:
            say(("0 turns, no winner, nobody began: this map does not read the game", "yellow"))
    print_fates(preview.fates)
    if preview.ends:
        say("  ", (preview.ends_in_words, "yellow"))
    for text in preview.remarks:
        say("  ", text)
    for entry in preview.entries[:MOST_GAMES]:
        say("  ", (f"line {entry.line}: {entry.message}", "yellow"))
    if len(preview.entries) > MOST_GAMES:
        say("  ", (f"... and {len(preview.entries) - MOST_GAMES:,} more lines that are not read", "yellow"))
    return preview.is_well
