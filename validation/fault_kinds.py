"""The 22 kinds of reports whose faults ``reproduce.R`` has to name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pandas as pd

import pycompare as pc
from pycompare.designs.compare import Comparison
from pycompare.designs.curve_comparison import CurveComparison
from pycompare.methods.models.linear_model import LinearModel
from pycompare.reporting import (
    comparison_folder,
    curves_report,
    model_report,
    mrmc_report,
)
from pycompare.reporting.provenance import Origin
from pycompare.reporting.write import Contents
from pycompare.results.result import plain

from .cases import normal, scores
from .checks.replicates import runs
from .r_reports import KINDS, compared, folds, ratings


def contents_of(result: Any) -> Contents:
    """Return what the real writer writes of a result; of readers, with a model."""
    result, mixed = result if isinstance(result, tuple) else (result, None)
    if isinstance(result, Comparison):
        return comparison_folder.contents(result, None)
    if isinstance(result, CurveComparison):
        return curves_report.contents(result, Origin(), None)
    if isinstance(result, LinearModel):
        return model_report.contents(model_report.fitted_report(result), Origin(), None)
    alpha = mrmc_report.alpha_of(result)
    return mrmc_report.contents(result, mixed, alpha, Origin(), None)


def told_of(result: Any) -> Mapping[str, Any]:
    """Return what results.json says of a result, without making its page."""
    if isinstance(result, Comparison | CurveComparison):
        told: Mapping[str, Any] = plain(result.to_dict())
    elif isinstance(result, LinearModel):
        told = model_report.fitted_report(result).to_dict()
    else:
        told = contents_of(result).results()
    return told


def _in_groups() -> pc.Scores:
    """Return scores of 24 data sets in two groups."""
    frame = pd.DataFrame(normal(24, 3, 9), columns=["A1", "A2", "A3"])
    frame["group"] = ["text", "image"] * 12
    return pc.Scores.from_wide(frame, metric="score", better="higher", group="group")


def _mixed() -> tuple[Any, Any]:
    """Return readers whose right decisions a mixed model compares, too."""
    read = ratings(2)
    return pc.mrmc(read), pc.glmm(read, outcome="accuracy", threshold=1.0)


_DATASETS = partial(compared, blocks="datasets")
_RANKS = partial(_DATASETS, compares="ranks")
_ONE = partial(folds, datasets=1, seed=3)
_NORMAL = {
    4: lambda: scores(normal(20, 4, 2)),
    2: lambda: scores(normal(16, 2, 6)),
}
_OTHERS: dict[str, Callable[[], Any]] = {
    "data sets": partial(_DATASETS, pc.example),
    "data sets, ranks": partial(_RANKS, pc.example),
    "data sets, gate": partial(
        _RANKS, _NORMAL[4], gate="omnibus", adjust=("shaffer", "nemenyi")
    ),
    "data sets, control": partial(_DATASETS, _NORMAL[4], control="A1"),
    "data sets, margin": partial(
        _DATASETS, _NORMAL[4], control="A1", margin=1.0, hypothesis="non-inferiority"
    ),
    "one family of groups": partial(_RANKS, _in_groups, family="all", gate="omnibus"),
    "folds, two metrics": partial(compared, _ONE, n_train=90, n_test=10),
    "folds, new test sets": partial(
        compared, lambda: scores(normal(10, 4, 11)), blocks="folds",
        protocol="held-out",
    ),
    "folds of data sets": partial(compared, folds, compares="ranks"),
    "folds of data sets, means": partial(
        compared, folds, compares="means", protocol="held-out"
    ),
    "folds of data sets, wins": partial(
        compared, folds, compares="wins", protocol="cross-validation"
    ),
    "runs": partial(
        compared, partial(runs, 10, 3, 5, 72), blocks="folds", replicates="keep",
        protocol="held-out",
    ),
    "two algorithms, folds": partial(
        compared, _NORMAL[2], blocks="folds", n_train=90, n_test=10, margin=1.0,
        hypothesis="equivalence",
    ),
    "readers, mixed model": _mixed,
}  # fmt: skip
_ALREADY = (
    "cases, right or wrong", "cases, graded", "two algorithms", "threshold sweep",
    "curves of folds", "readers, margin and control", "readers, one modality",
    "model, folds in data sets", "shared test set, both",
)  # fmt: skip
FAULT_KINDS: Mapping[str, Callable[[], Any]] = {
    **_OTHERS, **{name: KINDS[name] for name in _ALREADY}
}  # fmt: skip
