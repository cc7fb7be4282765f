import whence

with whence.open("campaign.whence") as ws:
    ws.lens("standardise", "spent", name="named", column="recipient_nm")
    dated = ws.lens("parse_dates", "named", name="dated", column="disb_dt")
    print(dated)
    for group in dated.caveats.list():
        print(f"{group.count} x {group.column}: {group.message}")
