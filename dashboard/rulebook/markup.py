"""The rulebook with its margin as HTML: a part of a page, or a file by itself that no network and no script needs.

Everything that comes from the rulebook, a log or a file of cards is escaped: hostile Markdown or HTML in it is text.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final

import msgspec
from markupsafe import Markup, escape

from tabletape.dashboard.html import own_text, raw, rendered, style_alone
from tabletape.dashboard.report.writing import escaped as as_text
from tabletape.dashboard.rulebook.margins import Margin, Margins, Row, RuleNote, Show
from tabletape.projector.model.amounts import day_said
from tabletape.projector.rulebooks.changes import Change, TextComparison
from tabletape.projector.rulebooks.drafts import Draft
from tabletape.projector.rulebooks.text import Block

TITLE: Final = 120
"""So much of a sentence stands in what a mark of the strip says when it is pointed at."""

MAX_LISTED: Final = 20
"""How many sentences the list of the most troubled has."""

MAX_QUOTED: Final = 3
"""How many of the players' remarks about a rule stand beside it."""

_CODE: Final = re.compile(r"`([^`]+)`")
_SLANTED_TEXT: Final = re.compile(r"(?<![\w*_])([*_])(?=\S)([^*_`]+?)(?<=\S)\1(?![\w*_])")
"""What Markdown has inside a sentence, in text that is escaped already; marks for bold are gone before."""

HEATS: Final = 10
"""Steps of the colour."""


class Links(msgspec.Struct, frozen=True, kw_only=True):
    """Where sentences, rules, rulings and steps lead; a file by itself only knows its own sentences."""

    sentence: Callable[[str], str]
    rule: Callable[[str], str] | None = None
    ruling: Callable[[str], str] | None = None
    step: Callable[[Row], str] | None = None


INSIDE: Final = Links(sentence=lambda place: f"#s{place}")
"""The links of a file by itself."""


def stylesheet() -> str:
    """Return the CSS of the rulebook."""
    return own_text("rulebook", "rulebook.css")


def whole_text(margins: Margins, links: Links, show: Show = "all") -> str:
    """Return the sentences of a rulebook in their order, as blocks, with their margin."""
    shown = {each.sentence.number: each for each in margins.sentences if each.is_shown(show)}
    text = margins.book.text
    blocks = [(block, [shown[number] for number in block.sentences if number in shown]) for block in text.blocks]
    kinds = ("heading" if text.titles.issuperset(block.sentences) else block.kind for block in text.blocks)
    return _text(
        [(kind, block.level, _marked(block, mine)) for kind, (block, mine) in zip(kinds, blocks, strict=True) if mine],
        links,
    )


def _marked(block: Block, margins: Sequence[Margin]) -> list[tuple[str, Margin]]:
    """Return sentences with what stands before them: the mark of a list before its first one."""
    begins = bool(block.marker) and margins[0].sentence.number == block.sentences[0]
    return [(f"{block.marker} " if begins and not at else "", each) for at, each in enumerate(margins)]


def _text(blocks: Sequence[tuple[str, int, Sequence[tuple[str, Margin]]]], links: Links) -> Markup:
    """Return blocks of sentences with their margin; those of a block without a kind stand in no block."""
    return rendered(
        "rulebook_text", blocks=blocks, links=links, emphasized=emphasized, heat=_heat, state=_state,
        in_quotes=in_quotes, quoted=MAX_QUOTED,
    )  # fmt: skip


def emphasized(text: str) -> Markup:
    """Return a sentence as HTML: Markdown's marks for slanted words and for code show as such, all else is text."""
    return raw(_SLANTED_TEXT.sub(r"<em>\2</em>", _CODE.sub(r"<code>\1</code>", str(escape(text)))))


def at_a_glance(margins: Margins, links: Links) -> str:
    """Return the whole text as a strip of marks, one a sentence, the redder the more trouble; each leads to its own.

    A heading beside which no rule stands has no mark.

    It is a picture: what it shows stands in words beside it, so that it is hidden from who cannot see it.
    """
    return rendered("rulebook_strip", sentences=margins.said, links=links, heat=_heat, most=TITLE)


def _heat(margin: Margin) -> str:
    """Return the class of a sentence by its trouble: where there was any it is never that of none."""
    return f"heat-{max(round(margin.heat * (HEATS - 1)), int(margin.trouble > 0))}"


def _state(note: RuleNote) -> str:
    """Return the class of a rule's note: what the tables made of it."""
    if note.rule.how == "unchecked":
        return "unchecked"
    return "never" if note.never else "troubled" if note.trouble else ""


def side_by_side(compared: TextComparison, trouble: Mapping[str, int]) -> str:
    """Return two texts beside each other, the sentences that differ alone, with the trouble that the old ones gave.

    `trouble` is how often each rule gave trouble.
    """
    times = [sum(trouble.get(rule, 0) for rule in change.rules) for change in compared.changes]
    changes = [(each, *_runs(each), much) for each, much in zip(compared.changes, times, strict=True)]
    return rendered("rulebook_changes", changes=changes)


