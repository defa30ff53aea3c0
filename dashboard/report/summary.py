"""What an evening came to in a few sentences: how it went, what people said, and the moments worth looking at again."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import inf
from statistics import median
from typing import Final
from urllib.parse import urlencode

import msgspec

from tabletape.dashboard.report.choosing import Row
from tabletape.dashboard.report.document import Block, Board, Bullets, Heading, Paragraph, Rows
from tabletape.dashboard.report.results import NO_END, UNKNOWN, lines_wrong, with_a_mistake
from tabletape.dashboard.report.said import Sayings, felt
from tabletape.dashboard.statistics.intervals import percent
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.archive.view import View
from tabletape.projector.fold.detail import noted_mistakes, unread_lines
from tabletape.projector.fold.taken_back import standing
from tabletape.projector.games import game, title_of
from tabletape.projector.model.amounts import as_often, counted, joined, middle, often
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.deciding import cards_in
from tabletape.projector.model.phrases import with_rulings_said
from tabletape.projector.model.rules import Finding

MOMENTS: Final = 3
"""So many of the moments that were marked are shown with their board."""

NO_MOVES: Final = "No move of these games was written down, so nobody can tell whether the rules were kept."
"""What no mistake means where only results were written down."""

NO_RULES: Final = "No rule of this game is stated yet, so nobody can tell whether one was broken."
"""What no mistake means in a game of which the rules are not said: that nothing was broken would say too much."""

MANY: Final = 4
"""Of more who won as often only how many they are is said."""

BOTH: Final = 2
"""So many rules that were broken as often are both named."""

UNVERIFIABLE: Final = "unverifiable"
"""The kind of a finding that leaves open whether something went wrong."""

UNWRITTEN: Final = "missing"
"""The kind of a finding that no line says what a rule asks for: it was forgotten at the table, or in the log."""

Moment = tuple[str, int, str]
"""A game, the number of an event in it, and what there is to say of it."""


class Happened(msgspec.Struct, frozen=True, kw_only=True):
    """What happened in some games and was said about them.

    `causes` are the mistakes that follow from no earlier one, by game; `stuck` says which card left the hand least;
    `turned` answers the question `turning-points`, with the turn of the last change of the lead.
    """

    said: Sayings
    causes: Mapping[str, Sequence[Finding]]
    stuck: str = ""
    turned: Sequence[Row] = ()


def summary(games: Sequence[Row], views: Mapping[str, View], happened: Happened) -> Iterator[Block]:
    """Yield what some games came to: a row for each kind, a few lines, how they felt, the moments to look at again."""
    said = happened.said
    stuck = f"Stayed in hands most: {happened.stuck}." if happened.stuck else ""
    lines = [_took(games), _trouble(games, views, happened.causes), _asked(games, said), _noted(games, said), stuck]
    yield from _by_kind(games, happened.causes)
    yield Bullets(tuple(line for line in lines if line))
    yield from felt(said, games)
    yield from _moments(views, happened)


def in_one_sentence(games: Sequence[Row], causes: Mapping[str, Sequence[Finding]]) -> str:
    """Return how many games there were and ended, how many people played, who won, and in how many one erred."""
    finished = sum(bool(row["over"]) for row in games)
    names = {name for row in games for name in (row["names"] or "").split(", ") if name}
    people = counted(len(names), "person", "people")
    over = f"{'all' if finished == len(games) else finished} of them finished"
    if len(games) == 1:
        over = "finished" if finished else NO_END
    mistakes = with_a_mistake(games, causes)
    wrong = f"{mistakes} had a mistake." if mistakes else ""
    if len(games) == 1 and (number := sum(map(lines_wrong, causes.values()))):
        wrong = f"It had {counted(number, 'mistake')}."
    won = f"{most}." if (most := most_won(games)) else ""
    kinds = {row["game"] for row in games}
    played = counted(len(games), "game") + (f" of {title_of(*kinds)}" if len(kinds) == 1 else "")
    return " ".join(filter(None, (f"{played}, {over}, played by {people}.", won, wrong)))


def has_moves(games: Iterable[Row]) -> bool:
    """Return whether of some games, rows of the question `games`, more than results was written down."""
    return any(row["detail"] != "results" for row in games)


def ended_in_words(games: Sequence[Row]) -> str:
    """Return how many games came to an end, as a clause."""
    ended = sum(bool(row["over"]) for row in games)
    if len(games) == 1:
        return "it came to an end" if ended else "its log has no end"
    return f"{'all' if ended == len(games) else f'{ended} of {len(games)}' if ended else 'none'} came to an end"


def _by_kind(games: Sequence[Row], causes: Mapping[str, Sequence[Finding]]) -> Iterator[Block]:
    """Yield a row for each kind of game: how many, how long finished ones took, in how many there was a mistake.

    A column of which no game knows anything is left out.
    """
    rows, kinds = [], Counter(row["game"] for row in games).most_common()
    for slug, number in kinds if len(kinds) > 1 else ():
        mine = [row for row in games if row["game"] == slug]
        wrong = with_a_mistake(mine, causes) or UNKNOWN
        rows.append((title_of(slug), str(number), _median(mine, "minutes"), _median(mine, "turns"), wrong))
    names = ("", "Games", "Minutes", "Turns", "With a mistake")
    told = [nth for nth, cells in enumerate(zip(*rows, strict=True)) if {*cells} != {UNKNOWN}]
    if not rows:
        return
    yield Rows(tuple(names[nth] for nth in told), tuple(tuple(row[nth] for nth in told) for row in rows))
    if any("(" in cell for row in rows for cell in row[2:4]):
        yield Paragraph("Minutes and turns: the middle one of the finished games (shortest-longest).", quiet=True)


def _took(games: Sequence[Row]) -> str:
    """Say how long games of one kind took; of one game or two the list of games says it."""
    if len({row["game"] for row in games}) > 1 or len(games) <= BOTH:
        return ""
    lengths = [(*_length(games, field), field) for field in ("minutes", "turns")]
    told = [
        f"{most} {field}" + (f" (all of them {ends})" if ends else "")
        for most, ends, field in lengths
        if most != UNKNOWN
    ]
    return f"Half of the games took at most {joined(told)}." if told else ""


def _median(games: Sequence[Row], field: str) -> str:
    """Return the median of a field over finished games, with the least and the most."""
    most, ends = _length(games, field)
    return most + (f" ({ends})" if ends else "")


def _length(games: Sequence[Row], field: str) -> tuple[str, str]:
    """Return the median of a field over finished games, and the least with the most where these differ."""
    values = [row[field] for row in games if row["over"] and row[field] is not None]
    if not any(values):
        return UNKNOWN, ""
    if max(values) < 1:
        return "under 1", ""
    low, high = f"{min(values):.0f}", f"{max(values):.0f}"
    most = middle(median(values)) if field == "minutes" else f"{int(median(values))}"  # no game has half a turn
    # The hyphen is one at which no narrow column breaks.
    return most, f"{low}\u2011{high}" if low != high else ""


def among(games: Sequence[Row], slug: str) -> str:
    """Return which game is meant where games of several kinds were played, in brackets."""
    return f" ({title_of(slug)})" if len({row["game"] for row in games}) > 1 else ""


def most_won(games: Sequence[Row]) -> str:
    """Say who won how often, those who won most first, and how many games were a draw; many are only counted.

    Of how many finished ones is said where not all who won played equally often: two of two is more than two of six.
    """
    ended = [row for row in games if row["over"]]
    wins = Counter(row["won_by"] for row in ended if row["won_by"])
    played = Counter(name for row in ended for name in (row["names"] or "").split(", ") if name in wins)
    by_times: dict[tuple[int, int], list[str]] = {}
    for name, times in sorted(wins.items(), key=lambda won: (-won[1], played[won[0]])):
        of = played[name] if len({*played.values()}) > 1 else 0
        by_times.setdefault((times, of), []).append(name)
    if len(games) == 1 and wins:
        return f"{next(iter(wins))} won"
    said: list[str] = []
    for (times, of), names in by_times.items():
        if len(names) > MANY:
            who = f"{len(names)} {'others' if said else 'people'}"
        else:
            shared = [f"{name} (shared)" if " and " in name else name for name in names]
            who = joined(names) if shared == names else ", ".join(shared)
        how_often = f"{times} of {of}" if of else often(times)
        said.append(f"{who}{'' if said else ' won'} {how_often}{' each' if len(names) > 1 else ''}")
    draws = sum(bool(row["over"] and not row["won_by"] and not row["cooperative"]) for row in games)
    return ", ".join([*said, *([counted(draws, "draw")] if draws and said else [])])


def _trouble(games: Sequence[Row], views: Mapping[str, View], findings: Mapping[str, Sequence[Finding]]) -> str:
    """Return the rule that was broken most often, or what no mistake means."""
    if not any(findings.values()):
        return nothing_wrong(views)
    every = [(views[id_].replay.game.slug, each) for id_, some in findings.items() for each in some]
    # A line that nobody wrote may have been forgotten in the log alone: what was done comes first.
    done = [(slug, each) for slug, each in every if each.kind != UNWRITTEN]
    rules = Counter((slug, each.rule) for slug, each in done or every)
    times = max(rules.values())
    first = [key for key, number in rules.most_common() if number == times]
    # Two are named; of more only how many they are.
    named, others = (first, "") if len(first) == BOTH else (first[:1], as_often(len(first)))
    said = "; ".join(f"“{game(slug).by_id[rule].text}”{among(games, slug)}" for slug, rule in named)
    what = "Broken most" if done else "Left unwritten most"
    return f"{what}{others}, {often(times)}{' each' if len(named) == BOTH else ''}: {said}"


def nothing_wrong(views: Mapping[str, View]) -> str:
    """Return what no mistake in games means: little where no rule is stated, and less where lines could not be judged.

    Where no move was written down nobody can tell anything.
    """
    if not views:
        return NO_MOVES
    judged = {id_: view for id_, view in views.items() if view.replay.game.rulebook.stated}
    doubted = {(id_, each.seq) for id_, view in judged.items() for each in view.findings if each.kind == UNVERIFIABLE}
    unread = sum(unread_lines(view.replay.events) for view in views.values())
    lines = (standing(view.replay.events, view.replay.seqs).values() for view in views.values())
    noted = [f"\u201c{text}\u201d" for each in lines for text in noted_mistakes(each)]
    said = [NO_RULES] if len(judged) < len(views) and not noted else []
    if noted:
        said = [f"The table itself noted {counted(len(noted), 'mistake')}: {', '.join(noted[:MANY])}."]
    if judged:
        sure = "No mistake for certain" if doubted or unread else "No mistake"
        said.append(f"{sure} in {counted(len(judged), 'game')} that could be read line by line.")
    if doubted:
        said.append(f"{counted(len(doubted), 'line')} could not be judged.")
    if unread:
        what = "it says" if unread == 1 else "they say"
        said.append(f"{counted(unread, 'line')} of the log could not be read: nobody knows what {what}.")
    return " ".join(said)


def _asked(games: Sequence[Row], said: Sayings) -> str:
    asked = [row for row in said.remarks if row["what"] == "question"]
    if not asked:
        return ""
    about = Counter((row["game"], row["rule"] or row["broken"]) for row in asked if row["rule"] or row["broken"])
    words = f"{counted(len(asked), 'question')} asked"
    texts = Counter(row["text"] for row in asked if row["text"]).most_common()
    if told := [f"\u201c{text}\u201d{f' ({often(times)})' if times > 1 else ''}" for text, times in texts[:MANY]]:
        words += f": {', '.join(told)}" + (" \u2026" if len(texts) > len(told) else "")
    for (slug, rule), times in about.most_common(1):
        if len({row["text"] for row in asked if (row["rule"] or row["broken"]) == rule}) == 1:
            break  # The question itself says what was asked most.
        known = game(slug).by_id.get(rule)
        about_which = f"“{known.text}”" if known else f"{rule}."
        others = as_often([*about.values()].count(times))
        return f"{words}; most often{others}, {often(times)}, about the rule {about_which}{among(games, slug)}"
    return f"{words}."


def _noted(games: Sequence[Row], said: Sayings) -> str:
    """Say what was noted of games of one's own; what was noted of results alone stands on the card of each."""
    own = {row["game_id"] for row in games if row["detail"] != "results" and row["game"] in open_games()}
    notes = [row["text"] for row in said.remarks if row["game_id"] in own and row["what"] == "note" and row["text"]]
    told = ", ".join(f"\u201c{each}\u201d" for each in notes[-MANY:])
    return f"Noted{' last' if len(notes) > MANY else ''}: {told}" if notes else ""


