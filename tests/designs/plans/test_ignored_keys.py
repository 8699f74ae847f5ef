"""Every key of a plan with every design: it is refused, or it changes the results."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.errors import PyCompareError
from pycompare.designs.plans.keys import keys_of
from pycompare.designs.plans.statements import ESTIMAND, MARGIN
from tests.designs.test_shared_test_set import trained
from tests.judged import drawn
from tests.judged import scores_of as judged_scores
from tests.many_predictions import predictions
from tests.runs import runs_of, simulated, unequal_runs

NAMES = ("a", "b", "c")
Made = tuple[Any, dict[str, Any]]
"""Scores or predictions, and what a plan for them must say."""


def table(n_algorithms: int, *, datasets=None, b=12, seed=3, **more: Any) -> pc.Scores:
    """Return errors of some algorithms on twelve blocks, one of them clearly best."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(b, 1)) + 0.7 * rng.normal(size=(b, n_algorithms))
    values += 0.9 * np.arange(n_algorithms)
    return pc.Scores(
        values=np.exp(values / 4)[:, :, None],
        blocks=tuple(f"b{i}" for i in range(b)),
        algorithms=NAMES[:n_algorithms],
        metrics=(pc.Metric("error", "lower"),),
        datasets=datasets,
        **more,
    )


def counts(k: int) -> Made:
    """Return counts of errors on data sets, which costs weigh."""
    rng = np.random.default_rng(1)
    values = rng.poisson([8, 15, 30][:k], (12, k))
    both = np.stack([values, rng.poisson(12, (12, k))], axis=2).astype(float)
    metrics = (pc.Metric("fp", "lower"), pc.Metric("fn", "lower"))
    blocks = tuple(f"b{i}" for i in range(12))
    return (
        pc.Scores(values=both, blocks=blocks, algorithms=NAMES[:k], metrics=metrics),
        {"blocks": "datasets"},
    )


def answers(k: int, *, graded=False, runs=0, clusters=False, lacking=0) -> Made:
    """Return items of one test set, right or wrong or graded."""
    rng = np.random.default_rng(2)
    shape = (60, k) + ((runs,) if runs else ())
    hard = rng.normal(size=(60,) + (1,) * (len(shape) - 1))
    skill = np.array([0.0, 0.8, 1.6])[:k].reshape((k,) + (1,) * (len(shape) - 2))
    x = hard + rng.normal(size=shape) + skill
    x = np.round(1 / (1 + np.exp(-x)), 2) if graded else (x > 0.5).astype(float)
    frame = pd.DataFrame(
        {"item": f"q{at[0]}", "model": NAMES[at[1]], "score": x[at]}
        | ({"run": f"r{at[2]}"} if runs else {})
        | ({"doc": f"d{at[0] // 3}"} if clusters else {})
        for at in np.ndindex(*shape)
        if not lacking or at[-1] == 0 or sum(at) % lacking
    )
    roles = {"replicate": "run"} if runs else {}
    roles |= {"cluster": "doc"} if clusters else {}
    made = pc.Scores.from_frame(
        frame, algorithm="model", block="item", metrics={"score": "higher"}, **roles
    )
    return made, {"blocks": "cases"}


def challenge(given: dict[str, Any], k: int) -> Made:
    """Return graded items with some ties, whose algorithms are ranked."""
    made, plan = answers(k, graded=True)
    values = np.round(made.values, 1)
    return dataclasses.replace(made, values=values), plan | given


def benchmarks(k: int) -> Made:
    """Return items of two benchmarks, of which one has more of them."""
    made, given = answers(k, graded=True)
    groups = ("law",) * 20 + ("maths",) * 40
    return dataclasses.replace(made, groups=groups), given | {"family": "metric"}


def grouped(k: int) -> Made:
    """Return data sets in two groups."""
    groups = ("text",) * 6 + ("image",) * 6
    return table(k, groups=groups), {"blocks": "datasets", "family": "metric"}


def shared(k: int, **more: Any) -> Made:
    """Return training sets of one test set."""
    return trained(t=k, r=5, n=40), {"metrics": ("auc",), **more}


