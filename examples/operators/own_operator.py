import numpy as np

import whence
from whence.arrays import neighbours


class CosmicRays(whence.Operator):
    """Marks pixels far brighter than those around them; such a pixel depends on its neighbours, any other on itself."""

    gives = {whence.Comp, whence.Full}

    def __init__(self, above):
        self.above = above

    def run(self, inputs, emit):
        (image,) = inputs
        mask = image > self.above
        hits = np.flatnonzero(mask)
        emit.pay(hits, np.uint8(1))  # a note for the few pixels that differ: how far each looks
        if "full" in emit.wants:  # or the whole list, if that is asked for
            rest, around = np.flatnonzero(~mask), neighbours(hits, 1, image.shape)
            emit.pairs(np.repeat(hits, around.lengths), around.ids)
            emit.pairs(rest, rest)
        return mask

    def map_b(self, out, shapes, i=0):  # where nothing is noted: the pixel of the same number
        return out

    map_f = map_b

    def map_p(self, out, payload, shapes, i=0):  # where something is: those around it
        return neighbours(out, payload[0] if len(payload) else 1, shapes[i])


ws = whence.open("rays.whence")
image = np.random.default_rng(0).normal(10, 1, (50, 50))
image[7, 9] = 200
ws.array("raw", image)
mask = ws.apply(CosmicRays(above=100), "raw", name="mask")
print(mask.lineage.strategy)
print(mask.lineage.backward([(7, 9)], to="raw").count, mask.lineage.backward([(0, 0)], to="raw").cells)
print(len(ws["raw"].lineage.forward([(6, 8)], to="mask").cells))


class Blur(whence.Operator):
    """Says that it looks one cell to each side, and looks two."""

    radius = 1

    def run(self, inputs, emit):
        padded = np.pad(inputs[0], 2)
        return sum(padded[k : k + len(inputs[0])] for k in range(5))


print(whence.check(Blur(), np.arange(9.0), cells=3)[0])  # finds declarations that lie

slow = ws.apply(CosmicRays(above=50), "raw", name="again", lineage="black box")  # store nothing, run it again if asked
ws.lineage_budget(disk="1MB", workload=[("backward", "again", "raw", 10), ("forward", "raw", "again")])
plan = ws.lineage_plan()  # what was chosen, why, and what more disk would buy
print([choice.dataset for choice in plan.choices], plan.disk <= 1_000_000)
ws.close()
