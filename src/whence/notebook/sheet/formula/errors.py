"""What a cell shows when its formula has no value: a code every spreadsheet user knows, and a sentence."""

from __future__ import annotations

from dataclasses import dataclass

REF, DIV, VALUE, NAME, NUM, CYCLE, SYNTAX = "#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#CYCLE!", "#SYNTAX!"
NA = "#N/A"

_SENTENCES = {
    REF: "It refers to a cell that is not there.",
    DIV: "It divides by zero.",
    VALUE: "It needs a number where there is none.",
    NAME: "It uses a name that is not known.",
    NUM: "The result is no number that can be kept.",
    NA: "Nothing matches.",
    CYCLE: "It depends on itself.",
    SYNTAX: "It cannot be read as a formula.",
}


@dataclass(frozen=True)
class FormulaError:
    """The error of one cell; it takes the place of a value and passes through whatever reads it."""

    code: str
    why: str

    def __str__(self) -> str:
        return f"{self.code} {self.why}"


def error(code: str, why: str = "") -> FormulaError:
    """Return the error of this code, with the usual sentence if none is given."""
    return FormulaError(code, why or _SENTENCES.get(code, "It has no value."))


CODES = tuple(_SENTENCES)
