import whence

with whence.open("shop.whence") as ws:
    ws.create("orders", [("Oslo", 120), ("Bergen", 80), ("Oslo", 95)], schema="shop string, amount int")
    ws.create("visits", [("Oslo", 1), ("Oslo", 2), ("Turku", 1)], schema="shop string, day int")
    sales = ws.sql(
        """select shop, amount from orders
           union all
           select 'Narvik', 142050""",
        name="sales",
    )
    print("grounded:", sales.lineage.grounded)
    print(sales.lineage.grounds().to_pylist()[-1])
    print(sales.lineage.origin(3, "amount"))

    total = ws.sql("select sum(amount) as total, sum(amount) * 1.25 as with_tax from sales", name="total")
    print(total.lineage.origin(0, "total"))  # one of the four summed values was never data

    honest = ws.sql("select shop, amount * 1.25 as with_tax, amount > 90 as is_large from orders", name="honest")
    print("grounded:", honest.lineage.grounded)  # units and thresholds are no values of their own

    busy = ws.sql("select shop, sum(amount) as s from orders join visits using (shop) group by shop", name="busy")
    print(*busy.notes, sep="\n")
