"""Records what an operator says about its lineage while it runs."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from whence.arrays.payloads import Payload, as_payload
from whence.arrays.recorded import PayloadNotes, Regions
from whence.arrays.shapes import Ids, as_ids
from whence.model.errors import BadInput


class Emit:
    """Recorder of lineage that an operator's `run` is given.

    It ignores what it does not want, so an operator may tell everything; checking `wants` first saves the work.
    """

    def __init__(self, wants: Iterable[str], inputs: int) -> None:
        self.wants = frozenset(wants)
        self._inputs = inputs
        self._outs: list[tuple[Ids, Ids]] = []
        self._ins: list[list[tuple[Ids, Ids]]] = [[] for _ in range(inputs)]
        self._regions = 0
        self._noted: list[tuple[Ids, Payload]] = []

    def __call__(self, out: object, *ins: object) -> None:
        """Record that each of these output cells was made from all of these cells of each input."""
        if "full" not in self.wants:
            return
        if len(ins) != self._inputs:
            raise BadInput(f"emit was given cells of {len(ins)} inputs, and there are {self._inputs}.")
        self._outs.append(self._in_one(out))
        for number, each in enumerate(ins):
            # None says that no cell of this input took part.
            if each is not None:
                self._ins[number].append(self._in_one(each))
        self._regions += 1

    def pairs(self, out: npt.ArrayLike, ins: npt.ArrayLike, i: int = 0) -> None:
        """Record that output cell out[k] was made from cell ins[k] of input i, for every k."""
        if "full" in self.wants:
            left, right = as_ids(out), as_ids(ins)
            if len(left) != len(right):
                raise BadInput(f"emit.pairs was given {len(left)} output and {len(right)} input cells.")
            kinds, owners = np.unique(left, return_inverse=True)
            self._add(kinds, np.arange(len(kinds), dtype=np.int64), {i: (right, owners)}, len(kinds))

    def regions(self, out: npt.ArrayLike, label: npt.ArrayLike, ins: npt.ArrayLike, of: npt.ArrayLike) -> None:
        """Record that output cell out[k] was made from those cells ins[j] of input 0 whose of[j] is label[k]."""
        if "full" in self.wants:
            labels, inner = as_ids(label), as_ids(of)
            kinds, numbered = np.unique(np.concatenate([labels, inner]), return_inverse=True)
            cut = len(labels)
            self._add(as_ids(out), numbered[:cut], {0: (as_ids(ins), numbered[cut:])}, len(kinds))

    def pay(self, out: object, payload: object) -> None:
        """Record a payload for output cells: one for all of them, or an array with one for each."""
        if self.wants & {"pay", "comp"}:
            cells = as_ids(out)
            self._noted.append((cells, as_payload(payload, len(cells))))

    @property
    def listed(self) -> Regions:
        """The regions recorded so far."""
        outs = _joined(self._outs)
        return Regions(self._regions, *outs, tuple(_joined(each) for each in self._ins))

    @property
    def noted(self) -> PayloadNotes:
        """The payloads recorded so far."""
        return PayloadNotes.of(self._noted)

    def _in_one(self, cells: object) -> tuple[Ids, Ids]:
        ids = as_ids(cells)
        return ids, np.full(len(ids), self._regions, dtype=np.int64)

    def _add(self, outs: Ids, labels: Ids, ins: dict[int, tuple[Ids, Ids]], count: int) -> None:
        # Each call counts its regions from 0; the shift keeps them apart from those of earlier calls.
        self._outs.append((outs, labels + self._regions))
        for number, (cells, owners) in ins.items():
            self._ins[number].append((cells, owners + self._regions))
        self._regions += count


def _joined(pieces: list[tuple[Ids, Ids]]) -> tuple[Ids, Ids]:
    empty = np.empty(0, dtype=np.int64)
    cells = np.concatenate([empty, *(cells for cells, _ in pieces)])
    return cells, np.concatenate([empty, *(regions for _, regions in pieces)])
