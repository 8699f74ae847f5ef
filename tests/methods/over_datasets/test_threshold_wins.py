import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits
from tests.methods.over_datasets.many import counts, normal, scores_of

TEN = tuple(round(i / 10, 1) for i in range(11))
SCORES = counts(6, b=12, a=3, thresholds=TEN, seed=1)


def at_threshold(scores: pc.Scores, theta: float) -> pc.Scores:
    """The counts at one threshold, named as if there were no other."""
    keep = [
        j for j, m in enumerate(scores.metrics) if m.name.endswith(f"@{theta:g}")
    ]  # fmt: skip
    names = tuple(
        pc.Metric(scores.metrics[j].name.split("@")[0], scores.metrics[j].better)
        for j in keep
    )
    return dataclasses.replace(scores, values=scores.values[:, :, keep], metrics=names)


def grid_by_hand(scores: pc.Scores, metrics: list[str], **options) -> np.ndarray:
    """Wins at each threshold by ``pc.wins``, summed over thresholds."""
    grid = np.zeros((6, 3, 3), int)
    names = list(scores.algorithms)
    for theta in TEN:
        costs = {"fp": theta, "fn": 1 - theta}
        one = pc.wins(
            at_threshold(scores, theta), metrics=metrics, costs=costs, **options
        )
        for row in one.decisions.itertuples():
            i, j = names.index(row.algorithm_1), names.index(row.algorithm_2)
            at = int(row.dataset[1:]) - 1
            grid[at, i, j] += row.verdict == "win"
            grid[at, j, i] += row.verdict == "loss"
    return grid


@pytest.mark.parametrize("metrics", [["tp", "fp", "fn", "tn"], ["tp", "fp"]])
@pytest.mark.parametrize("options", [{}, {"omnibus": False, "adjust": "holm"}])
def test_the_grid_counts_the_wins_at_each_threshold(metrics, options):
    found = pc.threshold_wins(SCORES, metrics=metrics, **options)
    expected = grid_by_hand(SCORES, metrics, **options)
    assert found.grid.tolist() == expected.tolist()
    assert expected.sum() > 20


def test_a_data_set_is_won_by_the_right_tailed_sign_test_over_thresholds():
    found = pc.threshold_wins(SCORES)
    wins = np.zeros((3, 3), int)
    for grid in found.grid:
        test = pc.sign_grid(grid, 11, alternative="greater", adjust="none")
        wins += test.matrix().to_numpy() <= 0.05
    assert found.counts().tolist() == wins.tolist()
    assert wins.sum() > 3
    adjusted = pc.threshold_wins(SCORES, threshold_adjust="bonferroni")
    assert (adjusted.counts() <= wins).all()


def test_by_any_threshold_the_one_that_wins_somewhere_wins_unless_both_do():
    values = SCORES.values.copy()
    high = [j for j, m in enumerate(SCORES.metrics) if float(m.name[3:]) >= 0.5]
    values[:, :, high] = values[:, ::-1, high]
    found = pc.threshold_wins(dataclasses.replace(SCORES, values=values), rule="any")
    won = found.grid > 0
    both = won & won.transpose(0, 2, 1)
    assert found.counts().tolist() == (won & ~both).sum(axis=0).tolist()
    assert both.any()
    rows = found.decisions
    crossing = (rows["wins"] > 0) & (rows["losses"] > 0)
    assert (rows.loc[crossing, "verdict"] == "tie").all()
    assert (rows.loc[crossing, "reason"] == "each is better at some thresholds").all()
    assert (found.ties.to_numpy() >= 0).all()


def test_thresholds_at_which_all_algorithms_are_alike_are_ties_with_a_reason():
    rows = pc.threshold_wins(SCORES).at_thresholds
    ends = rows[rows["threshold"] == 0.0]
    assert (ends["verdict"] == "tie").all()
    assert ends["p_value"].isna().all()
    assert ends["reason"].str.contains("no difference can be tested").all()
    assert rows[rows["threshold"] == 0.5]["p_value"].notna().all()


