"""Stage 4, choose the capture: when the ids of input rows are written, and for which inputs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from whence.caveats.sites import CaveatSites, find_caveat_sites
from whence.derive.derivation import ChosenCapture, Derivation
from whence.derive.request import DeriveContext
from whence.engine.run_in_arrays import ROWS
from whence.lineage.document import NAME, LineageDocument
from whence.lineage.group_estimate import estimate_groups
from whence.lineage.strategy import INJECT, Choice, Evidence, LastRun, choose
from whence.model.errors import InternalError, UnknownDataset
from whence.plan.evaluate_once import evaluate_once
from whence.store.store import Store


def choose_capture(context: DeriveContext, derivation: Derivation) -> Derivation:
    """Add to the derivation which capture is used: the one that user or policy names, else the one of the cost rule."""
    read, capture = derivation.query.read, derivation.capture
    if read.plan is None:
        raise InternalError("A query without a plan has no capture to choose.")
    sites = find_caveat_sites(evaluate_once(read.plan, read.ids), read.ids)
    pruned = _find_pruned_sources(context.store, derivation)
    choice = replace(_choice(context, derivation, sites), pruned_sources=pruned, most_bytes=capture.most_bytes)
    return replace(derivation, chosen=ChosenCapture(sites, choice))


def _choice(context: DeriveContext, derivation: Derivation, sites: CaveatSites) -> Choice:
    request, query, mode = derivation.request, derivation.query, derivation.capture.mode
    if sites.sites and mode not in ("off", "paused"):  # messages of caveats travel with the rows, and ids with them
        return Choice("inject", INJECT)
    evidence = Evidence(
        last_run=partial(_last_run, context.store, request.name, request.text),
        constant=partial(context.engine.constant, query),
        groups=partial(estimate_groups, context.store),
        many_rows=ROWS.start if request.may_run_in_arrays else None,
    )
    return choose(sites.plan_with_messages, mode, evidence, can_ask_again=request.is_rerunnable and not sites.sites)


def _find_pruned_sources(store: Store, derivation: Derivation) -> dict[int, str]:
    """The sources whose rows are not traced, with their names."""
    only = derivation.capture.only
    if only is None:
        return {}
    names = enumerate(store.by_id(source).name for source in derivation.query.sources)
    return {number: name for number, name in names if name.lower() not in only}


def _last_run(store: Store, name: str, text: str) -> LastRun | None:
    """Return the sizes that the cost rule reads from the newest version of this name, if the same query made it."""
    try:
        last = store.current(name)
    except UnknownDataset:
        return None
    content = store.document(last, NAME) if last.text == text else None
    return None if content is None else LastRun(last.rows, LineageDocument.from_json(content).derivations)
