"""The names that a SQL text may mean, and texts whose names only Spark knows."""

from __future__ import annotations

import pytest

from whence.notebook.run_cell import find_kind
from whence.plan.sql_tokens import computes_names


@pytest.mark.parametrize(
    "text",
    [
        "select * from identifier('my_' || 'parts')",
        "select * from Identifier (:p)",
        "select * from IDENTIFIER /* a name */ -- here\n ('my_' 'parts')",
        "select * from identifier('a'), identifier(lower('B'))",
        r"select * from identifier('\u0070arts')",
        "select * from identifier('`my parts`')",
        "select * from identifier('')",
        "select * from identifier('parts'",
    ],
)
def test_a_query_that_computes_a_name_may_read_any(text: str) -> None:
    assert computes_names(text)
    assert find_kind("sql").footprint({"source": text, "name": "x"}).reads is None


@pytest.mark.parametrize(
    "text",
    [
        "select * from identifier('parts')",
        "select identifier ( 't.k' ) from identifier(/* one */ \"t\")",
        "select 'identifier(:p)' from t -- identifier(:p)",
        "select `identifier`(:p), identifier from t",
        "select my_identifier(:p) from t",
    ],
)
def test_a_query_that_spells_its_names_reads_those(text: str) -> None:
    assert not computes_names(text)
    reads = find_kind("sql").footprint({"source": text, "name": "x"}).reads
    assert reads is not None
    assert reads & {"parts", "t"}
