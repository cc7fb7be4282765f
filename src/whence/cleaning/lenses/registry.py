"""Every lens: one line each."""

from __future__ import annotations

from whence.cleaning.lens import Lens
from whence.cleaning.lenses.change_case import ChangeCase
from whence.cleaning.lenses.comment import Comment
from whence.cleaning.lenses.drop_duplicates import DropDuplicates
from whence.cleaning.lenses.find_header import FindHeader
from whence.cleaning.lenses.flag_outliers import FlagOutliers
from whence.cleaning.lenses.impute import Impute
from whence.cleaning.lenses.infer_types import InferTypes
from whence.cleaning.lenses.merge_columns import MergeColumns
from whence.cleaning.lenses.parse_dates import ParseDates
from whence.cleaning.lenses.parse_numbers import ParseNumbers
from whence.cleaning.lenses.pivot import Pivot
from whence.cleaning.lenses.repair_key import RepairKey
from whence.cleaning.lenses.repair_sequence import RepairSequence
from whence.cleaning.lenses.replace import Replace
from whence.cleaning.lenses.split_column import SplitColumn
from whence.cleaning.lenses.standardise import Standardise
from whence.cleaning.lenses.trim import Trim
from whence.cleaning.lenses.watch_shape import WatchShape

LENSES: dict[str, Lens] = {
    lens.name: lens
    for lens in (
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
        Pivot(),
        RepairKey(),
        RepairSequence(),
        DropDuplicates(),
        FlagOutliers(),
        WatchShape(),
        Comment(),
    )
}
