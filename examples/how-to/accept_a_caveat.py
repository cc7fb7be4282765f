import whence

with whence.open("prices.whence") as ws:
    ws.create(
        "prices",
        [("bolt", 3), ("nut", 21)],
        schema="part string, price int",
        cell_caveats=[(1, "price", "the fax is hard to read")],
    )
    total = ws.sql("select sum(price) as total from prices", name="total")
    print("in doubt:", total.caveats.marks()["total"].to_pylist())

    (group,) = total.caveats.list(column="total")
    total.caveats.acknowledge(group, note="confirmed by telephone, 3 May")
    print("in doubt:", total.caveats.marks()["total"].to_pylist())
    print([(each.message, each.acknowledged, each.note) for each in total.caveats.list()])

    total.caveats.revoke(group)  # the decision can be taken back
    print("in doubt:", total.caveats.marks()["total"].to_pylist())
