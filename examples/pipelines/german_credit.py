"""Codes to words, two columns from one, and one-hot encoding: the German credit pipeline."""

from pathlib import Path

import whence

WORDS = {
    "checking": {"A11": "low", "A12": "mid", "A13": "high", "A14": "none"},
    "credit_history": {"A30": "none", "A31": "paid here", "A32": "paid", "A33": "delay", "A34": "critical"},
    "purpose": {"A40": "new car", "A41": "used car", "A42": "furniture", "A43": "radio", "A44": "appliance",
                "A45": "repairs", "A46": "education", "A48": "retraining", "A49": "business", "A410": "other"},
    "savings": {"A61": "small", "A62": "medium", "A63": "large", "A64": "very large", "A65": "unknown"},
    "employment": {"A71": "none", "A72": "under 1", "A73": "1 to 4", "A74": "4 to 7", "A75": "over 7"},
    "other_debtors": {"A101": "none", "A102": "co-applicant", "A103": "guarantor"},
    "property": {"A121": "house", "A122": "savings", "A123": "car", "A124": "unknown"},
    "other_inst": {"A141": "bank", "A142": "store", "A143": "none"},
    "housing": {"A151": "rent", "A152": "own", "A153": "free"},
    "job": {"A171": "non-resident", "A172": "unskilled", "A173": "skilled", "A174": "management"},
    "phone": {"A191": "no", "A192": "yes"},
    "foreigner": {"A201": "yes", "A202": "no"},
    "label": {1: 1, 2: 0},
}  # fmt: skip
ENCODED = ["checking", "credit_history", "purpose", "savings", "employment", "other_debtors", "property", "other_inst",
           "housing", "job", "status"]  # fmt: skip


def prepare(german: whence.Dataset) -> whence.Pipeline:
    """The steps."""
    p = whence.Pipeline(german, name="german_ready")
    p.transform(WORDS)
    p.derive(
        {
            "status": "case personal_status when 'A91' then 'divorced' when 'A93' then 'single' else 'married' end",
            "gender": "if(personal_status in ('A92', 'A95'), 'female', 'male')",
        }
    )
    p.drop_columns(["personal_status"])
    return p.one_hot(ENCODED)


if __name__ == "__main__":
    with whence.open("german.whence") as ws:
        p = prepare(ws.load(Path(__file__).with_name("german.csv"), name="german"))
        print(p.result)
        for operation in p.operations:
            print(
                operation.number,
                operation.kind,
                operation.cells_changed,
                "of",
                operation.cells_touched,
                "cells changed",
            )
        q = p.provenance
        for ref in q.why(17, "checking_low"):
            print("row 17, checking_low comes from", ref.column, "of row", ref.row, "which is", ref.value)
        for step in q.how(17, "checking_low"):
            print("  ", step.operation.kind, step.column, step.before, "->", step.after)
        print("personal_status was dropped by", q.feature_invalidation("personal_status"))
