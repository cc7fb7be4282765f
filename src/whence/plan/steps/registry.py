"""Every operator that has rules: one line each. The reader, the docs and the coverage test go through this table."""

from __future__ import annotations

from whence.plan.step import Step
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.distinct import Distinct
from whence.plan.steps.filter import Filter
from whence.plan.steps.inner_join import InnerJoin
from whence.plan.steps.left_join import LeftJoin
from whence.plan.steps.limit import Limit
from whence.plan.steps.one_row import OneRow
from whence.plan.steps.project import Project
from whence.plan.steps.repartition import Repartition
from whence.plan.steps.sort import Sort
from whence.plan.steps.union_all import UnionAll

OPERATORS: tuple[type[Step], ...] = (
    Project,
    Filter,
    InnerJoin,
    LeftJoin,
    Aggregate,
    UnionAll,
    Distinct,
    Sort,
    Limit,
    Repartition,
    OneRow,
)
