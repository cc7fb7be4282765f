"""Blanks trimmed, `?` made missing, 97 columns encoded: the Census pipeline."""

import os
from pathlib import Path

import whence

NAMES = ["age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship",
         "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "label"]  # fmt: skip
TEXTS = ["workclass", "education", "marital-status", "occupation", "relationship", "race", "sex", "native-country",
         "label"]  # fmt: skip


def load(ws: whence.Workspace, file: Path) -> whence.Dataset:
    """The file has numbers for names."""
    raw = ws.load(file, name="census_file")
    return ws.dataset(raw.df.toDF(*NAMES), name="census")


def prepare(census: whence.Dataset) -> whence.Pipeline:
    """The steps, over a dataset with these names."""
    p = whence.Pipeline(census, name="census_ready")
    p.transform(TEXTS, "trim({})")
    p.replace({"?": None}, ["workclass", "occupation", "native-country"])
    p.one_hot([name for name in TEXTS if name not in ("sex", "label")])
    p.binarize({"sex": "sex = 'Male'", "label": "label = '>50K'"})
    return p.drop_columns(["fnlwgt"])


if __name__ == "__main__":
    folder = os.environ.get("WHENCE_SHARED_DATA")
    if folder is None:
        print("Set WHENCE_SHARED_DATA to a folder that has census/census.csv.")
    else:
        with whence.open("census.whence") as ws:
            p = prepare(load(ws, Path(folder) / "census" / "census.csv"))
            print(p.result)
            for operation in p.operations:
                print(operation, f"{operation.cells_changed:,} of {operation.cells_touched:,} cells changed")
