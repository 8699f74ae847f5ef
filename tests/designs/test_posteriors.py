"""Posterior probabilities of a plan: beside the tests, or in their place."""

from __future__ import annotations

import dataclasses
import json
import shlex
from pathlib import Path

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import DesignError, InputError, PlanError
from pycompare.reporting.evidence.conclusions import conclusions
from tests.designs.plans.test_ignored_keys import grouped, table, told
from tests.methods.over_datasets.many_folds import folds_of

LOSS = ((0, 1, 2), (1, 0, 1), (2, 1, 0))
SIZES = {"n_train": 90, "n_test": 10}
FOLDS = {"blocks": "folds", "protocol": "cross-validation", **SIZES}


def posterior(scores, **keys):
    """Return what a plan adds to the analysis of the only metric."""
    [analysis] = pc.compare(scores, pc.Plan(**keys)).analyses
    return analysis.posterior


def numbers(result):
    return result.table.drop(columns=["algorithm_1", "algorithm_2"]).to_numpy(float)


@pytest.mark.parametrize(
    ("keys", "function", "options"),
    [
        ({"bayes": "sign", "prior": 2.0}, pc.bayesian_sign, {"prior": 2.0}),
        (
            {"bayes": "signed-rank", "draws": 500, "seed": 3},
            pc.bayesian_signed_rank,
            {"draws": 500, "seed": 3},
        ),
        (
            {"bayes": "signed-rank", "draws": 500, "scale": "ratio"},
            pc.bayesian_signed_rank,
            {"draws": 500, "seed": 0, "scale": "ratio"},
        ),
        ({"bayes": "bradley-terry"}, pc.bayesian_bradley_terry, {"seed": 0}),
    ],
)
def test_a_plan_gives_the_numbers_of_the_function(keys, function, options):
    scores = table(3)
    planned = posterior(scores, blocks="datasets", rope=0.05, alpha=0.1, **keys)
    alone = function(scores, rope=0.05, level=0.9, **options)
    assert np.array_equal(numbers(planned.pairs), numbers(alone))
    assert planned.decisions == ()


def test_folds_have_the_overlap_of_the_plan():
    """The credible interval is that of the corrected t test."""
    scores = table(2, b=10)
    found = posterior(scores, **FOLDS, bayes="correlated-t", rope=0.05).pairs
    assert (found.n_train, found.n_test, found.overlap) == (90, 10, 1.75)
    test = pc.paired_t(scores, **SIZES, overlap=1.75)
    [ends] = found.table[["credible_low", "credible_high"]].to_numpy()
    assert ends == pytest.approx([test.conf_low, test.conf_high], rel=1e-12)


def test_folds_of_data_sets_have_sizes_of_their_own():
    scores = folds_of([5] * 4, 2, effect=0.5, names=["a", "b"])
    sizes = dict.fromkeys(scores.datasets, 90.0)
    keys = {"blocks": "folds-of-datasets", "bayes": "hierarchical", "rope": 0.01}
    planned = posterior(scores, **keys, n_train=sizes, n_test=10, seed=2)
    whole = pc.bayesian_hierarchical(scores, rope=0.01, **SIZES, seed=2)
    turned = planned.pairs.table["algorithm_1"][0] != whole.table["algorithm_1"][0]
    assert planned.pairs.n_train == sizes and not turned
    assert np.array_equal(numbers(planned.pairs), numbers(whole))
    with pytest.raises(InputError, match="one for each data set: 'd1'"):
        pc.bayesian_hierarchical(scores, rope=0.01, n_train={"x": 9}, n_test=10)


def test_ratios_are_differences_of_logarithms():
    scores = table(3)
    logs = dataclasses.replace(scores, values=np.log(scores.values))
    ratios = pc.bayesian_sign(scores, rope=0.25, scale="ratio")
    differences = pc.bayesian_sign(logs, rope=np.log(1.25))
    assert numbers(ratios) == pytest.approx(numbers(differences), rel=1e-12)
    with pytest.raises(InputError, match="needs positive scores"):
        pc.bayesian_sign(logs, rope=0.25, scale="ratio")


@pytest.mark.parametrize(
    ("rule", "answers"),
    [
        ({"decide_at": 0.999}, lambda found: found.decisions(at=0.999)),
        ({"rope_loss": LOSS}, lambda found: found.least_loss(LOSS)),
    ],
)
def test_pairs_are_decided_as_declared(rule, answers):
    planned = posterior(table(3), blocks="datasets", bayes="sign", rope=0.05, **rule)
    assert planned.answers == answers(planned.pairs)


def test_a_changed_answer_is_a_changed_conclusion():
    """Whichever algorithm of a pair is the first."""
    plan = pc.Plan(blocks="datasets", bayes="sign", rope=0.05, decide_at=0.9)
    scores, held = table(3), []
    for names in (["a", "b", "c"], ["c", "b", "a"]):
        found = pc.compare(scores.select(algorithms=names), plan)
        held.append(conclusions(found.to_dict(), 0.05, turned=True))
    posterior_facts = {k: v for k, v in held[0].items() if "posterior" in k}
    assert "a better" in posterior_facts.values()
    assert held[0] == held[1]
    strict = pc.compare(scores, dataclasses.replace(plan, decide_at=0.9999999))
    changed = conclusions(strict.to_dict(), 0.05, turned=True)
    assert {changed[k] for k in posterior_facts} == {"undecided"}


