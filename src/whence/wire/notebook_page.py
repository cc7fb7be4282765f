"""Request and response models about the page of a notebook: items on a grid, and inputs that set parameters."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from whence.model.page import (
    GRID_COLUMNS,
    LONGEST_TITLE,
    MOST_CHOICES,
    MOST_ITEMS,
    MOST_ROWS,
    TALLEST,
    Control,
    ControlKind,
    PageItem,
    Shows,
)
from whence.wire.edits import LONGEST_ID, EditBase

Name = Annotated[str, Field(max_length=LONGEST_ID)]


class ControlView(BaseModel):
    """How a reader sets a parameter: the kind of input, and which values it offers."""

    kind: ControlKind
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: list[bool | int | float | str] = Field(default_factory=list, max_length=MOST_CHOICES)
    until: Name = ""
    """The parameter with the last day of a range of dates."""

    @classmethod
    def of(cls, control: Control) -> ControlView:
        """Return the model of a control."""
        return cls(
            kind=control.kind,
            low=control.low,
            high=control.high,
            step=control.step,
            choices=list(control.choices),
            until=control.until,
        )

    def control(self) -> Control:
        """Return the control that the model describes."""
        return Control(self.kind, self.low, self.high, self.step, choices=tuple(self.choices), until=self.until)


class PlacedItem(BaseModel):
    """One thing on a page, and its place on the grid, counted from 0 from the left and from the top."""

    cell: str = Field(min_length=1, max_length=LONGEST_ID)
    shows: Shows
    name: Name = ""
    """The dataset of a table, or the parameter of an input; empty for the first dataset of the cell."""
    x: int = Field(ge=0, lt=GRID_COLUMNS)
    y: int = Field(ge=0, le=MOST_ROWS)
    width: int = Field(ge=1, le=GRID_COLUMNS)
    height: int = Field(ge=1, le=TALLEST)
    title: str = Field("", max_length=LONGEST_TITLE)
    control: ControlView | None = None

    def item(self) -> PageItem:
        """Return the item that the model describes."""
        control = None if self.control is None else self.control.control()
        return PageItem(
            self.shows,
            self.name,
            x=self.x,
            y=self.y,
            width=self.width,
            height=self.height,
            title=self.title,
            control=control,
            cell=self.cell,
        )


class PageItemView(PlacedItem):
    """An item as a page shows it."""

    values: list[object] = Field(default_factory=list)
    """What the parameters of an input are now: that of the item, and for dates also the last day."""

    @classmethod
    def of(cls, item: PageItem, values: list[object]) -> PageItemView:
        """Return the model of an item."""
        return cls(
            cell=item.cell,
            shows=item.shows,
            name=item.name,
            x=item.x,
            y=item.y,
            width=item.width,
            height=item.height,
            title=item.title,
            control=None if item.control is None else ControlView.of(item.control),
            values=values,
        )


class ArrangedPage(EditBase):
    """Everything that is to stand on the page."""

    items: list[PlacedItem] = Field(max_length=MOST_ITEMS)


class NewParameters(BaseModel):
    """Parameters with the values that they are to get."""

    values: dict[str, object] = Field(min_length=1, max_length=100)
