"""Packs recorded lineage into arrays and reads it back: one entry for each output cell, or one for each region."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from whence.arrays import payloads
from whence.arrays.lookups import Edge, Paid, PaidForward, Through
from whence.arrays.operator import Representation
from whence.arrays.recorded import PayloadNotes, Regions
from whence.arrays.shapes import Ids, Shapes
from whence.lineage.index import build_lookup, sorted_pairs
from whence.lineage.lookup import Lookup

Encoding = Literal["one", "many"]
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)

Arrays = dict[str, npt.NDArray[Any]]


def pack_full(regions: Regions, encoding: Encoding, shapes: Shapes) -> Arrays:
    """Return full lineage as arrays: aligned (output, input) pairs for each input, or the members of regions."""
    if encoding == "one":
        packed: Arrays = {}
        for number in range(len(regions.ins)):
            # Sorted by output cell, each pair once: this compresses best, and needs no sorting to be asked.
            offsets, ins = sorted_pairs(*regions.pairs(number), shapes.cells, shapes.cells_of(number))
            packed[f"out{number}"] = np.repeat(np.arange(shapes.cells, dtype=np.int64), np.diff(offsets))
            packed[f"in{number}"] = ins.astype(np.int64, copy=False)
        return packed
    packed = {"regions": np.array([regions.count]), "out": regions.outs, "out_region": regions.out_regions}
    for number, (cells, owners) in enumerate(regions.ins):
        packed |= {f"in{number}": cells, f"in_region{number}": owners}
    return packed


def pack_noted(noted: PayloadNotes, encoding: Encoding) -> Arrays:
    """Return payloads as arrays: one beside each cell, or the number of a payload that several cells share."""
    if encoding == "one":
        return {"out": noted.outs, **payloads.to_arrays(noted.each)}
    shared = noted.shared()
    return {"out": shared.outs, "code": shared.codes, **payloads.to_arrays(shared.values)}


def unpack_noted(arrays: Arrays) -> PayloadNotes:
    """Return the payloads that `pack_noted` wrote."""
    outs = arrays["out"].astype(np.int64, copy=False)
    codes = arrays.get("code", np.arange(len(outs)))
    return PayloadNotes(outs, codes.astype(np.int64, copy=False), payloads.from_arrays(arrays))


def unpack_regions(arrays: Mapping[str, npt.NDArray[Any]], inputs: int) -> Regions:
    """Return the regions that `pack_full` wrote."""
    wide = {name: array.astype(np.int64, copy=False) for name, array in arrays.items()}
    ins = tuple((wide[f"in{number}"], wide[f"in_region{number}"]) for number in range(inputs))
    return Regions(int(wide["regions"][0]), wide["out"], wide["out_region"], ins)


def pairs_of(arrays: Arrays, number: int) -> tuple[Ids, Ids]:
    """Return the aligned (output, input) pairs of one input that `pack_full` wrote."""
    outs, ins = arrays[f"out{number}"], arrays[f"in{number}"]
    return outs.astype(np.int64, copy=False), ins.astype(np.int64, copy=False)


def is_by_region(arrays: Arrays) -> bool:
    """Whether the arrays hold members of regions, not pairs."""
    return "regions" in arrays


def lookup_of(edge: Edge, representation: Representation, arrays: Arrays, *, backward: bool) -> Lookup:
    """Return a lookup over packed arrays, in one direction."""
    if representation == "full":
        return _full(edge, arrays, backward=backward)
    noted, has_default = unpack_noted(arrays), representation == "comp"
    if backward:
        return Paid(edge, noted, has_default=has_default)
    return PaidForward(edge, noted, has_default=has_default)


def _full(edge: Edge, arrays: Arrays, *, backward: bool) -> Lookup:
    keys, values = edge.ends(backward=backward)
    if not is_by_region(arrays):
        outs, ins = pairs_of(arrays, edge.number)
        return build_lookup(outs, ins, keys, values) if backward else build_lookup(ins, outs, keys, values)
    regions = unpack_regions(arrays, len(edge.shapes))
    out_side, in_side = (regions.outs, regions.out_regions), regions.ins[edge.number]
    near, far = (out_side, in_side) if backward else (in_side, out_side)
    # Two small indexes over regions, instead of one over all pairs.
    return Through(build_lookup(*near, keys, regions.count), build_lookup(far[1], far[0], regions.count, values))


def narrowed(arrays: Arrays) -> Arrays:
    """Return the arrays with ids in four bytes where that is enough; payloads keep their type."""
    return {name: _narrow(name, np.ascontiguousarray(array)) for name, array in arrays.items()}


def _narrow(name: str, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    is_small = array.dtype == np.int64 and not name.startswith("payload") and (not len(array) or array.max() < 2**31)
    return array.astype(np.int32) if is_small else array
