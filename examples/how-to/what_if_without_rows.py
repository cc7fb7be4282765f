import whence

with whence.open("shop.whence") as ws:
    ws.create("orders", [("Oslo", 120), ("Bergen", 80), ("Oslo", 9_500)], schema="shop string, amount int")
    means = ws.sql("select shop, avg(amount) as mean from orders group by shop order by shop", name="means")

    less = means.lineage.without([2], of="orders")  # the order of 9,500 looks like a typing mistake
    print("before:", less.before.to_pylist())
    print("after: ", less.after.to_pylist())
    print("found by", less.how)
