"""Patients, features and a model that predicts relapse: ten built-in operators and four of our own.

After the genomics flow of SubZero (Wu's thesis, Section 3.3.2), rebuilt with generated data: 55 features and the
outcome of 100 patients, replicated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import whence
from whence.arrays import Add, Emit, Multiply, Operator, Reduce, Reshape, Shapes, Slice, Subtract, Transpose
from whence.arrays.shapes import Ids

FEATURES = 55
PATIENTS = 100
TIMES = 100
"""How often the patients are replicated."""


def matrix(times: int = TIMES, seed: int = 3) -> np.ndarray:
    """One line for each patient: features, then the outcome, then 1 for training and 0 for a test."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(PATIENTS, FEATURES))
    outcome = (features[:, :5].sum(axis=1) + random.normal(size=PATIENTS) > 0).astype(float)
    training = (random.random(PATIENTS) < 0.6).astype(float)
    return np.tile(np.column_stack([features, outcome, training]), (times, 1))


class Part(Operator):
    """The patients of one part (E, G): which lines they are depends on a value, so each line notes where it was."""

    gives = {whence.Pay, whence.Full}

    def __init__(self, training: bool) -> None:
        self.training = training

    def run(self, inputs: Sequence[np.ndarray], emit: Emit) -> np.ndarray:
        """The lines, without the mark."""
        (table,) = inputs
        lines = np.flatnonzero(table[:, -1] == float(self.training))
        width = table.shape[1] - 1
        outs = np.arange(len(lines) * width)
        if "full" in emit.wants:
            own = (lines[:, None] * table.shape[1] + np.arange(width)).ravel()
            mark = np.repeat(lines * table.shape[1] + width, width)
            emit.pairs(np.concatenate([outs, outs]), np.concatenate([own, mark]))
        emit.pay(outs, np.repeat(lines, width).astype(np.int32))
        return table[lines, :-1]

    def map_p(self, out: Ids, payload: Any, shapes: Shapes, i: int = 0) -> object:  # noqa: ANN401
        """The cell of the noted line, and its mark."""
        width = shapes.out[1]
        start = payload.astype(np.int64) * (width + 1)
        return np.stack([start + out % width, start + width], axis=1)


class Model(Operator):
    """For each feature how much it speaks for a relapse (F): from its column and the outcomes of the training part."""

    gives = {whence.Pay, whence.Full}

    def run(self, inputs: Sequence[np.ndarray], emit: Emit) -> np.ndarray:
        """One weight for each feature."""
        (table,) = inputs
        features, outcome = table[:, :-1], table[:, -1] > 0
        lines, width = table.shape
        if "full" in emit.wants:
            outcomes = np.arange(lines) * width + width - 1
            for feature in range(width - 1):
                emit(feature, np.concatenate([np.arange(lines) * width + feature, outcomes]))
        emit.pay(np.arange(width - 1), np.arange(width - 1, dtype=np.int16))
        spread = features.std(axis=0) + 1e-9
        weights: np.ndarray = (features[outcome].mean(axis=0) - features[~outcome].mean(axis=0)) / spread
        return weights

    def map_p(self, out: Ids, payload: Any, shapes: Shapes, i: int = 0) -> object:  # noqa: ANN401
        """The column of the noted feature, and the outcomes."""
        lines, width = shapes[0]
        start = np.arange(lines, dtype=np.int64) * width
        own = start[None, :] + payload.astype(np.int64)[:, None]
        return np.concatenate([own, np.broadcast_to(start + width - 1, own.shape)], axis=1)


class Predict(Operator):
    """For each patient the probability of a relapse (H): from the patient's features and the whole model."""

    gives = {whence.Pay, whence.Full}

    def run(self, inputs: Sequence[np.ndarray], emit: Emit) -> np.ndarray:
        """One number for each patient."""
        table, model = inputs
        lines, width = table.shape
        count = len(model)
        if "full" in emit.wants:
            outs = np.repeat(np.arange(lines), count)
            emit.pairs(outs, (np.arange(lines)[:, None] * width + np.arange(count)).ravel(), 0)
            emit.pairs(outs, np.tile(np.arange(count), lines), 1)
        emit.pay(np.arange(lines), np.arange(lines, dtype=np.int32))
        chances: np.ndarray = 1 / (1 + np.exp(-(table[:, :count] @ model)))
        return chances

    def map_p(self, out: Ids, payload: Any, shapes: Shapes, i: int = 0) -> object:  # noqa: ANN401
        """The noted line, or the whole model."""
        count, width = shapes[1][0], shapes[0][1]
        if i == 1:
            return np.broadcast_to(np.arange(count, dtype=np.int64), (len(out), count))
        return payload.astype(np.int64)[:, None] * width + np.arange(count)


def flow(apply: Callable[..., object]) -> None:
    """Ten built-in operators and E, G, F, H."""
    apply(Transpose(), "patients", name="by_feature")
    apply(Transpose(), "by_feature", name="by_patient")
    apply(Multiply(1.0), "by_patient", name="scaled")
    apply(Part(True), "scaled", name="training")
    apply(Part(False), "scaled", name="testing")
    apply(Add(0.0), "training", name="training_ready")
    apply(Add(0.0), "testing", name="testing_ready")
    apply(Reduce("mean", (0,)), "training_ready", name="means")
    apply(Subtract(), "training_ready", "means", name="centred")
    apply(Model(), "training_ready", name="model")
    apply(Reshape((-1,)), "model", name="weights")
    apply(Predict(), "testing_ready", "weights", name="chances")
    apply(Multiply(100.0), "chances", name="percent")
    apply(Slice(((None, 1000, None),)), "percent", name="report")


OWN = ("training", "testing", "model", "chances")
