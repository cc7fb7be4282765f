"""What each operator of a pipeline asks for in a form."""

from __future__ import annotations

from whence.notebook.parameter import Parameter, ParameterType


def _wanted(name: str, type: ParameterType, label: str) -> Parameter:
    return Parameter(name, type, label)


def _open(
    name: str, type: ParameterType, label: str, default: object = None, choices: tuple[str, ...] = ()
) -> Parameter:
    return Parameter(name, type, label, is_required=False, default=default, choices=choices)


_SEED = _open("seed", "number", "the same number draws the same rows", 0)
_KEEP = _open("keep", "flag", "whether the columns themselves stay", default=False)
_TO = "how many rows each class gets; as many as the {} has if left open"
_HOW = ("inner", "left", "right", "full")
_SCALES = ("min-max", "z", "robust", "decimal")

FORMS: dict[str, tuple[Parameter, ...]] = {
    "select": (_wanted("columns", "columns", "the columns to keep, in this order"),),
    "drop_columns": (
        _open("columns", "columns", "the columns to drop"),
        _open("null_rate", "number", "drop columns of which a larger share is missing"),
    ),
    "filter": (_wanted("condition", "text", "keep the rows for which this holds, in SQL"),),
    "drop_rows": (
        _open("condition", "text", "drop the rows for which this holds, in SQL"),
        _open("null_rate", "number", "drop rows of which a larger share is missing"),
    ),
    "drop_missing": (
        _open("columns", "columns", "the columns that must not be missing; all if left open"),
        _open("how", "choice", "whether any or all of them are missing", "any", ("any", "all")),
    ),
    "drop_duplicates": (_open("columns", "columns", "the columns that make rows equal; all if left open"),),
    "sample": (
        _open("fraction", "number", "the share of rows to keep"),
        _open("rows", "number", "or how many rows"),
        _SEED,
    ),
    "undersample": (
        _wanted("column", "column", "the column that holds the class"),
        _open("to", "number", _TO.format("rarest")),
        _SEED,
    ),
    "oversample": (
        _wanted("column", "column", "the column that holds the class"),
        _open("to", "number", _TO.format("largest")),
        _SEED,
    ),
    "impute": (
        _wanted("columns", "mapping", 'columns, each with mean, median, mode, model or {"value": ...}'),
        _open("by", "columns", "take the statistic of the rows that are equal in these"),
        _open("using", "columns", "the columns a model is fitted to"),
    ),
    "transform": (
        _wanted("columns", "value", "columns; or columns each with SQL (`{}` is the value) or old values and new"),
        _open("expression", "value", "one rule for all columns: SQL, or old values and new"),
        _open("returns", "text", "the type of what comes out"),
    ),
    "repair": (
        _wanted("values", "mapping", "old values and new"),
        _open("columns", "columns", "where to look; everywhere if left open"),
    ),
    "binarize": (_wanted("columns", "mapping", "columns, each with a threshold or a condition in SQL"),),
    "normalize": (
        _open("columns", "columns", "the columns; all numbers if left open"),
        _open("method", "choice", "onto which scale", "min-max", _SCALES),
    ),
    "discretize": (
        _wanted("columns", "mapping", "columns, each with a number of bins or the places to cut at"),
        _open("method", "choice", "bins of equal width or of equally many rows", "width", ("width", "quantile")),
        _open("labels", "mapping", "columns, each with the names of its bins"),
    ),
    "derive": (
        _wanted("columns", "mapping", "new columns, each with SQL over the row"),
        _open("drop", "columns", "columns to drop in the same step"),
    ),
    "one_hot": (_wanted("columns", "columns", "the columns to encode"), _KEEP),
    "string_index": (_wanted("columns", "columns", "the columns whose values are numbered"), _KEEP),
    "generate": (
        _open("by", "columns", "a new row for each group of these"),
        _open("values", "mapping", "columns of the new rows, each with an aggregate in SQL"),
        _open("rows", "entries", "or the rows themselves"),
    ),
    "rename": (_wanted("columns", "mapping", "old names and new"),),
    "sort": (_wanted("columns", "columns", "the columns to sort by; `-name` counts down"),),
    "join": (
        _wanted("other", "dataset", "the dataset to join"),
        _wanted("on", "columns", "the columns that must be equal"),
        _open("how", "choice", "which rows without a partner stay", "inner", _HOW),
    ),
    "union": (_wanted("other", "dataset", "the dataset whose rows are added"),),
    "group_by": (
        _wanted("columns", "columns", "one row for each group of these"),
        _wanted("values", "mapping", "new columns, each with an aggregate in SQL"),
    ),
    "pivot": (
        _wanted("index", "columns", "one row for each group of these"),
        _wanted("columns", "column", "the column whose values become columns"),
        _wanted("values", "column", "the column whose values fill them"),
        _open("aggregate", "text", "what becomes of several values", "sum"),
    ),
}
