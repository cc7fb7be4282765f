"""What OpenLineage asks of an event, read off the classes of its own client, which are made from its JSON schemas."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterator
from enum import Enum
from importlib import import_module, resources
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import attr
import jsonschema  # type: ignore[import-untyped]
from openlineage.client import generated
from openlineage.client.event_v2 import RunEvent
from openlineage.client.generated.base import (
    DatasetFacet,
    InputDatasetFacet,
    JobFacet,
    OutputDatasetFacet,
    RunFacet,
)
from openlineage.client.serde import Serde

FACETS = {
    "columnLineage": "ColumnLineageDatasetFacet",
    "dataQualityAssertions": "DataQualityAssertionsDatasetFacet",
    "dataQualityMetrics": "DataQualityMetricsDatasetFacet",
    "errorMessage": "ErrorMessageRunFacet",
    "jobType": "JobTypeJobFacet",
    "outputStatistics": "OutputStatisticsOutputDatasetFacet",
    "parent": "ParentRunFacet",
    "processing_engine": "ProcessingEngineRunFacet",
    "schema": "SchemaDatasetFacet",
    "sql": "SQLJobFacet",
    "tags": "TagsRunFacet",
    "version": "DatasetVersionDatasetFacet",
}
"""The key of each facet, as its JSON schema names it."""

PLACES = (DatasetFacet, InputDatasetFacet, JobFacet, OutputDatasetFacet, RunFacet)


def check_event(event: dict[str, Any]) -> None:
    """Raise unless an event has just the fields that the specification knows, all that it asks for, and their types."""
    for field in ("eventTime", "producer", "schemaURL"):
        assert field in event
    assert event["schemaURL"].endswith("#/$defs/RunEvent")
    _read(RunEvent, event)


def whence_schema(url: str) -> dict[str, Any]:
    """The schema of a facet of whence's own, which ships with it."""
    name = url.rpartition("/")[2]
    text = resources.files("whence.openlineage").joinpath(f"schemas/{name}").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    assert schema["$id"] == url
    return schema


def _read(cls: type[Any], found: dict[str, Any]) -> object:
    """The object of the client's class. Its own validators run, and it is written as what was read."""
    hints, fields = get_type_hints(cls), {field.name: field for field in attr.fields(cls)}
    assert not found.keys() - fields.keys(), f"{cls.__name__} has no {found.keys() - fields.keys()}"
    for name, field in fields.items():
        assert name in found or field.default is not attr.NOTHING, f"{cls.__name__} lacks {name}"
    values = {name: _value(hints[name], value) for name, value in found.items()}
    made = cls(**{fields[name].alias: value for name, value in values.items() if fields[name].init})
    assert Serde.to_dict(made) == found, cls.__name__
    return made


def _value(hint: Any, value: Any) -> Any:  # noqa: ANN401 - a type and what JSON holds
    if get_origin(hint) in (Union, UnionType):
        (kind,) = (each for each in get_args(hint) if each is not NoneType)
        assert value is not None, "a field that is empty must be left out"
        return _value(kind, value)
    if get_origin(hint) is list:
        return [_value(get_args(hint)[0], each) for each in value]
    if get_origin(hint) is dict:
        kind = get_args(hint)[1]
        return {key: _facet(kind, key, each) if kind in PLACES else _value(kind, each) for key, each in value.items()}
    if hint is Any:
        return value
    if attr.has(hint):
        return _read(hint, value)
    if issubclass(hint, Enum):
        return hint(value)
    assert type(value) is hint or (hint is float and type(value) is int), f"{value!r} is no {hint}"
    return value


def _facet(place: type[Any], key: str, found: dict[str, Any]) -> object:
    assert found["_producer"] == "https://whence.dev" or key == "tags"  # the client adds its own version
    if key.startswith("whence_"):
        schema = whence_schema(found["_schemaURL"])
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(found, schema, cls=jsonschema.Draft202012Validator)
        return found
    if key == "spark_properties":  # of OpenLineage's integration of Spark, which gives it no schema of its own
        assert found["_schemaURL"] == RunFacet._get_schema()
        assert found.keys() == {"_producer", "_schemaURL", "properties"}
        assert all(isinstance(each, str) for each in found["properties"].values())
        return found
    (cls,) = (each for each in _facet_classes() if each.__name__ == FACETS[key])
    assert issubclass(cls, place), f"{key} is no {place.__name__}"
    return _read(cls, found)


def _facet_classes() -> Iterator[type[Any]]:
    for module in pkgutil.iter_modules(generated.__path__):
        for each in vars(import_module(f"{generated.__name__}.{module.name}")).values():
            if isinstance(each, type) and each.__module__.endswith(module.name) and issubclass(each, PLACES):
                yield each
