"""Finds which symbols in memory a cell reads (live) or surely overwrites (dead), through the functions it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import FunctionType, MethodType

from whence.staleness.effects import Definition
from whence.staleness.flow import Flow, LiveCall, analyse, token_number
from whence.staleness.functions import FunctionInfo, class_member, info_of_definition, info_of_value
from whence.staleness.lineage import Lineage
from whence.staleness.objects import ABSENT, follow, is_a
from whence.staleness.paths import Path
from whence.staleness.symbols import Symbol

_CALLABLE = (FunctionType, MethodType, partial)


@dataclass(frozen=True, slots=True)
class Live:
    """A live read of a cell (Definition 5), with the symbol that it would find in memory now, if any."""

    path: Path
    symbol: Symbol | None
    whole: bool
    assigned: frozenset[Path]  # parts that the cell overwrites before the read
    certain: bool


@dataclass(frozen=True, slots=True)
class _Scope:
    """The flow of a cell or function, with what its callers have assigned and defined before the call."""

    flow: Flow
    assigned: frozenset[Path] = frozenset()
    definitions: Mapping[str, Definition] = field(default_factory=dict)  # made by the callers, not yet in memory
    owner: tuple[str, type] | None = None  # `self` and its class, inside a method
    certain: bool = True
    stack: tuple[FunctionInfo, ...] = ()


class Checker:
    """Analyses cells. It caches the flow of each text, but looks names up in memory each time."""

    def __init__(self, lineage: Lineage, values: Mapping[str, object]) -> None:
        self._lineage = lineage
        self._values = values
        self._flows: dict[str, Flow] = {}

    def flow(self, text: str) -> Flow:
        """Return the flow of a cell's text. A text with a syntax error reads and writes nothing."""
        found = self._flows.get(text)
        if found is None:
            found = self._flows[text] = _parse_flow(text)
        return found

    def keep(self, texts: set[str]) -> None:
        """Drop cached flows of texts that no cell has any more, once they are the majority."""
        if len(self._flows) > 2 * len(texts) + 16:
            self._flows = {text: flow for text, flow in self._flows.items() if text in texts}

    def live(self, text: str) -> list[Live]:
        """Return the live reads of a cell, including those of functions that it calls."""
        return list(dict.fromkeys(self._expand(_Scope(self.flow(text)))))

    def live_paths(self, text: str, definitions: Mapping[str, Definition]) -> Iterator[tuple[Path, bool]]:
        """Yield the live reads of a cell as paths. `definitions` are functions that are not in memory yet."""
        scope = _Scope(self.flow(text), definitions=definitions)
        return ((live.path, live.whole) for live in self._expand(scope))

    def sure_writes(self, text: str, definitions: Mapping[str, Definition]) -> frozenset[Path]:
        """Return the symbols that a cell overwrites on every path, also by calling functions in `definitions`."""
        scope = _Scope(self.flow(text), definitions=definitions)
        return self._settle(scope.flow.dead, scope)

    def reads(self, flow: Flow) -> set[tuple[Path, bool]]:
        """Return the live reads of a flow and of functions it calls, each with whether the whole object is read."""
        return {(live.path, live.whole) for live in self._expand(_Scope(flow))}

    def may_catch(self, flow: Flow) -> bool:
        """Return whether the flow calls, directly or not, a notebook function that may catch an exception."""
        return any(info.catches for info in self._callees(_Scope(flow)))

    def _callees(self, scope: _Scope) -> Iterator[FunctionInfo]:
        for call in scope.flow.calls:
            inside = self._enter_for_writes(call, scope)
            if inside is not None:
                yield inside.stack[-1]
                yield from self._callees(inside)

    def look_up_all(self, reads: frozenset[tuple[Path, bool]]) -> list[Live]:
        """Return the live reads for paths that were read at run time, with the symbols that they lead to now."""
        return [self._look_up(path, whole, frozenset(), certain=False) for path, whole in sorted(reads, key=str)]

    def calls_anew(self, text: str, since: int) -> bool:
        """Return whether a name that the cell calls was bound in run `since` or later, and may do other things now."""
        called = {self._lineage.names.get(call.call.path.name) for call in self.flow(text).calls}
        return any(symbol.bound >= since for symbol in called if symbol is not None)

    def dead(self, text: str) -> frozenset[Path]:
        """Return the symbols that a cell overwrites on every path (Definition 6), also by calling functions."""
        scope = _Scope(self.flow(text))
        return self._settle(scope.flow.dead, scope)

    def dead_parts(self, dead: frozenset[Path]) -> frozenset[Symbol]:
        """Return the symbols that dead attributes, items and columns have now."""
        found = [self._lineage.resolve(path, self._values) for path in dead if path.keys]
        return frozenset(item[0] for item in found if item is not None and not item[1])

    def _expand(self, scope: _Scope) -> Iterator[Live]:
        for use in scope.flow.uses:
            assigned = scope.assigned | self._settle(use.assigned, scope) if use.assigned else scope.assigned
            if not any(prefix in assigned for prefix in use.path.prefixes()):
                parts = assigned if use.whole else ()
                inner = frozenset(path for path in parts if use.path.covers(path))
                yield self._look_up(use.path, use.whole, inner, use.certain and scope.certain)
        for call in scope.flow.calls:
            inside = self._enter(call, scope)
            if inside is not None:
                yield from self._expand(inside)

    def _look_up(self, path: Path, whole: bool, assigned: frozenset[Path], certain: bool) -> Live:
        found = self._lineage.resolve(path, self._values)
        if found is None:
            return Live(path, None, whole, assigned, certain)
        symbol, only_container = found
        return Live(path, symbol, whole or only_container, assigned, certain)

    def _enter(self, call: LiveCall, scope: _Scope) -> _Scope | None:
        """Return the scope inside a callee; None if it is not a function of the notebook."""
        inside = self._enter_for_writes(call, scope)
        if inside is None:
            return None
        assigned = scope.assigned | self._settle(call.assigned, scope)
        return replace(inside, assigned=assigned, certain=call.certain and scope.certain)

    def _callee(self, live: LiveCall, scope: _Scope) -> tuple[FunctionInfo | None, type | None]:
        path = live.call.path
        definition = dict(live.definitions).get(path.name)
        if definition is None and path.name not in _local_names(scope):
            definition = scope.definitions.get(path.name)
        if definition is not None:
            return (None if path.keys else info_of_definition(definition)), None
        if Path(path.name) in live.assigned | scope.assigned:
            return None, None
        if scope.owner is not None and path.name == scope.owner[0]:
            member = class_member(scope.owner[1], str(path.keys[0].value)) if len(path.keys) == 1 else None
            return info_of_value(member), scope.owner[1]
        if path.name in _local_names(scope):
            return None, None
        value = follow(path, self._values)
        if value is ABSENT and path.keys:
            return self._method(path)
        if live.call.handed_over and not issubclass(type(value), _CALLABLE):
            return None, None
        return info_of_value(value), value if is_a(value, type) else None

    def _method(self, path: Path) -> tuple[FunctionInfo | None, type | None]:
        receiver = follow(Path(path.name, path.keys[:-1]), self._values)
        if receiver is ABSENT or path.keys[-1].kind != "attr":
            return None, None
        owner = type(receiver)
        return info_of_value(class_member(owner, str(path.keys[-1].value))), owner

    def _settle(self, assigned: frozenset[Path], scope: _Scope) -> frozenset[Path]:
        """Return the assigned paths with each call token replaced by what the callee assigns on every path."""
        numbers = [(path, token_number(path)) for path in assigned]
        plain = frozenset(path for path, number in numbers if number is None)
        for _, number in numbers:
            if number is not None:
                inside = self._enter_for_writes(scope.flow.calls[number], scope)
                plain |= self._settle(inside.flow.dead, inside) if inside is not None else frozenset()
        return plain

    def _enter_for_writes(self, call: LiveCall, scope: _Scope) -> _Scope | None:
        info, owner = self._callee(call, scope)
        if info is None or info in scope.stack:  # a recursive call adds nothing new
            return None
        receiver = (info.first_parameter, owner) if owner is not None and info.first_parameter else None
        definitions = {**scope.definitions, **dict(call.definitions)}
        return _Scope(
            flow=info.flow,
            assigned=frozenset(),
            definitions=definitions,
            owner=receiver,
            certain=True,
            stack=(*scope.stack, info),
        )


def _local_names(scope: _Scope) -> frozenset[str]:
    return scope.stack[-1].local if scope.stack else frozenset()


def _parse_flow(text: str) -> Flow:
    try:
        return analyse(ast.parse(text).body)
    except (SyntaxError, ValueError, RecursionError):
        return Flow()