def test_p_values_at_thresholds_are_those_of_hotelling_pairs_and_manova():
    found = pc.threshold_wins(SCORES).at_thresholds
    part = at_threshold(SCORES, 0.3).select(blocks=SCORES.blocks[12:24])
    part = dataclasses.replace(part, datasets=None)
    rows = found[(found["dataset"] == "d2") & (found["threshold"] == 0.3)]
    pairs = pc.hotelling_pairs(part)
    assert_digits(rows["p_value"], pairs.table["p_value"], at_least=10)
    assert_digits(rows["p_pairs"], pairs.table["p_adjusted"], at_least=10)
    assert_digits(rows["p_omnibus"], [pc.manova(part).p_value] * 3, at_least=10)
    risk = 0.3 * part.column("fp").mean(axis=0) + 0.7 * part.column("fn").mean(axis=0)
    assert_digits(rows["value_1"], risk[[0, 0, 1]], at_least=13)


def test_precision_may_be_tested_and_the_risk_decides():
    thresholds = (0.2, 0.5, 0.7)
    scores = counts(4, b=12, thresholds=thresholds, seed=3)
    columns, names = [], {}
    for t in thresholds:
        tp, fp, fn = (scores.column(f"{m}@{t:g}") for m in ("tp", "fp", "fn"))
        columns += [tp / (tp + fp), tp / 40, fp, fn]
        directions = ("higher", "higher", "lower", "lower")
        for m, better in zip(
            ("precision", "recall", "fp", "fn"), directions, strict=True
        ):
            names[f"{m}@{t:g}"] = better
    made = scores_of(np.split(np.stack(columns, axis=-1), 4), names)
    found = pc.threshold_wins(made, metrics=["precision", "recall"])
    assert found.metrics == ("precision", "recall")
    assert found.grid.sum() > 5
    risk = found.at_thresholds["value_1"]
    assert_digits(risk, pc.threshold_wins(scores).at_thresholds["value_1"], at_least=13)


def test_data_sets_may_have_different_numbers_of_folds():
    few = counts(2, b=8, thresholds=TEN, seed=4)
    more = counts(2, b=11, thresholds=TEN, seed=5)
    tables = [few.values[:8], more.values[:11], few.values[8:], more.values[11:]]
    names = {m.name: m.better for m in few.metrics}
    mixed = pc.threshold_wins(scores_of(tables, names)).grid
    expected = [pc.threshold_wins(few).grid, pc.threshold_wins(more).grid]
    assert mixed[[0, 2]].tolist() == expected[0].tolist()
    assert mixed[[1, 3]].tolist() == expected[1].tolist()


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from(["sign", "any"]))
def test_verdicts_counts_and_totals_agree(seed, rule):
    scores = counts(4, b=6, a=3, thresholds=TEN, seed=seed)
    found = pc.threshold_wins(scores, rule=rule)
    rows = found.decisions
    total = found.wins.to_numpy().sum()
    assert (rows["verdict"] != "tie").sum() == total
    if rule == "sign":
        assert (rows["p_adjusted"].le(0.05) == rows["verdict"].eq("win")).all()
        assert (rows["p_adjusted_other"].le(0.05) == rows["verdict"].eq("loss")).all()
    assert (rows["wins"] + rows["ties"] + rows["losses"]).eq(11).all()
    each = found.at_thresholds
    assert each["verdict"].ne("tie").sum() == found.grid.sum()
    assert (each["p_adjusted"].le(0.05) >= each["verdict"].ne("tie")).all()
    assert (found.totals >= found.wins.max(axis=1)).all()


def test_the_result_goes_on_to_the_sign_test_over_data_sets():
    found = pc.sign_grid(pc.threshold_wins(SCORES))
    assert found.wins.n_datasets == 6
    assert len(found.table) == 3


