"""Every operator: one line each."""

from __future__ import annotations

from whence.pipeline.operator import Operator
from whence.pipeline.operators.apply import Apply
from whence.pipeline.operators.binarize import Binarize
from whence.pipeline.operators.derive import Derive
from whence.pipeline.operators.discretize import Discretize
from whence.pipeline.operators.drop_columns import DropColumns
from whence.pipeline.operators.drop_duplicates import DropDuplicates
from whence.pipeline.operators.drop_missing import DropMissing
from whence.pipeline.operators.drop_rows import DropRows
from whence.pipeline.operators.filter import Filter
from whence.pipeline.operators.generate import Generate
from whence.pipeline.operators.group_by import GroupBy
from whence.pipeline.operators.impute import Impute
from whence.pipeline.operators.join import Join
from whence.pipeline.operators.normalize import Normalize
from whence.pipeline.operators.one_hot import OneHot
from whence.pipeline.operators.oversample import Oversample
from whence.pipeline.operators.pivot import Pivot
from whence.pipeline.operators.rename import Rename
from whence.pipeline.operators.repair import Repair
from whence.pipeline.operators.sample import Sample
from whence.pipeline.operators.select import Select
from whence.pipeline.operators.sort import Sort
from whence.pipeline.operators.string_index import StringIndex
from whence.pipeline.operators.transform import Transform
from whence.pipeline.operators.undersample import Undersample
from whence.pipeline.operators.union import Union

OPERATORS: dict[str, Operator] = {
    each.name: each
    for each in (
        Select(),
        DropColumns(),
        Filter(),
        DropRows(),
        DropMissing(),
        DropDuplicates(),
        Sample(),
        Undersample(),
        Oversample(),
        Impute(),
        Transform(),
        Repair(),
        Binarize(),
        Normalize(),
        Discretize(),
        Derive(),
        OneHot(),
        StringIndex(),
        Generate(),
        Rename(),
        Sort(),
        Join(),
        Union(),
        GroupBy(),
        Pivot(),
        Apply(),
    )
}
