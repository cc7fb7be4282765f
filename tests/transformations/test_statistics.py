"""Every figure that a transformation reports is the figure it used: computed again here in plain Python."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

import whence

AGES: list[float | None] = [18, 96, 69, None, 33, 33, 54]
SIZES: list[float | None] = [0.5, None, 2.25, 8.0, 4.0, 4.0, 100.0]
TOWNS = ["Ulm", "Bonn", "Ulm", None, "Kiel", "Bonn", "Ulm"]
RAW = [("1.5", "1/2/2020", "a b", 1), ("2.25", "13/2/2020", "c d", 2), ("3", "14/2/2020", "e", 4)]
KNOWN = [each for each in AGES if each is not None]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("statistics") / "w.whence") as ws:
        ws.create("people", list(zip(AGES, SIZES, TOWNS, strict=True)), schema="age int, size double, town string")
        ws.create("raw", RAW, schema="n string, d string, p string, k int")
        yield ws


@pytest.fixture
def people(home: whence.Workspace) -> whence.Dataset:
    return home["people"]


def learned(people: whence.Dataset, kind: str, **parameters: object) -> tuple[Mapping[str, object], list[object]]:
    """What a step reports, and the ages after it; its templates and its report tell the same."""
    p = whence.Pipeline(people, name=f"by {kind}").step(kind, **parameters)
    (step,) = p._chain.steps
    told = {each.name: each.value for template in step.plan.templates for each in template.statistics}
    report = p.result.lens_report
    assert report is not None
    assert {name: report.learned[name] for name in told if name in report.learned} == {
        name: value for name, value in told.items() if name in report.learned
    }
    return told, p.result.to_arrow().column("age").to_pylist() if "age" in p.result.columns else []


def quantile(values: list[float], share: float) -> float:
    """Between the two values around a place, as Spark's percentile."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


SCALES = {
    "min-max": (min(KNOWN), max(KNOWN) - min(KNOWN)),
    "z": (statistics.mean(KNOWN), statistics.pstdev(KNOWN)),
    "robust": (statistics.median(KNOWN), quantile(KNOWN, 0.75) - quantile(KNOWN, 0.25)),
    "decimal": (0, 100),
}


@pytest.mark.parametrize("method", SCALES)
def test_normalize_reports_what_it_subtracts_and_divides_by(people: whence.Dataset, method: str) -> None:
    shift, scale = SCALES[method]
    told, ages = learned(people, "normalize", columns=["age"], method=method)
    assert told == {f"{method} scale of age": {"shift": pytest.approx(shift), "scale": pytest.approx(scale)}}
    assert ages == [None if age is None else pytest.approx((age - shift) / scale) for age in AGES]


def test_numbers_that_are_none_do_not_break_a_statistic(home: whence.Workspace) -> None:
    rows = [(1.0, float("nan")), (2.0, float("inf")), (3.0, 7.0), (4.0, None), (5.0, 11.0)]
    odd = home.create("odd", rows, schema="x double, y double")
    for method in SCALES:
        scaled = whence.Pipeline(odd, name="scaled").normalize(["x", "y"], method).result
        assert scaled.to_arrow().column("y").to_pylist()[3] is None, method
    cut = whence.Pipeline(odd, name="cut").discretize({"y": 2}).result
    assert cut.to_arrow().column("y").to_pylist()[3] is None
    some = home.create("some", [row for row in rows if row[1] != float("inf")], schema="x double, y double")
    told, _ = learned(some, "impute", column="y", method="model", using=["x"])
    assert told == {"model of y on x": "1 + 2 x"}


def test_impute_reports_numbers_and_fills_with_them(people: whence.Dataset) -> None:
    for method, expected in (
        ("mean", int(statistics.mean(KNOWN) + 0.5)),
        ("median", int(statistics.median(KNOWN) + 0.5)),
        ("mode", 33),
    ):
        told, ages = learned(people, "impute", column="age", method=method)
        assert told == {f"{method} of age": expected}
        assert ages[3] == expected
    sizes = [each for each in SIZES if each is not None]
    assert learned(people, "impute", column="size", method="mean")[0] == {"mean of size": pytest.approx(sum(sizes) / 6)}
    assert learned(people, "impute", column="town", method="mode")[0] == {"mode of town": "Ulm"}


