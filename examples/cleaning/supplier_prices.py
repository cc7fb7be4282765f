from pathlib import Path

import whence

ws = whence.open("prices.whence")
ws.load(Path(__file__).parent / "supplier_prices.csv", name="quotes", types={"price": "string", "quoted": "string"})

for hint in ws.suggest_lenses("quotes"):
    print(f"{hint.lens}: {hint.why}")

ws.lens("parse_numbers", "quotes", name="amounts", column="price", unit="currency", unit_if_missing="USD")
ws.lens("parse_dates", "amounts", name="dated", column="quoted")
ws.lens("standardise", "dated", name="named", column="supplier")
ws.lens("repair_key", "named", name="latest", column="part", choose="last", order="quoted")
prices = ws.lens("impute", "latest", name="prices", column="price", method="median", by=["supplier"])
print(prices.to_pandas().to_string())

# What did each step assume?
for name in ("amounts", "dated", "named", "latest", "prices"):
    print("-", ws[name].lens_report.sentence)

# Months later, somebody else adds the prices up. What does the sum of one supplier rest on?
totals = ws.sql("select supplier, currency, sum(price) as total from prices group by supplier, currency", name="totals")
for row, record in enumerate(totals.to_arrow().to_pylist()):
    print(record)
    for group in totals.caveats.list(row=row, column="total"):
        print(f"    {group.count} x {group.family}: {group.message}")
