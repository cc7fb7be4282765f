"""Explanations of planted outliers (the SYNTH tables of the Scorpion chapter): how good, how fast, against peers.

For every table the best single answer of each contender is compared with the outer and the inner cube (F), and the
influence of ours with that of an exhaustive search over fifteen bins: for c up to 0.1 on the rows searched, above that
on fresh rows from the same cubes. Seeds come from WHENCE_BENCH_SEEDS, the limit of the exhaustive search from
WHENCE_BENCH_NAIVE_SECONDS.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace

import numpy as np

from bench._explain_peers import PEERS, Masks
from bench._synth import Synth, synth
from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.aggregates.avg import Avg
from whence.explain.aggregates.sum import Sum
from whence.explain.find import answers_from, find
from whence.explain.influence import Scorer
from whence.explain.predicate import Predicate
from whence.explain.request import Request
from whence.explain.search.archive import Archive
from whence.explain.search.naive import naive
from whence.explain.search.settings import SWEEP, Settings

SEEDS = int(os.environ.get("WHENCE_BENCH_SEEDS", "2"))
NAIVE_SECONDS = float(os.environ.get("WHENCE_BENCH_NAIVE_SECONDS", "20"))
LEVELS = {"easy": 80.0, "hard": 30.0}
AGGREGATES: dict[str, Aggregate] = {"avg": Avg(), "sum": Sum()}
LAM = 0.5
FRESH = 6
"""Fresh tables to try answers on."""


def run(repeats: int) -> dict[str, object]:
    """One row for each table; `repeats` is not used, as every contender runs once on every seed."""
    rows = [
        _measure(dimensions, level, aggregate, seed)
        for dimensions in (2, 3, 4)
        for level in LEVELS
        for aggregate in AGGREGATES
        for seed in range(1, SEEDS + 1)
    ]
    return {
        "question": "Explain planted outliers: F of the best answer, CPU seconds, influence against NAIVE",
        "rows": rows,
    }


def _measure(dimensions: int, level: str, aggregate: str, seed: int) -> dict[str, object]:
    table = synth(dimensions, LEVELS[level], seed, AGGREGATES[aggregate])
    fresh = [synth(dimensions, LEVELS[level], seed, AGGREGATES[aggregate], draw=draw) for draw in range(1, FRESH + 1)]
    row: dict[str, object] = {"table": f"{dimensions}D {level} {aggregate} seed {seed}"}
    started = time.process_time()
    found = find(table.problem, Request(lam=LAM))
    row["ours s"] = time.process_time() - started
    _f_scores(row, "ours", table, [table.problem.mask(answer.box) for answer in found.items])
    started = time.process_time()
    grid = naive(Scorer(table.problem), Settings(SWEEP, LAM, time_limit=NAIVE_SECONDS))
    row["naive s"] = time.process_time() - started
    winners = [grid.boxes[grid.winner(c, LAM)] for c in SWEEP]
    _f_scores(row, "naive", table, [table.problem.mask(box) for box in winners])
    for name, peer in PEERS.items():
        started = time.process_time()
        masks = peer(table)
        row[f"{name} s"] = time.process_time() - started
        _f_scores(row, name, table, masks)
    row["least ratio c<=0.1"] = min(
        max(float(each.parts.influence(c, LAM)[0]) for each in found.items) / float(grid.parts.influence(c, LAM).max())
        for c in SWEEP
        if c <= 0.1
    )
    told = [table.problem.predicate(box) for box in winners]
    row["fresh wins"], row["lost by (s.e.)"] = _fresh_wins(table, found.archive, told, fresh)
    return row


def _f_scores(row: dict[str, object], name: str, table: Synth, masks: Masks) -> None:
    for cube, where in (("outer", table.outer), ("inner", table.inner)):
        row[f"{name} {cube}"] = max((table.f_score(mask, where) for mask in masks), default=0.0)


def _fresh_wins(table: Synth, archive: Archive, winners: list[Predicate], fresh: list[Synth]) -> tuple[str, str]:
    """At how many c above 0.1 our answer does at least as well as NAIVE's, on average over fresh tables; where not.

    Ours is what is told when that c is asked for. Where no predicate is to be trusted none is told, which leaves all
    values as they are and counts 0. Beside each c that is lost stands by how many standard errors.
    """
    scorer, lost, total = Scorer(table.problem), [], 0
    for c, theirs in zip(SWEEP, winners, strict=True):
        if c > 0.1:
            total += 1
            items = answers_from(scorer, archive, Request(c=c, lam=LAM), time.monotonic()).items
            gains = [(_on(each, items[0].predicate, c) if items else 0.0) - _on(each, theirs, c) for each in fresh]
            if sum(gains) < 0:
                lost.append(f"{c}: {-np.mean(gains) / (np.std(gains, ddof=1) / len(gains) ** 0.5):.1f}")
    return f"{total - len(lost)}/{total}", ", ".join(lost)


def _on(fresh: Synth, predicate: Predicate, c: float) -> float:
    scorer = Scorer(replace(fresh.problem, attributes=()), is_light=True)
    return float(scorer.of_mask(predicate.matches(fresh.attributes)).influence(c, LAM)[0])
