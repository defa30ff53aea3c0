"""The build hook of an editable install: links in `.package/tabletape` to the folders of this repository.

A wheel needs none of them: there the folders lie in the package itself. On Windows they are junctions, which need no
rights that a person does not have.
"""

import os
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS: Final = ("events", "projector", "cli", "dashboard", "migrations")
"""What is `tabletape.events` and so on when it is installed."""


class Links(BuildHookInterface):  # type: ignore[type-arg, misc]  # hatchling's configuration has no type of its own
    """Makes the links before an editable install points at them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the links that are not there yet. Raises `OSError` where the system refuses one."""
        del build_data
        if version == "editable":
            make_links(Path(self.root))


def make_links(root: Path) -> None:
    """Link the folders of a repository into its `.package/tabletape`."""
    for name in FOLDERS:
        link = root / ".package" / "tabletape" / name
        if link.exists():
            continue
        link.unlink(missing_ok=True)  # A link that leads nowhere: the repository has been moved.
        if os.name == "nt":
            import _winapi  # noqa: PLC0415 - only Windows has it

            _winapi.CreateJunction(str(root / name), str(link))
        else:
            link.symlink_to(Path("..", "..", name), target_is_directory=True)
