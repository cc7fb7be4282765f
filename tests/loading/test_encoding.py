from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.loading.encoding import decode, restore


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
@settings(deadline=None)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_text_that_names_its_encoding_is_decoded_exactly(encoding: str, text: str) -> None:
    if not text.startswith("\ufeff"):  # at the start it is a byte order mark, whatever was meant
        assert bytes(decode(text.encode(encoding), "t").data).decode() == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Ärger, Öl, naïve café, señor\n", "cp1252"),
        ("Съешь же ещё этих мягких французских булок, да выпей чаю\n", "cp1251"),
        ("いろはにほへと ちりぬるを わかよたれそ つねならむ\n", "cp932"),
    ],
)
def test_an_encoding_is_guessed_from_its_letters(text: str, encoding: str) -> None:
    found = decode((text * 5).encode(encoding), "t")
    assert (found.encoding, found.is_guess) == (encoding, True)
    assert bytes(found.data).decode() == text * 5


def test_bad_bytes_in_good_utf8_are_carried_and_restored() -> None:
    found = decode("é".encode() * 5 + b"\xff\xfe", "t")
    assert found.has_bad_bytes
    assert restore(bytes(found.data).decode()) == ("é" * 5 + "��", "é" * 5 + "\\xff\\xfe")


def test_a_long_plain_file_with_one_bad_byte_is_decoded_in_time() -> None:
    data = (b"x" * 200 + b"\n") * 50_000 + b"\xe9\n"
    start = time.monotonic()
    assert bytes(decode(data, "t").data).endswith("é\n".encode())
    assert time.monotonic() - start < 5