Runs = list[tuple[str, str]]
"""Words of a sentence in their order, each run with the element that says whether they came or are gone."""


def _runs(change: Change) -> tuple[Runs, Runs]:
    """Return the words of a sentence before and after a change."""
    before, after = change.before.split(), change.after.split()
    old, new = Runs(), Runs()
    for what, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old.append(("" if what == "equal" else "del", " ".join(before[a:b])))
        new.append(("" if what == "equal" else "ins", " ".join(after[c:d])))
    return old, new


def some_sentences(margins: Margins, chosen: Iterable[Margin], links: Links) -> str:
    """Return chosen sentences in the order given, each under its section; with its line where the line is cited."""
    text = margins.book.text
    sentences = []
    for each in chosen:
        line = text.at(each.sentence.first) if each.of_line else (each.sentence.number,)
        whole = " ".join(text.sentences[number].text for number in line if number >= each.sentence.number)
        widened = msgspec.structs.replace(each, sentence=msgspec.structs.replace(each.sentence, text=whole))
        sentences.append((f"{each.sentence.section}: " if each.sentence.section else "", widened))
    return _text([("", 0, sentences)], links)


def rulebook_file(margins: Margins, about: Sequence[str]) -> str:
    """Return a rulebook as one HTML file: what it is `about` in a few lines, the most troubled sentences, the text."""
    style = stylesheet()
    return rendered(
        "rulebook",
        title=f"{margins.game.title}: the rulebook and its margin",
        style=raw(style),
        policy=style_alone(style),
        about=about,
        troubled=margins.by_trouble()[:MAX_LISTED],
        emphasized=emphasized,
        text=whole_text(margins, INSIDE),
        without=without_sentence(margins),
    )


# -- what players said -------------------------------------------------------------------------------------------------


def in_quotes(rows: Iterable[Row]) -> list[str]:
    """Return what was said at tables, with who said it and when; the same words once, what was said most first."""
    said: dict[str, list[Row]] = {}
    for row in rows:
        said.setdefault(" ".join(row["text"].split()), []).append(row)
    often = sorted(said.items(), key=lambda each: -len(each[1]))
    return [f"“{text}” ({'; '.join(dict.fromkeys(map(_who, rows)))})" for text, rows in often]


def _who(row: Row) -> str:
    where = f", {day_said(row['began'])}" if row["began"] else f" in {row['game_id']}"
    return f"{row['who'] or ''}{where}".removeprefix(", ").lstrip()


# -- what to do with it ------------------------------------------------------------------------------------------------


def to_do(margins: Margins, drafts: Mapping[tuple[str, ...], Draft]) -> str:
    """Return as Markdown each sentence that gave trouble, was asked about or has a draft, with what there is to say.

    Drafts of sentences that the text no longer has stand at the end.
    """
    parts = [f"# {as_text(margins.game.title)}: the rulebook, what the tables made of it, drafts and decisions"]
    left = dict(drafts)
    for each in margins.sentences:
        draft = left.pop(each.sentence.words, None)
        if draft or each.trouble or each.said:
            lines = list(_points(each, draft))
            place = f"{as_text(each.sentence.section)}, line {each.sentence.first}"
            parts.append(f"## {place}\n\n> {as_text(each.sentence.text)}\n\n" + "\n".join(lines))
    for draft in left.values():
        head = f"## No longer in the text\n\n> {as_text(draft.sentence)}\n\n"
        parts.append(head + "\n".join(_of_draft(draft)))
    return "\n\n".join(parts) + "\n"


def _points(margin: Margin, draft: Draft | None) -> Iterator[str]:
    for note in margin.rules:
        if note.trouble:
            yield f"* {as_text(note.rule.id)}: {as_text('; '.join(note.in_words()))}"
    yield from (f"* Asked: {as_text(each)}" for each in in_quotes(margin.said))
    yield from _of_draft(draft) if draft else ()


def _of_draft(draft: Draft) -> Iterator[str]:
    if draft.wording:
        yield f"* Draft: {as_text(draft.wording)}"
    if draft.decision:
        yield f"* Decision: {as_text(draft.decision)}"


# -- what has no place in the text -------------------------------------------------------------------------------------


def without_sentence(margins: Margins) -> Iterator[tuple[str, list[str]]]:
    """Return what has no place in the text, as lists with a title: what is cited and lost, what it does not say."""
    yield (
        "Cited, but not found in this text",
        [f"{name}: {', '.join(places)}" for name, places in margins.lost.items()],
    )
    yield (
        "What the text does not say at all",
        [". ".join([f"{each.ruling.key}: {each.question}", *each.in_words()]) for each in margins.silent],
    )
