"""One call or more of every lens, pipeline operator and cell over small tables that hold gaps, repeats and doubts."""

from __future__ import annotations

import whence

PEOPLE = [
    ("Ada", "f", 36, "a", 1.5),
    (" Bob", "m", None, "b", 2.0),
    ("Cy", "m", 40, "a", 2.5),
    ("Di", "f", 58, None, 400.0),
    ("Di", "f", 58, None, 400.0),
    ("di", None, 18, "b", None),
    ("Ed", "m", 96, "c", 3.0),
]
RAW = [
    ("21 USD", "1/2/2020", "x, y"),
    ("$1,234.50", "13/2/2020", "z"),
    ("3 kg", "5 March 2021", None),
    ("none", "soon", "p, q, r"),
]
Call = tuple[str, str, dict[str, object]]
"""A transformation, the table it is called on, and its parameters."""

LENSES: dict[str, Call] = {
    "find_header": ("find_header", "headless", {}),
    "find_header row": ("find_header", "headless", {"row": 1}),
    "infer_types": ("infer_types", "texts", {}),
    "parse_numbers": ("parse_numbers", "raw", {"column": "price"}),
    "parse_dates": ("parse_dates", "raw", {"column": "day"}),
    "trim": ("trim", "people", {"columns": ["name"]}),
    "change_case": ("change_case", "people", {"columns": ["name"], "to": "upper"}),
    "replace": ("replace", "people", {"columns": ["name"], "pattern": "^ ", "assuming": "a space is a slip"}),
    "standardise": ("standardise", "people", {"column": "name"}),
    "impute mean": ("impute", "people", {"column": "age", "method": "mean"}),
    "impute median": ("impute", "people", {"column": "score", "method": "median"}),
    "impute mode": ("impute", "people", {"column": "kind", "method": "mode"}),
    "impute constant": ("impute", "people", {"column": "sex", "method": "constant", "value": "u"}),
    "impute by": ("impute", "people", {"column": "age", "method": "mean", "by": ["kind"]}),
    "split_column": ("split_column", "raw", {"column": "parts", "separator": ","}),
    "merge_columns": ("merge_columns", "people", {"columns": ["kind", "sex"], "into": "either"}),
    "pivot only": ("pivot", "people", {"keys": ["sex"], "column": "kind", "value": "age"}),
    "pivot sum": ("pivot", "people", {"keys": ["sex"], "column": "kind", "value": "age", "method": "sum"}),
    "repair_key": ("repair_key", "people", {"column": "sex"}),
    "repair_sequence": ("repair_sequence", "gaps", {"column": "n"}),
    "drop_duplicates": ("drop_duplicates", "people", {}),
    "drop_duplicates last": ("drop_duplicates", "people", {"columns": ["sex"], "keep": "last"}),
    "flag_outliers": ("flag_outliers", "people", {"column": "score", "show": "both"}),
    "watch_shape": ("watch_shape", "people", {}),
    "comment": ("comment", "people", {"column": "age", "where": "age > 90", "text": "very old"}),
}
STEPS: dict[str, Call] = {
    "select": ("select", "people", {"columns": ["age", "name"]}),
    "drop_columns": ("drop_columns", "people", {"columns": ["kind"]}),
    "filter": ("filter", "people", {"condition": "age > 38"}),
    "drop_rows": ("drop_rows", "people", {"condition": "sex = 'm'"}),
    "drop_missing": ("drop_missing", "people", {"columns": ["kind"]}),
    "drop_duplicates": ("drop_duplicates", "people", {}),
    "drop_duplicates by": ("drop_duplicates", "people", {"columns": ["sex"]}),
    "sample": ("sample", "people", {"rows": 3, "seed": 1}),
    "sample fraction": ("sample", "people", {"fraction": 0.5, "seed": 1}),
    "undersample": ("undersample", "people", {"column": "sex", "seed": 2}),
    "oversample": ("oversample", "people", {"column": "sex", "seed": 2}),
    "impute mean": ("impute", "people", {"columns": {"age": "mean", "kind": {"value": "z"}}}),
    "impute by": ("impute", "people", {"columns": {"age": "median"}, "by": ["kind"]}),
    "impute model": ("impute", "people", {"columns": {"score": "model"}, "using": ["age"]}),
    "transform": ("transform", "people", {"columns": {"name": "upper({})"}}),
    "replace values": ("replace", "people", {"values": {"a": "A"}, "columns": ["kind"]}),
    "binarize": ("binarize", "people", {"columns": {"age": 38}}),
    "normalize min-max": ("normalize", "people", {"columns": ["age"], "method": "min-max"}),
    "normalize z": ("normalize", "people", {"columns": ["age"], "method": "z"}),
    "normalize robust": ("normalize", "people", {"columns": ["age"], "method": "robust"}),
    "normalize decimal": ("normalize", "people", {"columns": ["age"], "method": "decimal"}),
    "discretize": ("discretize", "people", {"columns": {"age": 3}}),
    "discretize cuts": ("discretize", "people", {"columns": {"age": [38]}, "labels": {"age": ["young", "old"]}}),
    "derive": ("derive", "people", {"columns": {"months": "age * 12"}, "drop": ["age"]}),
    "one_hot": ("one_hot", "people", {"columns": ["kind"]}),
    "string_index": ("string_index", "people", {"columns": ["kind"], "keep": True}),
    "generate": ("generate", "people", {"by": ["sex"], "values": {"age": "avg(age)"}}),
    "generate rows": ("generate", "people", {"rows": [{"name": "Flo", "age": 7}]}),
    "rename": ("rename", "people", {"columns": {"kind": "type"}}),
    "sort": ("sort", "people", {"columns": ["-age", "name"]}),
    "join": ("join", "people", {"other": "kinds", "on": ["kind"], "how": "left"}),
    "union": ("union", "people", {"other": "people"}),
    "group_by": ("group_by", "people", {"columns": ["sex"], "values": {"oldest": "max(age)"}}),
    "pivot": ("pivot", "people", {"index": ["sex"], "columns": "kind", "values": "age", "aggregate": "max"}),
}
CELLS: dict[str, Call] = {
    "filter": ("filter", "people", {"condition": "age > 38"}),
    "select": (
        "select",
        "people",
        {"columns": ["age", "name"]},
    ),
    "group_by": ("group_by", "people", {"columns": ["sex"], "values": {"oldest": "max(age)"}}),
    "join": ("join", "people", {"other": "kinds", "on": ["kind"], "how": "left"}),
    "join anti": ("join", "people", {"other": "kinds", "on": ["kind"], "how": "anti"}),
    "join condition": ("join", "people", {"other": "kinds", "condition": "l.kind < r.kind", "how": "inner"}),
    "join cross": ("join", "people", {"other": "kinds", "how": "cross"}),
    "union": ("union", "people", {"other": ["kinds"], "fill": True}),
    "sample": ("sample", "people", {"rows": 3, "seed": 1}),
    "sample share": ("sample", "people", {"fraction": 0.5, "seed": 1}),
    "sample strata": ("sample", "people", {"rows": 1, "by": "sex", "seed": 1}),
    "copy_dataset": ("copy_dataset", "people", {}),
    "lens": ("impute", "people", {"column": "age", "method": "mean"}),
    "step": ("impute", "people", {"columns": {"age": "mean"}}),
}


def make_tables(ws: whence.Workspace) -> None:
    """The tables that the calls read; one cell and one row of `people` are in doubt."""
    ws.create(
        "people",
        PEOPLE,
        schema="name string, sex string, age int, kind string, score double",
        cell_caveats=[(2, "age", "hard to read")],
        row_caveats=[(6, "perhaps a guest")],
    )
    ws.create("kinds", [("a", 1), ("b", 2)], schema="kind string, rank int")
    ws.create("raw", RAW, schema="price string, day string, parts string")
    ws.create("texts", [("1", "x"), ("2", "y"), ("3", "z"), ("no", "w")], schema="n string, t string")
    ws.create(
        "headless", [(None, "Prices"), ("part", "price"), ("bolt", "1")], schema="column_1 string, column_2 string"
    )
    ws.create("gaps", [(1, "a"), (2, "b"), (4, "d")], schema="n int, t string")
