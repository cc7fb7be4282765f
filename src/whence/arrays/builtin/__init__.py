"""The operators that come with whence. All of them compute their lineage from shapes alone."""

from whence.arrays.builtin.concatenate import Concatenate
from whence.arrays.builtin.convolve import Convolve
from whence.arrays.builtin.crop import Crop
from whence.arrays.builtin.elementwise import Add, Divide, Multiply, Subtract, Threshold
from whence.arrays.builtin.inverse import Inverse
from whence.arrays.builtin.matmul import MatrixMultiply
from whence.arrays.builtin.merge import Merge, Where
from whence.arrays.builtin.pad import Pad
from whence.arrays.builtin.reduce import Reduce
from whence.arrays.builtin.reshape import Reshape
from whence.arrays.builtin.slice import Slice
from whence.arrays.builtin.transpose import Transpose
from whence.arrays.operator import Operator

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
"""The built-in operators by name, so that any later session finds what made a dataset."""
