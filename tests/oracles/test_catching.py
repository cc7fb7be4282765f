"""The oracles themselves: a right answer passes, and each kind of wrong answer is caught and made small."""

from dataclasses import replace
from random import Random

import pytest

from tests.oracles import asking, by_definition, checking
from tests.oracles.asking import Answer
from tests.oracles.by_definition import ByDefinition, Fault
from tests.oracles.cases import Profile, random_batch
from tests.oracles.checking import Bench, check_marks, lineage_failures, verify
from tests.oracles.queries import Aggregate, Query
from tests.oracles.random_queries import Queries

DOUBTFUL = Profile(rows=(2, 4), suspects=(1, 2))


@pytest.fixture
def ws(monkeypatch: pytest.MonkeyPatch) -> ByDefinition:
    stand_in = ByDefinition()
    monkeypatch.setattr(asking, "to_sql", stand_in.to_sql)
    monkeypatch.setattr(checking, "create_tables", stand_in.create_tables)
    return stand_in


def bench_over(ws: ByDefinition, rng: Random) -> Bench:
    return Bench(ws, random_batch(rng, DOUBTFUL, 6))  # type: ignore[arg-type]  # it has what the oracles ask for


def queries(rng: Random) -> list[Query]:
    made = [Queries(rng).query(2) for _ in range(12)]
    return [query for query in made if any(isinstance(step, Aggregate) for step in query.walk())]


def test_answers_by_definition_pass(ws: ByDefinition) -> None:
    rng = Random(1)
    bench = bench_over(ws, rng)
    for query in queries(rng):
        check = check_marks(bench, query, 100)
        assert lineage_failures(bench, query) == check.failures == check.over == []
        assert check.counts.worlds > 6


@pytest.mark.parametrize("fault", [by_definition.loses_a_source, by_definition.loses_a_row])
def test_wrong_lineage_is_caught_and_made_small(ws: ByDefinition, fault: Fault) -> None:
    rng = Random(2)
    bench = bench_over(ws, rng)
    ws.fault = fault
    with pytest.raises(pytest.fail.Exception, match=r"the smallest found:\nselect(.|\n)*(missing|not by definition)"):
        verify(bench, queries(rng), lineage_failures)


def test_a_cell_too_many_is_caught(ws: ByDefinition) -> None:
    rng = Random(5)
    bench, query = bench_over(ws, rng), queries(rng)[0]
    assert lineage_failures(bench, query) == []
    for cells in ws.made["out0"].lineage.cells:
        for refs in cells.values():
            refs.append(by_definition.CellRef("t", 0, "x"))
    answer = bench.ask(bench.shaped(query), marks=False)
    assert isinstance(answer, Answer)
    spoilt = replace(answer, dataset=ws.made["out0"])  # type: ignore[arg-type]  # the stand-in's
    assert checking._single_questions(bench, bench.shaped(query), spoilt) != []


@pytest.mark.parametrize("fault", [by_definition.loses_a_cell_mark, by_definition.loses_a_row_mark])
def test_a_lost_mark_is_caught(ws: ByDefinition, fault: Fault) -> None:
    rng = Random(3)
    bench = bench_over(ws, rng)
    ws.fault = fault
    with pytest.raises(pytest.fail.Exception, match=r"suspect: (.|\n)*not marked"):
        verify(bench, queries(rng), lambda one, query: check_marks(one, query, 100).failures)


def test_needless_marks_are_counted(ws: ByDefinition) -> None:
    rng = Random(4)
    bench = bench_over(ws, rng)
    ws.fault = by_definition.marks_everything
    check = check_marks(bench, Queries(rng).project(1), 100)
    assert check.failures == []
    assert check.counts.cells_over > 0
    assert check.over
