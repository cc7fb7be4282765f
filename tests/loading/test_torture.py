"""The 43 kinds of nasty file, each with what the user gets; the numbers are those of the list in the documentation."""

from __future__ import annotations

import gzip
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from tests.loading import reading
from tests.loading.reading import places, read, rows, types
from tests.loading.test_split import same_in_stretches
from tests.loading.torture_table import PAGE, table
from whence.loading import Loaded, load_path, read_csv
from whence.model.errors import BadInput
from whence.store.doctor import doctor
from whence.store.store import Store


@pytest.fixture(autouse=True)
def _also_in_stretches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file that can be read is read in stretches, too."""

    def read_in_both_ways(path: Path) -> Loaded:
        loaded = read_csv(path)
        same_in_stretches(path, tmp_path)
        return loaded

    monkeypatch.setattr(reading, "read_csv", read_in_both_ways)


def test_01_a_file_of_zero_bytes_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"t\.csv is empty"):
        read(tmp_path, b"")


def test_02_a_header_alone_gives_no_rows_and_says_so(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,b\n")
    assert types(loaded) == {"a": "string", "b": "string"}
    assert rows(loaded) == []
    assert places(loaded) == [("no rows", None, None, None)]


def test_03_blank_lines_are_counted(tmp_path: Path) -> None:
    loaded = read(tmp_path, "\na,b\n1,2\n\n\n3,4\n\n")
    assert rows(loaded) == [(1, 2), (3, 4)]
    assert loaded.report.blank_lines == 4
    assert loaded.problems == []


def test_04_a_missing_final_newline_changes_nothing(tmp_path: Path) -> None:
    assert rows(read(tmp_path, "a,b\n1,2")) == rows(read(tmp_path, "a,b\n1,2\n")) == [(1, 2)]


def test_05_ctrl_z_at_the_end_is_not_data_and_is_named(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,b\n1,2\n\x1a")
    assert rows(loaded) == [(1, 2)]
    assert places(loaded) == [("end mark", None, None, "\x1a")]


def test_06_a_utf8_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    loaded = read(tmp_path, b"\xef\xbb\xbfa,b\n\xc3\xa9,2\n")
    assert loaded.table.column_names[:2] == ["a", "b"]
    assert rows(loaded) == [("é", 2)]
    assert (loaded.report.encoding, loaded.problems) == ("utf-8", [])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_07_utf16_is_found_and_the_columns_with_such_letters_say_so(tmp_path: Path, encoding: str) -> None:
    loaded = read(tmp_path, "name,n\ncafé,1\nthé,2\n".encode(encoding))
    assert rows(loaded) == [("café", 1), ("thé", 2)]
    assert places(loaded) == [("encoding", None, "name", None)]
    assert loaded.report.encoding.startswith(encoding)


def test_08_latin1_is_found_and_letters_beyond_ascii_are_in_doubt(tmp_path: Path) -> None:
    loaded = read(tmp_path, "name,city\nRené,Köln\nBob,Århus\n".encode("latin-1"))
    assert rows(loaded) == [("René", "Köln"), ("Bob", "Århus")]
    assert places(loaded) == [("encoding", None, "name", None), ("encoding", None, "city", None)]
    assert {name: found.tolist() for name, found in loaded.doubtful.items()} == {"name": [0], "city": [0, 1]}


def test_09_a_bad_byte_in_a_utf8_file_is_kept_with_its_cell(tmp_path: Path) -> None:
    loaded = read(tmp_path, b"name,city\nRen\xc3\xa9,K\xff\nThor,\xc3\x85rhus\n")
    assert rows(loaded) == [("René", "K�"), ("Thor", "Århus")]
    assert places(loaded) == [("bad bytes", 0, "city", "K\\xff")]


def test_10_a_lone_surrogate_is_kept_with_its_cell(tmp_path: Path) -> None:
    loaded = read(tmp_path, b"name,city\n\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9,x\xed\xa0\x80y\n")
    assert rows(loaded) == [("éééé", "x���y")]
    assert places(loaded) == [("bad bytes", 0, "city", "x\\xed\\xa0\\x80y")]


def test_11_a_zero_byte_is_kept_and_named(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,b\nx\0y,2\nlonger text here,3\n")
    assert rows(loaded) == [("x\0y", 2), ("longer text here", 3)]
    assert places(loaded) == [("zero byte", 0, "a", "x\0y")]
    assert r"'x\x00y' in column a, line 2" in loaded.problems[0].message


def test_12_invisible_marks_in_names_are_taken_out_and_named(tmp_path: Path) -> None:
    loaded = read(tmp_path, "na\u200bme,\u202eb\nx,y\n")
    assert types(loaded) == {"name": "string", "b": "string"}
    assert places(loaded) == [("renamed", None, "name", "na\u200bme"), ("renamed", None, "b", "\u202eb")]
    assert r"'na\u200bme'" in loaded.problems[0].message


def test_13_a_short_row_is_kept_and_its_missing_cells_are_marked(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,b,c\n1,2,3\n4,5\n6\n")
    assert rows(loaded) == [(1, 2, 3), (4, 5, None), (6, None, None)]
    assert places(loaded) == [
        ("short row", 1, None, "4,5"),
        ("not in file", 1, "c", None),
        ("short row", 2, None, "6"),
        ("not in file", 2, "b", None),
        ("not in file", 2, "c", None),
    ]


def test_14_a_long_row_is_kept_with_its_extra_text(tmp_path: Path) -> None:
    loaded = read(tmp_path, 'a,b\n1,2,x,"y,z"\n3,4\n')
    assert types(loaded) == {"a": "bigint", "b": "bigint", "_extra": "string"}
    assert rows(loaded) == [(1, 2, 'x,"y,z"'), (3, 4, None)]
    assert places(loaded) == [("long row", 0, None, 'x,"y,z"')]


def test_14_a_column_that_is_called_extra_already_is_left_alone(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,_extra\n1,2,3\n4,5\n")
    assert rows(loaded) == [(1, 2, "3"), (4, 5, None)]
    assert list(types(loaded)) == ["a", "_extra", "_extra_2"]


def test_15_a_newline_in_quotes_does_not_split_the_record(tmp_path: Path) -> None:
    loaded = read(tmp_path, 'a,b\n"x\ny",1\n"p\r\n\nq",2\n')
    assert rows(loaded) == [("x\ny", 1), ("p\r\n\nq", 2)]
    assert loaded.table["__whence_line"].to_pylist() == [2, 4]


def test_16_a_delimiter_in_quotes_does_not_split_the_field(tmp_path: Path) -> None:
    loaded = read(tmp_path, 'a,b\n"x,y",1\n')
    assert (rows(loaded), loaded.problems) == ([("x,y", 1)], [])


def test_17_doubled_quotes_are_one_quote(tmp_path: Path) -> None:
    loaded = read(tmp_path, 'a,b\n"say ""hi""",1\n"""",2\n')
    assert (rows(loaded), loaded.problems) == ([('say "hi"', 1), ('"', 2)], [])


def test_18_an_unclosed_quote_is_named_with_its_line_and_the_rest_is_kept(tmp_path: Path) -> None:
    loaded = read(tmp_path, 'a,b\nx,1\n"y,2\nz,3\n')
    assert rows(loaded) == [("x", 1), ('"y', 2), ("z", 3)]
    assert places(loaded) == [("unclosed quote", 1, "a", '"y')]
    assert "line 3" in loaded.problems[0].message


def test_19_a_backslash_is_no_escape_and_the_cell_is_in_doubt(tmp_path: Path) -> None:
    loaded = read(tmp_path, 'a,b\n"say \\"hi\\" now",1\n')
    assert rows(loaded) == [('say \\hi\\" now"', 1)]
    assert places(loaded) == [("text after quote", 0, "a", 'say \\hi\\" now"')]


def test_20_names_used_twice_get_numbers(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,a,b\n1,2,3\n")
    assert list(types(loaded)) == ["a", "a_2", "b"]
    assert places(loaded) == [("renamed", None, "a_2", "a")]


def test_21_an_empty_name_gets_its_position(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,,c\n1,2,3\n")
    assert list(types(loaded)) == ["a", "column_2", "c"]
    assert places(loaded) == [("renamed", None, "column_2", "")]


def test_22_names_equal_but_for_case_get_numbers(tmp_path: Path) -> None:
    loaded = read(tmp_path, "id,ID\n1,2\n")
    assert list(types(loaded)) == ["id", "ID_2"]
    assert places(loaded) == [("renamed", None, "ID_2", "ID")]


def test_23_spaces_around_names_are_trimmed_and_the_original_is_kept(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a b, c \n1,2\n")
    assert list(types(loaded)) == ["a b", "c"]
    assert list(loaded.report.header) == ["a b", " c "]


def test_24_integers_beyond_64_bits_become_decimals(tmp_path: Path) -> None:
    loaded = read(tmp_path, "n\n9223372036854775808\n-1\n")
    assert types(loaded) == {"n": "decimal(19,0)"}
    assert rows(loaded) == [(Decimal(2**63),), (Decimal(-1),)]
    assert places(loaded) == [("large numbers", None, "n", None)]
    assert types(read(tmp_path, "n\n9223372036854775807\n-9223372036854775808\n")) == {"n": "bigint"}


def test_25_numbers_with_leading_zeros_stay_text(tmp_path: Path) -> None:
    loaded = read(tmp_path, "zip\n00123\n12345\n99999\n10000\n")
    assert rows(loaded) == [("00123",), ("12345",), ("99999",), ("10000",)]
    assert loaded.problems == []


def test_26_a_number_out_of_range_is_a_misfit_with_its_text(tmp_path: Path) -> None:
    loaded = read(tmp_path, "x\n1.5\n1e400\n-1e400\n1e-400\n2\n3\n4\n5\n6\n7\n8\n9\n0.0\n")
    assert rows(loaded)[:5] == [(1.5,), (None,), (None,), (None,), (2.0,)]
    assert places(loaded) == [("out of range", n, "x", text) for n, text in enumerate(["1e400", "-1e400", "1e-400"], 1)]
    assert "is out of range for a number" in loaded.problems[0].message


def test_27_words_among_numbers_are_misfits(tmp_path: Path) -> None:
    loaded = read(tmp_path, "x\n1.5\nNaN\ninf\nNA\n-Infinity\n")
    assert types(loaded) == {"x": "double"}
    assert rows(loaded) == [(1.5,), (None,), (None,), (None,), (None,)]
    assert places(loaded) == [("misfit", n, "x", text) for n, text in enumerate(["NaN", "inf", "NA", "-Infinity"], 1)]


def test_28_marks_between_thousands_are_not_guessed(tmp_path: Path) -> None:
    loaded = read(tmp_path, 'x,y\n"1,234",1\n"2,000",2\n"1,234,567",3\n7,"4,000"\n')
    assert rows(loaded) == [("1,234", 1), ("2,000", 2), ("1,234,567", 3), ("7", None)]
    assert places(loaded) == [("thousands", None, "x", None), ("misfit", 3, "y", "4,000")]


def test_29_the_type_of_three_quarters_wins_and_the_rest_is_named(tmp_path: Path) -> None:
    loaded = read(tmp_path, "x,y\n1,1\n2,2\n3,x\noops,y\n")
    assert rows(loaded) == [(1, "1"), (2, "2"), (3, "x"), (None, "y")]
    assert places(loaded) == [("misfit", 3, "x", "oops"), ("mixed types", None, "y", None)]
    expected = "'oops' in column x, line 5, is not a number; it is kept as text and the cell is empty."
    assert loaded.problems[0].message == expected


def test_30_a_day_that_may_be_a_month_is_in_doubt(tmp_path: Path) -> None:
    loaded = read(tmp_path, "d\n01/02/2024\n03/03/2024\n05/04/2024\n")
    assert rows(loaded) == [(date(2024, 1, 2),), (date(2024, 3, 3),), (date(2024, 5, 4),)]
    assert places(loaded) == [("day or month", None, "d", None)]
    assert loaded.doubtful["d"].tolist() == [0, 2]


def test_30_a_day_after_the_12th_settles_which_is_the_month(tmp_path: Path) -> None:
    loaded = read(tmp_path, "d\n01/02/2024\n25/12/2024\n")
    assert rows(loaded) == [(date(2024, 2, 1),), (date(2024, 12, 25),)]
    assert places(loaded) == [("date form", None, "d", None)]
    assert "day/month/year" in loaded.problems[0].message


def test_30_dates_in_several_forms_stay_text(tmp_path: Path) -> None:
    loaded = read(tmp_path, "d\n2024-01-02\n03.04.2024\n")
    assert rows(loaded) == [("2024-01-02",), ("03.04.2024",)]
    assert places(loaded) == [("mixed dates", None, "d", None)]


def test_31_the_30th_of_february_is_a_misfit(tmp_path: Path) -> None:
    loaded = read(tmp_path, "d\n2024-02-28\n2024-02-29\n2024-02-30\n2024-03-01\n")
    assert rows(loaded) == [(date(2024, 2, 28),), (date(2024, 2, 29),), (None,), (date(2024, 3, 1),)]
    assert places(loaded) == [("misfit", 2, "d", "2024-02-30")]


def test_32_yes_and_no_stay_text_and_true_and_false_do_not(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,b\nyes,true\nno,FALSE\n")
    assert rows(loaded) == [("yes", True), ("no", False)]
    assert places(loaded) == [("yes or no", None, "a", None)]
    assert "types={'a': 'boolean'} reads it all the same" in loaded.problems[0].message


def test_33_words_for_nothing_empty_text_and_no_text_are_told_apart(tmp_path: Path) -> None:
    loaded = read(tmp_path, 'a,b\nNULL,1\n\\N,2\n"",3\n,4\nx,5\n')
    assert rows(loaded) == [("NULL", 1), ("\\N", 2), ("", 3), (None, 4), ("x", 5)]
    assert places(loaded) == [("missing word", 0, "a", "NULL"), ("missing word", 1, "a", "\\N")]


def test_34_semicolons_and_decimal_commas_are_found(tmp_path: Path) -> None:
    loaded = read(tmp_path, "x;n\n1,5;2\n1.000,25;3\n")
    assert loaded.report.dialect is not None
    assert loaded.report.dialect.delimiter == ";"
    assert rows(loaded) == [(1.5, 2), (1000.25, 3)]
    assert places(loaded) == [("delimiter", None, None, None), ("decimal comma", None, "x", None)]
    assert "types={'x': 'string'} keeps the text" in loaded.problems[1].message


@pytest.mark.parametrize("delimiter", ["\t", "|"])
def test_35_tabs_and_bars_are_found(tmp_path: Path, delimiter: str) -> None:
    loaded = read(tmp_path, "a,b\tc\n1\t2\n".replace("\t", delimiter))
    assert loaded.report.dialect is not None
    assert loaded.report.dialect.delimiter == delimiter
    assert (list(types(loaded)), rows(loaded)) == (["a,b", "c"], [(1, 2)])


def test_36_a_comment_before_the_header_is_skipped_and_kept_in_the_report(tmp_path: Path) -> None:
    loaded = read(tmp_path, "# made by hand, in May, 2024\n\na,b\n1,2\n")
    assert rows(loaded) == [(1, 2)]
    assert places(loaded) == [("comment", None, None, "# made by hand, in May, 2024")]
    assert loaded.table["__whence_line"].to_pylist() == [4]


def test_36_a_header_that_begins_like_a_comment_is_a_header(tmp_path: Path) -> None:
    assert list(types(read(tmp_path, "#id,name\n1,x\n"))) == ["#id", "name"]


def test_37_a_last_row_that_looks_like_a_total_is_in_doubt(tmp_path: Path) -> None:
    loaded = read(tmp_path, "k,n\na,1\nb,2\nTotal,3\n")
    assert rows(loaded)[-1] == ("Total", 3)
    assert places(loaded) == [("total", 2, None, "Total")]


def test_38_carriage_returns_alone_end_lines(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,b\r1,2\r3,4\r")
    assert (rows(loaded), loaded.problems) == ([(1, 2), (3, 4)], [])


def test_39_mixed_line_ends_are_read_and_named(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a,b\r\n1,2\n3,4\r\n")
    assert rows(loaded) == [(1, 2), (3, 4)]
    assert places(loaded) == [("mixed line ends", None, None, None)]


@pytest.mark.parametrize("text", ['a,b\r\n1,"x\ny"\r\n2,z\r\n', 'a,b\n1,"x\r\ny"\n2,z\n', 'a,b\r\n1,"x\ny"'])
def test_39_line_breaks_inside_quotes_are_data_and_do_not_count(tmp_path: Path, text: str) -> None:
    loaded = read(tmp_path, text)
    assert str(rows(loaded)[0][1]).splitlines() == ["x", "y"]
    assert places(loaded) == []


def test_mixed_line_ends_beside_quoted_line_breaks_and_stray_quotes_are_named(tmp_path: Path) -> None:
    loaded = read(tmp_path, 'a,b\r\n1,"x\ny"\r\n2,"z"z\n3,w\r\n')
    assert ("mixed line ends", None, None, None) in places(loaded)
    assert "mixed line ends" not in {kind for kind, *_ in places(read(tmp_path, 'a,b\r\n1,"x\ny"\r\n2,"z"z\r\n'))}


def test_40_five_thousand_columns_are_read_and_more_than_ten_thousand_are_refused(tmp_path: Path) -> None:
    names = [f"c{n}" for n in range(5_000)]
    loaded = read(tmp_path, ",".join(names) + "\n" + ",".join("1" * 5_000) + "\n")
    assert (list(types(loaded)), rows(loaded)) == (names, [(1,) * 5_000])
    with pytest.raises(BadInput, match="has 10001 columns"):
        read(tmp_path, "x," * 10_000 + "x\n1\n")


def test_41_a_field_of_two_megabytes_is_read(tmp_path: Path) -> None:
    text = "x\n" * (1 << 20)
    loaded = read(tmp_path, f'a,b\n"{text}",1\n')
    assert rows(loaded) == [(text, 1)]


def test_42_formulas_are_text(tmp_path: Path) -> None:
    loaded = read(tmp_path, "a\n=1+1\n\"=cmd|' /C calc'!A0\"\n@x\n")
    assert [value for (value,) in rows(loaded)] == ["=1+1", "=cmd|' /C calc'!A0", "@x"]


def test_43_a_gzip_file_is_unpacked_whatever_its_name(tmp_path: Path) -> None:
    packed = gzip.compress(b"a,b\n1,2\n")
    assert rows(read(tmp_path, packed, "t.csv.gz")) == rows(read(tmp_path, packed, "t.csv")) == [(1, 2)]


def test_43_a_gzip_file_that_explodes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="unpacks to more than 200 times its size"):
        read(tmp_path, gzip.compress(b"a,b\n" * 20_000_000), "t.csv.gz")


def test_43_what_can_be_read_of_a_cut_gzip_file_is_kept_aside(store: Store, tmp_path: Path) -> None:
    text = "a,b\n" + "".join(f"{n},{n * 7919 % 1000}\n" for n in range(20_000))
    packed = gzip.compress(text.encode())
    (tmp_path / "t.csv.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(
        BadInput, match=r"is cut off.* What could be read of it is in .*t\.csv-until-damage\."
    ) as caught:
        load_path(store, tmp_path / "t.csv.gz", "t")
    kept = Path(caught.value.hint.removeprefix("What could be read of it is in ").removesuffix("."))
    assert text.startswith(kept.read_text())
    assert kept.read_text().endswith("\n")
    assert len(kept.read_text()) > len(text) // 4
    assert load_path(store, kept, "t").rows > 1000
    assert doctor(store) == []


def test_43_a_cut_or_false_gzip_file_is_refused(tmp_path: Path) -> None:
    packed = gzip.compress(b"a,b\n1,2\n" * 1000)
    with pytest.raises(BadInput, match="is cut off"):
        read(tmp_path, packed[: len(packed) // 2], "t.csv.gz")
    with pytest.raises(BadInput, match="is not a gzip file"):
        read(tmp_path, b"a,b\n1,2\n", "t.csv.gz")
    with pytest.raises(BadInput, match="damaged gzip"):
        read(tmp_path, packed[:10] + b"garbage" + packed[10:], "t.csv.gz")


def test_the_documentation_says_what_these_tests_say() -> None:
    assert all(any(name.startswith(f"test_{number:02d}_") for name in globals()) for number in range(1, 44))
    assert table(globals()) in PAGE.read_text(), "print(table(...)) gives the table that belongs in docs/loading.md"
