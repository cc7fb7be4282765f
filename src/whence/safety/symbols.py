"""The shadow of the user's data: symbols with timestamps and parents, kept beside the objects and never on them."""

from __future__ import annotations

from dataclasses import dataclass, field

from whence.safety.paths import Key, Path

Version = tuple[int, int]  # the run and the top-level statement in it that last updated a symbol


@dataclass(eq=False, slots=True)
class Symbol:
    """A named piece of data (Definition 1) with its timestamp (Definition 2) and its dependencies (Definition 3)."""

    path: Path
    bound: int = 0  # the run that last gave it a value
    cell: str = ""  # the cell that did
    parents: dict[Symbol, bool] = field(default_factory=dict)  # True: the parent as a whole, False: its binding only
    value: int = 0  # identity of the object it holds, 0 for values that cannot change in place
    seen: int = 0  # id of the value, to notice changes that were not traced
    exists: bool = True
    statement: int = 0  # the top-level statement of the run that did, counted from 0

    @property
    def version(self) -> Version:
        """What tells this state of the symbol from earlier ones."""
        return self.bound, self.statement

    def __repr__(self) -> str:
        return f"Symbol({self.path} at {self.bound})"


@dataclass(eq=False, slots=True)
class Shadow:
    """What we know about the content of one object, shared by all symbols that hold it, so that aliases agree."""

    identity: int
    parts: dict[Key, Symbol] = field(default_factory=dict)
    rest: Symbol | None = None  # changes that cannot be pinned on a part
    holders: set[Symbol] = field(default_factory=set)
    package: str = ""  # of a data frame, the library it belongs to

    def members(self) -> list[Symbol]:
        """The symbols that make up the content."""
        rest = [self.rest] if self.rest is not None else []
        return [*self.parts.values(), *rest]

    @property
    def is_held(self) -> bool:
        """Whether some symbol still holds the object; if none does, its identity may belong to a new object."""
        return any(holder.exists and holder.value == self.identity for holder in self.holders)
