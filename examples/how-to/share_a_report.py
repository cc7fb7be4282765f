import whence

with whence.open("prices.whence") as ws:
    ws.create(
        "prices",
        [("bolt", 3), ("nut", 21), ("rod", 4)],
        schema="part string, price int",
        cell_caveats=[(1, "price", "the fax is hard to read")],
    )
    nb = ws.notebook("dear parts")
    nb.append("markdown", source="# What is dear\n\nParts above 3 EUR.")
    dear = nb.append("sql", source="select part, price from prices where price > 3", name="dear")
    nb.wait()
    nb.report("dear.html", redact=["part"])  # or without redact: every value can be seen
    print(ws.verify_report("dear.html"))

    nb.update(dear, source="select part, price + 1 as price from prices where price > 3")
    nb.wait()
    check = ws.verify_report("dear.html")
    print(check)
    print(check.failures[0])
