"""Predicts from a cell's text what it will read and write: variables of the notebook, and datasets of `ws`."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from whence.staleness.checker import Checker
from whence.staleness.effects import Definition, Effects, read_effects
from whence.staleness.flow import Flow
from whence.staleness.functions import FunctionInfo, info_of_definition
from whence.staleness.instrument import instrument
from whence.staleness.lineage import Lineage
from whence.staleness.workspace import BLIND, WORKSPACE, workspace_uses

_BUILTINS = frozenset(dir(builtins))
_BLIND = BLIND | {"get_ipython"}


@dataclass(frozen=True, slots=True)
class CellFootprint:
    """The variables and datasets that a cell may read and write; rather too many names than too few.

    It misses two things: names in code that runs from a string (`is_open` says so), and objects that library code
    changes in place by a method that `mutators.py` does not list.
    """

    reads: frozenset[str] = frozenset()  # variables whose value before the cell may be used
    writes: frozenset[str] = frozenset()  # variables that may be bound, deleted or changed in place
    sure_writes: frozenset[str] = frozenset()  # variables that are bound whichever way the cell takes
    datasets_read: frozenset[str] | None = frozenset()  # `ws["name"]` and parameters; None where it may be any
    datasets_written: frozenset[str] | None = frozenset()
    is_open: bool = False  # a name that does not stand in the text may be read or written


def read_footprint(text: str, definitions: Mapping[str, Definition] | None = None) -> CellFootprint:
    """Return the footprint of a cell's text. `definitions` are functions and classes of other cells.

    >>> found = read_footprint("rate = 2\\nif ready:\\n    net = gross * rate")
    >>> sorted(found.reads), sorted(found.writes), sorted(found.sure_writes)
    (['gross', 'ready'], ['net', 'rate'], ['rate'])
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return CellFootprint()  # it fails before it reads anything
    checker = Checker(Lineage(), {})
    flow = checker.flow(text)
    known = dict(definitions or {})
    live = list(checker.live_paths(text, known))
    own = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    everything = list(_effects(tree, flow, {**known, **own}))
    deleted = {path.name for found in everything for path in found.deletes}  # which must be there
    bound = {store.path.name for found in everything for store in found.stores}
    reads = {path.name for path, _ in live} | (deleted - bound)
    datasets = workspace_uses(_reached(tree, known))
    return CellFootprint(
        reads=frozenset(reads - _BUILTINS - {WORKSPACE}),
        writes=frozenset(_written_names(everything)) - {WORKSPACE},
        sure_writes=frozenset(path.name for path in checker.sure_writes(text, known) if not path.keys),
        datasets_read=datasets.reads,
        datasets_written=datasets.writes,
        is_open=_is_open(tree, everything),
    )


def definitions_after(text: str, before: Mapping[str, Definition]) -> dict[str, Definition]:
    """Return the functions and classes that are known by name after a cell has run."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return dict(before)
    stored = read_footprint(text, before).writes
    known = {name: node for name, node in before.items() if name not in stored}
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                known[node.name] = node
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as function):
                known[name] = function
    return known


def _effects(tree: ast.Module, flow: Flow, definitions: Mapping[str, Definition]) -> Iterator[Effects]:
    """Yield the effects of all statements of a cell, and of the functions that it may call."""
    # Two copies, as `instrument` changes its first argument and the caller still needs the tree.
    pristine = ast.parse(ast.unparse(tree))
    for step in instrument(ast.parse(ast.unparse(tree)), pristine, frozenset()).steps:
        yield from (statement.effects for statement in step.inner)
    names = [call.call.path.name for call in flow.calls] + [use.path.name for use in flow.uses]
    pending = [definitions[name] for name in names if name in definitions]
    pending += [node for known in flow.calls for _, node in known.definitions]
    done: set[Definition] = set()
    while pending:
        definition = pending.pop()
        info = info_of_definition(definition)
        if definition in done or info is None:
            continue
        done.add(definition)
        for effects in _in_function(info):
            yield effects
            pending += [definitions[use.path.name] for use in effects.uses if use.path.name in definitions]


def _in_function(info: FunctionInfo) -> Iterator[Effects]:
    for statement in info.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.stmt):
                effects = read_effects(node, info.local)
                effects.stores = [store for store in effects.stores if store.path.name not in info.local]
                effects.mutations = [change for change in effects.mutations if change.path.name not in info.local]
                effects.deletes = [path for path in effects.deletes if path.name not in info.local]
                yield effects


def _written_names(effects: Iterable[Effects]) -> Iterator[str]:
    for found in effects:
        yield from (store.path.name for store in found.stores)
        yield from (change.path.name for change in found.mutations)
        yield from (path.name for path in found.deletes)


def _reached(tree: ast.Module, definitions: Mapping[str, Definition]) -> list[ast.AST]:
    """Return the cell, and every function or class of other cells that it names, directly or through another."""
    found: dict[str, ast.AST] = {}
    pending: list[ast.AST] = [tree]
    while pending:
        names = {node.id for node in ast.walk(pending.pop()) if isinstance(node, ast.Name)}
        for name in (names & definitions.keys()) - found.keys():
            found[name] = definitions[name]
            pending.append(definitions[name])
    return [tree, *found.values()]


def _is_open(tree: ast.Module, effects: list[Effects]) -> bool:
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    called = {use.path.name for found in effects for use in found.uses}
    return bool((names | called) & _BLIND) or any(found.imports_star for found in effects)
