"""Tests an operator's declared lineage: changes input cells one by one and compares where the output changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whence.arrays.encodings import lookup_of
from whence.arrays.lookups import Edge, MappedLookup
from whence.arrays.operator import Operator, Representation
from whence.arrays.shapes import Ids
from whence.arrays.strategy import strategy
from whence.arrays.tracing import OperatorRun, pack, run_operator
from whence.lineage.lookup import Lookup
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")


@dataclass(frozen=True)
class Lie:
    """A false declaration, such as an output cell that changed with an input cell it is not said to depend on."""

    representation: str
    input: int
    cell: int
    missed: tuple[int, ...]
    """Output cells that changed with the input cell, and were not declared to depend on it."""
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def check(operator: Operator, *inputs: Any, cells: int = 50, seed: int = 0) -> list[Lie]:  # noqa: ANN401
    """Change `cells` cells of each input, and list what the operator failed to declare.

    Where lineage depends on values, a dependency may be declared before the change or after it. What is found is a lie;
    that nothing is found is no proof.

    >>> import numpy as np
    >>> class Smooth(whence.Operator):
    ...     radius = 1
    ...     def run(self, inputs, emit):
    ...         padded = np.pad(inputs[0], 2)
    ...         return sum(padded[k : k + len(inputs[0])] for k in range(5))
    >>> print(whence.check(Smooth(), np.arange(6.0), cells=1)[0])
    Smooth says in map_f that cell 3 of input 0 does not reach output cell 1, which changed with it.
    """
    given = [np.asarray(each) if not isinstance(each, pd.DataFrame) else each for each in inputs]
    first, again = run_operator(operator, given, ()), run_operator(operator, given, ())
    if operator.deterministic and len(changed(first.output, again.output)):
        text = f"{operator.name} says it is deterministic, and gave different outputs for the same input."
        return [Lie("deterministic", 0, 0, (), text)]
    # An output that changes by itself tells nothing about which input cell it depends on.
    if not operator.deterministic:
        return []
    return [
        lie
        for kind in sorted(operator.representations)
        for lie in _find_lies(operator, given, first, kind=kind, cells=cells, seed=seed)
    ]


def _find_lies(
    operator: Operator, given: Sequence[Any], first: OperatorRun, kind: Representation, cells: int, seed: int
) -> Iterator[Lie]:
    random = np.random.default_rng(seed)
    before = _edges(operator, given, kind)
    for number, each in enumerate(given):
        places = random.permutation(first.shapes.cells_of(number))[:cells]
        for cell in sorted(places.tolist()):
            for changed_input in _changes(each, cell, random):
                other = [*given[:number], changed_input, *given[number + 1 :]]
                lie = _missed(operator, other, first, kind=kind, number=number, cell=cell, before=before)
                if lie is not None:
                    yield lie
                    break


def _missed(
    operator: Operator,
    other: Sequence[Any],
    first: OperatorRun,
    kind: Representation,
    number: int,
    cell: int,
    before: Callable[[int, bool], Lookup],
) -> Lie | None:
    ran = run_operator(operator, other, ())
    if ran.shapes != first.shapes:
        return None  # which cell became which is not known
    moved = changed(first.output, ran.output)
    if not len(moved):
        return None
    key = np.array([cell], dtype=np.int64)
    is_declared = np.isin(moved, before(number, False).of(key)), _leads_back(before(number, True), moved, cell)
    # Recorded lineage may depend on values: a dependency that only the changed input shows is declared as well.
    if kind != "map" and not all(each.all() for each in is_declared):
        after = _edges(operator, other, kind)
        told = np.isin(moved, after(number, False).of(key)), _leads_back(after(number, True), moved, cell)
        is_declared = is_declared[0] | told[0], is_declared[1] | told[1]
    for direction, holds in zip(("forward", "backward"), is_declared, strict=True):
        if not holds.all():
            missed = moved[~holds]
            return Lie(
                kind,
                number,
                cell,
                tuple(missed.tolist()),
                _sentence(operator, kind, direction, number=number, cell=cell, missed=missed),
            )
    return None


def _sentence(operator: Operator, kind: str, direction: str, number: int, cell: int, missed: Ids) -> str:
    where = {"forward": "map_f", "backward": "map_b"}[direction] if kind == "map" else f"its {kind} lineage"
    return (
        f"{operator.name} says in {where} that cell {cell} of input {number} does not reach output cell {missed[0]}, "
        "which changed with it."
    )


def _leads_back(backward: Lookup, outs: Ids, cell: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    lengths, ids = backward.lengths(outs), backward.of(outs)
    owners = np.repeat(np.arange(len(outs)), lengths)
    found = np.zeros(len(outs), dtype=bool)
    found[owners[ids == cell]] = True
    return found


def _edges(operator: Operator, given: Sequence[Any], kind: Representation) -> Callable[[int, bool], Lookup]:
    mode = strategy("map" if kind == "map" else f"{kind} one")
    ran = run_operator(operator, given, mode.wants)
    arrays = pack(ran, mode) if mode.is_stored else {}

    def lookup(number: int, backward: bool) -> Lookup:
        edge = Edge(operator, ran.shapes, number)
        return MappedLookup(edge, backward) if kind == "map" else lookup_of(edge, kind, arrays, backward=backward)

    return lookup


def changed(before: Any, after: Any) -> Ids:  # noqa: ANN401
    """Return the numbers of the cells or rows that differ; NaN equals NaN."""
    if isinstance(before, pd.DataFrame):
        same = (before.reset_index(drop=True) == after.reset_index(drop=True)) | (before.isna() & after.isna())
        return np.flatnonzero(~same.all(axis=1).to_numpy())
    differs = np.asarray(before != after)
    if np.asarray(before).dtype.kind == "f":
        differs &= ~(np.isnan(before) & np.isnan(after))
    return np.flatnonzero(differs)


def _changes(given: Any, cell: int, random: np.random.Generator) -> Iterator[Any]:  # noqa: ANN401
    """Yield the input with one cell changed: by 1, by a random amount, and by 10,000; in a frame each column by 7."""
    if isinstance(given, pd.DataFrame):
        for name in given.columns:
            if given[name].dtype.kind in "biuf":
                frame = given.copy()
                values = given[name].to_numpy().copy()
                values[cell] = _other(values[cell], 7, values.dtype)
                frame[name] = values
                yield frame
        return
    for by in (1, float(random.normal(0, 10)), 1e4):
        array = given.copy()
        array.flat[cell] = _other(given.flat[cell], by, given.dtype)
        yield array


def _other(value: Any, by: float, kind: np.dtype[Any]) -> Any:  # noqa: ANN401
    if kind.kind == "b":
        return not value
    if kind.kind in "iu":
        bounds = np.iinfo(kind)
        moved = int(value) + (int(by) or 1)
        return moved if bounds.min <= moved <= bounds.max else int(value) - 1 if value else 1
    return value + by
