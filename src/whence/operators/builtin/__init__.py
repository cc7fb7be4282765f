"""Operators that come with whence: all of them work their lineage out from shapes alone."""

from whence.operators.builtin.concatenate import Concatenate
from whence.operators.builtin.convolve import Convolve
from whence.operators.builtin.crop import Crop
from whence.operators.builtin.elementwise import Add, Divide, Multiply, Subtract, Threshold
from whence.operators.builtin.inverse import Inverse
from whence.operators.builtin.matmul import MatrixMultiply
from whence.operators.builtin.merge import Merge, Where
from whence.operators.builtin.pad import Pad
from whence.operators.builtin.reduce import Reduce
from whence.operators.builtin.reshape import Reshape
from whence.operators.builtin.slice import Slice
from whence.operators.builtin.transpose import Transpose
from whence.operators.operator import Operator

BUILT_IN: dict[str, type[Operator]] = {
    each.__name__: each
    for each in (
        Add,
        Concatenate,
        Convolve,
        Crop,
        Divide,
        Inverse,
        MatrixMultiply,
        Merge,
        Multiply,
        Pad,
        Reduce,
        Reshape,
        Slice,
        Subtract,
        Threshold,
        Transpose,
        Where,
    )
}
"""By name, so that what made a dataset is known in any later session."""
