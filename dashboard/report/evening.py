"""What there is to say of some games: who played, what went wrong, what was asked, what changed, what to test next."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final, Literal

import msgspec

from tabletape.dashboard.questions import ask, select
from tabletape.dashboard.questions.bots_apart import ask_apart
from tabletape.dashboard.report.choosing import Chosen, Row
from tabletape.dashboard.report.document import Block, Board, Bullets, Document, Heading, Paragraph, Rows
from tabletape.dashboard.report.results import UNKNOWN, causes_of, mistaken, results
from tabletape.dashboard.report.said import said_about
from tabletape.dashboard.report.summary import (
    Happened,
    among,
    board_at,
    has_moves,
    in_one_sentence,
    nothing_wrong,
    summary,
    turn_said,
)
from tabletape.dashboard.report.untried import untried
from tabletape.events.log import Log
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.events.vocabulary.shared import NoteAdded, QuestionRaised
from tabletape.projector.archive.pseudonyms import pseudonyms, renamed, renamed_in, without_names
from tabletape.projector.archive.stored import replay_of
from tabletape.projector.archive.view import View
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted, middle
from tabletape.projector.model.areas import EVERYTHING, Area
from tabletape.projector.model.game import Game
from tabletape.projector.model.phrases import expected_in_words, with_rulings_said
from tabletape.projector.model.rules import HARD, Finding
from tabletape.projector.model.table import CannotFoldError
from tabletape.projector.rulebooks.kept import Quote, no_quote

Replays = Mapping[str, Traced]
"""The games of a report by their ids."""

FINDINGS: Final = 8
"""How many rules that were broken are shown, each with the first table on which it was."""

PLACES: Final = 3
CARDS: Final = 8
"""How many places of a remark, and cards that stayed in hands, are named."""

ENOUGH: Final = 3
"""Of fewer copies that came to a hand one that did nothing says nothing."""

LAST_LEAD: Final = "SELECT game_id, ruleset, last_lead_change FROM games"


def replays_of(
    log: Log, chosen: Chosen, tell: Callable[[str], object], names: Mapping[str, str] | None = None
) -> dict[str, Traced]:
    """Read chosen games as their tables read them; `tell` is told of each that cannot be read and is left out.

    With `names` they are read with pseudonyms in place of names (see `without_names_in`).
    """
    replays: dict[str, Traced] = {}
    for row in chosen.games:
        if row["detail"] == "results":
            continue
        replayed = replay_of(log, row["game_id"], traced=True)
        if names:
            _, replayed = without_names(log.game(row["game_id"]), replayed, names)
        if not isinstance(replayed, Traced):
            raise TypeError("a replay that is looked at has to be traced")
        if replayed.events:
            replays[row["game_id"]] = replayed
        else:
            reason = replayed.stopped.reason if replayed.stopped else CannotFoldError.__name__
            tell(f"{row['game_id']} cannot be read: {reason}")
    return replays


def report(
    chosen: Chosen,
    replays: Replays,
    datasets: Path,
    quotes: Callable[[str], Quote] = lambda _: no_quote,
    short: Iterable[Block] = (),
) -> Document:
    """Return a report on chosen games, game by game of a kind; `replays` are those that could be read.

    `quotes` gives for a game what the designer's own rulebook says of a rule, `short` is the evening in short where it
    is known already.
    """
    blocks: list[Block] = [Heading(chosen.title, 1)]
    blocks += short or evening_in_short(chosen, replays, datasets)
    for slug in dict.fromkeys(row["game"] for row in chosen.games):
        mine = [row for row in chosen.games if row["game"] == slug]
        earlier = [row for row in chosen.before if row["game"] == slug]
        views = {id_: View(replays[id_], quotes(slug)) for row in mine if (id_ := row["game_id"]) in replays}
        blocks += _of_kind(game(slug), mine, views, datasets)
        blocks += _compared(mine, earlier, chosen.day_before)
        blocks += what_to_test(slug, datasets)
    return Document(chosen.title, tuple(_drawn_once(blocks)))


def _drawn_once(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the parts of a text; a table of cards that was drawn above is named only."""
    drawn: list[tuple[Area, ...]] = []
    for block in blocks:
        if isinstance(block, Board) and block.areas and block.areas in drawn:
            yield Paragraph(f"{block.caption} (drawn above)", quiet=True)
        else:
            drawn += [block.areas] if isinstance(block, Board) else []
            yield block


