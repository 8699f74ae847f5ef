"""Scores near both ends of what doubles hold are compared without a warning."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pandas as pd
import pytest

import pycompare as pc


def tables(scale: float) -> list[pc.Scores]:
    """Return scores of one metric, of two, and of folds within data sets."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "algorithm": np.tile(list("abc"), 8),
            "block": np.repeat([f"b{k}" for k in range(8)], 3),
            "u": (1.5 + 0.2 * rng.uniform(size=24)) * scale,
            "w": rng.normal(size=24),
            "data": np.repeat(list("xyzw"), 6),
        }
    )
    roles = {"algorithm": "algorithm", "block": "block"}
    return [
        pc.Scores.from_frame(frame, metrics={"u": "higher"}, **roles),
        pc.Scores.from_frame(frame, metrics={"u": "higher", "w": "lower"}, **roles),
        pc.Scores.from_frame(frame, metrics={"u": "higher"}, dataset="data", **roles),
    ]


def of_scores() -> list[str]:
    """Return the public functions whose first argument is scores."""
    found = []
    for name in pc.PUBLIC:
        public = getattr(pc, name)
        if inspect.isfunction(public):
            first = next(iter(inspect.signature(public).parameters), "")
            found += [name] if first == "scores" else []
    return found


def test_functions_of_scores_are_found():
    assert len(of_scores()) > 20


@pytest.mark.parametrize("scale", [1e300, 1e-310])
def test_extreme_scores_give_no_warning(scale):
    done = 0
    for name in of_scores():
        function = getattr(pc, name)
        takes = inspect.signature(function).parameters
        given = {"seed": 1, "metric": "u"}
        options = {key: value for key, value in given.items() if key in takes}
        for scores in tables(scale):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    function(scores, **options)
                    done += 1
                except (pc.PyCompareError, TypeError):
                    continue  # needs more arguments, or another design
    assert done > 20


def test_means_of_the_largest_scores_are_finite():
    [one, two, folds] = tables(6e300)
    for scores in (one, two):
        means = pc.orderings(scores).to_frame().query("metric == 'u'")["mean"]
        assert (means > 9e300).all() and (means < 10.2e300).all()
    values = pc.dataset_means(folds).values
    assert (values > 9e300).all() and (values < 10.2e300).all()


@pytest.mark.parametrize("scale", [1e300, 1e160, 1e-160, 1e-310])
def test_extreme_answers_and_labels_give_no_warning(scale):
    """Several answers to an item, and people's labels beside a judge."""
    rng = np.random.default_rng(4)
    roles = {"algorithm": "a", "block": "b", "metrics": {"u": "higher"}}
    cells = [(f"b{i}", name, run) for i in range(30) for name in "xyz" for run in "12"]
    frame = pd.DataFrame(cells, columns=["b", "a", "run"])
    frame["u"] = (1.5 + 0.2 * rng.uniform(size=len(frame))) * scale
    several = pc.Scores.from_frame(frame, replicate="run", **roles)
    frame = frame[frame["run"] == "1"].assign(judge=rng.normal(size=90) * scale)
    frame["half"] = np.tile(np.repeat(["m", "n"], 3), 15)
    frame.loc[frame.index[42:], "u"] = np.nan
    judged = pc.Scores.from_frame(frame, judge="judge", **roles)
    strata = pc.Scores.from_frame(frame, judge="judge", stratum="half", **roles)
    calls = {
        "these_items": lambda: pc.these_items(several),
        "item_means": lambda: pc.item_means(several),
        "labels": lambda: pc.labels(judged, chosen="random"),
        "strata": lambda: pc.labels(strata, chosen="strata"),
    }
    for call in calls.values():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                call()
            except pc.InputError as error:
                assert "measure them in another unit" in str(error)


def test_a_posterior_of_denormal_differences_is_refused():
    y = 5e-324 * np.array([[0, 0], [1, 2], [2, 4], [3, 1], [4, 3]])
    scores = pc.Scores.from_wide(
        pd.DataFrame(y, columns=["a", "b"]), metric="y", better="higher"
    )
    with pytest.raises(pc.InputError, match="too small for a double"):
        pc.bayesian_correlated_t(scores, rope=0, n_train=9, n_test=1)
