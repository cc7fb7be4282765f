import whence
from whence.cli.main import app

with whence.open("shop.whence", max_dataset_bytes=50_000_000) as ws:  # a larger result is refused
    ws.capture.limit(bytes=10_000_000, seconds=30)  # lineage that takes more is given up, and says so
    ws.create("orders", [("Oslo", 120), ("Bergen", 80)], schema="shop string, amount int")
    totals = ws.sql("select shop, sum(amount) as total from orders group by shop", name="totals", lineage="lazy")
    print(totals.lineage.strategy)
    print(totals.lineage.backward([0], to="orders").count)

app(["gc", "shop.whence"], standalone_mode=False)  # `whence gc shop.whence`: what nothing uses goes
