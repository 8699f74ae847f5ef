"""The same portions on a dask.distributed scheduler: the same bits."""

from __future__ import annotations

import os
import signal

import pytest
from distributed import LocalCluster

import pycompare as pc
from pycompare.apps.streaming import stream
from tests.apps.streaming.test_stream import METRICS, ROLES, frame, in_one_file
from tests.data.tables import refused

pytestmark = pytest.mark.filterwarnings("default")  # dask's own, as a worker dies


@pytest.fixture(scope="module")
def cluster():
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as found:
        yield found


def test_a_scheduler_gives_the_same_bits_also_when_a_worker_is_killed(
    cluster, tmp_path, monkeypatch
):
    monkeypatch.setattr(stream, "ROWS", 20)
    path = in_one_file(frame(), tmp_path)
    alone = pc.measure_file(path, metrics=METRICS, **ROLES)
    killed = []

    def kill(done: int, total: int) -> None:
        if done == 3 and not killed:
            killed.append(cluster.workers[0].process.pid)
            os.kill(killed[0], signal.SIGKILL)

    for progress in (None, kill):
        found = pc.measure_file(
            path,
            metrics=METRICS,
            scheduler=cluster.scheduler_address,
            progress=progress,
            **ROLES,
        )
        assert found.sha256 == alone.sha256
    assert killed


def test_a_scheduler_passes_on_what_is_refused(cluster, tmp_path):
    table = frame()
    table.loc[50, "score"] = float("inf")
    path = in_one_file(table, tmp_path)
    with refused("infinite in 1"):
        pc.measure_file(
            path, metrics="auc", scheduler=cluster.scheduler_address, **ROLES
        )


def test_an_address_without_a_scheduler_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("pycompare.base.parallel.workers.PATIENCE", 1)
    path = in_one_file(frame(), tmp_path)
    with refused("no scheduler answers at tcp://127.0.0.1:9"):
        pc.measure_file(path, metrics="auc", scheduler="tcp://127.0.0.1:9", **ROLES)
