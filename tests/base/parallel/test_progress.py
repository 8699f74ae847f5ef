"""Loops within loops say where they are and how much time the outermost one needs."""

import pytest

import pycompare as pc
from pycompare.base.parallel import progress
from pycompare.base.parallel.progress import each, heard_by
from tests.methods.over_datasets.many_folds import folds_of


@pytest.fixture
def clock(monkeypatch):
    """Time that passes when it is told to."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def run(clock):
    for _ in each(["a", "b"], "metric", str):
        for _ in each(range(5), "data set", often=True):
            clock[0] += 1


def test_nested_loops_have_the_time_left_of_the_outermost(clock):
    said = []
    with heard_by(said.append):
        run(clock)
    assert said == [
        "metric 1 of 2: a",
        "metric 1 of 2, data set 3 of 5, about 8 s left",
        "metric 1 of 2, data set 5 of 5, about 6 s left",
        "metric 2 of 2, about 5 s left: b",
        "metric 2 of 2, data set 3 of 5, about 3 s left",
        "metric 2 of 2, data set 5 of 5, about 1 s left",
    ]


def test_an_error_in_an_inner_loop_leaves_no_trace(clock):
    said = []
    with heard_by(said.append):
        for _ in each("ab", "plan", str):
            with pytest.raises(ZeroDivisionError):
                for n in each([0], "part"):
                    1 / n
    assert said == [
        "plan 1 of 2: a",
        "plan 1 of 2, part 1 of 1",
        "plan 2 of 2: b",
        "plan 2 of 2, part 1 of 1",
    ]


def test_nobody_need_listen(clock):
    run(clock)
    with heard_by(progress.discard):
        run(clock)
    assert clock == [20.0]


def test_a_comparison_and_its_report_tell_the_time_left(tmp_path, clock, monkeypatch):
    """Each look at the clock takes a minute."""

    def minute():
        clock[0] += 60
        return clock[0]

    scores = folds_of([4, 4, 4], a=3)
    monkeypatch.setattr(progress.time, "monotonic", minute)
    said = []
    made = pc.compare(scores, progress=said.append)
    assert any("data set" in line and " left" in line for line in said)
    said.clear()
    pc.report(made, tmp_path / "report", progress=said.append)
    assert said[0] == "part of the report 1 of 6: text"
    later = said[said.index(next(x for x in said if "report 2 of 6" in x)) :]
    assert all(" left" in line for line in later)
    assert any("picture" in line for line in later)
