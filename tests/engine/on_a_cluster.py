"""What a workspace does on a master whose executors are processes of their own, said in JSON to test_masters.py."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import whence


def where_code_is(_: int) -> tuple[str, int]:
    import os

    import whence.store.parts as parts

    return str(parts.__file__), os.getppid()


def main(master: str, root: Path) -> dict[str, Any]:
    storage = root / "shared"
    said: dict[str, Any] = {}
    with whence.open(root / "w.whence", master=master, storage=storage) as ws:
        tasks = ws.spark.sparkContext.parallelize(range(2), 2).map(where_code_is).collect()
        said["code"] = [path for path, _ in tasks]
        (root / "sales.csv").write_text("k,x\n" + "".join(f"{n % 5},{n if n % 97 else 'oops'}\n" for n in range(2000)))
        ws.load(root / "sales.csv")
        out = ws.sql("select k, sum(x) s, count(*) n from sales group by k", name="out")
        rows = out.df.orderBy("k").collect()
        said["rows"] = [tuple(row) for row in rows]
        order = out.to_arrow().column("k").to_pylist()
        said["lineage"] = {k: out.lineage.backward([rid], to="sales").ids.tolist() for rid, k in enumerate(order)}
        said["marked"] = sorted(zip(order, out.caveats.marks().column("s").to_pylist(), strict=True))
        windows = ws.sql("select k, x, lag(x) over (partition by k order by x, k) w from sales", name="windows")
        said["windows"] = windows.count, windows.lineage.exact
        group = ws["sales"].caveats.list(column="x")[0]
        ws["sales"].caveats.acknowledge(group)
        again = ws.sql("select k, sum(x) s from sales group by k", name="again")
        said["acknowledged"] = any(again.caveats.marks().column("s").to_pylist())
        said["shared"] = sorted(path.name for path in next(storage.iterdir()).iterdir())
        said["own"] = sorted(path.name for path in (root / "w.whence").iterdir())
        from whence.store.doctor import doctor

        said["doctor"] = doctor(ws._context.store)
    return said


if __name__ == "__main__":
    answer = main(sys.argv[1], Path(sys.argv[2]))
    Path(sys.argv[2], "said.json").write_text(json.dumps(answer))
