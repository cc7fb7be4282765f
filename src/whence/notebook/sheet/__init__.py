"""The sheet engine: shows a dataset with edits on top, and saves the result as a new dataset.

Each edit is a `SheetOperation`, stored as data. A `SheetLog` applies the operations of a sheet to a `SheetState`, an
`Evaluator` computes what the cells show, and `apply_sheet` writes the dataset.
"""
