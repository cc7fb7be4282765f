import whence

with whence.open("campaign.whence") as ws:
    daily = ws.sql("select disb_dt as day, sum(disb_amt) as total from dated group by 1 order by 1", name="daily")
    print(daily)
    (years,) = daily.caveats.list()
    print(f"{years.count} x {years.column}: {years.message}")

    daily.caveats.acknowledge(years, note="the file is about the first half of 2015")
    print(daily)
