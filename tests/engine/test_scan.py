"""Which dataset a scan reads, told from the folders of its files."""

from __future__ import annotations

import pytest

from whence.engine.scan import dataset_in


@pytest.mark.parametrize(
    ("roots", "dataset"),
    [
        (["file:/data/w.whence/datasets/4f0c/rows"], "4f0c"),
        (["file:/data/w.whence/datasets/4f0c/rows/"], "4f0c"),
        (["/datasets/4f0c/rows"], "4f0c"),
        (["/rows"], None),
        (["/elsewhere/4f0c/rows"], None),
        (["/datasets/4f0c/rows", "/datasets/4f0d/rows"], None),
        ([], None),
    ],
)
def test_a_dataset_is_known_by_its_one_folder(roots: list[str], dataset: str | None) -> None:
    assert dataset_in(roots) == dataset
