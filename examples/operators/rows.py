import whence
from whence.arrays import EachRow, Grouped

ws = whence.open("rows.whence")
ws.create(
    "visits",
    [("ann", 3.0), ("bob", 8.0), ("ann", 5.0), ("bob", 1.0), ("ann", 9.0)],
    schema="who string, minutes double",
)


def longest(rows):
    """One group: its two longest visits, each of which says which row it came from."""
    top = rows.nlargest(2, "minutes")
    return top.assign(__from=top["__rid"])


def summed(rows):
    """One group: a row made from all of it, which needs no words."""
    return rows.groupby("who", as_index=False)["minutes"].sum()


top = ws.apply(Grouped(longest, "who string, minutes double", keys=("who",)), "visits", name="top")
total = ws.apply(Grouped(summed, "who string, minutes double", keys=("who",)), "visits", name="total")
hours = ws.apply(EachRow(lambda rows: rows.assign(h=rows.minutes / 60), "who string, h double"), "visits", name="hours")
print(
    ws["visits"].lineage.forward([0], to="top").count,
    ws["visits"].lineage.forward([4], to="top").to_arrow().to_pylist(),
)
ann = total.to_pandas()["who"].tolist().index("ann")
print(total.lineage.backward([ann], to="visits").ids.tolist())
print(hours.lineage.backward([2], to="visits").ids.tolist(), hours.lineage.strategy)
ws.close()
