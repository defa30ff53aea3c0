"""Run the notebooks among the pages, and put what their cells give below them.

    python docs/notebooks.py           every notebook

The cells of a notebook run one after the other, in a process of their own, in a folder with the demo workspace
(`tabletape demo --no-serve`). What a cell prints, and its last expression as a notebook shows it, are its outputs.
"""

# ruff: noqa: INP001 - a script beside the pages
import ast
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CELLS = "--cells"

Notebook = dict[str, Any]


def notebooks() -> Iterator[Path]:
    """Yield the notebooks among the pages."""
    yield from sorted((ROOT / "docs").rglob("*.ipynb"))


def refreshed(notebook: Notebook) -> Notebook:
    """Return a notebook with the outputs of its cells as they are today."""
    sources = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    outputs = iter(_outputs_of(sources))
    cells = []
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cells.append({**cell, "execution_count": count, "outputs": _numbered(next(outputs), count)})
        else:
            cells.append(cell)
    return {**notebook, "cells": cells}


def written(notebook: Notebook) -> str:
    """Return a notebook as its file has it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def said(notebook: Notebook) -> list[list[Any]]:
    """Return what each cell of a notebook prints and gives, as text."""
    return [
        [each.get("text") or each["data"]["text/plain"] for each in cell["outputs"]]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def _numbered(outputs: list[Notebook], count: int) -> list[Notebook]:
    return [{**each, "execution_count": count} if each["output_type"] == "execute_result" else each for each in outputs]


def _outputs_of(sources: list[str]) -> list[list[Notebook]]:
    """Run cells in a folder with the demo workspace; return the outputs of each."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / ".package")}
    with tempfile.TemporaryDirectory() as folder:
        for command, fed in (["-m", "tabletape", "demo", "--no-serve"], ""), ([__file__, CELLS], sources):
            done = subprocess.run(  # noqa: S603 - our own examples
                [sys.executable, *command],
                cwd=folder,
                env=environment,
                input=json.dumps(fed),
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                raise RuntimeError(done.stderr)
    found: list[list[Notebook]] = json.loads(done.stdout)
    return found


def _run(sources: list[str]) -> list[list[Notebook]]:
    """Run cells here, one after the other."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [_outputs(source, names) for source in sources]


def _outputs(source: str, names: dict[str, Any]) -> list[Notebook]:
    """Run a cell; return what it prints and what its last expression gives."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)  # noqa: S102 - our own examples
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None  # noqa: S307
    outputs: list[Notebook] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if value is not None:
        outputs.append({"output_type": "execute_result", "data": _shown(value), "metadata": {}})
    return outputs


def _shown(value: Any) -> dict[str, Any]:
    """Return a value as a notebook shows it."""
    shown: dict[str, Any] = {"text/plain": repr(value)}
    if hasattr(value, "_repr_mimebundle_"):
        shown |= value._repr_mimebundle_()
    elif hasattr(value, "_repr_html_"):
        shown["text/html"] = value._repr_html_()
    return {kind: _lines(each) if isinstance(each, str) else each for kind, each in shown.items()}


def _lines(text: str) -> list[str]:
    """Return the lines of a text that names no folder of the computer on which it was made."""
    return text.replace(f"{ROOT / '.package'}{os.sep}", "").splitlines(keepends=True)


def main() -> None:
    """Bring all notebooks up to date, or run the cells on standard input."""
    if sys.argv[1:] == [CELLS]:
        cells = json.load(sys.stdin)
        json.dump(_run(cells), sys.stdout)
        return
    for file in notebooks():
        old = file.read_text(encoding="utf-8")
        new = written(refreshed(json.loads(old)))
        file.write_text(new, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{file}: {'as it was' if new == old else 'brought up to date'}\n")


if __name__ == "__main__":
    main()
