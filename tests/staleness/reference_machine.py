"""The reference's way to run a cell: an interpreter of the syntax tree that notes every load and every store."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

from tests.staleness.reference_memory import Function, Loads, Place, Thing

GONE = object()  # what a deleted variable holds


parse = lru_cache(maxsize=256)(ast.parse)  # nothing here changes a tree


class Failed(Exception):
    """The cell raised."""


class _Returned(Exception):
    def __init__(self, value: object, loads: Loads) -> None:
        self.value, self.loads = value, loads


class Machine:
    """Runs cells of the small language of the random notebooks."""

    def __init__(self) -> None:
        self.names: dict[str, Place] = {}
        self.time = 0
        self._call_loads: list[Loads] = []
        self._locals: list[dict[str, object]] = []

    def run(self, text: str) -> bool:
        """Run a cell; False if it failed half-way."""
        self.time += 1
        self._call_loads = []
        try:
            for node in parse(text).body:
                self.execute(node)
        except Failed:
            return False
        return True

    def places(self) -> list[Place]:
        """Every place that can be reached, directly or as a parent."""
        found: dict[Place, None] = {}
        pending = list(self.names.values())
        while pending:
            place = pending.pop()
            if place not in found:
                found[place] = None
                pending += place.parents
                if isinstance(place.value, Thing):
                    pending += [inner for _, inner in place.value.places()]
        return list(found)

    def execute(self, node: ast.stmt) -> None:  # noqa: C901  # one case for each construct of the language
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = [self.read(value) for value in values]
                for target, (value, loads) in zip(targets, pairs, strict=True):
                    self.store(target, value, loads)
            case ast.Assign(targets=[target], value=ast.List(elts=elements)):
                self._store_display(target, dict(enumerate(elements)))
            case ast.Assign(targets=[target], value=ast.Dict(keys=keys, values=elements)):
                self._store_display(target, dict(zip(map(_constant, keys), elements, strict=True)))
            case ast.Assign(targets=[target], value=ast.Lambda() as function):
                self.store(target, Function(function), {})
            case ast.Assign(targets=[target], value=value):
                self.store(target, *self.read(value))
            case ast.AugAssign(target=target, value=value):
                old, _ = self.read(target)
                new, loads = self.read(value)
                self.store(target, _add(old, new), loads, keeps=True)
            case ast.Expr(value=value):
                self._expression(value)
            case ast.If(test=test, body=body, orelse=orelse):
                self.block(body if self.read(test)[0] else orelse)
            case ast.For(target=target, iter=iterable, body=body):
                turns, loads = self.read(iterable)
                assert isinstance(turns, range)
                for turn in turns:
                    self.store(target, turn, loads)
                    self.block(body)
            case ast.Match(subject=subject, cases=cases):
                value, _ = self.read(subject)
                self.block(next((case.body for case in cases if _matches(case.pattern, value)), []))
            case ast.Try(body=body, handlers=[handler]):
                try:
                    self.block(body)
                except Failed:
                    self.block(handler.body)
            case ast.FunctionDef():
                self.store(ast.Name(node.name), Function(node), {})
            case ast.Return(value=value) if value is not None:
                raise _Returned(*self.read(value))
            case ast.Delete(targets=[ast.Name(id=name)]):
                if not self.exists(name):
                    raise Failed
                self.names[name].value = GONE
            case ast.Global() | ast.Pass():
                pass
            case _:
                raise AssertionError(ast.dump(node))

    def block(self, body: Iterable[ast.stmt]) -> None:
        for node in body:
            self.execute(node)

    def exists(self, name: str) -> bool:
        return name in self.names and self.names[name].value is not GONE

    def _store_display(self, target: ast.expr, elements: dict[object, ast.expr]) -> None:
        values = {key: self.read(element) for key, element in elements.items()}
        thing = Thing()
        for key, (value, loads) in values.items():
            thing.parts[key] = Place(value, self.time, dict(loads))
        self.store(target, thing, {})

    def store(self, target: ast.expr, value: object, loads: Loads, keeps: bool = False) -> None:
        loads = {**loads, **self._caller_loads()}
        place = self._target(target)
        old = place.parents if keeps or place in loads else {}
        if keeps and isinstance(value, Thing) and value is place.value:
            self.change(value, loads)
        place.parents = {parent: whole for parent, whole in {**old, **loads}.items() if parent is not place}
        place.value, place.time = value, self.time

    def _caller_loads(self) -> Loads:
        """A store made inside a call has what the call has used so far among its parents."""
        return {place: whole for loads in self._call_loads for place, whole in loads.items()}

    def _target(self, target: ast.expr) -> Place:
        match target:
            case ast.Name(id=name):
                return self.names.setdefault(name, Place(GONE))
            case ast.Attribute(value=container, attr=key):
                return self._thing(container).parts.setdefault(key, Place())
            case ast.Subscript(value=container, slice=ast.Constant(value=key)):
                thing = self._thing(container)
                if key not in thing.parts:
                    raise Failed
                return thing.parts[key]
        raise AssertionError(ast.dump(target))

    def _thing(self, node: ast.expr) -> Thing:
        value, _ = self.evaluate(node)
        assert isinstance(value, Thing)
        return value

    def change(self, thing: Thing, loads: Loads) -> None:
        thing.rest.time = self.time
        thing.rest.parents |= {place: whole for place, whole in loads.items() if place.value is not thing}

    def _expression(self, node: ast.expr) -> None:
        match node:
            case ast.Call(func=ast.Attribute(value=receiver, attr="append"), args=[argument]):
                thing, through = self.read(receiver)
                value, loads = self.read(argument)
                assert isinstance(thing, Thing)
                everything = {**through, **loads, **self._caller_loads()}
                others = {place: whole for place, whole in everything.items() if place.value is not thing}
                thing.parts[len(thing.parts)] = Place(value, self.time, others)
                self.change(thing, everything)
            case _:
                self.read(node)

    def evaluate(self, node: ast.expr) -> tuple[object, Loads]:  # noqa: C901  # likewise
        match node:
            case ast.Constant(value=value):
                return value, {}
            case ast.Name(id=name) if self._locals and name in self._locals[-1]:
                return self._locals[-1][name], {}
            case ast.Name(id=name):
                if not self.exists(name):
                    raise Failed
                return self.names[name].value, {self.names[name]: True}
            case ast.BinOp(left=left, op=ast.Div()):
                raise Failed
            case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
                one, loads = self.evaluate(left)
                two, more = self.evaluate(right)
                result = _add(one, two) if isinstance(node, ast.BinOp) else one > two  # type: ignore[operator]
                return result, _merge(loads, more)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                choice, loads = self.evaluate(test)
                chosen, more = self.evaluate(body if choice else orelse)
                return chosen, _merge(loads, more)
            case (
                ast.Subscript(value=container, slice=ast.Constant(value=key)) | ast.Attribute(value=container, attr=key)
            ):
                return self._part(container, key)
            case ast.Call(func=ast.Name(id="len" | "print" | "range" as name), args=arguments):
                return self._builtin(name, arguments)
            case ast.Call(func=ast.Name(id="Box")):
                return _box(), {self.names["Box"]: True}
            case ast.Call(func=function, args=arguments):
                return self._call(function, arguments)
        raise AssertionError(ast.dump(node))

    def _part(self, container: ast.expr, key: object) -> tuple[object, Loads]:
        thing, loads = self.evaluate(container)
        assert isinstance(thing, Thing)
        if key not in thing.parts:
            raise Failed
        holder = next(reversed(loads))
        shallow = {**loads, holder: False}
        return thing.parts[key].value, {**shallow, thing.parts[key]: True}

    def _builtin(self, name: str, arguments: list[ast.expr]) -> tuple[object, Loads]:
        values = [self.evaluate(argument) for argument in arguments]
        loads = _merge(*(loads for _, loads in values))
        match name, values[0][0]:
            case "len", Thing() as thing:
                return len(thing.parts), loads
            case "range", int() as count:
                return range(count), loads
            case _:
                return None, loads

    def _call(self, function: ast.expr, arguments: list[ast.expr]) -> tuple[object, Loads]:
        callee, loads = self.evaluate(function)
        assert isinstance(callee, Function)
        values = [self.evaluate(argument) for argument in arguments]
        self._call_loads.append(_merge(loads, *(more for _, more in values)))
        self._locals.append(dict(zip(callee.parameters, (value for value, _ in values), strict=True)))
        try:
            self.block(callee.body)
        except _Returned as returned:
            return returned.value, self._call_loads[-1]
        finally:
            self._call_loads.pop()
            self._locals.pop()
        raise AssertionError("every function of the language returns")

    def read(self, node: ast.expr) -> tuple[object, Loads]:
        """Evaluate, and credit the loads to the calls under way."""
        value, loads = self.evaluate(node)
        for frame in self._call_loads:
            frame.update(_merge(frame, loads))
        return value, loads


def _box() -> Thing:
    """An object with a chain of objects under `a`, each with a `v`; its parts are older than any cell."""
    inside = Thing({"v": Place(0)})
    for _ in range(3):
        inside = Thing({"v": Place(0), "a": Place(inside)})
    return Thing({"a": Place(inside)})


def _constant(node: ast.expr | None) -> object:
    assert isinstance(node, ast.Constant)
    return node.value


def _matches(pattern: ast.pattern, value: object) -> bool:
    return isinstance(pattern, ast.MatchAs) or (
        isinstance(pattern, ast.MatchValue) and _constant(pattern.value) == value
    )


def _merge(*parts: Loads) -> Loads:
    merged: Loads = {}
    for part in parts:
        for place, whole in part.items():
            merged[place] = merged.get(place, False) or whole
    return merged


def _add(one: object, two: object) -> object:
    assert isinstance(one, int)
    assert isinstance(two, int)
    return one + two
