"""Take off the spaces around a text."""

from __future__ import annotations

from whence.cleaning.chosen import Chosen
from whence.cleaning.lens import Cleaned, Lens, LensInput
from whence.cleaning.parameter import Parameter
from whence.cleaning.sql import quoted, text

_SPACE = r"[\s\x{FEFF}\x{200B}]"


class Trim(Lens):
    """Spaces of every kind before and after a text go; those inside may be made one."""

    name = "trim"
    title = "Trim spaces"
    guesses = "nothing"
    parameters = (
        Parameter("columns", "columns", "the columns to trim; all text columns if left open"),
        Parameter("inside", "flag", "whether several spaces inside a text become one", False),
    )

    def clean(self, given: LensInput, chosen: Chosen) -> Cleaned:
        columns = given.text_columns(chosen.columns("columns"))
        ends = text(f"(?U)^{_SPACE}+|{_SPACE}+$")
        changed = {each.name: f"regexp_replace({quoted(each.name)}, {ends}, '')" for each in columns}
        if chosen.flag("inside"):
            inside = text(f"(?U){_SPACE}+")
            changed = {name: f"regexp_replace({sql}, {inside}, ' ')" for name, sql in changed.items()}
        names = ", ".join(each.name for each in columns) or "no column"
        said = " and several inside made one" if chosen.flag("inside") else ""
        return Cleaned(given.outputs(changed), f"Spaces around {names} were taken off{said}.")
