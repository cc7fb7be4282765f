from pathlib import Path

import whence

Path("visits.csv").write_text("who,day\nann,14/03/2020\nbob,2/3/2020\ncy,2020-03-05\ndee,March 7 2020\neve,soon\n")

with whence.open("visits.whence") as ws:
    ws.load("visits.csv", name="visits", types={"day": "string"})
    dated = ws.lens("parse_dates", "visits", name="dated", column="day")
    for row, marks in zip(dated.to_arrow().to_pylist(), dated.caveats.marks().to_pylist(), strict=True):
        print(row["who"], row["day"], "?" if marks["day"] else "")
    print(dated.lens_report.sentence)
    for group in dated.caveats.list(column="day"):
        print(*(f"row {place.row}: {place.message}" for place in group.references), sep="\n")
