"""The figures and the examples in the text of the NBSafety paper."""

from __future__ import annotations

import ast

from tests.staleness.notebook_steps import marks, parents, run_cells
from whence.safety import Session
from whence.staleness.flow import analyse


def test_figure_1_the_rerun_of_cell_3_would_use_a_stale_dictionary() -> None:
    session = Session()
    run_cells(
        session,
        c0="import pandas as pd\ndf_x = pd.DataFrame({'A': [1, 2], 'B': [3, 4]})\ndf_y = df_x * 2",
        c1="def custom_agg(series):\n    return series.sum() - 1",
        c2="agg_by_col = {'A': 'min', 'B': custom_agg}",
        c3="df_x_agg = df_x.agg(agg_by_col)\ndf_y_agg = df_y.agg(agg_by_col)",
    )
    run_cells(session, c1="def custom_agg(series):\n    return series.sum()")
    found = session.highlights()
    assert found.stale == {"c3"}
    assert found.refresher == {"c2"}
    assert found.reasons["c3"] == (
        "uses `agg_by_col['B']` from cell c2, which was built with the old `custom_agg`; run cell c2 first"
    )
    session.run("c2")
    assert marks(session) == (set(), {"c3"}, set())


def test_figure_4_liveness_and_definite_assignment() -> None:
    cell = "\n".join(
        [
            "foo = 0",
            "if num % 15 == 0:",
            "    s = fiz + buz",
            "elif num % 5 == 0:",
            "    s = buz",
            "    foobar = 1",
            "else:",
            "    s = str(num)",
            "print(s, foobar)",
        ]
    )
    flow = analyse(ast.parse(cell).body)
    live = {str(use.path) for use in flow.uses} - {"str", "print"}
    dead = {str(path) for path in flow.dead if path.name != "()"}
    assert live == {"num", "fiz", "buz", "foobar"}
    assert dead == {"foo", "s"}


def test_section_3_2_a_lambda_in_a_call_contributes_its_free_variables() -> None:
    session = Session()
    run_cells(session, c1="f = str\nfoo = [1]\nbar = 2", c2="gen = map(lambda x: f(x), foo + [bar])")
    parents = {str(parent.path) for parent in session.lineage.names["gen"].parents}
    assert parents == {"f", "foo", "bar"}


def test_section_3_2_a_loop_over_many_items_adds_few_edges() -> None:
    session = Session()
    run_cells(
        session,
        c1="import random\nlst = list(range(1000))",
        c2="x = 0\nfor i in random.sample(range(1000), 500):\n    x += lst[i]",
    )
    assert parents(session, "x") == {"i", "lst"}
    session.run("c3", "lst = [0] * 1000")
    session.edit("c4", "print(x)")
    assert session.highlights().stale == {"c4"}


def test_section_4_2_the_second_cell_is_fresh_and_the_third_is_stale() -> None:
    session = Session()
    run_cells(session, c1="a = 4", c2="b = a", c3="c = a + b")
    session.run("c1", "a = 5")
    assert marks(session) == ({"c3"}, {"c2"}, {"c2"})


def test_section_4_2_any_cell_that_assigns_the_stale_symbol_is_a_refresher() -> None:
    session = Session()
    run_cells(session, c1="a = 4", c2="b = a", c3="c = a + b", c4="b = 7", c2_again="b = a")
    session.run("c1", "a = 5")
    assert {"c2", "c4"} <= session.highlights().refresher


def test_section_4_3_what_a_list_element_is_decides_what_its_call_reads() -> None:
    session = Session()
    run_cells(
        session,
        c1="x = 0",
        c2="def f(y):\n    return x + y\nlst = [f, lambda t: t + 1]",
        c3="print(lst[1](2))",
        c4="print(lst[0](2))",
    )
    session.run("c1", "x = 1")
    assert session.highlights().fresh == {"c4"}
