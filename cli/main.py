"""The command `tabletape`: finds its verbs by scanning this package, and loads only the one that is called.

A verb is a module with a function of the module's own name (`cli/audit.py` with `audit`, `cli/import_.py` with
`import_`). Its docstring is the verb's help. The list of verbs is read from the sources without running them, so that
`tabletape --help` waits for no library.
"""

import ast
import importlib
import inspect
import io
import os
import pkgutil
import re
import signal
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperCommand, TyperGroup

import tabletape.cli
from tabletape.cli.terminal.arguments import in_plain_words, option, take_plainly
from tabletape.cli.terminal.output import plainly, remark
from tabletape.events.interrupts import interrupts_held

WITHOUT_PANDAS = (["build"], ["stats"])
"""Verbs that people wait for, who need not wait for pandas as well: Arrow would load it (see `events/startup.py`)."""

DOCSTRING = r'''^def {}\(.*?^    (""".*?""")$'''
"""Finds the docstring of a verb in its source: parsing the modules of all verbs takes longer than many a verb."""


class Loaded(TyperCommand):
    """A verb whose module is loaded, with its arguments and options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments and options."""
        take_plainly(self.get_params(ctx))
        return list(super().parse_args(ctx, args))


class Verb(TyperCommand):
    """A verb whose module is loaded when it is called; until then only its name and help are known."""

    def __init__(self, module: str, docstring: str) -> None:
        super().__init__(name=module.rstrip("_").replace("_", "-"), callback=None, help=help_text(docstring))
        self.module = module
        self.docstring = docstring

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """Read the arguments of the verb, as its function declares them. Raises `typer.BadParameter` in plain words."""
        try:
            return self.loaded().make_context(*args, **extra)
        except typer.BadParameter as error:
            error.message = in_plain_words(error)
            raise

    def loaded(self) -> Any:
        """Return the command with its arguments and options, as its function declares them."""
        from tabletape.events.startup import collect_less_often, kept_for_good  # noqa: PLC0415 - `run` says why

        collect_less_often()
        # A library in C++ that is stopped while it is loaded takes Python down with it.
        with interrupts_held(), kept_for_good():
            function = getattr(importlib.import_module(f"tabletape.cli.{self.module}"), self.module)
        loaded = typer.Typer(add_completion=False, rich_markup_mode="rich")
        loaded.command(self.name, cls=Loaded, help=self.help)(function)
        return typer.main.get_command(loaded)


class VerbGroup(TyperGroup):
    """The group of all verbs; whatever goes wrong in one ends in a plain message."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {verb.name: verb for verb in found_verbs() if verb.name}

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what stands before the verb."""
        take_plainly(self.get_params(ctx))
        return list(super().parse_args(ctx, args))

    def invoke(self, ctx: Any) -> Any:
        """Run a verb, and say behind it which games could not be used."""
        try:
            with plainly():
                return super().invoke(ctx)
        finally:
            _remark_on_games()


def _remark_on_games() -> None:
    """Say which games cannot be used, those of other packages and of the workspace, where the verb looked for games."""
    vocabularies = sys.modules.get("tabletape.events.vocabulary")
    for slug, problem in vocabularies.game_problems().items() if vocabularies is not None else ():
        first, *others = problem.split("\n")
        more = f"; {len(others)} more: `tabletape rules check {slug}`" if others else ""
        remark(f"Left out: {first}{more}.", style="yellow")


def found_verbs() -> Iterator[Verb]:
    """Find the verbs of this package, in the order of the alphabet, without running their modules."""
    for module in pkgutil.iter_modules(tabletape.cli.__path__):
        spec: Any = module.module_finder.find_spec(module.name, None)
        source = spec.loader.get_source(spec.name)
        docstring = re.search(DOCSTRING.format(module.name), source, re.DOTALL | re.MULTILINE)
        if docstring is not None and module.name != "main":
            yield Verb(module.name, inspect.cleandoc(ast.literal_eval(docstring[1])))


def help_text(docstring: str) -> str:
    """Return a docstring as help: its paragraphs flow with the width of the terminal, its examples keep their lines."""
    paragraphs = []
    for paragraph in docstring.strip().split("\n\n"):
        lines = [line.strip() for line in paragraph.split("\n")]
        paragraphs.append(("\n" if paragraph.startswith("Example") else " ").join(lines))
    return escape("\n\n".join(paragraphs))


HELP = """The tape recorder of the card table.

Import the logs of playtests, replay them, audit them against the rulebook, and count what they tell.

Example:
    tabletape import evenings/
    tabletape audit
    tabletape replay splicers-worked-game
"""

app = typer.Typer(
    cls=VerbGroup,
    help=help_text(HELP),
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(value: bool) -> None:  # noqa: FBT001 - Typer hands an option's value to its callback
    if value:
        typer.echo(f"tabletape {tabletape.__version__}")
        raise typer.Exit


@app.callback()
def main(
    *,
    version: Annotated[
        bool, option("--version", "Show the version and stop.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Hold the options that stand before a verb."""


def run() -> None:
    """Run the command; the entry point of the package."""
    # Our matrices are small: a second thread of BLAS waits, at full speed, longer than it works. Read when numpy loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a letter gets a question mark, not an error.
            stream.reconfigure(errors="replace")
    if sys.argv[1:2] in WITHOUT_PANDAS:
        from tabletape.events.startup import hide_pandas  # noqa: PLC0415 - behind what Ctrl-C ends without a word

        hide_pandas()
    try:
        app()
    finally:
        # All is said. Another Ctrl-C would only say where Python was when it ended.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":  # As `python -m tabletape`, but heard only behind the imports above.
    run()
