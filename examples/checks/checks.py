from pathlib import Path

import whence

Path("orders.csv").write_text(
    "id,customer,amount,state\n1,ada,20,paid\n2,bob,-3,paid\n3,ada,15,open\n3,ada,9,open\n4,eve,12,paid\n"
)
ws = whence.open("checks.whence")
ws.create("customers", [("ada",), ("bob",), ("eve",)], schema="name string")
orders = ws.load("orders.csv")
report = ws.expect(
    orders,
    [
        whence.Check("row", "amount > 0", name="amounts are positive", columns=["amount"]),
        whence.Check("key", "id"),
        whence.Check("reference", "customer", "customers", "name"),
        whence.Check("one_of", "state", ["open", "paid"]),
        whence.Check("count", least=1),
    ],
)
print(report)
income = ws.sql("select customer, sum(amount) as income from orders group by customer order by customer", name="income")
for row, marks in zip(income.to_arrow().to_pylist(), income.caveats.marks().to_pylist(), strict=True):
    print(row, "in doubt:", marks["income"])
print(income.caveats.list(row=1)[0].message)
