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
    outcomes = found.pop("outcomes")
    assert found == {"total": [{"total": 3}], "lineage": [0, 1], "grouped": 2, "written": ["secret.txt"]}
    assert outcomes.pop("environment in a task") == "False"
    assert "Mkdirs failed" in outcomes.pop("write by Spark")
    assert "I/O error" in outcomes.pop("list by Spark")
    assert set(outcomes.values()) == {"refused"}
