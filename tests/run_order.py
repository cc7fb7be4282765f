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
    "tests/notebook/python/test_connect.py": 180,
    "tests/web/test_notebook.py": 170,
    "tests/web/test_monkey.py": 110,
    "tests/web/test_charts.py": 110,
    "tests/notebook/test_stop.py": 90,
    "tests/web/test_sheet.py": 90,
    "tests/web/test_chart_kinds.py": 80,
    "tests/recipes/test_recipes_in_spark.py": 60,
    "tests/store/test_kills.py": 60,
    "tests/notebook/test_kills.py": 60,
    "tests/web/test_views.py": 60,
    "tests/web/test_start_page.py": 60,
    "tests/web/test_tour_charts.py": 60,
    "tests/server/test_kills.py": 50,
    "tests/workspace/test_exchange.py": 50,
    "tests/engine/test_parent_watch.py": 40,
    "tests/web/test_new_cells.py": 40,
    "tests/web/test_widths.py": 40,
    "tests/web/test_stop_query.py": 40,
    "tests/pipeline/test_operators.py": 40,
    "tests/cli/test_start_and_stop.py": 40,
    "tests/engine/test_session.py": 30,
    "tests/oracles/test_analyst_oracle.py": 30,
    "tests/staleness/test_corpus.py": 25,
}
"""About what files take that take long; others are judged by the number of their tests."""

SECONDS_OF_A_TEST = 0.3

TOGETHER = {
    **dict.fromkeys(("tests/web/test_notebook.py", "tests/web/test_widths.py"), "tests/web: the tour"),
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
