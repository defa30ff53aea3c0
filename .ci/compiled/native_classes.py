"""Structs as native classes: the same source, rewritten so that mypyc gives their fields a place in memory.

msgspec's structs are the fastest classes that Python has, but mypyc cannot see into them. Here every struct of the
modules that are compiled becomes a plain class with the same fields, constructor, comparison and copies, as msgspec
documents them; whatever else the class has stays as it is written. The sources themselves are not touched: what is
rewritten lies in another folder.
"""

import ast
import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from edits import Edits

STRUCT: Final = "msgspec.Struct"
COPY: Final = "msgspec.Struct.__copy__"
COPY_METHOD: Final = 'operator.methodcaller("__copy__")'
MAPPED_COPY: Final = re.compile(r"\[\*map\(COPY, (.*)\)\]")
"""Copies of many: each is one call in machine code, where the type of what is copied is known."""
EXTENSIBLE: Final = "mypyc_attr(allow_interpreted_subclasses=True)"
"""How mypyc lets a class that is not compiled extend one that is."""
OPEN: Final = ("projector.model.", "projector.kit.")
"""Where classes stand that games extend, also games that are not compiled."""
INTERNAL: Final = re.compile(r"Internal\[(.*)\]", re.DOTALL)
VARIABLES: Final = re.compile(r"\bAny(Card|Player)\b")
REQUIRED: Final = "required"
"""Stands for the default of a field that has none."""


@dataclass
class Field:
    """A field of a struct: its name, its type as it is written, its default and whether that is a factory."""

    name: str
    type: str
    default: str = REQUIRED
    is_factory: bool = False
    is_internal: bool = False

    @property
    def parameter(self) -> str:
        """How the constructor takes it, also that of a class which says what the type variables stand for."""
        kind = _without_variables(self.type)
        if self.default == REQUIRED:
            return f'{self.name}: "{kind}"'
        if self.is_factory:
            return f'{self.name}: "{kind} | None" = None'
        return f'{self.name}: "{kind}" = {self.default}'

    @property
    def value(self) -> str:
        """What the constructor stores."""
        return f"{self.default}() if {self.name} is None else {self.name}" if self.is_factory else self.name


@dataclass
class StructClass:
    """A struct as it is written, and what it has from the structs that it extends."""

    module: str
    node: ast.ClassDef
    bases: list[str]
    own: list[Field]
    inherited: list[Field] = dataclasses.field(default_factory=list)
    has_post_init: bool = False

    @property
    def fields(self) -> list[Field]:
        """All fields: those of the extended structs first, in their order, with the types and defaults given last."""
        own = {each.name: each for each in self.own}
        first = [own.get(each.name, each) for each in self.inherited]
        names = {each.name for each in first}
        return [*first, *(each for each in self.own if each.name not in names)]

    def option(self, name: str, default: str) -> str:
        """Return an option of the class as it is written, such as `eq=False`."""
        found = next((each for each in self.node.keywords if each.arg == name), None)
        return default if found is None else ast.unparse(found.value)


