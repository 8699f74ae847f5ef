"""Each conclusion names its quantity, unit, population and null; so does the page."""

from __future__ import annotations

import dataclasses
import json
import re
from functools import partial

import numpy as np
import pytest

import pycompare as pc
from pycompare.results.estimands import NOT_STATED, Estimand, estimand
from pycompare.results.guarantees import BASES, OMNIBUS, guarantee, guarantee_of
from pycompare.results.result import PairsResult
from tests.documents import DOCS
from tests.methods.multireader.readers import simulated
from tests.methods.multireader.test_marks import marks_of_golden
from tests.reporting.render.kinds import document_of
from tests.reporting.whole_pages import COMPARISONS, normal, positive
from validation import related_datasets as of_families
from validation import typical_differences as study
from validation.cases import BALANCED
from validation.family_wise.rows import stored

LEDGER = [*BASES, *(f"omnibus/{name}" for name in OMNIBUS)]
DESIGNED = ("quantity", "unit", "population", "null")
LARGE = partial(normal, 12, 3)


def related() -> pc.Scores:
    """Return data sets in clusters of two."""
    clusters = tuple(f"f{i // 2}" for i in range(24))
    return dataclasses.replace(normal(24, 3), clusters=clusters)


TYPICAL = "over data sets, `typical-difference`, "
COMPARED = {
    TYPICAL + "more than 10 data sets": (LARGE, {}),
    TYPICAL + "3 to 10 algorithms on at most 10 data sets": (
        partial(normal, 8, 3),
        {},
    ),
    'over data sets, `scale = "ratio"`': (partial(positive, 12, 3), {"scale": "ratio"}),
    "over data sets in clusters (families)": (related, {}),
    "over data sets, `means`": (LARGE, {"compares": "means"}),
    "over data sets, `ranks`": (LARGE, {"compares": "ranks"}),
}
PAGES = {
    "over data sets with folds, `wins`": "many_sign",
    "over data sets with folds, `model`": "many_model",
    "folds of one data set": "folds_corrected",
    "cases, right or wrong": "cases",
    'cases, right or wrong, `p_values = "exact"` or `"mid-p"`': "cases_conditional",
    "cases, graded": "cases_graded",
    "cases with prompts, trainings or judges that are sampled": "cases_of_prompts",
    'cases, `items_scope = "fixed"`': "cases_of_these_items",
    "items that people labelled in part, beside a judge": "labels",
    'cases, `ranking = "rank-then-aggregate"`': "challenge",
    "the same over tasks with `weights`": "challenge_tasks",
}


