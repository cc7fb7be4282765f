from pathlib import Path

import whence

with whence.open("shop.whence") as ws:
    orders = ws.create(
        "orders",
        [("Oslo", 5), ("Oslo", 7), ("Bergen", 1)],
        schema="shop string, amount int",
        cell_caveats=[(2, "amount", "refunded later")],
    )
    chart = whence.chart(orders, {"aes": {"x": "shop", "y": "amount"}, "stat": "sum", "geom": "bar"})
    chart.save("by_shop.svg")  # also .png, .html and .json
    print(chart.marks.to_arrow().to_pylist())
    print(chart.marks.lineage.backward([1], to="orders").ids.tolist())
    print([(row["x"], row["_why"]) for row in chart.vega["datasets"]["doubtful"]])  # hatched in the picture
    print(Path("by_shop.svg").read_text()[:4])
