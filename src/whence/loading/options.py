"""The options with which a user overrides what whence detects about a file."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from whence.model.errors import BadInput

TYPES = ("string", "bigint", "int", "double", "boolean", "date", "timestamp", "timestamp_ntz", "decimal(p,s)")
_DECIMAL = re.compile(r"decimal\((\d{1,2}),\s*(\d{1,2})\)")


@dataclass(frozen=True)
class Options:
    """Options for reading a file. None means that whence detects the value."""

    delimiter: str | None = None
    quote: str | None = None
    """The quote character. An empty text means that fields are not quoted."""
    header: bool | None = None
    encoding: str | None = None
    types: Mapping[str, str] = field(default_factory=dict)
    skip: int = 0
    nulls: Sequence[str] = ()
    comment: str | None = None
    """The prefix of comment lines. An empty text means that no line is a comment."""
    file_column: str | None = None
    """Name of an extra column that holds the file each row came from."""

    def __post_init__(self) -> None:
        _check_letter("delimiter", self.delimiter)
        if self.quote:
            _check_letter("quote", self.quote)
        if self.delimiter is not None and self.delimiter == self.quote:
            raise BadInput(f"delimiter and quote cannot both be {self.quote!r}.")
        if self.header not in (None, True, False):
            raise BadInput(f"header is True, False or left out, not {self.header!r}.")
        _check_encoding(self.encoding)
        _check_types(self.types)
        if self.skip < 0:
            raise BadInput(f"skip is a number of lines, not {self.skip!r}.")
        if isinstance(self.nulls, str) or not all(isinstance(word, str) for word in self.nulls):
            raise BadInput('nulls is a list of words, for example nulls=["NA", "-"].')
        if self.comment is not None and ("\n" in self.comment or "\r" in self.comment):
            raise BadInput("comment is what a line of comment begins with, and cannot hold a line end.")

    def as_document(self) -> dict[str, object]:
        """Return the options that were set, as a JSON document."""
        chosen = {**asdict(self), "types": dict(self.types), "nulls": list(self.nulls)}
        # `False in (None, 0, ...)` is true in Python, yet header=False is a decision.
        return {name: value for name, value in chosen.items() if value not in (None, 0, [], {}) or value is False}


def _check_letter(name: str, letter: str | None) -> None:
    if letter is not None and (len(letter) != 1 or not letter.isascii() or letter in "\r\n\0"):
        raise BadInput(f"{name} is one ASCII letter that ends no line, not {letter!r}.")


def _check_encoding(encoding: str | None) -> None:
    try:
        if encoding is not None:
            codecs.lookup(encoding)
            # Python also has codecs that encode no text, such as base64: this raises a LookupError for them.
            "".encode(encoding)
    except LookupError as error:
        raise BadInput(f"There is no encoding {encoding!r}.", "Some are utf-8, cp1252, utf-16, gb18030.") from error


def _check_types(types: Mapping[str, str]) -> None:
    for column, name in types.items():
        decimal = _DECIMAL.fullmatch(name)
        if decimal and int(decimal[2]) <= int(decimal[1]) <= 38 and int(decimal[1]) > 0:
            continue
        if name not in TYPES[:-1]:
            raise BadInput(f"Column {column} cannot be read as {name!r}.", f"The types are {', '.join(TYPES)}.")
