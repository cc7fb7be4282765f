"""The reference's highlights: Definitions 5 to 10 applied literally to every path through every cell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from tests.staleness.reference_machine import Machine, parse
from tests.staleness.reference_memory import Function, Place, Thing, stale_places

Name = tuple[object, ...]  # a variable, then the keys that lead to a part of it


class Event(NamedTuple):
    """One load (of the whole or only the binding), store or delete on a path through a cell."""

    kind: str
    name: Name
    whole: bool = True


Trace = tuple[Event, ...]
Item = tuple[Name, Place]


@dataclass
class ReferenceCell:
    text: str = ""
    ran_at: int = 0


class Reference:
    """A notebook: the machine that runs it, and its cells."""

    def __init__(self) -> None:
        self.machine = Machine()
        self.machine.names["Box"] = Place("the class")
        self.cells: dict[str, ReferenceCell] = {}

    def edit(self, cell: str, text: str) -> None:
        self.cells.setdefault(cell, ReferenceCell()).text = text

    def run(self, cell: str, text: str) -> bool:
        self.edit(cell, text)
        ok = self.machine.run(text)
        self.cells[cell].ran_at = self.machine.time
        return ok

    def highlights(self) -> tuple[set[str], set[str], set[str]]:
        """The stale, fresh and refresher cells."""
        outdated = stale_places(self.machine.places())
        traces = {name: list(self.traces(cell.text)) for name, cell in self.cells.items()}
        live = {name: self.live(paths) for name, paths in traces.items()}
        stale = {name: {item for item in items if item[1] in outdated} for name, items in live.items()}
        stale_cells = {name for name, items in stale.items() if items}
        fresh = {
            name
            for name, cell in self.cells.items()
            if name not in stale_cells and cell.ran_at and any(place.time > cell.ran_at for _, place in live[name])
        }
        refreshers = {
            name
            for name in self.cells.keys() - stale_cells
            if any(stale[other] - self._after(traces[name], traces[other], outdated) for other in stale_cells)
        }
        return stale_cells, fresh, refreshers

    def _after(self, first: list[Trace], second: list[Trace], outdated: set[Place]) -> set[Item]:
        """STALE of the concatenation of two cells (Definition 10)."""
        items: set[Item] = set()
        for one, two in product(first, second):
            overwritten = {self.place(event.name) for event in one if event.kind == "store" and len(event.name) > 1}
            items |= self.live([one])
            items |= {
                item for item in self.live([(*one, *two)]) if item[1] not in overwritten or item in self.live([one])
            }
        return {item for item in items if item[1] in outdated}

    def live(self, paths: list[Trace]) -> set[Item]:
        """The symbols whose value at the start is used on some path (Definition 5)."""
        return {item for path in paths for item in self._live_on(path)}

    def _live_on(self, path: Trace) -> Iterator[Item]:
        killed: set[Name] = set()
        for event in path:
            if event.kind == "store":
                killed.add(event.name)
            elif event.kind == "delete":
                killed = {name for name in killed if not _starts(name, event.name)}
            elif not _covered(event.name, killed):
                place = self.place(event.name)
                if place is None:
                    continue
                yield event.name, place
                if event.whole and isinstance(place.value, Thing):
                    for keys, inner in place.value.places():
                        if not _covered(event.name + keys, killed):
                            yield event.name + keys, inner

    def place(self, name: Name) -> Place | None:
        """What a name leads to in memory now."""
        first = str(name[0])
        if not self.machine.exists(first):
            return None
        place: Place | None = self.machine.names[first]
        for key in name[1:]:
            place = place.value.parts.get(key) if place is not None and isinstance(place.value, Thing) else None
        return place

    def traces(self, text: str) -> Iterator[Trace]:
        """Every path through a cell; loops take no, one or two turns."""
        return self._block(parse(text).body, {})

    def _block(self, body: list[ast.stmt], defined: dict[str, Function]) -> Iterator[Trace]:
        if not body:
            yield ()
            return
        head, *tail = body
        inner = {**defined, **_defined_by(head)}
        for one in self._statement(head, defined):
            for two in self._block(tail, inner):
                yield (*one, *two)

    def _statement(  # noqa: C901  # one case for each construct of the language
        self, node: ast.stmt, defined: dict[str, Function]
    ) -> Iterator[Trace]:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                for branch in (body, orelse):
                    for rest in self._block(branch, defined):
                        yield (*self._loads(test, defined), *rest)
            case ast.For(target=target, iter=iterable, body=body):
                turn = [(*self._stores([target], iterable), *rest) for rest in self._block(body, defined)]
                for count in range(3):
                    for turns in product(turn, repeat=count):
                        yield (*self._loads(iterable, defined), *(event for trace in turns for event in trace))
            case ast.Match(subject=subject, cases=cases):
                complete = isinstance(cases[-1].pattern, ast.MatchAs)
                for branch in [case.body for case in cases] + [[]] * (not complete):
                    for rest in self._block(branch, defined):
                        yield (*self._loads(subject, defined), *rest)
            case ast.Try(body=body, handlers=[handler]):
                yield from self._block(body, defined)
                for stop in range(len(body)):
                    for one in self._block(body[:stop], defined):
                        for failing in self._statement(body[stop], defined):
                            for two in self._block(handler.body, defined):
                                loads = tuple(event for event in failing if event.kind == "load")
                                yield (*one, *loads, *two)
            case _:
                yield tuple(self._simple(node, defined))

    def _simple(self, node: ast.stmt, defined: dict[str, Function]) -> Iterator[Event]:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                yield from self._loads(node.value, defined)
                for target, value in zip(targets, values, strict=True):
                    yield from self._stores([target], value)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda()):
                yield Event("store", (name,))
            case ast.Assign(targets=targets, value=value):
                yield from self._loads(value, defined)
                yield from (event for target in targets for event in _way_to(target))
                yield from self._stores(targets, value)
            case ast.AugAssign(target=target, value=value):
                yield from _load(target)
                yield from self._loads(value, defined)
            case ast.Expr(value=value) | ast.Return(value=value) if value is not None:
                yield from self._loads(value, defined)
            case ast.FunctionDef(name=name):
                yield Event("store", (name,))
            case ast.Delete(targets=[ast.Name(id=name)]):
                yield Event("delete", (name,))
            case _:
                pass

    def _stores(self, targets: list[ast.expr], value: ast.expr) -> Iterator[Event]:
        """The stores that do not depend on the old value of their target (Definition 6)."""
        loads = [event for event in self._loads(value, {}) if event.kind == "load"]
        for target in targets:
            name = _name_of(target)
            if name is None:
                continue
            if not any(_starts(load.name, name) or (load.whole and _starts(name, load.name)) for load in loads):
                yield Event("store", name)

    def _loads(self, node: ast.expr, defined: dict[str, Function]) -> Iterator[Event]:
        match node:
            case ast.Name() | ast.Attribute() | ast.Subscript():
                yield from _load(node)
            case ast.Call(func=ast.Attribute(value=receiver), args=arguments):
                yield from _load(receiver)
                for argument in arguments:
                    yield from self._loads(argument, defined)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                yield Event("load", (name,))
                for argument in arguments:
                    yield from self._loads(argument, defined)
                yield from self._callee(name, defined)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        yield from self._loads(child, defined)

    def _callee(self, name: str, defined: dict[str, Function]) -> Iterator[Event]:
        place = self.place((name,))
        memory = place.value if place is not None and isinstance(place.value, Function) else None
        callee = defined.get(name, memory)
        for statement in callee.body if callee is not None else ():
            for event in self._simple(statement, defined):
                if callee is not None and event.name[0] not in callee.parameters:
                    yield event


def _defined_by(node: ast.stmt) -> dict[str, Function]:
    match node:
        case ast.FunctionDef(name=name):
            return {name: Function(node)}
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as function):
            return {name: Function(function)}
    return {}


def _name_of(node: ast.expr) -> Name | None:
    match node:
        case ast.Name(id=name):
            return (name,)
        case ast.Attribute(value=container, attr=key) | ast.Subscript(value=container, slice=ast.Constant(value=key)):
            outer = _name_of(container)
            return None if outer is None else (*outer, key)
    return None


def _load(node: ast.expr) -> Iterator[Event]:
    name = _name_of(node)
    if name is not None:
        yield from (Event("load", name[:length], whole=False) for length in range(1, len(name)))
        yield Event("load", name)


def _way_to(target: ast.expr) -> Iterator[Event]:
    name = _name_of(target)
    if name is not None:
        yield from (Event("load", name[:length], whole=False) for length in range(1, len(name)))


def _starts(name: Name, prefix: Name | None) -> bool:
    return prefix is not None and name[: len(prefix)] == prefix


def _covered(name: Name, killed: set[Name]) -> bool:
    return any(name[:length] in killed for length in range(1, len(name) + 1))
