"""Notes on few cases of a class, wherever an area gets an interval or a p-value."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.formatting.numbers import percent
from pycompare.methods.curves.few_cases import FEW, OTHERS, STUDIED
from pycompare.results.result import Estimate, PairsResult, Test
from validation import few_cases as study

N, OTHER = 5, 100
LABEL = np.repeat([1, 0], [N, OTHER])
CLUSTERS = {"cluster": np.arange(N + OTHER) // 2}
FOLDS = {"fold": np.arange(N + OTHER) % 2}
PART = {"low": 0.0, "high": 0.2}
TOLD = f"the positive class has {N} cases, fewer than {FEW}"
EXACT = {
    "auc_exchange": "permutations have no few cases",
    "curve_dominance": "with 5 cases of a class 0.0025 to 0.06 at 0.05 (docstring)",
    "average_precision_interval": "its coverage was simulated with one case, too",
}
"""Functions whose p-values hold for any number of cases."""


def scores(label=LABEL, seed=1):
    return np.random.default_rng(seed).normal(size=(len(label), 2)) + label[:, None]


def calls(label=LABEL) -> dict[str, Callable[[], Any]]:
    """Return every function that takes a positive class, with data of few cases."""
    one, two = scores(label).T
    both = {"A": one, "B": two}
    draw = {"resamples": 19}
    fold = {"fold": np.arange(len(label)) % 2}
    table = [
        {"m": m, "f": f, "c": c, "y": y, "s": s}
        for m, values in both.items()
        for f in "ab"
        for c, (y, s) in enumerate(zip(label.tolist(), values.tolist(), strict=True))
    ]
    roles = {"label": "y", "score": "s", "positive": 1}
    return {
        "auc": lambda: pc.auc(label, one, positive=1),
        "auc_pr": lambda: pc.auc_pr(label, one, positive=1),
        "roc_curve": lambda: pc.roc_curve(label, one, positive=1),
        "pr_curve": lambda: pc.pr_curve(label, one, positive=1),
        "risk": lambda: pc.risk(label, one, positive=1, cost_ratio=1, threshold=0.5),
        "auc_exchange": lambda: pc.auc_exchange(label, both, positive=1, **draw),
        "auc_interval": lambda: pc.auc_interval(label, one, positive=1),
        "auc_intervals": lambda: pc.auc_intervals(
            label, one, positive=1, **draw, **fold
        ),
        "auc_pr_pairs": lambda: pc.auc_pr_pairs(label, both, positive=1, **draw),
        "curve_dominance": lambda: pc.curve_dominance(
            label, both, positive=1, level=0.9, **draw
        ),
        "auc_margins": lambda: pc.auc_margins(label, both, positive=1, margin=0.05),
        "average_precision_interval": lambda: pc.average_precision_interval(
            label, one, positive=1
        ),
        "binormal_auc": lambda: pc.binormal_auc(label, one, positive=1),
        "cv_auc": lambda: pc.cv_auc(label, one, positive=1, **fold),
        "cv_auc_pairs": lambda: pc.cv_auc_pairs(label, both, positive=1, **fold),
        "diagnostic_pairs": lambda: pc.diagnostic_pairs(
            label, {m: x > 0 for m, x in both.items()}, positive=1
        ),
        "calibration_error": lambda: pc.calibration_error(
            label, 1 / (1 + np.exp(-one)), positive=1, bins="equal-mass", n_bins=5
        ),
        "net_benefit": lambda: pc.net_benefit(
            label,
            {m: 1 / (1 + np.exp(-x)) for m, x in both.items()},
            positive=1,
            threshold=0.5,
        ),
        "delong": lambda: pc.delong(label, both, positive=1),
        "delong_unpaired": lambda: pc.delong_unpaired(
            label, one, label, two, positive=1
        ),
        "hanley_mcneil": lambda: pc.hanley_mcneil(label, both, positive=1, r=0.4),
        "partial_auc_interval": lambda: pc.partial_auc_interval(
            label, one, positive=1, **PART, **draw
        ),
        "partial_auc_pairs": lambda: pc.partial_auc_pairs(
            label, both, positive=1, **PART, **draw
        ),
        "Predictions": lambda: pc.Predictions.from_frame(
            table, algorithm="m", block="f", case="c", **roles
        ),
    }


READ = {"DataSet", "Ratings", "from_cross_validate", "measure_file"}
READ |= {"read_marks", "read_predictions", "read_ratings"}
"""Functions that read data and infer nothing."""


def parameters(one: Any) -> set[str]:
    """Return the names that a call takes; none of what is no function."""
    one = getattr(one, "__func__", one)
    return set(inspect.signature(one).parameters) if inspect.isfunction(one) else set()


def public() -> Iterator[str]:
    """Yield the public functions and classes that take a positive class."""
    for name in pc.__all__:
        found = getattr(pc, name)
        every = vars(found).values() if inspect.isclass(found) else (found,)
        if any("positive" in parameters(one) for one in every):
            yield name


def results(found: Any) -> list[Any]:
    """Return the results that infer something about an area."""
    if isinstance(found, pc.Predictions):
        return []
    each = getattr(found, "intervals", (found,))
    return [one for one in each if isinstance(one, Estimate | PairsResult | Test)]


def test_every_function_that_takes_a_positive_class_is_called():
    assert set(public()) - READ == set(calls())


@pytest.mark.parametrize("name", calls())
def test_few_cases_are_told_wherever_an_area_is_inferred(name):
    for one in results(calls()[name]()):
        holds = name in EXACT or getattr(one, "key", "") == "agarwal"
        assert any(TOLD in note for note in one.notes) is not holds
    many = np.repeat([1, 0], FEW)
    for one in results(calls(many)[name]()):
        assert not any("fewer than" in note for note in one.notes)


@pytest.mark.parametrize("method", ["effective-size", "delong", "delong-logit"])
def test_few_clusters_are_told(method):
    one = scores()[:, 0]
    found = pc.auc_interval(LABEL, one, positive=1, method=method, **CLUSTERS)
    assert any("clusters have positive cases" in note for note in found.notes)


def test_cases_in_several_repeats_are_counted_once():
    repeats = {"repeat": np.repeat([0, 1], N + OTHER)}
    case = {"case": np.tile(np.arange(N + OTHER), 2)}
    found = pc.cv_auc(
        np.tile(LABEL, 2),
        np.r_[scores()[:, 0], scores(seed=2)[:, 0]],
        fold=np.tile(FOLDS["fold"], 2),
        positive=1,
        **repeats,
        **case,
    )
    assert any(TOLD in note for note in found.notes)


@pytest.mark.parametrize(
    "call",
    [
        lambda y, s: pc.auc_interval(y, s[:, 0], positive=1, method="bootstrap"),
        lambda y, s: pc.partial_auc_interval(y, s[:, 0], positive=1, **PART),
        lambda y, s: pc.partial_auc_pairs(y, s, positive=1, **PART),
        lambda y, s: pc.auc_pr_pairs(y, s, positive=1),
    ],
)
@pytest.mark.parametrize("few", [1, 4])
@pytest.mark.parametrize("of", [0, 1])
def test_fewer_than_five_cases_are_not_resampled(call, of, few):
    label = np.repeat([of, 1 - of], [few, 20])
    which = ("negative", "positive")[of]
    with pytest.raises(pc.DesignError, match=f"the {which} class has {few} case"):
        call(label, scores(label))
    # What the message advises.
    pc.average_precision_interval(label, scores(label)[:, 0], positive=1)
    for method in ("effective-size", "agarwal"):
        found = pc.auc_interval(label, scores(label)[:, 0], positive=1, method=method)
        assert found.conf_low <= found.estimate <= found.conf_high


def test_methods_side_by_side_leave_out_a_bootstrap_of_few_cases():
    label = np.repeat([1, 0], [4, 20])
    few = pc.auc_intervals(label, scores(label)[:, 0], positive=1)
    enough = pc.auc_intervals(LABEL, scores()[:, 0], positive=1)
    assert {i.key for i in enough.intervals} - {i.key for i in few.intervals} == {
        "bootstrap"
    }


def test_a_perfect_score_is_sent_to_a_method_that_needs_nothing_else():
    for method in ("delong", "delong-logit", "hanley-mcneil"):
        found = pc.auc_interval(LABEL, LABEL, positive=1, method=method)
        assert "'effective-size' has an interval" in found.notes[0]
        assert "cortes-mohri" not in " ".join(found.notes)
    bound = pc.auc_interval(LABEL, LABEL, positive=1, method="agarwal")
    assert bound.conf_low < bound.estimate == bound.conf_high == 1


ROWS = json.loads(study.STORED.read_text())


def test_notes_are_what_the_study_found():
    studied = {row["method"] for row in ROWS} - {"auc_interval, agarwal"}
    assert set(STUDIED) == studied
    for method, sizes in STUDIED.items():
        for size, told in sizes.items():
            rows = [
                row
                for row in ROWS
                if row["method"] == method
                and min(row["positive"], row["negative"]) == size
            ]
            shares = [study.share(row) for row in rows]
            assert [round(min(shares), 2), round(max(shares), 2)] == [*told[:2]]
            wrong = max(row["rejected"] / row["trials"] for row in rows)
            assert told.rejected is None or round(wrong, 2) == told.rejected
            others = {max(row["positive"], row["negative"]) for row in rows}
            assert " or ".join(map(str, sorted(others))) == OTHERS[size]
        least = study.METHODS[method].least
        assert list(sizes) == [size for size in OTHERS if size >= least]
    one = scores()[:, 0]
    told = pc.auc_interval(LABEL, one, positive=1, method="delong").notes[-1]
    share = percent(STUDIED["auc_interval, delong"][N].least)
    assert f"with 5 + 100 cases and AUCs of 0.8 and 0.9, {share} to" in told


def test_the_bound_of_agarwal_holds_with_few_cases():
    rows = [row for row in ROWS if row["method"] == "auc_interval, agarwal"]
    assert rows and all(row["held"] == row["trials"] for row in rows)


def test_the_page_is_that_of_the_stored_counts():
    assert study.PAGE.read_text() == study.page(ROWS)


def test_a_design_is_drawn_as_the_page_says():
    rows = study.run_design(5, 6, 0.8, 2)
    assert {row["trials"] for row in rows} == {1, 2}
    assert {row["method"] for row in rows} == set(study.METHODS)
    assert rows == study.run_design(5, 6, 0.8, 2)
