"""Following a notebook changes nothing: real examples show, raise and leave the same as in plain IPython."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.staleness.corpus import Notebook, archive_notebooks, docstring_notebooks

for needed in ("IPython", "polars", "sklearn"):
    pytest.importorskip(needed)

RUNNER = Path(__file__).with_name("corpus_runner.py")
SHORT = 50
STEADY = {"MPLBACKEND": "agg", "PYTHONHASHSEED": "0", "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
ARCHIVES = ("networkx", "xarray", "lmfit")  # pip builds what it downloads as source, so only packages without C


def run_all(peer: str, notebooks: list[Notebook], seconds: int) -> list[dict[str, object]]:
    """What each notebook showed and left behind, in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(RUNNER), peer],
        input=json.dumps([notebook.cells for notebook in notebooks]),
        capture_output=True, text=True, check=False, timeout=seconds,
        env={**os.environ, **STEADY},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_same(notebooks: list[Notebook], seconds: int = 280) -> None:
    plain, followed = (run_all(peer, notebooks, seconds) for peer in ("plain", "whence"))
    assert {number: found["problems"] for number, found in enumerate(followed) if found["problems"]} == {}
    different = [number for number, found in enumerate(plain) if found != followed[number]]
    # What differs between two plain runs as well proves nothing.
    again = run_all("plain", [notebooks[number] for number in different], seconds) if different else []
    unsteady = {number for number, found in zip(different, again, strict=True) if found != plain[number]}
    assert [notebooks[number].origin for number in different if number not in unsteady] == []
    assert len(unsteady) < 0.1 * len(notebooks)
    cells = [cell for number, found in enumerate(plain) if number not in unsteady for cell in found["cells"]]  # type: ignore[attr-defined]
    raising = sum(error != "NoneType" for _, error in cells)
    print(f"{len(notebooks) - len(unsteady)} of {len(notebooks)} notebooks, {len(cells)} cells, {raising} raising")  # noqa: T201


def test_examples_of_installed_packages_behave_the_same() -> None:
    notebooks = docstring_notebooks()
    check_same(notebooks[:: max(1, len(notebooks) // SHORT)])


@pytest.mark.long
def test_all_examples_of_installed_packages_behave_the_same() -> None:
    check_same(docstring_notebooks(), 2400)


@pytest.mark.long
@pytest.mark.parametrize("package", ARCHIVES)
def test_example_notebooks_of_source_packages_behave_the_same(package: str, tmp_path: Path) -> None:
    """Their scripts and notebooks, as far as they run with what is installed; one that cannot must fail alike."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", package, "-d", str(tmp_path)]
    subprocess.run([*command, package], check=True, timeout=600)
    (archive,) = tmp_path.iterdir()
    check_same(archive_notebooks(archive), 2400)
