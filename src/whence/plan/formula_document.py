"""The formulas of a dataset as a document: a node that several nodes read is written once, and named by its number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

from whence.model.schema import INTERNAL_PREFIX
from whence.plan.formula import Formula

_SHARED = f"{INTERNAL_PREFIX}shared"
"""Where the document keeps nodes that are read several times; no column of a user has this name."""

_REFERENCE = "shared"
"""The kind of a node that stands for one of them."""


def write_formulas(formulas: Mapping[str, Formula]) -> dict[str, object]:
    """The document of these formulas, by the names of their columns."""
    nodes = list(_walk_all(formulas.values()))
    readers: dict[int, int] = {}
    for child in [*formulas.values(), *(child for node in nodes for child in arguments(node))]:
        readers[id(child)] = readers.get(id(child), 0) + 1
    shared = [node for node in nodes if readers[id(node)] > 1 and arguments(node)]
    numbers = {id(node): number for number, node in enumerate(shared)}
    columns: dict[str, object] = {name: _write(each, numbers) for name, each in formulas.items()}
    return {**columns, _SHARED: [_write_arguments(node, numbers) for node in shared]} if shared else columns


def read_formula_of(document: Mapping[str, object], column: str) -> Formula:
    """The formula of one column, with the nodes that several nodes read as one object each."""
    shared: list[Formula] = []
    for node in cast("list[Formula]", document.get(_SHARED, [])):  # each reads only those before it
        shared.append(_read(node, shared))
    return _read(cast(Formula, document[column]), shared)


def arguments(node: Formula) -> list[Formula]:
    """The nodes that a node reads: its arguments, and the FILTER condition of an aggregate."""
    condition = node.get("filter")
    args = cast("list[Formula]", node.get("args", []))
    return [*args, condition] if isinstance(condition, dict) else args


def walk(formula: Formula, below: Callable[[Formula], list[Formula]] = arguments) -> Iterator[Formula]:
    """Yield the nodes of a formula, each once, those that `below` gives for a node before the node."""
    return _walk_all([formula], below)


def _write(node: Formula, numbers: Mapping[int, int]) -> Formula:
    number = numbers.get(id(node))
    return _write_arguments(node, numbers) if number is None else {"kind": _REFERENCE, "number": number}


def _write_arguments(node: Formula, numbers: Mapping[int, int]) -> Formula:
    return _with_arguments(node, [_write(each, numbers) for each in arguments(node)])


def _read(node: Formula, shared: list[Formula]) -> Formula:
    if node["kind"] == _REFERENCE:
        return shared[cast(int, node["number"])]
    return _with_arguments(node, [_read(each, shared) for each in arguments(node)])


def _with_arguments(node: Formula, read: list[Formula]) -> Formula:
    """The node over other nodes, which stand in the order of `arguments`."""
    if not read:
        return node
    count = len(cast("list[Formula]", node["args"]))
    condition = {"filter": read[count]} if len(read) > count else {}
    return {**node, "args": read[:count], **condition}


def _walk_all(formulas: Iterable[Formula], below: Callable[[Formula], list[Formula]] = arguments) -> Iterator[Formula]:
    # Without recursion: a chain of some hundred queries is deeper than Python's stack.
    waiting, seen = [(each, False) for each in reversed(list(formulas))], set[int]()
    while waiting:
        node, is_after_arguments = waiting.pop()
        if is_after_arguments:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            waiting.append((node, True))
            waiting += [(each, False) for each in reversed(below(node))]
