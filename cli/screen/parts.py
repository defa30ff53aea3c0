"""The parts of the replay's screen that no library has: the list of events and the timeline."""

from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from tabletape.cli.terminal.drawing import BoardLook, plain
from tabletape.cli.terminal.findings import colour_of
from tabletape.cli.terminal.steps import when
from tabletape.projector.archive.view import View

MARK = "●"
"""A step with a finding."""

MIN_ROWS_FOR_HEADINGS = 6
"""Rows below which the list shows events only."""

FAINT = {"consequence": "dim", "remark": "italic", "chance": "", "decision": ""}


class StepChosen(Message):
    """Somebody chose a step with the mouse."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index


class EventList(ScrollView, can_focus=False):
    """All events, a line each, turns set apart. Only the lines in sight are ever made."""

    COMPONENT_CLASSES = {"event-list--current"}  # noqa: RUF012 - Textual's own way to name what a style sheet may style
    index: reactive[int] = reactive(0)
    viewer: reactive[str] = reactive("")

    def __init__(self, view: View) -> None:
        super().__init__(id="events")
        self.view = view
        self.look = BoardLook(view.players)
        self.rows: list[int | str] = []
        """Each row is a step, or the heading of a turn."""
        self.row_of: list[int] = []

    def on_resize(self) -> None:
        """Lay the rows out, with headings where there is room for them, and keep the current event in sight."""
        starts = set(self.view.starts) if self.size.height >= MIN_ROWS_FOR_HEADINGS else set()
        self.rows, self.row_of = [], []
        for index in range(len(self.view)):
            if index in starts and (heading := when(self.view, index)):
                self.rows.append(heading)
            self.row_of.append(len(self.rows))
            self.rows.append(index)
        self.virtual_size = Size(0, len(self.rows))
        self.show_current()

    def watch_index(self) -> None:
        """Bring the current event into sight."""
        self.show_current()
        self.refresh()

    def show_current(self) -> None:
        """Scroll so that the current event stands in the middle."""
        row = self.row_of[self.index] if self.row_of else 0
        self.scroll_to(y=max(row - self.size.height // 2, 0), animate=False, force=True)

    def render_line(self, y: int) -> Strip:
        """Draw one line of what is in sight."""
        row = y + self.scroll_offset.y
        width = self.size.width
        if row >= len(self.rows):
            return Strip.blank(width, self.rich_style)
        entry = self.rows[row]
        if isinstance(entry, str):
            text = Text.assemble((f"── {entry} ".ljust(width, "─"), "dim"), no_wrap=True)
            current = False
        else:
            text = self.event_text(entry)
            current = entry == self.index
        style = self.get_component_rich_style("event-list--current") if current else self.rich_style
        text.truncate(width, overflow="ellipsis", pad=True)
        return Strip(Segment.apply_style(text.render(self.app.console, end=""), style), width)

    def event_text(self, index: int) -> Text:
        """Return the line of an event: its mark, its number, what happened."""
        view = self.view
        event = view.replay.events[index]
        numbers = view.numbers_at(index)
        mark = (MARK, colour_of(view.findings[number] for number in numbers)) if numbers else " "
        text = Text.assemble(mark, f"{view.replay.seqs[index]:4} ", no_wrap=True)
        words = plain(view.text(index, self.viewer))
        player = getattr(event, "player", "")
        name = self.look.name(player) if isinstance(player, str) else ""
        if name and words.startswith(name):
            text.append(name, self.look.colour(player))
            words = words[len(name) :]
        text.append(words, FAINT[event.CLASS])
        return text

    def on_click(self, event: events.Click) -> None:
        """Go to the event under the mouse."""
        row = event.y + self.scroll_offset.y
        entry = self.rows[row] if row < len(self.rows) else ""
        if isinstance(entry, int):
            self.post_message(StepChosen(entry))


class TimelineBar(Widget, can_focus=False):
    """The whole game as one line: how far we are, where findings are."""

    index: reactive[int] = reactive(0)

    def __init__(self, view: View) -> None:
        super().__init__(id="timeline")
        self.view = view

    def render(self) -> Text:
        """Draw the line."""
        steps = len(self.view)
        label = f" {self.index + 1}/{steps}"
        width = max(self.size.width - len(label), 1)
        here = self.column(self.index, width)
        line = [("━" if column < here else "─", "dim" if column > here else "") for column in range(width)]
        for index in self.view.marked:
            colour = colour_of(self.view.findings[number] for number in self.view.numbers_at(index))
            line[self.column(index, width)] = (MARK, colour)
        colour = line[here][1] if line[here][0] == MARK else ""
        line[here] = ("◆", f"bold {colour}")
        return Text.assemble(*line, (label, "dim"), no_wrap=True)

    def column(self, index: int, width: int) -> int:
        """Return the column of a step."""
        return index * (width - 1) // max(len(self.view) - 1, 1)

    def on_click(self, event: events.Click) -> None:
        """Go to the place under the mouse; to a finding where one is marked there."""
        steps = len(self.view)
        width = max(self.size.width - len(f" {self.index + 1}/{steps}"), 1)
        marked = (index for index in self.view.marked if self.column(index, width) == event.x)
        there = min(event.x * (steps - 1) // max(width - 1, 1), steps - 1)
        self.post_message(StepChosen(next(marked, there)))