DESIGNS: dict[str, Callable[[int], Made]] = {
    "data sets": lambda k: (table(k), {"blocks": "datasets"}),
    "data sets, means": lambda k: (
        table(k),
        {"blocks": "datasets", "compares": "means"},
    ),
    "data sets, ranks": lambda k: (
        table(k),
        {"blocks": "datasets", "compares": "ranks"},
    ),
    "data sets, counts": counts,
    "data sets in clusters": lambda k: (
        table(k, b=24, clusters=tuple(f"f{i // 2}" for i in range(24))),
        {"blocks": "datasets"},
    ),
    "groups": grouped,
    "data sets, runs": lambda k: (
        runs_of(simulated(10, k)),
        {"blocks": "datasets", "replicates": "average"},
    ),
    "data sets, unequal runs": lambda k: (
        unequal_runs(simulated(10, k)),
        {"blocks": "datasets", "replicates": "average"},
    ),
    "folds": lambda k: (
        table(k, b=10),
        {"blocks": "folds", "protocol": "held-out"},
    ),
    "data sets, posterior": lambda k: (
        table(k),
        {"blocks": "datasets", "bayes": "sign", "rope": 0.05},
    ),
    "data sets, posterior alone": lambda k: (
        table(k),
        {"blocks": "datasets", "bayes": "sign", "rope": 0.05, "compares": "bayes"},
    ),
    "groups, posterior alone": lambda k: (
        grouped(k)[0],
        {"blocks": "datasets", "bayes": "sign", "rope": 0.05, "compares": "bayes"},
    ),
    "folds, posterior alone": lambda k: (
        table(k, b=10),
        {
            "blocks": "folds",
            "n_train": 90,
            "n_test": 10,
            "bayes": "correlated-t",
            "rope": 0.05,
            "compares": "bayes",
        },
    ),
    "folds of data sets, posterior alone": lambda k: (
        table(k, b=30, datasets=tuple(f"d{i // 5}" for i in range(30))),
        {
            "blocks": "folds-of-datasets",
            "bayes": "sign",
            "rope": 0.05,
            "compares": "bayes",
        },
    ),
    "folds, estimates": lambda k: (table(k, b=10), {"blocks": "folds"}),
    "folds, corrected": lambda k: (
        table(k, b=10),
        {
            "blocks": "folds",
            "protocol": "cross-validation",
            "n_train": 90,
            "n_test": 10,
        },
    ),
    "folds, published overlap term": lambda k: (
        table(k, b=10),
        {"blocks": "folds", "n_train": 90, "n_test": 10, "overlap": 1},
    ),
    "data sets, aggregates of runs": lambda k: (
        runs_of(simulated(10, k)),
        {
            "blocks": "datasets",
            "replicates": "average",
            "run_aggregates": "as-measured",
        },
    ),
    "folds, runs": lambda k: (
        runs_of(simulated(10, k)),
        {"blocks": "folds", "protocol": "held-out", "replicates": "average"},
    ),
    "folds of data sets": lambda k: (
        table(k, b=30, datasets=tuple(f"d{i // 5}" for i in range(30))),
        {"blocks": "folds-of-datasets"},
    ),
    "folds of data sets, wins": lambda k: (
        table(k, b=30, datasets=tuple(f"d{i // 5}" for i in range(30))),
        {"blocks": "folds-of-datasets", "compares": "wins"},
    ),
    "folds of data sets, model": lambda k: (
        table(k, b=30, datasets=tuple(f"d{i // 5}" for i in range(30))),
        {
            "blocks": "folds-of-datasets",
            "compares": "model",
            "protocol": "held-out",
        },
    ),
    "cases, right or wrong": answers,
    "cases, graded": lambda k: answers(k, graded=True),
    "cases in clusters": lambda k: answers(k, graded=True, clusters=True),
    "cases in groups": benchmarks,
    "cases, samples": lambda k: (
        answers(k, runs=3)[0],
        {"blocks": "cases", "runs": "samples", "replicates": "average"},
    ),
    "cases, unequal samples": lambda k: (
        answers(k, runs=3, lacking=4)[0],
        {"blocks": "cases", "runs": "samples", "replicates": "average"},
    ),
    "cases, prompts": lambda k: (
        answers(k, runs=4)[0],
        {
            "blocks": "cases",
            "runs": "prompts",
            "runs_scope": "sampled",
            "replicates": "average",
        },
    ),
    **{
        f"challenge, {title}": partial(challenge, given)
        for title, given in (
            ("mean ranks", {"ranking": "rank-then-aggregate"}),
            ("mean scores", {"ranking": "aggregate-then-rank"}),
            ("tests", {"ranking": "test-then-rank"}),
            ("medians", {"ranking": "aggregate-then-rank", "aggregate": "median"}),
        )
    },
    "labels beside a judge": lambda k: (
        judged_scores(drawn(models=k, items=300, labelled=90)),
        {"labels": "random"},
    ),
    "predictions, one threshold": lambda k: (
        predictions(names=NAMES[:k]),
        {"metrics": ("error",), "thresholds": (0.5,), "compares": "means"},
    ),
    "predictions, AUC of folds": lambda k: (
        predictions(names=NAMES[:k], n_datasets=1, dataset=None),
        {"metrics": ("auc",), "blocks": "folds", "protocol": "held-out"},
    ),
    "predictions, several thresholds": lambda k: (
        predictions(names=NAMES[:k]),
        {"metrics": ("tp", "fp"), "thresholds": (0.1, 0.3, 0.5, 0.7, 0.9)},
    ),
    "predictions, joined thresholds": lambda k: (
        predictions(names=NAMES[:k], n_datasets=1, dataset=None),
        {
            **{"metrics": ("tp", "fp"), "thresholds": (0.3, 0.7)},
            **{"thresholds_joined": True, "blocks": "folds", "protocol": "disjoint"},
        },
    ),
    "one test set, these classifiers": lambda k: shared(k, generalise="cases"),
    "one test set, both": lambda k: shared(k, generalise="both", protocol="disjoint"),
    "one test set, training sets": lambda k: shared(
        k, generalise="training-sets", protocol="disjoint"
    ),
}
VALUES: dict[str, tuple[Any, ...]] = {
    "alpha": (0.2,),
    "blocks": ("datasets", "folds", "folds-of-datasets", "cases"),
    "compares": ("typical-difference", "means", "ranks", "wins", "model", "bayes"),
    "bayes": ("sign", "signed-rank", "correlated-t", "hierarchical", "bradley-terry"),
    "rope": (0.2,),
    "prior": (3.0,),
    "draws": (500,),
    "decide_at": (0.7,),
    "rope_loss": (((0, 1, 2), (1, 0, 1), (2, 1, 0)),),
    "assumes": ("symmetry", "exchangeability"),
    "replicates": ("keep", "average"),
    "run_aggregates": ("as-measured", "normalised"),
    "reference_low": (-9.0,),
    "reference_high": (9.0,),
    "gamma": (0.5,),
    "runs": ("samples", "prompts", "trainings", "judges"),
    "runs_scope": ("fixed", "sampled"),
    "ranking": ("rank-then-aggregate", "aggregate-then-rank", "test-then-rank"),
    "aggregate": ("median", 0.25),
    "tied_ranks": ("min",),
    "items_scope": ("fixed",),
    "answers": ("deterministic",),
    "labels": ("random", "strata"),
    "omnibus": (
        *("friedman", "iman-davenport", "aligned-ranks", "quade"),
        *("anova", "greenhouse-geisser", "huynh-feldt"),
    ),
    "family": ("metric", "all"),
    "groups": ("each-and-all",),
    "gate": ("omnibus",),
    "control": ("a", "b"),
    "adjust": (("bonferroni",), ("holm", "BH"), ("tukey",), ("closed-permutation",)),
    "metrics": (("error",), ("fp",)),
    "average_folds": (True,),
    "protocol": ("cross-validation", "resampling", "held-out", "disjoint"),
    "n_train": (50,),
    "n_test": (7,),
    "n_folds": (5,),
    "margin": (0.1,),
    "hypothesis": ("equivalence", "non-inferiority"),
    "margin_alpha": (0.2,),
    "together": ("required", "no"),
    "cost_ratio": (3,),
    "loss": (((0.0, 2.0), (1.0, 0.0)),),
    "thresholds": ((0.3,), (0.2, 0.5)),
    "loss_ratios": ((0.5, 2.0),),
    "threshold_rule": ("any", "sign"),
    "threshold_adjust": ("holm", "none"),
    "thresholds_joined": (True,),
    "undefined": (0,),
    "monotone": (True,),
    "p_values": ("approximate", "exact", "mid-p"),
    "overlap": (1,),
    "std_error": ("textbook",),
    "decimals": (0,),
    "level": (0.8,),
    "seed": (7,),
    "generalise": ("both", "training-sets", "cases"),
    "blind": (True,),
    "fpr_range": ((0.0, 0.2),),
    "weights": ({"law": 0.3, "maths": 0.7}, "equal", "cases"),
    "range": ((0.0, 1.0),),
    "scale": ("ratio", "difference"),
    **dict.fromkeys((*ESTIMAND, *MARGIN), ("as planned",)),
}
"""What each key is tried with."""
_BAYES = {"bayes": "signed-rank", "rope": 0.01}
_MARGIN = {"margin": 0.1, "hypothesis": "equivalence"}
WITH: dict[str, dict[str, Any]] = {
    "margin": {"hypothesis": "equivalence"},
    "hypothesis": {"margin": 0.1},
    "margin_alpha": _MARGIN,
    "margin_reason": _MARGIN,
    "margin_source": _MARGIN,
    "bayes": {"rope": 0.01},
    "rope": {"bayes": "sign"},
    "reference_low": {"run_aggregates": "normalised", "reference_high": 9.0},
    "reference_high": {"run_aggregates": "normalised", "reference_low": -9.0},
    "gamma": {"run_aggregates": "as-measured"},
    **dict.fromkeys(("prior", "draws", "decide_at", "rope_loss"), _BAYES),
}
"""Keys that a key has no meaning without."""


