"""A map as it is written: `NAME.map.toml`, which says how the lines, rows or results of a foreign file become events.

The reference of every key is docs/how-to/bring-any-log.md; `tabletape schema map` prints the JSON Schema.
"""

from typing import Annotated, Any, Literal

import msgspec

from tabletape.events.plans import planned

Shape = Literal["lines", "rows", "results", "json", "xml"]
Cleaning = Literal["blanks", "quotes", "tags", "signs", "entities"]
Sentences = str | list[str]

Text = Annotated[str, msgspec.Meta(min_length=1)]


class _Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a map; a key that it does not have is refused."""


class Written(_Written, frozen=True, kw_only=True):
    """An event that a line gives: its type, and the fields that its sentence does not capture under their own names.

    A value in which {holes} stand is filled with what the sentence captured, or with what an earlier line has set.
    """

    event: Text
    fields: dict[str, Any] = msgspec.field(name="with", default_factory=dict)


class Entry(_Written, frozen=True, kw_only=True):
    """A `[[line]]`: which lines it fits, and what they mean.

    `when` (rows, JSON) are the values that the row's columns must have. `under` is a sentence for a line below the one
    that gave the last event: without an `event` its holes add to that event, with one its event has that event as its
    cause. What comes behind a line with `ends` is no part of the game any more.
    With `exact` the hole `{event}` of `under` is an event as JSON, which stands for what the line above it says.
    `also` are further events of the same line, `afterwards` come when the row is over, `at_start` stand at the
    beginning of the game: a first turn that has no heading.
    """

    sentences: Sentences = msgspec.field(name="is", default_factory=list)
    matches: Sentences = msgspec.field(default_factory=list)
    under: Sentences = msgspec.field(default_factory=list)
    when: dict[str, str | int | float | bool] = msgspec.field(default_factory=dict)
    event: str = ""
    fields: dict[str, Any] = msgspec.field(name="with", default_factory=dict)
    sets: dict[str, str] = msgspec.field(default_factory=dict)
    also: list[Written] = msgspec.field(default_factory=list)
    afterwards: list[Written] = msgspec.field(default_factory=list)
    at_start: list[Written] = msgspec.field(default_factory=list)
    seats: bool = False
    skip: bool = False
    harmless: bool = False
    exact: bool = False
    ends: bool = False


class Column(_Written, frozen=True, kw_only=True):
    """A column (a path in JSON and XML): split at `split`, yes where it `is` so, not written where it is `none`.

    `split` may be several signs; of `;` and `,` only the first parts a cell in which both stand.
    """

    column: Text
    split: str | list[str] = ""
    says: str | int | bool | list[str | int | bool] = msgspec.field(name="is", default_factory=list)
    none: list[str | int] = msgspec.field(default_factory=list)


AnyColumn = str | Column | list[str | Column]


class Columns(_Written, frozen=True, kw_only=True):
    """Where a results sheet has what; a column may be `who (split ,)`, or a list of columns.

    A game is a row, or several rows with the same `group`, or a row with a list (`each`) of players in it. In the last
    two `player`, `deck`, `won`, `score`, `first` and `cards` belong to each player. A row of which `left_out`
    says yes is passed over and counted; one that stands for several games (`times`) counts once, and is said to.

    Where nobody has `won` and no scores say more, a game counts as a draw only if `draw` says so (`draw`, `Remis`): one
    that all have lost looks the same.

    `score_of` are columns called like a player, with their scores in them; the `best` of them has won, if no column
    says who. What stands in a column of `fill_down` stands for the rows below it too; `(heading)` is the column of the
    heading that a row is under. Rows of sums and averages are passed over and counted.

    With `sums` the rows of sums are the games, and the others what is added up: a score pad. With `ranked` the columns
    of `players` name them in the order of their places.

    `sides` are columns that name the players of a team each, and the team is called like its column: the `winner` may
    be one, and a score for each is that of all who are in it. What stands in `team` is none where `in_teams` says no.
    Where `won` stands beside `players`, all of them win or
    lose together.

    `feedback` are columns of what players say of the game: `fun`, `fair` (1 to 5), `length`, `again`, `text`, others by
    the ids of one's own questions; `by` is who says it, where that is not the player of the row. A column that is split
    has what each of the players says, with their names or in their order; of several each is that of whom it names.

    A row that is exactly the `example` of a template is passed over and counted: column → text, in which `{column}`
    stands for whatever the row has there. With one value changed it is a game.
    """

    group: str = ""
    each: str = ""
    id: AnyColumn = ""
    game: AnyColumn = ""
    edition: AnyColumn = ""
    times: AnyColumn = ""
    left_out: AnyColumn = ""
    date: AnyColumn = ""
    players: AnyColumn = ""
    sides: list[str | Column] = msgspec.field(default_factory=list)
    decks: AnyColumn = ""
    winner: AnyColumn = ""
    first_player: AnyColumn = ""
    player: AnyColumn = ""
    deck: AnyColumn = ""
    won: AnyColumn = ""
    draw: AnyColumn = ""
    score: AnyColumn = ""
    score_of: list[str] = msgspec.field(default_factory=list)
    best: Literal["", "highest", "lowest"] = ""
    fill_down: list[str] = msgspec.field(default_factory=list)
    sums: bool = False
    ranked: bool = False
    example: dict[str, str] = msgspec.field(default_factory=dict)
    scores: AnyColumn = ""
    place: AnyColumn = ""
    places: AnyColumn = ""
    team: AnyColumn = ""
    teams: AnyColumn = ""
    in_teams: AnyColumn = ""
    cooperative: AnyColumn = ""
    first: AnyColumn = ""
    cards: AnyColumn = ""
    reason: AnyColumn = ""
    rounds: AnyColumn = ""
    turns: AnyColumn = ""
    minutes: AnyColumn = ""
    note: AnyColumn = ""
    feedback: dict[str, AnyColumn] = msgspec.field(default_factory=dict)
    by: AnyColumn = ""


class Seating(_Written, frozen=True, kw_only=True):
    """What `[players]` says of somebody: the deck, and what else the lines call them."""

    deck: str = ""
    aliases: list[Text] = msgspec.field(default_factory=list)


class Expect(_Written, frozen=True, kw_only=True):
    """What must hold in every game that the map gives; a game in which it does not is not taken.

    `first_turn` names the event whose player must have the first turn. `understood` is a percentage of the lines that
    are not skipped. `players` and `turns` are the least and the most.
    """

    first_turn: str = ""
    ends: Literal["", "all"] = ""
    understood: Annotated[float, msgspec.Meta(ge=0, le=100)] = 0
    players: tuple[int, int] | int | None = None
    turns: tuple[int, int] | None = None


class DocumentPart(_Written, frozen=True, kw_only=True):
    """Where the sentences of a map of lines stand in a document of the same program; the keys are those of a map."""

    shape: Literal["json", "xml"]
    rows: Text
    text: Sentences
    unfold: str = ""
    starts: str | list[str] | dict[str, str | int] = msgspec.field(default_factory=list)
    player: str = ""
    at: str = ""


@planned
class MapFile(_Written, frozen=True, kw_only=True):
    """A whole map.

    With `prose` each sentence of a line is a line. `prefix` is taken off the beginning of every line, `suffix` off its
    end. A line of `headings` says who wrote the
    lines below it, and when: with its `{player}`, as with that of a prefix, they are read as `Ann: …`.
    `by_index` gives each row of a document further values by their places in lists, counted from 0, in this order:
    `card = "deck[target]"`, `player = "players[n mod size]"`; `n` is the number of the row, `size` that of the list.
    `fill` is the path to what stands in a row for `${name}` in its text, as Board Game Arena writes it.
    With `proposed` nobody has looked at it yet, and whatever is counted from its games says so.
    `heading_row` is the row of a sheet that names its columns, where it is not the first with several cells. With
    `turned` its columns are the games: the first cell of each row says what stands in it, and `(column)` is the heading
    of the game's column. `beside` are columns of a sheet that are called like the players, with what each did in them:
    each of their cells is a row, with `(player)` and `(done)`. `encoding` is that of the file, where it is neither
    UTF-8, UTF-16 nor Windows-1252.
    `document` says where a document has the same sentences, or several say it of the kinds that there are.
    """

    map: Literal[1]
    game: Text
    shape: Shape
    title: str = ""
    source: str = ""
    proposed: bool = False
    edition: str = "unknown"
    id: str = "{file}"
    zone: str = ""
    date: str = ""
    dates: str | list[str] = msgspec.field(default_factory=list)
    clean: list[Cleaning] = msgspec.field(default_factory=list)
    newest_first: bool = False
    prose: bool = False
    prefix: Sentences = msgspec.field(default_factory=list)
    suffix: Sentences = msgspec.field(default_factory=list)
    headings: Sentences = msgspec.field(default_factory=list)
    starts: str | list[str] | dict[str, str | int] = msgspec.field(default_factory=list)
    gap: str = ""
    after_end: bool = False
    rows: str = ""
    unfold: str = ""
    text: Sentences = msgspec.field(default_factory=list)
    fill: str = ""
    player: str = ""
    at: str = ""
    begins: str = ""
    heading_row: Annotated[int, msgspec.Meta(ge=0)] = 0
    turned: bool = False
    beside: list[str] = msgspec.field(default_factory=list)
    encoding: str = ""
    seats: list[str] = msgspec.field(default_factory=list)
    lookup: dict[str, str] = msgspec.field(default_factory=dict)
    by_index: Annotated[dict[str, str], msgspec.Meta(max_length=20)] = msgspec.field(default_factory=dict)
    columns: Columns | None = None
    document: DocumentPart | list[DocumentPart] = msgspec.field(default_factory=list)
    words: dict[str, list[str]] = msgspec.field(default_factory=dict)
    players: dict[str, Seating] = msgspec.field(default_factory=dict)
    values: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    entries: list[Entry] = msgspec.field(name="line", default_factory=list)
    expect: Expect = msgspec.field(default_factory=Expect)

    @property
    def documents(self) -> list[DocumentPart]:
        """The kinds of documents that have the same sentences."""
        return self.document if isinstance(self.document, list) else [self.document]