def table() -> dict[str, list[str]]:
    """Return the cells of the page, by analysis."""
    text = (DOCS / "estimands.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]
    return {name: cells for name, *cells in rows}


def of_comparison(comparison: pc.Comparison) -> Estimand:
    """Return the estimand of the first metric, which is called "the metric"."""
    made = {name: e for part in comparison.parts for name, e in part.estimands.items()}
    name, first = next(iter(made.items()))
    assert first.variable == name
    ending = re.sub(rf" of {name}\b", " of the metric", first.quantity)
    return dataclasses.replace(first, quantity=ending)


@pytest.mark.parametrize("name", [*COMPARED, *PAGES])
def test_the_table_of_the_page_has_what_the_code_says(name):
    if name in PAGES:
        scores, plan = COMPARISONS[PAGES[name]]()
    else:
        make, keys = COMPARED[name]
        scores, plan = make(), pc.Plan(blocks="datasets", **keys)
    found = of_comparison(pc.compare(scores, plan))
    assert table()[name][:4] == [getattr(found, word) for word in DESIGNED]


def test_the_table_has_curves_and_readers_as_the_code_has_them():
    rng, ill = np.random.default_rng(1), np.repeat([True, False], 40)
    scores = {name: rng.normal(ill) for name in ("first", "second")}
    curves = pc.delong(ill, scores, positive=True)
    made = {"ROC curves": curves, "readers and cases": pc.mrmc(simulated())}
    for name, found in made.items():
        told = estimand(guarantee_of(found), found.estimate_name)
        assert table()[name][:4] == [getattr(told, word) for word in DESIGNED]


def results_with_estimands() -> dict[str, pc.Result]:
    """Return a result of each function whose result has its own estimand."""
    rng, ill = np.random.default_rng(1), np.repeat([True, False], 40)
    scores = {name: rng.uniform(size=80) for name in ("first", "second")}
    tests = {name: x > 0.5 for name, x in scores.items()}
    one = scores["first"]
    bins = {"bins": "equal-width", "n_bins": 10}
    return {
        "calibration error (`pc.calibration_error`)": pc.calibration_error(
            ill, one, positive=True, **bins
        ),
        "standalone reader (`pc.standalone`)": pc.standalone(simulated(), reader="R1"),
        "diagnostic tests (`pc.diagnostic_pairs`)": pc.diagnostic_pairs(
            ill, tests, positive=True
        ),
        "net benefit (`pc.net_benefit`)": pc.net_benefit(
            ill, scores, positive=True, threshold=0.5
        ),
        "studies of one difference (`pc.synthesis`)": pc.synthesis(
            [0.1, 0.3, 0.2], std_error=[0.1, 0.2, 0.1]
        ),
        "studies of some of several methods (`pc.network_synthesis`)": (
            pc.network_synthesis(
                [0.1, 0.3, 0.2, 0.1],
                std_error=[0.1, 0.2, 0.1, 0.2],
                study=[*"abcd"],
                algorithm_1=[*"AABA"],
                algorithm_2=[*"BBCC"],
            )
        ),
        "one curve above another (`pc.curve_dominance`)": pc.curve_dominance(
            ill, scores, positive=True, resamples=19
        ),
        "binormal area (`pc.binormal_auc`)": pc.binormal_auc(ill, one, positive=True),
    }


def test_the_table_has_results_with_their_own_estimand_as_the_code_has_them():
    for name, found in results_with_estimands().items():
        assert table()[name][:4] == [getattr(found.estimand, w) for w in DESIGNED], name


def test_the_table_has_the_quantities_of_intervals_of_one_learner():
    label, fold = np.arange(60) % 3 == 0, np.arange(60) % 5
    x = np.random.default_rng(1).normal(size=(2, 60))
    covers = pc.cv_error_intervals(label * 1.0, fold).table["covers"]
    row = table()["one learner, its cross-validation (`pc.cv_error_intervals`)"]
    assert row[0] == "; ".join(
        f"{quantity} ({name})"
        for quantity, name in zip(covers, ("per case", "corrected t"), strict=True)
    )
    nested = pc.nested_cv(lambda train, test: label[test] * 1.0, n_cases=60, seed=1)
    assert table()["one learner, nested (`pc.nested_cv`)"][0] == nested.covers
    pairs = pc.cv_auc_pairs(
        label, dict(zip("ab", x, strict=True)), fold=fold, positive=True
    )
    assert pairs.covers in table()["two cross-validated AUCs (`pc.cv_auc_pairs`)"][0]


def of_the_ledger() -> dict[str, PairsResult]:
    """Return results of functions that no plan has, with a claim of the ledger."""
    return {
        "independent samples (`pc.games_howell`, `pc.welch_anova`)": pc.games_howell(
            pc.example()
        ),
        "balanced incomplete blocks (`pc.durbin_pairs`)": pc.durbin_pairs(
            BALANCED["3 of 5 in 20"]()
        ),
    }


def test_the_table_has_functions_that_no_plan_has_as_the_code_has_them():
    for name, found in of_the_ledger().items():
        quantity = found.estimate_name.replace("accuracy", "the metric")
        told = estimand(guarantee_of(found), quantity)
        assert table()[name][:4] == [getattr(told, word) for word in DESIGNED], name


def test_the_table_has_marks_as_the_code_has_them():
    found = pc.mrmc(marks_of_golden(), figure="wafroc")
    told = estimand(guarantee_of(found), found.estimate_name)
    row = table()['free-response marks (`pc.mrmc(figure="wafroc")`)']
    assert row[:4] == [getattr(told, word) for word in DESIGNED]


def test_every_row_of_the_table_is_held():
    elsewhere = {"ROC curves", "readers and cases", "battles (`pc.battles`)"}
    elsewhere.add("runs of agents (`pc.run_pairs`)")
    elsewhere |= {*results_with_estimands(), *of_the_ledger()}
    own_tests = ("one learner", "two cross-validated", "free-response")
    elsewhere |= {name for name in table() if name.startswith(own_tests)}
    assert {*table()} == {*COMPARED, *PAGES, *elsewhere}


@pytest.mark.parametrize("key", LEDGER)
def test_every_basis_of_the_ledger_has_an_estimand_of_which_nothing_is_empty(key):
    claim = guarantee(key if BASES.get(key, None) is None else f"{key}/none")
    told = estimand(claim, "a quantity")
    assert all(getattr(told, f.name) for f in dataclasses.fields(told))
    assert told.null == claim.hypotheses.name


def test_what_nobody_states_is_not_stated():
    told = of_comparison(pc.compare(LARGE(), pc.Plan(blocks="datasets")))
    unknown = {f.name for f in dataclasses.fields(told)} - {*DESIGNED, "variable"}
    assert {getattr(told, name) for name in unknown} == {NOT_STATED}


def test_readers_that_are_fixed_are_of_these_readers():
    fixed = guarantee("multireader/t/holm").limited_to(["readers"])
    told = estimand(fixed, "a quantity")
    assert (told.unit, told.population) == ("case", "cases like these, these readers")


def test_results_and_the_statistical_report_have_it():
    comparison = pc.compare(LARGE(), pc.Plan(blocks="datasets"))
    [told] = comparison.parts[0].estimands.values()
    assert comparison.to_dict()["estimands"] == {"score": dataclasses.asdict(told)}
    made = document_of(partial(pc.report, comparison), "statistical-report")
    section = next(b for b in made.blocks if "estimands" in b.title)
    rows = dict(row for b in section.blocks if hasattr(b, "rows") for row in b.rows)
    assert rows["Estimand"] == told.text
    assert "population stated: not stated" in told.text


def test_numbers_of_the_table_are_those_of_the_studies():
    last = {name: cells[-1] for name, cells in table().items()}
    rows = study.stored()

    def worst(adjust: str) -> float:
        return max(r.false for r in rows if r.adjust == adjust and not r.promised)

    [many, few, ratio, related, means, *_] = last.values()
    assert many.startswith(f"{worst('holm'):.3f} ")
    assert few.startswith(f"{worst('closed-permutation'):.3f} ")
    of_ratios = [
        r.false
        for r in rows
        if r.law.startswith("ratios, units of data sets differ: no") and r.blocks == 15
    ]
    assert f"{min(of_ratios):.3f} to {max(of_ratios):.3f}" in ratio
    found = json.loads(of_families.STORED.read_text(encoding="utf-8"))
    shared, skewed = (
        next(found[n]["clusters"] for n, law in of_families.LAWS.items() if one(law))
        for one in (
            lambda law: law.shared > 1,
            lambda law: law.effect is of_families.skewed,
        )
    )
    assert related.startswith(f"{shared:.3f} if pairs")
    assert f", {skewed:.3f} with skewed ones" in related
    broken = [
        r["error"]
        for r in stored()
        if r["guarantee"] == "means/paired-t/bergmann-hommel" and not r["promised"]
    ]
    assert means.startswith(f"{max(broken):.3f} ")
