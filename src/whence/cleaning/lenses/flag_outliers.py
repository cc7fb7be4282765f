"""Point out values far from the others."""

from __future__ import annotations

from whence.cleaning.chosen import Chosen
from whence.cleaning.lens import Cleaned, Guess, Lens, LensInput, Output
from whence.cleaning.parameter import Parameter
from whence.cleaning.sql import quoted, text, words
from whence.model.errors import UserError
from whence.model.schema import Field

_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double")
_THRESHOLDS = {"robust z": 3.5, "iqr": 1.5}


class FlagOutliers(Lens):
    """A value is far away by its distance from the median, in median deviations, or from the middle half of all."""

    name = "flag_outliers"
    title = "Flag outliers"
    guesses = "each outlier, unless only a flag column is wanted"
    parameters = (
        Parameter("column", "column", "the column of numbers to look at", is_required=True),
        Parameter("method", "choice", "how distance is measured", "robust z", choices=tuple(_THRESHOLDS)),
        Parameter("threshold", "number", "how far is far; 3.5 for robust z and 1.5 for iqr if left open"),
        Parameter("show", "choice", "what becomes of an outlier", "caveat", choices=("caveat", "flag", "both")),
        Parameter("into", "text", "the name of the flag column; column_outlier if left open"),
    )

    def clean(self, given: LensInput, chosen: Chosen) -> Cleaned:
        column, method, show = chosen.column("column"), chosen.text("method"), chosen.text("show")
        if column.type not in _NUMBERS and not column.type.startswith("decimal"):
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
        flags = [Output(given.free_name(chosen.maybe("into") or f"{column.name}_outlier"), is_far)]
        return Cleaned(
            (*given.outputs(), *(flags if show != "caveat" else [])),
            f"Values of {column.name} outside of {usual} are outliers ({method}, threshold {threshold:g})."
            f"{given.learned_in_doubt(column)}",
            (Guess(column.name, "outlier", is_far, message),) if show != "flag" else (),
            {"low": low, "high": high} if bounds else {},
        )


def _bounds(given: LensInput, column: Field, method: str, threshold: float) -> tuple[float, float] | None:
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
    return float(value) if isinstance(value, int | float) else None
