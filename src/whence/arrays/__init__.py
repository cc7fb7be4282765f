"""Operators over arrays and rows that declare their lineage. Users import them from here, beside `whence` itself."""

from whence.arrays.boxes import boxes
from whence.arrays.builtin.concatenate import Concatenate
from whence.arrays.builtin.convolve import Convolve
from whence.arrays.builtin.crop import Crop
from whence.arrays.builtin.elementwise import Add, Divide, Elementwise, Multiply, Subtract, Threshold
from whence.arrays.builtin.inverse import Inverse
from whence.arrays.builtin.matmul import MatrixMultiply
from whence.arrays.builtin.merge import Merge, Where
from whence.arrays.builtin.pad import Pad
from whence.arrays.builtin.reduce import Reduce
from whence.arrays.builtin.reshape import Reshape
from whence.arrays.builtin.slice import Slice
from whence.arrays.builtin.transpose import Transpose
from whence.arrays.check import Lie, check
from whence.arrays.emit import Emit
from whence.arrays.operator import Comp, Full, Map, Operator, Pay
from whence.arrays.reach import Reach, neighbours, one_each
from whence.arrays.rowwise import Batches, CoGrouped, EachRow, Grouped
from whence.arrays.shapes import Shapes

__all__ = [
    "Add",
    "Batches",
    "CoGrouped",
    "Comp",
    "Concatenate",
    "Convolve",
    "Crop",
    "Divide",
    "EachRow",
    "Elementwise",
    "Emit",
    "Full",
    "Grouped",
    "Inverse",
    "Lie",
    "Map",
    "MatrixMultiply",
    "Merge",
    "Multiply",
    "Operator",
    "Pad",
    "Pay",
    "Reach",
    "Reduce",
    "Reshape",
    "Shapes",
    "Slice",
    "Subtract",
    "Threshold",
    "Transpose",
    "Where",
    "boxes",
    "check",
    "neighbours",
    "one_each",
]
