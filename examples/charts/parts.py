import whence

ws = whence.open("parts.whence")
rows = [("north", 1, 9.0, 4.0), ("south", 1, 3.0, 2.5), ("north", 2, 7.0, 5.0), ("south", 2, 2.0, 6.0)]
sales = ws.create("sales", rows, schema="region string, month int, price double, cost double")

both = sales.chart(
    {
        "data": {"fold": ["price", "cost"], "where": {"column": "month", "between": [2, None]}},
        "aes": {"x": "region", "y": "value", "color": "measure"},
        "stat": "sum",
        "geom": "bar",
    }
)
print(both.marks.to_arrow().to_pylist())

lines = sales.chart(
    {
        "aes": {"x": "region", "y": "price", "order": "cost"},
        "stat": "sum",
        "geom": "bar",
        "scale": {"x": {"order_by": "-order"}},
        "layer": [
            {},
            {"stat": {"type": "level", "over": "marks"}, "geom": "rule"},
            {"aes": {"y": "cost"}, "stat": "mean", "geom": "point", "axis": "right"},
        ],
    }
)
print([mark["y"] for mark in lines.marks.to_arrow().to_pylist()])
print(both.sql)
