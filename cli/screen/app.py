"""The replay as a screen: the events, the table, the finding, and what there is to say about the step."""

from collections.abc import Sequence
from typing import ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Footer, Static, TabbedContent, TabPane, Tabs

from tabletape.cli.screen.dialogs import Help, Questions
from tabletape.cli.screen.parts import EventList, StepChosen, TimelineBar
from tabletape.cli.terminal.board import DrawnBoard, fitting_board
from tabletape.cli.terminal.drawing import BoardLook, plain
from tabletape.cli.terminal.findings import finding_text
from tabletape.cli.terminal.steps import (
    findings_in_words,
    step_text,
    stopped_text,
    title_text,
    totals_table,
    when,
    why_text,
)
from tabletape.projector.archive.view import View, questions, viewers
from tabletape.projector.model.areas import Area

TABS = {"changed": "1 What changed", "table": "2 Table", "why": "3 Why", "source": "4 Source line"}


class ReplayApp(App[None]):
    """Steps through a replay; opens at `index`, or else at the first finding, or else at the start."""

    CSS_PATH = "screen.tcss"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, view: View, index: int | None, viewer: str) -> None:
        super().__init__()
        self.game = GameScreen(view, next(iter(view.marked), 0) if index is None else index, viewer)

    def get_default_screen(self) -> "GameScreen":
        """Return the one screen that lies under all panels."""
        return self.game


