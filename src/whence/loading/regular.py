"""Arrow's CSV reader, used for text only. Its input has no misplaced quotes."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.csv as pv

from whence.loading.exact import Form


def read_regular(text: bytes, form: Form, width: int) -> list[pa.Array]:
    """Return records that all have the right number of fields as columns of text."""
    if not text:
        return [pa.array([], pa.string()) for _ in range(width)]
    if not text.endswith((b"\n", b"\r")):
        text += b"\n"  # Arrow takes an empty field at the very end for a quoted one if the field before it is quoted.
    return _columns(text, width, pv.ParseOptions(**_parse_options(text, form)))


def read_window(text: bytes, form: Form, width: int, lines: int) -> list[pa.Array] | None:
    """Return lines without quotes as columns, or None if one is not a record with the right number of fields."""
    misfits = 0

    def refuse(_: pv.InvalidRow) -> str:
        nonlocal misfits
        misfits += 1
        return "skip"

    if not text.endswith(b"\n"):
        text += b"\n"
    columns = _columns(text, width, pv.ParseOptions(**_parse_options(text, form), invalid_row_handler=refuse))
    return columns if not misfits and len(columns[0]) == lines else None


def _parse_options(text: bytes, form: Form) -> dict[str, object]:
    has_quotes = bool(form.quote) and form.quote in text
    return {
        "delimiter": form.delimiter.decode(),
        "quote_char": form.quote.decode() if has_quotes else False,
        "newlines_in_values": has_quotes,
    }


def _columns(text: bytes, width: int, options: pv.ParseOptions) -> list[pa.Array]:
    names = [str(position) for position in range(width)]
    table = pv.read_csv(
        pa.BufferReader(text),
        read_options=pv.ReadOptions(column_names=names, block_size=len(text) + 1, use_threads=False),
        parse_options=options,
        convert_options=pv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            check_utf8=False,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )
    return [column.combine_chunks() for column in table.columns]
