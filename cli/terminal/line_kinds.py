"""The questions of `tabletape map`: what each kind of line means, and the answers so far."""

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import typer

from tabletape.cli.terminal.line_meanings import in_words, other_meaning
from tabletape.cli.terminal.output import remark, say
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.map import Map, MapError, read_map
from tabletape.events.importing.maps.proposing.earlier import drawn_alike, read_apart, told_before
from tabletape.events.importing.maps.proposing.meant import DECISIVE
from tabletape.events.importing.maps.proposing.preview import Preview, preview
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.proposing.text import LineProposal, proposals
from tabletape.events.importing.maps.values.times import ZoneError
from tabletape.events.importing.maps.writing import EXPECTS, entries_in, map_text
from tabletape.events.toml_text import TomlError, toml_of
from tabletape.events.vocabulary import vocabulary
from tabletape.projector.archive.stored import known_of
from tabletape.projector.model.amounts import counted

ENOUGH_UNDERSTOOD = 90.0
"""Per cent of the lines that are understood when no more is asked."""

KINDS_A_QUESTION: Final = 8
"""How many kinds of lines are asked about together."""

MAX_TRIED_BYTES: Final = 1 << 20
"""Of a file of more bytes the first events are shown at the end only."""

MOST_APART: Final = 5
"""So many phrases are named that two maps read differently."""

ASKED: Final = "Enter or 1 accepts, 2 talk: skip, 3 changes nothing, 4 {}, 5 stop"
"""The answers to a question; s, h, c and q stand for 2 to 5."""

Accepted = list[tuple[str, Mapping[str, Any]]]


def begun_in(target: Path, seen: Survey, game: str, edition: str) -> Accepted:
    """Return what a map that is there says of lines, to go on from; nothing where somebody has changed it by hand."""
    text = target.read_text(encoding="utf-8", errors="replace")
    try:
        accepted: Accepted = entries_in(toml_of(text).get("line", []))
        proposed = seen._replace(head={**seen.head, "proposed": True})
        own, _, least = text.partition(EXPECTS)
        maps = (map_text(each, accepted, game=game, edition=edition) for each in (seen, proposed))
        same = own in maps and (not least or least.strip().isdecimal())
    except (KeyError, TypeError, AttributeError, TomlError):
        return []
    accepted = [each for each in accepted if each[1].get("event") != "log.gap"]  # of these nobody knows what they are
    if same:
        remark(f"{target}: {counted(len(accepted), 'sentence')} of it stay, the other lines are asked about.")
    return accepted if same else []


def told_of(seen: Survey, earlier: Sequence[Map]) -> Accepted:
    """Return what the `earlier` maps of a game say of lines, and say so; nothing of a sheet or of rows."""
    told = [] if {"columns", "player"} & {*seen.head} else told_before(earlier, seen)
    if told:
        names = ", ".join(each.name for each in earlier)
        remark(f"{names}: {counted(len(told), 'sentence')} mean here what they mean there, the others are asked about.")
    return told


def say_apart(maps: Sequence[Map]) -> None:
    """Say which phrases two maps of a game read differently."""
    apart = [*read_apart(maps)]
    for one, other, sentence in apart[:MOST_APART]:
        remark(f"{one.name} and {other.name} read `{sentence}` differently: the same has to stand in both")
    if len(apart) > MOST_APART:
        remark(f"and {counted(len(apart) - MOST_APART, 'more phrase')}")


class Sample(NamedTuple):
    """What a map is tried on: the content of the file, its stem, its game, the workspace with the cards of that."""

    content: bytes
    stem: str
    game: str
    folder: Path

    def read_by(self, used: Map) -> Preview:
        """Return what a map makes of it, read with the cards that the workspace knows of its game."""
        return preview(used, self.content, known_of(self.folder, used.written.game).ids, self.stem)

    def first_events(self, seen: Survey, accepted: Accepted) -> tuple[str, ...]:
        """Return the first events that come out of it; none where the entries do not make a map yet, or of much."""
        if len(self.content) > MAX_TRIED_BYTES:
            return ()
        try:
            text = map_text(seen, accepted, game=self.game, edition="unknown")
            return self.read_by(read_map(text, "map", vocabulary)).first
        except (ForeignError, MapError, ZoneError):
            return ()


def proposed_of(seen: Survey, sample: Sample, before: Accepted) -> Accepted:
    """Return the entries of `before` and all that are proposed; what nobody has looked at is a gap, not harmless."""
    told = dict(before)
    kinds = [kind for kind in _kinds(seen, sample, before) if kind.sentence not in told]
    _name_unsure([kind for kind in kinds if kind.is_unsure])
    return before + [(kind.sentence, kind.entry) for kind in kinds if "harmless" not in kind.entry]


