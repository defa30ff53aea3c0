"""The page of metrics: the questions with their definitions, from the heads of the SQL files that answer them."""

import inspect
from itertools import groupby

from cli.reference.markdown import code, page, table
from dashboard.intervals import games_needed
from dashboard.questions import Question, questions
from projector.model.game import game, games


def metrics_page() -> str:
    """Return the page `reference/metrics.md`."""
    blocks = [_introduction()]
    for group, asked in groupby(questions(), key=lambda each: each.group):
        blocks += [f"## {group.capitalize()}", *(block for each in asked for block in _question(each))]
    return page("Metrics", *blocks, "## Progress", PROGRESS, table(["game", "progress"], map(_progress, games())))


def _introduction() -> str:
    return f"""\
Each number is the answer to a question; `tabletape stats QUESTION` asks it in the terminal, and the dashboard asks the
same file. The SQL stands in `dashboard/queries/`.

* A share is never shown without its count and its 95 % interval (Wilson's). It is known within ten points after about
  {games_needed(0.1)} games and within five after {games_needed(0.05)}.
* The games of each ruleset (edition and rulings) are counted by themselves, those of bots never with those of people.
* A game is *clean* where nobody did anything illegal; `--clean` counts only those.
* Two shares are compared by the interval of their difference (Newcombe's), in words: no evidence, weak, clear."""


PROGRESS = """\
How near a player is to winning, between 0 and 1, at the end of each turn. Lead changes, comebacks, lock-in and snowball
are read off it. Every game has its own scale:"""


def _question(question: Question) -> list[str]:
    shares = [f"{code(share.name)} = {share.hits} / {share.n}" for share in question.shares]
    shares += [f"{code(share.name)} = ({share.hits} + 5) / ({share.n} + 10)" for share in question.shrunk]
    return [
        f"### {question.title}",
        f"`tabletape stats {question.name}`",
        question.definition[:1].upper() + question.definition[1:],
        "; ".join(shares),
        table(["column", "meaning"], ([code(name), meaning] for name, meaning in question.columns.items())),
    ]


def _progress(slug: str) -> list[str]:
    one = game(slug)
    what = (inspect.getdoc(one.progress) or "").partition("\n\n")[0].removeprefix("Return ")
    return [f"[{one.title}](../games/{slug}.md)", what[:1].upper() + what[1:]]
