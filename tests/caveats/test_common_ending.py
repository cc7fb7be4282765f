"""A group of more caveats than it lists knows whether all of its messages say the same."""

from __future__ import annotations

from pathlib import Path

import whence
from whence.caveats.reasons import MOST_REFERENCES
from whence.loading.caveat_sentence import caveat_sentence

MISFITS = MOST_REFERENCES + 30


def sentence(ws: whence.Workspace, folder: Path, *texts: str) -> str:
    """Load a column of numbers that ends with these texts, and return what is said of it."""
    rows = "".join(f"{n},{value}\n" for n, value in enumerate([*range(MISFITS * 12), *texts]))
    (folder / "rates.csv").write_text(f"place,rate\n{rows}", encoding="utf-8")
    (group,) = ws.load(folder / "rates.csv", types={"rate": "double"}).caveats.list()
    assert len(group.references) == MOST_REFERENCES
    return caveat_sentence(group)


def test_one_sentence_is_said_of_all_caveats_of_a_group(ws: whence.Workspace, tmp_path: Path) -> None:
    assert sentence(ws, tmp_path, *["."] * MISFITS) == f"{MISFITS} values in rate are not numbers (such as '.')."


def test_a_last_caveat_that_says_something_else_is_not_spoken_for(ws: whence.Workspace, tmp_path: Path) -> None:
    found = sentence(ws, tmp_path, *["."] * MISFITS, "1e999")
    assert found.startswith(f"{MISFITS + 1} values in rate are in doubt; the first {MOST_REFERENCES} are not numbers")
