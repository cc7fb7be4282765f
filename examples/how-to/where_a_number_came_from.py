from pathlib import Path

import whence

Path("orders.csv").write_text("shop,amount\nOslo,120\nBergen,80\nOslo,95\nOslo,n/a\n")

with whence.open("shop.whence") as ws:
    ws.load("orders.csv", name="orders")
    totals = ws.sql("select shop, sum(amount) as total from orders group by shop order by shop", name="totals")
    print(totals.to_pandas().to_string(index=False))

    for cell in totals.lineage.cell(1, "total", to="sources"):  # row 1 is Oslo
        (line,) = ws[cell.dataset].source_lines([cell.row])
        print(f"{cell.role}: line {line} of {Path(ws.graph.file(cell.dataset)).name}, {cell.column} = {cell.value}")
