"""The words of a sentence: the number before it, what it denies or only allows, and what of it no form holds."""

import re
from collections.abc import Collection
from typing import Final

from tabletape.dashboard.own_game.messages import WORD
from tabletape.dashboard.own_game.word_lists import word_list

_NUMBERING: Final = re.compile(
    r"^[\s>#*_\u2022\u2013-]*(?:(?:§|rule|section)\s*)?"
    r"(?:\(?(?:\d+(?:\.\d+)*[a-z]?|[a-z]|[ivx]+)[.):]+|\d+(?:\.\d+)+[a-z]?|§?\d+(?=\s+(?:A|An|The|Each|Every|Everybody|"
    r"Nobody|No|You|Players?|If|On|At|One|Whoever|All|In|To|When|Only|Exception)\b))[\s*_]+",
    re.IGNORECASE,
)
"""The number of a sentence in its rulebook: `3.2`, `1.2.`, `(4)`, `a)`, in Markdown too; a plain `3 cards` is none."""

_ASIDE: Final = re.compile(
    r"\([^()]*\)|\b(?:if|when|unless|while|until)\b"
    r"(?:(?!\b(?:you|nobody|no \w+|players?) (?:may|must|can|cannot|can't)\b)[^,.;])*",
    re.IGNORECASE,
)
"""What stands in brackets explains the sentence, and what is a condition denies nothing of it."""

_DENIES: Final = re.compile(
    r"\b(?:never|not|nobody|none|no|cannot|neither|nor|hardly|rarely|seldom|forbid\w*|prohibit\w*|illegal|impossible|"
    r"wrong|nie|nicht|niemand|kein\w*)\b|\w+n['\u2019]t\b",
    re.IGNORECASE,
)
_NO_MORE: Final = re.compile(r"\b(?:no|not) more (?:often )?than\b", re.IGNORECASE)
"""A limit denies nothing: at most."""

_FREES: Final = re.compile(
    r"\b(?:need(?:s)? not|needn['\u2019]t|(?:does|do|did) not (?:have|need) to|(?:does|do)n['\u2019]t (?:have|need) to|"
    r"not (?:required|obliged|forced|forbidden|prohibited)|no need|nobody (?:has|needs) to|optional\w*)\b",
    re.IGNORECASE,
)
"""With these words nothing has to be."""

_ALLOWS: Final = re.compile(r"\b(?:may|can|could|might|allowed|permitted|free to|entitled)\b", re.IGNORECASE)
_TELLS: Final = {
    "how the game ends, or who wins": r"\bgame (?:ends?|is over|stops?|finishes)\b|\b(?:wins?|winner|winning)\b",
    "what counts in the end": r"\b(?:points?|scores?|worth|gold|coins|money)\b.*\bfor\b|\b(?:points?|scores?|worth)\b",
    "what everybody begins with": r"\b(?:every\w+|each|you all)\b.*\b(?:begins?|starts?) with\b",
    "who begins": r"\b(?:begins?|starts?)\b(?! with)",
    "which cards there are, and where they lie at first": (
        r"\bthere are\b|\b(?:deck|pack) (?:has|have|consists?|contains?|holds?)\b|^(?:shuffle|deal|lay|put|place)\b|"
        r"\b(?:three|two|four|five|\w+) more cards are\b|\bare dealt\b"
    ),
}
"""What a sentence tells by these words that names no move."""

NEXT_TURN: Final = r"(?:next|following) turn\b"
"""With these words a sentence speaks of a turn that comes later."""

_MISSED: Final = re.compile(r"\b(?:miss(?:es)?|skips?|sits? out|loses?) (?:\w+ ){0,2}turns?\b", re.IGNORECASE)