def renamed(scores: pc.Scores, old: str, new: str) -> pc.Scores:
    metrics = tuple(
        pc.Metric(m.name.replace(old, new), m.better) for m in scores.metrics
    )
    return dataclasses.replace(scores, metrics=metrics)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (normal(3, p=2), {}, "not named metric@threshold"),
        (renamed(SCORES, "tp@0.5", "tp"), {}, "not named metric@threshold"),
        (renamed(SCORES, "@0.5", "@half"), {}, "not named metric@threshold"),
        (renamed(SCORES, "@1", "@1.5"), {}, "must lie in"),
        (renamed(SCORES, "tp@0.5", "tp@0.55"), {}, "not measured at threshold"),
        (renamed(SCORES, "tp@0.5", "tp@0.50"), {}, None),
        (renamed(SCORES, "fp", "fpr"), {}, "needs the counts 'fp'"),
        (SCORES, {"metrics": ["tpr"]}, "unknown or named twice"),
        (SCORES, {"metrics": ["tp", "tp"]}, "unknown or named twice"),
        (SCORES, {"metrics": "tp"}, "list of names"),
        (SCORES, {"metrics": []}, "list of names"),
        (SCORES, {"method": "contrast"}, "choose one of"),
        (SCORES, {"rule": "all"}, "rule"),
        (SCORES, {"rule": "any", "threshold_adjust": "holm"}, "no sign tests"),
        (SCORES, {"threshold_adjust": "shaffer"}, "not transitive"),
        (SCORES, {"adjust": "nemenyi"}, "mean ranks"),
        (SCORES, {"alpha": 0}, "alpha"),
        (SCORES, {"alpha": 0.6}, "both of two algorithms win"),
    ],
)
def test_what_cannot_be_asked_is_refused(scores, options, message):
    if message is None:
        assert pc.threshold_wins(scores, **options).thresholds == TEN
        return
    with pytest.raises(InputError, match=message):
        pc.threshold_wins(scores, **options)


def test_missing_cells_and_one_data_set_are_refused():
    values = SCORES.values.copy()
    values[13, 1, 4] = np.nan
    gappy = dataclasses.replace(SCORES, values=values, missing="model")
    with pytest.raises(DesignError, match="data set 'd2': 1 of 36 cells"):
        pc.threshold_wins(gappy)
    with pytest.raises(DesignError, match="all blocks belong"):
        pc.threshold_wins(counts(1, thresholds=TEN))


def test_two_metrics_at_the_same_threshold_are_refused():
    doubled = renamed(SCORES, "tn@0.5", "tp@0.50")
    with pytest.raises(InputError, match="same name and threshold"):
        pc.threshold_wins(doubled)


def test_summaries_say_how_it_was_done_and_results_are_plain_json():
    found = pc.threshold_wins(SCORES)
    text = found.summary()
    assert text.startswith("Wins over 6 data sets, row beats column")
    assert "Wilks' Lambda, blocked, then Hotelling's T2, paired" in text
    assert "right-tailed sign test over 11 thresholds" in text
    assert "a win at any of 11" in pc.threshold_wins(SCORES, rule="any").summary()
    assert "A1" in text
    for result in (found, pc.sign_grid(found), pc.wins(normal(3, seed=1))):
        plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert plain
    assert json.loads(json.dumps(found.to_dict()))["wins"] == found.counts().tolist()
    assert "threshold_wins_reference" in found.r_code()


def test_strange_names_are_only_names():
    names = ["total", "<script>", "a'b\"c"]
    scores = dataclasses.replace(SCORES, algorithms=tuple(names))
    found = pc.threshold_wins(scores)
    assert found.counts().tolist() == pc.threshold_wins(SCORES).counts().tolist()
    assert list(found.to_frame().columns) == [*names, "total"]
    assert "<script>" not in found._repr_html_()
    assert pc.sign_grid(found).algorithms == tuple(names)


def test_dimensions_are_those_of_manova_at_each_threshold():
    cases = pc.example("predictions")
    counts = cases.measure(["tp", "fp", "tn", "fn"], threshold=[0.2, 0.5, 0.8])
    tests = pc.threshold_wins(counts).tests
    assert {*tests["dimension"]} >= {0, 1}
    for row in tests.itertuples():
        here = np.array(counts.datasets) == row.dataset
        part = pc.Scores(
            counts.values[here],
            tuple(np.array(counts.blocks)[here]),
            counts.algorithms,
            counts.metrics,
        )
        names = [f"{name}@{row.threshold:g}" for name in ("tp", "fp", "tn", "fn")]
        assert pc.manova(part, metrics=names).dimension == row.dimension


def test_a_threshold_at_which_nothing_is_tested_has_no_dimension():
    cases = pc.example("predictions")
    counts = cases.measure(["tp", "fp", "tn", "fn"], threshold=[0.0, 0.5])
    tests = pc.threshold_wins(counts).tests
    untested = tests["p_value"].isna()
    assert untested.any() and (tests["dimension"].isna() == untested).all()
