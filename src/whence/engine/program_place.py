"""Finds where a running program is: its line, the name under which it holds a value, and the frames that it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import FrameType

from pyspark.sql import DataFrame
from pyspark.sql.classic.dataframe import DataFrame as ClassicFrame


@dataclass(frozen=True)
class ProgramPlace:
    """The line of a program that is running, the variable that holds a value, and all frames by variable."""

    line: int = 0
    variable: str | None = None
    frames: Mapping[str, DataFrame] = field(default_factory=dict)


def find_place(program: str, caller: FrameType | None, held: object) -> ProgramPlace:
    """Return the place in a program's file from which a call came, and the variable that holds this value."""
    while caller is not None and caller.f_code.co_filename != program:
        caller = caller.f_back
    if caller is None:
        return ProgramPlace()
    frames: dict[str, DataFrame] = {}
    variable = None
    for names in (caller.f_locals, caller.f_globals):
        shown = {name: value for name, value in names.items() if not name.startswith("_")}
        # The newest name is the one that says most: `df = result` before `df.show()`.
        variable = variable or next((name for name in reversed(shown) if shown[name] is held), None)
        frames = {name: value for name, value in shown.items() if isinstance(value, ClassicFrame)} | frames
    return ProgramPlace(caller.f_lineno, variable, frames)
