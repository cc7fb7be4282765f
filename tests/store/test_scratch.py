"""What Spark keeps in a workspace outlives closing it, but not the process."""

from __future__ import annotations

from pathlib import Path

from whence.store.store import Store


def test_spark_scratch_of_this_process_survives_reopening_and_that_of_others_does_not(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "w.whence")
    mine = store.layout.spark_scratch
    theirs = mine.with_name("spark-0")
    for folder in (mine, theirs):
        (folder / "blocks").mkdir(parents=True)
    store.close()
    Store.open(tmp_path / "w.whence").close()
    assert (mine / "blocks").is_dir()
    assert not theirs.exists()
