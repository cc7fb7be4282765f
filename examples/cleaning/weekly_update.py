from pathlib import Path

import whence

here = Path(__file__).parent
ws = whence.open("deaths.whence")

# The first week: what the table looks like is learned and kept.
ws.load(here / "deaths_2018_12_11.csv", name="deaths", nulls=["."])
ws.lens("watch_shape", "deaths", name="watched")

# A week later, the same call compares.
ws.load(here / "deaths_2018_12_18.csv", name="deaths", nulls=["."])
watched = ws.lens("watch_shape", "deaths", name="watched")
print(watched.lens_report.sentence)
for group in watched.caveats.list():
    print(f"{group.count} x {group.column}: {group.message}")

# New rows are written another way; bring both to one, and see which cells were changed and why.
full = {"M": "Male", "F": "Female"}
sexes = ws.lens("replace", "deaths", name="sexes", values=full, columns="Sex", assuming="M is Male and F is Female")
print(sexes.caveats.list(column="Sex")[0].message)
merged = ws.lens("standardise", "sexes", name="merged", column="Race Ethnicity")
print(merged.lens_report.learned["clusters"])
print(merged.caveats.list(column="Race Ethnicity")[0].message)

# One row for each cause, one column for each year.
wide = ws.lens("pivot", merged, name="wide", keys="Leading Cause", column="Year", value="Deaths", method="sum")
print(wide.to_pandas().head(3).to_string())
