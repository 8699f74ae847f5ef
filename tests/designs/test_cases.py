"""Blocks are cases (items) of one test set."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.designs.cases import CaseAnalysis
from pycompare.designs.error_rates import test_rate as rate_of_test
from pycompare.reporting.comparison_report import report_of
from pycompare.reporting.evidence.data_files import SCORES, of_scores, scores_from
from pycompare.results.guarantees import BLOCKS
from tests.conftest import wide
from validation.case_study.truths import clustered, graded

pytestmark = pytest.mark.usefixtures("blank_pictures")

NAMES = list("ABCD")
CASES = pc.Plan(blocks="cases")


def table(n: int = 120, seed: int = 1, *, graded: bool = False) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 1)) + rng.normal([0, 0.1, 0.8, 1.2], 1, (n, 4))
    frame = pd.DataFrame(x if graded else (x > 0).astype(int), columns=NAMES)
    frame["text"] = [f"t{i // 10}" for i in range(n)]
    frame["half"] = np.where(np.arange(n) < n // 2, "u", "v")
    return frame


def scores(names=NAMES, graded=False, **options) -> pc.Scores:
    return pc.Scores.from_wide(
        table(graded=graded),
        metric="accuracy",
        better="higher",
        algorithms=names,
        **{"confirmed": ["impossible"], **options},
    )


def analysis(data: pc.Scores, **plan) -> CaseAnalysis:
    [found] = pc.compare(data, pc.Plan(blocks="cases", **plan)).analyses
    assert isinstance(found, CaseAnalysis)
    return found


def test_right_and_wrong_cases_have_score_tests():
    found = analysis(scores())
    own = pc.share_pairs(scores())
    assert found.decisive.table.equals(own.table)
    assert [pairs.adjust for pairs in found.pairs] == [
        "holm", "max-t", "bergmann-hommel", "bonferroni",
    ]  # fmt: skip
    assert found.omnibus.statistic == pc.cochran_q(scores()).statistic
    assert found.accuracies is not None and found.n_clusters is None
    rejected = own.table[own.table["p_adjusted"] <= 0.05]
    better = np.where(
        rejected["estimate"] > 0, rejected["algorithm_1"], rejected["algorithm_2"]
    )
    assert sorted(d.better for d in found.decisions if d.rejected) == sorted(better)


def test_clusters_have_cluster_robust_tests_and_flips_of_clusters():
    data = scores(cluster="text")
    found = analysis(data)
    own = pc.cluster_pairs(
        data, adjust="holm", alpha=0.05
    )  # 12 clusters, fewer than 20
    assert found.decisive.table.equals(own.table)
    flips = pc.max_t(data, seed=0)
    assert found.pairs[1].table.equals(flips.table)
    assert_digits(found.omnibus.p_value, flips.table["p_adjusted"].min(), at_least=15)
    assert found.accuracies is None and found.n_clusters == 12


def test_twenty_clusters_have_score_tests_at_the_effective_size():
    frame = table(200)
    data = pc.Scores.from_wide(
        frame, metric="accuracy", better="higher", algorithms=NAMES, cluster="text"
    )
    comparison = pc.compare(data, CASES)
    [found] = comparison.analyses
    assert found.decisive.table.equals(pc.share_pairs(data).table)
    assert found.decisive.n_blocks == found.n_clusters == 20
    told = " ".join(report_of(comparison.only).plan())
    assert "at the effective number of cases that their clusters leave" in told


def test_graded_scores_have_paired_t_tests():
    data = scores(graded=True)
    found = analysis(data, adjust=("holm",))
    own = pc.paired_t_pairs(data, adjust="holm", alpha=0.05)
    assert found.decisive.table.equals(own.table)
    largest = pc.max_t(data, seed=0).table["statistic"].abs().max()
    assert found.omnibus.statistic == largest


@pytest.mark.parametrize(
    ("p_values", "form"),
    [("exact", "exact"), ("mid-p", "mid-p")],
)
def test_the_plan_chooses_the_form_of_the_p_values(p_values, form):
    found = analysis(scores(), p_values=p_values)
    own = pc.mcnemar_pairs(scores(), p_value=form, adjust="holm")
    assert found.decisive.table.equals(own.table)


def test_a_control_has_no_ranks():
    found = analysis(scores(), control="B")
    assert found.cliques == ()
    own = pc.share_pairs(scores(), control="B")
    assert found.decisive.table.equals(own.table)


def test_two_algorithms_are_one_pair():
    comparison = pc.compare(scores(["A", "D"]), CASES)
    assert_digits(
        comparison.analyses[0].decisive.table["p_adjusted"][0],
        pc.share_pairs(scores(["A", "D"])).table["p_value"][0],
        at_least=14,
    )
    assert "D is significantly better than A (difference 0.342" in comparison.summary()


def test_over_forty_algorithms_have_no_bergmann_hommel():
    names = tuple(f"m{j}" for j in range(41))
    x = np.random.default_rng(1).integers(0, 2, (30, 41)).astype(float)
    frame = pd.DataFrame(x, columns=names)
    data = pc.Scores.from_wide(
        frame, metric="accuracy", better="higher", algorithms=names
    )
    assert CASES.settled(data).adjust == ("holm", "max-t", "bonferroni")


def test_subgroups_are_compared_each_by_itself():
    plan = pc.Plan(blocks="cases", family="metric", groups="each-and-all")
    comparison = pc.compare(scores(group="half"), plan)
    half = table().query("half == 'u'").drop(columns=["text", "half"])
    alone = pc.Scores.from_wide(
        half, metric="accuracy", better="higher", algorithms=NAMES
    )
    [every, part, _] = comparison.parts
    own = pc.share_pairs(alone).table
    assert part.analyses[0].decisive.table.equals(own)
    assert every.analyses[0].decisive.table.equals(pc.share_pairs(scores()).table)


def test_missing_items_are_refused_or_paired_with_their_counts():
    frame = table().astype({"A": float})
    frame.loc[[3, 5], "A"] = np.nan
    options = {"metric": "accuracy", "better": "higher", "algorithms": NAMES}
    kept = pc.Scores.from_wide(frame, missing="drop-block", **options)
    comparison = pc.compare(kept, CASES)
    assert comparison.analyses[0].n_cases == 118
    assert "2 of 120 blocks are dropped" in comparison.summary()
    gappy = pc.Scores.from_wide(frame, missing="model", **options)
    with pytest.raises(pc.PlanError, match="cases are paired"):
        pc.compare(gappy, CASES)


def test_several_runs_of_an_item_are_averaged_and_analysed():
    rng = np.random.default_rng(3)
    rows = [
        {"item": i, "model": m, "run": r, "right": int(rng.random() < 0.3 + 0.2 * k)}
        for i in range(40)
        for k, m in enumerate("ABC")
        for r in range(4)
    ]
    data = pc.Scores.from_frame(
        rows,
        algorithm="model",
        block="item",
        replicate="run",
        metrics={"right": "higher"},
    )
    found = analysis(data, replicates="keep", runs="samples")
    assert found.decisive.table.equals(pc.share_pairs(data).table)
    assert found.decisive.n_runs == 4 and len(found.runs) == 1


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ({"omnibus": "friedman"}, "omnibus: cases have one test"),
        ({"n_train": 9, "n_test": 1}, "n_train, n_test: no use with"),
        ({"protocol": "cross-validation"}, "protocol: no use with"),
        ({"average_folds": True}, "average_folds: no use with"),
        ({"together": "required"}, "together: no use with"),
        ({"decimals": 2}, "decimals: no use with"),
        ({"adjust": ("tukey",)}, "adjust: tukey: not for cases"),
        ({"adjust": ("closed-permutation",)}, "closed-permutation: not for cases"),
        ({"adjust": ("nemenyi",)}, "nemenyi: not for cases"),
        ({"compares": "means"}, "compares"),
        ({"monotone": True}, "monotone is for mean ranks"),
    ],
)
def test_what_cases_do_not_have_is_refused(plan, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.Plan(blocks="cases", **plan)


@pytest.mark.parametrize(
    ("data", "plan", "message"),
    [
        (
            scores(cluster="text"),
            pc.Plan(blocks="cases", p_values="exact"),
            "cases in clusters have",
        ),
        (
            scores(),
            pc.Plan(blocks="cases", p_values="approximate"),
            "the default, by-size, has score tests",
        ),
        (
            scores(graded=True),
            pc.Plan(blocks="cases", p_values="mid-p"),
            "graded scores have t tests",
        ),
        (
            scores(cluster="text", graded=True),
            pc.Plan(blocks="cases", margin=0.1, hypothesis="equivalence"),
            "assume independent cases",
        ),
    ],
)
def test_what_these_scores_do_not_have_is_refused(data, plan, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.compare(data, plan)


def test_mid_p_is_for_cases():
    with pytest.raises(pc.PlanError, match="is for McNemar's test of cases"):
        pc.Plan(blocks="datasets", p_values="mid-p")


def test_benchmarks_are_never_pooled():
    frame = table().rename_axis("item").reset_index()
    long = frame.melt(["item", "text", "half"], NAMES, "model", "right")
    data = pc.Scores.from_frame(
        long, algorithm="model", block="item", dataset="half",
        metrics={"right": "higher"},
    )  # fmt: skip
    with pytest.raises(pc.PlanError, match="2 data sets, whose cases are not pooled"):
        pc.compare(data, CASES)
    over = pc.compare(data, pc.Plan(blocks="datasets", average_folds=True))
    assert over.compared.n_blocks == 2


def test_predictions_are_no_scores_of_cases():
    with pytest.raises(pc.PlanError, match="is for scores of cases"):
        pc.compare(pc.example("predictions"), CASES)


def test_the_page_says_what_was_compared_and_under_what():
    part = pc.compare(scores(cluster="text"), CASES).only
    told = report_of(part)
    text = " ".join([*told.plan(), *told.scope(), *told.limits()])
    assert (
        "cluster-robust (CR2)" in text
        and "clusters of cases are assumed" in text.lower()
    )
    assert "not extend to newly trained algorithms" in text
    # All flips of twelve clusters are listed; those of 120 cases are drawn.
    assert told.uses_of_seed() == []
    drawn = report_of(pc.compare(scores(), CASES).only)
    assert drawn.uses_of_seed() == ["flips of signs"] and not drawn.depends_on_seed()


def test_report_and_results_hold_everything(tmp_path):
    comparison = pc.compare(scores(), CASES)
    pc.report(comparison, tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "on 120 cases of one test set" in page
    assert "confidence sets of ranks" in page and "Cochran" in page
    held = json.loads((tmp_path / "out" / "results.json").read_text())
    assert "rank_low" in json.dumps(held)
    tables = {p.name for p in (tmp_path / "out" / "tables").iterdir()}
    assert {"rank_sets.csv", "accuracies.csv", "discordant.csv"} <= tables


def test_the_data_of_a_report_hold_the_clusters():
    data = scores(cluster="text")
    held = of_scores(data)
    again = scores_from(held.files[SCORES], json.loads(json.dumps(held.parts)))
    assert again.clusters == data.clusters and again.sha256 == data.sha256


def test_the_command_line_compares_cases(pycompare, tmp_path):
    path = tmp_path / "items.csv"
    table().drop(columns="half").rename_axis("item").reset_index().to_csv(
        path, index=False
    )
    status, out, err = pycompare(
        "compare", path, "--wide", "--metric", "accuracy:higher", "--block", "item",
        "--cluster", "text", "--blocks", "cases", "--out", tmp_path / "out",
        *(word for name in NAMES for word in ("--algorithms", name)),
    )  # fmt: skip
    assert status == 0, err
    assert "cluster-robust t tests" in out


def test_one_pair_of_algorithms_has_no_omnibus_test_on_its_page():
    one_pair, four = (
        report_of(found.only).outcome(found.analyses[0])
        for found in (pc.compare(scores(names), CASES) for names in (NAMES[:2], NAMES))
    )
    assert one_pair.omnibus is None and four.omnibus is not None


def test_the_plan_in_words_says_how_pairs_are_compared():
    told = " ".join(report_of(pc.compare(scores(), CASES).only).plan())
    assert "score tests of the difference between their shares" in told
    plan = pc.Plan(blocks="cases", p_values="exact")
    told = " ".join(report_of(pc.compare(scores(), plan).only).plan())
    assert "the share that one of them wins is 1/2" in told


@pytest.mark.parametrize(
    ("scores", "independent"),
    [
        (graded((0.0, 0.3, 0.6), 20), "blocks are independent"),
        (clustered((0.0, 0.3, 0.6), 10), "clusters of cases are independent"),
    ],
    ids=["graded", "clusters"],
)
def test_the_test_of_all_means_has_the_error_rate_of_max_t(scores, independent):
    made = pc.compare(scores.draw(np.random.default_rng(1)), pc.Plan(blocks="cases"))
    [analysis] = made.analyses
    rate = rate_of_test(analysis.omnibus, made.plan, BLOCKS)
    assert rate.startswith("family-wise error of equal means, exact")
    assert independent in rate and "jointly symmetric" in rate


@pytest.mark.parametrize("form", ["exact", "mid-p"])
@pytest.mark.parametrize("better", ["higher", "lower"])
def test_conditional_tests_have_estimate_interval_and_sentence_of_one_quantity(
    form, better
):
    x = np.repeat([[1, 0], [0, 1], [1, 1]], [21, 4, 9], axis=0).astype(float)
    plan = pc.Plan(blocks="cases", p_values=form)
    comparison = pc.compare(wide(x, better), plan)
    [analysis] = comparison.analyses
    [fact] = report_of(comparison.only).outcome(analysis).pairs
    told = comparison.summary()
    share = 21 / 25 if better == "higher" else 4 / 25
    assert fact.estimate == pytest.approx(share) and fact.null == 0.5
    assert fact.significant and (fact.interval[0] > 0.5 or fact.interval[1] < 0.5)
    won = "won" if better == "higher" else "lost"
    assert f"share of discordant cases {won} {share:.2f}" in told
    assert analysis.decisive.estimate_name.startswith("share of the discordant cases")
    with pytest.raises(pc.InputError, match="share of discordant cases"):
        pc.compare(
            wide(x, better),
            dataclasses.replace(plan, margin=0.1, hypothesis="equivalence"),
        )
