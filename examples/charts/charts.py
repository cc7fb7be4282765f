import random
from datetime import date, timedelta
from pathlib import Path

import whence

ws = whence.open("charts.whence")
chance = random.Random(4)
start = date(2012, 2, 1)
spent = [
    (name, start + timedelta(days=chance.randrange(280)), round(chance.expovariate(1 / scale)))
    for name, scale in (("Obama", 900), ("Romney", 700))
    for _ in range(300)
]
election = ws.create(
    "election", spent, schema="candidate string, day date, amount int", cell_caveats=[(5, "amount", "refunded later")]
)

bars = whence.chart(election, {"aes": {"x": "candidate", "y": "amount"}, "stat": "sum", "geom": "bar"})
print(bars.marks.to_arrow().to_pylist())  # one row per mark, in drawing order
print(bars.marks.lineage.backward([1], to="election").count, "rows behind the second bar")
print([(row["x"], row["_why"]) for row in bars.vega["datasets"]["doubtful"]])  # hatched in the picture

figure = whence.chart(  # weekly and running totals by candidate, with ten and with twenty bins
    election,
    {
        "aes": {"x": "day", "y": "amount"},
        "layer": [
            {"stat": [{"type": "sort", "on": "x"}, "cumulative"], "geom": "line"},
            {"stat": {"type": "bin", "bins": "BINS"}, "geom": "rect"},
        ],
        "facet": {"x": "candidate", "y": {"param": "BINS", "values": [10, 20]}},
    },
    name="figure",
)
for form in ("json", "html", "svg", "png"):
    figure.save(f"figure.{form}")
    print(f"figure.{form}", Path(f"figure.{form}").stat().st_size > 1000)
