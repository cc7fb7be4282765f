"""Records which statements read which symbols, to give the code behind a value as a script."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from whence.staleness.lineage import Lineage
from whence.staleness.symbols import Symbol, Version

MAX_RUNS = 2000  # older runs are forgotten, so that memory stays bounded however long the session


@dataclass(slots=True)
class PastRun:
    """One run of a cell: its text, and the versions of symbols that each top-level statement read."""

    number: int
    cell: str
    text: str
    reads: dict[int, set[Version]] = field(default_factory=dict)
    failed: int | None = None  # the statement that raised

    def read(self, statement: int, symbols: Iterable[Symbol]) -> None:
        """Record what a statement reads, except what it made itself."""
        own = self.number, statement
        versions = {symbol.version for symbol in symbols}
        self.reads.setdefault(statement, set()).update(version for version in versions if version != own)


class History:
    """The runs of a session, oldest first."""

    def __init__(self) -> None:
        self._runs: dict[int, PastRun] = {}

    def start(self, number: int, cell: str, text: str) -> PastRun:
        """Record a run that is about to start."""
        run = self._runs[number] = PastRun(number, cell, text)
        if len(self._runs) > MAX_RUNS:
            del self._runs[next(iter(self._runs))]
        return run

    def behind(self, versions: set[Version]) -> list[tuple[PastRun, list[int]]]:
        """Return the runs behind some versions of symbols, oldest first, each with the statements that contributed."""
        found: set[Version] = set()
        pending = list(versions)
        while pending:
            version = pending.pop()
            run = self._runs.get(version[0])
            if run is not None and version not in found:
                found.add(version)
                pending += run.reads.get(version[1], ())
        numbers = sorted({number for number, _ in found})
        return [(self._runs[n], sorted(statement for number, statement in found if number == n)) for n in numbers]


def slice_script(history: History, lineage: Lineage, name: str) -> str:
    """Return the code behind a variable's value as a script: the statements that it depends on, as they ran."""
    symbol = lineage.names.get(name)
    if symbol is None or not symbol.exists:
        raise KeyError(name)
    versions = {part.version for part in lineage.with_parts(symbol)}
    return "\n".join(_code(run, statements) for run, statements in history.behind(versions))


def _code(run: PastRun, statements: list[int]) -> str:
    body = _statements(run.text)
    lines = [f"# cell {run.cell}, run {run.number}"]
    if len(body) <= statements[-1]:  # another tool changed the tree, so the text cannot be taken apart
        return "\n".join([*lines, run.text.rstrip(), ""])
    for statement in statements:
        if statement == run.failed:
            lines.append("# this statement raised an exception half-way")
        lines.append(body[statement])
    return "\n".join([*lines, ""])


def _statements(text: str) -> list[str]:
    """Return the source of each top-level statement of a cell."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    return [_source(text, node) for node in tree.body]


def _source(text: str, node: ast.stmt) -> str:
    decorators = getattr(node, "decorator_list", [])
    if decorators:
        return "\n".join(text.splitlines()[decorators[0].lineno - 1 : node.end_lineno])
    return ast.get_source_segment(text, node) or ast.unparse(node)
