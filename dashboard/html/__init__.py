"""Pages and parts of pages, made of the templates in this folder; what comes from a log is text in them, no markup."""

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


def rendered(template: str, **values: Any) -> Markup:
    """Return what a template makes of some values; what is no `Markup` among them is escaped."""
    return Markup(_templates().get_template(f"{template}.html").render(**values))  # noqa: S704 - the template escapes


@cache
def _templates() -> Environment:
    loader = PackageLoader("tabletape.dashboard", "html")
    return Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip


def own_text(*path: str) -> str:
    """Return the text of a file of the dashboard, as a style or a script, by its folders and its name."""
    return files("tabletape.dashboard").joinpath(*path).read_text(encoding="utf-8")


def raw(text: str) -> Markup:
    """Return a style, a script or markup of our own, which a page takes as it is."""
    return Markup(text)  # noqa: S704 - nothing of a log is ever in it


def style_alone(style: str, script: str = "") -> Markup:
    """Return the content policy of a page that has one style of its own and at most one script, and nothing else."""
    code = f" script-src {hash_of(script)};" if script else ""
    return raw(f"default-src 'none';{code} style-src {hash_of(style)}; base-uri 'none'; form-action 'none'")


def hash_of(text: str) -> str:
    """Return how a content policy names a script or a style that stands in the page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
