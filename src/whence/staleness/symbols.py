"""Symbols and shadows: timestamps and parents of the user's data, stored beside the objects and never on them."""

from __future__ import annotations

from dataclasses import dataclass, field

from whence.staleness.paths import Key, Path

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
    ended: Version = (0, 0)  # of a deleted variable, the run and statement that deleted it
    home: Shadow | None = None  # of a part, the object it is part of

    @property
    def version(self) -> Version:
        """The run and statement that made this state of the symbol. A deleted variable is a state, too."""
        return (self.bound, self.statement) if self.exists else self.ended

    def __repr__(self) -> str:
        return f"Symbol({self.path} at {self.bound})"


@dataclass(eq=False, slots=True)
class Shadow:
    """The record of one object's content, shared by all symbols that hold the object, so that aliases agree."""

    identity: int
    parts: dict[Key, Symbol] = field(default_factory=dict)
    rest: Symbol | None = None  # changes that cannot be pinned on a part
    holders: set[Symbol] = field(default_factory=set)
    package: str = ""  # of a data frame, the library it belongs to

    def add(self, key: Key, symbol: Symbol) -> None:
        """Add a part."""
        self.parts[key] = symbol
        symbol.home = self

    def move(self, identity: int) -> None:
        """Change the identity of the object, also in the symbols that lead to it."""
        for symbol in [*self.holders, *([self.rest] if self.rest is not None else [])]:
            if symbol.value == self.identity:
                symbol.value = identity
        self.identity = identity

    def members(self) -> list[Symbol]:
        """Return the symbols that make up the content."""
        rest = [self.rest] if self.rest is not None else []
        return [*self.parts.values(), *rest]

    def shortest_holder(self) -> Symbol:
        """Return the symbol with the shortest path to the object, which must be held by one."""
        present = [holder for holder in self.holders if holder.exists and holder.value == self.identity]
        return min(present, key=lambda holder: (len(holder.path.keys), str(holder.path)))

    @property
    def is_held(self) -> bool:
        """Whether some variable still leads to the object; if none does, its identity may belong to a new object."""
        visited: set[Shadow] = set()
        pending = [self]
        while pending:
            shadow = pending.pop()
            visited.add(shadow)
            homes = {each.home for each in shadow.holders if each.exists and each.value == shadow.identity}
            if any(home is None or not home.holders for home in homes):  # a variable, or an object nobody followed
                return True
            pending += [home for home in homes if home is not None and home not in visited]
        return False