# -- moments -----------------------------------------------------------------------------------------------------------


def _moments(views: Mapping[str, View], happened: Happened) -> Iterator[Block]:
    """Yield the first mistake, the turning point and the moments that were marked, each with its board."""
    worth = [*_first_mistake(views, happened), *_turning_point(views, happened.turned), *_marked(views, happened.said)]
    words_at = {(id_, index): words for id_, index, words in _at_steps(views, worth)}
    if words_at:
        yield Heading("Moments", 3)
    several = len({view.replay.game.slug for view in views.values()}) > 1
    for (id_, index), words in words_at.items():
        view = views[id_]
        players = ", ".join(each.name for each in view.replay.table.players.values())
        who = f"{view.replay.game.title}, {players}" if several else players
        when = turn_said(view, index)
        caption = f"{when[:1].upper()}{when[1:]}: {view.text(index, EVERYTHING)}."
        yield Paragraph(f"{who}. {words}")
        replay = f"replay?{urlencode({'game': id_, 'step': view.replay.seqs[index]})}"
        yield board_at(view, index, caption, replay)


def turn_said(view: View, index: int) -> str:
    """Return when in its game a step was: its turn, the set-up, or its line where the log knows of no turns."""
    turn = view.turns[index]
    return f"turn {turn}" if turn else "the set-up" if any(view.turns) else f"event {view.replay.seqs[index]}"


