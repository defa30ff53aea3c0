"""The Chromium of this computer, for tests and programs that look at pages in a real browser."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.util import find_spec
from typing import Any, Final

import pytest

from tests.waiting import PATIENCE, until

CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

A_PRESS: Final = 10_000
"""Milliseconds after which something is pressed again."""

in_browser = pytest.mark.skipif(
    CHROMIUM is None or find_spec("playwright") is None, reason="Chromium or Playwright is not installed"
)
"""The mark of a test that needs a browser, beside `pytest.mark.browser`."""


@contextmanager
def chromium(*flags: str) -> Iterator[Any]:
    """Yield a browser, which is closed afterwards; `flags` are for its command line."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - programs check first whether it is installed

    with sync_playwright() as playwright:
        browser: Any = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*FLAGS, *flags], timeout=PATIENCE * 1000
        )
        browser.new_page, browser.new_context = map(_patient, (browser.new_page, browser.new_context))
        try:
            yield browser
        finally:
            browser.close()


def _patient(open_page: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that opens pages as `open_page` does, with the timeout that a busy machine needs."""

    @wraps(open_page)
    def open_patiently(**options: Any) -> Any:
        page = open_page(**options)
        page.set_default_timeout(PATIENCE * 1000)
        return page

    return open_patiently


def press(*buttons: Any, comes: Any) -> None:
    """Press one after the other until what they lead to is there: a page that is drawn anew loses a press.

    So it shuts a list that was opened before a name was chosen in it.
    """

    def lead() -> None:
        if not comes.count():
            for each in buttons:
                each.click(timeout=A_PRESS)
            comes.first.wait_for(timeout=A_PRESS)

    _again_and_again(lead, f"what comes of pressing {buttons[-1]}")


def downloaded(page: Any, button: Any) -> Any:
    """Press a button until it has brought a file; return the download."""
    found: list[Any] = []

    def download() -> None:
        with page.expect_download(timeout=A_PRESS) as coming:
            button.click(timeout=A_PRESS)
        found.append(coming.value)

    _again_and_again(download, f"the file of {button}")
    return found[0]


def _again_and_again(act: Callable[[], None], wanted: str) -> None:
    """Do something on a page until it does not take too long. Raise `AssertionError` where it always does."""
    from playwright.sync_api import TimeoutError as TakesTooLong  # noqa: PLC0415 - as above

    def done() -> bool:
        try:
            act()
        except TakesTooLong:
            return False
        return True

    until(done, wanted)
