"""Runs (seeds, repetitions) of each algorithm on each block: the role ``replicate``."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats

import pycompare as pc
from pycompare.reporting.evidence import data_files
from tests.data.tables import LONG as PLAIN
from tests.data.tables import long_frame, refused
from tests.runs import LONG, frame_of, runs_of, simulated, unequal_runs


def test_runs_are_kept_and_cells_are_their_means():
    values = simulated(b=3, a=2, n=4)
    scores = runs_of(values)
    assert scores.shape == (3, 2, 1) and scores.runs.shape == (3, 2, 1, 4)
    assert scores.replicates == ("s0", "s1", "s2", "s3")
    np.testing.assert_array_equal(scores.runs[:, :, 0], values)
    np.testing.assert_allclose(scores.column(), values.mean(axis=-1), rtol=1e-15)
    assert "4 runs" in scores.summary() and "x 4 runs" in repr(scores)


def test_equal_runs_have_exactly_their_value_as_mean():
    cells = np.array([[0.1, 1 / 3], [0.7, 1e-300], [2e306, 0.3]])
    scores = runs_of(np.repeat(cells[:, :, None], 7, axis=2))
    np.testing.assert_array_equal(scores.column(), cells)


@pytest.mark.parametrize("scale", [1e-300, 1e300, 1e306])
def test_means_of_runs_neither_overflow_nor_vanish(scale):
    values = np.random.default_rng(0).uniform(-1, 1, size=(4, 3, 5))
    scores = runs_of(values * scale)
    np.testing.assert_allclose(
        scores.column() / scale, values.mean(axis=-1), rtol=1e-12, atol=1e-15
    )


def test_sums_of_very_many_large_runs_do_not_overflow():
    values = np.tile([1.7e308, -1.7e308], (2, 2, 500))
    assert np.abs(runs_of(values).column()).max() <= 1.7e308 * 1e-12


def test_means_are_exact_where_runs_are_large_and_differ_little():
    offsets = np.array([0.25, 0.5, 0.0])
    values = np.broadcast_to(2.0**40 + offsets, (2, 2, 3))
    assert np.all(runs_of(values).column() == 2.0**40 + 0.25)


def test_the_order_of_rows_does_not_matter():
    frame = frame_of(simulated())
    shuffled = frame.sample(frac=1, random_state=1)
    back = shuffled.sort_values(["f", "a", "r"])
    assert (
        pc.Scores.from_frame(back, **LONG).sha256
        == pc.Scores.from_frame(frame, **LONG).sha256
    )


def test_labels_that_differ_from_cell_to_cell_number_the_runs():
    frame = frame_of(simulated(b=3, a=2, n=2))
    frame["r"] = [f"job-{i}" for i in range(len(frame))]
    scores = pc.Scores.from_frame(frame, **LONG)
    assert scores.replicates == ("1", "2")
    np.testing.assert_array_equal(scores.runs, runs_of(simulated(b=3, a=2, n=2)).runs)


def test_runs_are_read_only_even_after_pickle_and_copy():
    scores = runs_of(simulated())
    for each in (scores, pickle.loads(pickle.dumps(scores)), copy.deepcopy(scores)):
        with pytest.raises(ValueError, match="read-only"):
            each.runs[0, 0, 0, 0] = 1.0
        assert each.sha256 == scores.sha256


def test_the_hash_sees_runs_and_is_what_it_was_without_them():
    scores = runs_of(simulated())
    means = replace(scores, runs=None, replicates=None)
    assert scores.sha256 != means.sha256
    swapped = replace(scores, runs=scores.runs[..., ::-1])
    assert swapped.sha256 != scores.sha256
    assert (
        pc.Scores.from_frame(long_frame(), **PLAIN).sha256
        == "75f66d2038da9a19e79cdacf9df40f5d6a9d981e3b1f9ba4ddceb870c1589271"
    )


def test_select_and_only_keep_the_runs():
    frame = frame_of(simulated(b=4, a=3, n=2)).assign(other=1.0)
    frame["other"] = np.arange(len(frame), dtype=float)
    roles = LONG | {"metrics": {"score": "higher", "other": "lower"}}
    scores = pc.Scores.from_frame(frame, **roles)
    part = scores.select(algorithms=["A2", "A0"], blocks=["f3", "f1"])
    np.testing.assert_array_equal(part.runs, scores.runs[[3, 1]][:, [2, 0]])
    one = scores.only("other")
    np.testing.assert_array_equal(one.runs, scores.runs[:, :, [1]])
    assert [m.name for m in one.metrics] == ["other"]


def test_the_tidy_table_has_a_row_a_run_and_reads_back(tmp_path):
    scores = runs_of(simulated(b=4, a=3, n=2), datasets=["x", "x", "y", "y"])
    frame = scores.to_frame()
    assert list(frame.columns) == [
        *("dataset", "fold", "block", "algorithm", "run", "score")
    ]
    assert len(frame) == 4 * 3 * 2
    path = tmp_path / "runs.csv"
    frame.to_csv(path, index=False)
    again = pc.read_scores(
        path,
        algorithm="algorithm",
        block="fold",
        dataset="dataset",
        replicate="run",
        metrics={"score": "higher"},
    )
    assert again.sha256 == scores.sha256


def test_means_of_data_sets_are_over_folds_and_runs():
    values = simulated(b=4, a=3, n=2)
    means = pc.dataset_means(runs_of(values, datasets=["x", "x", "y", "y"]))
    assert means.runs is None and means.replicates is None
    expected = values.reshape(2, 2, 3, 2).mean(axis=(1, 3))
    np.testing.assert_allclose(means.column(), expected, rtol=1e-14)


def test_every_method_sees_the_cell_means():
    scores = runs_of(simulated())
    means = replace(scores, runs=None, replicates=None)
    assert pc.friedman(scores).statistic == pc.friedman(means).statistic
    assert pc.anova(scores).statistic == pc.anova(means).statistic


# ---- what is refused -----------------------------------------------------------------


def test_several_rows_of_a_cell_are_refused_without_the_role_and_it_is_named():
    roles = {key: value for key, value in LONG.items() if key != "replicate"}
    with refused("24 pairs", "replicate="):
        pc.Scores.from_frame(frame_of(simulated()), **roles)


def test_unequal_numbers_of_runs_are_averaged_as_they_are():
    values = simulated(b=4, a=3, n=4)
    frame = frame_of(values).drop(index=[2, 3, 13])
    scores = pc.Scores.from_frame(frame, **LONG)
    by_hand = frame.groupby(["f", "a"])["score"].mean().unstack()
    np.testing.assert_allclose(scores.column(), by_hand, rtol=1e-14)
    whole = runs_of(values).column()
    assert (scores.column() == whole).sum() == 10  # the other cells, to the bit
    assert scores.runs_per_cell == (2, 4)
    told = "cells have 2 to 4 runs; a score is the mean of its own runs"
    assert scores.notes == (told,)
    assert "2 to 4 runs of each algorithm" in scores.summary()
    back = pc.Scores.from_frame(
        scores.to_frame().rename(columns={"block": "f", "algorithm": "a", "run": "r"}),
        **LONG,
    )
    assert back.sha256 == scores.sha256
    balanced = pc.Scores.from_frame(frame, **LONG, missing="drop-block")
    assert balanced.blocks == ("f2", "f3") and balanced.runs_per_cell == (4, 4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"2 to 3 runs.*set replicates='average'"),
        ({"replicates": "keep"}, r"as many runs in every cell.*2 to 3"),
        (
            {"replicates": "average", "runs": "prompts", "runs_scope": "fixed"},
            "needs a score of all 3 prompts, and cells have 2 to 3",
        ),
    ],
)
def test_what_needs_the_same_runs_everywhere_is_refused(options, message):
    scores = unequal_runs(simulated(b=12, a=3, n=3))
    blocks = "cases" if "runs" in options else "datasets"
    with pytest.raises(pc.PlanError, match=message):
        pc.compare(scores, pc.Plan(blocks=blocks, **options))
    for analyse in (pc.crossed_pairs, pc.replicated_anova, pc.mack_skillings):
        with pytest.raises(pc.DesignError, match="drop-block"):
            analyse(scores)


def test_right_and_wrong_answers_of_unequal_runs_have_score_tests():
    answers = (simulated(b=60, a=2, n=4, effect=0.8) > 0.3) * 1.0
    scores = unequal_runs(answers)
    plan = pc.Plan(blocks="cases", runs="samples", replicates="average")
    found = pc.compare(scores, plan).analyses[0].decisive
    assert found.method == "effective-size score tests"
    [row] = found.table.itertuples()
    d = scores.column() @ ([1.0, -1.0] if row.algorithm_1 == "A0" else [-1.0, 1.0])
    n, variance = len(d), d.var(ddof=1) / len(d)
    wins, losses = d[d > 0].sum(), -d[d < 0].sum()
    counts = (~np.isnan(scores.runs[:, :, 0])).sum(axis=-1)
    assert found.n_runs == pytest.approx(1 / np.mean(1 / counts))
    size = ((wins + losses) / n - d.mean() ** 2) / variance
    assert row.n_effective == pytest.approx(np.clip(size, n, n * found.n_runs))
    z = (wins - losses) * np.sqrt(row.n_effective / n / (wins + losses))
    assert row.p_value == pytest.approx(2 * stats.t.sf(abs(z), n - 1))


def test_over_cases_the_error_is_that_of_means_of_unequal_samples():
    """The variance of a difference, over answers that are all drawn many times."""
    rng = np.random.default_rng(3)
    n, draws = 40, 4000
    sizes = rng.integers(1, 5, (n, 2))
    right = rng.uniform(0.05, 0.95, (draws, n, 1)) * [1, 0.8]
    means = rng.binomial(sizes, right) / sizes
    d = means[..., 0] - means[..., 1]
    estimated = d.var(axis=1, ddof=1) / n
    assert d.mean(axis=1).var() == pytest.approx(estimated.mean(), rel=0.08)
    scores = unequal_runs(simulated(b=n, a=2, n=4))
    plan = pc.Plan(blocks="cases", runs="samples", replicates="average")
    found = pc.compare(scores, plan).analyses[0].decisive.table
    own = np.diff(-scores.column(), axis=1)[:, 0]
    assert found["std_error"][0] == pytest.approx(own.std(ddof=1) / n**0.5, rel=1e-12)


def test_a_report_reads_back_cells_with_unequal_runs():
    scores = unequal_runs(simulated(b=6, a=3, n=4))
    kept = data_files.of_scores(scores)
    [text] = kept.files.values()
    back = data_files.scores_from(text, kept.parts)
    assert back.sha256 == scores.sha256
    assert back.values.tobytes() == scores.values.tobytes()


def test_many_short_cells_are_counted():
    frame = frame_of(simulated(b=5, a=4, n=2))
    frame.loc[(frame["r"] == "s1") & (frame["f"] < "f2"), "score"] = np.nan
    with refused("8 cells of 20", "'f0'", "and 3 more"):
        pc.Scores.from_frame(frame, **LONG)


def test_few_cells_with_more_runs_than_the_others_are_named():
    frame = frame_of(simulated(b=4, a=3, n=4))
    extra = frame[20:21].assign(r="again")
    frame.loc[3, "score"] = np.nan
    with refused("11 cells of 12 have fewer than 5", "as many: block='f1'", "has 5"):
        pc.Scores.from_frame(pd.concat([frame, extra]), **LONG)


@pytest.mark.parametrize(
    "convert",
    [pl.from_pandas, pa.Table.from_pandas, lambda f: f.to_dict("records")],
    ids=["polars", "arrow", "records"],
)
def test_frames_of_any_library_give_the_same_runs(convert):
    frame = frame_of(simulated())
    frame["r"] = frame["r"].str.removeprefix("s").astype(int)
    scores = pc.Scores.from_frame(convert(frame), **LONG)
    assert scores.replicates == ("0", "1", "2", "3")
    assert scores.sha256 == pc.Scores.from_frame(frame, **LONG).sha256


def test_a_run_without_a_score_counts_as_one_that_lacks():
    values = simulated(b=4, a=3, n=4)
    values[2, 1, 3] = np.nan
    with refused(
        "1 run has a row and no score",
        "1 cell of 12 has fewer",
        "'f2', algorithm='A1' has 3",
    ):
        runs_of(values)
    kept = runs_of(values, missing="drop-block")
    assert kept.dropped.blocks == ("f2",) and kept.runs.shape == (3, 3, 1, 4)
    assert kept.complete


def test_the_model_policy_takes_whole_cells_only():
    values = simulated(b=4, a=3, n=4)
    values[2, 1] = np.nan
    gappy = runs_of(values, missing="model")
    assert np.isnan(gappy.column()).sum() == 1 and pc.anova(gappy).notes
    values[2, 1, 0] = 1.0
    with refused("missing='model' takes cells without any run", "has 1"):
        runs_of(values, missing="model")


def test_one_run_a_cell_is_no_replication():
    with refused("one run at most", "leave replicate out"):
        runs_of(simulated(n=1))


def test_a_run_with_two_rows_is_refused():
    frame = frame_of(simulated())
    with refused("1 run of a block", "'f0'", "replicate='s0'", "row 1", "row 97"):
        pc.Scores.from_frame(pd.concat([frame, frame[:1]]), **LONG)


def test_a_column_with_two_roles_is_refused():
    with refused("two roles, block and replicate"):
        pc.Scores.from_frame(frame_of(simulated()), **LONG | {"replicate": "f"})


def test_wide_tables_have_no_column_of_runs(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("b,x,y\n1,0.5,0.4\n2,0.3,0.2\n")
    with refused("replicate needs wide=False"):
        pc.read_scores(path, wide=True, metric="m", better="lower", replicate="b")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"runs": None}, "there are none"),
        ({"replicates": ("s0",)}, "two runs or more"),
        ({"replicates": ("s0", "s1", "s2")}, "shape"),
        ({"replicates": ("s0", "s0", "s1", "s2")}, "appears 2 times"),
        ({"values": np.zeros((8, 3, 1))}, "means of runs"),
    ],
)
def test_runs_that_do_not_fit_the_means_are_refused(change, message):
    with pytest.raises(pc.InputError, match=message):
        replace(runs_of(simulated()), **change)


def test_hostile_labels_are_labels():
    frame = frame_of(simulated(b=2, a=2, n=2))
    names = {"s0": "<b>'\"\\", "s1": "=1+1"}
    scores = pc.Scores.from_frame(frame.replace({"r": names}), **LONG)
    assert scores.replicates == tuple(names.values())
