"""The rulebook with its margin as HTML: a part of a page, or a file by itself that no network and no script needs.

Everything that comes from the rulebook, a log or a file of cards is escaped: hostile Markdown or HTML in it is text.
"""

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from html import escape
from importlib.resources import files
from typing import Final

import msgspec

from tabletape.dashboard.report.writing import escaped as as_text
from tabletape.dashboard.rulebook.margins import Margin, Margins, Row, RuleNote, RulingNote, Show
from tabletape.projector.rulebooks.changes import Change, TextComparison
from tabletape.projector.rulebooks.drafts import Draft
from tabletape.projector.rulebooks.text import Block

TITLE: Final = 120
"""So much of a sentence stands in what a mark of the strip says when it is pointed at."""

LISTED: Final = 20
"""How many sentences the list of the most troubled has."""

QUOTED: Final = 3
"""How many of the players' remarks about a rule stand beside it."""

_CODE: Final = re.compile(r"`([^`]+)`")
_SLANTED: Final = re.compile(r"(?<![\w*_])([*_])(?=\S)([^*_`]+?)(?<=\S)\1(?![\w*_])")
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
    return files("tabletape.dashboard").joinpath("rulebook", "rulebook.css").read_text(encoding="utf-8")


def whole_text(margins: Margins, links: Links, show: Show = "all") -> str:
    """Return the sentences of a rulebook in their order, as blocks, with their margin."""
    shown = {each.sentence.number: each for each in margins.sentences if each.is_shown(show)}
    blocks = (_block(block, shown, links) for block in margins.book.text.blocks)
    return f'<div class="rulebook-text">{"".join(blocks)}</div>'


def emphasized(text: str) -> str:
    """Return a sentence as HTML: Markdown's marks for slanted words and for code show as such, all else is text."""
    return _SLANTED.sub(r"<em>\2</em>", _CODE.sub(r"<code>\1</code>", escape(text)))


def at_a_glance(margins: Margins, links: Links) -> str:
    """Return the whole text as a strip of marks, one a sentence, the redder the more trouble; each leads to its own.

    It is a picture: what it shows stands in words beside it, so that it is hidden from who cannot see it.
    """
    marks = (
        f'<a tabindex="-1" class="mark {_heat(each)}" '
        f'title="{escape(f"line {each.sentence.first}: {each.sentence.text[:TITLE]}")}" '
        f'href="{escape(links.sentence(each.place))}"></a>'
        for each in margins.sentences
    )
    return f'<div class="rulebook-strip" aria-hidden="true">{"".join(marks)}</div>'


def _heat(margin: Margin) -> str:
    """Return the class of a sentence by its trouble: where there was any it is never that of none."""
    return f"heat-{max(round(margin.heat * (HEATS - 1)), int(margin.trouble > 0))}"


def side_by_side(found: TextComparison, trouble: Mapping[str, int]) -> str:
    """Return two texts beside each other, the sentences that differ alone, with the trouble that the old ones gave.

    `trouble` is how often each rule gave trouble.
    """
    return f'<div class="rulebook-texts">{"".join(_change(each, trouble) for each in found.changes)}</div>'


def _change(change: Change, trouble: Mapping[str, int]) -> str:
    before, after = change.before.split(), change.after.split()
    old, new = [], []
    for what, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, came = escape(" ".join(before[a:b])), escape(" ".join(after[c:d]))
        old.append(gone if what == "equal" or not gone else f"<del>{gone}</del>")
        new.append(came if what == "equal" or not came else f"<ins>{came}</ins>")
    places = (change.line, change.other_line)
    left, right = (
        f"<div><small>{f'line {line}' if line else 'not there'}</small><p>{' '.join(filter(None, words))}</p></div>"
        for line, words in zip(places, (old, new), strict=True)
    )
    times = sum(trouble.get(rule, 0) for rule in change.rules)
    rests = [*change.rules, *change.rulings]
    gave = f" gave trouble {times} time{'' if times == 1 else 's'} so far;" if times else ""
    note = f"<p class='note'>{change.what};{escape(gave)} rests on it: {escape(', '.join(rests))}</p>" if rests else ""
    return f'<div class="pair {change.what}">{left}{right}{note or f"<p class=note>{change.what}</p>"}</div>'


def some_sentences(margins: Margins, chosen: Iterable[Margin], links: Links) -> str:
    """Return chosen sentences in the order given, each under its section; with its line where the line is cited."""
    text = margins.book.text
    parts = []
    for each in chosen:
        line = text.at(each.sentence.first) if each.of_line else (each.sentence.number,)
        whole = " ".join(text.sentences[number].text for number in line if number >= each.sentence.number)
        widened = msgspec.structs.replace(each, sentence=msgspec.structs.replace(each.sentence, text=whole))
        parts.append(_sentence(widened, links, "text", f"{each.sentence.section}: "))
    return f'<div class="rulebook-text">{"".join(parts)}</div>'


