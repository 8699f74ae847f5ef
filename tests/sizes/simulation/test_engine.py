"""The engine: the same bits for any workers, and after any interruption."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import zlib

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.parallel import progress
from pycompare.sizes.simulation import engine
from pycompare.sizes.simulation.result import SimulationResult
from tests.data.tables import refused
from tests.sizes.simulation.toy import Toy

same = pd.testing.assert_frame_equal


@pytest.fixture(scope="module")
def alone():
    return pc.simulate(Toy(), seed=5).table


def test_means_errors_and_exact_limits_are_those_of_the_trials(alone):
    key = zlib.crc32(b"heads")
    draws = [
        np.random.default_rng(np.random.SeedSequence(5, spawn_key=(key, i))).random(4)
        for i in range(10)
    ]
    x = np.concatenate(draws)
    won, size = alone.iloc[0], alone.iloc[1]
    assert won["estimate"] == np.mean(x < 0.3)
    assert won["std_error"] == pytest.approx(np.std(x < 0.3) / math.sqrt(40))
    assert won["conf_low"] < won["estimate"] < won["conf_high"]
    kept = x[x >= 0.05]
    assert size["trials"] == len(kept) < 40
    assert size["estimate"] == pytest.approx(kept.mean())
    assert size["std_error"] == pytest.approx(kept.std() / math.sqrt(len(kept)))
    assert won["published"] == 0.25 and math.isnan(size["published"])
    assert list(alone["condition"]) == ["heads", "heads", "tails", "tails"]
    assert list(alone["p"]) == [0.3, 0.3, 0.7, 0.7]


def test_chunks_have_generators_that_are_spawned():
    one = np.random.SeedSequence(5).spawn(3)[2]
    same_child = np.random.SeedSequence(5, spawn_key=(2,))
    assert one.generate_state(4).tolist() == same_child.generate_state(4).tolist()


def test_two_workers_give_the_same_bits(alone):
    same(pc.simulate(Toy(), seed=5, workers=2).table, alone, check_exact=True)


@pytest.mark.slow
def test_a_killed_worker_loses_nothing_and_counts_nothing_twice(alone, tmp_path):
    told = []
    study = Toy(memory=str(tmp_path / "memory"))
    found = pc.simulate(study, seed=5, workers=2, progress=told.append)
    assert any("a worker died" in line for line in told)
    same(found.table, alone, check_exact=True)


ENDED = """
import os, sys
from pycompare.base.parallel import progress
from pycompare.sizes.simulation.engine import simulate
from tests.sizes.simulation.toy import Toy
progress._EVERY = 0
lines = []
def end(line):
    lines.append(line)
    if len(lines) == 5:
        os.kill(os.getpid(), int(sys.argv[2]))
if __name__ == "__main__":
    simulate(Toy(), seed=5, workers=int(sys.argv[3]), keep=sys.argv[1], progress=end)
"""


@pytest.mark.parametrize(
    ("number", "workers"), [(signal.SIGKILL, 2), (signal.SIGINT, 1), (signal.SIGINT, 2)]
)
def test_an_ended_run_goes_on_where_it_stopped(number, workers, alone, tmp_path):
    script, keep = tmp_path / "ended.py", tmp_path / "keep"
    script.write_text(ENDED)
    root = str(pc.__file__).removesuffix("/pycompare/__init__.py")
    # No pipe: an idle worker of a killed process holds its other end for a minute.
    with (tmp_path / "said").open("w") as said:
        ended = subprocess.run(
            [sys.executable, script, keep, str(int(number)), str(workers)],
            env={"PYTHONPATH": root, "PATH": "/usr/bin:/bin"},
            stderr=said,
        )
    assert ended.returncode == -number, (tmp_path / "said").read_text()
    before = {path: path.stat().st_mtime_ns for path in keep.glob("*.done")}
    assert len(before) == 5
    (keep / "0000-1.part7").write_bytes(b"half of a file")
    told = []
    found = pc.simulate(Toy(), seed=5, keep=keep, progress=told.append)
    assert told[0] == "5 of 20 chunks were done before"
    assert told[-1].startswith("20 of 20 chunks, took")
    same(found.table, alone, check_exact=True)
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())


def test_more_trials_begin_with_the_same_ones(alone, tmp_path):
    few = pc.simulate(Toy(), trials=10, seed=5, keep=tmp_path / "k")
    assert set(few.table["trials"]) <= {8, 9, 10}
    told = []
    more = pc.simulate(Toy(), seed=5, keep=tmp_path / "k", progress=told.append)
    assert told[0] == "4 of 20 chunks were done before"  # not the two of 2 trials
    same(more.table, alone, check_exact=True)


@pytest.mark.parametrize("change", [{"seed": 6}, {"study": Toy(share=0.4)}])
def test_a_folder_of_another_study_is_refused(change, tmp_path):
    given = {"study": Toy(), "seed": 5, "trials": 4, "keep": tmp_path / "k"}
    pc.simulate(**given)
    with refused("holds a simulation with another plan", "give a new folder"):
        pc.simulate(**given | change)


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with refused("not empty and holds no simulation"):
        pc.simulate(Toy(), keep=tmp_path)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"trials": 0}, "trials=0: give a whole number, 1 or more"),
        ({"trials": 2.5}, "trials=2.5"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": True}, "seed=True"),
        ({"workers": 0}, "workers=0"),
        ({"workers": 2, "scheduler": "tcp://x:1"}, "leave workers=2 out"),
        ({"study": "toy"}, "study='toy': give a study"),
    ],
)
def test_values_out_of_range_are_refused(bad, words):
    with refused(words):
        pc.simulate(**{"study": Toy()} | bad)


def test_a_result_goes_through_json_and_back():
    found = pc.simulate(Toy(), seed=5)
    again = SimulationResult.from_dict(found.to_dict())
    same(again.table, found.table, check_exact=True)
    assert again.summary() == found.summary()
    assert "Two coins: 40 trials a condition, seed 5" in found.summary()
    assert found.wide().loc["tails", "won"] == found.table["estimate"].iloc[2]


def test_a_statistic_that_is_never_defined_has_no_mean():
    found = engine.estimated(*engine.added([np.nan]))
    assert math.isnan(found["estimate"]) and found["trials"] == 0


def test_progress_says_how_much_is_done_and_how_much_time_is_left(monkeypatch):
    told, now = [], [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    count = progress.Progress(4, "chunks", told.append)
    count.resumed(1)
    for now[0] in (100.0, 101.0, 145.0):
        count.step("2 workers")
    assert told == [
        "1 of 4 chunks were done before",
        "2 of 4 chunks, about 3 min left, 2 workers",
        "4 of 4 chunks, took 2 min, 2 workers",
    ]
    assert [progress.duration(s) for s in (89, 600, 7200)] == [
        "89 s",
        "10 min",
        "2.0 h",
    ]
