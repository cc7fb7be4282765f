"""A sheet applied as a notebook cell: Spark reads from it what the live sheet showed, lookups and changes included."""

from __future__ import annotations

from datetime import date

import whence

ORDERS = [
    (" bolt, M6 ", "3/2/2024", date(2024, 1, 31), 2.345, 4),
    ("nut,M8,steel", "14/2/2024", date(2024, 2, 29), None, 1),
    ("o'neil", None, None, -7.5, None),
    (None, "2024-05-06", date(2023, 12, 1), 1e6, 2),
]
SCHEMA = "part string, seen string, day date, price double, n int"
FORMULAS = [
    "=XLOOKUP([@n],sheet_rates[id],sheet_rates[rate],-1)",
    "=SUMIFS([price],[n],\">1\",[price],\">0\")",
    "=COUNTIFS([part],\"*,*\")",
    "=AVERAGEIFS([price],[n],[@n])",
    "=ROUNDUP([@price],1)+ROUNDDOWN([@price],1)",
    "=EOMONTH(EDATE([@day],1),0)",
    "=DATEDIF([@day],DATE(2025,3,1),\"M\")",
    "=TEXTJOIN(\"/\",TRUE,[@part],[@n])",
    "=IFS([@n]>3,\"many\",TRUE,\"few\")",
    "=SWITCH([@n],4,\"four\",1,\"one\",\"other\")",
    "=RANK([@price],[price])",
    "=LARGE([price],2)-SMALL([price],1)",
    "=TRIM([@part])",
    "=PROPER([@part])",
    "=SPLITPART([@part],\",\",2,2)",
    "=DATEVALUE([@seen],\"day first\")",
]  # fmt: skip


def test_spark_reads_from_an_applied_sheet_what_the_live_sheet_showed(ws: whence.Workspace) -> None:
    ws.create("sheet_orders", ORDERS, SCHEMA)
    ws.create("sheet_rates", [(1, 0.5), (4, 1.25), (4, 9.0)], "id int, rate double")
    sheet, last = ws.sheet("sheet_orders"), "n"
    for number, formula in enumerate(FORMULAS):
        sheet.insert_column(f"f{number}", after=last, value=formula)
        last = f"f{number}"
    page, notebook = sheet.page(), ws.notebook("applied sheet")
    cell = notebook.append("sheet", source="sheet_orders", operations=sheet.operations, name="sheet_applied")
    notebook.wait()
    assert cell.error is None
    made = ws["sheet_applied"]
    found = [row.asDict() for row in made.df.collect()]
    assert {name: [row[name] for row in found] for name in page.values} == page.values
    assert page.values["f0"] == [1.25, 0.5, None, -1.0]
    assert [(each.dataset, each.row) for each in made.lineage.cell(0, "f0") if each.role == "copied"] == [
        ("sheet_rates", 1)
    ]
    assert _lenses(ws) == {name: page.values[name] for name in ("f12", "f13", "f14", "f15")}
    ws.create("sheet_rates", [(1, 0.75)], "id int, rate double")
    notebook.run_stale().wait()
    assert ws["sheet_applied"].to_arrow()["f0"].to_pylist() == [-1.0, 0.75, None, -1.0]


def _lenses(ws: whence.Workspace) -> dict[str, list[object]]:
    """Return what the transformations of the same names make of the same columns."""
    calls: dict[str, tuple[str, str, dict[str, object]]] = {
        "f12": ("trim", "part", {"columns": ["part"], "inside": True}),
        "f13": ("change_case", "part", {"columns": ["part"], "to": "title"}),
        "f14": ("split_column", "b", {"column": "part", "separator": ",", "into": ["a", "b"]}),
        "f15": ("parse_dates", "seen", {"column": "seen", "order": "day first"}),
    }
    made = {
        name: ws.lens(lens, "sheet_orders", f"sheet_by_{lens}", **given) for name, (lens, _, given) in calls.items()
    }
    return {name: made[name].to_arrow()[calls[name][1]].to_pylist() for name in calls}
