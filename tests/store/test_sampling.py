from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from whence.model.errors import BadInput
from whence.store.sampling import sample_rids


def test_every_set_of_rows_is_equally_likely() -> None:
    drawn = Counter(tuple(sample_rids(5, 2, seed).tolist()) for seed in range(4_000))
    assert set(drawn) == set(combinations(range(5), 2))
    assert all(320 < count < 480 for count in drawn.values())


@pytest.mark.parametrize(("rows", "n"), [(0, 3), (4, 0), (4, 9), (1_000_000, 50), (1_000, 900)])
def test_a_sample_is_sorted_without_repeats_and_no_larger_than_the_dataset(rows: int, n: int) -> None:
    found = sample_rids(rows, n, 7).tolist()
    assert found == sorted(set(found))
    assert len(found) == min(rows, n)
    assert all(0 <= rid < rows for rid in found)
    assert found == sample_rids(rows, n, 7).tolist()


def test_a_negative_size_is_refused() -> None:
    with pytest.raises(BadInput, match="not negative"):
        sample_rids(5, -1, 0)
