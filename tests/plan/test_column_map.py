"""Which columns an output reads and in which role, on small plans made by hand."""

from __future__ import annotations

from whence.model.cellref import Role
from whence.model.dataset import Doubt
from whence.model.ids import DatasetId
from whence.plan.columnmap import Use
from whence.plan.expr import Column, Expr, aggregate, alias, call, ref
from whence.plan.rewrite import column_map
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.filter import Filter
from whence.plan.steps.inner_join import InnerJoin
from whence.plan.steps.project import Project
from whence.plan.steps.scan import Scan
from whence.plan.steps.union_all import UnionAll

K, X, Y = Column(1, "k", "string"), Column(2, "x", "int"), Column(3, "y", "int")
OUT = Column(9, "out", "int")


def scan(source: int, *columns: Column) -> Scan:
    return Scan(source, DatasetId(f"t{source}"), columns, {c.name: n for n, c in enumerate(columns)}, Doubt(), 10)


def uses(*found: tuple[int, str, Role]) -> frozenset[Use]:
    return frozenset(Use(source, column, role) for source, column, role in found)


def test_a_plain_column_is_copied_and_an_expression_computed() -> None:
    found = column_map(Project(scan(0, K, X, Y), (ref(K), alias(call("+", ref(X), ref(Y)), OUT))))
    assert found.values == {K.id: uses((0, "k", "copied")), OUT.id: uses((0, "x", "computed"), (0, "y", "computed"))}


def test_a_filter_influences_the_row_but_not_the_values() -> None:
    found = column_map(Filter(scan(0, K, X), call(">", ref(X), ref(X))))
    assert found.values[K.id] == uses((0, "k", "copied"))
    assert found.row == uses((0, "x", "filtered"))


def test_an_aggregate_of_a_computed_value_is_aggregated() -> None:
    inner = Project(scan(0, K, X), (ref(K), alias(call("-", ref(X)), Y)))
    found = column_map(Aggregate(inner, (ref(K),), (ref(K), alias(aggregate("sum", ref(Y)), OUT))))
    assert found.values == {K.id: uses((0, "k", "grouped")), OUT.id: uses((0, "x", "aggregated"))}
    assert found.row == uses((0, "k", "grouped"))


def test_a_filter_clause_limits_what_its_cell_reads() -> None:
    clause = call(">", ref(Y), ref(Y))
    found = column_map(Aggregate(scan(0, X, Y), (), (alias(aggregate("sum", ref(X), only=clause), OUT),)))
    assert found.values[OUT.id] == {
        Use(0, "x", "aggregated", (clause,)),
        Use(0, "y", "filtered", (clause,), decides=True),
    }


def test_join_keys_of_both_sides_influence_the_row() -> None:
    left, right = scan(0, K, X), scan(1, Y)
    found = column_map(InnerJoin(left, right, call("=", ref(X), ref(Y))))
    assert found.row == uses((0, "x", "joined"), (1, "y", "joined"))


def test_a_union_reads_each_branch_by_position() -> None:
    found = column_map(UnionAll((scan(0, X), scan(1, Y))))
    assert found.values == {X.id: uses((0, "x", "copied"), (1, "y", "copied"))}


def test_what_is_computed_from_an_aggregate_stays_aggregated() -> None:
    total = Column(8, "total", "bigint")
    summed = Aggregate(scan(0, X), (), (alias(aggregate("sum", ref(X)), total),))
    found = column_map(Project(summed, (alias(Expr("not", (ref(total),)), OUT),)))
    assert found.values[OUT.id] == uses((0, "x", "aggregated"))
