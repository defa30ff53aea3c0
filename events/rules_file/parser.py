"""Reads one expression: recursive descent over a small grammar, typed as it is read, with a bound on its cost.

expr = conj { "or" conj }            conj = neg { "and" neg }          neg  = "not" neg | comp
comp = sum [ ("=" | "!=" | "<" | "<=" | ">" | ">=" | "in") sum ]       sum  = prod { ("+" | "-") prod }
prod = dflt { "*" dflt }             dflt = filt { "else" filt }       filt = dot { "where" expr }
dot  = prim { "." NAME }
prim = NUMBER | "'" text "'" | "-" prim | "(" expr ")" | "each" NAME | NAME | NAME "(" [ expr { "," expr } ] ")"
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from tabletape.events.rules_file.running import (
    among,
    chosen,
    combined,
    equal,
    or_else,
    ordered,
    passing,
    property_of,
    reckoned,
)
from tabletape.events.rules_file.values import (
    LISTS,
    Node,
    WrongError,
    about,
    constant,
    guess,
    joined,
    negated,
)

LENGTH: Final = 400
"""The letters of an expression."""

PARTS: Final = 2_000
"""The parts of an expression with all the words that it uses written out: else sixty doubling words never end."""

DEPTH: Final = 3
"""How deep an expression looks through lists in lists."""

_TOKEN: Final = re.compile(r"\s*(?:(\d{1,9})(?!\d)|'((?:[^']|'')*)'|([^\W\d]\w*)|(!=|<=|>=|[-=<>+*().,]))")
_WANTED_TYPES: Final[Mapping[str, str]] = {
    "all": "truth",
    "sum": "number",
    "max": "number",
    "min": "number",
    "best": "",
}
_KINDS: Final[Mapping[str, str]] = {"any": "truth", "no": "truth", "all": "truth", "best": "", "top": "", "first": ""}
OVER: Final = frozenset({"size", *_WANTED_TYPES, *_KINDS})
"""The words that say something about a whole list."""

_COMPARISONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}
_CALCULATIONS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
}


_NO_CARDS: Final = (
    "; a card is asked for by what is printed on it, and the file lists no cards yet: `[cards]`, below it "
    "`kind = ['{0}', 'another']` and `copies = 4`, then `card.kind = {0}`"
)
"""What is said of a word that may be the name of a card, where the file names none."""


class WordScope(NamedTuple):
    """What the words of an expression mean: names, what takes brackets, the order of texts, what cards have.

    `copies`: of some card there are several.
    """

    names: Mapping[str, Node]
    calls: Mapping[str, Callable[..., Node]]
    order: Mapping[str, int]
    properties: Mapping[str, tuple[Any, ...]]
    copies: bool = False

    def plus(self, **names: Node) -> "WordScope":
        """Return the scope with more names."""
        return self._replace(names={**self.names, **names})

    def kind_of(self, name: str) -> str:
        """Return the kind of what a card has; anything for what it does not have, which is a mistake already."""
        if name not in self.properties:
            return "number" if name.isdecimal() else "anything"
        return "number" if isinstance(self.properties[name][0], int) else "text"


class _Token(NamedTuple):
    kind: str
    value: Any
    at: int


def expression(text: str, scope: WordScope, kind: str = "") -> Node:
    """Return a text as an expression, of a kind where one is named.

    Raises `WrongError` for whatever is wrong with it.
    """
    parser = _Parser(text, scope)
    try:
        node = parser.alternative()
    except RecursionError:
        raise WrongError(f"`{text[:20]}...` has too many brackets in brackets") from None
    left = parser.tokens[parser.at]
    if left.kind != "end":
        more = "only one comparison at a time" if left.value in (*_COMPARISONS, "=", "!=") else "expected an operator"
        raise WrongError(f"{more} before `{left.value}`, in `{text}`", left.at)
    if kind and node.kind not in {kind, "anything"} and not (kind == "cards" and node.kind == "card"):
        more = "; compare it with something" if kind == "truth" else ""
        raise WrongError(f"`{text}` is a {node.kind}, here has to stand a {kind}{more}", 0)
    if node.depth > DEPTH:
        raise WrongError(f"`{text}` looks through lists in lists in lists, {node.depth} deep and at most {DEPTH}", 0)
    if node.parts > PARTS:
        raise WrongError(f"`{text}` is too long with the words that it uses: {node.parts} parts, at most {PARTS}", 0)
    return node


def _tokens(text: str) -> list[_Token]:
    if len(text) > LENGTH:
        raise WrongError(f"an expression has at most {LENGTH} letters; give a part of it a name under [words]", LENGTH)
    tokens: list[_Token] = []
    end = 0
    while text[end:].strip():
        match = _TOKEN.match(text, end)
        rest = text[end:].strip()
        at = len(text) - len(text[end:].lstrip())
        if match is None:
            hint = "; texts stand in 'single quotes'" if rest[0] in "\"`'" else ""
            raise WrongError(f"cannot read `{rest[:20]}` in `{text}`{hint}", at)
        number, quoted, name, sign = match.groups()
        quoted = quoted and quoted.replace("''", "'")
        if number:
            tokens.append(_Token("number", int(number), at))
        else:
            kind = "text" if quoted is not None else "name" if name else "sign"
            tokens.append(_Token(kind, quoted if quoted is not None else name or sign, at))
        end = match.end()
    return [*tokens, _Token("end", "the end", len(text))]


def _it(t: Any) -> Any:
    """Return the one of a list that is looked at."""
    return t.it


class _Parser:
    """Reads the tokens of one expression from left to right."""

    def __init__(self, text: str, scope: WordScope) -> None:
        self.text, self.scope = text, scope
        self.tokens, self.at = _tokens(text), 0

    def _peek(self, *values: str) -> bool:
        token = self.tokens[self.at]
        return token.kind in {"name", "sign"} and token.value in values

    def _take(self, *values: str) -> Any:
        token = self.tokens[self.at]
        if values and not self._peek(*values):
            equal = " (equal is one `=`)" if token.value == "=" else ""
            raise self._wrong(f"expected `{values[0]}`, not `{token.value}`{equal}")
        self.at += token.kind != "end"
        return token.value

    def _wrong(self, message: str, back: int = 0) -> WrongError:
        return WrongError(f"{message}, in `{self.text}`", self.tokens[max(self.at - back, 0)].at)

    def _need(self, node: Node, *kinds: str) -> Node:
        if node.kind not in kinds and node.kind != "anything":
            raise self._wrong(f"a {node.kind} where a {' or '.join(kinds)} has to stand")
        return node

    # -- the grammar, from the weakest word to the strongest -----------------------------------------------------------

    def alternative(self) -> Node:
        """Read conditions with `or` between them."""
        return self._chain("or", self._conjunction, so=True)

    def _conjunction(self) -> Node:
        return self._chain("and", self._negation, so=False)

    def _chain(self, word: str, part: Callable[[], Node], *, so: bool) -> Node:
        """Read truths with a word between them, of which the first that is `so` decides."""
        left = part()
        runs = [left.run]
        while self._peek(word):
            self._take()
            one, other = self._need(left, "truth"), self._need(part(), "truth")
            runs.append(other.run)
            left = joined(combined(tuple(runs), so=so), "truth", word, one, other)
        return left

    def _negation(self) -> Node:
        if not self._peek("not"):
            return self._comparison()
        self._take()
        node = self._need(self._negation(), "truth")
        run = node.run
        return msgspec.structs.replace(node, run=lambda t: negated(run(t)), same=None, form="not", of=(node,))

    def _comparison(self) -> Node:
        begun = self.at
        left = self._addition()
        if not self._peek("=", "!=", "in", *_COMPARISONS):
            return left
        sign = self._take()
        if self._peek("="):
            raise self._wrong("equal is one `=`")
        middle, right = self.at, self._addition()
        moved = sign == "in" and left.about_it and right.reads  # whether a card that lies somewhere lies there
        if {left.kind, right.kind} <= {"card", "cards"} and self.scope.copies and not moved:
            listed = sign != "in" and "cards" in {left.kind, right.kind}
            raise WrongError(self._of_copies(begun, middle, listed=listed), self.tokens[begun].at)
        if sign == "in":
            if LISTS.get(right.kind, "anything") not in {left.kind, "anything"}:
                raise self._wrong("`in` asks whether a card is among cards or a player among players")
            return joined(among(left.run, right.run), "truth", "in", left, right)
        if left.kind != right.kind and "anything" not in {left.kind, right.kind}:
            raise self._wrong(self._unlike(left, right), 1)
        if sign in _COMPARISONS:
            self._need(left, "number", "text")
            order = self.scope.order if "number" not in {left.kind, right.kind} else {}
            run = ordered(_COMPARISONS[sign], left.run, right, order)
            return joined(run, "truth", "compare", left, right, label=sign)
        comparison = joined(equal(left, right, same=sign == "="), "truth", "compare", left, right, label=sign)
        if sign == "=" and left.printed and not right.about_it and right.kind in {"number", "text"}:
            return msgspec.structs.replace(comparison, same=(left.printed, right.run))
        return comparison

    def _unlike(self, left: Node, right: Node) -> str:
        """Return the message that two kinds are never compared, with what is meant where one of them is a card."""
        said = f"a {left.kind} is never compared with a {right.kind}"
        kinds = {left.kind, right.kind}
        if "card" not in kinds or not kinds <= {"card", "text", "number"}:
            return said
        fits = [each for each in self.scope.properties if self.scope.kind_of(each) in kinds]
        how = " or ".join(f"`.{each}`" for each in fits)
        cards = "list the cards under `[cards]`, such as `kind = ['sloe', 'fig']`, and ask for `card.kind = sloe`"
        return f"{said}; ask for what is printed on it: {how} behind the card" if fits else f"{said}; {cards}"

    def _of_copies(self, begun: int, middle: int, *, listed: bool) -> str:
        """Return what has to be written where cards are compared, or lists of them, of which there are several."""
        first, second, end = (self.tokens[at].at for at in (begun, middle, self.at))
        sign = str(self.tokens[middle - 1].value)
        one, other = self.text[first : self.tokens[middle - 1].at].strip(), self.text[second:end].strip()
        alike = " and ".join(f"{one}.{name} = {other}.{name}" for name in self.scope.properties)
        meant = f"not ({alike})" if sign == "!=" else alike
        if sign == "in":
            within = " and ".join(f"it.{name} = {one}.{name}" for name in self.scope.properties)
            meant = f"any({other} where {within})"
        said = f"`{one} {sign} {other}` asks for one and the same copy, of which there are several"
        if listed or (one == "it" and sign == "in"):  # Inside another list `it` is each of that.
            return f"{said}; ask for what is printed on it, such as `it.{next(iter(self.scope.properties))}`"
        return f"{said}; write `{meant}`"

    def _addition(self) -> Node:
        return self._arithmetic(("+", "-"), self._product)

    def _product(self) -> Node:
        return self._arithmetic(("*",), self._fallback)

    def _arithmetic(self, signs: tuple[str, ...], part: Callable[[], Node]) -> Node:
        left = part()
        while self._peek(*signs):
            sign = self._take()
            one, other = self._need(left, "number"), self._need(part(), "number")
            left = joined(
                reckoned(_CALCULATIONS[sign], one.run, other.run), "number", "reckoned", one, other, label=sign
            )
        return left

    def _fallback(self) -> Node:
        left = self._filtered()
        while self._peek("else"):
            self._take()
            other = self._need(self._filtered(), left.kind)
            left = joined(or_else(left.run, other.run), left.kind, "else", left, other)
        return left

    def _filtered(self) -> Node:
        left = self._dotted()
        while self._peek("where"):
            self._take()
            over = self._need(left, *LISTS)
            test = self._need(self._about_it(over), "truth")
            left = joined(passing(over.run, test), over.kind, "where", over, test, deeper=1)
        return left

    def _about_it(self, over: Node) -> Node:
        """Read a part in which `it` is one of a list."""
        outer = self.scope
        self.scope = outer.plus(it=Node(_it, LISTS.get(over.kind, "anything"), form="it", about_it=True))
        node = self.alternative()
        self.scope = outer
        return node

    def _dotted(self) -> Node:
        node = self._primary()
        while self._peek("."):
            self._take()
            name = self._take()
            node = self._need(node, "card")
            known = {"by": "player", "fresh": "truth", **dict.fromkeys(self.scope.properties, "")}
            if name not in known:
                raise self._wrong(f"a card has no `{name}`{guess(str(name), known)}", 1)
            kind = known[name] or self.scope.kind_of(name)
            run = property_of(node.run, name)
            reads = node.reads | ({f".{name}"} if name in {"by", "fresh"} else set())
            printed = name if node.run is _it and not known[name] else ""
            node = joined(run, kind, "property", node, label=str(name))
            node = msgspec.structs.replace(node, reads=reads, printed=printed)
        return node

    def _primary(self) -> Node:
        token = self.tokens[self.at]
        if token.kind == "end":
            raise self._wrong("something is missing at the end")
        self.at += 1
        if token.kind in {"number", "text"}:
            return constant(token.value, token.kind)
        if token.value == "(":
            node = self.alternative()
            self._take(")")
            return node
        if token.value == "-":
            node = self._need(self._primary(), "number")
            return joined(reckoned(_CALCULATIONS["-"], lambda _t: 0, node.run), "number", "reckoned", node)
        if token.kind == "sign":
            raise self._wrong(f"`{token.value}` cannot stand there" + " (equal is one `=`)" * (token.value == "="), 1)
        return self._call(token.value) if self._peek("(") else self._name(token.value)

    def _name(self, word: str) -> Node:
        scope = self.scope
        if word == "each":
            name = str(self._take())
            if name not in scope.properties:
                raise self._wrong(f"a card has no `{name}`{guess(name, scope.properties)}", 1)
            kind = "numbers" if scope.kind_of(name) == "number" else "values"
            return constant(([*scope.properties[name]], []), kind)
        if word in scope.names:
            return scope.names[word]
        if word in scope.calls or word in OVER:
            raise self._wrong(f"`{word}` needs brackets", 1)
        near = guess(word, {*scope.names, *scope.calls, *OVER, "if"})
        listed = "" if scope.properties else _NO_CARDS.format(word)
        raise self._wrong(f"nothing is called `{word}`{near}{listed}", 1)

    def _call(self, word: str) -> Node:
        self._take("(")
        if word in OVER:
            return self._aggregate(word)
        arguments: list[Node] = []
        while not self._peek(")"):
            arguments.append(self.alternative())
            if not self._peek(")"):
                self._take(",", ")")
        self._take(")")
        if word == "if" and len(arguments) == 3:
            test, one = self._need(arguments[0], "truth"), arguments[1]
            other = self._need(arguments[2], one.kind)
            return joined(chosen(test.run, one.run, other.run), one.kind, "if", test, one, other)
        called = self.scope.calls.get(word)
        if called is None:
            known = {*self.scope.calls, *OVER, "if"}
            raise self._wrong(f"nothing is called `{word}(...)`{guess(word, known)}", 1)
        return called(*arguments)

    def _aggregate(self, word: str) -> Node:
        over, part = self._need(self.alternative(), *LISTS), None
        if self._peek(","):
            self._take()
            part = self._about_it(over)
        self._take(")")
        if (word in _WANTED_TYPES) != (part is not None):
            form = "list, ... it ..." if word in _WANTED_TYPES else "list where ... it ..." if part else "list"
            raise self._wrong(f"write `{word}({form})`", 1)
        if part is not None and _WANTED_TYPES[word]:
            self._need(part, _WANTED_TYPES[word])
        kind = (_KINDS[word] or LISTS.get(over.kind, "anything")) if word in _KINDS else "number"
        run = about(word, over.run, part or over, self.scope.order)
        return joined(run, kind, word, over, *([part] if part else ()), deeper=1 if part else 0)