class GameScreen(Screen[None]):
    """The screen of one game at a step, through the eyes of a viewer."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012 - Textual declares it so
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,Q", "app.quit", "Leave", key_display="q"),
        Binding("escape,ctrl+q", "app.quit", show=False),
        Binding("left", "go(-1)", "Back", key_display="←", priority=True),
        Binding("right", "go(1)", "On", key_display="→", priority=True),
        Binding("shift+left", "turn(-1)", "Turn back", show=False, priority=True),
        Binding("shift+right", "turn(1)", "Turn", key_display="⇧→", priority=True),
        Binding("home", "start", "Start", show=False, priority=True),
        Binding("end", "finish", "End", show=False, priority=True),
        Binding("n,N", "finding(1)", "Finding", key_display="n"),
        Binding("p,P", "finding(-1)", "Finding before", show=False),
        Binding("v,V", "view", "View", key_display="v"),
        Binding("1", "tab('changed')", show=False),
        Binding("2", "tab('table')", show=False),
        Binding("3", "tab('why')", show=False),
        Binding("4", "tab('source')", show=False),
        Binding("up", "scroll('board', -1)", show=False, priority=True),
        Binding("down", "scroll('board', 1)", show=False, priority=True),
        Binding("pageup", "scroll('details', -4)", show=False, priority=True),
        Binding("pagedown", "scroll('details', 4)", show=False, priority=True),
        Binding("a,A", "questions", "Asked", key_display="a"),
        Binding("h,H,question_mark", "help", "Help", key_display="h"),
    ]
    index: reactive[int] = reactive(0)
    viewer: reactive[str] = reactive("")

    def __init__(self, view: View, index: int, viewer: str) -> None:
        super().__init__()
        self.view = view
        self.viewers = viewers(view.replay)
        self.set_reactive(GameScreen.index, index)
        self.set_reactive(GameScreen.viewer, viewer)

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Static(title_text(self.view), id="title")
        yield TimelineBar(self.view)
        with Horizontal(id="game"):
            yield EventList(self.view)
            with Vertical(id="table"):
                with VerticalScroll(id="board", can_focus=False):
                    yield Static(id="areas")
                yield Static(id="finding")
                with TabbedContent(id="details"):
                    for name, words in TABS.items():
                        with TabPane(words, id=name), VerticalScroll(can_focus=False):
                            yield Static(id=f"{name}-text")
        yield Footer()

    def on_mount(self) -> None:
        """Show the first step."""
        self.query_one(Tabs).can_focus = False
        self.show()

    def on_resize(self) -> None:
        """Draw the table again, which may have more or less room now."""
        self.call_after_refresh(self.show)

    # -- what is shown ---------------------------------------------------------------------------------------------

    def watch_index(self) -> None:
        """Show another step."""
        self.show()

    def watch_viewer(self) -> None:
        """Show the step to another viewer."""
        self.show()

    def show(self) -> None:
        """Show the step through the eyes of the viewer."""
        view, index, viewer = self.view, self.index, self.viewer
        look = BoardLook(view.players)
        step = view.step(index, viewer)
        events = self.query_one(EventList)
        events.viewer = viewer
        events.index = self.query_one(TimelineBar).index = index
        texts = [finding_text(finding, self.view.quote) for finding in self.view.findings_at(self.index, self.viewer)]
        if self.view.replay.stopped and self.index == len(self.view) - 1:
            texts.append(Text(stopped_text(self.view), style="bold red"))
        self.query_one("#finding").display = bool(texts)
        self.put("finding", Text("\n").join(texts))
        self.query_one("#board").border_title = plain(
            ", ".join(filter(None, (when(view, index), f"seen by: {self.viewers[viewer]}")))
        )
        self.put("areas", self.board(view.areas(index, viewer)))
        self.put("changed-text", step_text(view, step, viewer))
        self.put("table-text", totals_table(view, index, look))
        self.put("why-text", why_text(step.why, view.quote))
        self.put("source-text", Text(plain(step.source)))

    def board(self, areas: Sequence[Area]) -> DrawnBoard:
        """Draw the table with frames around everything where there is room for them, else in fewer lines."""
        room = self.query_one("#board").content_size
        return fitting_board(areas, self.view.players, max(room.width, 1), room.height)

    def put(self, name: str, content: RenderableType) -> None:
        """Put something into the part of the screen with a name."""
        self.query_one(f"#{name}", Static).update(content)

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_go(self, by: int) -> None:
        """Step back or on."""
        self.index = min(max(self.index + by, 0), len(self.view) - 1)

    def action_turn(self, by: int) -> None:
        """Go to the beginning of the next turn, of this turn, or of the one before."""
        starts = [
            index for index, turn in enumerate(self.view.turns) if not index or turn != self.view.turns[index - 1]
        ]
        self.index = next_in(starts, self.index, by, self.index)

    def action_start(self) -> None:
        """Go to the first event."""
        self.index = 0

    def action_finish(self) -> None:
        """Go to the last event."""
        self.index = len(self.view) - 1

    def action_finding(self, by: int) -> None:
        """Go to the next finding or the one before."""
        there = next_in(self.view.marked, self.index, by, -1)
        if there < 0:
            where = "after" if by > 0 else "before"
            self.notify(f"No finding {where} this event; {findings_in_words(self.view)} in all.")
        else:
            self.index = there

    def action_view(self) -> None:
        """Show the table through the next viewer's eyes."""
        eyes = list(self.viewers)
        self.viewer = eyes[(eyes.index(self.viewer) + 1) % len(eyes)]

    def action_tab(self, name: str) -> None:
        """Open a tab."""
        self.query_one(TabbedContent).active = name

    def action_scroll(self, part: str, by: int) -> None:
        """Scroll the table, or the details of the step."""
        chosen = f"#{self.query_one(TabbedContent).active} VerticalScroll" if part == "details" else f"#{part}"
        self.query_one(chosen).scroll_relative(y=by, animate=False)

    def action_questions(self) -> None:
        """Open the list of questions."""
        self.app.push_screen(Questions(questions(self.view.replay)), self.go_to)

    def action_help(self) -> None:
        """Open the list of keys."""
        self.app.push_screen(Help())

    def go_to(self, seq: int | None) -> None:
        """Go to an event by its number."""
        index = None if seq is None else self.view.index_of(seq)
        self.index = self.index if index is None else index

    def on_step_chosen(self, message: StepChosen) -> None:
        """Go where the mouse points."""
        self.index = message.index


def next_in(places: Sequence[int], here: int, by: int, otherwise: int) -> int:
    """Return the nearest of some places after (`by` 1) or before (-1) here, or `otherwise` where there is none."""
    if by > 0:
        return next((place for place in places if place > here), otherwise)
    return next((place for place in reversed(places) if place < here), otherwise)