class Structs:
    """The structs of some modules, each with what it inherits from the others."""

    def __init__(self, sources: Mapping[str, str], others: Iterable[str] = ()) -> None:
        """Find them in sources, by the dotted names of their modules; `others` are sources that stay Python."""
        self.trees = {module: ast.parse(source) for module, source in sources.items()}
        self.sources = sources
        self.imports = {module: dict(names_of(tree.body)) for module, tree in self.trees.items()}
        self.found: dict[str, StructClass] = {}
        waiting = [(module, node) for module, tree in self.trees.items() for node in tree.body if _is_class(node)]
        number = -1
        while number != len(self.found):
            number = len(self.found)
            for module, node in waiting:
                self._add(module, node)

        self._open_redeclared()
        self._extended = {base for other in others for base in _bases(ast.parse(other))}

    def _open_redeclared(self) -> None:
        """Take any value for a field of which an extending class says another type than the class that it extends."""
        for struct in self.found.values():
            own = {each.name: each for each in struct.own}
            for each in struct.inherited:
                if each.name in own and own[each.name].type != each.type:
                    each.type = own[each.name].type = "Any"

    def _add(self, module: str, node: ast.ClassDef) -> None:
        """Add a class where it extends `msgspec.Struct`, or structs that are all known already."""
        name = f"{module}.{node.name}"
        bases = [self._full(module, ast.unparse(base).partition("[")[0]) for base in node.bases]
        if name in self.found or not any(base == STRUCT or base in self.found for base in bases):
            return
        own = [_field(each) for each in node.body if isinstance(each, ast.AnnAssign) and not _is_class_variable(each)]
        extended = [self.found[base] for base in bases if base in self.found]
        methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
        self.found[name] = StructClass(
            module,
            node,
            [ast.unparse(base) for base in node.bases if self._full(module, ast.unparse(base)) != STRUCT],
            own,
            [each for base in extended for each in base.fields],
            "__post_init__" in methods or any(base.has_post_init for base in extended),
        )

    def _full(self, module: str, name: str) -> str:
        """Return the full name of what a module calls by a name."""
        first, dot, rest = name.partition(".")
        return self.imports[module].get(first, f"{module}.{first}") + dot + rest

    def rewritten(self, module: str) -> str:
        """Return the source of a module with its structs as native classes."""
        lines = self.sources[module].splitlines(keepends=True)
        structs = [each for each in self.found.values() if each.module == module]
        for node in reversed(self.trees[module].body):
            name = f"{module}.{getattr(node, 'name', '')}"
            if name in self._extended and name not in self.found:
                lines[node.lineno - 1] = f"@{EXTENSIBLE}\n{lines[node.lineno - 1]}"
        needed = {line for each in structs for line in self._needed(each)}
        needed.update(self._before(module))
        for each in sorted(structs, key=lambda each: -each.node.lineno):
            start = min([each.node.lineno, *(decorator.lineno for decorator in each.node.decorator_list)])
            lines[start - 1 : each.node.end_lineno] = ["\n".join(_class(each, lines)) + "\n"]
        needed.add("from mypy_extensions import mypyc_attr")
        if structs:
            needed |= {"import operator", "from typing import Any, ClassVar"}
            needed.add("from projector.model.open_classes import add_fields")
        kinds = ast.Import | ast.ImportFrom | ast.ClassDef
        first = next(node for node in self.trees[module].body if isinstance(node, kinds))
        lines[first.lineno - 1 : first.lineno - 1] = [f"{line}\n" for line in sorted(needed)]
        return MAPPED_COPY.sub(r"[each.__copy__() for each in \1]", _replacing("".join(lines))).replace(
            COPY, COPY_METHOD
        )

    def defined(self) -> frozenset[str]:
        """Return the full names of the modules and of all that they define."""
        names = {
            f"{module}.{name}" for module, tree in self.trees.items() for node in tree.body for name in _defined(node)
        }
        return frozenset(names | self.trees.keys())

    def _before(self, module: str) -> Iterator[str]:
        """Yield an import of some name from each module that a module imports as a whole.

        mypyc lets all modules of a group depend on each other as weakly as such imports do, and mypy then takes them in
        any order; only an import of a name says which has to come first.
        """
        for name, imported in self.imports[module].items():
            body = self.trees[imported].body if imported in self.trees else ()
            defined = {each for statement in body for each in _defined(statement)}
            yield from (f"from {imported} import {each} as _{name}_first" for each in sorted(defined)[:1])

    def _needed(self, struct: StructClass) -> Iterator[str]:
        """Yield the imports of what the types and defaults of inherited fields name in another module."""
        here = self.imports[struct.module]
        for each in struct.inherited:
            home = self._home(each)
            for name in _names(_without_variables(each.type)) | _names(each.default):
                full = self._full(home, name)
                defined = full.rpartition(".")[0] == home
                if name not in here and (name in self.imports[home] or (defined and self._defines(home, name))):
                    package, _, last = full.rpartition(".")
                    yield f"from {package} import {last}" if package else f"import {last}"

    def _home(self, field: Field) -> str:
        """Return the module in which a field is written."""
        return next(each.module for each in self.found.values() if any(own is field for own in each.own))

    def _defines(self, module: str, name: str) -> bool:
        return any(name in _defined(node) for node in self.trees[module].body)


def _class(struct: StructClass, lines: list[str]) -> Iterator[str]:
    """Yield the lines of a native class in the place of a struct."""
    node, fields = struct.node, struct.fields
    name, names = node.name, [each.name for each in fields]
    decorators = [ast.unparse(each) for each in node.decorator_list]
    yield from (f"@{each}" for each in decorators)
    if struct.module.startswith(OPEN) and "final" not in decorators:
        yield f"@{EXTENSIBLE}"
    yield f"class {name}({', '.join(struct.bases)}):" if struct.bases else f"class {name}:"
    body = list(node.body)
    if ast.get_docstring(node) is not None:
        yield _text(lines, body.pop(0))
    yield f"    __struct_fields__: ClassVar[tuple[str, ...]] = {tuple(names)!r}"
    internal = sorted(each.name for each in fields if each.is_internal)
    yield f"    INTERNAL_FIELDS: ClassVar[frozenset[str]] = frozenset({internal!r})"
    for each in body:
        if isinstance(each, ast.AnnAssign) and _is_class_variable(each) and "INTERNAL_FIELDS" not in ast.unparse(each):
            yield _text(lines, each)
    yield from _constructor(struct)
    written = {each.name for each in body if isinstance(each, ast.FunctionDef)}
    for method in _common_methods(struct):
        if method.partition("def ")[2].partition("(")[0] not in written:
            yield method
    for each in body:
        if not isinstance(each, ast.AnnAssign):
            yield "\n" + _text(lines, each)