def test_impute_by_groups_reports_the_figure_of_each_group(people: whence.Dataset) -> None:
    told, _ = learned(people, "impute", column="size", method="mean", by=["town"])
    groups: dict[str, list[float]] = {}
    for town, size in zip(TOWNS, SIZES, strict=True):
        if size is not None:
            groups.setdefault("{}" if town is None else f'{{"town":"{town}"}}', []).append(size)
    expected = {key: pytest.approx(statistics.mean(values)) for key, values in groups.items()}
    assert told == {"mean of size by town": expected}


def test_a_model_reports_the_line_of_least_squares(people: whence.Dataset) -> None:
    pairs = [(age, size) for age, size in zip(AGES, SIZES, strict=True) if age is not None and size is not None]
    xs, ys = [age for age, _ in pairs], [size for _, size in pairs]
    slope, start = statistics.linear_regression(xs, ys)
    told, _ = learned(people, "impute", column="size", method="model", using=["age"])
    assert told == {"model of size on age": f"{start:.4g} + {slope:.4g} age"}


def test_discretize_reports_the_cuts_it_cuts_at(people: whence.Dataset) -> None:
    low, width = min(KNOWN), (max(KNOWN) - min(KNOWN)) / 3
    told, ages = learned(people, "discretize", columns={"age": 3})
    cuts = [low + width, low + 2 * width]
    assert told == {"width cuts of age": [pytest.approx(cut) for cut in cuts]}
    assert ages == [None if age is None else sum(age >= cut for cut in cuts) for age in AGES]
    told, _ = learned(people, "discretize", columns={"age": 2}, method="quantile")
    assert told == {"quantile cuts of age": [pytest.approx(statistics.median(KNOWN))]}


def test_string_index_reports_the_order_of_values(people: whence.Dataset) -> None:
    counts = Counter(town for town in TOWNS if town is not None)
    order = sorted(counts, key=lambda town: (-counts[town], town))
    assert learned(people, "string_index", columns=["town"])[0] == {"order of the values of town": order}


def test_string_index_numbers_any_text(ws: whence.Workspace) -> None:
    odd = [
        "",
        " ",
        "it's",
        'a "b"',
        "back\\slash",
        "{x}",
        "new\nline",
        "\x00",
        "✨",
        "é",
        "e\u0301",
        "null",
        "l" * 60_000,
    ]
    values = [*odd, *(f"v{number}" for number in range(40)), *odd[:5], None]
    counts = Counter(each for each in values if each is not None)
    order = sorted(counts, key=lambda each: (-counts[each], each.encode()))
    given = ws.create("t", [(each,) for each in values], schema="x string")
    made = ws.lens("string_index", given, name="numbered", columns=["x"], keep=True)
    numbers = made.to_arrow()["x_index"].to_pylist()
    assert numbers == [None if each is None else order.index(each) for each in values]


def test_outliers_report_the_bounds_they_lie_outside_of(people: whence.Dataset) -> None:
    sizes = [each for each in SIZES if each is not None]
    low, high = quantile(sizes, 0.25), quantile(sizes, 0.75)
    reach = 1.5 * (high - low)
    told, _ = learned(people, "flag_outliers", column="size", method="iqr", show="flag")
    assert told == {"usual range of size": {"low": pytest.approx(low - reach), "high": pytest.approx(high + reach)}}
    middle = statistics.median(sizes)
    spread = statistics.median(abs(each - middle) for each in sizes) / 0.6745
    told, _ = learned(people, "flag_outliers", column="size", method="robust z", show="flag")
    bounds = {"low": pytest.approx(middle - 3.5 * spread), "high": pytest.approx(middle + 3.5 * spread)}
    assert told == {"usual range of size": bounds}


def test_what_texts_say_is_counted(home: whence.Workspace) -> None:
    raw = home["raw"]
    assert learned(raw, "infer_types", columns=["n"])[0] == {"type of n": "double"}
    separator = {"decimal separator": ".", "of that form": 2, "others": 0}
    assert learned(raw, "parse_numbers", column="n")[0] == {"separator of n": separator}
    order = {"order": "day first", "of that order": 2, "of the other": 0}
    assert learned(raw, "parse_dates", column="d")[0] == {"order of d": order}
    assert learned(raw, "split_column", column="p", separator=" ")[0] == {"parts of p": 2}
    assert learned(raw, "repair_sequence", column="k")[0] == {"step of k": "1"}


def test_rows_left_out_are_counted(people: whence.Dataset) -> None:
    report = whence.Pipeline(people, name="once").drop_duplicates(["town"]).result.lens_report
    assert report is not None
    assert report.learned == {"rows left out": len(TOWNS) - len(set(TOWNS))}
