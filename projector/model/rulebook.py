"""What is written about a game besides its code: `rulebook.toml` with editions, rulings and rules without a function.

Every unclear sentence of a rulebook is a ruling with named options, a default and a reason; what a table chooses before
a game is a variant. A ruleset is an edition with one option for every ruling and variant, identified by its hash.
"""

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from importlib.machinery import SourceFileLoader
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

import msgspec

from tabletape.events.errors import TabletapeError
from tabletape.events.plans import planned
from tabletape.projector.model.rules import How, RestsOn, Rule
from tabletape.projector.model.suggestions import unknown


class RulesetError(TabletapeError):
    """An edition, ruling or option that the game does not have or has not built; the message says what there is."""


class Option(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One reading of an unclear sentence. `built` is false where the product only knows that it exists."""

    name: str
    text: str
    built: bool = True


class Ruling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An unclear sentence: the question, its readings (the default first) and why the default is the default.

    `defect` marks a mistake of the rulebook itself (a contradiction, a wrong number), which its designer should mend.
    """

    key: str
    question: str
    options: tuple[Option, ...]
    reason: str
    defect: bool = False

    @property
    def default(self) -> str:
        """The option that is in force where nobody says otherwise."""
        return self.options[0].name


class Variant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table chooses before a game: a difficulty, how many colours, an expansion; the usual choice comes first.

    It is no reading of a sentence: the log says what was chosen, and no game is read by another choice.
    """

    key: str
    question: str
    options: tuple[Option, ...]

    @property
    def default(self) -> str:
        """What is chosen where nobody says otherwise."""
        return self.options[0].name


class Edition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A version of a rulebook; `rulings` are the readings that its text settles."""

    label: str
    date: str = ""
    sha256: str = ""
    text: str = ""
    rulings: dict[str, str] = msgspec.field(default_factory=dict)


class WrittenRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule without a function of its own, as it stands in `rulebook.toml`; its `reason` says why no finding names it.

    One that is `checked` the fold carries out, or a rule of a chapter is about it as well.
    """

    id: str
    section: str
    lines: str
    text: str
    how: How = "checked"
    reason: str = ""
    reported_as: str = ""
    editions: tuple[str, ...] = ()
    rests_on: RestsOn = ""


@planned
class Rulebook(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    rename={"editions": "edition", "rulings": "ruling", "variants": "variant", "rules": "rule"},
    dict=True,
):
    """The contents of a game's `rulebook.toml`; the first edition is the usual one.

    An `open` one has no text: any edition is one of its own. Where no rule is `stated`, a log is held against nothing
    but the book-keeping that all tables share: that nothing is wrong in it says nothing of how it was played.
    """

    title: str
    source: str
    editions: tuple[Edition, ...]
    rulings: tuple[Ruling, ...] = ()
    variants: tuple[Variant, ...] = ()
    rules: tuple[WrittenRule, ...] = ()
    open: bool = False
    stated: bool = True

    @cached_property
    def written(self) -> Mapping[str, Rule]:
        """The rules that have no function of their own, by their ids."""
        return {each.id: Rule(**msgspec.structs.asdict(each)) for each in self.rules}

    @cached_property
    def by_key(self) -> Mapping[str, Ruling | Variant]:
        """The rulings and the variants by their keys: a head names of both what is not the usual."""
        keyed: tuple[Ruling | Variant, ...] = (*self.rulings, *self.variants)
        return {each.key: each for each in keyed}

    @cached_property
    def chosen(self) -> frozenset[str]:
        """The keys of the variants."""
        return frozenset(variant.key for variant in self.variants)

    @cached_property
    def labels(self) -> frozenset[str]:
        """The labels of the editions."""
        return frozenset(edition.label for edition in self.editions)

    def edition(self, label: str) -> Edition:
        """Return the edition with a label. Raises `RulesetError` where there is none."""
        for edition in self.editions:
            if edition.label == label:
                return edition
        raise RulesetError(unknown("edition", label, [edition.label for edition in self.editions]))

    def ruleset(self, edition: str, *overrides: Mapping[str, str]) -> "Ruleset":
        """Return the ruleset of an edition with rulings laid over it, the later ones over the earlier ones.

        Raises `RulesetError` for an unknown edition, ruling or option and for an option that is not built.
        """
        rulesets: dict[Any, Ruleset] = self.__dict__.setdefault("_rulesets", {})
        asked = (edition, *(tuple(sorted(rulings.items())) for rulings in overrides))
        if asked not in rulesets:
            rulesets[asked] = self._ruleset(edition, overrides)
        return rulesets[asked]

    def ruleset_of_log(self, written: str, *overrides: Mapping[str, str]) -> "Ruleset":
        """Return the ruleset of a log that names its edition.

        An edition that the rulebook does not have is read by the text of the usual one and keeps its own name, so that
        the games of two editions are never counted together. Raises `RulesetError` as `ruleset` does.
        """
        if written in self.labels:
            return self.ruleset(written, *overrides)
        usual = self.editions[0].label
        usual_ruleset = self.ruleset(usual, *overrides)
        rulesets: dict[Any, Ruleset] = self.__dict__.setdefault("_rulesets_of_logs", {})
        key = written, usual_ruleset.id
        if key not in rulesets:
            rulesets[key] = Ruleset(edition=written, options=usual_ruleset.options, text=usual if self.source else "")
        return rulesets[key]

    def _ruleset(self, edition: str, overrides: Iterable[Mapping[str, str]]) -> "Ruleset":
        options = {key: each.default for key, each in self.by_key.items()}
        for rulings in (self.edition(edition).rulings, *overrides):
            for key, option in rulings.items():
                self._require(key, option)
                options[key] = option
        return Ruleset(edition=edition, options=options)

    def _require(self, key: str, name: str) -> None:
        ruling = self.by_key.get(key)
        if ruling is None:
            raise RulesetError(unknown("ruling" if not self.variants else "ruling or variant", key, list(self.by_key)))
        for option in ruling.options:
            if option.name == name:
                if not option.built:
                    built = ", ".join(each.name for each in ruling.options if each.built)
                    raise RulesetError(f"the ruling {key} = {name} is declared but not built; built are: {built}")
                return
        raise RulesetError(unknown(f"option of {key}", name, [option.name for option in ruling.options]))


class Ruleset(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """An edition with one option for every ruling and variant.

    `text` is the edition whose text is read where it has none of its own.
    """

    edition: str
    options: dict[str, str]
    text: str = ""

    @property
    def read_by(self) -> str:
        """The edition whose text is read."""
        return self.text or self.edition

    @cached_property
    def id(self) -> str:
        """The first twelve hexadecimal digits of the SHA-256 of edition and options."""
        text = [self.text] if self.text else []
        canonical = msgspec.json.encode([self.edition, sorted(self.options.items()), *text])
        return hashlib.sha256(canonical).hexdigest()[:12]

    def label(self, rulebook: Rulebook) -> str:
        """Return words for a person: the edition, whose text was read, and what differs from the defaults."""
        differs = [f"{key}={name}" for key, name in self.options.items() if rulebook.by_key[key].default != name]
        text = [f"(read as {self.text})"] if self.text else []
        return " ".join([self.edition, *text, *sorted(differs)])


@cache
def read_rulebook(package: str) -> Rulebook:
    """Read `rulebook.toml` of a game's package."""
    return msgspec.toml.decode(files(package).joinpath("rulebook.toml").read_bytes(), type=Rulebook)


@cache
def title_in(package: str) -> str:
    """Return the title in `rulebook.toml` of a game's package, without loading the game or the rest of its rulebook."""
    spec = find_spec(package)
    if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
        raise ModuleNotFoundError(package)
    text = spec.loader.get_data(f"{spec.origin.removesuffix('__init__.py')}rulebook.toml").decode()
    # What belongs to the whole file stands before the first table.
    return str(tomllib.loads(text.partition("\n[")[0])["title"])
