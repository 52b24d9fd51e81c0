"""Many recordings: each has its own outcome, and a dead worker costs one retry."""

from __future__ import annotations

from concurrent.futures import Executor, Future
import json
from pathlib import Path
from typing import Any, List

from fleet_jobs import die_always, die_once, run_job_dying_once, square
import pytest
from replay_bags import PA10, Truth, write

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.replay import fleet
from robot_dynamics.replay.executors import dask_cluster, ProcessPool, WorkerDied
from robot_dynamics.replay.fleet import analyze_fleet, BagJob, output_names, run_job
from robot_dynamics.replay.fleet_report import write_fleet_report
from robot_dynamics.replay.outputs import Outputs


@pytest.fixture(scope='module')
def campaign(motion: Truth, tmp_path_factory: pytest.TempPathFactory) -> List[str]:
    """Three good recordings and one that is empty."""
    root = tmp_path_factory.mktemp('campaign')
    bags = [str(write(root / f'run{i}.mcap', motion.changed(effort=(1 + 0.1 * i) * motion.effort)))
            for i in range(3)]
    (root / 'run3.mcap').write_bytes(b'')
    return [*bags, str(root / 'run3.mcap')]


class InThisProcess(Executor):
    """The simplest executor."""

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        future: Any = Future()
        future.set_result(function(*args, **kwargs))
        return future


def outcomes_of(executor: Executor, function: Any, jobs: Any) -> Any:
    """Run a function on each job; results, or the exceptions that it raised, by index."""
    with executor:
        futures = [executor.submit(function, job) for job in jobs]
        return {i: future.exception() or future.result() for i, future in enumerate(futures)}


@pytest.mark.slow
def test_a_bad_recording_is_an_outcome_and_the_report_links_the_others(
        campaign: List[str], tmp_path: Path) -> None:
    names = output_names(campaign)
    jobs = [BagJob(bag, str(PA10), outputs=Outputs(
        str(tmp_path / name), ('json', 'html') if name == 'run1' else ('json',)))
        for bag, name in zip(campaign, names)]
    outcomes = analyze_fleet(jobs, InThisProcess())
    assert [outcome.bag for outcome in outcomes] == campaign
    assert [bool(outcome.error) for outcome in outcomes] == [False, False, False, True]
    scales = [outcome.summary['joints'][1]['scale'] for outcome in outcomes if outcome.summary]
    assert scales == pytest.approx([1.0, 1.1, 1.2], abs=1e-3)
    page, data = write_fleet_report(outcomes, tmp_path)
    text = page.read_text()
    assert 'href="run1/report.html"' in text and 'the file is empty' in text
    assert [entry['error'] is None for entry in json.loads(data.read_text())] == [
        True, True, True, False]


def test_recordings_of_equal_names_get_directories_of_their_own() -> None:
    assert output_names(['/a/run', '/b/run', '/c/other bag']) == ['run', 'run_2', 'other_bag']


def test_the_pool_returns_every_result_and_every_exception() -> None:
    outcomes = outcomes_of(ProcessPool(2), square, range(15))
    assert {i: v for i, v in outcomes.items() if i != 13} == {
        i: i * i for i in range(15) if i != 13}
    assert isinstance(outcomes[13], ValueError)


def test_a_killed_worker_costs_its_job_one_retry(tmp_path: Path) -> None:
    jobs = [(str(tmp_path / f'{i}'), i) for i in range(3)]
    (tmp_path / '0').touch()
    (tmp_path / '2').touch()
    assert outcomes_of(ProcessPool(1), die_once, jobs) == {0: '0', 1: '1', 2: '2'}
    assert (tmp_path / '1').exists()


def test_a_job_that_kills_each_worker_fails_alone() -> None:
    outcomes = outcomes_of(ProcessPool(2), die_always, ['a', 'die', 'b', 'c'])
    assert isinstance(outcomes.pop(1), WorkerDied)
    assert outcomes == {0: 'a', 2: 'b', 3: 'c'}


def test_no_worker_at_all_is_refused() -> None:
    with pytest.raises(ConfigurationError, match='--jobs'):
        ProcessPool(0)


@pytest.mark.slow
def test_a_campaign_survives_a_killed_process(campaign: List[str],
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet, 'run_job', run_job_dying_once)
    outcomes = analyze_fleet([BagJob(bag, str(PA10)) for bag in campaign], ProcessPool(2))
    assert [bool(outcome.error) for outcome in outcomes] == [False, False, False, True]
    assert Path(campaign[1] + '.tried').exists()


@pytest.mark.slow
def test_a_campaign_survives_a_killed_worker_of_a_dask_cluster(
        campaign: List[str], tmp_path: Path) -> None:
    distributed = pytest.importorskip('distributed')
    here = str(Path(__file__).parent)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                  silence_logs=50) as cluster:
        with distributed.Client(cluster, set_as_default=False) as client:
            client.run(_importable, here)
            client.register_plugin(_makes_importable(here))
            marker = tmp_path / 'killed'
            jobs = [(str(marker), campaign[1])] + [(__file__, bag) for bag in campaign]
            died = outcomes_of(dask_cluster(cluster.scheduler_address), die_once, jobs)
            assert marker.exists()
            assert died == {i: job[1] for i, job in enumerate(jobs)}
        outcomes = analyze_fleet([BagJob(bag, str(PA10)) for bag in campaign],
                                 dask_cluster(cluster.scheduler_address))
    assert [bool(outcome.error) for outcome in outcomes] == [False, False, False, True]
    assert outcomes[0].summary is not None
    local = run_job(BagJob(campaign[0], str(PA10))).summary
    assert local is not None
    assert outcomes[0].summary['joints'] == local['joints']


def _importable(folder: str) -> None:
    import sys
    sys.path.insert(0, folder)


def _makes_importable(folder: str) -> Any:
    """Return a plugin that makes a folder importable also in workers that replace a dead one."""
    from distributed import WorkerPlugin

    class Importable(WorkerPlugin):

        def setup(self, worker: Any) -> None:
            _importable(folder)

    return Importable()


def test_a_scheduler_that_does_not_answer_is_one_clear_error() -> None:
    pytest.importorskip('distributed')
    with pytest.raises(ConfigurationError, match='--scheduler nonsense'):
        dask_cluster('nonsense://nowhere')
