"""The lineage of symbols: binding, changing in place and deleting update their timestamps and parents here only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from whence.staleness.objects import ABSENT, Part, frame_package, identity, lacks, part_of, settle
from whence.staleness.paths import Key, Path
from whence.staleness.symbols import Shadow, Symbol

Parents = dict[Symbol, bool]
MAX_PARTS = 512  # of one object; beyond that a change concerns the object as a whole


class Lineage:
    """All symbols of a notebook. Updates get the number of the current run (`clock`) and its cell."""

    def __init__(self) -> None:
        self.names: dict[str, Symbol] = {}
        self.shadows: dict[int, Shadow] = {}
        self.removed: list[Symbol] = []  # parts that objects have lost in the present run
        self.buried: dict[Path, Symbol] = {}  # what is gone and has made stale what was made from it
        self._displaced = 0
        self.clock = 0
        self.cell = ""
        self.statement = 0  # the top-level statement of that cell
        self.version = 0  # grows with every update, so that readers know when to look again

    def start(self, cell: str) -> int:
        """Begin a run of a cell and return its number, the timestamp of everything that the run updates."""
        self.clock += 1
        self.cell = cell
        self.version += 1
        return self.clock

    def bind_name(self, name: str, value: object, parents: Parents, keeps: bool = False) -> Symbol:
        """Record that a variable gets a value made from `parents`. If `keeps`, its old parents count, too."""
        symbol = self.names.get(name)
        if symbol is None:
            symbol = self.names[name] = Symbol(Path(name))
        symbol.exists = True
        self._bind(symbol, value, parents, keeps)
        return symbol

    def bind_part(
        self, container: object, part: Key, value: object, path: Path, parents: Parents, keeps: bool
    ) -> Symbol:
        """Record that an attribute, item or column of a container gets a value."""
        shadow = self.shadow_of(container)
        symbol = shadow.parts.get(part)
        if symbol is None and len(shadow.parts) >= MAX_PARTS:
            self.mutate(container, path, parents)
        if symbol is None:
            symbol = Symbol(path)
            if len(shadow.parts) < MAX_PARTS:
                shadow.add(part, symbol)
            if keeps:
                self._inherit(symbol, shadow)
        symbol.path = path
        self._bind(symbol, value, parents, keeps)
        return symbol

    def _bind(self, symbol: Symbol, value: object, parents: Parents, keeps: bool) -> None:
        in_place = keeps and symbol.value != 0 and symbol.value == identity(value)
        if in_place:  # `a += e` on a list changes the list for every alias
            self.mutate(value, symbol.path, parents)
        keeps = keeps or symbol in parents  # `a = a + 1`: what `a` was made from before still counts
        old = symbol.parents if keeps else {}
        symbol.parents = {**old, **parents}
        symbol.parents.pop(symbol, None)
        self._stamp(symbol)
        self.hold(symbol, value)

    def _stamp(self, symbol: Symbol) -> None:
        symbol.bound, symbol.cell, symbol.statement = self.clock, self.cell, self.statement
        self.version += 1

    def hold(self, symbol: Symbol, value: object) -> None:
        """Record which object a symbol holds."""
        # Its shadow first: the symbol may have led to another object of this identity, which is gone by now.
        shadow = self.shadow_of(value) if identity(value) else None
        symbol.value, symbol.seen = identity(value), id(value)
        if shadow is not None:
            shadow.holders.add(symbol)
            shadow.package = frame_package(value)

    def _take_over(self, symbol: Symbol, value: object) -> None:
        """Let a symbol hold another object, with a copy of what is known about the first one.

        A loop or function is traced only the first time it runs. The object from its last time has the same sources.
        """
        first = self.shadows.get(symbol.value) if symbol.value else None
        self.hold(symbol, value)
        last = self.shadows.get(symbol.value)
        if first is None or last is None or first is last or last.members():
            return
        if first.rest is not None:
            last.rest = replace(first.rest, parents=dict(first.rest.parents), value=last.identity)
        for key, part in first.parts.items():
            found = part_of(value, key)
            if found is not None:
                copy = replace(part, parents=dict(part.parents), value=0)
                last.add(key, copy)
                self.hold(copy, found.value)

    def shadow_of(self, value: object) -> Shadow:
        """Return the shadow of an object; a new one if the object that had this `id` before is gone."""
        number = id(value)
        shadow = self.shadows.get(number)
        if shadow is not None and shadow.holders and not shadow.is_held:
            self._displace(shadow)
            shadow = None
        if shadow is None:
            shadow = self.shadows[number] = Shadow(number)
        return shadow

    def _displace(self, shadow: Shadow) -> None:
        """Move the shadow of an object that is gone to a negative number, which no `id` has, until the run ends."""
        self._displaced += 1
        shadow.move(-self._displaced)
        self.shadows[shadow.identity] = shadow

    def holds(self, name: str, value: object) -> bool:
        """Return whether a variable holds this very object, as far as is recorded."""
        symbol = self.names.get(name)
        return symbol is not None and symbol.exists and symbol.seen == id(value)

    def knows(self, value: object) -> bool:
        """Return whether some symbol holds this object."""
        shadow = self.shadows.get(id(value))
        return shadow is not None and shadow.is_held

    def mutate(self, value: object, path: Path, parents: Parents) -> Symbol | None:
        """Record that an object is changed in place. Its content is new for every symbol that leads to it."""
        if identity(value) == 0:
            return None
        shadow = self.shadow_of(value)
        if shadow.rest is None:
            shadow.rest = Symbol(path, value=shadow.identity)
        rest = shadow.rest
        own = {symbol for symbol in parents if symbol.value == shadow.identity}
        rest.parents |= {symbol: whole for symbol, whole in parents.items() if symbol not in own}
        rest.path = path
        self._stamp(rest)
        self.compare_parts(value, shadow)
        return rest

    def compare_parts(self, value: object, shadow: Shadow) -> list[tuple[Symbol, object]]:
        """Update the parts of an object that hold another value than before. Return the parts with their values."""
        kept: list[tuple[Symbol, object]] = []
        for key, symbol in list(shadow.parts.items()):
            part = part_of(value, key)
            if part is None:
                symbol.exists = False
                self.removed.append(symbol)
                del shadow.parts[key]
                continue
            if id(part.value) != symbol.seen and part.value is not ABSENT:
                self._change_untraced(symbol, part.value, shadow)
            elif part.value is ABSENT and shadow.rest is not None and shadow.rest.bound == self.clock > symbol.bound:
                self._change_untraced(symbol, part.value, shadow)  # a column cannot be compared
            kept.append((symbol, part.value))
        return kept

    def _change_untraced(self, symbol: Symbol, value: object, shadow: Shadow) -> None:
        if symbol.bound != self.clock:
            recent = shadow.rest is not None and shadow.rest.bound == self.clock
            symbol.parents = dict(shadow.rest.parents) if recent and shadow.rest is not None else {}
        # A loop was traced at its first turn: what a later turn made is still the work of that statement.
        if symbol.bound != self.clock or (
            shadow.rest is not None and shadow.rest.version == (self.clock, self.statement)
        ):
            self._stamp(symbol)
        self.hold(symbol, value)

    def delete_name(self, name: str) -> None:
        """Record that a variable is deleted. Its symbol stays as the parent of those made from it."""
        symbol = self.names.get(name)
        if symbol is not None:
            symbol.exists, symbol.value, symbol.seen = False, 0, 0
            symbol.ended = self.clock, self.statement
            self.version += 1

    def resolve(self, path: Path, values: Mapping[str, object], create: bool = False) -> tuple[Symbol, bool] | None:
        """Return the symbol at a path; with True if only an object around it could be found; None if there is none."""
        symbol = self.names.get(path.name)
        if symbol is None or not symbol.exists:
            return None
        value = values.get(path.name, ABSENT)
        for key in path.keys:
            if id(value) != symbol.seen:
                value = ABSENT  # bound again since: this object is not the one that the symbol describes
            inner = self._step(symbol, value, settle(key, values), create)
            if inner is None:
                return symbol, True
            symbol, value = inner
        return symbol, False

    def _step(self, symbol: Symbol, value: object, key: Key | None, create: bool) -> tuple[Symbol, object] | None:
        shadow = self.shadows.get(symbol.value) if symbol.value else None
        if key is None or shadow is None:
            return None
        part = part_of(value, key)
        if part is None and lacks(value, key):
            return Symbol(symbol.path.then(key)), ABSENT
        if part is None:
            known = shadow.parts.get(key) if value is ABSENT else None
            return None if known is None else (known, ABSENT)
        found = shadow.parts.get(part.key)
        if found is None:
            found = Symbol(
                path=symbol.path.then(part.key),
                bound=0,
                cell=symbol.cell,
                parents={},
                value=identity(part.value),
                seen=id(part.value),
            )
            self._inherit(found, shadow)
            if create and len(shadow.parts) < MAX_PARTS:
                shadow.add(part.key, found)
                self.hold(found, part.value)
        return found, part.value

    def reach(self, path: Path, values: Mapping[str, object]) -> object:
        """Return the object at a path, or ABSENT; give each part on the way a symbol.

        Library code and constructors make objects inside objects unseen. Without a symbol for `x.a`, a change of
        `x.a.b` would be noted for an object that no variable is known to lead to.
        """
        value = values.get(path.name, ABSENT)
        for key in path.keys:
            part = part_of(value, settle(key, values) or key)
            if part is None:
                return ABSENT
            self._link(value, part)
            value = part.value
        return value

    def _link(self, container: object, part: Part) -> None:
        shadow = self.shadows.get(id(container))
        if identity(part.value) == 0 or shadow is None or not shadow.is_held:
            return
        if part.key not in shadow.parts and len(shadow.parts) < MAX_PARTS:
            holder = shadow.shortest_holder()
            symbol = Symbol(holder.path.then(part.key), 0, holder.cell)
            self._inherit(symbol, shadow)
            shadow.add(part.key, symbol)
            self.hold(symbol, part.value)

    def column(self, frame: Symbol, shadow: Shadow, name: str) -> Symbol:
        """Return the symbol of a column, of the frame that a symbol holds or held before the current statement."""
        key = Key("item", name.casefold() if shadow.package == "pyspark" else name)
        found = shadow.parts.get(key)
        if found is None:
            found = Symbol(frame.path.then(key), 0, frame.cell)
            self._inherit(found, shadow)
            if len(shadow.parts) < MAX_PARTS:
                shadow.add(key, found)
        return found

    def _inherit(self, symbol: Symbol, shadow: Shadow) -> None:
        """Give a part that is seen for the first time the timestamp and parents of its container's content."""
        if shadow.rest is not None:
            symbol.bound, symbol.cell, symbol.parents = shadow.rest.bound, shadow.rest.cell, dict(shadow.rest.parents)
            symbol.statement = shadow.rest.statement

    def with_parts(self, symbol: Symbol) -> list[Symbol]:
        """Return a symbol and all its parts, at any depth."""
        found, visited, pending = [symbol], set[int](), [symbol.value]
        while pending:
            value = pending.pop()
            shadow = self.shadows.get(value)
            if shadow is not None and value not in visited:
                visited.add(value)
                members = shadow.members()
                found += members
                pending += [member.value for member in members]
        return found

    def synchronise(self, values: Mapping[str, object], names: Iterable[str]) -> None:
        """Record variables that code without probes, such as a magic or a library, has bound or deleted."""
        for name in names:
            symbol = self.names.get(name)
            value = values.get(name, ABSENT)
            if value is ABSENT:
                if symbol is not None and symbol.exists:
                    self.delete_name(name)
            elif symbol is None or not symbol.exists:
                self.bind_name(name, value, {})
            elif symbol.seen != id(value) and symbol.bound == self.clock:
                self._take_over(symbol, value)
            elif symbol.seen != id(value):
                self.bind_name(name, value, {})
