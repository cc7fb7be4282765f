import whence

with whence.open("shop.whence") as ws:
    rows = [("Oslo", 9, 5), ("Oslo", 17, 7), ("Bergen", 10, 1), ("Molde", 18, 2)]
    orders = ws.create("orders", rows, schema="shop string, hour int, amount int")
    by_hour = orders.chart({"aes": {"x": "hour"}, "stat": "count", "geom": "bar"}, name="by_hour")
    by_shop = orders.chart({"aes": {"x": "shop", "y": "amount"}, "stat": "sum", "geom": "bar"}, name="by_shop")

    link = whence.link([by_hour, by_shop])
    for mark in link.brush(by_hour, x=(9, 12))[by_shop].to_pylist():  # the morning, in the other chart
        print(mark["x"], mark["y"], "of which selected:", mark["selected"])
