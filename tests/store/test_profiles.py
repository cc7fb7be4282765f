from __future__ import annotations

import math
import random
import statistics
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from tests.store.making import make
from tests.store.random_tables import TYPES, random_table
from whence.model.errors import UnknownColumn
from whence.model.schema import Field
from whence.store.distinct import ERROR, DistinctSketch
from whence.store.frequent import Frequent
from whence.store.hashing import hash_values
from whence.store.histogram import Histogram
from whence.store.measure import SHARES, measure
from whence.store.moments import Moments
from whence.store.profile import Profile, read_profile, write_profile
from whence.store.store import Store
from whence.store.value_sample import ValueSample


def is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def number(value: Any) -> float:  # noqa: ANN401 - a number, a date or a time
    """Dates and times as numbers, too, so that edges can be compared with values."""
    match value:
        case datetime():
            return value.replace(tzinfo=None).timestamp()
        case date():
            return float(value.toordinal())
        case Decimal():
            return float(pa.scalar(value, pa.decimal128(12, 2)).cast(pa.float64()).as_py())  # Arrow is off by one bit
    return float(value)


def check(profile: Profile, values: Sequence[Any]) -> None:
    """Compare a profile with what plain Python says about the same values."""
    known = [value for value in values if value is not None]
    real = [value for value in known if not is_nan(value)]
    assert (profile.count, profile.nulls, profile.nans) == (len(values), values.count(None), len(known) - len(real))
    assert profile.distinct == len(set(real)) + bool(profile.nans)
    assert profile.distinct_error == profile.quantile_error == profile.top_error == 0
    key = (lambda value: value.encode()) if real and isinstance(real[0], str) else None
    assert profile.min == min(real, key=key, default=None)
    assert profile.max == max(real, key=key, default=None)
    counts = Counter("NaN" if is_nan(value) else value for value in known)
    assert [count for _, count in profile.top] == sorted(counts.values(), reverse=True)[:10]
    assert all(counts["NaN" if is_nan(value) else value] == count for value, count in profile.top)
    if profile.type not in ("string", "binary", "boolean"):
        check_numbers(profile, real)


def check_numbers(profile: Profile, real: list[Any]) -> None:
    ordered = sorted(real)
    if ordered:
        assert profile.quantiles == tuple((q, ordered[max(math.ceil(q * len(ordered)) - 1, 0)]) for q in SHARES)
    finite = [value for value in ordered if not (isinstance(value, float) and math.isinf(value))]
    assert profile.infinite == len(ordered) - len(finite)
    check_histogram(profile.histogram, finite)
    if profile.type in ("date", "timestamp", "timestamp_ntz"):
        assert profile.mean is profile.std is None
        return
    floats = [float(value) for value in finite]
    scale = max(map(abs, floats), default=0.0)
    if floats:
        assert profile.mean == pytest.approx(math.fsum(x / len(floats) for x in floats), rel=1e-9, abs=scale * 1e-12)
    else:
        assert profile.mean is None
    if len(floats) > 1 and scale < 1e100:
        assert profile.std == pytest.approx(statistics.stdev(floats), rel=1e-9, abs=scale * 1e-9)


def check_histogram(found: Histogram | None, finite: list[object]) -> None:
    if not finite:
        assert found is None
        return
    assert found is not None
    edges = [number(edge) for edge in found.edges]
    assert (edges[0], edges[-1]) == (number(finite[0]), number(finite[-1]))
    assert len(found.counts) == len(edges) - 1 <= 20
    assert edges == sorted(edges)
    for place, count in enumerate(found.counts):
        is_last = place == len(found.counts) - 1
        inside = [v for v in finite if edges[place] <= number(v) and (is_last or number(v) < edges[place + 1])]
        assert count == len(inside)


