from pathlib import Path

import whence

with whence.open("prices.whence") as ws:
    ws.create(
        "prices",
        [("bolt", 3), ("nut", 21), ("rod", 4)],
        schema="part string, price int",
        cell_caveats=[(1, "price", "the fax is hard to read"), (2, "price", "last year's price")],
    )
    dear = ws.sql("select part, price from prices where price > 3", name="dear")
    dear.caveats.report("dear.md")  # or dear.html: one page without scripts
    print(Path("dear.md").read_text())