def pseudonyms_of(log: Log, chosen: Chosen) -> dict[str, str]:
    """Return pseudonyms for all who played chosen games, and those of the evening before."""
    return pseudonyms(log.game(row["game_id"]) for row in (*chosen.games, *chosen.before))


def without_names_in(document: Document, names: Mapping[str, str]) -> Document:
    """Return a text with pseudonyms in place of names; its boards have to be of games that are read so."""
    blocks = (
        msgspec.structs.replace(block, caption=renamed(block.caption, names), replay="")
        if isinstance(block, Board)
        else renamed_in(block, names)
        for block in document.blocks
    )
    return Document(renamed(document.title, names), tuple(blocks)) if names else document


def evening_in_short(chosen: Chosen, replays: Replays, datasets: Path) -> Iterator[Block]:
    """Yield what chosen games came to: a few lines, how they felt, and the moments worth looking at again."""
    views = {row["game_id"]: View(replays[row["game_id"]]) for row in chosen.games if row["game_id"] in replays}
    causes = {id_: causes_of(view) for id_, view in views.items()}
    happened = Happened(
        said=said_about(chosen.games, datasets),
        causes=causes,
        stuck=next((f"{_dead(row)}{among(chosen.games, row['game'])}" for row in _stuck(chosen.games, datasets)), ""),
        turned=_turned(chosen.games, datasets),
    )
    yield Paragraph(in_one_sentence(chosen.games, causes))
    yield from summary(chosen.games, views, happened)


def _turned(games: Sequence[Row], datasets: Path) -> list[Row]:
    """Return when it was decided who wins, and when the lead changed last, of games as their tables read them."""
    read_by = {(row["game_id"], row["ruleset"]) for row in games}
    turned: list[Row] = []
    for slug in dict.fromkeys(row["game"] for row in games if row["detail"] != "results"):
        ids = [row["game_id"] for row in games if row["game"] == slug]
        last = select(LAST_LEAD, datasets, (), games=ids, source="all").to_pylist()
        changed = {(row["game_id"], row["ruleset"]): row["last_lead_change"] for row in last}
        # The games of bots are many, and each takes a while.
        of: Literal["all", "people"] = "all" if any(map(is_by_bots, ids)) else "people"
        rows = ask_apart("turning-points", datasets, game=slug, source=of).to_pylist()
        keys = ((row["game_id"], row["ruleset"]) for row in rows)
        mine = [(row, key) for row, key in zip(rows, keys, strict=True) if key in read_by]
        turned += [{**row, "last_lead_change": changed.get(key)} for row, key in mine]
    return turned


def _of_kind(one: Game, games: Sequence[Row], views: Mapping[str, View], datasets: Path) -> Iterator[Block]:
    """Yield the sections about the games of one kind."""
    yield Heading(one.title)
    yield results(games, views)
    for section in (_mistakes, _remarks, _readings):
        yield from section(one, views)
    yield from _dead_cards(games, datasets)


# -- what went wrong ---------------------------------------------------------------------------------------------------


def _mistakes(one: Game, views: Mapping[str, View]) -> Iterator[Block]:
    """Yield each rule that was broken, with its citation and the table as it first lay; the rest is counted."""
    if not views:  # that no move was written down is said above
        return
    yield Heading("What went wrong", 3)
    by_rule: dict[str, list[tuple[str, Finding]]] = {}
    following = 0
    for game_id, view in views.items():
        causes = causes_of(view)
        following += sum(each.kind in HARD for each in view.findings) - len(causes) if causes else 0
        for finding in causes:
            by_rule.setdefault(finding.rule, []).append((game_id, finding))
    for cases in sorted(by_rule.values(), key=len, reverse=True)[:FINDINGS]:
        (game_id, first), *others = cases
        yield from _mistake(one, game_id, views[game_id], first)
        if others:
            places = [f"{id_}, event {each.seq}" for id_, each in others]
            yield Paragraph(f"The same rule {counted(len(others), 'more time')}: {_some(places)}.", quiet=True)
    if len(by_rule) > FINDINGS:
        yield Paragraph(f"And {counted(len(by_rule) - FINDINGS, 'more rule')} broken.", quiet=True)
    if following:
        yield Paragraph(f"{counted(following, 'later line')} may only follow from these.", quiet=True)
    if not by_rule:
        yield Paragraph(nothing_wrong(views))