def told(found: pc.Comparison) -> str:
    """Return everything that is found, without the plan."""
    held = found.to_dict()
    for name in ("plan", "planned", "asked"):
        held.pop(name, None)
    return json.dumps(held, sort_keys=True, default=str) + found.summary()


RESTATED = {
    "scale": ("difference",),
    "metrics": (("error",),),
    "omnibus": ("friedman", "anova"),
    "family": ("metric",),
    "together": ("required",),
    "p_values": ("exact",),
}
"""Values that may say what is so without them: the default, or what follows from the
size of the table."""
FREE = ("assumes", "decimals", "std_error")
"""Keys that may change nothing with three algorithms: tables of other sizes, ties, and
numbers of sensitivity analyses alone."""
NOTHING = ("seed", "together", "range", *ESTIMAND, *MARGIN)
"""Keys of what may not occur: chance, a second metric, scores outside of a range; and
statements, which only reports print (test_both_routes.py)."""


def ignored(name: str, k: int, control: bool, keys: Any) -> list[str]:
    """Return the values of keys that one design accepts and does not use."""
    data, given = DESIGNS[name](k)
    given = given | ({"control": data.algorithms[0]} if control else {})
    base = pc.compare(data, pc.Plan(**given))
    usual, bad = told(base), []
    for key in keys:
        beside = given | WITH.get(key, {})
        for value in VALUES[key]:
            if value in (given.get(key), getattr(base.plan, key)):
                continue  # it says what is so
            if value in RESTATED.get(key, ()) or (key in FREE and k > 2):
                continue
            if key in NOTHING or (key == "control" and k == 2 and control):
                continue  # or the other one of two
            if key == "control" and k == 2 and name == "folds, estimates":
                continue  # a difference is from the second one anyway
            if value == "resampling" and not base.plan.claims:
                continue  # only sizes, which are still missing, make it a test
            try:
                found = pc.compare(data, pc.Plan(**beside | {key: value}))
            except PyCompareError:
                continue
            if told(found) == usual:
                bad.append(f"{key} = {value!r}")
    return bad


