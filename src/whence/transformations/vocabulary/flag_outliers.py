"""Point out values far from the others."""

from __future__ import annotations

from collections.abc import Iterator

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.transformations.applied import Applied, Guess, Output
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, is_number
from whence.transformations.sql import quoted, text, words
from whence.transformations.suggestion import ColumnLook, Suggestion
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation

_FAR = 3.0
_THRESHOLDS = {"robust z": 3.5, "iqr": 1.5}


class FlagOutliers(Transformation):
    """A value is far away by its distance from the median, in median deviations, or from the middle half of all."""

    name = "flag_outliers"
    title = "Flag outliers"
    group = "Clean"
    core = "vertical augmentation"
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

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        column, method, show = chosen.column("column"), chosen.text("method"), chosen.text("show")
        if not is_number(column):
            raise UserError(f"{column.name} holds {column.type}, not numbers.")
        threshold = chosen.number("threshold") if chosen.has("threshold") else _THRESHOLDS[method]
        if threshold <= 0:
            raise UserError(f"A threshold of {threshold} would make every value an outlier.", "Give one above 0.")
        read = quoted(column.name)
        bounds = _bounds(given, column, method, threshold)
        low, high = bounds or (float("-inf"), float("inf"))
        is_far = (
            f"({read} < double('{low}') or {read} > double('{high}'))" if bounds else f"({read} is not null and false)"
        )
        usual = f"{low:.6g} to {high:.6g}"
        message = words(text(f"{column.name} is "), read, text(f", far from most values ({usual} by {method})."))
        flag = given.new_name(chosen.maybe("into") or f"{column.name}_outlier")
        learned = {"low": low, "high": high} if bounds else {}
        statistic = Statistic(f"usual range of {column.name}", (column.name,), learned, given=(column.name,))
        is_flagged = show != "caveat"
        return Applied(
            f"Values of {column.name} outside of {usual} are outliers ({method}, threshold {threshold:g})."
            f"{given.learned_in_doubt(column)}",
            (*given.outputs(), *([Output(flag, is_far)] if is_flagged else [])),
            (Template((Read(column.name),), (flag,), (statistic,)),) if is_flagged else (),
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


def _bounds(given: Given, column: Field, method: str, threshold: float) -> tuple[float, float] | None:
    """Between which values are not far; None if there is no spread, or nothing, to measure by."""
    value = f"double({quoted(column.name)})"
    numbers = f"{value} is not null and not isnan({value})"
    (found,) = given.learn(f"percentile({value}, array(0.25, 0.5, 0.75))", where=numbers)
    if not isinstance(found, list):
        return None
    low, middle, high = map(float, found)
    if method == "iqr":
        reach = threshold * (high - low)
        return low - reach, high + reach
    distance = f"abs({value} - double('{middle}'))"
    median, mean = map(_number, given.learn(f"median({distance})", f"avg({distance})", where=numbers))
    # Iglewicz and Hoaglin: where half of the values are equal, the mean deviation stands in for the median one.
    spread = (median or 0.0) / 0.6745 or (mean or 0.0) * 1.253314
    return (middle - threshold * spread, middle + threshold * spread) if spread else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
