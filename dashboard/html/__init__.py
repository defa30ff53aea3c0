"""Pages and parts of pages, made of the templates in this folder; what comes from a log is text in them, no markup."""

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

_SHARE: Final = re.compile(r"(?:(?:&lt;|&gt;)?\d+ % )?\([^()]*? of [^()]*\)")
"""A share with its count and interval, as `67 % (8 of 12; 39-86 %)`, in HTML."""


def rendered(template: str, **values: Any) -> Markup:
    """Return what a template makes of some values; what is no `Markup` among them is escaped."""
    return Markup(_templates().get_template(f"{template}.html").render(**values))  # noqa: S704 - the template escapes


@cache
def _templates() -> Environment:
    loader = PackageLoader("tabletape.dashboard", "html")
    templates = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    templates.filters["unbroken"] = unbroken
    return templates


def unbroken(words: str) -> Markup:
    """Return words in which no line breaks inside a share with its count."""
    return raw(_SHARE.sub(r'<span class="unbroken">\g<0></span>', str(escape(words))))


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