def test_every_key_is_tried():
    assert set(VALUES) == set(keys_of(pc.Plan))


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", DESIGNS)
def test_a_key_is_refused_or_changes_the_results(name, k):
    if k == 2 and "ranks" in name:
        pytest.skip("two algorithms have no mean ranks")
    rng = np.random.default_rng([k, *name.encode()])
    keys = rng.permutation(sorted(VALUES)).tolist()
    at = len(keys) if os.environ.get("IGNORED_KEYS") == "all" else 6
    control = rng.random() < 0.5 and not name.startswith("challenge")
    must = ("runs", "runs_scope", "items_scope", "answers", "gate", "level")
    assert ignored(name, k, control, dict.fromkeys((*must, *keys[:at]))) == []


@pytest.mark.parametrize("design", ["folds", "AUC"])
@pytest.mark.parametrize(
    "keys",
    [
        {"margin": 0.1, "hypothesis": "equivalence"},
        {"gate": "omnibus"},
        {"omnibus": "anova"},
        {"alpha": 0.01},
        {"together": "required"},
    ],
)
def test_estimates_refuse_what_only_tests_have(design, keys):
    if design == "folds":
        data, given = table(3, b=10), {"blocks": "folds"}
    else:
        data, given = DESIGNS["predictions, AUC of folds"](3)
        del given["protocol"]
    assert "Estimates only" in pc.compare(data, pc.Plan(**given)).summary()
    with pytest.raises(pc.PlanError, match="nothing is tested, because folds share"):
        pc.compare(data, pc.Plan(**given, **keys))


@pytest.mark.parametrize(
    "design", ["predictions, several thresholds", "one test set, both"]
)
@pytest.mark.parametrize(
    "keys", [{"runs": "samples"}, {"runs": "prompts", "runs_scope": "fixed"}]
)
def test_runs_are_refused_where_they_are_not_distinguished(design, keys):
    data, given = DESIGNS[design](3)
    with pytest.raises(pc.PlanError, match=r"runs: .* runs are not distinguished"):
        pc.compare(data, pc.Plan(**given, **keys))
