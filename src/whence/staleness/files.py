"""Checks a notebook file, for continuous integration: reports what would fail or differ in a run from the top."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from whence.staleness.flow import analyse
from whence.staleness.reproduce import Expected, run_from_the_top

_CELL_MAGIC = re.compile(r"\s*%%(?P<name>\w+)")
_AROUND_PYTHON = frozenset({"capture", "prun", "time", "timeit"})
"""Cell magics whose cell is Python; that of any other may be a shell script, HTML or SQL."""


@dataclass(frozen=True, slots=True)
class NotebookCheck:
    """The findings of a check, each one sentence. Without findings the notebook is in order."""

    findings: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def check_notebook(path: str | Path, run: bool = True) -> NotebookCheck:
    """Check an .ipynb file; with `run=False`, only by what can be seen without running it."""
    cells = read_cells(Path(path))
    findings = [*_out_of_order(Path(path)), *_used_before_defined(cells)]
    if run and not findings:
        result = run_from_the_top(cells)
        if not result.ok:
            findings.append(f"cell {result.first_difference} {result.reason}")
    return NotebookCheck(tuple(findings))


def read_cells(path: Path) -> list[Expected]:
    """Return the code cells of a notebook file, numbered from 1, with the text output that the file has for them."""
    code = [cell for cell in _load(path) if cell.get("cell_type") == "code"]
    return [
        Expected(str(number), _python(_text(cell.get("source", ""))), _printed_text(cell))
        for number, cell in enumerate(code, start=1)
    ]


def _load(path: Path) -> list[dict[str, object]]:
    cells: list[dict[str, object]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return cells


def _text(source: object) -> str:
    """Return a source or output as one text. The file format allows a string or a list of lines."""
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def _python(text: str) -> str:
    """Return the text with magic commands replaced by `pass`: they belong to IPython, and most only set up display.

    >>> _python("%%bash\\nls -l"), _python("%%time\\nx = 1")
    ('pass', 'pass\\nx = 1')
    """
    whole = _CELL_MAGIC.match(text)
    if whole is not None and whole["name"] not in _AROUND_PYTHON:
        return "pass"
    return "\n".join("pass" if line.lstrip()[:1] in ("%", "!") else line for line in text.splitlines())


def _printed_text(cell: dict[str, object]) -> str | None:
    outputs = cell.get("outputs")
    if cell.get("execution_count") is None or not isinstance(outputs, list):
        return None
    texts: list[str] = []
    for output in outputs:
        if output.get("output_type") == "stream" and output.get("name") == "stdout":
            texts.append(_text(output.get("text", "")))
        elif output.get("output_type") == "execute_result":
            texts.append(_text(output.get("data", {}).get("text/plain", "")) + "\n")
    return "".join(texts)


def _out_of_order(path: Path) -> list[str]:
    code = [cell for cell in _load(path) if cell.get("cell_type") == "code"]
    counts = [(number, cell.get("execution_count")) for number, cell in enumerate(code, start=1)]
    ran = [(number, count) for number, count in counts if isinstance(count, int)]
    return [
        f"cell {number} was run before cell {earlier}, which stands above it"
        for (earlier, before), (number, count) in pairwise(ran)
        if count < before
    ]


def _used_before_defined(cells: list[Expected]) -> list[str]:
    """Return a finding for each name that a cell surely reads and that only a later cell binds."""
    findings: list[str] = []
    seen: set[str] = set()
    flows = [(cell, analyse(ast.parse(cell.text).body)) for cell in cells if _is_readable(cell.text)]
    everywhere = {name for _, flow in flows for name in flow.stored}
    for cell, flow in flows:
        names = {use.path.name for use in flow.uses if use.certain} & everywhere - seen - flow.stored
        findings += [f"cell {cell.cell} uses `{name}`, which only a later cell defines" for name in sorted(names)]
        seen |= flow.stored
    return findings


def _is_readable(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
