"""Every operator that has rules: one line each. The reader, the docs and the coverage test go through this table."""

from __future__ import annotations

from whence.plan.step import Operator
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.anti_join import AntiJoin
from whence.plan.steps.batch_map import BatchMap, BatchMapInArrow
from whence.plan.steps.cogrouped_map import CogroupedMap, CogroupedMapInArrow
from whence.plan.steps.deduplicate import Deduplicate
from whence.plan.steps.distinct import Distinct
from whence.plan.steps.except_ import Except
from whence.plan.steps.existence_join import ExistenceJoin
from whence.plan.steps.expand import Expand
from whence.plan.steps.filter import Filter
from whence.plan.steps.generate import Generate
from whence.plan.steps.grouped_map import GroupedMap, GroupedMapInArrow
from whence.plan.steps.inner_join import InnerJoin
from whence.plan.steps.intersect import Intersect
from whence.plan.steps.limit import Limit
from whence.plan.steps.literal_rows import LiteralRows, NumberRange
from whence.plan.steps.numbered_rows import NumberedRows
from whence.plan.steps.offset import Offset
from whence.plan.steps.one_row import OneRow
from whence.plan.steps.outer_join import OuterJoin
from whence.plan.steps.project import Project
from whence.plan.steps.python_aggregate import PythonAggregate
from whence.plan.steps.recursion import Recursion
from whence.plan.steps.recursion_input import RecursionInput
from whence.plan.steps.redistribute import Observe, Rebalance, Redistribute
from whence.plan.steps.repartition import Repartition
from whence.plan.steps.sample import Sample
from whence.plan.steps.semi_join import SemiJoin
from whence.plan.steps.session_aggregate import SessionAggregate
from whence.plan.steps.sort import Sort
from whence.plan.steps.table_function import TableFunction
from whence.plan.steps.union_all import UnionAll
from whence.plan.steps.window import Window

OPERATORS: tuple[type[Operator], ...] = (
    Project,
    Filter,
    InnerJoin,
    OuterJoin,
    SemiJoin,
    AntiJoin,
    ExistenceJoin,
    PythonAggregate,
    SessionAggregate,
    Aggregate,
    GroupedMap,
    GroupedMapInArrow,
    CogroupedMap,
    CogroupedMapInArrow,
    BatchMap,
    BatchMapInArrow,
    Expand,
    UnionAll,
    Recursion,
    RecursionInput,
    Distinct,
    Deduplicate,
    Intersect,
    Except,
    Sort,
    Limit,
    Offset,
    Window,
    Sample,
    TableFunction,
    Generate,
    Repartition,
    Redistribute,
    Rebalance,
    Observe,
    NumberedRows,
    OneRow,
    LiteralRows,
    NumberRange,
)