def _mistake(one: Game, game_id: str, view: View, finding: Finding) -> Iterator[Block]:
    said = (one.by_id[finding.rule], one.by_id.get(finding.because))
    rule = next(each for each in reversed(said) if each and each.lines == finding.lines)
    passages = view.quote(finding.rule, finding.because)
    # A text that is quoted is so with its lines.
    source = rule.section if passages else view.quote.place(rule.section, rule.lines, finding.rule, finding.because)
    wanted = expected_in_words(finding)
    expected = f" Expected: {wanted}." if wanted else ""
    yield Paragraph(f"{_as_sentence(with_rulings_said(one.rulebook, finding.message))}{expected}")
    yield Paragraph(f"{source}: {rule.text}" if source else rule.text, quiet=True)
    for passage in passages:
        doubt = f" ({passage.doubt})" if passage.doubt else ""
        yield Paragraph(f"Rulebook, {passage.place}{doubt}: {passage.in_context}", quiet=True)
    index = view.index_of(finding.seq)
    if index is not None:
        players = ", ".join(each.name for each in view.replay.table.players.values())
        when = ", ".join(dict.fromkeys((f"event {finding.seq}", turn_said(view, index))))
        caption = f"{players} ({game_id}), {when}: {view.text(index, EVERYTHING)}"
        yield board_at(view, index, caption)


