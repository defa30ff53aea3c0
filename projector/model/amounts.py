"""Numbers of things in words."""


def counted(number: float, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 game`, `2,000 games`, `3 matches`."""
    return f"{number:,.0f} {one if number == 1 else many or one + 's'}"


def how_many(number: int, one: str) -> str:
    """Return a number with its noun, and words for none: `no card`, `1 card`, `2 cards`."""
    return counted(number, one) if number else f"no {one}"
