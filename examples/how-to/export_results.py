from pathlib import Path

import whence

with whence.open("shop.whence") as ws:
    ws.create("orders", [("Oslo", 120), ("Bergen", None)], schema="shop string, amount int")
    for file in ("orders.csv", "orders.json", "orders.parquet", "orders.xlsx", "orders.sqlite"):
        ws.export(file, "orders")
        print(file, Path(file).stat().st_size > 0)
    print(Path("orders.csv").read_text())

    ws.notebook("report").append("sql", source="select shop from orders", name="shops")
    ws.notebook("report").wait()
    ws.notebook("report").export("report.ipynb")  # or report.py: a script for plain PySpark
    ws.export("all.zip")  # the workspace with its history; `whence import all.zip new.whence` takes it in
    print(sorted(each.name for each in Path().glob("*.ipynb")), Path("all.zip").exists())
