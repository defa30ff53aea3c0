"""The rulebook with its margin as HTML: a part of a page, or a file by itself that no network and no script needs.

Everything that comes from the rulebook, a log or a file of cards is escaped: hostile Markdown or HTML in it is text.
"""

import base64
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Final

import msgspec

from tabletape.dashboard.rulebook.margins import Margin, Margins, Row, RuleNote, RulingNote, Show
from tabletape.projector.rulebooks.text import Block

LISTED: Final = 20
"""How many sentences the list of the most troubled has."""

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
    heat = round(margin.heat * (HEATS - 1)) if margin.trouble else 0
    number = f'<a class="place" href="{escape(links.sentence(margin.place))}">{margin.sentence.first}</a>'
    colour = f"heat-{max(heat, int(margin.trouble > 0))}"
    sentence = f'<{tag} class="said {colour}">{escape(before + margin.sentence.text)}</{tag}>'
    notes = "".join(
        [*(_rule(each, links) for each in margin.rules), *(_ruling(each, links) for each in margin.rulings)]
    )
    return f'<div class="sentence" id="s{place}">{number}{sentence}<div class="margin">{notes}</div></div>'


def _rule(note: RuleNote, links: Links) -> str:
    state = (
        "unchecked" if note.rule.how == "unchecked" else "never" if note.never else "troubled" if note.trouble else ""
    )
    name = _linked(note.rule.id.partition(".")[2], links.rule and links.rule(note.rule.id))
    parts = [f'<b title="{escape(note.rule.text)}">{name}</b>', *map(escape, note.in_words())]
    parts += [escape(each) for each in (note.lines and f"cites {note.lines}", note.doubt) if each]
    parts += [_step(row, links) for row in note.examples if links.step]
    return f'<p class="note rule {state}">{"; ".join(parts)}</p>'


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


# -- around it ---------------------------------------------------------------------------------------------------------


def _most_troubled(margins: Margins) -> str:
    troubled = margins.by_trouble()[:LISTED]
    if not troubled:
        return ""
    rows = (
        f'<li><a href="#s{escape(each.place)}">{escape(each.sentence.text)}</a> ({each.trouble} times)</li>'
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
