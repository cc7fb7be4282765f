"""Applies the effects of a statement that has just run to the lineage, with the values it left in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from whence.staleness.effects import Store
from whence.staleness.frame_updates import FrameSources, bind_frame, frame_sources
from whence.staleness.lineage import Lineage, Parents
from whence.staleness.mutators import mutates
from whence.staleness.objects import ABSENT, identity, part_of, settle
from whence.staleness.paths import Key, Path
from whence.staleness.references import Use
from whence.staleness.sites import Statement
from whence.staleness.symbols import Symbol
from whence.staleness.values import Value


@dataclass(eq=False, slots=True)
class Record:
    """The record of one statement in the current step: what calls in it read, and the symbols it updated."""

    statement: Statement
    read: Parents = field(default_factory=dict)
    targets: list[Symbol] = field(default_factory=list)
    arms: set[int] = field(default_factory=set)
    applied: bool = False

    def runs(self, use: Use) -> bool:
        """Return whether control has reached a use. A use outside of watched operands always counts."""
        return use.arm is None or use.arm not in self.statement.watched_arms or use.arm in self.arms

    def add(self, parents: Parents) -> None:
        """Add symbols that were read while the statement ran, also to targets that were already updated."""
        self.read |= parents
        for target in self.targets:
            for parent, whole in parents.items():
                if parent is not target and parent.value != (target.value or -1):
                    target.parents[parent] = target.parents.get(parent, False) or whole


class Updater:
    """Applies the effects of statements to a lineage."""

    def __init__(self, lineage: Lineage, values: Mapping[str, object]) -> None:
        self.lineage = lineage
        self.values = values

    def parents(self, uses: Iterable[Use], record: Record) -> Parents:
        """Return the symbols behind the uses that control has reached."""
        found: Parents = {}
        for use in uses:
            resolved = self.lineage.resolve(use.path, self.values, create=True) if record.runs(use) else None
            if resolved is not None:
                symbol, only_container = resolved
                found[symbol] = found.get(symbol, False) or use.whole or only_container
        return found

    def apply(self, record: Record, statement: Statement, frame: Mapping[str, object], inherited: Parents) -> None:
        """Update the lineage for a statement. `frame` has the variables it saw, `inherited` what its caller passed.

        All sources are looked up before the first update, as `a, b = b, a` reads the old values.
        """
        effects = statement.effects
        extra = {**record.read, **inherited}
        local = frame is not self.values
        everything = {**self.parents(effects.uses, record), **extra} if effects.mutations else {}
        stores = [(store, self._sources(store.value, record)) for store in effects.stores]
        for path in effects.deletes:
            self._delete(path, frame)
        for change in effects.mutations:
            self._mutate(change.path, change.method, frame, everything, record)
        for store, sources in stores:
            target = self._store(store, sources, extra, frame, local)
            if target is not None:
                record.targets.append(target)

    def _sources(self, value: Value, record: Record) -> _Sources:
        parts = [(key, self._sources(part, record)) for key, part in value.parts]
        frame = None
        if value.columns is not None:
            frame = frame_sources(value.columns, self.lineage, self.values, lambda uses: self.parents(uses, record))
        return _Sources(self.parents(value.uses, record), parts, frame)

    def _store(
        self, store: Store, sources: _Sources, extra: Parents, frame: Mapping[str, object], local: bool
    ) -> Symbol | None:
        parents = sources.parents if store.defines is not None else {**sources.parents, **extra}
        if store.path.keys:
            return self._store_part(store, parents, sources, frame, local)
        value = self.values.get(store.path.name, ABSENT)  # absent if a statement after it has deleted it again
        if store.imports and self.lineage.holds(store.path.name, value):
            return None  # importing a module again changes nothing, and must not make all that uses it look old
        if sources.frame is not None:
            bound = bind_frame(
                self.lineage, store.path.name, value, sources=sources.frame, extra=extra, keeps=store.keeps
            )
            if bound is not None:
                return bound
        symbol = self.lineage.bind_name(store.path.name, value, parents, store.keeps)
        self._store_elements(value, store.path, sources)
        return symbol

    def _store_part(
        self, store: Store, parents: Parents, sources: _Sources, frame: Mapping[str, object], local: bool
    ) -> Symbol | None:
        container = self.lineage.reach(Path(store.path.name, store.path.keys[:-1]), frame)
        # An object that only a function's local variables lead to has no symbol in the notebook.
        if identity(container) == 0 or (local and not self.lineage.knows(container)):
            return None
        key = settle(store.path.keys[-1], frame)
        part = part_of(container, key) if key is not None else None
        if part is None:
            return self.lineage.mutate(container, self._spelled(container, store.path), parents)
        path = self._spelled(container, Path(store.path.name, store.path.keys[:-1])).then(part.key)
        symbol = self.lineage.bind_part(container, part.key, part.value, path=path, parents=parents, keeps=store.keeps)
        self._store_elements(part.value, path, sources)
        return symbol

    def _store_elements(self, value: object, path: Path, sources: _Sources) -> None:
        """Give a literal container a symbol for each element it was written with."""
        for key, inner in sources.parts:
            part = part_of(value, key)
            if part is not None:
                self.lineage.bind_part(value, part.key, part.value, path.then(part.key), inner.parents, keeps=False)
                self._store_elements(part.value, path.then(part.key), inner)

    def _mutate(
        self, path: Path, method: str | None, frame: Mapping[str, object], parents: Parents, record: Record
    ) -> None:
        value = self.lineage.reach(path, frame)
        if method is not None and not mutates(value, method):
            return
        if frame is not self.values and not self.lineage.knows(value):
            return
        self.change(value, path, parents, record)
        if method == "append" and isinstance(value, list) and value:
            # The new item gets parents of its own. The items before it have not changed.
            last, spelled = Key("item", len(value) - 1), self._spelled(value, path)
            others = {symbol: whole for symbol, whole in parents.items() if symbol.value != id(value)}
            self.lineage.bind_part(value, last, value[-1], spelled.then(last), others, keeps=False)

    def change(self, value: object, path: Path, parents: Parents, record: Record) -> None:
        """Record that an object was changed in place."""
        target = self.lineage.mutate(value, self._spelled(value, path), parents)
        if target is not None:
            record.targets.append(target)

    def _delete(self, path: Path, frame: Mapping[str, object]) -> None:
        if not path.keys:
            self.lineage.delete_name(path.name)
            return
        container = self.lineage.reach(Path(path.name, path.keys[:-1]), frame)
        if identity(container):
            self.lineage.mutate(container, Path(path.name, path.keys[:-1]), {})

    def _spelled(self, value: object, default: Path) -> Path:
        """Return the notebook's shortest path to an object that a function reached under a local name."""
        if default.name in self.values:
            return default
        shadow = self.lineage.shadows.get(id(value))
        holders = [holder.path for holder in shadow.holders if holder.exists] if shadow is not None else []
        return min(holders, key=lambda path: len(path.keys), default=default)


@dataclass(slots=True)
class _Sources:
    parents: Parents
    parts: list[tuple[Key, _Sources]]
    frame: FrameSources | None = None
