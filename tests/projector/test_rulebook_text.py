"""A designer's rulebook is read as sentences: Markdown, plain text and PDF; other files are refused."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfWriter

from tabletape.projector.rulebooks.text import RulebookFileError, RulebookText, read_rulebook_text, words_of


def read(text: str, name: str = "rules.md") -> RulebookText:
    """Read a text as the file of a rulebook."""
    return read_rulebook_text(name, text.encode())


def pdf(*lines: str) -> bytes:
    """Return a PDF of one page with some lines of text."""
    operators = " ".join(f"({line}) Tj 0 -14 Td" for line in lines)
    stream = f"BT /F1 12 Tf 50 700 Td {operators} ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>",
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length " + str(len(stream)).encode() + b" >>\nstream\n" + stream + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    file, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(file))
        file += str(number).encode() + b" 0 obj\n" + content + b"\nendobj\n"
    table = b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    return file + head + table + f"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{len(file)}\n%%EOF".encode()


def test_sentences_are_numbered_by_line_and_within_it() -> None:
    """`L3.2` is the second sentence of line 3; the number, emphasis and link of a list item are dropped."""
    text = read("# Turns\n\nDraw a card. Play a card, e.g. a ting! Pass?\n1. Shuffle. Cut.")
    assert [text.sentences[number].text for number in text.at(3)] == [
        "Draw a card.",
        "Play a card, e.g. a ting!",
        "Pass?",
    ]
    assert [text.sentences[number].text for number in text.at(4, 2)] == ["Cut."]
    assert read("5. [Misc. Rules](#miscrules)").sentences[0].text == "Misc. Rules"
    assert read("3. **End of round.** Check **all** wins.").sentences[0].text == "End of round. Check all wins."
    assert text.at(2) == text.at(3, 4) == text.at(9) == ()
    assert {text.sentences[number].section for number in text.at(4)} == {"Turns"}


def test_a_sentence_over_two_lines_is_one_sentence() -> None:
    """A sentence over two lines belongs to both; a list item and a heading never continue on the next line."""
    text = read(
        "When cast, you summon it onto\nthe battlefield. It comes\nexhausted.\n- one\n- two\n## End\nNobody wins."
    )
    assert [each.text for each in text.sentences] == [
        "When cast, you summon it onto the battlefield.", "It comes exhausted.", "one", "two", "End", "Nobody wins."
    ]  # fmt: skip
    assert text.at(2) == (0, 1)
    assert text.at(2, 2) == text.at(3) == (1,)


def test_a_short_line_of_plain_text_is_a_heading() -> None:
    """In plain text a short line before a capital letter is a heading; a long line continues on the next one."""
    text = read("Types of cards\nEvery player has a deck of forty cards of which\nThree may be alike.", "rules.txt")
    assert [each.text for each in text.sentences] == [
        "Types of cards", "Every player has a deck of forty cards of which Three may be alike."
    ]  # fmt: skip


def test_a_line_that_had_room_for_the_next_word_is_not_continued() -> None:
    """In plain text a line without a full stop ends where its author ended it, however long it is."""
    longest = "The proper scientific name of the phylum to which the organism belongs is printed on it."
    text = read(
        f"The card types are listed as: Organism - Phylum - Tier number\nPhylum is a name.\n{longest}", "rules.txt"
    )
    assert [each.text for each in text.sentences] == [
        "The card types are listed as: Organism - Phylum - Tier number", "Phylum is a name.", longest
    ]  # fmt: skip


def test_a_fenced_block_keeps_its_lines() -> None:
    """Each line in a fenced block is a sentence, with its spaces."""
    text = read("See:\n```\n x o\n o x\n```\nEnd.")
    assert [(each.first, each.text) for each in text.sentences if each.first in {3, 4}] == [(3, " x o"), (4, " o x")]


def test_a_pdf_is_read_as_sentences() -> None:
    """The text of a PDF is extracted, and sentences over several lines are joined."""
    text = read_rulebook_text(
        "rules.pdf", pdf("Each player draws seven cards from the deck and", "keeps them. Then play.")
    )
    assert [each.text for each in text.sentences] == [
        "Each player draws seven cards from the deck and keeps them.", "Then play."
    ]  # fmt: skip


def test_more_room_in_a_pdf_parts_paragraphs_and_a_page_does_not_part_a_sentence() -> None:
    """A line without a full stop ends where room is left below it; at the end of a page the sentence goes on."""
    usual = ["Each player draws seven cards from the deck", "and keeps them, as long as they like to."]
    typed = "The card is called by its kind: Organism - Phylum - Tier #"
    first = pdf(*usual, typed, "", "Phyla are names of science", "and are")
    both = PdfWriter()
    for page in (first, pdf("printed below the name.")):
        both.append(io.BytesIO(page))
    both.write(file := io.BytesIO())
    read = read_rulebook_text("rules.pdf", file.getvalue())
    assert [each.text for each in read.sentences] == [
        "Each player draws seven cards from the deck and keeps them, as long as they like to.",
        typed,
        "Phyla are names of science and are printed below the name.",
    ]


def test_a_pdf_of_one_size_of_type_shows_markdown_as_it_was_typed() -> None:
    """A heading, a fence and a line that ends with a sign of its own end the sentence, also where no room is left."""
    typed = ["A used spell goes into the graveyard", "### Board", "```txt", "x o x", "```", "- It is called Tier #"]
    read = read_rulebook_text("rules.pdf", pdf(*typed, "Phyla are names."))
    assert [(each.section, each.text) for each in read.sentences] == [
        ("", "A used spell goes into the graveyard"),
        ("Board", "Board"),
        ("Board", "x o x"),
        ("Board", "It is called Tier #"),
        ("Board", "Phyla are names."),
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rules.md", b"", "no sentence"),
        ("rules.md", b"---\n***\n", "no sentence"),
        ("rules.txt", b"\0\1\2", "neither text nor PDF"),
        ("rules.pdf", b"%PDF-1.4 broken", "cannot be read as PDF"),
        ("rules.pdf", pdf(""), "is it a scan"),
    ],
)
def test_a_file_that_is_no_rulebook_is_refused_with_the_reason(name: str, content: bytes, message: str) -> None:
    """The message names the file and says why it is refused."""
    with pytest.raises(RulebookFileError, match=message) as refused:
        read_rulebook_text(name, content)
    assert name in str(refused.value)


@given(st.text(max_size=400), st.sampled_from(["a.md", "a.txt"]))
@settings(deadline=None)
def test_sentences_consist_of_the_words_of_the_text(text: str, name: str) -> None:
    """The words of the sentences stand in the text in the same order; none is added."""
    content = "# Title\n" + text.replace("\0", "")
    words = [word for each in read(content, name).sentences for word in each.words]
    remaining = iter(words_of(content.replace("\r", "\n")))
    assert all(word in remaining for word in words)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rules.md", b"It is so. " * 1_000_000, "rules.md has more than 5,000 sentences"),
        ("rules.md", b"# Turns\n\n" + b"it is so, and " * 1_000, "rules.md:3: a sentence with more than 10,000"),
        ("rules.pdf", pdf("Draw.").replace(b"[3 0 R]", b"[" + b"3 0 R " * 100_000 + b"]"), "more than 2,000 pages"),
    ],
)
def test_a_rulebook_without_end_is_refused_before_its_end(name: str, content: bytes, message: str) -> None:
    """The limits hold for sentences in one line, for a sentence without an end, and for a page that is named often."""
    with pytest.raises(RulebookFileError, match=message):
        read_rulebook_text(name, content)
