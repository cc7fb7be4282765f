import whence

with whence.open("campaign.whence") as ws:
    bars = ws["by_day"]
    odd = [mark for mark, total in enumerate(bars.to_arrow()["y"].to_pylist()) if total > 200_000]
    reasons = ["recipient_nm", "recipient_st", "disb_desc"]
    found = bars.explain("y", outliers=odd, holdouts="others", direction="high", attributes=reasons)
    print(found[0].predicate.sql)
    print(found[0].sentence)

    source = ws["payments"].lineage.backward(found[0].rows, to="spent")
    for line, row in zip(ws["spent"].source_lines(source.ids), source.to_arrow().to_pylist(), strict=True):
        print(f"  line {line}: {row['recipient_nm']}, {row['disb_amt']:,.0f}, {row['disb_dt']}")
