"""Knows which tests start Spark, what the slow files cost, and in which order files run side by side.

Quick files come first, so that a broken change fails early. The others follow, the longest first, because a long file
that begins last leaves the other processes without work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

SPARK_FIXTURES = frozenset({"ws", "spark_home", "served", "empty_served", "tour_served", "tour", "browser"})
"""Fixtures that start Spark in this process, or a server, which starts it in its own."""

SECONDS = {
    "tests/docs/test_examples.py": 190,
    "tests/web/test_notebook.py": 120,
    "tests/engine/test_cluster.py": 125,
    "tests/derive/test_policy.py": 110,
    "tests/notebook/python/test_connect.py": 105,
    "tests/web/test_sheet.py": 105,
    "tests/web/test_charts.py": 100,
    "tests/server/test_fuzz.py": 100,
    "tests/derive/test_rule_failure.py": 95,
    "tests/notebook/test_stop.py": 90,
    "tests/oracles/test_caveat_oracle.py": 90,
    "tests/web/test_monkey.py": 85,
    "tests/web/test_new_cells.py": 85,
    "tests/transformations/test_golden.py": 80,
    "tests/oracles/test_which_caveats.py": 70,
    "tests/recipes/test_recipes_in_spark.py": 70,
    "tests/lineage/test_deferred_lineage.py": 70,
    "tests/oracles/test_lineage_oracle.py": 70,
    "tests/web/test_views.py": 70,
    "tests/transformations/test_one_thing.py": 60,
    "tests/web/test_first_page.py": 60,
    "tests/lineage/test_questions.py": 50,
    "tests/workspace/test_explain.py": 50,
    "tests/mcp/test_command.py": 50,
    "tests/plan/steps/test_operators.py": 50,
    "tests/notebook/python/test_isolation.py": 45,
    "tests/explain/test_find.py": 45,
    "tests/smoke/test_bare_machine.py": 45,
    "tests/derive/test_golden.py": 40,
    "tests/notebook/test_kills.py": 40,
    "tests/loading/test_split.py": 40,
    "tests/cli/test_start_and_stop.py": 40,
    "tests/workspace/test_notebook.py": 40,
    "tests/caveats/test_sql_functions.py": 40,
    "tests/charts/test_gallery.py": 40,
    "tests/caveats/test_recomputed_flags.py": 40,
    "tests/server/test_notebooks.py": 40,
    "tests/pipeline/test_operators.py": 40,
    "tests/pipeline/test_later_session.py": 35,
    "tests/derive/test_reuse.py": 35,
    "tests/oracles/test_analyst_oracle.py": 35,
    "tests/workspace/test_adopt.py": 30,
    "tests/workspace/test_written_tables.py": 35,
    "tests/workspace/test_cached_frames.py": 15,
    "tests/programs/test_programs.py": 25,
    "tests/cli/test_programs.py": 20,
    "tests/loading/test_torture.py": 35,
    "tests/explain/distributed/test_spark_problem.py": 35,
    "tests/charts/test_link.py": 30,
    "tests/oracles/test_fine_print_lineage.py": 30,
    "tests/workspace/test_exchange.py": 30,
    "tests/lineage/test_by_keys.py": 30,
    "tests/charts/test_golden.py": 30,
    "tests/transformations/test_every_lens.py": 30,
    "tests/web/test_sheet_editing.py": 30,
    "tests/transformations/test_row_lenses.py": 30,
    "tests/lineage/test_tpch.py": 30,
    "tests/notebook/session/test_session.py": 30,
    "tests/store/test_kills.py": 30,
    "tests/oracles/test_fine_print_groups.py": 30,
    "tests/web/test_dataset_page.py": 30,
    "tests/web/test_stop_query.py": 25,
    "tests/workspace/test_first_path.py": 25,
    "tests/notebook/test_transformation_cells.py": 25,
    "tests/pipeline/test_spark_ml.py": 25,
    "tests/plan/steps/test_apis.py": 25,
    "tests/oracles/test_fine_print_caveats.py": 25,
    "tests/notebook/test_kinds.py": 25,
}
"""About what files take that take long; others are judged by the number of their tests."""

SECONDS_OF_A_TEST = 0.3

TOGETHER = {
    **dict.fromkeys((f"tests/web/test_{name}.py" for name in ("notebook", "rail", "widths")), "tests/web: the tour"),
    **dict.fromkeys(
        (f"tests/web/test_{name}.py" for name in ("sheet", "sheet_columns", "sheet_editing")), "tests/web: sheets"
    ),
}
"""Files that share one server; in two processes they would start two."""


class FilesInOrder(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out whole files in the order in which they were collected."""

    def _split_scope(self, nodeid: str) -> str:
        return TOGETHER.get(file_of(nodeid), file_of(nodeid))


def file_of(nodeid: str) -> str:
    """Return the path of a test's file."""
    return nodeid.partition("::")[0]


def starts_spark(item: pytest.Item) -> bool:
    """Whether a test asks for a fixture that starts Spark, or says by its mark that it starts one itself."""
    if isinstance(item, pytest.DoctestItem):
        return any("ws" in example.source for example in item.dtest.examples)
    return item.get_closest_marker("spark") is not None or not SPARK_FIXTURES.isdisjoint(
        getattr(item, "fixturenames", ())
    )


def mark_and_order(items: list[pytest.Item]) -> None:
    """Mark the tests that start Spark and those of slow files, and bring the files into the order they run in."""
    for item in items:
        if starts_spark(item):
            item.add_marker("spark")
        if file_of(item.nodeid) in SECONDS:
            item.add_marker("slow")
    costs = _costs(items)
    items.sort(key=lambda item: costs[file_of(item.nodeid)])


def _costs(items: Sequence[pytest.Item]) -> dict[str, float]:
    """Map each file to its place: nothing for a quick one, else its seconds, the longest first."""
    counts = Counter(file_of(item.nodeid) for item in items)
    slow = {file_of(item.nodeid) for item in items if item.get_closest_marker("spark")} | SECONDS.keys()
    return {
        file: -SECONDS.get(file, count * SECONDS_OF_A_TEST) if file in slow else -float("inf")
        for file, count in counts.items()
    }
