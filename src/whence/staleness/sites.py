"""The sites of probes: which statements have run when a probe reports."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from whence.staleness.effects import Effects
from whence.staleness.flow import Flow
from whence.staleness.functions import FunctionInfo
from whence.staleness.paths import Path
from whence.staleness.references import Call


@dataclass(eq=False, slots=True)
class Statement:
    """A simple statement, or the header of a compound one, with its effects."""

    effects: Effects
    first_line: int
    last_line: int
    watched_arms: frozenset[int] = frozenset()  # operands with a probe of their own; all others count as run


@dataclass(eq=False, slots=True)
class Segment:
    """Statements that run one after the other without a branch. Its probe is at the end."""

    statements: list[Statement]
    in_function: bool


@dataclass(eq=False, slots=True)
class Arm:
    """An operand of `if`/`else`, `and` or `or`, which may not run. Its probe reports that it does."""

    statement: Statement
    number: int
    in_function: bool


Site = Segment | Arm


@dataclass(eq=False, slots=True)
class Step:
    """A top-level statement of a cell: a simple one, or a compound one with all statements inside it."""

    simple: Statement | None
    inner: list[Statement] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    touched: list[Path] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    stored: frozenset[str] = frozenset()
    flow: Flow = field(default_factory=Flow)
    catches: bool = False  # an exception may end inside it

    @property
    def reads(self) -> set[tuple[Path, bool]]:
        """What the statement may read of the state before it, and whether whole. Deleting a name counts as a read."""
        return {(use.path, use.whole) for use in self.flow.uses} | {(path, False) for path in self.flow.deletes}


@dataclass(slots=True)
class InstrumentedCell:
    """A cell ready to be compiled: its tree with placeholders, and the probes and analyses to plant into the code."""

    tree: ast.Module
    sites: dict[int, Site]
    functions: list[FunctionInfo]
    steps: list[Step]
