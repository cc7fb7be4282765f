from datetime import date

import whence

with whence.open("campaign.whence") as ws:
    daily, spent = ws["daily"], ws["spent"]
    day = daily.to_arrow()["day"].to_pylist().index(date(2015, 6, 18))
    print(f"row {day}: {daily.to_arrow()['total'][day].as_py():,.2f}")

    amounts = [cell for cell in daily.lineage.cell(day, "total", to="sources") if cell.role == "aggregated"]
    print(f"made of {len(amounts)} amounts, among them")
    for cell in amounts[:4]:
        (line,) = spent.source_lines([cell.row])
        (row,) = spent.take([cell.row]).to_pylist()
        print(f"  line {line}: {row['recipient_nm']}, {cell.value}, memo_cd {row['memo_cd']}")

    behind = daily.lineage.backward([day], to="spent")
    query = "select memo_cd, count(*) as n, sum(disb_amt) as total from {rows} group by 1 order by 1"
    print(ws.sql(query, name="memos", rows=behind).to_pandas().round(2).to_string(index=False))
