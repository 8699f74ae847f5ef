"""Numbers of labels beside a judge: sizes, power, the test, and limits."""

import math

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare import sizes
from pycompare.base.testing import assert_digits
from pycompare.sizes.labels import whole_counts

TRUTH = {"difference": 0.1, "sd": 0.535, "items": 3000}
SHARES = {"difference": 0.1, "sd": math.sqrt(0.75 * 0.25 + 0.65 * 0.35), "items": 3000}


@pytest.mark.parametrize(
    ("truth", "correlation", "n"),
    [
        *zip([TRUTH] * 4, (0, 0.6, 0.7, 0.9), (230, 155, 127, 61), strict=True),
        *zip([SHARES] * 4, (0, 0.6, 0.7, 0.9), (330, 222, 182, 80), strict=True),
    ],
)
def test_numbers_of_labels_of_two_shares(truth, correlation, n):
    design = sizes.Labels(correlation=correlation, **truth)
    assert pc.power(design, trials=0).n_required == n
    assert design.formula(n, 0.05) >= 0.8 > design.formula(n - 1, 0.05)


@pytest.mark.parametrize("population", ["like", "these"])
@pytest.mark.parametrize(
    ("binary", "low", "high"), [(False, 0.79, 0.826), (True, 0.79, 0.855)]
)
def test_the_number_of_labels_has_the_power_that_was_asked_for(
    binary, low, high, population
):
    for correlation in (0.0, 0.6, 0.9):
        design = sizes.Labels(
            correlation=correlation, binary=binary, population=population, **TRUTH
        )
        n = pc.power(design, trials=0).n_required
        p = design.p_values(np.random.default_rng(2), n, 4000)
        assert low < np.mean(p <= 0.05) < high


@pytest.mark.parametrize("binary", [True, False])
def test_without_a_difference_the_level_is_that_of_the_test(binary):
    design = sizes.Labels(
        difference=0, sd=0.6, correlation=0.7, items=500, binary=binary
    )
    p = design.p_values(np.random.default_rng(5), 60, 4000)
    assert 0.035 < np.mean(p <= 0.05) < 0.062
    assert_digits(design.formula(60, 0.05), 0.05, at_least=10)


@pytest.mark.parametrize("population", ["like", "these"])
@pytest.mark.parametrize("binary", [True, False])
def test_the_simulated_test_is_that_of_labels(binary, population):
    rng = np.random.default_rng(4)
    items, n = 200, 30
    y, f = rng.normal(size=(2, items, 2)) + rng.normal(size=(items, 2))
    if binary:
        y, f = (y > 0).astype(float), (f > 0.3).astype(float)
    known = np.where(np.arange(items)[:, None] < n, y, np.nan)
    scores = pc.Scores(
        values=known[:, :, None],
        blocks=tuple(map(str, range(items))),
        algorithms=("A", "B"),
        metrics=(pc.Metric("human", "higher"),),
        judge=f,
    )
    rows = pc.labels(scores, chosen="random").populations
    wanted = rows.set_index("population")["p_value"]
    design = sizes.Labels(
        difference=0.1, sd=0.6, correlation=0.5, items=items, binary=binary,
        population=population,
    )  # fmt: skip
    d, e = y[:n, 0] - y[:n, 1], f[:n, 0] - f[:n, 1]
    sums = np.array([[d.sum(), e.sum(), d @ d, d @ e, e @ e]])
    judge = np.array([(f[:, 0] - f[:, 1]).mean()])
    name = {"like": "items like these", "these": "these items"}[population]
    assert_digits(design._tested(n, sums, judge)[0], wanted[name], at_least=10)


@pytest.mark.parametrize("correlation", [-0.4, 0.0, 0.7])
def test_drawn_labels_have_the_moments_of_the_truth(correlation):
    design = sizes.Labels(difference=-0.1, sd=0.5, correlation=correlation, items=4000)
    cells, sign = design.cells, np.array([-1, 0, 1])
    y, f = cells.sum(axis=1), cells.sum(axis=0)
    mean = y @ sign
    assert_digits(
        [cells.sum(), mean, y @ sign**2 - mean**2], [1, -0.1, 0.25], at_least=12
    )
    spread = math.sqrt(f @ sign**2 - (f @ sign) ** 2)
    cross = sign @ cells @ sign - mean * (f @ sign)
    assert abs(cross / (0.5 * spread) - correlation) < 1e-12


def test_the_same_items_need_fewer_labels_and_have_whole_counts():
    like, these = (
        pc.power(
            sizes.Labels(correlation=0.7, population=population, **TRUTH), trials=0
        ).n_required
        for population in ("like", "these")
    )
    assert these < like
    counts = whole_counts(np.array([0.1, 0.25, 0.65]), 7)
    assert counts.sum() == 7 and counts.tolist() == [1, 2, 4]


