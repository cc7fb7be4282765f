"""A confined server: what cells let Spark do for them stays within the workspace."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from whence.engine.confine.landlock import landlock_abi


@pytest.mark.skipif(not landlock_abi(), reason="this kernel has no Landlock")
@pytest.mark.timeout(900)
@pytest.mark.long
def test_a_confined_spark_reaches_nothing_but_the_workspace(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    env = dict(os.environ, PYTHONPATH=os.pathsep.join([str(root / "src"), str(root)]))
    command = [sys.executable, "-m", "tests.notebook.python.confined_session", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=880)
    said = [line for line in done.stdout.splitlines() if line.startswith("OUTCOME")]
    assert said, done.stdout[-2000:] + done.stderr[-4000:]
    found = json.loads(said[0].removeprefix("OUTCOME"))
    assert (found.pop("in place"), found.pop("years")) == ([[2], [3]], [[3, 2024], [4, 2025]])
    passed = {name: what for name, what in found.pop("outcomes").items() if what != "refused"}
    passed |= {name: what for name, what in found.pop("asked").items() if what != "refused at the gate"}
    assert passed == {
        "environment in a task": "[]",
        "first environment in a task": "False",
        "threads and files in a task": "[1, 2]",
    }
    assert found.pop("used") == {
        "sql": 6,
        "view": ["mine", "yours"],
        "frame": 2,
        "pandas": [2, 3],
        "grouped": 2,
        "window": 1,
        "made in Python": 10,
        "kept": 4,
        "expressions": 2,
        "shown": 1,
        "pandas on Spark": 3,
        "ml": 2,
    }
    assert f"is confined to {tmp_path / 'confined.whence'}" in found.pop("other workspace")
    assert found.pop("left behind") == [{"n": 12, "seen": ["nothing"]}]
    assert found.pop("exported") == ["PermissionError"]
    assert found == {"total": [{"total": 3}], "lineage": [0, 1], "grouped": 2, "written": ["secret.txt"]}