_LEFT_TO_DO: Final = re.compile(
    r"[;,] (?:and )?(?:you|they|he|she|it|the player) (?:must|has to|have to) (?!not\b)[^.;]*\.?$", re.IGNORECASE
)
_IF_POSSIBLE: Final = re.compile(r"\b(?:if|as long as|when) (?:\w+ ){0,3}can\b", re.IGNORECASE)
_LIMITS: Final = re.compile(
    r"\b(?:only|at most|(?:no|not) more|up to|maximum|must|needs?|ha(?:s|ve) to|once|twice|\w+ times|"
    r"(?:one|1) (?:or|to) \w+)\b",
    re.IGNORECASE,
)
"""What is allowed with these words is allowed so far and no further."""

_NEGATIONS: Final = frozenset({"never", "not", "nobody", "no", "cannot"})

UNTELLING: Final = word_list("untelling")
"""Words that a form need not hold."""


def unnumbered(text: str) -> str:
    """Return a sentence without the number that its rulebook has before it."""
    return _NUMBERING.sub("", text)


def denials(text: str) -> int:
    """Return how often a sentence denies something, beside what it says in brackets and in a condition."""
    return len(_DENIES.findall(_NO_MORE.sub(" ", _ASIDE.sub(" ", text))))


def is_permission(text: str, *, counts: bool = False) -> bool:
    """Return whether a sentence only allows something; where its number is a limit by itself, it `counts`."""
    if _FREES.search(text):
        return True
    allows = _ALLOWS.search(_IF_POSSIBLE.sub(" ", text)) is not None
    return allows and not (counts or _LIMITS.search(text) or denials(text))


def lacks_form(text: str) -> str:
    """Return what a sentence that is not read speaks of for which there is no form; empty where that is not sure."""
    if _MISSED.search(text):
        return "a turn that is missed"
    is_later = re.search(NEXT_TURN, text, re.IGNORECASE) and not denials(text)
    return "what has to be in a player's next turn" if is_later else ""


def told_by(text: str) -> str:
    """Return what a sentence that names no move tells by its words, such as who begins; empty where unknown."""
    return next((told for told, words in _TELLS.items() if re.search(words, text, re.IGNORECASE)), "")


def is_binding(text: str) -> bool:
    """Return whether a sentence says what has to be, how far something is allowed, or what may not be."""
    return not is_permission(text) and (denials(text) > 0 or _LIMITS.search(text) is not None)


def limited_part(text: str) -> str:
    """Return a sentence without what it says is left to do where it bans something: `; she has to listen or throw`."""
    left = _LEFT_TO_DO.search(text)
    return text[: left.start()] if left and denials(text[: left.start()]) else text


def is_release(text: str) -> bool:
    """Return whether a sentence says that something need not be."""
    return _FREES.search(text) is not None


def literals(pattern: str) -> frozenset[str]:
    """Return the words that a pattern has itself: `holds?` has `holds` and `hold`; what it leaves open is none."""
    bare = re.sub(r"\\[a-zA-Z]", " ", re.sub(r"\(\?<?[!=][^)]*\)|\?P<\w+>|\{[^}]*\}", " ", pattern))
    whole, short = re.sub(r"([a-z])\?", r"\1", bare), re.sub(r"[a-z]\?", "", bare)
    return frozenset(re.findall(r"[a-z]+", f"{whole} {short}"))


def is_negative(pattern: str) -> bool:
    """Return whether a pattern has a word itself that denies."""
    return not _NEGATIONS.isdisjoint(literals(pattern.replace("(?:no|not) more", "")))


def left_over(text: str, held: Collection[str]) -> str:
    """Return the words of a sentence that are not `held`, in stretches: `stall ... box`; empty if none."""
    stretches: list[list[str]] = [[]]
    for word in re.findall(rf"{WORD.pattern}|\d+", text):
        low = word.casefold()
        if low.endswith(("n't", "n\u2019t")):
            continue
        if low in held and low not in UNTELLING:
            stretches.append([])
        elif stretches[-1] or low not in UNTELLING:
            stretches[-1].append(word)
    for stretch in stretches:
        while stretch and stretch[-1].casefold() in UNTELLING:
            stretch.pop()
    return " ... ".join(" ".join(stretch) for stretch in stretches if stretch)
