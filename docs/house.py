"""The picture of the house in architecture.md: its rooms, and which room is built on which, from the imports.

`python docs/house.py` writes the picture anew; a test says when that is due. An arrow goes from a room to one that it
imports, where no way over other rooms leads there as well.
"""
# ruff: noqa: INP001 - a script beside the pages

import re
from itertools import product
from pathlib import Path
from typing import Final

import grimp

PAGE: Final = Path(__file__).parent / "architecture.md"
FLOORS: Final = ("cli", "dashboard", "projector", "events")
PICTURE: Final = re.compile(r"(?<=```mermaid\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)


def rooms(graph: grimp.ImportGraph) -> dict[str, list[str]]:
    """Return the rooms of each floor: the folders in it, and the floor itself for what lies loose there."""
    found: dict[str, list[str]] = {}
    for floor in FLOORS:
        children = sorted(graph.find_children(f"tabletape.{floor}"))
        found[floor] = [each.removeprefix("tabletape.") for each in children if graph.find_children(each)]
    return found


def arrows(graph: grimp.ImportGraph, names: list[str]) -> list[tuple[str, str]]:
    """Return which rooms are built directly on which: imports, without those that another way leads to as well."""
    uses = {one: set[str]() for one in names}
    for one, other in product(names, names):
        ours, theirs = f"tabletape.{one}", f"tabletape.{other}"
        if one != other and graph.direct_import_exists(importer=ours, imported=theirs, as_packages=True):
            uses[one].add(other)
    reached = {one: _reached(uses, one) for one in names}
    return [
        (one, other)
        for one in names
        for other in sorted(uses[one])
        if not any(other in reached[between] for between in uses[one] - {other} if one not in reached[between])
    ]


def _reached(uses: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [*uses[start]]
    while waiting:
        if (each := waiting.pop()) not in found:
            found.add(each)
            waiting += uses[each]
    return found


def picture() -> str:
    """Return the rooms and arrows as a Mermaid flowchart."""
    graph = grimp.build_graph("tabletape", cache_dir=None)
    floors = rooms(graph)
    lines = ["flowchart TB"]
    for floor, names in floors.items():
        lines.append(f'  subgraph {floor}["{floor}/"]')
        lines += [f"    {each.replace('.', '_')}[{each.partition('.')[2]}]" for each in names]
        lines.append("  end")
    names = [each for floor in floors.values() for each in floor]
    lines += [f"  {one.replace('.', '_')} --> {other.replace('.', '_')}" for one, other in arrows(graph, names)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the picture into its page."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(PICTURE.sub(lambda _: picture(), text), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
