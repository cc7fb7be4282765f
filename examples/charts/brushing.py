import whence

ws = whence.open("brushing.whence")
ws.create(
    "orders",
    [(1, "a", 5, 9), (2, "a", 7, 17), (3, "b", 1, 10), (4, "c", 2, 18)],
    schema="id int, shop string, amount int, hour int",
)
ws.create("shops", [("a", "north"), ("b", "south"), ("c", "south")], schema="shop string, region string")
joined = ws.sql("select o.*, s.region from orders o join shops s using (shop)", name="joined")

by_hour = ws["orders"].chart({"aes": {"x": "hour"}, "stat": "count", "geom": "bar"}, name="by_hour")
by_region = joined.chart({"aes": {"x": "region", "y": "amount"}, "stat": "sum", "geom": "bar"}, name="by_region")

link = whence.link([by_hour, by_region])
print(link.brush(by_hour, x=(9, 12))[by_region].to_pylist())  # through the join: mornings, by region
print(link.brush(by_region, x=["south"])[by_hour].to_pylist())  # a chart is not filtered by its own brush
