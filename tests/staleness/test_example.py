"""The example in the documentation runs and says what the documentation says."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "safety"


def test_the_example_names_the_stale_cell_and_puts_it_right(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "stale_cells.py"))
    printed = capsys.readouterr().out
    assert (
        "total: uses `converted` from cell convert, which was built with the old `rate`; run cell convert first"
        in printed
    )
    assert "total 41.14" in printed
    assert printed.rstrip().endswith("converted = [price * rate for price in prices]")
