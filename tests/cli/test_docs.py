"""The documentation: generated pages are up to date, examples run, links lead somewhere."""

import importlib.util
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote

import pytest

from docs.generator import pages, write_pages
from docs.generator.card_text import card_text_page
from docs.generator.markdown import GENERATED, cell, literal, table
from docs.generator.vocabularies import type_in_words
from tabletape.cli.main import found_verbs
from tabletape.events.games.splicers import TingReplaced
from tabletape.events.vocabulary import Count, fields_of
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.games import game, games

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
LINK = re.compile(r"(?<!\\)!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def script(name: str) -> ModuleType:
    """Load a script of the documentation."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EXAMPLES = script("examples")


def name_of(page: Path) -> str:
    """Return the path of a page in the repository."""
    return str(page.relative_to(ROOT))


@cache
def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as code hosts make them."""
    found: set[str] = set()
    for heading in HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        plain = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")
        twin = sum(each == plain or re.fullmatch(rf"{re.escape(plain)}-\d+", each) is not None for each in found)
        found.add(f"{plain}-{twin}" if twin else plain)
    return found


@cache
def all_pages() -> Mapping[str, str]:
    """Return every page that the code writes, by its name; made once, for it takes seconds."""
    return pages()


def test_the_committed_pages_are_those_that_the_code_writes() -> None:
    """A change of a rule, an option, an event or a question is committed with its page: `make docs` writes it."""
    outdated = [
        name
        for name, text in all_pages().items()
        if not (DOCS / name).is_file() or (DOCS / name).read_text(encoding="utf-8") != text
    ]
    assert outdated == [], "`make docs` brings these up to date"


def test_no_generated_page_is_left_over() -> None:
    """A page that says that it is generated is one that the code still writes."""
    written = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md") if GENERATED in page.read_text("utf-8")}
    assert written == set(all_pages())


@pytest.mark.parametrize("slug", games())
def test_the_page_on_card_text_has_every_verb_of_every_game(slug: str) -> None:
    """The chapter of a game has each pattern by which the game reads its cards, and none of another game."""
    [chapter] = [each for each in card_text_page().split("\n## ") if f"games/{slug}.md#cards" in each]
    verbs = import_module(f"tabletape.projector.games.{slug}.abilities").verb
    rows = re.findall(r"^\| `([^`]+)` \|", chapter.partition(f"| {verbs.sort} |")[2].partition("\n\n")[0], re.MULTILINE)
    assert rows == list(verbs)


def test_every_game_has_its_page_with_every_rule_and_ruling() -> None:
    """Games are found by scanning, and each has a page with all its rules and rulings."""
    found = all_pages()
    for slug in games():
        text = found[f"generated/games/{slug}.md"]
        assert [rule.id for rule in game(slug).rules if f"`{rule.id}`" not in text] == []
        assert [ruling.key for ruling in game(slug).rulebook.rulings if f"### `{ruling.key}`" not in text] == []
        assert f"[{game(slug).title}]({slug}.md)" in found["generated/games/README.md"]


def test_every_command_has_an_example_and_all_its_options_on_the_page() -> None:
    """The page of commands has an example to copy for each command, and every option."""
    sections = all_pages()["generated/commands.md"].split("\n## tabletape ")[1:]
    by_name = {section.partition("\n")[0]: section for section in sections}
    verbs = list(found_verbs())
    assert list(by_name) == [verb.name for verb in verbs]
    for verb in verbs:
        section = by_name[str(verb.name)]
        assert re.search(rf"^```sh\n(?:.*\n)*?tabletape {verb.name}\b", section, re.MULTILINE), verb.name
        options = [option for each in verb.loaded().params for option in each.opts if option.startswith("-")]
        assert [option for option in options if f"`{option}`" not in section] == []


def test_the_pages_are_written_once_and_those_by_hand_stay(tmp_path: Path) -> None:
    """The first run writes every page, the second none, and a page that was written by hand stays."""
    own = tmp_path / "reference" / "own.md"
    own.parent.mkdir()
    own.write_text("mine", encoding="utf-8")
    found = all_pages()
    assert [set(write_pages(tmp_path, found)) for _ in range(2)] == [set(found), set()]
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in found} == found
    assert own.read_text(encoding="utf-8") == "mine"


def test_the_picture_of_the_house_is_that_of_the_imports() -> None:
    """The rooms and arrows of architecture.md are those of the code; `python docs/house.py` draws them anew."""
    house = script("house")
    drawn = house.PICTURE.search(house.PAGE.read_text(encoding="utf-8"))
    assert drawn is not None
    assert drawn[0] == house.picture()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_within_the_documentation_leads_somewhere(page: Path) -> None:
    """A relative link names a file that is there and, behind a #, one of its headings."""
    text = page.read_text(encoding="utf-8")
    for target in LINK.findall(FENCE.sub("", text)):
        if re.match(r"\w+:", target):
            continue
        name, _, anchor = unquote(target).partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), target
        assert file.is_relative_to(ROOT), target
        if anchor:
            assert anchor in anchors(file), target


@pytest.mark.parametrize("page", list(EXAMPLES.pages()), ids=name_of)
def test_the_examples_print_what_stands_beneath_them(page: Path) -> None:
    """Every command on a page prints what the page says; `python docs/examples.py` brings a page up to date."""
    text = page.read_text(encoding="utf-8")
    assert EXAMPLES.refreshed(text) == text


def test_no_example_ends_in_a_mistake_of_the_program() -> None:
    """The output below an example is never a bug of ours or a command that does not exist."""
    for page in EXAMPLES.pages():
        text = page.read_text(encoding="utf-8")
        assert "mistake of its own" not in text
        assert "command not found" not in text


def test_a_table_has_no_empty_columns_and_nothing_breaks_out_of_a_cell() -> None:
    """A column without content is left out; a bar or a line's end stays within its cell."""
    assert table(["a", "b", "c"], [["1", "", "x|y"], ["2", None, "p\nq"]]) == (
        "| a | c |\n| --- | --- |\n| 1 | x\\|y |\n| 2 | p q |"
    )
    assert table(["a"], []) == ""
    assert cell("a |\n b ") == "a \\| b"


def test_a_placeholder_is_shown_and_not_taken_for_a_tag() -> None:
    """`<owner>:?<n>` in a sentence is typed as it is, once."""
    assert literal("written as <owner>:?<n>, before") == "written as `<owner>:?<n>`, before"
    assert literal("written as `<owner>`") == "written as `<owner>`"
    assert literal("less < more") == "less < more"


def test_types_of_fields_are_described_in_plain_words() -> None:
    """Lists, choices, objects and optional values are described in words that a designer knows."""
    replaced = {field.encode_name: type_in_words(field.type) for field in fields_of(TingReplaced)}
    assert replaced == {
        "player": "player",
        "card": "card on the table",
        "replacement": "card on the table or null",
        "from": "`deck` or `discard`",
    }
    started = {field.encode_name: type_in_words(field.type) for field in fields_of(GameStarted)}
    assert started["players"] == "list of {id, name, deck}"
    assert started["rulings"] == "{text: text}"
    assert type_in_words(tuple[int, int]) == "[whole number, whole number]"
    assert type_in_words(tuple[str, ...]) == "list of texts"
    assert type_in_words(Count) == "number, 0 or more"