def test_tests_do_not_depend_on_what_stands_beside_them():
    scores = table(3)
    keys = {"blocks": "datasets", "compares": "ranks"}
    alone = pc.compare(scores, pc.Plan(**keys))
    beside = pc.compare(
        scores, pc.Plan(**keys, bayes="signed-rank", draws=400, rope=0.1)
    )
    [analysis] = beside.analyses
    without = dataclasses.replace(analysis, posterior=None)
    assert json.dumps(without.to_dict(), default=str) == json.dumps(
        alone.analyses[0].to_dict(), default=str
    )


def test_the_better_of_two_algorithms_is_first():
    scores = table(2).select(algorithms=["b", "a"])
    planned = posterior(scores, blocks="datasets", bayes="sign", rope=0.0)
    [row] = planned.pairs.row_labels()
    assert row == ("a", "b")
    assert planned.pairs.probabilities()[0, 0] > 0.5


def test_in_place_of_tests_there_is_no_p_value():
    keys = {"blocks": "datasets", "bayes": "sign", "rope": 0.05, "compares": "bayes"}
    comparison = pc.compare(table(3), pc.Plan(**keys, decide_at=0.6))
    text = comparison.summary()
    assert "With a posterior probability of 0.6 or more, " in text
    assert "Prior: one observation of weight 1 with no difference" in text
    assert "p =" not in text and "alpha" not in text and "significant" not in text
    assert "p_value" not in told(comparison)


BAYES = {"blocks": "datasets", "compares": "bayes"}


@pytest.mark.parametrize("bayes", ["sign", "signed-rank", "bradley-terry"])
@pytest.mark.parametrize("rope", [0.0, 0.05])
@pytest.mark.parametrize("rule", [{}, {"decide_at": 0.6}])
def test_the_words_are_those_of_the_event(bayes, rope, rule):
    """Who wins more often is not who is practically better: most data sets can tie."""
    draws = {} if bayes == "sign" else {"draws": 2000}
    plan = pc.Plan(**BAYES, bayes=bayes, rope=rope, **draws, **rule)
    text = pc.compare(table(3), plan).summary()
    assert ("No pair is classified, because" in text) == (not rule)
    assert ("No region of equivalence (rope = 0)." in text) == (rope == 0)
    assert "Ties: no difference" not in text
    if bayes == "bradley-terry":
        assert "better than" not in text and "wins more often than" in text
        assert ("differ by more than 0.05" in text) == (rope > 0)
        return
    assert ("practically" in text) == (rope > 0)
    assert rule or ("worse with probability" in text)
    middle = "equivalent within 0.05, " * (rope > 0)
    what = "data sets" if bayes == "sign" else "means of two differences"
    region = f"the region (first better, {middle}second better)"
    assert f"Each probability is that of {region} that contains most {what}." in text


@pytest.mark.parametrize("bayes", ["sign", "signed-rank"])
def test_a_prior_that_outweighs_the_data_is_stated(bayes):
    draws = {} if bayes == "sign" else {"draws": 2000}
    plan = pc.Plan(**BAYES, bayes=bayes, rope=0.02, decide_at=0.9, **draws)
    for prior, heavy in ((12.0, False), (1e9, True)):
        comparison = pc.compare(table(3), dataclasses.replace(plan, prior=prior))
        [analysis] = comparison.analyses
        assert bool(analysis.posterior.pairs.notes) == heavy
        text = comparison.summary()
        assert ("The weight of the prior exceeds the number of data" in text) == heavy
    assert "these pairs are practically equivalent: a–b, a–c, b–c." in text


@pytest.mark.parametrize("rule", [{}, {"decide_at": 0.8}])
def test_identical_folds_are_the_first_sentence(rule):
    scores = table(3, b=10)
    values = scores.values.copy()
    values[:, 1] = values[:, 0] + 0.25
    keys = {**FOLDS, "bayes": "correlated-t", "rope": 0.01, "compares": "bayes", **rule}
    start = "error (lower is better): No probability is available for "
    why = ", because the difference is the same in every fold."
    for held, which in ((values, "a–b"), (values[[0] * 10], "any of the 3 pairs")):
        same = dataclasses.replace(scores, values=held)
        comparison = pc.compare(same, pc.Plan(**keys))
        text = comparison.summary()
        assert text.startswith(start + which + why)
        assert ("practically better than c" in text) == (which == "a–b")
        assert "within ±0.01, or above 0.01." in text


def test_the_documented_command_runs(pycompare, tmp_path, monkeypatch):
    page = Path(__file__).parents[2] / "docs" / "methods" / "posteriors.md"
    commands = page.read_text().partition("```sh\n")[2].partition("```")[0]
    monkeypatch.chdir(tmp_path)
    for line in commands.replace("\\\n", "").splitlines():
        name, *words = shlex.split(line)
        assert name == "pycompare"
        status, text, problem = pycompare(*words)
        assert (status, problem.count("error")) == (0, 0)
    assert "With a posterior probability of 0.95 or more, " in text


