"""The Chromium of this computer, for tests and programs that look at pages in a real browser."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.util import find_spec
from typing import Any, Final

import pytest

from tests.waiting import PATIENCE

CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

in_browser = pytest.mark.skipif(
    CHROMIUM is None or find_spec("playwright") is None, reason="Chromium or Playwright is not installed"
)
"""The mark of a test that needs a browser, beside `pytest.mark.browser`."""


@contextmanager
def chromium(*flags: str) -> Iterator[Any]:
    """Yield a browser, which is closed afterwards; `flags` are for its command line."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - programs check first whether it is installed

    with sync_playwright() as playwright:
        browser: Any = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags])
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
