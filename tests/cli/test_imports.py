"""Which libraries the first commands load: seconds of waiting come from libraries that nothing asked for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

REPORT = """
import json, sys
names = {name for name in sys.modules if name.partition(".")[0] not in sys.stdlib_module_names}
print(json.dumps(sorted(names)))
"""
HEAVY = {
    "charset_normalizer",
    "fastapi",
    "jellyfish",
    "openpyxl",
    "pandas",
    "pydantic",
    "rapidfuzz",
    "scipy",
    "starlette",
    "uvicorn",
    "websockets",
}
"""Libraries that neither opening a workspace nor making a dataset needs."""
FEATURES = {
    "whence.charts",
    "whence.explain",
    "whence.notebook.cells",
    "whence.pipeline",
    "whence.server",
    "whence.staleness",
}
"""Packages of whence that come with the first chart, explanation, notebook, pipeline or request."""


def modules_after(script: str, *arguments: str) -> set[str]:
    """What a new Python has loaded once the script is done, without the standard library."""
    command = [sys.executable, "-W", "ignore", "-c", script + REPORT, *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(json.loads(ran.stdout.splitlines()[-1]))


def libraries(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


def loaded(packages: set[str], modules: set[str]) -> set[str]:
    """The modules inside the packages; the package alone is an empty file."""
    return {name for name in modules if any(name.startswith(f"{package}.") for package in packages)}


def test_help_loads_the_command_line_and_nothing_behind_it() -> None:
    script = """
import sys
from whence.cli.main import app
sys.argv = ["whence", "--help"]
try:
    app()
except SystemExit as end:
    assert not end.code
"""
    modules = modules_after(script)
    assert libraries(modules) & (HEAVY | {"numpy", "pyarrow", "pyspark", "py4j", "sqlalchemy"}) == set()
    assert {name for name in modules if name.startswith("whence.") and not name.startswith("whence.cli")} == {
        "whence.explain",
        "whence.model",
        "whence.model.errors",
        "whence.model.lazy_module",
    }


def test_opening_a_workspace_loads_no_library_that_only_features_need(tmp_path: Path) -> None:
    modules = modules_after("import sys, whence\nwhence.open(sys.argv[1]).close()", str(tmp_path / "ws"))
    assert libraries(modules) & HEAVY == set()
    assert loaded(FEATURES, modules) == set()


def test_making_a_dataset_loads_pandas_because_arrow_does_and_nothing_more(tmp_path: Path) -> None:
    script = """
import sys, whence
with whence.open(sys.argv[1]) as ws:
    assert ws.create("t", [(1, 2.0)], schema="id int, x double").count == 1
    assert not ws.is_engine_running
"""
    modules = modules_after(script, str(tmp_path / "ws"))
    assert libraries(modules) & HEAVY == {"pandas"}
    assert loaded(FEATURES, modules) == set()


def test_the_staleness_of_notebooks_needs_no_library(tmp_path: Path) -> None:
    script = "from whence.safety import Session\nsession = Session()\nsession.run('c1', 'a = 4')"
    modules = modules_after(script)
    assert libraries(modules) & (HEAVY | {"numpy", "pyarrow", "pyspark", "sqlalchemy", "typer"}) == set()