@pytest.mark.parametrize("seed", range(4))
def test_a_profile_is_what_plain_python_says(store: Store, seed: int) -> None:
    source = random.Random(seed)
    pieces = [random_table(source, rows) for rows in (50, 0, 1, 30)]
    record = make(store, "t", *pieces)
    together = pa.concat_tables(pieces)
    for column in TYPES:
        check(store.profiles.profile(record, column), together[column].to_pylist())


@pytest.mark.parametrize("rows", [0, 1, 5])
def test_empty_and_all_null_columns_have_profiles(store: Store, rows: int) -> None:
    record = make(store, "t", pa.table({name: pa.nulls(rows, kind) for name, kind in TYPES.items()}))
    for field in record.schema:
        assert store.profiles.profile(record, field.name) == Profile(field.name, field.type, rows, rows, distinct=0)


def test_nested_columns_are_counted(store: Store) -> None:
    record = make(store, "t", pa.table({"l": [[1], None, []]}))
    assert store.profiles.profile(record, "l") == Profile("l", "array<bigint>", 3, 1)


def test_figures_agree_with_duckdb_over_many_row_groups(store: Store) -> None:
    source = np.random.default_rng(5)
    rows = 300_000
    table = pa.table(
        {
            "x": pa.array(source.normal(1e6, 3, rows), mask=source.random(rows) < 0.1),
            "i": source.integers(-(2**40), 2**40, rows),
            "k": source.integers(0, 900, rows).astype(str),
        }
    )
    record = make(store, "t", table.slice(0, 200_000), table.slice(200_000))
    duck = duckdb.connect()
    duck.register("t", table)
    for column in ("x", "i"):
        figures = f"avg({column}), stddev({column}), min({column}), max({column}), count(distinct {column})"
        mean, std, low, high, distinct = duck.sql(f"select {figures} from t").fetchall()[0]
        profile = store.profiles.profile(record, column)
        assert (profile.min, profile.max) == (low, high)
        assert profile.mean == pytest.approx(mean, rel=1e-12)
        assert profile.std == pytest.approx(std, rel=1e-9)
        assert profile.distinct == pytest.approx(distinct, rel=4 * ERROR)
        assert profile.distinct_error == ERROR
    top = duck.sql("select k, count(*) n from t group by k order by n desc, k limit 10").fetchall()
    assert store.profiles.profile(record, "k").top == tuple(top)
    duck.close()


def test_a_long_column_is_measured_in_bounded_memory_with_its_errors_said() -> None:
    values = [pa.array(np.random.default_rng(n).permutation(200_000).astype(np.float64)) for n in range(8)]
    profile = measure(Field("x", "double"), pa.float64(), lambda: values)
    assert profile.count == 1_600_000
    assert 0 < profile.quantile_error < 0.002
    for share, value in profile.quantiles:
        assert value == pytest.approx(share * 200_000, abs=200_000 * 3 * profile.quantile_error)
    assert profile.histogram is not None
    assert profile.histogram.counts == (80_000,) * 20
    assert profile.distinct == pytest.approx(200_000, rel=4 * ERROR)


@pytest.mark.parametrize("count", [10, 3_000, 60_000, 1_000_000])
@pytest.mark.parametrize("kind", [pa.int64(), pa.string(), pa.decimal128(38, 2)])
def test_the_estimate_of_distinct_values_keeps_its_error(count: int, kind: pa.DataType) -> None:
    numbers = pa.array(np.arange(count) * 37)
    sketch = DistinctSketch()
    values = numbers.cast(pa.decimal128(20, 0)).cast(kind) if pa.types.is_decimal(kind) else numbers.cast(kind)
    for _ in range(2):
        sketch.add(hash_values(values))
    assert sketch.estimate() == pytest.approx(count, rel=4 * ERROR)


def test_equal_texts_have_equal_hashes_wherever_they_stand() -> None:
    texts = pa.array(["", "a", "b", "ab", "ba", "a\x00", "aa" * 40, "ab"])
    hashes = hash_values(texts).tolist()
    assert len(set(hashes)) == 7
    assert hashes[3] == hashes[7]
    assert hash_values(texts.slice(3, 4)).tolist() == hashes[3:7]


