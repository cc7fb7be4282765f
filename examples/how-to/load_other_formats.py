import json
import sqlite3
import zipfile
from pathlib import Path

import pandas as pd

import whence

rows = [{"part": "bolt", "price": 1.5}, {"part": "nut", "price": 0.5}]
pd.DataFrame(rows).to_excel("parts.xlsx", sheet_name="May", index=False)
pd.DataFrame(rows).to_parquet("parts.parquet")
pd.DataFrame(rows).to_feather("parts.feather")
pd.DataFrame(rows).to_orc("parts.orc")
with zipfile.ZipFile("months.zip", "w") as archive:
    archive.writestr("may.csv", "part,price\nbolt,1.5\n")
    archive.writestr("june.csv", "part,price\nnut,0.5\n")
Path("parts.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
with sqlite3.connect("parts.sqlite") as database:
    pd.DataFrame(rows).to_sql("prices", database, index=False)
database.close()

with whence.open("parts.whence") as ws:
    print(ws.load("parts.xlsx", name="from_excel", sheet="May"))
    print(ws.load("parts.parquet", name="from_parquet"))
    print(ws.load("parts.feather", name="from_arrow"))
    print(ws.load("parts.orc", name="from_orc"))
    print(ws.load("months.zip", name="from_zip", file_column="month").to_arrow().to_pylist())
    print(ws.load("parts.jsonl", name="from_json"))
    print(ws.load("parts.sqlite", name="from_sqlite", table="prices"))
