"""JSON and XML documents, read when the first map asks for them, and once, however many maps are tried."""

import codecs
import json
import re
from functools import cached_property
from typing import Any, Final
from xml.etree import ElementTree as ET

from tabletape.events.errors import TabletapeError
from tabletape.events.importing.files.sources import JSON_LIST, RICH_TEXT

BEGINNING: Final = 1 << 17
"""How many bytes show which map fits a text or a sheet."""

XML_BEGINNING: Final = 1 << 20
"""How many bytes show which map fits an XML document; read whole it takes twenty times its size in memory."""


NO_FILES: Final = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape"})
"""Encodings of names and of source code, in which no file is, and of which one takes long over a long text."""

_NO_LETTERS: Final = re.compile(r"[^\W\d_][\u201e\u201d\u2122][a-z]")
"""What within words shows that letters of another encoding, as that of old DOS programs, are read as Windows-1252."""

_UNKNOWN_ENCODING: Final = (
    "its letters are neither UTF-8 nor UTF-16 nor Windows-1252: say what they are in, with `tabletape map FILE "
    "--encoding cp850`, or `encoding` in the map"
)


class ForeignError(TabletapeError):
    """A file that is not of the shape that a map is for; the message says what is wrong."""


def text_of(content: bytes) -> str:
    """Return a file as text: UTF-8, UTF-16, else Windows-1252. Raises `ForeignError` for other data."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    start = content[:4096]
    if start.startswith(RICH_TEXT.encode()):
        raise ForeignError("the file is rich text of a word processor: save it there as plain text (.txt)")
    if b"\0" in start:
        for place, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
            # Without its mark: of nearly every letter one half is nothing.
            if start[place::2].count(0) * 10 > len(start) * 4 and not start[1 - place :: 2].count(0):
                return content.decode(encoding, errors="replace")
        raise ForeignError("the file is neither text nor anything that a map can read")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError:
        raise ForeignError(_UNKNOWN_ENCODING) from None
    if _NO_LETTERS.search(text):
        raise ForeignError(_UNKNOWN_ENCODING)
    return text


def in_utf8(content: bytes, encoding: str) -> bytes:
    """Return a file that is in a certain encoding in UTF-8; as it is where none is said.

    Raises `ForeignError` for an encoding that there is not, or that the file is not in.
    """
    if not encoding:
        return content
    if not is_encoding(encoding):
        known = "utf-8, utf-16, cp1252, cp850, iso-8859-15, mac-roman, shift-jis, gbk"
        raise ForeignError(f"no encoding is called {encoding!r}; usual ones are {known}")
    try:
        return content.decode(encoding).encode()
    except UnicodeError as error:
        raise ForeignError(f"the file is not in {encoding}: {error}") from None


def is_encoding(name: str) -> bool:
    """Return whether files may be in an encoding of this name."""
    try:
        # What is no encoding of letters, as base64, is found, and refuses them.
        return codecs.lookup(name).name not in NO_FILES and bool(" ".encode(name))
    except (LookupError, ValueError):
        return False


def read_json(text: str) -> Any:
    """Return a JSON document, or the list of the documents of JSON Lines. Raises `ForeignError` where it is neither."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        lines = [line for line in text.split("\n") if line.strip()]
        try:
            if len(lines) > 1:
                return [json.loads(line) for line in lines]
        except (ValueError, RecursionError):
            pass
        raise ForeignError(f"the file is no JSON: {error}") from None


def read_xml(text: str, *, is_cut: bool = False) -> Any:
    """Return an XML document as lists and tables; where it `is_cut` it may break off anywhere.

    Attributes stand by their names, the elements of a name are a list, the text of an element is its `text`. The last
    element below the root, in which it breaks off, is left out unless it is the only one.

    Raises `ForeignError` where it is none, or declares entities.
    """
    if "<!ENTITY" in text or "<!DOCTYPE" in text:
        raise ForeignError("the file declares entities of its own, which are not read")
    try:
        if not is_cut:
            return _element(ET.fromstring(text))  # noqa: S314 - entities are refused above
        parser: ET.XMLPullParser[Any] = ET.XMLPullParser(["start"])
        parser.feed(text)
        begun: Any = parser.read_events()
        root = next((each[1] for each in begun), None)
    except (ET.ParseError, RecursionError, ValueError) as error:
        raise ForeignError(f"the file is no XML: {error}") from None
    if root is None:
        raise ForeignError("the file is no XML: no element begins")
    if len(root) > 1:
        root.remove(root[-1])
    return _element(root)


def _element(element: Any) -> dict[str, Any]:
    plain: dict[str, Any] = dict(element.attrib)
    for child in element:
        plain.setdefault(child.tag, [])
        if isinstance(plain[child.tag], list):
            plain[child.tag].append(_element(child))
    if element.text and element.text.strip():
        plain["text"] = element.text.strip()
    return plain


class Tree:
    """The content of a file as maps look at it: `beginning` are its first lines, `shape` is JSON, XML or nothing."""

    def __init__(self, content: bytes, *, whole: bool = True) -> None:
        """Take the content of a file; of an XML document that is not read `whole` only the beginning."""
        self.content = content
        self._is_cut = not whole and len(content) > XML_BEGINNING
        start = content[:BEGINNING]
        # Whole lines: half a letter would make the text one of an old encoding.
        self.beginning = content if len(start) == len(content) else start[: start.rfind(b"\n") + 1] or start

    @cached_property
    def shape(self) -> str:
        """The shape of the document: `json`, `xml`, or nothing for a text. Raises `ForeignError` for binary data."""
        start = text_of(self.beginning).lstrip()
        is_json = start[:1] == "{" or JSON_LIST.match(start)
        return "json" if is_json else "xml" if start[:1] == "<" else ""

    @cached_property
    def _read(self) -> tuple[Any, str]:
        try:
            if self.shape == "json":
                return read_json(text_of(self.content)), ""
            end = self.content.rfind(b">", 0, XML_BEGINNING) + 1 if self._is_cut else None
            return read_xml(text_of(self.content[:end]), is_cut=self._is_cut), ""
        except ForeignError as error:
            return None, str(error)

    @property
    def wrong(self) -> str:
        """Why it cannot be read as the document that it begins as; empty for one that can be, and for a text."""
        return self._read[1] if self.shape else ""

    @property
    def root(self) -> Any:
        """The document. Raises `ForeignError` where it is none."""
        root, wrong = self._read
        if wrong:
            raise ForeignError(wrong)
        return root