def board_at(view: View, index: int, caption: str, replay: str = "") -> Board:
    """Return the table at a step; nothing where no move so far says what it does to the cards: it would be made up."""
    now, first = (tuple(view.areas(step, EVERYTHING)) for step in (index, 0))
    lies, lay = ([(each.title, each.count, each.cards, each.cells) for each in areas] for areas in (now, first))
    return Board(
        caption,
        () if lies == lay else now,
        replay,
        marked=frozenset(cards_in(view.replay.events[index])),
        seats=tuple(view.players),
        tiles=view.replay.table.HAS_TILES,
    )


def _at_steps(views: Mapping[str, View], worth: Sequence[Moment]) -> Iterator[tuple[str, int, str]]:
    for id_, seq, words in worth:
        if (index := views[id_].index_of(seq)) is not None:
            yield id_, index, words


def _first_mistake(views: Mapping[str, View], happened: Happened) -> Iterator[Moment]:
    """Yield the first mistake of all, as far as the logs say when it was."""
    first = [(id_, causes[0]) for id_, causes in happened.causes.items() if causes]
    if not first:
        return
    times = [_time_of(views[id_], finding.seq) for id_, finding in first]
    id_, finding = first[times.index(min(times))]
    said = with_rulings_said(views[id_].replay.game.rulebook, finding.message).rstrip(".")
    is_first = len(first) == 1 or inf not in times
    yield id_, finding.seq, f"{'The first mistake' if is_first else 'A mistake'}: {said}."


