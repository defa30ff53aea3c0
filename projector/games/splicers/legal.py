"""The legal decisions of a player, and the lines that luck has to write."""

from typing import Any


def actors(table: Any) -> tuple[str, ...]:
    return ()


def legal(table: Any, player: str) -> list[Any]:
    return []


def chance(table: Any, dice: Any) -> Any:
    return None


def value(table: Any, player: str) -> float:
    return 0.0
