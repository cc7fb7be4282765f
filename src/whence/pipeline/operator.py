"""What an operator is: a kind of step with a rule that turns a call into columns, rows and templates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from whence.pipeline.applied import Applied
from whence.pipeline.given import Given


class Operator(ABC):
    """One kind of step. `core` is the pattern of the paper's section 3.2 it is an instance of."""

    name: ClassVar[str]
    title: ClassVar[str]
    core: ClassVar[str]
    provenance: ClassVar[str]
    """Which cells a written cell comes from, in words, for the docs."""

    @abstractmethod
    def apply(self, given: Given, *args: Any, **parameters: Any) -> Applied:  # noqa: ANN401 - each has its own
        """What this call does to the table."""