def _time_of(view: View, seq: int) -> float:
    """Return when an event was, in seconds; infinite where its log does not say it."""
    index = view.index_of(seq)
    at = None if index is None else view.replay.events[index].at
    return at.timestamp() if isinstance(at, datetime) else inf


def _turning_point(views: Mapping[str, View], turned: Sequence[Row]) -> Iterator[Moment]:
    """Yield the end of the turn in which a winner's chance rose most, or else of the last change of the lead."""
    known = [row for row in turned if row["turn"] is not None and row["game_id"] in views]
    if known:
        row = max(known, key=lambda row: row["after"] - row["before"])
        view = views[row["game_id"]]
        chances = f"from {percent(row['before'])} to {percent(row['after'])} %"
        reach = f"the rise is {percent(row['rise_low'])} to {percent(row['rise_high'])} points (95 %)"
        fit = f"by what a lead was worth in {counted(row['fitted_games'], 'game')} of {row['fitted_on']}"
        words = f"The turning point: in turn {row['turn']} the winner's chance rose {chances}; {reach}, {fit}"
        yield from _end_of(view, row, row["turn"], words)
        return
    changed = [
        (row["last_lead_change"], max(views[row["game_id"]].turns), row)
        for row in turned
        if row["game_id"] in views and row["last_lead_change"]
    ]
    if changed:
        turn, of, row = max(changed, key=lambda each: each[0] / each[1])
        latest = ", later than in any other game" if len(changed) > 1 else ""
        words = f"The lead changed for the last time in turn {turn} of {of}{latest}"
        yield from _end_of(views[row["game_id"]], row, turn, words)


def _end_of(view: View, row: Row, turn: int, words: str) -> Iterator[Moment]:
    """Yield the last step of a turn at which the table has not gone on to the next one, with how far all had got."""
    steps = (index for index, each in enumerate(view.turns) if each == turn)
    step = max((index for index in steps if view.table(index).turn == turn), default=None)
    if step is not None:
        yield row["game_id"], view.replay.seqs[step], f"{words}{_led(view, step)}."


def _led(view: View, step: int) -> str:
    """Return how far each player has got on the way to winning, the first of them first, as the end of a sentence."""
    table, reckon = view.table(step), view.replay.game.scoreboard.progress
    got = {name: way for player, name in view.players.items() if (way := reckon(table, player)) is not None}
    ahead = sorted(got, key=lambda name: -got[name])
    first, *others = [f"{name}{' was' * (not number)} {percent(got[name])} %" for number, name in enumerate(ahead)] or [
        ""
    ]
    return f". After it {', '.join([f'{first} of the way to a win', *others])}" if first else ""


def _marked(views: Mapping[str, View], said: Sayings) -> list[Moment]:
    moments = []
    for row in said.remarks:
        if row["what"] in {"moment", "mistake"} and row["on"] is not None and row["game_id"] in views:
            text = f": “{row['text']}”" if row["text"] else ""
            is_noted, who = row["what"] == "mistake", row["name"] or "Somebody"
            told = "The table noted a mistake" if is_noted else f"{who} felt {row['felt']}"
            moments.append((row["game_id"], row["on"], f"{told}{text}."))
    return moments[:MOMENTS]
