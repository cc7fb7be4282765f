import numpy as np

import whence
from whence.arrays import EachRow


class Smooth(whence.Operator):
    """The mean of each cell and its two neighbours."""

    radius = 1  # a cell looks one cell to each side: this is its lineage

    def run(self, inputs, emit):
        padded = np.pad(inputs[0], 1, mode="edge")
        return (padded[:-2] + padded[1:-1] + padded[2:]) / 3


with whence.open("signal.whence") as ws:
    ws.array("raw", np.array([0.0, 0.0, 9.0, 0.0, 0.0, 3.0]))
    smooth = ws.apply(Smooth(), "raw", name="smooth")
    print(smooth.to_numpy(), smooth.lineage.backward([(2,)], to="raw").cells)
    print(whence.check(Smooth(), np.arange(9.0)))  # looks for declarations that lie; finds none

    ws.create("visits", [("ann", 90.0), ("bob", 30.0)], schema="who string, minutes double")
    hours = EachRow(lambda rows: rows.assign(h=rows.minutes / 60), "who string, h double")
    print(ws.apply(hours, "visits", name="hours").lineage.backward([1], to="visits").ids)
