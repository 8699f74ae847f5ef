"""Several benchmarks with declared weights: plan, analysis and page."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.designs.cases import CaseAnalysis
from pycompare.designs.error_rates import error_rate
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.reporting.comparison_report import ComparisonReport, report_of
from pycompare.results.guarantees import BLOCKS

pytestmark = pytest.mark.usefixtures("blank_pictures")

NAMES = list("ABC")
WEIGHTS = {"law": 2.0, "maths": 1.0, "weight": 1.0}


def table(graded: bool = False) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    task = np.repeat(["law", "maths", "weight"], [30, 50, 20])
    x = rng.normal(size=(100, 1)) + rng.normal([1.2, 0, 0.1], 1, (100, 3))
    frame = pd.DataFrame(x if graded else (x > 0).astype(int), columns=NAMES)
    text = [f"{name}{i // 5}" for i, name in enumerate(task)]
    return frame.assign(task=task, text=text)


def scores(names=NAMES, graded=False, **options) -> pc.Scores:
    how = {"group": "task", "algorithms": names} | options
    return pc.Scores.from_wide(table(graded), metric="accuracy", better="higher", **how)


def items() -> pd.DataFrame:
    return table().rename_axis("item").reset_index()


def plan(**options) -> pc.Plan:
    return pc.Plan(**({"family": "metric", "weights": WEIGHTS} | options))


@pytest.fixture(scope="module")
def comparison() -> pc.Comparison:
    return pc.compare(scores(), plan(blocks="cases"))


def whole(comparison: pc.Comparison) -> CaseAnalysis:
    [found] = comparison.part(None).analyses
    assert isinstance(found, CaseAnalysis)
    return found


# ---- the analysis --------------------------------------------------------------------


def test_each_benchmark_is_compared_by_itself_and_all_by_their_weights(comparison):
    assert [part.group for part in comparison.parts] == [None, "law", "maths", "weight"]
    found = whole(comparison)
    own = pc.weighted_pairs(scores(), weights=WEIGHTS, alpha=0.05)
    assert found.decisive.table.equals(own.table)
    flips = pc.max_t(scores(), weights=WEIGHTS, seed=0)
    assert found.pairs[1].table.equals(flips.table)
    assert found.omnibus.p_value == flips.table["p_adjusted"].min()
    law = comparison.part("law").analyses[0]
    shares = pc.share_pairs(scores().of_group("law"))
    assert law.decisive.table.equals(shares.table) and law.weighted is None


def test_other_populations_are_sensitivity_analyses(comparison):
    whole_of_all = whole(comparison)
    options = {"adjust": "holm", "alpha": 0.05}
    together = dataclasses.replace(scores(), groups=None)
    every = {
        "Declared weights": pc.weighted_pairs(scores(), weights=WEIGHTS, **options),
        "Cases independent": pc.share_pairs(together, **options),
        "Equal weights": pc.weighted_pairs(scores(), weights="equal", **options),
    }
    assert whole_of_all.benchmark is not None
    *computed, of_groups = whole_of_all.benchmark.answers
    assert [answer.name for answer in computed] == list(every)
    for answer in computed:
        assert answer.pairs.table.equals(every[answer.name].table), answer.name
    assert "3 groups are too few" in of_groups.reason
    means = pc.weighted_means(scores(), weights=WEIGHTS)
    assert whole_of_all.weighted.table.equals(means.table)


@pytest.mark.parametrize(
    ("rule", "same", "names"),
    [
        (
            "equal",
            {"law": 7, "maths": 7, "weight": 7},
            ["Equal weights", "Cases independent", "Groups as clusters"],
        ),
        (
            "cases",
            {"law": 30, "maths": 50, "weight": 20},
            [
                "Weights by cases", "Cases independent", "Equal weights",
                "Groups as clusters",
            ],
        ),
    ],
)  # fmt: skip
def test_a_rule_is_the_weights_that_it_stands_for(rule, same, names):
    options = {"blocks": "cases", "adjust": ("holm", "max-t")}
    by_rule = whole(pc.compare(scores(), plan(**options, weights=rule)))
    by_hand = whole(pc.compare(scores(), plan(**options, weights=same)))
    for got, wanted in zip(by_rule.pairs, by_hand.pairs, strict=True):
        assert got.table.equals(wanted.table)
    assert [answer.name for answer in by_rule.benchmark.answers] == names
    assert by_rule.weighted.table.equals(by_hand.weighted.table)
    assert pc.Plan.from_toml(plan(**options, weights=rule).to_toml()).weights == rule


def test_the_weights_of_cases_are_the_mean_of_all_cases():
    found = pc.weighted_means(scores(cluster="text"), weights="cases").table
    every = [table()[name].mean() for name in NAMES]
    assert found["estimate"].tolist() == pytest.approx(every, rel=1e-14)


def test_other_weights_are_not_compared_with_a_larger_family():
    made = pc.compare(scores(), plan(blocks="cases", family="all", adjust=("holm",)))
    found = whole(made)
    assert not list(report_of(made.part(None)).alternatives(found))
    assert found.benchmark is not None and found.joint
    assert found.benchmark.answers[0].pairs is found.decisive


def test_clusters_are_those_within_benchmarks():
    made = pc.compare(scores(cluster="text"), plan(blocks="cases", adjust=("holm",)))
    own = pc.weighted_pairs(scores(cluster="text"), weights=WEIGHTS, alpha=0.05)
    assert whole(made).decisive.table.equals(own.table)
    rate = error_rate(whole(made).decisive, made.plan, BLOCKS).stated(0.05)
    assert "clusters of cases are independent" in rate


def test_one_pair_against_a_control_in_one_family():
    made = pc.compare(
        scores(), plan(blocks="cases", family="all", control="A", adjust=("holm",))
    )
    [family] = made.families
    assert len(family.table) == 8 and family.table["group"].isna().sum() == 2
    own = whole(made)
    assert own.decisive.adjusted_here is False and own.weighted is not None
    two = pc.compare(scores(["A", "B"]), plan(blocks="cases"))
    expected = pc.weighted_pairs(scores(["A", "B"]), weights=WEIGHTS).table
    assert whole(two).decisive.table["p_value"].equals(expected["p_value"])


@pytest.mark.parametrize("cluster", [None, "text"])
@pytest.mark.parametrize("control", [None, "A"])
def test_its_error_rate_is_that_of_weighted_means(cluster, control):
    options = {} if cluster is None else {"cluster": cluster}
    made = pc.compare(scores(**options), plan(blocks="cases", control=control))
    for pairs in whole(made).pairs:
        rate = error_rate(pairs, made.plan, BLOCKS)
        assert rate.claimed and rate.error == "family-wise"
        assert rate.hypotheses.name == "equal weighted means"


# ---- the plan ------------------------------------------------------------------------


def test_a_plan_with_weights_compares_all_groups_and_is_written_back():
    made = plan(blocks="cases")
    assert made.groups == "each-and-all" and made.weights == WEIGHTS
    assert "weights = { law = 2.0, maths = 1.0, weight = 1.0 }" in made.to_toml()
    assert pc.Plan.from_toml(made.to_toml()) == made


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"blocks": "datasets"}, "weights are of benchmarks whose cases"),
        ({"blocks": "cases", "margin": 0.1}, "margin: not available with weights"),
        ({"blocks": "cases", "replicates": "keep"}, "replicates='keep': not available"),
        (
            {"weights": 0.5},
            "weights=0.5: give a table with one positive number for each",
        ),
        (
            {"weights": "equl"},
            "weights='equl': give a table .*did you mean 'equal'",
        ),
        ({"weights": {}}, "weights=.*the table is empty"),
        ({"weights": {"law": 1, "maths": 0}}, "'maths' has 0; give one positive"),
        ({"weights": {"law": float("inf")}}, "'law' has inf"),
        ({"weights": {"law": "1"}}, "'law' has '1'"),
    ],
)
def test_weights_that_no_data_could_make_right_are_refused(options, message):
    with pytest.raises(pc.PlanError, match=message):
        plan(**options)


@pytest.mark.parametrize(
    ("groups", "options", "message"),
    [
        ("task", {"weights": {"law": 1, "maths": 1}}, "1 of 3 groups have no weight"),
        ("task", {"weights": WEIGHTS | {"mathz": 1}}, "no group 'mathz'.*'maths'"),
        (None, {"family": None}, "weights are of two benchmarks or more"),
        ("one", {}, r"two benchmarks or more.*there is one"),
        ("task", {"blocks": "by-columns"}, r"set blocks='cases'"),
    ],
)
def test_weights_that_are_not_of_these_data_are_refused(groups, options, message):
    frame = table().assign(one="only")
    how = {} if groups is None else {"group": groups}
    data = pc.Scores.from_wide(
        frame, metric="accuracy", better="higher", algorithms=NAMES, **how
    )
    with pytest.raises(pc.PlanError, match=message):
        pc.compare(data, plan(**({"blocks": "cases"} | options)))


def test_a_plan_file_names_the_line_of_wrong_weights(tmp_path):
    items().to_csv(tmp_path / "items.csv", index=False)
    text = (
        '[data]\nfile = "items.csv"\nformat = "wide"\nblock = "item"\ngroup = "task"\n'
        'cluster = "text"\n[metrics]\naccuracy = "higher"\n[plan]\nblocks = "cases"\n'
        'family = "metric"\nweights = { law = 2, maths = 1, weight = 1 }\n'
    )
    (tmp_path / "plan.toml").write_text(text)
    read = pc.read_plan(tmp_path / "plan.toml")
    assert read.plan.weights == WEIGHTS
    made = pc.compare(read.read_scores(), read)
    own = pc.weighted_pairs(scores(cluster="text"), weights=WEIGHTS, alpha=0.05)
    assert whole(made).decisive.table.equals(own.table)
    with pytest.raises(pc.PlanError, match=r"line 12.*'maths' has -1"):
        PlanFile(content=text.replace("maths = 1", "maths = -1").encode())


def test_the_command_line_takes_one_option_a_benchmark(pycompare, tmp_path):
    items().drop(columns="text").to_csv(tmp_path / "items.csv", index=False)
    words = [
        "compare", tmp_path / "items.csv", "--wide", "--metric", "accuracy:higher",
        "--block", "item", "--group", "task", "--blocks", "cases",
        "--family", "metric", "--out", tmp_path / "out",
        *("--weights", "law=2", "--weights", "maths=1"),
        *(word for name in NAMES for word in ("--algorithms", name)),
    ]  # fmt: skip
    status, _, err = pycompare(*words)
    assert status == 2 and "1 of 3 groups have no weight, first 'weight'" in err
    status, out, err = pycompare(*words, "--weights", "weight=1")
    assert status == 0, err
    assert "weighted as declared" in out and "A is significantly better" in out
    rule = words[: words.index("--weights")] + words[words.index("maths=1") + 1 :]
    status, out, err = pycompare(*rule, "--weights", "cases", "--overwrite")
    assert status == 0, err
    assert "weighted as declared by their numbers of cases (law 0.300" in out
    status, _, err = pycompare(*rule, "--weights", "cases", "--weights", "law=1")
    assert status == 2 and "give equal, cases, or NAME=NUMBER" in err


# ---- the page ------------------------------------------------------------------------


def test_the_page_says_which_weights_and_that_benchmarks_are_fixed(comparison):
    told = ComparisonReport(comparison)
    [scope, *_] = told.scope()
    assert scope == (
        "All groups together: The conclusions concern these algorithms as they are, on "
        "cases like these from these 3 benchmarks, weighted as declared (law 0.500, "
        "maths 0.250, weight 0.250). The benchmarks are fixed, not sampled: the "
        "conclusions do not extend to other benchmarks or other weights."
    )
    text = " ".join(told.plan())
    assert "cases of different benchmarks are not pooled" in text
    assert "Cases are in 3 groups" in text and "Means over all groups" in text
    assert "A is significantly better than each" in " ".join(told.conclusions())


def test_the_report_has_means_benchmarks_and_other_weights(comparison, tmp_path):
    pc.report(comparison, tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "The same cases for other populations" in page
    assert "cases of 3 groups" in page
    assert page.index("All groups together") < page.index("Group law")
    tables = tmp_path / "out" / "tables"
    means = pd.read_csv(tables / "all_groups_weighted_means.csv")
    own = pc.weighted_means(scores(), weights=WEIGHTS).table
    pd.testing.assert_frame_equal(means, own)
    other = pd.read_csv(tables / "all_groups_benchmark.csv")
    assert other["answer"].tolist()[::3] == [
        "Declared weights", "Cases independent", "Equal weights", "Groups as clusters",
    ]  # fmt: skip
    each = pd.read_csv(tables / "all_groups_group_means.csv")
    rows = each.set_index(["group", "algorithm"])["estimate"]
    x = table()
    assert rows["maths", "B"] == x.loc[x["task"] == "maths", "B"].mean()
    figures = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    assert "all_groups_differences.svg" in figures
    assert not any("all_groups_win" in name for name in figures)
    program = (tmp_path / "out" / "reproduce.R").read_text(encoding="utf-8")
    assert "weighted_pairs_reference" in program
    assert "weighted_means_reference" in program
    held = json.loads((tmp_path / "out" / "results.json").read_text())
    first = held["groups"][0]["analyses"][0]["weighted"]
    assert first["benchmarks"][0]["weight"] == 0.5