def test_groups_have_no_family_and_no_significance():
    scores, _ = grouped(3)
    keys = {**BAYES, "bayes": "sign", "rope": 0.05}
    comparison = pc.compare(scores, pc.Plan(**keys))
    assert comparison.plan.family == "metric"
    with pytest.raises(PlanError, match="has posterior probabilities in their place"):
        pc.compare(scores, pc.Plan(**keys, family="all"))
    text = comparison.summary()
    assert "No probability here compares groups." in text
    assert "significant" not in text and "No test" not in text
    with pytest.raises(PlanError, match="set family='metric'"):
        pc.compare(scores, pc.Plan(blocks="datasets", bayes="sign", rope=0.05))


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"assumes": "symmetry"}, "assumes='symmetry' is of tests"),
        ({"runs": "samples"}, "runs='samples' defines the runs of cases"),
        ({"groups": "all"}, "groups='all' is for cases of one benchmark"),
    ],
)
@pytest.mark.parametrize("in_groups", [False, True])
def test_keys_that_posteriors_do_not_have_are_rejected(keys, said, in_groups):
    scores = grouped(3)[0] if in_groups else table(3)
    plan = pc.Plan(**BAYES, bayes="sign", rope=0.05, **keys)
    with pytest.raises(PlanError, match=said):
        pc.compare(scores, plan)


def test_each_metric_has_its_region():
    scores = pc.example("folds")
    names = [metric.name for metric in scores.metrics]
    keys = {**FOLDS, "n_train": 216, "n_test": 24, "bayes": "correlated-t"}
    rope = {name: 0.01 * (1 + at) for at, name in enumerate(names)}
    found = pc.compare(scores, pc.Plan(**keys, rope=rope, compares="bayes"))
    assert [a.posterior.pairs.rope for a in found.analyses] == list(rope.values())
    with pytest.raises(PlanError, match="a rope is in its metric's unit"):
        pc.compare(scores, pc.Plan(**keys, rope=0.01))
    with pytest.raises(PlanError, match=f"rope: '{names[1]}' has none"):
        pc.compare(scores, pc.Plan(**keys, rope={names[0]: 0.1}))


SIGN = {"bayes": "sign", "rope": 0.1}
REFUSED = {
    "has no default: give rope": {"bayes": "sign"},
    r"rope=0\.1 is of posterior probabilities: give bayes": {"rope": 0.1},
    "compares='bayes' needs the posterior": {"compares": "bayes"},
    "its probabilities are exact": {**SIGN, "draws": 500},
    "its prior distribution has no weight": {
        "bayes": "bradley-terry",
        "rope": 0.1,
        "prior": 2,
    },
    "give decide_at or rope_loss, not both": {
        **SIGN,
        "decide_at": 0.9,
        "rope_loss": LOSS,
    },
    "a probability above 0.5": {**SIGN, "decide_at": 0.5},
    "a right answer has the loss 0": {**SIGN, "rope_loss": ((1, 1, 1),) * 3},
    "is not for cases: leave it out": {**SIGN, "blocks": "cases"},
    "is not for folds of one data set: bayes='correlated-t'": {
        **SIGN,
        "blocks": "folds",
    },
    "needs the correlation of folds": {
        "bayes": "correlated-t",
        "rope": 0.1,
        "blocks": "folds",
    },
    "a model of mean differences": {
        "bayes": "hierarchical",
        "rope": 0.1,
        "blocks": "folds-of-datasets",
        "scale": "ratio",
        **SIZES,
    },
    "has posterior probabilities in their place": {
        **SIGN,
        "compares": "bayes",
        "blocks": "datasets",
        "alpha": 0.1,
    },
}


@pytest.mark.parametrize("said", REFUSED)
def test_a_plan_without_sense_is_rejected(said):
    with pytest.raises(PlanError, match=said):
        pc.compare(table(3), pc.Plan(**REFUSED[said]))


def test_tables_with_gaps_and_clusters_are_rejected():
    scores = table(3)
    values = scores.values.copy()
    values[0, 0] = np.nan
    keys = {"blocks": "datasets", **SIGN}
    with pytest.raises(PlanError, match="cells of 'error' are missing"):
        pc.compare(
            dataclasses.replace(scores, values=values, missing="model"), pc.Plan(**keys)
        )
    clusters = tuple(f"f{i // 2}" for i in range(24))
    with pytest.raises(PlanError, match="these are in clusters"):
        pc.compare(table(3, b=24, clusters=clusters), pc.Plan(**keys))
    with pytest.raises(DesignError, match="needs 3 data sets or more"):
        posterior(
            folds_of([5] * 2, 2, effect=0.5, names=["a", "b"]),
            blocks="folds-of-datasets",
            bayes="hierarchical",
            rope=0.01,
            **SIZES,
        )
