"""Edits of a source by the places of its syntax tree: everything else stays as it is written."""

import ast


class Edits:
    """A source with what is to stand in the places of some of its nodes."""

    def __init__(self, source: str) -> None:
        """Begin with a source as it is."""
        self.tree = ast.parse(source)
        self._text = source.encode()  # the tree counts columns in bytes
        self._starts = [0]
        for line in self._text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._edits: list[tuple[int, int, str]] = []

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return where a node begins and ends, in bytes."""
        end = self._starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        return self._starts[node.lineno - 1] + node.col_offset, end

    def text(self, node: ast.expr | ast.stmt) -> str:
        """Return what is written of a node."""
        start, end = self.span(node)
        return self._text[start:end].decode()

    def replace(self, node: ast.expr | ast.stmt, text: str) -> None:
        """Put a text in the place of a node; of two that lie in each other only the outer one may be replaced."""
        self._edits.append((*self.span(node), text))

    def insert(self, line: int, text: str) -> None:
        """Put whole lines before the line of a number, from 1."""
        self._edits.append((self._starts[line - 1], self._starts[line - 1], text))

    def result(self) -> str:
        """Return the edited source. Raises `ValueError` where two edits lie in each other."""
        text, last = self._text, len(self._text)
        for start, end, new in sorted(self._edits, reverse=True):
            if end > last:
                raise ValueError(f"two edits in one place: {new}")
            last = start
            text = text[:start] + new.encode() + text[end:]
        return text.decode()
