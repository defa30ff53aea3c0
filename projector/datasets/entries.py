"""What each game of a pack was built from, in a file beside the pack's: only a build asks, of what changed."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from tabletape.events.plans import planned
from tabletape.events.whole_files import make_folder, write_whole
from tabletape.projector.datasets.manifest import ENTRIES, Pack, entries_in
from tabletape.projector.datasets.proofs import FileProof, UnsoundError, require_whole, written


@planned
class DatasetEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A game in the datasets: what its rows were built from.

    `edition`, `rulings` and `cards` are what was laid over the log's own, `version` stands for its cards where they say
    something else today (it is then a part of `ruleset_id`); `fingerprint` and `last_seq` say which log it was,
    `code` which rules, cards and columns.
    """

    game_id: str
    ruleset_id: str
    edition: str = ""
    rulings: Mapping[str, str] = msgspec.field(default_factory=dict)
    cards: str = ""
    version: str = ""
    fingerprint: str
    last_seq: int
    code: str
    decision_load: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """A game stands in the datasets once for each ruleset that it was read by."""
        return self.game_id, self.ruleset_id

    def is_as_good_as(self, wanted: "DatasetEntry") -> bool:
        """Return whether rows built from this need not be built again for what is wanted."""
        mine = (self.fingerprint, self.last_seq, self.code)
        theirs = (wanted.fingerprint, wanted.last_seq, wanted.code)
        return self.key == wanted.key and mine == theirs and self.decision_load >= wanted.decision_load


def write_entries(folder: Path, pack: str, entries: Sequence[DatasetEntry]) -> FileProof:
    """Write the entries of a pack, at once and durably; return what proves the file."""
    make_folder(folder / ENTRIES)
    content = msgspec.json.encode(entries)
    write_whole(folder / entries_in(pack), content)
    return written(content)


def read_entries(folder: Path, pack: Pack) -> tuple[DatasetEntry, ...]:
    """Return the entries of a pack; none where they are lost or not what was written: its games are built again."""
    try:
        content = (folder / entries_in(pack.name)).read_bytes()
        require_whole(content, pack.written.get(ENTRIES))
    except (OSError, UnsoundError):
        return ()
    return msgspec.json.decode(content, type=tuple[DatasetEntry, ...])