def _as_sentence(text: str) -> str:
    """Return words with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


# -- what was said -----------------------------------------------------------------------------------------------------


def _remarks(one: Game, views: Mapping[str, View]) -> Iterator[Block]:
    """Yield the questions that the table raised, and its notes."""
    places: dict[str, list[str]] = {}
    for game_id, view in views.items():
        for words, seq in _remarks_of(one, view):
            places.setdefault(words, []).append(f"{game_id}, event {seq}")
    if places:
        yield Heading("Questions and remarks", 3)
        often = sorted(places.items(), key=lambda each: -len(each[1]))
        yield Bullets(tuple(f"{words} ({_some(where)})" for words, where in often))


def _remarks_of(one: Game, view: View) -> Iterator[tuple[str, int]]:
    """Yield what was asked or remarked, with the rule that it names, and the number of its event."""
    for index, event in enumerate(view.replay.events):
        if isinstance(event, QuestionRaised | NoteAdded):
            rule = one.by_id.get(event.rule) if isinstance(event.rule, str) else None
            about = f" ({rule.section}: {rule.text})" if rule is not None else ""
            text = view.text(index, EVERYTHING)
            # The rule is said in words, so its id says nothing more to players.
            text = text.removesuffix(f" ({event.rule})") if rule is not None else text
            yield f"{text}{about}", view.replay.seqs[index]


def _some(places: Sequence[str]) -> str:
    """Return the first few places, and how many more there are."""
    more = f" and {len(places) - PLACES} more" if len(places) > PLACES else ""
    return "; ".join(places[:PLACES]) + more


def _readings(one: Game, views: Mapping[str, View]) -> Iterator[Block]:
    """Yield how the tables read unclear sentences, where that is not the usual way."""
    lines: dict[str, list[str]] = {}
    for game_id, view in views.items():
        for key, option in view.replay.ruleset.options.items():
            ruling = one.rulebook.by_key.get(key)
            if ruling is not None and option != ruling.default:
                words = next((each.text for each in ruling.options if each.name == option), option)
                lines.setdefault(f"{ruling.question} {_as_sentence(words)} ({key} = {option})", []).append(game_id)
    if lines:
        yield Heading("Played differently from the usual reading", 3)
        yield Bullets(tuple(f"{line}: {_games(ids, len(views))}" for line, ids in lines.items()))


def _games(ids: Sequence[str], of: int) -> str:
    return "all games" if len(ids) == of else ", ".join(ids)


# -- what the datasets say ---------------------------------------------------------------------------------------------


def _stuck(games: Sequence[Row], datasets: Path) -> list[Row]:
    """Return the cards that did nothing in these games, as their tables read them, those of most copies first."""
    rows: list[Row] = []
    for slug, ruleset in dict.fromkeys((row["game"], row["ruleset"]) for row in games):
        ids = [row["game_id"] for row in games if (row["game"], row["ruleset"]) == (slug, ruleset)]
        asked = ask("dead-cards", datasets, game=slug, games=ids, ruleset=ruleset, source="all")
        rows += [row for row in asked.to_pylist() if row["dead"] and row["entered"] >= ENOUGH]
    return sorted(rows, key=lambda row: (-row["dead"], row["card_name"] or row["card"]))


def _dead_cards(games: Sequence[Row], datasets: Path) -> Iterator[Block]:
    """Yield the cards that did nothing in these games."""
    if worst := _stuck(games, datasets):
        yield Heading("Cards that did nothing", 3)
        yield Bullets(tuple(_dead(row) for row in worst[:CARDS]))
        if len(worst) > CARDS:
            yield Paragraph(f"And {counted(len(worst) - CARDS, 'more card')}.", quiet=True)


def _dead(row: Row) -> str:
    discarded = f", {row['discarded']} of them discarded" if row["discarded"] else ""
    held = f"{row['dead']} of the {counted(row['entered'], 'copy', 'copies')} that came into a hand did nothing"
    return f"{row['card_name'] or row['card']}: {held}{discarded}"


def _compared(games: Sequence[Row], before: Sequence[Row], day: str) -> Iterator[Block]:
    """Yield what is different from the evening before; too little to say why."""
    if not before:
        return
    yield Heading("Compared with the evening before", 3)
    every = [(name, count(before), count(games)) for name, count in MEASURES.items()]
    every.append(("games with a mistake", mistaken(before) or UNKNOWN, mistaken(games) or UNKNOWN))
    yield Rows(("", day, "now"), tuple(row for row in every if {*row[1:]} != {UNKNOWN}))
    yield Paragraph("So few games differ by luck alone.", quiet=True)


def _median_of(field: str) -> Callable[[Sequence[Row]], str]:
    """Return a count of the median of a field over finished games."""

    def count(games: Sequence[Row]) -> str:
        values = [row[field] for row in games if row["over"] and row[field] is not None]
        return middle(median(values)) if values else UNKNOWN

    return count


MEASURES: Final[Mapping[str, Callable[[Sequence[Row]], str]]] = {
    "games": lambda games: str(len(games)),
    "finished": lambda games: str(sum(bool(row["over"]) for row in games)),
    "minutes of a finished game (median)": _median_of("minutes"),
    "turns of a finished game (median)": _median_of("turns"),
    "questions": lambda games: str(sum(row["questions"] or 0 for row in games) if has_moves(games) else UNKNOWN),
}
"""What one evening is compared with another by."""


def what_to_test(slug: str, datasets: Path) -> Iterator[Heading | Bullets]:
    """Yield what no game of a kind has tried yet, of all games."""
    played = select(
        "SELECT DISTINCT ruleset FROM games WHERE as_played AND game = $game", datasets, ("game",), game=slug
    )
    rulesets = played["ruleset"].to_pylist()
    # Which lines a log has is a matter of its keeper.
    rows = [row for row in _untried_by_all(slug, datasets, rulesets) if row["what"] != "event"]
    lines = [f"{what}: {which}" for what, which in untried(slug, rows, rulesets)]
    if lines:
        yield Heading("What to try next", 3)
        yield Bullets(tuple(lines))


def _untried_by_all(slug: str, datasets: Path, rulesets: Iterable[str]) -> list[Row]:
    """Return what no game has tried under the ruleset that its table played by."""
    answers = [
        ask("never-seen", datasets, game=slug, ruleset=ruleset, source="all").to_pylist() for ruleset in rulesets
    ]
    everywhere = [{(row["what"], row["name"]) for row in rows} for rows in answers]
    return [row for row in answers[0] if all((row["what"], row["name"]) in each for each in everywhere)]
