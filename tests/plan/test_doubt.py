"""The doubt of an expression against its definition: does its value change in some possible world?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plan.evaluate import Value, evaluate
from whence.plan.doubt import choice_doubt, doubt
from whence.plan.expr import FALSE, TRUE, Column, Expr, Kind, call, ref

COLUMNS = [Column(number, f"c{number}", "boolean") for number in range(4)]
MARKS = {column.id: ref(Column(100 + column.id, f"m{column.id}", "boolean")) for column in COLUMNS}
WORLD: list[Value] = [True, False, None]

leaves = st.sampled_from([*map(ref, COLUMNS), TRUE, FALSE])


def bigger(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    def make(kind: Kind, size: int) -> st.SearchStrategy[Expr]:
        return st.tuples(*[inner] * size).map(lambda args: Expr(kind, args, name=kind))

    comparison = st.tuples(inner, inner).map(lambda args: call("equalto", *args))
    null_test = inner.map(lambda arg: call("isnull", arg))
    return st.one_of(
        *(make(kind, 2) for kind in ("and", "or", "coalesce")), make("not", 1), make("if", 3), make("case", 5),
        make("case", 4), comparison, null_test,
    )  # fmt: skip


def once_each(expr: Expr) -> bool:
    """No column stands twice: rules look at one operand at a time and cannot know that x and not x hang together."""
    read = [node for node in expr.walk() if node.kind == "column"]
    return len(read) == len(set(read))


expressions = st.recursive(leaves, bigger, max_leaves=6)
rows = st.tuples(*[st.sampled_from(WORLD)] * len(COLUMNS))
suspects = st.tuples(*[st.booleans()] * len(COLUMNS))


def worlds(row: tuple[Value, ...], suspect: tuple[bool, ...]) -> Iterator[Mapping[int, Value]]:
    choices = [WORLD if is_suspect else [value] for value, is_suspect in zip(row, suspect, strict=True)]
    for values in product(*choices):
        yield {column.id: value for column, value in zip(COLUMNS, values, strict=True)}


def is_marked(expr: Expr, row: tuple[Value, ...], suspect: tuple[bool, ...]) -> Value:
    here = {column.id: value for column, value in zip(COLUMNS, row, strict=True)}
    flags = {100 + column.id: flag for column, flag in zip(COLUMNS, suspect, strict=True)}
    return evaluate(doubt(expr, MARKS), here | flags)


def changes(expr: Expr, row: tuple[Value, ...], suspect: tuple[bool, ...]) -> bool:
    return len({evaluate(expr, world) for world in worlds(row, suspect)}) > 1


@settings(derandomize=True, max_examples=1500, deadline=None)
@given(expressions, rows, suspects)
def test_whatever_changes_in_some_world_is_marked(
    expr: Expr, row: tuple[Value, ...], suspect: tuple[bool, ...]
) -> None:
    marked = is_marked(expr, row, suspect)
    assert marked is not None
    assert marked or not changes(expr, row, suspect)


def connected(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(lambda args: Expr("and", args, name="and")),
        pairs.map(lambda args: Expr("or", args, name="or")),
        inner.map(lambda arg: Expr("not", (arg,), name="not")),
    )


connectives = st.recursive(leaves, connected, max_leaves=4).filter(once_each)


@settings(derandomize=True, max_examples=1500, deadline=None)
@given(connectives, rows, suspects)
def test_and_or_not_mark_nothing_that_is_settled(expr: Expr, row: tuple[Value, ...], suspect: tuple[bool, ...]) -> None:
    assert is_marked(expr, row, suspect) == changes(expr, row, suspect)


@settings(derandomize=True, max_examples=1500, deadline=None)
@given(connectives, rows, suspects)
def test_a_condition_is_marked_just_where_its_choice_could_change(
    expr: Expr, row: tuple[Value, ...], suspect: tuple[bool, ...]
) -> None:
    here = {column.id: value for column, value in zip(COLUMNS, row, strict=True)}
    flags = {100 + column.id: flag for column, flag in zip(COLUMNS, suspect, strict=True)}
    choices = {evaluate(expr, world) is True for world in worlds(row, suspect)}
    assert evaluate(choice_doubt(expr, MARKS), here | flags) == (len(choices) > 1)


def test_a_certain_false_settles_and_but_a_certain_null_settles_nothing() -> None:
    both = Expr("and", (ref(COLUMNS[0]), ref(COLUMNS[1])), name="and")
    suspect = (True, False, False, False)
    assert is_marked(both, (True, False, None, None), suspect) is False
    assert is_marked(both, (True, None, None, None), suspect) is True


def test_a_comparison_with_a_certain_null_is_settled() -> None:
    equal = call("equalto", ref(COLUMNS[0]), ref(COLUMNS[1]))
    suspect = (True, False, False, False)
    assert is_marked(equal, (True, None, None, None), suspect) is False
    assert is_marked(equal, (True, False, None, None), suspect) is True


def test_columns_that_are_never_suspect_cost_nothing() -> None:
    assert doubt(Expr("and", (ref(COLUMNS[0]), ref(COLUMNS[1])), name="and"), {}) == FALSE


def test_the_doubt_of_a_long_chain_grows_with_its_length_only() -> None:
    """One step after the other, each would hold the doubt of all before it twice: 2^60 parts."""
    columns = [Column(number, f"c{number}", "double") for number in range(60)]
    marks = {column.id: ref(Column(100 + column.id, f"m{column.id}", "boolean")) for column in columns}
    makers: list[Callable[[Expr, Expr], Expr]] = [
        lambda left, right: Expr("and", (left, right), name="and"),
        lambda left, right: Expr("or", (left, right), name="or"),
        lambda left, right: call("add", left, right),
    ]
    for make in makers:
        chain = ref(columns[0])
        for column in columns[1:]:
            chain = make(chain, ref(column))
        for found in (doubt(chain, marks), choice_doubt(chain, marks)):
            assert sum(1 for _ in found.walk()) < 12 * len(columns)
