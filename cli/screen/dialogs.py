"""The two panels that lie over the replay's screen: its keys, and the questions of the table."""

from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tabletape.cli.terminal.drawing import plain

KEYS = (
    ("← →", "one event back, one event on"),
    ("shift+← shift+→", "one turn back, one turn on"),
    ("home end", "the first event, the last event"),
    ("n p", "the next finding, the one before"),
    ("v", "whose eyes: everything, the public, each player"),
    ("1 2 3 4", "what changed, table, why, source line"),
    ("↑ ↓", "scroll the table"),
    ("page up, page down", "scroll the details of the step"),
    ("a", "what this table asked and took back"),
    ("h", "these keys"),
    ("q, escape", "leave"),
)


SIGNS = (
    ("▌", "a card that lies face up, in the colour of its owner"),
    ("░", "a card that lies face down, or that nobody has seen"),
    ("↷", "exhausted"),
    ("◆ Ann", "Ann is ahead there"),
    ("●", "an event with a finding"),
    ("✓ ✗ → ?", "a rule: kept, broken, carried out, cannot be decided"),
)


class Help(ModalScreen[None]):
    """The keys of the screen and the signs on the board."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,h,q,enter,space,question_mark", "dismiss", "Close")]

    def compose(self) -> ComposeResult:
        """Lay the panel out."""
        with Vertical(classes="dialog") as panel:
            panel.border_subtitle = "escape: back to the game"
            yield Static(_pairs(KEYS))
            yield Static(_pairs(SIGNS), classes="more")


def _pairs(rows: tuple[tuple[str, str], ...]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for sign, meaning in rows:
        table.add_row(Text(sign, style="bold"), Text(meaning))
    return table


class Questions(ModalScreen[int | None]):
    """The questions and take-backs of a game; return the number of the event to go to, or nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", "Close")]

    def __init__(self, asked: list[tuple[int, str, str]]) -> None:
        super().__init__()
        self.found = asked

    def compose(self) -> ComposeResult:
        """Lay the panel out."""
        with Vertical(classes="dialog") as panel:
            panel.border_subtitle = (
                "enter: go there, escape: back to the game" if self.found else "escape: back to the game"
            )
            yield Static(Text("Questions and take-backs", style="bold"))
            if self.found:
                yield OptionList(*(Option(_line(*each)) for each in self.found))
            else:
                yield Static("Nobody asked anything or took a play back in this game.", classes="more")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go to the event that was chosen."""
        self.dismiss(self.found[event.option_index][0])


def _line(seq: int, words: str, rule: str) -> Text:
    text = Text.assemble((f"{seq:4} ", "dim"), plain(words))
    if rule:
        text.append(f"\n     about {plain(rule)}", "dim")
    return text
