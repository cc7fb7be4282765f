"""The output columns of Spark's operators, fetched from the Java process one by one when a rule reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whence.plan.expr import Column


class Outputs:
    """The output columns of the inputs of one operator, by the column ids that rules use."""

    def __init__(self, plans: Iterable[tuple[Any, tuple[Column, ...]]]) -> None:
        """Take each input plan with its columns, in output order."""
        self._places: dict[int, tuple[_Output, int]] = {}
        for plan, columns in plans:
            output = _Output(plan)
            self._places.update({column.id: (output, place) for place, column in enumerate(columns)})

    def get(self, column: Column) -> Any | None:  # noqa: ANN401 - a JVM object
        """Return Spark's attribute for a column; None if no input has it."""
        if column.id not in self._places:
            return None
        output, place = self._places[column.id]
        return output.attribute(place)


class _Output:
    def __init__(self, plan: Any) -> None:  # noqa: ANN401
        self._plan = plan
        self._seq: Any = None
        self._attributes: dict[int, Any] = {}

    def attribute(self, place: int) -> Any:  # noqa: ANN401
        if self._seq is None:
            self._seq = self._plan.output()
        if place not in self._attributes:
            self._attributes[place] = self._seq.apply(place)
        return self._attributes[place]
