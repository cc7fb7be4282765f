"""Python between SQL: a cell in a process of its own, and lineage that goes through it."""

import whence

with whence.open("orders.whence") as ws:
    ws.create(
        "orders",
        [(1, "ada", 120.0), (2, "bob", None), (3, "ada", 80.0), (4, "cy", 45.0)],
        schema="id int, who string, amount double",
        cell_caveats=[(2, "amount", "the receipt is smudged")],
    )
    ws.run_cell(
        "python",
        source="""
orders = ws["orders"].to_pandas()
known = orders.dropna(subset=["amount"])
known["share"] = known.amount / known.amount.sum()
ws["shares"] = known
""",
    )
    shares = ws["shares"]
    print(shares.to_arrow().to_pylist()[1])
    print("row 1 is order row", shares.lineage.backward([1], to="orders").ids.tolist())
    print("amount:", [(ref.dataset, ref.row, ref.role) for ref in shares.lineage.cell(1, "amount")])
    print("share may come from", len(shares.lineage.cell(1, "share")), "cells")
    print("in doubt:", [name for name, marks in shares.caveats.marks().to_pydict().items() if marks[0]])
    print(shares.lineage.strategy)
    total = ws.sql("select who, sum(amount) as total from shares group by who order by who", name="totals")
    print(total.to_arrow().to_pylist()[0], total.lineage.backward([0], to="orders").ids.tolist())
