"""Take the names of columns from a row."""

from __future__ import annotations

from whence.cleaning.chosen import Chosen
from whence.cleaning.header import find_header
from whence.cleaning.lens import RID, Cleaned, Lens, LensInput, Output, Sieve
from whence.cleaning.parameter import Parameter
from whence.cleaning.sql import quoted
from whence.model.caveat import Caveat
from whence.model.errors import UserError
from whence.model.schema import INTERNAL_PREFIX, unique_names

_LOOKED_AT = 100


class FindHeader(Lens):
    """A row of words near the top names the columns; it and what stands above it are no data."""

    name = "find_header"
    title = "Find the header"
    guesses = "the rows left out, unless you say which row is the header: they might belong after all"
    parameters = (Parameter("row", "number", "the row that names the columns, from 0; looked for if left open"),)

    def clean(self, given: LensInput, chosen: Chosen) -> Cleaned:
        rows = given.head(_LOOKED_AT if not chosen.has("row") else int(chosen.number("row")) + 1)
        row = int(chosen.number("row")) if chosen.has("row") else find_header([list(each.values()) for each in rows])
        if row is None:
            raise UserError(
                f"No row of {given.label} looks like a header.", "Say which one it is with row=, or load as text."
            )
        if not 0 <= row < given.rows:
            raise UserError(f"{given.label} has no row {row}.", f"It has {given.rows} rows.")
        old = given.schema.names
        names = _names(old, rows[row])
        sentence = f"Row {row} names the columns; it and the {row} rows above it are left out."
        outputs = tuple(Output(new, quoted(name)) for new, name in zip(names, old, strict=True))
        learned = {"row": row, "names": names}
        if chosen.has("row"):
            return Cleaned(outputs, sentence, (), learned, tail=f"where {RID} > {row}")
        note = Caveat(
            f"Row {row} of {given.label} looks like a header, so it and what is above are left out.", "header"
        )
        sieve = Sieve(f"{RID} > {row}", f"{RID} <= {row}")
        return Cleaned(outputs, sentence, (), learned, sieve=sieve, notes=(note,))


def _names(old: tuple[str, ...], row: dict[str, object]) -> list[str]:
    """What the row says; a column it says nothing about keeps its name."""
    found = [str(row[name] or "").strip() or name for name in old]
    return unique_names([name.removeprefix(INTERNAL_PREFIX) for name in found])
