from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.loading import infer as infer_module
from whence.loading import words as words_module
from whence.loading.infer import TypedValues, infer
from whence.loading.words import as_mask
from whence.store.types import spark_type


def typed(*texts: str | None) -> TypedValues:
    column = pa.chunked_array([pa.array(texts, pa.string())])
    return infer("x", column, np.arange(2, len(texts) + 2))


def kind(*texts: str | None) -> str:
    return spark_type(typed(*texts).values.type)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["1", "-2", "0"], "bigint"),
        ([" 1", "2 "], "bigint"),
        (["1", "2.5"], "double"),
        (["1.", ".5", "-1E+3"], "double"),
        (["-0"], "double"),
        (["0.1", "0.30000000000000004", "-80.619583300000002"], "double"),
        (["0.1234567890123456789", "2"], "decimal(20,19)"),
        (["9007199254740993", "0.5"], "decimal(17,1)"),
        (["9007199254740993", "5"], "bigint"),
        (["1" * 38], "decimal(38,0)"),
        (["1" * 39], "string"),
        (["007", "1", "2", "3", "4"], "string"),
        (["+4912345"], "string"),
        (["true", "False", "TRUE"], "boolean"),
        (["true", "1"], "string"),
        (["2024-01-31"], "date"),
        (["2024/1/31"], "date"),
        (["31.1.2024"], "date"),
        (["2024-01-31 10:20", "2024-01-31T10:20:30.5"], "timestamp_ntz"),
        (["2024-01-31T10:20:30Z", "2024-01-31 10:20:30+02:00"], "timestamp"),
        (["2024-01-31 10:20:30.1234567"], "string"),
        (["1/31/2024 10:20"], "timestamp_ntz"),
        (["0000-01-01"], "string"),
        (["x", "y"], "string"),
        (["NA", "NA", None], "string"),
        ([None, None], "string"),
        (["NA", "NA", "NA", "NA", "5"], "bigint"),
    ],
)
def test_the_type_of_a_column(texts: list[str | None], expected: str) -> None:
    assert kind(*texts) == expected


def test_the_type_needs_three_quarters() -> None:
    assert kind("1", "2", "3", "x") == "bigint"
    assert kind(*"1234567", *"xyz") == "string"
    assert kind("2024-01-01", "2024-01-02", "2024-01-03", "x") == "date"
    assert kind(*["2024-01-01"] * 7, *"xyz") == "string"


def test_a_word_for_a_missing_value_does_not_speak_for_text() -> None:
    found = typed("1", "n/a", "NULL", "-", "?")
    assert found.values.to_pylist() == [1, None, None, None, None]
    assert [problem.row for problem in found.problems] == [1, 2, 3, 4]


def test_more_digits_than_any_type_holds_keep_the_column_text_with_a_word() -> None:
    assert [problem.kind for problem in typed("1" * 39, "2").problems] == ["too many digits"]


def test_times_with_a_zone_are_stored_in_utc() -> None:
    moment = datetime(2024, 1, 31, 8, 20, 30, tzinfo=UTC)
    texts = ("2024-01-31 10:20:30+0200", "2024-01-31T08:20:30 UTC", "2024-01-31T03:20:30-05", "2024-01-31T08:20:30Z")
    assert typed(*texts).values.to_pylist() == [moment] * 4


def test_blanks_in_a_column_of_numbers_are_named_and_empty_text_is_not() -> None:
    found = typed("1", " ", "", None, "2")
    assert found.values.to_pylist() == [1, None, None, None, 2]
    assert [(problem.row, problem.text) for problem in found.problems] == [(1, " ")]


def test_exact_decimals_keep_every_digit() -> None:
    assert typed("0.1234567890123456789", "2").values.to_pylist() == [Decimal("0.1234567890123456789"), Decimal(2)]


WORD = st.one_of(
    st.integers().map(str),
    st.floats().map(str),
    st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str),
    st.dates().map(str),
    st.datetimes().map(str),
    st.booleans().map(str),
    st.text(max_size=6),
    st.sampled_from(["NA", "", " ", "007", "1,5", "1,234", "12\n", "٣", "1_000", "0x10"]),
)


KINDS = (
    st.integers().map(str),
    st.floats().map(str),
    st.dates().map(str),
    st.datetimes().map(str),
    st.text(max_size=3),
)
COLUMN = st.one_of(
    st.lists(st.one_of(st.none(), WORD), max_size=12),
    *(
        st.lists(st.one_of(kind, kind, kind, kind, st.sampled_from([None, "", "0", " 1"])), max_size=9)
        for kind in KINDS
    ),
)


@given(COLUMN)
@settings(max_examples=400, deadline=None)
def test_the_quick_way_says_what_looking_at_every_word_says(texts: list[str | None]) -> None:
    quick = typed(*texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(infer_module, "quick", lambda _: None)
        patch.setattr(infer_module, "may_have_a_type", lambda texts: as_mask(pc.greater(pc.binary_length(texts), 0)))
        thorough = typed(*texts)
    assert quick.values.type == thorough.values.type
    assert [str(value) for value in quick.values] == [str(value) for value in thorough.values]
    assert quick.problems == thorough.problems


@given(st.lists(st.one_of(st.none(), WORD), max_size=12))
@settings(max_examples=200, deadline=None)
def test_few_words_and_many_words_are_judged_alike(texts: list[str | None]) -> None:
    few = typed(*texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words_module, "_FEW", -1)
        many = typed(*texts)
    assert few.values.type == many.values.type
    assert few.values.to_pylist() == many.values.to_pylist()
    assert few.problems == many.problems
