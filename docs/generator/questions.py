"""The page of metrics: the questions with their definitions, from the heads of the SQL files that answer them."""

import inspect
from itertools import groupby

from docs.generator.markdown import code, page, table
from tabletape.dashboard.questions import Question, questions
from tabletape.dashboard.questions.exclusions import CONDITIONS
from tabletape.dashboard.statistics.intervals import games_needed
from tabletape.projector.games import game, games


def metrics_page() -> str:
    """Return the page `generated/metrics.md`."""
    blocks = [_introduction()]
    for group, asked in groupby(questions(), key=lambda each: each.group):
        blocks += [f"## {group.capitalize()}", *(block for each in asked for block in _question(each))]
    return page("Metrics", *blocks, "## Progress", PROGRESS, table(["game", "progress"], map(_progress, games())))


def _introduction() -> str:
    return f"""\
Each number is the answer to a question; `tabletape stats QUESTION` asks it in the terminal, and the dashboard asks the
same file. The SQL stands in `dashboard/questions/sql/`.

* A share is never shown without its count and its 95 % interval (Wilson's). It is known within ten points after about
  {games_needed(0.1)} games and within five after {games_needed(0.05)}.
* Things that come in clumps, as copies of a card in a game or decisions of a game, tell less than as many single ones:
  their intervals are widened by the design effect (Rao and Scott), that is, by how much the games scatter.
* Every answer says how many games it counts and why it leaves out the others, how many of the counted ones have
  a mistake, and which of them stand in the log twice.
* A share of wins has a baseline, the share if nothing mattered: one in the number of players.
* The answers are the same whether a log has the consequences of each line written down or not.
* The games of each ruleset (edition and rulings) are counted by themselves, those of bots never with those of people.
* A game is *clean* where there was no mistake; `--clean` counts only those.
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
        _left_out(question),
        table(["column", "meaning"], ([code(name), meaning] for name, meaning in question.columns.items())),
    ]


def _left_out(question: Question) -> str:
    """Return which games a question leaves out."""
    reasons = dict.fromkeys(words for name in question.counts for _, words in CONDITIONS[name])
    return f"Games left out, by reason: {'; '.join(reasons)}." if reasons else ""


def _progress(slug: str) -> list[str]:
    one = game(slug)
    what = (inspect.getdoc(one.scoreboard.progress) or "").partition("\n\n")[0].removeprefix("Return ")
    return [f"[{one.title}](games/{slug}.md)", what[:1].upper() + what[1:]]
