from pathlib import Path

import whence

HERE = Path(__file__).parent
ws = whence.open("suppliers.whence")
nb = ws.notebook("supplier prices")

# Alice explores a price list step by step. Suppliers type prices by hand: '21 USD', '$19.00'.
nb.append("markdown", source="# Supplier prices\nWhat do our suppliers charge on average?")
load = nb.append("load", source=HERE / "prices_of_alice.csv", name="quotes", types={"price": "string"})
clean = nb.append(
    "sql",
    source=r"""select part, supplier,
    caveat_if(cast(regexp_replace(price, '[^0-9.]+', '') as double),
              price rlike '[^0-9.]', concat(price, ' is taken for US dollars')) as price
from quotes""",
    name="prices",
)
average = nb.append(
    "group_by", source="prices", columns=["supplier"], values={"mean": "avg(price)"}, name="by_supplier"
)
nb.wait()


def show() -> None:
    """The averages, doubtful ones with a question mark, and how much of the notebook ran."""
    marks = ws["by_supplier"].caveats.marks()["mean"].to_pylist()
    rows = zip(ws["by_supplier"].to_arrow().to_pylist(), marks, strict=True)
    for row, is_doubtful in sorted(rows, key=lambda each: each[0]["supplier"]):
        print(f"  {row['supplier']:10} {row['mean']:6.2f}{' ?' if is_doubtful else ''}")


print("Alice:")
show()

# Months later Bob takes her notebook over, for suppliers all over the world, on a branch of his own.
nb.branch("bob")
nb.checkout("bob")
nb.update(load, source=HERE / "prices_of_bob.csv")
nb.wait()
print("Bob, with Alice's steps:")
show()
for group in ws["by_supplier"].caveats.list():
    print(f"  {group.count} x {group.column}: {group.message}")

# One of them is wrong: 21 Euro are not 21 dollars. He repairs that step, and only what depends on it runs again.
rate = nb.insert(1, "parameters", source={"euro": 1.1})
nb.update(clean, source=clean.source.replace("as double)", "as double) * if(price like '%Euro', :euro, 1)"))
nb.wait()
print("Bob, after his repair:")
show()

found = nb.compare(4, nb.version)
print([(change.cell, change.change) for change in found.cells])
print("Alice's branch is as she left it:")
nb.checkout("main")
show()
