"""One cell at the gate: its session in Spark Connect, and the shared views that it may name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

GLOBAL_VIEWS = "global_temp"
_NAME = r"(\w+|`[^`]+`)"
_IDENTIFIER = re.compile(rf"{_NAME}(?:\.{_NAME})?")


@dataclass(frozen=True)
class Visitor:
    """A cell that runs. `views` grows while it asks for datasets."""

    session: str
    views: Collection[str]

    def may_name(self, parts: Sequence[str]) -> bool:
        """Return whether the cell may name a table: its own temporary view, or a view shared with it.

        >>> cell = Visitor("", ["whence_1"])
        >>> cell.may_name(["mine"]), cell.may_name(["global_temp", "whence_1"]), cell.may_name(["global_temp", "other"])
        (True, True, False)
        """
        if len(parts) == 1:
            return True
        return len(parts) == 2 and parts[0].lower() == GLOBAL_VIEWS and parts[1].lower() in self.views

    def may_read(self, identifier: str) -> bool:
        """Return whether the cell may read a table that is named in one text.

        >>> Visitor("", []).may_read("mine"), Visitor("", []).may_read("text.`/etc/passwd`")
        (True, False)
        """
        found = _IDENTIFIER.fullmatch(identifier.strip())
        return found is not None and self.may_name([part.strip("`") for part in found.groups() if part is not None])
