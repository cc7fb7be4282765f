import whence

with whence.open("shop.whence") as ws:
    ws.create(
        "orders",
        [("Oslo", 120, None), ("Bergen", 80, "returned"), ("Oslo", 95, None)],
        schema="shop string, amount int, note string",
    )
    kept = ws.sql("select shop, amount from orders where note is null", name="kept")
    totals = ws.sql("select shop, sum(amount) as total from kept group by shop", name="totals")

    print(totals.lineage.why_not("orders", 1))  # Bergen is not in the totals: who left it out?
    print(totals.lineage.why_not("orders", 0))  # and where is the first order?
