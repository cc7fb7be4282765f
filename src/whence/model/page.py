"""The page of a notebook: which outputs of its cells stand where on a grid, and which inputs set its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from typing import Literal, cast

from whence.model.errors import BadInput

GRID_COLUMNS = 12
"""Items stand on a grid of this many columns."""
MOST_ROWS = 10_000
TALLEST = 200
MOST_ITEMS = 200
LONGEST_TITLE = 200
MOST_CHOICES = 200

Shows = Literal["chart", "table", "text", "input"]
"""What an item shows of its cell: its chart, a dataset that it made, what it says or printed, or an input."""

ControlKind = Literal["slider", "number", "select", "text", "dates", "checkbox"]

Choice = str | int | float | bool


@dataclass(frozen=True)
class Control:
    """How a reader sets a parameter: the kind of input, and which values it offers."""

    kind: ControlKind
    low: float | None = None
    """The least value of a slider or a number."""
    high: float | None = None
    step: float | None = None
    choices: tuple[Choice, ...] = ()
    """The values that a select offers."""
    until: str = ""
    """The parameter with the last day of a range of dates; the item itself names that of the first day."""


@dataclass(frozen=True)
class PageItem:
    """One thing on a page: what it shows, and its place on the grid, counted from 0 from the left and from the top."""

    shows: Shows
    name: str = ""
    """The dataset of a table, or the parameter of an input. An empty name means the first dataset of the cell."""
    x: int = 0
    y: int = 0
    width: int = 6
    height: int = 8
    title: str = ""
    control: Control | None = None
    cell: str = ""
    """The id of the cell. The cell itself stores its items, so it is empty there and in files."""

    @property
    def key(self) -> tuple[str, Shows, str]:
        """What tells this item from all others of the page."""
        return self.cell, self.shows, self.name.lower()


def check_items(items: Sequence[PageItem]) -> None:
    """Raise an error if an item does not fit the grid, lacks what it needs, or is there twice."""
    if len(items) > MOST_ITEMS:
        raise BadInput(f"A page has at most {MOST_ITEMS} items, not {len(items)}.", "Remove some.")
    for item in items:
        _check_place(item)
        _check_input(item)
    keys = sorted(item.key for item in items)
    twice = next((key for key, other in pairwise(keys) if key == other), None)
    if twice is not None:
        raise BadInput(f"The {twice[1]} of cell {twice[0]} is on the page twice.", "Move the one that is there.")


def settle(items: Iterable[PageItem], first: Iterable[PageItem] = ()) -> list[PageItem]:
    """Return the items in reading order, with those moved down that would cover others. The first ones stay.

    >>> [item.y for item in settle([PageItem("table", "a", height=2), PageItem("table", "b", y=1)])]
    [0, 2]
    """
    favoured = set(first)
    placed: list[PageItem] = []
    for item in sorted(items, key=lambda each: (each not in favoured, each.y, each.x)):
        while below := [other.y + other.height for other in placed if _cover(item, other)]:
            item = replace(item, y=min(below))
        placed.append(item)
    return sorted(placed, key=lambda each: (each.y, each.x))


def item_to_json(item: PageItem) -> dict[str, object]:
    """Return an item as JSON, without its cell and without what is as it is by default.

    >>> item_to_json(PageItem("chart", cell="c1", width=4))
    {'shows': 'chart', 'width': 4}
    """
    control = None if item.control is None else _differing(item.control, Control(item.control.kind))
    place = _differing(replace(item, control=None, cell=""), PageItem(item.shows))
    return {"shows": item.shows, **place} | ({} if control is None else {"control": control})


def describe_item(item: PageItem) -> str:
    """Return what an item shows and where it stands, in words; columns and rows of the page count from 1.

    >>> describe_item(PageItem("table", "prices", x=6, title="Today", height=4))
    'table prices “Today”, columns 7 to 12, rows 1 to 4'
    >>> describe_item(PageItem("input", "least", height=1, control=Control("slider", low=0, high=9, step=0.5)))
    'input least, columns 1 to 6, row 1, a slider from 0 to 9 by 0.5'
    """
    shows = f"{item.shows} {item.name}".strip()
    title = f" “{item.title}”" if item.title else ""
    place = f"{_span('column', item.x, item.width)}, {_span('row', item.y, item.height)}"
    return f"{shows}{title}, {place}{'' if item.control is None else f', {_describe_control(item.control)}'}"


def _span(unit: str, first: int, size: int) -> str:
    return f"{unit} {first + 1}" if size == 1 else f"{unit}s {first + 1} to {first + size}"


def _describe_control(control: Control) -> str:
    parts = [("from", control.low), ("to", control.high), ("by", control.step), ("until", control.until or None)]
    limits = [
        f"{word} {value:g}" if isinstance(value, float) else f"{word} {value}"
        for word, value in parts
        if value is not None
    ]
    choices = [f"of {', '.join(map(str, control.choices))}"] if control.choices else []
    return " ".join([f"a {control.kind}", *limits, *choices])


def item_from_json(content: Mapping[str, object]) -> PageItem:
    """Return the item that `item_to_json` wrote. Raise an error about anything else.

    >>> item_from_json({"shows": "input", "name": "least", "control": {"kind": "number"}}).control
    Control(kind='number', low=None, high=None, step=None, choices=(), until='')
    """
    given = dict(content)
    control = given.pop("control", None)
    try:
        made = None if control is None else _control(cast("Mapping[str, object]", control))
        item = PageItem(**given, control=made)  # type: ignore[arg-type]  # checked next
        check_items([item])
    except (TypeError, ValueError) as error:
        raise BadInput("This is no item of a page.", f"{error}.") from error
    return item


def _control(content: Mapping[str, object]) -> Control:
    return Control(**{**content, "choices": tuple(cast("list[Choice]", content.get("choices", ())))})  # type: ignore[arg-type]


def _differing(thing: PageItem | Control, default: PageItem | Control) -> dict[str, object]:
    """Return the fields in which a thing differs from the default; of a control also its kind."""
    found = {key: value for key, value in asdict(thing).items() if value != getattr(default, key) or key == "kind"}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in found.items()}


def _cover(one: PageItem, other: PageItem) -> bool:
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and one.y < other.y + other.height and other.y < one.y + one.height


def _check_place(item: PageItem) -> None:
    numbers = (item.x, item.y, item.width, item.height)
    if not all(type(each) is int for each in numbers):
        raise BadInput(f"The place of an item is four whole numbers, not {numbers}.")
    if not (item.x >= 0 and item.width >= 1 and item.x + item.width <= GRID_COLUMNS):
        raise BadInput(
            f"An item from column {item.x} that is {item.width} wide is not on the page.",
            f"A page has the columns 0 to {GRID_COLUMNS - 1}.",
        )
    if not (0 <= item.y <= MOST_ROWS and 1 <= item.height <= TALLEST):
        raise BadInput(
            f"An item from row {item.y} that is {item.height} high is not on the page.",
            f"It may begin in the rows 0 to {MOST_ROWS} and be 1 to {TALLEST} high.",
        )
    texts: list[object] = [item.name, item.title]  # read from files, they may be anything
    if not all(isinstance(each, str) for each in texts) or len(item.title) > LONGEST_TITLE:
        raise BadInput(f"The title of an item is a text of at most {LONGEST_TITLE} letters.")


def _check_input(item: PageItem) -> None:
    control = item.control
    if item.shows not in ("chart", "table", "text", "input"):
        raise BadInput(f"An item cannot show {item.shows!r}.", "It shows a chart, a table, text or an input.")
    if control is None and item.shows != "input":
        return
    if control is None or item.shows != "input" or not item.name:
        raise BadInput("An input needs a parameter and a control, and nothing else has one.")
    if control.kind not in ("slider", "number", "select", "text", "dates", "checkbox"):
        raise BadInput(f"There is no input {control.kind!r}.", "Kinds: slider, number, select, text, dates, checkbox.")
    limits = {field.name: getattr(control, field.name) for field in fields(control) if field.name in _LIMITS}
    if any(value is not None and type(value) not in (int, float) for value in limits.values()):
        raise BadInput(f"The limits of the input of {item.name} are not numbers.")
    if control.kind == "slider" and (control.low is None or control.high is None or control.low >= control.high):
        raise BadInput(f"The slider of {item.name} needs a least and a greatest value.", "Give low and high.")
    if control.kind == "select" and not 0 < len(control.choices) <= MOST_CHOICES:
        raise BadInput(f"The select of {item.name} needs 1 to {MOST_CHOICES} choices.", "Give choices.")
    if control.kind == "dates" and not control.until:
        raise BadInput(f"The dates from {item.name} on need the parameter of the last day.", "Give until.")


_LIMITS = ("low", "high", "step")