def test_counts_above_the_bound_are_low_by_at_most_the_error_said() -> None:
    source = random.Random(1)
    words = [f"rare{n}" for n in range(4_000)] + ["often"] * 900 + ["seldom"] * 300
    source.shuffle(words)
    frequent = Frequent(pa.string(), bound=500)
    for start in range(0, len(words), 250):
        frequent.add(pa.array(words[start : start + 250]))
    top = {value.as_py(): count for value, count in frequent.top(2)}
    assert list(top) == ["often", "seldom"]
    assert 900 - frequent.error <= top["often"] <= 900
    assert 300 - frequent.error <= top["seldom"] <= 300
    assert frequent.error < 300


def test_mean_and_spread_survive_a_large_offset() -> None:
    numbers = 1e9 + np.random.default_rng(2).random(10_000)
    moments = Moments()
    for piece in np.split(numbers, [3, 3, 4_000]):
        moments.add(piece)
    assert moments.mean == pytest.approx(numbers.mean(), rel=1e-15)
    assert moments.std == pytest.approx(numbers.std(ddof=1), rel=1e-6)


def test_every_value_is_as_likely_to_stay_in_a_sample() -> None:
    kept: Counter[int] = Counter()
    sample = ValueSample(pa.int64(), bound=1_000)
    for start in range(0, 20_000, 500):
        sample.add(pa.array(np.arange(start, start + 500)))
    kept.update(value // 5_000 for value in sample.values.to_pylist())
    assert sum(kept.values()) == 1_000
    assert all(190 < count < 310 for count in kept.values())


def test_a_profile_comes_back_from_its_file_as_it_was(store: Store) -> None:
    record = make(store, "t", random_table(random.Random(9), 60))
    for column in TYPES:
        made = store.profiles.profile(record, column)
        path = store.root / "again"
        write_profile(path, made)
        again = read_profile(path)
        assert repr(again) == repr(made)  # repr, because NaN is not equal to itself


def test_a_profile_is_kept_and_a_damaged_one_is_made_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    record = make(store, "t", pa.table({"x": [1, 2, 2]}))
    made = store.profiles.profile(record, "x")
    (path,) = [each for each in (store.root / "tmp/profiles").rglob("*") if each.is_file()]
    path.write_bytes(path.read_bytes().replace(b"x", b"y"))
    store.profiles.clear()
    assert store.profiles.profile(record, "x") == made
    store.profiles.clear()
    monkeypatch.setattr("whence.store.pages.Pages.scan", None)
    assert store.profiles.profile(record, "x") == made


def test_an_unknown_column_is_named(store: Store) -> None:
    record = make(store, "t", pa.table({"x": [1]}))
    with pytest.raises(UnknownColumn, match=r"t@1 has no column y\. It has x\."):
        store.profiles.profile(record, "y")


def test_extreme_numbers_do_not_break_a_profile(store: Store) -> None:
    extremes = pa.table({"i": [-(2**63), 2**63 - 1], "x": [-1.7e308, 1.7e308], "d": [Decimal("9" * 38)] * 2})
    record = make(store, "t", extremes)
    whole, real, money = (store.profiles.profile(record, column) for column in ("i", "x", "d"))
    assert whole.histogram is not None
    assert (whole.histogram.counts[0], whole.histogram.counts[-1], sum(whole.histogram.counts)) == (1, 1, 2)
    assert real.histogram is not None
    assert (real.histogram.edges[-1], sum(real.histogram.counts), real.std) == (1.7e308, 2, None)
    assert (money.max, money.distinct) == (Decimal("9" * 38), 1)


def test_days_python_cannot_hold_are_shown_as_text(store: Store) -> None:
    record = make(store, "t", pa.table({"d": pa.array([-800_000, 0], pa.int32()).view(pa.date32())}))
    assert str(store.profiles.profile(record, "d").min).startswith("-")
