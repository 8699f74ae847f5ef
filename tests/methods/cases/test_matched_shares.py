"""Shares of right answers to the same cases against a margin."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import matched_pairs as kernel
from pycompare.kernels.matched_pairs import least_units
from tests.kernels.test_matched_pairs import GPQA, RUNS

NI = {"kind": "non-inferiority", "control": "old"}


def scores_of(both, only_new, only_old, neither, better="higher"):
    rows = [[1, 1], [1, 0], [0, 1], [0, 0]]
    right = np.repeat(rows, [both, only_new, only_old, neither], axis=0)
    x = right if better == "higher" else 1 - right
    table = {"new": x[:, 0].tolist(), "old": x[:, 1].tolist()}
    return pc.Scores.from_wide(table, metric="share", better=better)


def of_runs(runs, clusters=None, names=("new", "old")):
    """Scores of right answers of shape (cases, algorithms, runs)."""
    case, algorithm, run = (index.ravel() for index in np.indices(runs.shape))
    frame = pd.DataFrame({"case": case, "algorithm": np.array(names)[algorithm]})
    frame["right"], frame["run"] = runs.ravel(), run
    roles = {}
    if clusters is not None:
        frame["text"] = np.asarray(clusters)[case]
        roles = {"cluster": "text"}
    return pc.Scores.from_frame(
        frame, algorithm="algorithm", block="case", metrics={"right": "higher"},
        replicate="run", **roles,
    )  # fmt: skip


def gpqa():
    """Five answers of two models to 198 items."""
    nano, mini = (np.repeat(k.ravel(), GPQA.ravel()) for k in np.indices(GPQA.shape))
    run = np.arange(RUNS)
    return np.stack([nano[:, None] > run, mini[:, None] > run], axis=1).astype(float)


@pytest.mark.parametrize(
    ("counts", "margin", "z", "p"),
    [
        ((20, 0, 1, 23), 0.1, 1.708564, 0.0571339),  # Tango (1998)
        ((150, 2, 3, 45), 0.05, 2.629607611, 0.00304855),
        ((150, 10, 14, 24), 0.1, 2.857609, 0.00176597),
        ((100, 28, 19, 51), 0.05, 2.690611, 0.0034193),  # GPQA, run 1
    ],
)
@pytest.mark.parametrize("better", ["higher", "lower"])
def test_published_numbers(counts, margin, z, p, better):
    found = pc.matched_shares(scores_of(*counts, better), margin=margin, **NI)
    [row] = found.table.itertuples()
    sign = 1 if better == "higher" else -1
    assert_digits(row.statistic, sign * z, at_least=6)
    assert_digits(row.p_value, p, at_least=4.5)
    assert found.p_source == "exact" and found.gamma == 2.5e-5
    low, high = kernel.score_limits(*counts[1:3], sum(counts), stats.norm.isf(0.025))
    limit = row.conf_low if better == "higher" else -row.conf_high
    assert_digits(limit, low if row.p_value <= 0.025 else min(low, -margin), at_least=9)
    wide = pc.matched_shares(scores_of(*counts, better), margin=0.9, alpha=0.025)
    [row] = wide.table.itertuples()
    limits = (low, high) if better == "higher" else (-high, -low)
    assert_digits([row.conf_low, row.conf_high], limits, at_least=9)


def test_runs_have_the_numbers_of_gpqa():
    found = pc.matched_shares(of_runs(gpqa()), margin=0.05, **NI)
    [row] = found.table.itertuples()
    assert found.p_source == "effective-size" and found.n_runs == RUNS
    assert_digits(row.estimate, 0.0585859, at_least=6)
    assert_digits(row.std_error, 0.0277885, at_least=5)
    assert_digits(row.n_effective, 327.8083, at_least=6)
    assert_digits(row.statistic, 3.792107, at_least=6)
    assert_digits(row.p_value, 9.929e-5, at_least=3.9)
    assert_digits(row.conf_low, 0.0034757, at_least=4.5)
    assert row.df == 197 and "0.034" in found.caution
    swapped = of_runs(gpqa()[:, ::-1])
    [row] = pc.matched_shares(swapped, margin=0.05, **NI).table.itertuples()
    assert_digits(row.p_value, 0.62124, at_least=4.5)
    assert row.conf_low < -0.05 and not row.shown


def test_clusters_have_the_variance_and_df_of_cluster_pairs():
    rng = np.random.default_rng(3)
    owner = np.repeat(np.arange(30), rng.integers(2, 9, 30))
    known = rng.random((30, 2)) < 0.6  # whole texts are lost
    right = known[owner] | (rng.random((len(owner), 2)) < 0.2)
    right = right.astype(int)
    table = {"new": right[:, 0].tolist(), "old": right[:, 1].tolist()}
    table["text"] = [f"t{g}" for g in owner]
    scores = pc.Scores.from_wide(
        table, metric="share", better="higher", cluster="text",
        algorithms=["new", "old"],
    )  # fmt: skip
    [row] = pc.matched_shares(scores, margin=0.3, **NI).table.itertuples()
    [robust] = pc.cluster_pairs(scores, adjust="none").table.itertuples()
    for name in ("estimate", "std_error", "df"):
        assert_digits(getattr(row, name), getattr(robust, name), at_least=12)
    spread = row.std_error**2 * row.n_effective
    share = (row.only_1 + row.only_2) / len(owner)
    assert_digits(spread, share - row.estimate**2, at_least=12)
    assert_digits(row.p_value, stats.t.sf(row.statistic, row.df), at_least=10)


def random_tables(n_tables, rng):
    for _ in range(n_tables):
        n = int(rng.integers(8, 60))
        hard = rng.normal(size=(n, 1))
        right = (hard + rng.normal(size=(n, 3)) * rng.choice([0.1, 0.5, 1]) > 0) * 1.0
        frame = pd.DataFrame(right, columns=["a", "b", "old"])
        yield pc.Scores.from_wide(frame, metric="share", better="higher")


def test_no_interval_contradicts_a_decision():
    rng, cut, shown = np.random.default_rng(6), 0, 0
    for scores in random_tables(120, rng):
        margin = float(rng.choice([0.05, 0.15, 0.4]))
        control = rng.choice(["", "old"]) or None
        kind = "equivalence" if control is None else "non-inferiority"
        options = {"margin": margin, "kind": kind, "control": control}
        found = pc.matched_shares(scores, **options)
        table = found.table
        above = table["conf_low"] > found.margin_low
        below = (table["conf_high"] < found.margin_high) | (control is not None)
        within = above & below
        assert (within == table["shown"]).all()
        assert (table["conf_low"] <= table["estimate"]).all()
        assert (table["conf_high"] >= table["estimate"]).all()
        cut += int(np.isclose(table["conf_low"], found.margin_low, atol=1e-15).sum())
        shown += int(within.sum())
    assert cut and shown


def test_the_level_of_the_intervals_is_that_of_the_last_step():
    rng = np.random.default_rng(9)
    base = rng.random(400) < 0.7
    flips = rng.random((400, 3)) < [0.02, 0.03, 0.3]
    frame = pd.DataFrame((base[:, None] ^ flips) * 1, columns=["a", "b", "old"])
    scores = pc.Scores.from_wide(frame, metric="share", better="higher")
    found = pc.matched_shares(scores, margin=0.08)
    assert found.table["shown"].tolist() == [True, False, False]
    assert_digits(found.level, 1 - 2 * 0.05 / 2, at_least=12)
    assert found.interval == "95% each, at the level of the last step"
    low = found.table["conf_low"][0]
    row = found.table.iloc[0]
    z = kernel.score_statistic(row["only_1"], row["only_2"], 400, low)
    assert_digits(z, stats.norm.isf(0.025), at_least=9)


def test_p_of_a_pair_is_the_larger_one_and_gamma_a_thousandth_of_its_level():
    scores = next(random_tables(1, np.random.default_rng(2)))
    found = pc.matched_shares(scores, margin=0.3, alpha=0.06)
    table = found.table
    assert (table["p_value"] == table[["p_lower", "p_upper"]].max(axis=1)).all()
    assert_digits(found.gamma, 0.06 / 3 / 1000, at_least=14)
    w, x = table.loc[0, ["only_1", "only_2"]].astype(int)
    p = kernel.exact_p(w, x, found.n_cases, 0.3, "less", found.gamma)
    assert table["p_upper"][0] == p


def test_more_than_20_000_cases_have_the_score_test():
    scores = scores_of(20_000, 300, 320, 0)
    found = pc.matched_shares(scores, margin=0.005, **NI)
    [row] = found.table.itertuples()
    z = kernel.score_statistic(300, 320, 20_620, -0.005)
    assert found.p_source == "score" and "1.14" in found.caution
    assert_digits(row.p_value, stats.norm.sf(z), at_least=12)


def test_few_cases_are_tested_and_the_note_says_what_equal_answers_show():
    found = pc.matched_shares(scores_of(4, 4, 0, 2), margin=0.02, **NI)
    [row] = found.table.itertuples()
    assert_digits(row.p_value, 0.0217, at_least=2.5)  # issue 40: .022
    assert row.shown and str(least_units(0.02, 0.025)) in found.notes[0]
    assert found.notes[0] in found.summary()
    enough = pc.matched_shares(scores_of(183, 0, 0, 0), margin=0.02, **NI)
    assert enough.table["shown"].all() and not enough.notes
    fewer = pc.matched_shares(scores_of(182, 0, 0, 0), margin=0.02, **NI)
    assert not fewer.table["shown"].any() and fewer.notes


def test_answers_that_are_all_alike_have_the_p_value_of_losses_at_the_margin():
    """No discordant case: (1 - margin)^n, plus gamma."""
    [row] = pc.matched_shares(
        scores_of(90, 0, 0, 10), margin=0.1, **NI
    ).table.itertuples()
    assert_digits(row.p_value, 0.9**100 + 2.5e-5, at_least=9)
    assert row.estimate == 0 and row.conf_low > -0.1


@pytest.mark.parametrize(
    ("scores", "options", "error", "words"),
    [
        (scores_of(9, 1, 1, 9), {"margin": 1.2}, pc.InputError, "below 1"),
        (scores_of(9, 1, 1, 9), {"margin": 0.0}, pc.InputError, "positive"),
        (scores_of(9, 1, 1, 9), {"margin": 0.1, "kind": "non-inferiority"},
         pc.InputError, "name a control"),
        (scores_of(9, 1, 1, 9), {"margin": 0.1, "adjust": "shaffer"},
         pc.InputError, "margin"),
        (of_runs(gpqa()[:30]), {"margin": 0.05}, pc.DesignError, "59 units"),
        (of_runs(gpqa()[:, :, :3] / 2), {"margin": 0.05}, pc.InputError, "0 and 1"),
        (of_runs(gpqa(), np.arange(198) // 20), {"margin": 0.9}, pc.DesignError,
         "10 clusters"),
    ],
)  # fmt: skip
def test_what_cannot_be_tested_is_refused(scores, options, error, words):
    with pytest.raises(error, match=words):
        pc.matched_shares(scores, **options)


def test_graded_scores_are_refused():
    scores = scores_of(9, 1, 1, 9)
    graded = dataclasses.replace(scores, values=scores.values / 2)
    with pytest.raises(pc.InputError, match="0 and 1"):
        pc.matched_shares(graded, margin=0.1)
