"""The response model of a parameter of a cell, a transformation or a chart operator."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from whence.model.parameter import ParameterKind


class ParameterView(BaseModel):
    """A field of a form. Its kind decides what the field shows."""

    model_config = ConfigDict(from_attributes=True)

    name: str
    kind: ParameterKind
    label: str
    is_required: bool
    default: object
    choices: list[str]
    least: float | None = None
    fields: list[ParameterView] = []
    """What each of several entries holds; without any, the columns of the source."""
