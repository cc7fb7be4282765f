"""The benchmark runner, with contenders and a clock that cost nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from whence.cli import bench
from whence.cli.bench import Benchmark, Context, as_table, measure, run_benchmark
from whence.model.errors import UserError


class Clock:
    """Time passes only when a contender says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def contender(
        self, *seconds: float, log: list[str] | None = None, name: str = ""
    ) -> Callable[[Context], bench.Action]:
        def prepare(_: Context) -> bench.Action:
            calls = iter([0.0, 0.0, *seconds])  # two warm-ups, then the timed calls

            def act() -> float:
                taken = next(calls)
                self.now += taken
                if log is not None:
                    log.append(name)
                return taken

            return act

        return prepare


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_results_are_medians_minima_and_ratios_to_the_baseline(clock: Clock) -> None:
    slow, fast = clock.contender(0.5, 0.25, 2.0), clock.contender(1.0, 1.0, 1.0)
    report = measure(Benchmark("b", "How fast?", "slow", {"slow": slow, "fast": fast}), repeats=3, clock=clock)
    assert report["results"] == {
        "slow": {"median_ms": 500.0, "min_ms": 250.0, "ratio": 1.0},
        "fast": {"median_ms": 1000.0, "min_ms": 1000.0, "ratio": 2.0},
    }


def test_contenders_take_turns_in_every_round_in_an_order_that_changes(clock: Clock) -> None:
    log: list[str] = []
    contenders = {name: clock.contender(*[1.0] * 6, log=log, name=name) for name in "abc"}
    measure(Benchmark("b", "?", "a", contenders), repeats=6, clock=clock)
    rounds = ["".join(log[i : i + 3]) for i in range(6, len(log), 3)]
    assert {"".join(sorted(turn)) for turn in rounds} == {"abc"}
    assert len(set(rounds)) > 1


def test_a_failed_check_stops_before_anything_is_timed(clock: Clock) -> None:
    def differs(answers: bench.Answers) -> None:
        raise AssertionError(f"different answers: {dict(answers)}")

    contenders = {"a": clock.contender(), "b": clock.contender()}
    with pytest.raises(AssertionError, match="different answers"):
        measure(Benchmark("b", "?", "a", contenders, checks=[differs]), repeats=5, clock=clock)


def test_facts_are_made_from_the_answers(clock: Clock) -> None:
    benchmark = Benchmark("b", "?", "a", {"a": clock.contender(1.0)}, facts=lambda answers: {"answer": answers["a"]})
    assert measure(benchmark, repeats=1, clock=clock)["facts"] == {"answer": 0.0}


def test_a_missing_peer_fails_with_its_name() -> None:
    def prepare(_: Context) -> bench.Action:
        raise ModuleNotFoundError("No module named 'polars'", name="polars")

    with pytest.raises(UserError, match="contender polars needs polars"):
        measure(Benchmark("b", "?", "polars", {"polars": prepare}), repeats=1)


def test_a_baseline_must_be_a_contender() -> None:
    with pytest.raises(ValueError, match="baseline 'x'"):
        Benchmark("b", "?", "x", {})


def test_the_folder_is_gone_and_everything_closed_afterwards(clock: Clock) -> None:
    seen: list[Path | str] = []

    def prepare(context: Context) -> bench.Action:
        context.closing.callback(seen.append, "closed")
        seen.append(context.folder)
        return lambda: None

    with pytest.raises(ZeroDivisionError):  # the clock stands still, so the baseline took no time
        measure(Benchmark("b", "?", "a", {"a": prepare}), repeats=1, clock=clock)
    folder, closed = seen
    assert closed == "closed"
    assert not Path(folder).exists()


class TestModules:
    """Modules of bench/, found by name."""

    @pytest.fixture(autouse=True)
    def bench_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        folder = tmp_path / "fake_bench"
        folder.mkdir()
        monkeypatch.setattr(bench, "_bench_folder", lambda: folder)
        monkeypatch.syspath_prepend(str(tmp_path))
        (folder / "two_sums.py").write_text(
            "from whence.cli.bench import Benchmark\n"
            "one = lambda context: lambda: sum(range(1000))\n"
            "BENCHMARK = Benchmark('two-sums', 'Which sum?', 'plain', {'plain': one, 'other': one})\n"
        )
        (folder / "own_report.py").write_text(
            "one = {'median_ms': 1, 'min_ms': 1, 'ratio': 1}\n"
            "def run(repeats): return {'results': {'a': one}, 'facts': {'n': repeats}}\n"
        )
        (folder / "needs_peer.py").write_text("import no_such_peer\n")
        return folder

    def test_json_is_one_object_with_machine_and_results(self) -> None:
        report = json.loads(run_benchmark("two-sums", repeats=3, as_json=True))
        assert report["name"] == "two-sums"
        assert report["repeats"] == 3
        assert report["machine"]["cores"] >= 1
        assert {name: set(result) for name, result in report["results"].items()} == {
            "plain": {"median_ms", "min_ms", "ratio"},
            "other": {"median_ms", "min_ms", "ratio"},
        }

    def test_the_table_is_aligned(self) -> None:
        _, _, _, *table = run_benchmark("two-sums", repeats=3).splitlines()
        assert [line.split()[0] for line in table] == ["contender", "plain", "other"]
        assert len({len(line) for line in table}) == 1

    def test_a_module_may_make_its_own_report(self) -> None:
        report = json.loads(run_benchmark("own-report", repeats=4, as_json=True))
        assert report["facts"] == {"n": 4}
        assert "own-report" in run_benchmark("own-report", repeats=4)

    def test_an_unknown_name_is_answered_with_the_known_ones(self) -> None:
        with pytest.raises(UserError, match=r"named nothing\. Known: needs-peer, own-report, two-sums"):
            run_benchmark("nothing")

    def test_a_peer_missing_at_import_is_named(self) -> None:
        with pytest.raises(UserError, match="needs-peer needs no_such_peer"):
            run_benchmark("needs-peer")


def test_an_installed_package_says_where_benchmarks_live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "__file__", str(tmp_path / "site-packages" / "whence" / "cli" / "bench.py"))
    with pytest.raises(UserError, match="checkout"):
        run_benchmark("anything")


def test_a_report_of_workloads_is_shown_with_its_own_columns() -> None:
    rows = [{"workload": "loop", "ms": 1.5, "peer_ms": None}, {"workload": "call", "ms": 20.0, "peer_ms": 3.25}]
    table = as_table({"name": "safety", "repeats": 3, "rows": rows})
    assert table.splitlines()[-3:] == [
        "workload     ms  peer_ms",
        "loop       1.50        -",
        "call      20.00     3.25",
    ]
