"""Tasks here and on processes: order, killed workers, errors, orphans, what is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import joblib
import pytest

import pycompare as pc
from pycompare.base.parallel.cluster import WorkersLost
from pycompare.base.parallel.place import working
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.unfinished import Unfinished
from tests.base.parallel.tasks import (
    caught,
    die,
    die_once,
    fault,
    length,
    pid_of,
    refuse,
    square,
    threads,
    touch,
    within,
)
from tests.data.tables import refused


@pytest.mark.parametrize("count", [1, 2])
def test_results_come_in_the_order_of_the_keys(count):
    with working(workers=count):
        results = list(tasks(square, 7, range(60)))
    assert results == [7 + i * i for i in range(60)]


@pytest.mark.parametrize("count", [1, 2])
def test_a_task_computes_with_one_thread(count):
    with working(workers=count):
        assert list(tasks(threads, None, [0, 0])) == [1, 1]


def test_the_callers_own_workers_are_used():
    with joblib.parallel_config("loky", n_jobs=2):
        results = list(tasks(pid_of, None, range(4)))
    assert os.getpid() not in results
    with joblib.parallel_config("threading", n_jobs=3):
        told = list(tasks(caught, None, range(6)))
    assert told == [([str(i)], 1) for i in range(6)]
    assert list(tasks(pid_of, None, [0])) == [os.getpid()]


def test_tasks_within_a_task_are_done_by_its_worker():
    wanted = [[], [0], [0, 1]]
    with working(workers=2):
        assert list(tasks(within, None, range(3))) == wanted
    with joblib.parallel_config("threading", n_jobs=2):
        assert list(tasks(within, None, range(3))) == wanted


def test_a_single_task_with_tasks_of_its_own_is_done_here():
    with working(workers=2):
        assert list(tasks(pid_of, None, [0], nested=True)) == [os.getpid()]


def test_constants_are_sent_once(tmp_path):
    class Counted(list):
        def __reduce__(self):
            sent.append(1)
            return list, (list(self),)

    sent = []
    with working(workers=2):
        assert list(tasks(length, Counted(range(9)), range(30))) == [9] * 30
    assert len(sent) == 1


def test_few_tasks_are_begun_before_their_results_are_wanted(tmp_path):
    with working(workers=2):
        begun = tasks(touch, None, [tmp_path / str(i) for i in range(2000)])
        next(begun)
        time.sleep(1)
        begun.close()
    assert len(list(tmp_path.iterdir())) <= 300


def test_a_killed_worker_loses_nothing(tmp_path):
    told = []
    with working(workers=2, say=told.append):
        results = list(tasks(die_once, str(tmp_path / "died"), range(20)))
    assert results == list(range(20))
    assert any("a worker died; going on with" in line for line in told)
    assert told[-1].endswith("2 workers, 1 lost")


def test_workers_that_always_die_are_given_up():
    told = []
    with (
        working(workers=2, say=told.append),
        pytest.raises(WorkersLost, match="died 3 times"),
    ):
        list(tasks(die, None, [0, 1]))
    assert told == ["a worker died; going on with 2"] * 2


@pytest.mark.parametrize("count", [1, 2])
def test_the_first_error_is_raised_and_what_was_done_is_kept(count, tmp_path):
    kept = Unfinished(dict, what="job", keep=tmp_path / "kept")
    with working(workers=count), refused("^bad 1$"):
        list(tasks(refuse, None, range(5), kept=kept))
    assert kept.done(5)[0] == 0


@pytest.mark.parametrize("count", [1, 2])
def test_a_fault_keeps_its_kind_and_its_place(count):
    with working(workers=count), pytest.raises(ZeroDivisionError) as caught_error:
        list(tasks(fault, None, [3, 3]))
    if count == 2:
        assert "tasks.py" in caught_error.value.__notes__[0]


def test_places_that_cannot_be_are_refused():
    with refused("give 1 or more"), working(workers=0):
        pass
    with refused("leave workers=2 out"), working(workers=2, scheduler="tcp://x:1"):
        pass


KILLED = """
import os, signal
from pathlib import Path
from pycompare.base.parallel import crews
from pycompare.base.parallel.place import working
from pycompare.base.parallel.tasks import tasks
from tests.base.parallel.tasks import pid_of
crews._IDLE = 3600.0
with working(workers=3):
    for _ in tasks(pid_of, None, range(3)):
        of_this = Path(f"/proc/self/task/{os.getpid()}/children")
        print(of_this.read_text(), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_end_when_the_first_process_is_killed(tmp_path):
    root = str(pc.__file__).removesuffix("/pycompare/__init__.py")
    # No pipe: a worker that has not begun a task yet holds its other end.
    with (tmp_path / "said").open("w") as said:
        killed = subprocess.run(
            [sys.executable, "-c", KILLED],
            env={"PYTHONPATH": root, "PATH": "/usr/bin:/bin"},
            stdout=said,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    assert killed.returncode == -signal.SIGKILL
    workers = [Path(f"/proc/{n}/stat") for n in (tmp_path / "said").read_text().split()]
    assert len(workers) > 1  # one at least has had no task
    while any(map(is_alive, workers)):
        time.sleep(0.05)  # for ever, if a worker does not end


def is_alive(stat):
    try:
        return "Z" not in stat.read_text().split()[2]
    except FileNotFoundError:
        return False
