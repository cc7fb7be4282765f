"""PySpark in Python cells of a server: the same lineage and marks as SQL, and no way around them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.notebook.python.connect_session import SAME
from whence.engine.confine.landlock import TCP_SINCE, landlock_abi
from whence.lineage.strategy import INJECT, OFF, PAUSED, describe_limit, describe_pruned

pytestmark = [pytest.mark.timeout(900), pytest.mark.spark]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Any:  # noqa: ANN401 - JSON
    folder = tmp_path_factory.mktemp("server")
    root = Path(__file__).parents[3]
    env = dict(os.environ, PYTHONPATH=os.pathsep.join([str(root / "src"), str(root)]))
    command = [sys.executable, "-m", "tests.notebook.python.connect_session", str(folder)]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=880)
    found = [line for line in done.stdout.splitlines() if line.startswith("OUTCOME")]
    assert found, done.stdout[-2000:] + done.stderr[-6000:]
    return json.loads(found[0].removeprefix("OUTCOME"))


@pytest.mark.parametrize("name", SAME)
def test_pyspark_keeps_the_lineage_and_marks_of_sql(outcome: Any, name: str) -> None:  # noqa: ANN401
    by_pyspark, by_sql = outcome["same"][name]
    assert by_pyspark == by_sql
    assert by_pyspark[1] is True
    assert by_pyspark[2]


def test_rows_of_python_lists_and_constants_of_pyspark_are_written_in_the_code(outcome: Any) -> None:  # noqa: ANN401
    written = "written in the code, line "
    assert outcome["written"] == [f"{written}2", f"{written}2", "", f"{written}3", ""]


def test_pyspark_obeys_the_settings_of_capture(outcome: Any) -> None:  # noqa: ANN401
    policy = outcome["policy"]
    assert (policy["pause"], policy["off"]) == (PAUSED, OFF)
    assert policy["limit"] == describe_limit(12, 1)
    assert policy["only"].endswith(describe_pruned(["t"]))


def test_a_group_by_of_pyspark_injects_where_sql_leaves_lineage_for_later(outcome: Any) -> None:  # noqa: ANN401
    """The text of a Python cell cannot be run again as a query, so nothing may wait for that."""
    policy = outcome["policy"]
    assert policy["queue"] == [INJECT, True]
    assert policy["budget"] == [INJECT, True]
    assert policy["exact"] == [True, True]


def test_what_was_read_elsewhere_is_said(outcome: Any) -> None:  # noqa: ANN401
    attacks = outcome["attacks"]
    outside = {name for name, each in attacks.items() if any("outside" in said for said in each.get("said", []))}
    passed_through = attacks.pop("rows that passed through Python")
    assert passed_through["exact"] is False
    assert passed_through["parents"] == ["t"]
    replaced = attacks.pop("a replaced input")
    assert replaced["parents"] == []  # what it is made from now is no dataset, and none is claimed
    assert attacks.keys() == outside
    assert all(attacks[name]["exact"] is False for name in outside)
    assert attacks["a file"]["parents"] == []
    assert attacks["a file beside a dataset"]["parents"] == ["t"]
    assert attacks["a dataset nobody gave"]["parents"] == []
    assert attacks["a folder called like a dataset"]["parents"] == []


def test_only_the_token_opens_the_door(outcome: Any) -> None:  # noqa: ANN401
    door = outcome["door"]
    assert door["strangers"] == ["UNAUTHENTICATED"] * 2
    assert door["listening on"] == ["127.0.0.1"]
    assert door["gateway"][:2] == ["False", "False"]
    if landlock_abi() >= TCP_SINCE:
        assert door["gateway"][2] == "PermissionError"


def test_functions_of_cells_serve_sql(outcome: Any) -> None:  # noqa: ANN401
    assert outcome["functions"] == {
        "sql": ["A!", "b!", "A!", None],
        "sql lineage": [[0], [1], [2], [3]],
        "udf": [2.0, 3.0, 4.0, None],
    }


def test_cancelling_a_cell_cancels_its_queries(outcome: Any) -> None:  # noqa: ANN401
    assert outcome["cancel"]["ended"] == "cancelled"
    assert outcome["cancel"]["jobs"] == []


def test_a_session_keeps_frames_lineage_and_what_was_before_a_stopped_query(outcome: Any) -> None:  # noqa: ANN401
    session = outcome["session"]
    in_session, by_sql = session["same"]
    assert in_session == by_sql
    assert (session["statuses"], session["seen"]) == (["ready", "ready", "cancelled", "ready"], "4\n")


def test_names_go_with_the_run(outcome: Any) -> None:  # noqa: ANN401
    assert outcome["left over"] == []
