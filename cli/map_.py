"""`tabletape map`: says what the lines of another program's file mean, and writes it down as a map."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer

from tabletape.cli.terminal.options import DATABASE, Database
from tabletape.cli.terminal.output import complain, is_at_terminal, print_fates, remark, say
from tabletape.dashboard.tape.choosing import require_game
from tabletape.events.errors import RefusedError
from tabletape.events.importing.files.sources import DAMAGED, NotALogError
from tabletape.events.importing.files.streams import Source
from tabletape.events.importing.maps.documents.foreign import sheet_of
from tabletape.events.importing.maps.documents.trees import ForeignError, in_utf8
from tabletape.events.importing.maps.finding import fitting_map, map_of_file, stem_of
from tabletape.events.importing.maps.map import SUFFIX, Map, MapError, read_map
from tabletape.events.importing.maps.proposing.describing import holds, ways_on
from tabletape.events.importing.maps.proposing.preview import Preview, preview
from tabletape.events.importing.maps.proposing.surveying import Said, Survey, survey_of, with_days
from tabletape.events.importing.maps.proposing.text import DECISIVE, LineProposal, proposals
from tabletape.events.importing.maps.values.times import ZoneError
from tabletape.events.importing.maps.writing import entry_of, entry_text, map_text, toml_value
from tabletape.events.importing.readers import read_log
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.open_games import TABLETOP, open_games
from tabletape.events.whole_files import write_whole
from tabletape.projector.archive.stored import known_of, workspace_at
from tabletape.projector.model.amounts import counted

ENOUGH_UNDERSTOOD = 90.0
"""Per cent of the lines that are understood when no more is asked."""

KINDS_A_QUESTION: Final = 8
"""How many kinds of lines are asked about together."""

MAX_TRIED_BYTES: Final = 1 << 20
"""Of a file of more bytes the first events are shown at the end only."""

MOST_REASONS: Final = 3
"""How many reasons are named why no game comes out of a file."""

BY_HAND: Final = "docs/how-to/bring-any-log.md"

Accepted = list[tuple[str, Mapping[str, Any]]]


def map_(  # noqa: PLR0913 - each parameter is an option of the command
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A chat, a log or a document of another program.")],
    *,
    game: Annotated[
        str, typer.Option(metavar="NAME", help="The game; else the only one with a file here, or tabletop.")
    ] = "",
    edition: Annotated[str, typer.Option(help="The version that was played, as a name.")] = "unknown",
    out: Annotated[Path | None, typer.Option("--out", metavar="MAP", help="Where the map is written.")] = None,
    players: Annotated[
        str, typer.Option("--players", metavar="NAMES", help="Who plays, as the lines call them: Ann,Ben.")
    ] = "",
    prefix: Annotated[
        str, typer.Option("--prefix", metavar="SENTENCE", help="What stands before each line, as '{at:time} | '.")
    ] = "",
    heading_row: Annotated[
        int, typer.Option("--heading-row", min=0, metavar="N", help="The row of a sheet that names its columns.")
    ] = 0,
    encoding: Annotated[
        str, typer.Option("--encoding", metavar="NAME", help="The encoding of the file, as cp850, if it is unusual.")
    ] = "",
    propose: Annotated[bool, typer.Option("--propose", help="Write the proposal without asking.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only say how well the map of the file reads it.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a map that is there already.")] = False,
    db: Database = DATABASE,
) -> None:
    """Say what the lines of another program's file mean, and write it down as a map that `import` reads the file by.

    The kinds of lines are shown by frequency, each with a proposal, those that may mean the same together: Enter
    accepts it, s skips such lines, h says that they change nothing, c changes the proposal, q stops. After every answer
    it says how much is understood and which are the first events that come out. The map lies beside the file, is called
    like it, and may be changed by hand: see docs/how-to/bring-any-log.md.

    Example:
        tabletape map friday.txt
        tabletape map friday.txt --propose --game wyldwood
        tabletape map friday.txt --check
    """
    folder = workspace_at(db)
    game = game or _game_here()
    require_game(game)
    content = _content(file)
    target = out or file.with_name(stem_of(file) + SUFFIX)
    if out is None and not target.exists():
        _require_no_reader(content, file)
    if check:
        used = map_of_file(target) if target.exists() else fitting_map(file, content, folder)
        if used is None:
            raise RefusedError(f"no map fits {file}; `tabletape map {file}` writes one")
        raise typer.Exit(0 if _print_preview(used, file, content, folder) else 1)
    if target.exists() and not force:
        raise RefusedError(f"{target} is there already: change it by hand, choose another with --out, or --force")
    named = tuple(name.strip() for name in players.split(",") if name.strip())
    seen = _seen(file, content, Said(heading_row, named, prefix, encoding))
    _print_survey(file, seen)
    if propose:
        _require_sure(seen, file)
    seen = seen if propose else _with_days(_with_direction(_with_all(seen, file)))
    accepted = _asked(seen, Sample(content, stem_of(file), game, folder), propose=propose)
    if not accepted and "columns" not in seen.head:
        raise RefusedError(f"{file}: nothing of it has a meaning so far; {ways_on(content, file)}, see {BY_HAND}")
    seen = seen._replace(head={**seen.head, "proposed": True}) if propose else seen
    written = map_text(seen, accepted, game=game, edition=edition)
    if propose:
        _require_reading(read_map(written, str(target), vocabulary), file, content, folder)
    write_whole(target, written)
    say(f"{target}: written")
    _print_preview(map_of_file(target), file, content, folder)
    remark(f"Next: `tabletape import {file}` reads the file by it.")
    if propose:
        remark(f"Nobody has looked at it: once it is right, delete `proposed = true` from {target}.")


def _require_no_reader(content: bytes, file: Path) -> None:
    """Refuse to ask about a file that a reader reads as it is, with the command that shows what it makes of it."""
    found = read_log(content, remark)
    if found is not None:
        raise RefusedError(
            f"{file}: the {found.format} reads it as it is, `tabletape import {file} --dry-run` shows what becomes of "
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
    if "columns" not in seen.head and not seen.players:
        raise RefusedError(f"{file}: {holds(plain)}; {ways_on(plain, file)}, or write the map by hand: {BY_HAND}")
    return seen


def _game_here() -> str:
    """Return the only game that has a file in the workspace, and say so; else the table of which nothing is known."""
    own = {each.slug: each for each in open_games().values() if each.slug != TABLETOP.slug}
    texts = {each.text for each in own.values()}
    if len(texts) != 1:
        return TABLETOP.slug
    slug = min(own, key=len)  # its variants are called like it, with a word behind
    remark(f"Read as {own[slug].title}, the game of this workspace; --game names another.")
    return slug


def _require_reading(used: Map, file: Path, content: bytes, folder: Path) -> None:
    """Refuse a proposal that nobody has looked at and that does not read the game, before it is written."""
    try:
        found = _preview(used, content, stem_of(file), folder)
    except (ForeignError, ZoneError) as error:
        raise RefusedError(str(error)) from None
    if not found.games:
        why = "; ".join(dict.fromkeys(entry.message for entry in found.entries[:MOST_REASONS])) or "it holds none"
        raise RefusedError(f"{file}: no map is written, because no game comes out of it: {why}; by hand: {BY_HAND}")
    if not found.tells:
        raise RefusedError(
            f"{file}: no map is written, because the proposal does not read the game: 0 turns, no winner, nobody began "
            f"({found.in_words}). `tabletape map {file}` asks about each kind of line; by hand: {BY_HAND}"
        )


def _print_survey(file: Path, seen: Survey) -> None:
    """Say what a file looks like."""
    if "columns" in seen.head:
        say(f"{file}: results, read by their columns")
        for name, column in seen.read_as.items():
            say(f"  {name} = {toml_value(column)}")
        return
    who = f"{counted(len(seen.players), 'player')}: {', '.join(seen.players)}"
    where = "".join(
        f"; {key} = {toml_value(seen.head[key])}" for key in ("rows", "text", "player", "at") if key in seen.head
    )
    say(f"{file}: {counted(len(seen.lines), 'line')} of {who}{where}")


def _column_of(seen: Survey) -> str:
    won = seen.head["columns"]["won"]
    return str(won["column"] if isinstance(won, Mapping) else won)


def _require_sure(seen: Survey, file: Path) -> None:
    """Refuse to propose that all win or lose together, or that headings are players, where nothing says so."""
    if seen.guessed:
        names = ",".join(seen.guessed)
        raise RefusedError(
            f"{file}: no map is proposed, because only headings say that {', '.join(seen.guessed)} play: "
            f"`tabletape map {file} --players {shlex.quote(names)}` says so"
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
        raise RefusedError(f"nothing says who played: {BY_HAND}")
    best = "lowest" if letter == "l" else "highest"
    return seen._replace(head={**seen.head, "columns": {**columns, "best": best}})


def _with_days(seen: Survey) -> Survey:
    """Ask, once, in which order the figures of days stand where nothing says it."""
    if not seen.open_day:
        return seen
    letter = _letter(f"In {seen.open_day} the day comes first (d), the month (m), or nobody knows (Enter)")
    return with_days(seen, "day" if letter == "d" else "month") if letter in {"d", "m"} else seen


def _letter(question: str) -> str:
    """Return the first letter of an answer, empty where there is none."""
    try:
        answer: str = typer.prompt(question, default="", show_default=False)
    except typer.Abort:
        if is_at_terminal():
            raise
        return ""
    return answer.strip().lower()[:1]


def _content(file: Path) -> bytes:
    """Return a file as a map reads it: unpacked, and the sheets of a workbook as CSV."""
    if file.is_dir():
        raise RefusedError(f"{file} is a folder: name one file of it")
    try:
        with Source(str(file), None, any_size=True) as source:
            content = sheet_of(source.read_all())
    except OSError as error:
        raise RefusedError(f"{file} cannot be read: {error.strerror or error}") from None
    except DAMAGED as error:
        raise RefusedError(f"{file}: the file is damaged: {error}; fetch it again") from None
    except NotALogError as error:
        raise RefusedError("; ".join(filter(None, (f"{file}: {error}", error.suggestion)))) from None
    if not content.strip():
        raise RefusedError(f"{file}: the file is empty")
    return content


class Sample(NamedTuple):
    """What the entries so far are tried on after each answer: the content of the file, its stem, its game."""

    content: bytes
    stem: str
    game: str
    folder: Path

    def first_events(self, seen: Survey, accepted: Accepted) -> tuple[str, ...]:
        """Return the first events that come out of it; none where the entries do not make a map yet, or of much."""
        if len(self.content) > MAX_TRIED_BYTES:
            return ()
        try:
            text = map_text(seen, accepted, game=self.game, edition="unknown")
            return _preview(read_map(text, "map", vocabulary), self.content, self.stem, self.folder).first
        except (ForeignError, MapError, ZoneError):
            return ()


def _asked(seen: Survey, sample: Sample, *, propose: bool) -> Accepted:
    """Return the entries that a person accepts, or all that are proposed."""
    kinds = proposals(seen, sample.game) if seen.lines else []
    if propose:
        # What nobody has looked at is a gap, not harmless.
        return [(kind.sentence, kind.entry) for kind in kinds if "harmless" not in kind.entry]
    accepted: Accepted = []
    understood = 0
    shown: tuple[str, ...] = ()
    for asked in _questions(kinds):
        share = 100 * understood / len(seen.lines)
        if share >= ENOUGH_UNDERSTOOD:
            break
        answer = _answer(asked, sample.game)
        if answer is None:
            break
        accepted += answer
        understood += sum(kind.lines for kind in asked)
        say(f"  {share:.0f} % -> {100 * understood / len(seen.lines):.0f} % of the lines")
        events = sample.first_events(seen, accepted)
        if events != shown:
            say("  the first events:")
            for event in events:
                say("    ", (event, "dim"))
            shown = events
    return accepted


def _questions(kinds: Sequence[LineProposal]) -> list[Sequence[LineProposal]]:
    """Return the kinds that are asked about together: those that are proposed to mean the same, a page at a time.

    What is proposed to change nothing is asked about one by one. Beginnings and ends come first, then what is
    frequent.
    """
    alike: dict[str, list[LineProposal]] = {}
    for kind in kinds:
        alike.setdefault(kind.sentence if "harmless" in kind.entry else repr(kind.entry), []).append(kind)
    pages = [
        each[place : place + KINDS_A_QUESTION]
        for each in alike.values()
        for place in range(0, len(each), KINDS_A_QUESTION)
    ]
    return sorted(
        pages, key=lambda page: (page[0].entry.get("event") not in DECISIVE, -sum(kind.lines for kind in page))
    )


def _answer(asked: Sequence[LineProposal], game: str) -> Accepted | None:
    """Ask what some kinds of lines mean; none where no more is to be asked."""
    for kind in asked:
        say((f"{kind.lines} x ", "bold"), kind.sentence)
        say("    ", (kind.example, "dim"))
    say(f"    proposed: {entry_text(asked[0].entry)}")
    try:
        answer = typer.prompt("Enter accepts, s skip, h harmless, c change, q stop", default="", show_default=False)
    except typer.Abort:
        if is_at_terminal():
            raise
        return None  # The answers that were piped in are over.
    match answer.strip().lower()[:1]:
        case "q":
            return None
        case "s":
            return [(kind.sentence, {"skip": True}) for kind in asked]
        case "h":
            return [(kind.sentence, {"harmless": True}) for kind in asked]
        case "c":
            return [_changed(kind, game) for kind in asked]
        case _:
            return [(kind.sentence, kind.entry) for kind in asked]


def _changed(kind: LineProposal, game: str) -> tuple[str, Mapping[str, Any]]:
    """Ask for the sentence and its meaning, until both can be read."""
    while True:
        sentence = typer.prompt("sentence", default=kind.sentence)
        entry = typer.prompt("meaning (TOML)", default=entry_text(kind.entry))
        try:
            return sentence, entry_of(sentence, entry, game)
        except MapError as error:
            complain(str(error))


def _preview(used: Map, content: bytes, stem: str, folder: Path) -> Preview:
    known = known_of(folder, used.written.game)
    cards = None if known.cards is None else {card: card for card in known.cards}
    return preview(used, content, cards, stem)


def _print_preview(used: Map, file: Path, content: bytes, folder: Path) -> bool:
    """Say what a map makes of a file: games, winners, beginners, turns, the rest; return whether all is well."""
    try:
        found = _preview(used, content, stem_of(file), folder)
    except (ForeignError, ZoneError) as error:
        raise RefusedError(str(error)) from None
    for game in found.games:
        say(game)
    for event in found.first:
        say("  ", (event, "dim"))
    if found.lines:
        say(found.in_words)
        if not found.tells:
            say(("0 turns, no winner, nobody began: this map does not read the game", "yellow"))
    print_fates(found.fates)
    for text in found.remarks:
        say("  ", text)
    for entry in found.entries:
        say("  ", (f"line {entry.line}: {entry.message}", "yellow"))
    return found.is_well
