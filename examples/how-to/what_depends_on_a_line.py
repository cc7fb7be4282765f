from pathlib import Path

import whence

Path("orders.csv").write_text("shop,amount\nOslo,120\nBergen,80\nOslo,95\n")

with whence.open("shop.whence") as ws:
    orders = ws.load("orders.csv", name="orders")
    ws.sql("select shop, sum(amount) as total from orders group by shop", name="totals")
    ws.sql("select max(total) as best from totals", name="best")

    row = orders.source_lines(range(orders.count)).index(3)  # line 3 of the file is the row of Bergen
    for step in ws.graph.derived_from("orders"):
        reached = orders.lineage.forward([row], to=step.dataset)
        print(f"{step.dataset}: {reached.to_arrow().to_pylist()}")
