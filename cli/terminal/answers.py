"""What a person answers in the terminal, to one question after another; the last answer can be taken back at each."""

from collections.abc import Callable
from typing import Final, TypeVar

import typer

from tabletape.cli.terminal.output import complain
from tabletape.events.errors import TabletapeError

BACK: Final = "b"
"""The answer that takes the last one back."""

Made = TypeVar("Made")

OR_BACK: Final = f"; `{BACK}`: back"


class TakenBackError(TabletapeError):
    """Somebody takes the last answer back in place of giving one."""


def answer_to(question: str) -> str:
    """Return what somebody answers, empty for Enter and where the answers are over.

    Raises `TakenBackError` where the answer before is taken back.
    """
    answer = str(typer.prompt(f"{question}\n>", default="", show_default=False, prompt_suffix=" ")).strip()
    if answer.casefold() == BACK:
        raise TakenBackError("nothing has been answered yet that could be taken back")
    return answer


class Answers:
    """The answers to questions that depend on each other: without the last of them these are gone through again."""

    def __init__(self) -> None:
        """Know no answer yet."""
        self._given: list[str] = []
        self._at = 0

    def to(self, question: str) -> str:
        """Return the answer that was given to a question, or what somebody answers now."""
        if self._at == len(self._given):
            self._given.append(answer_to(f"{question}{OR_BACK * bool(self._given)}"))
        self._at += 1
        return self._given[self._at - 1]

    def over(self, asking: Callable[[], Made]) -> Made:
        """Return what comes of questions that are asked `to` somebody, as often as an answer to them is taken back."""
        while True:
            self._at = 0
            try:
                return asking()
            except TakenBackError as error:
                if not self._given:
                    complain(str(error))
                del self._given[-1:]