def rulebook_file(margins: Margins, about: Sequence[str]) -> str:
    """Return a rulebook as one HTML file: what it is `about` in a few lines, the most troubled sentences, the text."""
    style = stylesheet()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    title = escape(f"{margins.game.title}: the rulebook and its margin")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<title>{title}</title>\n<style>{style}</style>\n</head>\n<body class="rulebook-file">\n<h1>{title}</h1>\n'
        f"{''.join(f'<p>{escape(line)}</p>' for line in about)}{_most_troubled(margins)}\n"
        f"<h2>The text</h2>\n{whole_text(margins, INSIDE)}\n{_without_sentence(margins)}</body>\n</html>\n"
    )


# -- the text ----------------------------------------------------------------------------------------------------------


def _block(block: Block, shown: dict[int, Margin], links: Links) -> str:
    margins = [shown[number] for number in block.sentences if number in shown]
    marker = f"{block.marker} " if block.marker and margins and margins[0].sentence.number == block.sentences[0] else ""
    parts = (_sentence(each, links, block.kind, marker if not at else "") for at, each in enumerate(margins))
    return f'<div class="block {block.kind} level-{block.level}">{"".join(parts)}</div>' if margins else ""


def _sentence(margin: Margin, links: Links, kind: str, before: str) -> str:
    tag = {"heading": "h3", "verbatim": "pre"}.get(kind, "p")
    place = escape(margin.place)
    number = f'<a class="place" href="{escape(links.sentence(margin.place))}">{margin.sentence.first}</a>'
    words = escape(margin.sentence.text) if kind == "verbatim" else emphasized(margin.sentence.text)
    sentence = f'<{tag} class="said {_heat(margin)}">{escape(before)}{words}</{tag}>'
    notes = "".join(
        [*(_rule(each, links) for each in margin.rules), *(_ruling(each, links) for each in margin.rulings)]
    )
    return f'<div class="sentence" id="s{place}">{number}{sentence}<div class="margin">{notes}</div></div>'


def _rule(note: RuleNote, links: Links) -> str:
    state = (
        "unchecked" if note.rule.how == "unchecked" else "never" if note.never else "troubled" if note.trouble else ""
    )
    name = _linked(note.rule.id.partition(".")[2], links.rule and links.rule(note.rule.id))
    parts = [f"<b>{name}</b>", *map(escape, note.in_words())]
    parts += [escape(each) for each in (note.lines and f"cites {note.lines}", note.doubt) if each]
    parts += [_step(row, links) for row in note.examples if links.step]
    words = "".join(f'<q class="asked">{escape(each)}</q>' for each in in_quotes(note.said)[:QUOTED])
    ours = f'<span class="ours">{escape(note.rule.text)}</span>'
    return f'<p class="note rule {state}">{"; ".join(parts)}{ours}{words}</p>'


def in_quotes(rows: Iterable[Row]) -> list[str]:
    """Return what was said at tables, with who said it and where; the same words once, what was said most first."""
    said: dict[str, list[Row]] = {}
    for row in rows:
        said.setdefault(" ".join(row["text"].split()), []).append(row)
    often = sorted(said.items(), key=lambda each: -len(each[1]))
    return [f"{text} ({', '.join(dict.fromkeys(map(_who, rows)))})" for text, rows in often]


def _who(row: Row) -> str:
    return f"{row['who'] or 'somebody'} in {row['game_id']}"


def _step(row: Row, links: Links) -> str:
    words = f"{row['game_id']}, event {row['seq']}"
    return _linked(words, links.step and links.step(row))


def _ruling(note: RulingNote, links: Links) -> str:
    ruling = note.ruling
    mistake = " a mistake of the rulebook;" if ruling.defect else ""
    name = _linked(ruling.key, links.ruling and links.ruling(ruling.key))
    others = "".join(f"<br>{escape(words)}" for words in note.in_words())
    return (
        f'<details class="note ruling"><summary>unclear:{mistake} <b>{name}</b></summary>{escape(ruling.question)}'
        f"<br>read as {escape(note.read_as.name)}: {escape(note.read_as.text)}{others}</details>"
    )


def _linked(words: str, address: str | None) -> str:
    return f'<a href="{escape(address)}">{escape(words)}</a>' if address else escape(words)


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


# -- around it ---------------------------------------------------------------------------------------------------------


def _most_troubled(margins: Margins) -> str:
    troubled = margins.by_trouble()[:LISTED]
    if not troubled:
        return ""
    rows = (
        f'<li><a href="#s{escape(each.place)}">{emphasized(each.sentence.text)}</a> ({each.trouble} times)</li>'
        for each in troubled
    )
    return f"<h2>Most trouble</h2><ol>{''.join(rows)}</ol>"


def _without_sentence(margins: Margins) -> str:
    return "".join(_list(title, lines) for title, lines in without_sentence(margins) if lines)


def without_sentence(margins: Margins) -> Iterator[tuple[str, list[str]]]:
    """Return what has no place in the text, as lists with a title: what is cited and lost, what it does not say."""
    yield (
        "Cited, but not found in this text",
        [f"{name}: {', '.join(places)}" for name, places in margins.lost.items()],
    )
    yield (
        "What the text does not say at all",
        [". ".join([f"{each.ruling.key}: {each.ruling.question}", *each.in_words()]) for each in margins.silent],
    )


def _list(title: str, lines: Iterable[str]) -> str:
    return f"<h2>{escape(title)}</h2><ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