def _constructor(struct: StructClass) -> Iterator[str]:
    """Yield the constructor: required fields come first, as msgspec takes them."""
    fields, own = struct.fields, {each.name for each in struct.own} - {each.name for each in struct.inherited}
    keywords = "*, " if struct.option("kw_only", "False") == "True" else ""
    ordered = [each for each in fields if each.default == REQUIRED]
    ordered += [each for each in fields if each.default != REQUIRED]
    taken = ", ".join(each.parameter for each in (fields if keywords else ordered))
    yield f"\n    def __init__(self, {keywords if taken else ''}{taken}) -> None:"
    for each in fields:
        kind = f': "{each.type}"' if each.name in own else ""
        yield f"        self.{each.name}{kind} = {each.value}"
    if struct.has_post_init:
        yield "        self.__post_init__()"
    elif not fields:
        yield "        pass"


def _common_methods(struct: StructClass) -> Iterator[str]:
    """Yield what every struct has: copies, comparison by its fields, its text, and what classes that extend it need."""
    name, names = struct.node.name, [each.name for each in struct.fields]
    same = ", ".join(f"{each}=self.{each}" for each in names)
    yield f"\n    def __copy__(self) -> Any:\n        return {name}({same})"
    yield "\n    def __replace__(self, **changes: Any) -> Any:"
    if struct.has_post_init:
        yield f"        return {name}(**{{{_items(names)}**changes}})"
    else:
        yield "        other = self.__copy__()\n        for name, value in changes.items():"
        yield "            setattr(other, name, value)\n        return other"
    shown = ", ".join(f"{each}={{self.{each}!r}}" for each in names)
    yield f'\n    def __repr__(self) -> str:\n        return f"{name}({shown})"'
    if struct.option("eq", "True") == "True":
        equal = " and ".join(f"self.{each} == other.{each}" for each in names) or "True"
        yield f"\n    def __eq__(self, other: object) -> bool:\n        return isinstance(other, {name}) and {equal}"
        values = "".join(f"self.{each}, " for each in names)
        yield f"\n    def __hash__(self) -> int:\n        return hash(({values}))"
    if all(base.startswith("Generic[") for base in struct.bases):
        yield "\n    @classmethod\n    def __init_subclass__(cls, **options: Any) -> None:"
        yield f"        add_fields({name}, cls)"


def _items(names: Iterable[str]) -> str:
    return "".join(f'"{each}": self.{each}, ' for each in names)


def _without_variables(kind: str) -> str:
    """Return a type in which any value stands for the type variables of a table."""
    return VARIABLES.sub("Any", kind)


def _field(node: ast.AnnAssign) -> Field:
    """Return a field as it is written in a class."""
    kind = ast.unparse(node.annotation).strip("'\"").replace('"', "'")
    internal = INTERNAL.fullmatch(kind)
    if internal is not None:
        kind = internal[1]
    name = ast.unparse(node.target)
    if node.value is None:
        return Field(name, kind, is_internal=internal is not None)
    default = ast.unparse(node.value)
    factory = re.fullmatch(r"(?:msgspec\.)?field\(default_factory=(.*)\)", default)
    return Field(name, kind, factory[1] if factory else default, factory is not None, internal is not None)


def _replacing(source: str) -> str:
    """Return a source in which copies with other values are made by a method that native classes have, too."""
    edits = Edits(source)
    for call in ast.walk(edits.tree):
        if (
            isinstance(call, ast.Call)
            and call.args
            and ast.unparse(call.func) in {"msgspec.structs.replace", "replace"}
        ):
            changes = [f"{each.arg}=" if each.arg else "**" for each in call.keywords]
            values = [edits.text(each.value) for each in call.keywords]
            given = ", ".join(map("".join, zip(changes, values, strict=True)))
            edits.replace(call, f"{edits.text(call.args[0])}.__replace__({given})")
    return edits.result()


def _text(lines: list[str], node: ast.stmt) -> str:
    """Return a statement as it is written, with its decorators."""
    start = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
    return "".join(lines[start - 1 : node.end_lineno]).rstrip("\n")


def names_of(body: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yield each imported name with what it means in full."""
    for node in body:
        if isinstance(node, ast.ImportFrom):
            yield from ((each.asname or each.name, f"{node.module}.{each.name}") for each in node.names)
        elif isinstance(node, ast.Import):
            for each in node.names:
                first = each.name.partition(".")[0]
                yield (each.asname, each.name) if each.asname else (first, first)


def _bases(tree: ast.Module) -> Iterator[str]:
    """Yield the full names of the classes that a module extends."""
    imported = dict(names_of(tree.body))
    for node in tree.body:
        for base in node.bases if isinstance(node, ast.ClassDef) else ():
            name = ast.unparse(base).partition("[")[0]
            yield imported.get(name, name)


def _names(written: str) -> set[str]:
    """Return the names in a type or default as it is written."""
    try:
        tree = ast.parse(written, mode="eval")
    except SyntaxError:
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _defined(node: ast.stmt) -> set[str]:
    """Return the names that a statement of a module defines."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {each.id for each in targets if isinstance(each, ast.Name)}


def _is_class(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef)


def _is_class_variable(node: ast.AnnAssign) -> bool:
    return ast.unparse(node.annotation).startswith(("ClassVar", "typing.ClassVar"))
