import re

import whence

ws = whence.open("shop.whence")
orders = ws.create(
    "orders",
    [("Oslo", 120), ("Bergen", 80)],
    schema="shop string, amount int",
    cell_caveats=[(1, "amount", "refunded later")],
)
# `orders` at the end of a Jupyter cell shows a table with doubtful cells in red. Elsewhere a dataset is one line:
print(orders)
print(re.findall(r'title="([^"]+)"', orders._repr_html_()))  # the reason is a tooltip of the table
print(orders.head().to_string())  # a pandas frame, which knows nothing of doubts
ws.close()
