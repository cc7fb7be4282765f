from collections.abc import Iterator

import pandas as pd

import whence


def cleaned(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Row by row, though a frame at a time."""
    for frame in frames:
        sold = frame[frame.amount > 0]
        yield sold.assign(shop=sold.shop.str.strip().str.title())


def total(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """One row of all."""
    yield pd.DataFrame({"amount": [sum(frame.amount.sum() for frame in frames)]})


ws = whence.open("batches.whence")
sales = ws.create("sales", [(" north", 5.0), ("south ", -1.0), ("EAST", 7.0)], schema="shop string, amount double")

clean = ws.dataset(sales.df.mapInPandas(cleaned, "shop string, amount double"), name="clean")
print(clean.lineage.exact, clean.lineage.strategy)
for number, row in enumerate(clean.to_arrow().to_pylist()):
    print(row, "comes from", clean.lineage.backward(number, to="sales").ids.tolist())

summed = ws.dataset(sales.df.coalesce(1).mapInPandas(total, "amount double"), name="summed")
print(summed.lineage.exact, summed.lineage.strategy)
