"""Who is dropped, and whom does it hit? The COMPAS pipeline."""

import os
from pathlib import Path

import whence

CHOSEN = ["age", "c_charge_degree", "race", "sex", "priors_count", "days_b_screening_arrest", "two_year_recid",
          "c_jail_in", "c_jail_out"]  # fmt: skip
# Whole days between two moments, counted down: a day and an hour are one day, an hour before is minus one.
DAYS = "cast(floor((unix_timestamp(c_jail_out) - unix_timestamp(c_jail_in)) / 86400) as int)"


def prepare(compas: whence.Dataset) -> whence.Pipeline:
    """The steps."""
    p = whence.Pipeline(compas, name="compas_ready")
    p.select(CHOSEN)
    p.drop_missing()
    p.binarize({"race": "race = 'Caucasian'"})
    p.transform(["two_year_recid"], "1 - {}")
    p.derive({"jailtime": DAYS})
    p.drop_columns(["c_jail_in", "c_jail_out"])
    return p.binarize({"c_charge_degree": "c_charge_degree = 'M'"})


if __name__ == "__main__":
    folder = os.environ.get("WHENCE_SHARED_DATA")
    if folder is None:
        print("Set WHENCE_SHARED_DATA to a folder that has compas/compas.csv.")
    else:
        with whence.open("compas.whence") as ws:
            p = prepare(ws.load(Path(folder) / "compas" / "compas.csv", name="compas"))
            q = p.provenance
            print(p.result, q.invalidations())
            print(q.why_missing(3))
            for share in q.bias(["race", "sex"]).worst[:4]:
                print(f"{share.column} {share.group}: {share.kept:.1%} kept by {share.operation.kind}, "
                      f"of all rows {share.kept_overall:.1%}")  # fmt: skip
