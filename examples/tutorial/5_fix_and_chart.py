import whence

with whence.open("campaign.whence") as ws:
    ws.sql("select * from dated where memo_cd <> 'X'", name="payments")
    bars = {"aes": {"x": "disb_dt", "y": "disb_amt"}, "stat": "sum", "geom": "bar"}
    chart = ws["payments"].chart(bars, name="by_day")
    chart.save("by_day.svg")
    marks = chart.marks.to_pandas().sort_values("y", ascending=False)
    print(f"{len(marks)} bars, the largest of them")
    print(marks.head().to_string())

    print(chart.marks.lineage.why_not("spent", 4))  # line 6 of the file, a memo of 18 June
