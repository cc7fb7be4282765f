"""Collects what the steps of a segment say about its result: doubt, notes and the report of the last step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from whence.model.caveat import Caveat
from whence.model.dataset import Doubt
from whence.pipeline.segment import Segment
from whence.pipeline.step import PipelineStep
from whence.transformations.report import LensReport, plain


def doubt_of(segment: Segment) -> Doubt:
    """Return what may be in doubt after the steps of a segment: what is in its base, and what steps guessed."""
    doubt = segment.base.doubt
    guesses = [guess for step in segment.steps for guess in step.plan.guesses]
    columns = {guess.column for guess in guesses if guess.column is not None}
    has_doubtful_filter = any(step.plan.row_filter is not None and step.plan.row_filter.doubt for step in segment.steps)
    has_row_guess = any(guess.column is None for guess in guesses)
    return Doubt(doubt.columns | columns, doubt.rows or has_row_guess, doubt.row_set or has_doubtful_filter)


def standing_notes(segment: Segment) -> tuple[Caveat, ...]:
    """Return the notes of all steps about columns that still exist, under their final names."""
    steps = segment.every_step
    named = [(note, _last_name(note.column, steps[number + 1 :])) for number, step in enumerate(steps)
             for note in step.plan.notes]  # fmt: skip
    return tuple(replace(note, column=name) for note, name in named if note.column is None or name is not None)


def _last_name(column: str | None, later: Sequence[PipelineStep]) -> str | None:
    for step in later:
        if column is None or column in step.gone:
            return None
        column = step.plan.renamed.get(column, column)
    return column


def step_report(step: PipelineStep) -> LensReport:
    """Return the report of a step: what it did, its parameters, and what it learned."""
    statistics = (each for template in step.plan.templates for each in template.statistics)
    learned = step.plan.learned or {each.name: each.value for each in statistics}
    return LensReport(
        step.operation.kind,
        step.plan.description,
        {
            name: plain(_label_or_value(value))
            for name, value in step.parameters.items()
            if value is not None and value != ()
        },
        {name: plain(value) for name, value in learned.items()},
    )


def _label_or_value(value: object) -> object:
    """Return the label of a dataset handle; any other value as it is."""
    record = getattr(value, "record", None)
    return value if record is None else record.label
