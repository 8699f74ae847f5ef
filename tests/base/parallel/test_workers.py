"""Tasks on processes: a window of them at a time, killed workers, refusals, orphans."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import dask
import pytest
from distributed import LocalCluster

import pycompare as pc
from pycompare.base.parallel import workers
from tests.base.parallel.tasks import die, refuse, slow, square, threads, touch
from tests.data.tables import refused


@pytest.mark.parametrize("count", [1, 2])
def test_every_task_is_done_once_however_many_there_are(count):
    tasks = {i: i for i in range(60)}
    found = list(workers.results(square, tasks, workers=count))
    assert sorted(found) == [(i, i * i) for i in range(60)]


@pytest.mark.parametrize("count", [1, 2])
def test_a_task_computes_with_one_thread(count):
    assert dict(workers.results(threads, {0: None}, workers=count)) == {0: 1}


def test_few_tasks_are_begun_before_their_results_are_wanted(tmp_path):
    begun = workers.results(touch, {i: tmp_path / str(i) for i in range(50)}, workers=2)
    next(begun)
    begun.close()
    assert len(list(tmp_path.iterdir())) <= 2 + 4 * 2


def test_workers_that_always_die_are_given_up():
    told = []
    with pytest.raises(workers.WorkersLost, match="died 3 times"):
        list(workers.results(die, {0: None, 1: None}, workers=2, say=told.append))
    assert told == ["a worker died; going on with 2"] * 2


@pytest.mark.filterwarnings("default")  # dask's own, as workers die
def test_a_scheduler_gives_up_workers_that_always_die():
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=1, dashboard_address=None, silence_logs=50) as cluster,
        pytest.raises(workers.WorkersLost, match="is the memory enough"),
    ):
        list(workers.results(die, {0: None}, scheduler=cluster.scheduler_address))


@pytest.mark.filterwarnings("default")  # dask's own, as its connection closes
def test_a_scheduler_that_is_lost_is_named_and_its_errors_are_no_results():
    with LocalCluster(
        n_workers=1,
        processes=False,
        protocol="tcp://",
        dashboard_address=None,
        silence_logs=50,
    ) as cluster:
        tasks = {i: i for i in range(200)}
        found = workers.results(slow, tasks, scheduler=cluster.scheduler_address)
        next(found)
        cluster.close()
        with pytest.raises(workers.WorkersLost, match=r"scheduler at tcp.* was lost"):
            assert {type(result) for _, result in found} == {int}


def test_what_a_worker_refuses_is_refused():
    with refused("^bad$"):
        list(workers.results(refuse, {0: None}, workers=2))
    with refused("give 1 or more"):
        list(workers.results(refuse, {0: None}, workers=0))
    with refused("leave workers out"):
        list(workers.results(refuse, {0: None}, workers=2, scheduler="tcp://x:1"))


KILLED = """
import os, signal
from pycompare.base.parallel import workers
from tests.base.parallel.tasks import pid_of
for _, pid in workers.results(pid_of, {0: None, 1: None, 2: None}, workers=2):
    print(pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_end_when_the_first_process_is_killed():
    root = str(pc.__file__).removesuffix("/pycompare/__init__.py")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED],
        env={"PYTHONPATH": root, "PATH": "/usr/bin:/bin"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    worker = Path(f"/proc/{int(killed.stdout)}")
    while worker.exists() and "Z" not in (worker / "stat").read_text().split()[2]:
        time.sleep(0.05)  # for ever, if the worker does not end
