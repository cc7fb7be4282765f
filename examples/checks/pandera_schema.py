from pathlib import Path

import pandera.pandas as pa

import whence


class Orders(pa.DataFrameModel):
    """What orders look like."""

    id: int = pa.Field(unique=True)
    amount: float = pa.Field(ge=0)
    state: str = pa.Field(isin=["open", "paid"], nullable=True)

    @pa.check("amount", error="amounts are whole cents")
    @classmethod
    def cents(cls, values):
        return (values * 100).round(6) % 1 == 0


Path("sales.csv").write_text("id,amount,state\n1,20.5,paid\n2,-3.0,paid\n3,15.125,open\n3,9.0,lost\n")
ws = whence.open("pandera.whence")
orders = ws.load("sales.csv", name="orders")
for check in ws.pandera_checks(orders, Orders):
    print(f"{check.kind:8} {check.name}")
print(ws.expect(orders, Orders))
total = ws.sql("select sum(amount) as total from orders")
print(total.to_arrow().to_pylist(), "in doubt:", total.caveats.marks()["total"].to_pylist())
