"""The benchmarks: their clockwork on clocks of its own, what is declared, the page."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from validation.benchmarks import __main__ as program
from validation.benchmarks import page, summary
from validation.benchmarks.timing import (
    LEAST,
    MOST_CALLS,
    Benchmark,
    Call,
    Growth,
    InR,
    Spent,
    calls_of,
    command,
    in_turns,
)

ROOT = Path(__file__).parents[1]
STORED = json.loads((program.HERE / program.STORED).read_text(encoding="utf-8"))


@dataclass
class Clock:
    """A clock that goes on only when somebody works; wall time is twice CPU time."""

    now: float = 0.0
    done: list = field(default_factory=list)

    def __call__(self) -> Spent:
        return Spent(self.now, 2 * self.now)

    def side(self, name: str, seconds) -> Call:
        """Return a side whose calls take so long, maybe by the time."""

        def work(data):
            self.done.append((name, data))
            self.now += seconds(self.now) if callable(seconds) else seconds

        return Call(work, clock=self, others=lambda: 0.0)


def row(ours, peer=None, **wanted):
    """Return a stored benchmark."""
    sides = {"ours": ours} | ({"peer": peer} if peer else {})
    about = {"name": "call", "size": "5 x 30", "by": "peer", "wanted": wanted}
    return about | {k: {"cpu": v, "wall": v} for k, v in sides.items()}


def grown(sizes, seconds, order):
    """Return a stored row of growth, of one turn."""
    ours = [{"cpu": [s], "wall": [s]} for s in seconds]
    about = {"name": "call", "by": "blocks", "theory": "n", "sizes": sizes}
    return about | {"ours": ours, "order": order}


# ---- statistics ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "low", "high", "level"),
    [(15, 4, 12, 1 - 2 * 576 / 2**15), (6, 1, 6, 1 - 2 / 64), (3, 1, 3, 0.75)],
)
def test_the_interval_of_a_median_is_between_order_statistics(n, low, high, level):
    found = summary.median(list(np.random.default_rng(1).permutation(n) + 1.0))
    assert (found.low, found.value, found.high) == (low, (n + 1) / 2, high)
    assert found.level == pytest.approx(level, rel=1e-12)


def test_the_interval_holds_the_median_as_often_as_it_says():
    draws = np.random.default_rng(2).exponential(size=(1000, 15))
    found = [summary.median(list(draw)) for draw in draws]
    held = np.mean([one.low <= np.log(2) <= one.high for one in found])
    assert abs(held - found[0].level) < 4 * np.sqrt(0.965 * 0.035 / 1000)


def test_a_ratio_is_that_of_the_same_turn():
    ours = [1.0, 8.0, 2.0, 4.0, 16.0]
    found = summary.ratio(row(ours, [2 * one for one in ours]))
    assert (found.low, found.value, found.high) == (0.5, 0.5, 0.5)


def test_a_power_law_has_its_slope_and_noise_its_standard_error():
    sizes = [10, 100, 1000, 10_000]
    found = summary.slope(grown(sizes, [3e-6 * n**1.5 for n in sizes], sizes))
    assert (found.value, found.theory) == pytest.approx((1.5, 1.0), rel=1e-12)
    assert found.std_error < 1e-12
    # By hand: x = log10 n is -1.5, -0.5, 0.5, 1.5 from its mean; residuals +-r at the
    # inner sizes leave 2 r^2 - (r)^2 / 5 on 2 degrees of freedom.
    r = 0.1
    noisy = [1e-6 * n * 10**e for n, e in zip(sizes, (0, r, -r, 0), strict=True)]
    found = summary.slope(grown(sizes, noisy, sizes))
    assert found.value == pytest.approx(1 - r / 5, rel=1e-12)
    rest = 2 * r**2 - 5 * (r / 5) ** 2
    assert found.std_error == pytest.approx(np.sqrt(rest / 2 / 5), rel=1e-12)


def test_the_slope_of_a_theory_is_that_over_the_same_sizes():
    sizes = [100, 10_000]
    order = [n * np.log(n) for n in sizes]
    assert summary.slope(grown(sizes, order, order)).reached
    theory = 1 + np.log10(2) / 2
    assert summary.slope(grown(sizes, sizes, order)).theory == pytest.approx(theory)
    steep = [n**1.3 for n in sizes]
    assert not summary.slope(grown(sizes, steep, order)).reached


@pytest.mark.parametrize(
    ("ours", "wanted", "answer"),
    [
        (1.0, {"ratio": 0.5}, True),
        (1.1, {"ratio": 0.5}, False),
        (1.0, {"ratio": 0.5, "seconds": 0.9}, False),
        (1.0, {"ratio": 0.5, "seconds": 1.0}, True),
        (1.0, {}, None),
    ],
)
def test_all_that_was_wanted_must_be_reached(ours, wanted, answer):
    assert summary.reached(row([ours] * 3, [2.0] * 3, **wanted)) is answer


def test_figures_are_judged_too():
    of = row([1.0], **{"page MB": 5.0})
    assert summary.reached(of | {"figures": {"page MB": 5.0}}) is True
    assert summary.reached(of | {"figures": {"page MB": 5.1}}) is False


# ---- turns --------------------------------------------------------------------------


def test_sides_take_turns_in_alternating_order_on_the_same_new_data():
    clock = Clock()
    sides = [clock.side("ours", 1.0), clock.side("peer", 2.0)]
    found = in_turns(sides, [int, int], 4, same=True, warm_up=False)
    assert clock.done == [
        *(("ours", 0), ("peer", 0), ("peer", 1), ("ours", 1)),
        *(("ours", 2), ("peer", 2), ("peer", 3), ("ours", 3)),
    ]
    assert found == [[Spent(1.0, 2.0)] * 4, [Spent(2.0, 4.0)] * 4]


def test_a_machine_that_slows_down_leaves_the_ratio_alone():
    clock = Clock()
    make = Benchmark(name="call", size="1", ours=lambda _: None)
    slower = {"ours": lambda now: 1 + now / 1e3, "peer": lambda now: 2 + 2 * now / 1e3}
    sides = [clock.side(*one) for one in slower.items()]
    found = in_turns(sides, [make.data] * 2, 20, same=True, warm_up=False)
    ours, peer = ([one.cpu for one in of] for of in found)
    assert max(ours) > 1.05 * min(ours)
    result = summary.ratio(row(ours, peer))
    assert result.low < 0.5 < result.high
    assert result.value == pytest.approx(0.5, rel=2e-3)


@pytest.mark.parametrize("seconds", [1e-6, 3e-3, 0.07, 0.2, 60.0])
def test_a_turn_has_as_many_calls_as_the_clock_needs(seconds):
    clock = Clock()
    calls = calls_of(clock.side("ours", seconds), int, iter(range(10**6)))
    assert calls == MOST_CALLS or calls * seconds >= LEAST
    assert calls * seconds <= max(seconds, 2 * LEAST)
    assert len(clock.done) == 1 or seconds < 5
    seeds = [data for _, data in clock.done]
    assert len(set(seeds)) == len(seeds)


def test_sides_with_other_numbers_of_calls_are_timed_by_the_call():
    clock = Clock()
    sides = [clock.side("ours", 0.01), clock.side("peer", 0.5)]
    ours, peer = in_turns(sides, [int, int], 3, same=True)
    assert [one.cpu for one in ours] == pytest.approx([0.01] * 3)
    assert [one.cpu for one in peer] == pytest.approx([0.5] * 3)


def test_what_is_less_is_subtracted_in_the_same_turn():
    clock = Clock()
    whole, part = clock.side("whole", 3.0), clock.side("part", 1.0)
    side = Call(whole.work, part.work, clock, lambda: 0.0)
    assert side.spend([1, 2]) == Spent(4.0, 8.0)


def test_time_of_other_processes_counts():
    alone = Call(command(sys.executable, "-c", "pass"), clock=Clock())
    assert alone.spend([0]).cpu > 0


def test_a_result_that_is_kept_for_its_data_saves_nothing():
    clock, known = Clock(), {}
    slow = clock.side("ours", 1.0)
    kept = Call(
        lambda data: known.get(data) or known.setdefault(data, slow.work(data) or 1),
        clock=clock,
        others=lambda: 0.0,
    )
    [found] = in_turns([kept], [int], 5)
    assert [one.cpu for one in found] == [1.0] * 5


def test_growth_and_calls_are_measured_as_they_are_declared():
    seen = []
    grows = Growth(
        name="call", by="blocks", sizes=(2, 4), data=lambda n, seed: (n, seed),
        work=seen.append, theory="n²", order=lambda n: n**2,
    )  # fmt: skip
    found = grows.measure(turns=1)
    assert (found["sizes"], found["order"]) == ([2, 4], [4.0, 16.0])
    assert {n for n, _ in seen} == {2, 4} and len(set(seen)) == len(seen)
    alone = Benchmark(
        name="call", size="1", ours=lambda _: {"MB": 2.0}, most={"MB": 3.0}, seconds=9,
    )  # fmt: skip
    found = alone.measure(turns=2)
    assert found["figures"] == {"MB": 2.0}
    assert found["wanted"] == {"MB": 3.0, "seconds": 9}
    assert len(found["ours"]["cpu"]) == len(found["ours"]["wall"]) == 2


@pytest.mark.r
def test_r_times_itself_and_a_failure_in_r_is_named():
    side = InR(lambda: "d <- data.frame(x = 1:3)", "sum(d$x)")
    spent = side.spend([0] * 10)
    side.close()
    assert spent.cpu >= 0 and spent.wall >= 0
    broken = InR(lambda: "", "stop('no such thing')")
    with pytest.raises(RuntimeError, match="no such thing"):
        in_turns([broken], [int], 1)


# ---- the program --------------------------------------------------------------------


def missing(_):
    import no_such_peer  # noqa: F401


@pytest.fixture
def few(monkeypatch):
    """Return three benchmarks, of which one has no peer; how often each was called."""
    calls = []
    quick = [
        Benchmark(
            name=name, size="1", ours=partial(lambda name, _: calls.append(name), name),
            turns=1, warm_up=False, **peer,
        )
        for name, peer in (
            ("first", {}), ("second", {"peer": missing, "by": "a peer"}), ("third", {}),
        )
    ]  # fmt: skip
    monkeypatch.setattr(program, "declared", lambda: {one.key: one for one in quick})
    monkeypatch.setattr(program, "versions", dict)
    return calls


def test_a_peer_that_is_not_installed_is_a_named_failure(few, tmp_path, capsys):
    where = ["--folder", str(tmp_path / "work"), "--out", str(tmp_path)]
    assert program.main(where) == 1
    text = capsys.readouterr().err
    assert "1 failed" in text and "second, 1, a peer: ModuleNotFoundError" in text
    assert "no_such_peer" in text
    assert not (tmp_path / program.STORED).exists()
    # What was measured is not measured again.
    assert few == ["first", "second", "third"]
    assert program.main(where) == 1
    assert few == ["first", "second", "third", "second"]
    assert "2 of 3 benchmarks were done before" in capsys.readouterr().err


def test_some_can_be_measured_anew_and_the_others_stay(few, tmp_path):
    where = ["--folder", str(tmp_path / "work"), "--out", str(tmp_path)]
    assert program.main([*where, "--only", "first"]) == 0
    old = json.loads((tmp_path / program.STORED).read_text())["rows"]
    assert program.main([*where, "--only", "third"]) == 0
    new = json.loads((tmp_path / program.STORED).read_text())["rows"]
    assert new[0] == old[0] and [one["name"] for one in new] == ["first", "third"]
    left = json.loads((tmp_path / program.STORED).read_text())["unmeasured"]
    assert left == ["second, 1, a peer"]
    assert program.main([*where, "--only", "third"]) == 0
    assert few == ["first", "third", "third"]


@pytest.mark.slow
def test_make_benchmark_measures_and_writes_its_page(tmp_path):
    stamp = ".venv/.benchmark"
    names = f"--only '59,049' --turns 1 --folder {tmp_path}/work --out {tmp_path}"
    call = ["make", "benchmark", "-o", stamp, f"BIN={Path(sys.executable).parent}"]
    done = subprocess.run(
        [*call, f"ARGS={names}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "1 of 1 benchmarks" in done.stderr
    [found] = json.loads((tmp_path / program.STORED).read_text())["rows"]
    assert found["size"] == "30 algorithms" and len(found["ours"]["cpu"]) == 1
    assert "maximal cliques" in (tmp_path / page.PAGE).read_text(encoding="utf-8")


# ---- what is stored -----------------------------------------------------------------


def test_keys_are_unique_and_what_is_stored_is_what_is_declared():
    declared = program.declared()
    names = [f"validation.benchmarks.{name}" for name in program.MODULES]
    total = sum(len(sys.modules[name].BENCHMARKS) for name in names)
    assert len(declared) == total
    stored = [one["key"] for one in STORED["rows"]]
    assert stored == [key for key in declared if key not in STORED["unmeasured"]]
    assert STORED["unmeasured"] == [key for key in declared if key not in stored]
    for one in STORED["rows"]:
        made = declared[one["key"]]
        if isinstance(made, Growth):
            assert (one["sizes"], one["theory"]) == (list(made.sizes), made.theory)
            continue
        limits = dict(made.most)
        limits |= {} if made.peer is None else {"ratio": made.ratio}
        limits |= {} if made.seconds is None else {"seconds": made.seconds}
        assert one["wanted"] == limits, one["key"]
        assert (one["by"], "peer" in one) == (made.by, made.peer is not None)


def test_every_dimension_has_its_growth():
    every = program.declared().values()
    grows = {one.by for one in every if isinstance(one, Growth)}
    assert grows >= {"algorithms", "blocks", "data sets", "cases", "thresholds"}


def test_the_page_and_its_picture_are_those_of_the_stored_numbers():
    assert (program.HERE / page.PAGE).read_text(encoding="utf-8") == page.page(STORED)
    grows = [one for one in STORED["rows"] if "sizes" in one]
    drawn = (program.HERE / page.PICTURE).read_text(encoding="utf-8")
    assert drawn == page.picture(grows)


def test_the_page_names_what_is_missed():
    missed = row([3.0] * 7, [2.0] * 7, ratio=1.0) | {"name": "slow"}
    more = {"machine": {"threads": 1}, "versions": {"R": None}}
    more |= {"unmeasured": ["late, 5 x 30"]}
    every = [one | {"date": "2000-01-01", "load": 1.0} for one in (missed,)]
    text = page.page(more | {"rows": every})
    assert "**0 of 1 comparisons with another package are as wanted.**" in text
    assert "- slow, 5 x 30: CPU time 3.00 s, ratio 1.50 [1.50, 1.50]" in text
    assert "Not measured yet:\n\n- late, 5 x 30\n" in text
    assert "| R | not installed |" in text
