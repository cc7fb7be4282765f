import whence

with whence.open("shop.whence") as ws:
    orders = ws.create("orders", [("ink", 3), ("pen", 5)], schema="item string, n int")
    orders.save(delta="tables/delta")
    orders.save(iceberg="tables/iceberg")
    more = ws.create("more", [("pad", 1)], schema="item string, n int")
    more.save(delta="tables/delta", mode="append")
    more.save(iceberg="tables/iceberg", mode="append")

    print(ws.load("tables/delta", name="newest"), ws.load("tables/delta", name="first", version=0))
    loaded = ws.load("tables/iceberg", name="ordered", key="item")
    more.save(iceberg="tables/iceberg", mode="overwrite")
    print(loaded, ws.reload("ordered"))
    print(ws.diff("ordered@1", "ordered@2"))
