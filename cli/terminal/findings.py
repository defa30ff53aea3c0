"""Findings as lines for people: what is wrong, which rule says so, and the designer's own sentences beside it."""

from collections.abc import Iterable, Iterator
from typing import Final

from rich.text import Text

from tabletape.cli.terminal.drawing import plain
from tabletape.cli.terminal.output import say
from tabletape.projector.archive.audit import Reported
from tabletape.projector.model.rules import Finding
from tabletape.projector.rulebooks.kept import Passage, Quote, no_quote

KINDS: Final = {"illegal": "red", "missing": "red", "mismatch": "yellow", "drift": "yellow", "info": "cyan"}
"""The colour of each kind of finding; what cannot be decided has none."""

AROUND: Final = 100
"""How much is shown of the sentences around the cited one."""

MAX_PASSAGES: Final = 3
"""How many passages are shown of a rule that cites many."""

Line = tuple[str, str]
"""A line of text and its style."""


def colour_of(findings: Iterable[Finding]) -> str:
    """Return the colour of the gravest of some findings."""
    kinds = {finding.kind for finding in findings}
    return next((colour for kind, colour in KINDS.items() if kind in kinds), "dim")


def finding_text(finding: Finding, quote: Quote = no_quote) -> Text:
    """Print a finding: kind, rule, where it stands, what is wrong, what was expected, what the rulebook says."""
    colour = KINDS.get(finding.kind, "dim")
    text = Text.assemble((f"✗ {finding.kind} ", f"bold {colour}"), (finding.rule, "bold"))
    if place := place_of(finding, quote):
        text.append(f"  {place}", "dim")
    text.append(f"\n{plain(finding.message)}")
    if finding.expected:
        text.append(f"\nexpected: {plain(finding.expected)}")
    if finding.because:
        text.append(f"\nbecause of {finding.because}")
    if finding.outcome:
        text.append(f"\n{plain(finding.outcome)}")
    if finding.follows:
        text.append(f"\nmay follow from what is wrong at event {finding.follows}", "dim italic")
    for words, style in passage_lines(quote(finding.rule, finding.because)):
        text.append(f"\n{words}", style)
    return text


def place_of(finding: Finding | Reported, quote: Quote) -> str:
    """Return where the rule of a finding stands, by the lines of the text that is kept where there is one."""
    return quote.place(finding.section, finding.lines, finding.rule, finding.because)


def finding_line(finding: Finding, quote: Quote) -> str:
    """Return a finding in one line of plain text."""
    place = place_of(finding, quote)
    text = f"✗ {finding.kind}: {finding.rule}{f' ({place})' if place else ''}: {plain(finding.message)}"
    return text + (f" - expected: {plain(finding.expected)}" if finding.expected else "")


def print_finding(finding: Reported | Finding, quote: Quote) -> None:
    """Print a finding of an audit below its event: what is wrong, what was expected, which rule, where it stands."""
    doubt = f" (may follow from event {finding.follows})" if finding.follows else ""
    say("        ", (finding.kind, f"bold {KINDS.get(finding.kind, 'dim')}"), f"  {finding.message}{doubt}")
    if finding.expected:
        say(f"          expected: {finding.expected}")
    if finding.outcome:
        say(f"          {finding.outcome}")
    because = f", because of {finding.because}" if finding.because else ""
    place = place_of(finding, quote)
    say("          ", (f"{finding.rule}{because}" + (f" - {place}" if place else ""), "dim"))
    for line in passage_lines(quote(finding.rule, finding.because)):
        say("          ", line)


def passage_lines(passages: Iterable[Passage]) -> Iterator[Line]:
    """Return passages of a rulebook as lines, each with its style."""
    every = list(passages)
    for each in every[:MAX_PASSAGES]:
        yield f"rulebook, {each.place}" + (f" ({each.doubt})" if each.doubt else ""), "dim"
        if each.before:
            yield f"│ {_short(each.before, end=True)}", "dim"
        yield f"│ {plain(each.text)}", "italic"
        if each.after:
            yield f"│ {_short(each.after)}", "dim"
    if len(every) > MAX_PASSAGES:
        yield f"and {len(every) - MAX_PASSAGES} more: `tabletape rulebook show` has the whole text", "dim"


def _short(text: str, *, end: bool = False) -> str:
    """Return a sentence, of a long one its beginning or its `end`."""
    line = plain(text)
    if len(line) <= AROUND:
        return line
    return f"… {line[-AROUND:].partition(' ')[2]}" if end else f"{line[:AROUND].rpartition(' ')[0]} …"
