"""Every transformation: one line each, in the order in which data is usually prepared."""

from __future__ import annotations

from whence.transformations.transformation import Transformation
from whence.transformations.vocabulary.apply import Apply
from whence.transformations.vocabulary.binarize import Binarize
from whence.transformations.vocabulary.change_case import ChangeCase
from whence.transformations.vocabulary.comment import Comment
from whence.transformations.vocabulary.derive import Derive
from whence.transformations.vocabulary.discretize import Discretize
from whence.transformations.vocabulary.drop_columns import DropColumns
from whence.transformations.vocabulary.drop_duplicates import DropDuplicates
from whence.transformations.vocabulary.drop_missing import DropMissing
from whence.transformations.vocabulary.drop_rows import DropRows
from whence.transformations.vocabulary.filter import Filter
from whence.transformations.vocabulary.find_header import FindHeader
from whence.transformations.vocabulary.flag_outliers import FlagOutliers
from whence.transformations.vocabulary.generate import Generate
from whence.transformations.vocabulary.group_by import GroupBy
from whence.transformations.vocabulary.impute import Impute
from whence.transformations.vocabulary.infer_types import InferTypes
from whence.transformations.vocabulary.join import Join
from whence.transformations.vocabulary.merge_columns import MergeColumns
from whence.transformations.vocabulary.normalize import Normalize
from whence.transformations.vocabulary.one_hot import OneHot
from whence.transformations.vocabulary.oversample import Oversample
from whence.transformations.vocabulary.parse_dates import ParseDates
from whence.transformations.vocabulary.parse_numbers import ParseNumbers
from whence.transformations.vocabulary.pivot import Pivot
from whence.transformations.vocabulary.rename import Rename
from whence.transformations.vocabulary.repair_key import RepairKey
from whence.transformations.vocabulary.repair_sequence import RepairSequence
from whence.transformations.vocabulary.replace import Replace
from whence.transformations.vocabulary.sample import Sample
from whence.transformations.vocabulary.select import Select
from whence.transformations.vocabulary.sort import Sort
from whence.transformations.vocabulary.split_column import SplitColumn
from whence.transformations.vocabulary.standardise import Standardise
from whence.transformations.vocabulary.string_index import StringIndex
from whence.transformations.vocabulary.transform import Transform
from whence.transformations.vocabulary.trim import Trim
from whence.transformations.vocabulary.undersample import Undersample
from whence.transformations.vocabulary.union import Union
from whence.transformations.vocabulary.watch_shape import WatchShape

TRANSFORMATIONS: dict[str, Transformation] = {
    each.name: each
    for each in (
        FindHeader(),
        InferTypes(),
        ParseNumbers(),
        ParseDates(),
        Trim(),
        ChangeCase(),
        Replace(),
        Standardise(),
        Impute(),
        SplitColumn(),
        MergeColumns(),
        RepairKey(),
        RepairSequence(),
        DropDuplicates(),
        FlagOutliers(),
        WatchShape(),
        Comment(),
        Filter(),
        Select(),
        DropColumns(),
        DropRows(),
        DropMissing(),
        Rename(),
        Derive(),
        Sort(),
        GroupBy(),
        Join(),
        Union(),
        Pivot(),
        Sample(),
        Transform(),
        Normalize(),
        Discretize(),
        Binarize(),
        OneHot(),
        StringIndex(),
        Generate(),
        Oversample(),
        Undersample(),
        Apply(),
    )
}
