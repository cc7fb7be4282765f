"""Point out values far from the others."""

from __future__ import annotations

from collections.abc import Iterator

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, is_number
from whence.transformations.plan import Guess, Output, TransformationPlan
from whence.transformations.sql import concat_text, quoted, text
from whence.transformations.suggestion import ColumnLook, Suggestion
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation

_FAR = 3.0
_THRESHOLDS = {"robust z": 3.5, "iqr": 1.5}


class FlagOutliers(Transformation):
    """Point out values far from the median, measured in median deviations, or far from the middle half of the
    values."""

    name = "flag_outliers"
    title = "Flag outliers"
    group = "Clean"
    pattern = "vertical augmentation"
    provenance = "a flag comes from the cell it is about and from the bounds, which come from the column"
    guesses = "each outlier, unless only a flag column is wanted"
    parameters = (
        Parameter("column", "column", "the column of numbers to look at", is_required=True),
        Parameter("method", "choice", "how distance is measured", "robust z", choices=tuple(_THRESHOLDS)),
        Parameter("threshold", "number", "how far is far; 3.5 for robust z and 1.5 for iqr if left open"),
        Parameter("show", "choice", "what becomes of an outlier", "caveat", choices=("caveat", "flag", "both")),
        Parameter("into", "text", "the name of the flag column; column_outlier if left open"),
    )
    example = {"column": "price", "method": "iqr"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        column, method, show = arguments.column("column"), arguments.text("method"), arguments.text("show")
        if not is_number(column):
            raise UserError(f"{column.name} holds {column.type}, not numbers.")
        threshold = arguments.number("threshold") if arguments.has("threshold") else _THRESHOLDS[method]
        if threshold <= 0:
            raise UserError(f"A threshold of {threshold} would make every value an outlier.", "Give one above 0.")
        read = quoted(column.name)
        bounds = _bounds(table, column, method, threshold)
        low, high = bounds or (float("-inf"), float("inf"))
        is_far = (
            f"({read} < double('{low}') or {read} > double('{high}'))" if bounds else f"({read} is not null and false)"
        )
        usual = f"{low:.6g} to {high:.6g}"
        message = concat_text(text(f"{column.name} is "), read, text(f", far from most values ({usual} by {method})."))
        learned = {"low": low, "high": high} if bounds else {}
        statistic = Statistic(f"usual range of {column.name}", (column.name,), learned, non_null=(column.name,))
        flags = [] if show == "caveat" else [table.new_name(arguments.maybe("into") or f"{column.name}_outlier")]
        return TransformationPlan(
            f"Values of {column.name} outside of {usual} are outliers ({method}, threshold {threshold:g})."
            f"{table.learned_in_doubt(column)}",
            (*table.outputs(), *(Output(flag, is_far) for flag in flags)),
            tuple(Template((Read(column.name),), (flag,), (statistic,)) for flag in flags),
            (Guess(column.name, "outlier", is_far, message),) if show != "flag" else (),
            learned,
        )

    def suggest_for_column(self, look: ColumnLook) -> Iterator[Suggestion]:
        profile, quantiles = look.profile, dict(look.profile.quantiles)
        found = [_number(each) for each in (profile.min, quantiles.get(0.25), quantiles.get(0.75), profile.max)]
        smallest, low, high, largest = found
        if look.column.type == "string" or smallest is None or low is None or high is None or largest is None:
            return
        reach = _FAR * (high - low)
        if reach and (smallest < low - reach or largest > high + reach):
            name = look.column.name
            yield Suggestion(self.name, f"{name} has values far from its middle half.", {"column": name})


def _bounds(table: InputTable, column: Field, method: str, threshold: float) -> tuple[float, float] | None:
    """Return the range of values that are not far; None if there are no values, or they have no spread."""
    value = f"double({quoted(column.name)})"
    numbers = f"{value} is not null and not isnan({value})"
    (found,) = table.learn(f"percentile({value}, array(0.25, 0.5, 0.75))", where=numbers)
    if not isinstance(found, list):
        return None
    low, middle, high = map(float, found)
    if method == "iqr":
        reach = threshold * (high - low)
        return low - reach, high + reach
    distance = f"abs({value} - double('{middle}'))"
    median, mean = map(_number, table.learn(f"median({distance})", f"avg({distance})", where=numbers))
    # Iglewicz and Hoaglin: if half of the values are equal, the mean deviation stands in for the median one. The
    # factors make both equal the standard deviation of normally distributed values.
    spread = (median or 0.0) / 0.6745 or (mean or 0.0) * 1.253314
    return (middle - threshold * spread, middle + threshold * spread) if spread else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