def asked_of(seen: Survey, sample: Sample, before: Accepted) -> Accepted:
    """Return the entries that a person accepts, those of `before` among them."""
    kinds = _kinds(seen, sample, before)
    accepted, asked_about, is_over = [*before], {sentence for sentence, _ in before}, True
    understood = sum(kind.lines for kind in kinds if kind.sentence in asked_about)
    shown: tuple[str, ...] = ()
    pages = deque(_questions([kind for kind in kinds if kind.sentence not in asked_about]))
    while pages:
        asked = pages.popleft()
        share = 100 * understood / len(seen.lines)
        if share >= ENOUGH_UNDERSTOOD and not (_is_move(asked[0]) or asked[0].is_unsure):
            continue  # What is a move of the game, or may be one, is asked about, however few lines say it.
        answer: Accepted | None = None
        with suppress(typer.Abort):  # Ctrl-C, or the answers that were piped in are over: what was answered is kept.
            answer = _answer(asked, sample.game, seen.players)
        if answer is None:
            is_over = False
            break
        if not answer:
            pages.extendleft([each] for each in reversed(asked))
            continue
        accepted += answer
        asked_about |= {kind.sentence for kind in asked}
        understood += sum(kind.lines for kind in asked)
        say(f"  {share:.0f} % -> {100 * understood / len(seen.lines):.0f} % of the lines")
        shown = _show_events(sample.first_events(seen, accepted), shown)
    # Without an entry of their own these would be talk, which is skipped.
    unsure = [kind for kind in kinds if kind.is_unsure and kind.sentence not in asked_about]
    _name_unsure(unsure)
    return accepted + [(kind.sentence, kind.entry) for kind in unsure if is_over]


def _kinds(seen: Survey, sample: Sample, before: Accepted) -> list[LineProposal]:
    """Return the kinds of lines of a file, each with what it is proposed to mean, as the entries of `before` do."""
    cards, known = known_of(sample.folder, sample.game).names, vocabulary(sample.game)
    kinds = proposals(seen, sample.game, tuple(cards)) if seen.lines else []
    return [kind._replace(entry=drawn_alike((kind.sentence, kind.entry), before, known)[1]) for kind in kinds]


def _show_events(events: tuple[str, ...], shown: tuple[str, ...]) -> tuple[str, ...]:
    """Show the first events that come out of a file, unless the same ones are `shown` already; return them."""
    if events != shown:
        say("  the first events:")
        for event in events:
            say("    ", (event, "dim"))
    return events


def _name_unsure(kinds: Sequence[LineProposal]) -> None:
    """Name the kinds of lines that may be moves or ends, and of which nobody has said what they are."""
    for kind in kinds[:KINDS_A_QUESTION]:
        remark(
            f"line {kind.first}: `{kind.example}` {kind.entry['with']['text']}, and is not read: behind it nothing is "
            "called illegal"
        )
    if kinds:
        remark("`tabletape map FILE`, without --propose, asks what they are")
    if len(kinds) > KINDS_A_QUESTION:
        remark(f"{counted(len(kinds) - KINDS_A_QUESTION, 'more kind')} of lines may be moves or ends, and are not read")


def _is_move(kind: LineProposal) -> bool:
    return str(kind.entry.get("event", "")).startswith("move.")


def _questions(kinds: Sequence[LineProposal]) -> list[Sequence[LineProposal]]:
    """Return the kinds that are asked about together: those that are proposed to mean the same, a page at a time.

    What is proposed to change nothing, or may be a move, is asked about one by one; messages that name a card and say
    no move all at once. Beginnings and ends come first, then what is frequent.
    """
    alike: dict[str, list[LineProposal]] = {}
    for kind in kinds:
        bare = "" if kind.is_slip else str(kind.meant.get("event", ""))
        is_alone = "harmless" in kind.entry or kind.is_unsure
        alike.setdefault(bare or (kind.sentence if is_alone else repr(kind.entry)), []).append(kind)
    pages = [
        each[place : place + size]
        for each in alike.values()
        for size in [len(each) if each[0].meant else KINDS_A_QUESTION]
        for place in range(0, len(each), size)
    ]
    return sorted(
        pages, key=lambda page: (page[0].entry.get("event") not in DECISIVE, -sum(kind.lines for kind in page))
    )


def _answer(asked: Sequence[LineProposal], game: str, players: Sequence[str]) -> Accepted | None:
    """Ask what some kinds of lines mean; None where no more is to be asked, nothing where each is to be asked alone."""
    for kind in asked:
        say((f"{kind.lines} x ", "bold"), kind.sentence)
        say("    ", (kind.example, "dim"))
    proposed, are_bare = asked[0].meant or asked[0].entry, bool(asked[0].meant) and len(asked) > 1
    each_one = {"event": proposed.get("event"), "also": [{"event": each["event"]} for each in proposed.get("also", ())]}
    words = f"{in_words(each_one)}, of the card that each names" if are_bare else in_words(proposed)
    say(f"    proposed: {words}")
    answer = typer.prompt(ASKED.format("each alone" if are_bare else "something else"), default="", show_default=False)
    match answer.strip().lower()[:1]:
        case "5" | "q":
            return None
        case "2" | "s":
            return [(kind.sentence, {"skip": True}) for kind in asked]
        case "3" | "h":
            return [(kind.sentence, {"harmless": True}) for kind in asked]
        case "4" | "c" if are_bare:
            return []
        case "4" | "c":
            return [other_meaning(kind, game, players) for kind in asked]
        case _:
            return [(kind.sentence, kind.meant or kind.entry) for kind in asked]
