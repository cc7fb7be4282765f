"""Operators that declare their lineage, over arrays and rows: what users import beside `whence` itself."""

from whence.operators.boxes import boxes
from whence.operators.builtin.concatenate import Concatenate
from whence.operators.builtin.convolve import Convolve
from whence.operators.builtin.crop import Crop
from whence.operators.builtin.elementwise import Add, Divide, Elementwise, Multiply, Subtract, Threshold
from whence.operators.builtin.inverse import Inverse
from whence.operators.builtin.matmul import MatrixMultiply
from whence.operators.builtin.merge import Merge, Where
from whence.operators.builtin.pad import Pad
from whence.operators.builtin.reduce import Reduce
from whence.operators.builtin.reshape import Reshape
from whence.operators.builtin.slice import Slice
from whence.operators.builtin.transpose import Transpose
from whence.operators.check import Lie, check
from whence.operators.emit import Emit
from whence.operators.operator import Comp, Full, Map, Operator, Pay
from whence.operators.reach import Reach, neighbours, one_each
from whence.operators.rowwise import Batches, CoGrouped, EachRow, Grouped
from whence.operators.shapes import Shapes

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
