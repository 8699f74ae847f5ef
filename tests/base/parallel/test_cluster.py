"""A cluster, and what goes wrong with it: each fault is named, and nothing is wrong."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from pathlib import Path

import pytest
from distributed import Client

from pycompare.base.parallel import cluster as of_cluster
from pycompare.base.parallel.cluster import WorkersLost
from pycompare.base.parallel.place import working
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.worker import PlaceError, WorkerCannotRead
from tests.base.parallel.clusters import Cluster, other_code, temporary
from tests.base.parallel.tasks import (
    caught,
    checked_size,
    die,
    length,
    pid_of,
    refuse,
    slow,
    square,
)
from tests.data.tables import refused

pytestmark = pytest.mark.filterwarnings("default")  # dask's own, as workers die


@pytest.fixture
def cluster(request):
    folder = temporary()
    made = Cluster(folder, **getattr(request, "param", {}))
    yield made
    made.end()
    shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(of_cluster, "_LOOK", 0.2)


def test_a_cluster_does_all_tasks_and_passes_on_what_is_refused(cluster):
    cluster.add()
    cluster.add()
    for scheduler in (cluster.address, str(cluster.file)):
        with working(scheduler=scheduler):
            assert list(tasks(square, 7, range(40))) == [7 + i * i for i in range(40)]
            assert list(tasks(length, list(range(10**5)), [0, 1])) == [10**5] * 2
            with refused("^bad 1$"):
                list(tasks(refuse, None, range(5)))
    with (
        Client(cluster.address, set_as_default=False) as client,
        working(scheduler=client),
    ):
        assert list(tasks(square, 0, [3])) == [9]


def test_a_worker_of_several_threads_does_one_task_at_a_time(cluster):
    cluster.add(threads=3)
    with working(scheduler=cluster.address):
        told = list(tasks(caught, None, range(12)))
    assert told == [([str(i)], 1) for i in range(12)]


def test_workers_with_other_code_do_nothing(cluster, tmp_path):
    changed = {"base/errors.py": ("Base class of the errors", "Base of the errors")}
    other = other_code(tmp_path / "other", changed)
    (tmp_path / "none" / "pycompare").mkdir(parents=True)
    (tmp_path / "none" / "pycompare" / "__init__.py").touch()
    foreign = [cluster.add(root=other), cluster.add(root=tmp_path / "none")]
    told = []
    with working(scheduler=cluster.address, say=told.append):
        with Client(cluster.address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=120)
        with pytest.raises(PlaceError, match=r"worker on 127\.0\.0\.1 has other soft"):
            list(tasks(pid_of, None, range(5)))
        right = cluster.add()
        with Client(cluster.address, set_as_default=False) as client:
            client.wait_for_workers(3, timeout=120)
        time.sleep(0.5)
        pids = set(tasks(pid_of, None, range(30)))
    assert pids == {right.pid}
    assert all(process.poll() is None for process in foreign)
    lines = [line for line in told if "takes no part" in line]
    assert len(lines) == 2
    assert any("pycompare: its code differs" in line for line in lines)


def test_a_worker_with_other_code_that_comes_later_does_nothing(cluster, tmp_path):
    changed = {"base/errors.py": ("Base class of the errors", "Base of the errors")}
    other = other_code(tmp_path, changed)
    right, told, pids = cluster.add(), [], []
    with working(scheduler=cluster.address, say=told.append):
        for at, number in enumerate(tasks(slow, None, range(600))):
            pids.append(number)
            if at == 1:
                cluster.add(root=other)
    assert pids == list(range(600)) and right.poll() is None
    assert sum("takes no part" in line for line in told) == 1


@pytest.mark.parametrize("what", ["stale", "missing"])
def test_a_worker_that_sees_other_files_is_left_out_and_named(what, cluster, tmp_path):
    # Each process has its own folder under this name, as hosts have without a mount.
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    for folder in (right, wrong):
        folder.mkdir()
    (right / "data").write_bytes(b"x" * 100)
    if what == "stale":
        (wrong / "data").write_bytes(b"y" * 100)
    state = state_in(right)
    cluster.add(cwd=wrong)
    with working(scheduler=cluster.address), pytest.raises(WorkerCannotRead) as error:
        list(tasks(checked_size, state, range(3)))
    assert error.value.host == socket.gethostname()
    assert error.value.path == "/proc/self/cwd/data"
    cluster.add(cwd=right)
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=120)
    told = []
    with working(scheduler=cluster.address, say=told.append):
        assert list(tasks(checked_size, state, range(30))) == [100] * 30
    words = "another file is there" if what == "stale" else "No such file"
    assert sum(words in line and "takes no part" in line for line in told) == 1


def state_in(folder: Path):
    from pycompare.base.parallel.worker import FileState

    return FileState.of(str(folder / "data"))._replace(path="/proc/self/cwd/data")


def test_a_scheduler_without_workers_is_reported_at_once(cluster):
    told = []

    def come_later(line: str) -> None:
        told.append(line)
        if line.startswith("0 workers"):
            cluster.add()

    with working(scheduler=cluster.address, say=come_later):
        assert list(tasks(square, 1, [2])) == [5]
    assert told[0] == f"0 workers at {cluster.address}; waiting (Ctrl-C ends)"


def test_a_killed_worker_loses_nothing_and_a_killed_scheduler_is_named(cluster):
    workers = [cluster.add(), cluster.add()]
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=120)
    told = []
    with working(scheduler=cluster.address, say=told.append):
        results = []
        for number in tasks(slow, None, range(200)):
            results.append(number)
            if number == 20:
                workers[0].kill()
        assert results == list(range(200))
        assert "a worker was lost; its tasks are done elsewhere" in told
        assert "1 worker, 1 lost" in told[-1]
        with pytest.raises(WorkersLost, match=r"scheduler at tcp.* was lost"):
            for _ in tasks(slow, None, range(2000)):
                cluster.scheduler.kill()


NO_FAILURES = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}


@pytest.mark.parametrize("cluster", [NO_FAILURES], indirect=True)
def test_workers_that_always_die_are_given_up(cluster):
    cluster.add()
    cluster.add()
    with (
        Client(cluster.address, set_as_default=False) as client,
        working(scheduler=client),
    ):
        client.wait_for_workers(2, timeout=120)
        with pytest.raises(WorkersLost, match="is the memory enough"):
            list(tasks(die, None, [0]))


def test_an_address_where_nothing_answers_is_refused(monkeypatch):
    monkeypatch.setattr(of_cluster, "PATIENCE", 1)
    start = time.monotonic()
    with (
        refused("no scheduler answers at tcp://127.0.0.1:9"),
        working(scheduler="tcp://127.0.0.1:9"),
    ):
        list(tasks(square, 0, [1]))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        threading.Thread(target=silent.accept, daemon=True).start()
        with (
            refused(f"no scheduler answers at {address}"),
            working(scheduler=address),
        ):
            list(tasks(square, 0, [1]))
    assert time.monotonic() - start < 10


def test_names_of_schedulers_that_are_none(monkeypatch, tmp_path):
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)
    (tmp_path / "s.json").write_text("[]")
    for name, words in (
        ("env", "no DASK_SCHEDULER_ADDRESS"),
        (str(tmp_path / "s.json"), "is no scheduler file"),
        (7, "give an address"),
    ):
        with refused(words), working(scheduler=name):
            list(tasks(square, 0, [1]))
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", "tcp://x:1")
    assert of_cluster.address_of("env") == "tcp://x:1"
