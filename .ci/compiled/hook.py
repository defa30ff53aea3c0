"""The build hook: with TABLETAPE_COMPILED=1 the wheel has the fold as machine code, without it all of it is Python.

    TABLETAPE_COMPILED=1 pip install .

It takes a C compiler and some minutes. The sources are the same, and so is all that the fold finds.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "TABLETAPE_COMPILED"
HERE = Path(__file__).parent


class CompiledFold(BuildHookInterface):  # type: ignore[type-arg, misc]  # hatchling's configuration has no type of its own
    """Puts compiled modules beside their sources in the wheel, where that is asked for."""

    def dependencies(self) -> list[str]:
        """Return what is needed to compile, where that is asked for; msgspec says of which types the events are."""
        return ["mypy[mypyc]==2.4.1", "setuptools>=75", "msgspec>=0.20"] if self._is_asked_for() else []

    def _is_asked_for(self) -> bool:
        return self.target_name == "wheel" and os.environ.get(SWITCH, "0") not in {"", "0"}

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile and add the modules. Raises `RuntimeError` with what the compiler said where that does not work."""
        if version == "editable" or not self._is_asked_for():
            return
        if shutil.which(os.environ.get("CC", "cc")) is None and os.name == "posix":
            raise RuntimeError(f"there is no C compiler here; install one (`cc`), or leave {SWITCH} out")
        sys.path.insert(0, str(HERE))
        from building import OPEN_CLASSES, build  # noqa: PLC0415 - they lie beside this file

        self._folder = Path(tempfile.mkdtemp(prefix="tabletape-compiled-"))
        try:
            build(Path(self.root), self._folder)
        except BaseException:
            self.finalize()
            raise
        made = [*self._folder.rglob(f"*{EXTENSION}"), self._folder / OPEN_CLASSES]
        build_data["pure_python"], build_data["infer_tag"] = False, True
        build_data["dependencies"] = [*build_data.get("dependencies", ()), "mypy_extensions>=1.0"]  # its decorators
        for path in made:
            build_data["force_include"][str(path)] = str(path.relative_to(self._folder))

    def finalize(self, *_: Any) -> None:
        """Remove what was compiled, which the wheel has now."""
        shutil.rmtree(getattr(self, "_folder", ""), ignore_errors=True)


EXTENSION = ".pyd" if os.name == "nt" else ".so"
