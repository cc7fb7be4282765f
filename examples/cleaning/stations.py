from pathlib import Path

import whence

ws = whence.open("stations.whence")
as_text = {f"column_{number}": "string" for number in range(1, 6)}
ws.load(Path(__file__).parent / "stations.csv", name="printed", header=False, types=as_text)


def show(dataset: whence.Dataset) -> None:
    """What the lens did, and the caveats it raised itself."""
    print(dataset.lens_report.sentence, dataset.columns)
    for group in dataset.caveats.list():
        if group.made_by.endswith(f" {dataset.name}@{dataset.version}"):
            print(f"    {group.count} x {group.column or 'row'}: {group.message}")


show(ws.lens("find_header", "printed", name="headed"))
show(ws.lens("infer_types", "headed", name="typed"))
show(ws.lens("drop_duplicates", "typed", name="single"))
show(ws.lens("repair_sequence", "single", name="daily", column="day"))
show(ws.lens("split_column", "daily", name="split", column="station", separator="/", into=["station", "country"]))
show(ws.lens("merge_columns", "split", name="merged", columns=["reading", "backup"]))
show(ws.lens("flag_outliers", "merged", name="flagged", column="reading"))
show(ws.lens("change_case", "flagged", name="cased", columns=["place"], to="title"))
show(ws.lens("comment", "cased", name="final", where="day = 6", column="country", text="The operator says AT."))
print(ws["final"].to_pandas().to_string())
