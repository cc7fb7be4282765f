"""Groups equal rows of two inputs and keeps groups by which of the inputs they have rows of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from whence.plan.expr import FALSE, TRUE, Column, Expr, alias, exists, ref
from whence.plan.fresh import Fresh
from whence.plan.step import Step
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project
from whence.plan.steps.union_all import UnionAll


@dataclass(frozen=True)
class KeptGroups(Filter):
    """The sets of equal rows that the operation keeps."""

    drops = "the set operation keeps no row equal to it"


def equal_rows(left: Step, right: Step, fresh: Fresh, keeps: Callable[[Expr, Expr], Expr]) -> Project:
    """One row for each distinct row of either side for which `keeps(is in left, is in right)` holds."""
    columns = tuple(map(ref, left.columns))
    of_left, of_right = fresh.renamed("of left", "boolean"), fresh.renamed("of right", "boolean")
    both = UnionAll(
        (
            _told_apart(left, alias(TRUE, of_left), alias(FALSE, of_right)),
            _told_apart(right, alias(FALSE, _another(fresh)), alias(TRUE, _another(fresh))),
        )
    )
    in_left, in_right = fresh.renamed("in left", "boolean"), fresh.renamed("in right", "boolean")
    outputs = (*columns, alias(exists(ref(of_left)), in_left), alias(exists(ref(of_right)), in_right))
    grouped = Aggregate(both, columns, outputs)
    return Project(KeptGroups(grouped, keeps(ref(in_left), ref(in_right))), columns)


def _told_apart(side: Step, *labels: Expr) -> Step:
    return Project(side, (*map(ref, side.columns), *labels))


def _another(fresh: Fresh) -> Column:
    return fresh.renamed("of side", "boolean")
