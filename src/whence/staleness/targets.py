"""Reads which symbols an assignment target binds, and which part of the right side each gets."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from whence.staleness.paths import Key, Path, key_of, read_chain
from whence.staleness.references import ReferenceReader, References
from whence.staleness.values import Value

_INDEXERS = {"loc", "at"}
_POSITIONAL = {"iloc", "iat"}


@dataclass(frozen=True, slots=True)
class Target:
    """One place that receives a value."""

    path: Path | None  # None: it belongs to no symbol, as in `f().a = 1`
    value: Value
    computed: bool = False  # the key is known only at run time: the whole container at `path` changes
    partial: bool = False  # only some of the old value is replaced


def read_targets(target: ast.expr, local: frozenset[str], into: References, value: Value | None = None) -> list[Target]:
    """Return the places that a target names. Record the objects on the way to them as read."""
    value = value or Value([])
    match target:
        case ast.Name():
            return [Target(Path(target.id), value)]
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return _unpack(elements, local, into, value)
        case ast.Starred():
            return read_targets(target.value, local, into, Value(value.flat()))
        case ast.Attribute() | ast.Subscript():
            return [_read_part(target, local, into, value)]
        case _:
            return []


def _unpack(elements: list[ast.expr], local: frozenset[str], into: References, value: Value) -> list[Target]:
    """Return the targets of an unpacking: `a, b = c, d` goes pair by pair, else each gets the whole right side."""
    pairs = len(value.parts) == len(elements) and not any(isinstance(element, ast.Starred) for element in elements)
    values = [part for _, part in value.parts] if pairs else [Value(value.flat()) for _ in elements]
    return [
        found
        for element, part in zip(elements, values, strict=True)
        for found in read_targets(element, local, into, part)
    ]


def _read_part(target: ast.Attribute | ast.Subscript, local: frozenset[str], into: References, value: Value) -> Target:
    reader = ReferenceReader(local, into)
    chain = read_chain(target.value)
    if chain is None:
        reader.visit(target.value)
        return Target(None, value)
    container, computed, complete = chain
    for subscript in computed:
        reader.visit(subscript)
    reader.use(container, whole=False)
    if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Constant):
        reader.visit(target.slice)
    indexer = container.keys[-1].value if container.keys else None
    if isinstance(target, ast.Subscript) and indexer in _INDEXERS | _POSITIONAL:
        return _read_indexer(target, container, value)
    key = key_of(target)
    if key is None or not complete:
        return Target(container, value, computed=True)
    return Target(container.then(key), value)


def _read_indexer(target: ast.Subscript, indexer: Path, value: Value) -> Target:
    """Return the target of an indexer: `df.loc[rows, "c"] = e` changes part of one column, others the frame."""
    frame = Path(indexer.name, indexer.keys[:-1])
    match target.slice:
        case ast.Tuple(elts=[_, ast.Constant(value=str(column))]) if indexer.keys[-1].value in _INDEXERS:
            return Target(frame.then(Key("item", column)), value, partial=True)
        case _:
            return Target(frame, value, computed=True)
