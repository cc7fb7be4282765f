"""Real files have the rows and columns that their publishers state; larger ones are loaded where they are at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import whence

HERE = Path(__file__).parent / "real"
SHARED = "WHENCE_SHARED_DATA"

CAUSES = "nyc_causes_of_death/New_York_City_Leading_Causes_of_Death"
SMALL = {
    "seattle_weather/seattle-weather.csv": (1_461, 6),
    f"{CAUSES}_12_11_2018.csv": (1_094, 7),
    f"{CAUSES}_12_18_2018.csv": (1_380, 7),
    "nycflights13/airlines.csv": (16, 2),
    "nycflights13/airports.csv": (1_458, 8),
    "nycflights13/planes.csv": (3_322, 9),
}
LARGER = {
    "birdstrikes/birdstrikes.csv": (10_000, 14),
    "census/census.csv": (32_561, 15),
    "compas/compas.csv": (7_214, 53),
    "dbwipes_study/simple.csv": (5_879, 5),
    "dbwipes_study/hard1.csv": (33_966, 5),
    "dbwipes_study/hard2.csv": (8_171, 5),
    "fec2016_expenses/P00000001D-ALL.csv": (11_154, 16),
    "flights_200k/flights-200k.parquet": (231_083, 3),
    "german_credit/german.csv": (1_000, 21),
    "intel_lab_partial/mote_locs.txt": (54, 3),
    "intel_lab_partial/intelTemperatureTrain.csv": (50, 144),
    "intel_lab_partial/intelTemperatureTest.csv": (50, 96),
    "intel_lab_partial/intelHumidityTrain.csv": (50, 144),
    "intel_lab_partial/intelHumidityTest.csv": (50, 96),
    "nycflights13/flights.parquet": (336_776, 19),
    "nypd_shootings_2022/NYPD_Shooting_Incident_Data__Year_To_Date_.csv": (1_716, 26),
    "sensor_singlehop_labelled/data.csv": (18_914, 6),
} | {f"synth/SYNTH-{n}D-{level}_seed0.parquet": (20_000, n + 2) for n in (2, 3, 4) for level in ("Easy", "Hard")}


@pytest.fixture
def plain(tmp_path: Path) -> whence.Workspace:
    """A workspace that never starts Spark."""
    return whence.open(tmp_path / "real.whence")


@pytest.mark.parametrize("file", SMALL)
def test_files_that_came_with_whence(plain: whence.Workspace, file: str) -> None:
    check(plain, HERE / file, SMALL[file])


@pytest.mark.parametrize("file", SMALL | LARGER)
def test_files_at_hand(plain: whence.Workspace, file: str) -> None:
    folder = os.environ.get(SHARED)
    if folder is None:
        pytest.skip(f"set {SHARED} to a folder with {file}")
    check(plain, Path(folder) / file, (SMALL | LARGER)[file])


def check(plain: whence.Workspace, path: Path, shape: tuple[int, int]) -> None:
    with plain:
        loaded = plain.load(path, name="t")
        assert (loaded.count, len(loaded.columns)) == shape
        assert not plain.is_engine_running
