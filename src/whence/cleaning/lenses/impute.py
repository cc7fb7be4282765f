"""Fill missing values of a column with one that stands in for them."""

from __future__ import annotations

from collections.abc import Mapping

from whence.cleaning.lens import Cleaned, Lens, LensInput
from whence.model.errors import UserError
from whence.plan.expr import Column, Expr, alias, call, caveat_if, literal, ref
from whence.plan.steps.project import Project

_STATISTICS = {"mean": "avg", "median": "median", "mode": "mode"}
_WORDS = {"mean": "the mean", "median": "the median", "mode": "the most frequent value", "constant": "the value given"}


class Impute(Lens):
    """NULL becomes the column's mean, median or mode, or a given value; each filled cell is in doubt."""

    name = "impute"
    title = "Fill missing values"
    parameters = {
        "column": "the column to fill",
        "method": "mean, median, mode or constant",
        "value": "the value for method constant",
    }

    def clean(self, given: LensInput, values: Mapping[str, object]) -> Cleaned:
        column = given.column(values.get("column"))
        method = str(values.get("method", "median"))
        if method not in _WORDS:
            raise UserError(f"impute does not know the method {method}.", f"Use {', '.join(_WORDS)}.")
        stand_in = values.get("value") if method == "constant" else given.statistic(_statistic(method, column))
        if stand_in is None:
            raise UserError(f"{given.label} gives no value to fill {column.name} with.", "Use method constant.")
        message = f"{column.name} is missing; {stand_in}, {_WORDS[method]}, stands in for it."
        filled = Expr("coalesce", (ref(column), literal(str(stand_in), column.type)), name="coalesce")
        doubted = caveat_if(filled, call("isnull", ref(column)), "imputed", message)
        named = alias(doubted, given.fresh.renamed(column.name, column.type))
        exprs = tuple(named if each == column else ref(each) for each in given.plan.columns)
        return Cleaned(Project(given.plan, exprs), f"Missing values of {column.name} are {stand_in}, {_WORDS[method]}.")


def _statistic(method: str, column: Column) -> str:
    """The statistic in the column's own type: the mean of whole numbers is rounded to one."""
    quoted = "`" + column.name.replace("`", "``") + "`"
    value = f"{_STATISTICS[method]}({quoted})"
    is_whole = column.type in ("tinyint", "smallint", "int", "bigint") and method != "mode"
    return f"cast({f'round({value})' if is_whole else value} as {column.type})"
