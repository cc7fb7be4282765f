"""Write letters as capitals or small."""

from __future__ import annotations

from whence.cleaning.chosen import Chosen
from whence.cleaning.lens import Cleaned, Lens, LensInput
from whence.cleaning.parameter import Parameter
from whence.cleaning.sql import quoted

_CASES = {"upper": "upper", "lower": "lower", "title": "initcap"}


class ChangeCase(Lens):
    """All letters become capitals, or small, or the first of each word a capital."""

    name = "change_case"
    title = "Change capitals"
    guesses = "nothing"
    parameters = (
        Parameter("columns", "columns", "the columns to change; all text columns if left open"),
        Parameter("to", "choice", "how letters are written", is_required=True, choices=tuple(_CASES)),
    )

    def clean(self, given: LensInput, chosen: Chosen) -> Cleaned:
        columns, to = given.text_columns(chosen.columns("columns")), chosen.text("to")
        changed = {each.name: f"{_CASES[to]}({quoted(each.name)})" for each in columns}
        names = ", ".join(each.name for each in columns) or "no column"
        return Cleaned(given.outputs(changed), f"{names} is written in {to} case.")
