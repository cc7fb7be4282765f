"""Caveats that a step itself raises: which rows it raised them on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from whence.model.caveat import Caveat
from whence.model.schema import Schema
from whence.plan.expr import Column, Expr, alias, holds
from whence.plan.fresh import Fresh
from whence.plan.step import Traced
from whence.plan.steps.project import Project


@dataclass(frozen=True)
class Raised:
    """One caveat expression of the last projection: the column it doubts, and the flag that says on which rows."""

    position: int
    family: str
    message: str
    flag: Column


def noting_raised(traced: Traced, fresh: Fresh) -> tuple[Traced, tuple[Raised, ...]]:
    """The plan with one flag more for each caveat that its last projection raises."""
    if not isinstance(traced.step, Project):
        return traced, ()
    raised, flags = [], []
    for position, expr in enumerate(traced.step.exprs):
        for node in expr.walk():
            if node.kind == "caveat":
                flag = fresh.flag("raised")
                raised.append(Raised(position, node.name, str(node.value), flag))
                flags.append(alias(holds(_condition(node)), flag))
    step = replace(traced.step, exprs=(*traced.step.exprs, *flags))
    return replace(traced, step=step), tuple(raised)


def raised_caveats(raised: tuple[Raised, ...], ids: pa.Table, schema: Schema) -> Iterator[Caveat]:
    """The caveats, from the flags that stand in the last columns of what the run carried."""
    first = ids.num_columns - len(raised)
    for number, each in enumerate(raised):
        flags = ids.column(first + number).to_numpy(zero_copy_only=False).astype(bool)
        for row in np.flatnonzero(flags):
            yield Caveat(each.message, each.family, int(row), schema.names[each.position])


def _condition(caveat: Expr) -> Expr:
    return caveat.args[1]
