import numpy as np

import whence
from whence.arrays import Convolve, Reduce, Subtract, Threshold

ws = whence.open("sky.whence")
sky = np.random.default_rng(1).normal(100, 2, (40, 60))
sky[10:13, 20:23] += 50  # a star
sky[30, 45] = np.nan  # a dead pixel
ws.array("raw", np.nan_to_num(sky), axes=("y", "x"), cell_caveats=[((30, 45), "dead pixel")])

ws.apply(Convolve(((1, 2, 1), (2, 4, 2), (1, 2, 1))), "raw", name="soft")
ws.apply(Reduce("mean"), "soft", name="mean")
ws.apply(Subtract(), "soft", "mean", name="flat")
bright = ws.apply(Threshold(300.0), "flat", name="bright")

found = [tuple(map(int, cell)) for cell in np.argwhere(bright.to_numpy())]
print(bright, len(found), found[0])
back = bright.lineage.backward([found[0]], to="raw", path=["flat", "soft"])  # around one pixel, not by way of the mean
print(back.cells, back.values.round().tolist())
print(ws["raw"].lineage.forward([(30, 45)], to="soft").cells[:3])
print(np.argwhere(ws["soft"].caveats.marks()["value"].to_numpy().reshape(40, 60)).tolist()[:2])  # doubts follow
rows = ws.sql(
    "select axis0 as y, max(value) top from soft group by axis0 order by top desc limit 1", name="brightest"
)  # SQL reads it
print(rows.to_pandas()["y"].tolist(), rows.lineage.backward([0], to="soft").count)
ws.close()
