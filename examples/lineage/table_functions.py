from collections.abc import Iterator

from pyspark.sql import Row
from pyspark.sql.functions import udtf

import whence


@udtf(returnType="shop string, amount double, total double")
class Running:
    """The amounts of a shop with their running total, and the mean at the end."""

    def __init__(self) -> None:
        self.amounts: list[float] = []

    def eval(self, row: Row) -> Iterator[tuple[str, float, float]]:
        self.amounts.append(row.amount)
        yield row.shop, row.amount, sum(self.amounts)

    def terminate(self) -> Iterator[tuple[str, float, float]]:
        yield "mean", sum(self.amounts) / len(self.amounts), sum(self.amounts)


ws = whence.open("table_functions.whence")
rows = [("north", 1, 5.0), ("north", 2, 2.0), ("south", 1, 7.0), ("south", 2, 4.0)]
ws.create("sales", rows, schema="shop string, day int, amount double")
ws.spark.udtf.register("running", Running)

running = ws.sql("select * from running(table(sales) partition by shop order by day)", name="running")
print(running.lineage.exact)
for number, row in enumerate(running.to_arrow().to_pylist()):
    print(row, "comes from", running.lineage.backward(number, to="sales").ids.tolist())