def test_no_number_of_labels_is_enough_if_the_items_are_too_few():
    design = sizes.Labels(difference=0.05, sd=0.535, correlation=0.7, items=300)
    told = (
        r"no number of labelled items reaches a power of 0\.8 .* the 300 items "
        r"themselves leave a standard error of 0\.031; let the judge score more items"
    )
    for trials in (0, 100):
        with pytest.raises(pc.DesignError, match=told):
            pc.power(design, trials=trials)
    assert pc.power(design, n=299, trials=0).n_required is None
    with pytest.raises(pc.InputError, match="labelled items, from 10 to 299"):
        pc.power(design, n=300)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"correlation": 1}, "correlation=1: give a number between -1 and 1"),
        ({"items": 10}, "items=10: give a whole number above 10"),
        ({"items": 99.5}, "items=99.5"),
        ({"sd": 0}, "sd=0"),
        ({"sd": 0.2}, r"standard deviation from 0\.3 to 0\.995; if labels are graded"),
        ({"sd": 1.2}, "binary=False"),
        ({"difference": 1.5, "sd": 1}, "differ by less than 1"),
        ({"population": "all"}, "population"),
    ],
)
def test_bad_truths_are_refused_by_name(given, message):
    with pytest.raises(pc.InputError, match=message):
        sizes.Labels(**{**TRUTH, "correlation": 0.5, **given})
    if "binary" in message:
        sizes.Labels(**{**TRUTH, "correlation": 0.5, **given}, binary=False)


def pilot(graded=False):
    rng = np.random.default_rng(6)
    y = rng.integers(0, 5 if graded else 2, (60, 2)).astype(float)
    f = np.where(rng.random((60, 2)) < 0.8, y, 1 - y)
    rows = [
        {"model": m, "item": i, "human": y[i, k] if i < 25 else None, "judge": f[i, k]}
        for i in range(60)
        for k, m in enumerate("AB")
    ]
    return pd.DataFrame(rows), y[:25, 0] - y[:25, 1], f[:25, 0] - f[:25, 1]


ROLES = {"algorithm": "model", "block": "item", "judge": "judge"}


@pytest.mark.parametrize("graded", [False, True])
def test_a_pilot_gives_spread_correlation_and_items(graded):
    frame, d, f = pilot(graded)
    scores = pc.Scores.from_frame(frame, metrics={"human": "higher"}, **ROLES)
    design = sizes.Labels.from_labels(scores, difference=0.2)
    assert (design.difference, design.items, design.binary) == (0.2, 60, not graded)
    wanted = [d.std(ddof=1), np.corrcoef(d, f)[0, 1]]
    assert_digits([design.sd, design.correlation], wanted, at_least=12)
    whole = pc.Scores.from_frame(
        frame, metrics={"judge": "higher"}, **{**ROLES, "judge": None}
    )
    with pytest.raises(pc.InputError, match="a pilot with a judge's scores"):
        sizes.Labels.from_labels(whole)


def test_the_command_line_takes_a_pilot_and_graded_labels(pycompare, tmp_path):
    frame, *_ = pilot(graded=True)
    path = tmp_path / "pilot.csv"
    frame.to_csv(path, index=False)
    words = ["--pilot-algorithm", "model", "--pilot-block", "item"]
    words += ["--pilot-metric", "human:higher", "--items", "900", "--trials", "0"]
    given = ["power", "labels", "--pilot", path, *words, "--difference", "0.5"]
    status, out, err = pycompare(*given, "--no-binary", "--pilot-judge", "judge")
    assert status == 0, err
    assert "the judge scores 900 items" in out
    assert "needs --pilot-judge" in pycompare(*given)[2]
    truth = ["--difference", "0.1", "--correlation", "0.5", "--items", "900"]
    bad = pycompare("power", "labels", *truth, "--sd", "2")
    assert bad[0] == 2 and "if labels are graded: --no-binary" in bad[2]


def test_the_report_is_written_and_computed_again(tmp_path):
    design = sizes.Labels(correlation=0.7, **TRUTH)
    found = pc.power(design, n=[100, 127], trials=50)
    folder = pc.report(found, tmp_path / "power")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "correlation with the judge" in page and "binary = True" in page
    assert "power_labels" in (folder / "reproduce.R").read_text(encoding="utf-8")
    assert pc.verify(folder, recompute=True).passed


def test_the_curve_of_a_report_ends_with_the_items(tmp_path):
    design = sizes.Labels(difference=0.4, sd=0.7, correlation=0.5, items=50)
    found = pc.power(design, n=49, trials=0)
    folder = pc.report(found, tmp_path / "power")
    rows = pd.read_csv(folder / "tables" / "power.csv")
    assert rows["n"].max() == 49 and len(rows) == 4
