"""Composes an event of OpenLineage from what the workspace knows of a run when the event is sent."""

from __future__ import annotations

from collections.abc import Mapping

from openlineage.client.event_v2 import Job, Run, RunEvent, RunState
from openlineage.client.facet_v2 import (
    JobFacet,
    RunFacet,
    error_message_run,
    job_type_job,
    parent_run,
    processing_engine_run,
    sql_job,
)

from whence.model.dataset import DatasetRecord
from whence.openlineage.dataset_facets import DatasetFacets
from whence.openlineage.facets import PARAMETERS, PRODUCER, SPARK_PROPERTIES, ParametersFacet, SparkPropertiesFacet
from whence.openlineage.names import job_name, run_id
from whence.store import run_events
from whence.store.manifest import own_version
from whence.store.run_events import RunFacts


def compose_event(
    datasets: DatasetFacets,
    event: run_events.RunEvent,
    run: RunFacts,
    made: DatasetRecord | None,
    namespace: str,
    settings: Mapping[str, str],
) -> RunEvent:
    """Return the event about a run. Only runs of datasets have inputs and outputs: cells and notebooks are above them.

    `made` is the version that the run made, if it has ended well and nothing was forgotten. `settings` are those of
    Spark; none if it is not known which held.
    """
    is_late = event.type == "OTHER"
    inputs = [] if made is None or is_late else datasets.inputs(made)
    outputs = [] if made is None else [datasets.late_output(made) if is_late else datasets.output(made)]
    return RunEvent(
        eventTime=event.time,
        eventType=RunState[event.type],
        producer=PRODUCER,
        run=Run(run_id(run), facets=_run_facets(event, run, namespace, settings)),
        job=Job(namespace, job_name(run), facets=_job_facets(run, made)),
        inputs=inputs,
        outputs=outputs,
    )


def _run_facets(
    event: run_events.RunEvent, run: RunFacts, namespace: str, settings: Mapping[str, str]
) -> dict[str, RunFacet]:
    installed = own_version()
    facets: dict[str, RunFacet] = {
        "processing_engine": processing_engine_run.ProcessingEngineRunFacet(
            installed, name="whence", openlineageAdapterVersion=installed, producer=PRODUCER
        )
    }
    if run.parent is not None:
        facets["parent"] = _parent(run.parent, namespace)
    if settings and run.kind == "dataset":
        facets[SPARK_PROPERTIES] = SparkPropertiesFacet(dict(settings), producer=PRODUCER)
    if event.type != "START" and run.parameters:
        facets[PARAMETERS] = ParametersFacet(dict(run.parameters), producer=PRODUCER)
    if event.type in ("FAIL", "ABORT") and run.reason:
        facets["errorMessage"] = error_message_run.ErrorMessageRunFacet(run.reason, "PYTHON", producer=PRODUCER)
    return facets


def _parent(parent: RunFacts, namespace: str) -> parent_run.ParentRunFacet:
    root = parent
    while root.parent is not None:
        root = root.parent
    return parent_run.ParentRunFacet(
        run=parent_run.Run(run_id(parent)),
        job=parent_run.Job(namespace, job_name(parent)),
        root=parent_run.Root(run=parent_run.RootRun(run_id(root)), job=parent_run.RootJob(namespace, job_name(root))),
        producer=PRODUCER,
    )


def _job_facets(run: RunFacts, made: DatasetRecord | None) -> dict[str, JobFacet]:
    kind = job_type_job.JobTypeJobFacet("BATCH", "WHENCE", jobType=run.origin.upper(), producer=PRODUCER)
    if made is None or run.origin != "sql":
        return {"jobType": kind}
    return {"jobType": kind, "sql": sql_job.SQLJobFacet(made.text, dialect="spark", producer=PRODUCER)}
