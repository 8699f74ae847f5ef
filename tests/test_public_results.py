"""Every public function that returns a p-value or an interval is in both tables.

The example of each public function is run, and what the function returns there is
searched for p-values and limits: a new function is found without a list.
"""

from __future__ import annotations

import contextlib
import dataclasses
import doctest
import functools
import importlib
import inspect
import io
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
import pytest

import pycompare as pc
from pycompare.results.estimands import estimand
from pycompare.results.guarantees import guarantee
from pycompare.results.result import Result
from tests.test_metamorphic import ELSEWHERE, METHODS
from validation.calibration.rows import INTERVALS, TESTS
from validation.requirements import REQUIREMENTS

P_VALUES = {"p_value", "p_adjusted"}
LIMITS = {"conf_low", "rank_low", "predicted_low"}
NO_ANALYSIS = ("diff", "experiment", "run_plan", "verify")
"""Files are compared, estimators are fitted, plans are run by the other functions."""
MADE_OF_ROWS = {
    "challenge": "pairs by max_t; validation/CHALLENGES.md has its sets of ranks",
    "compare": "the tests of a plan, each in a row",
    "compare_curves": "the tests of curves, each in a row",
    "rank_sets": "the pairs that it is given",
}
NO_TEST = {
    **MADE_OF_ROWS,
    "step_levels": "the p-values of the pairs that it is given",
    "threshold_wins": "its note states that a p-value over thresholds is not valid",
}
NO_INTERVAL = {
    "challenge": MADE_OF_ROWS["challenge"],
    "compare": MADE_OF_ROWS["compare"],
    "compare_curves": MADE_OF_ROWS["compare_curves"],
    "auc_intervals": "the methods of auc_interval, each in a row",
    "average_precision_interval": "validation/AVERAGE_PRECISION.md counts its coverage",
    "closed_permutation": "NaN: a test of exchangeability has no limits",
    "durbin_pairs": "NaN: the standard error is that of equal mean ranks",
    "planned_power": "shares of simulated studies, as of power",
    "run_aggregates": "validation/RUN_AGGREGATES.md counts its coverage",
    "run_pairs": "validation/RUN_AGGREGATES.md counts its coverage",
    "run_profiles": "validation/RUN_AGGREGATES.md counts its coverage",
    "cv_auc_pairs": "validation/ONE_LEARNER.md counts its coverage",
    "cv_error_intervals": "validation/ONE_LEARNER.md counts its coverage",
    "nested_cv": "validation/ONE_LEARNER.md counts its coverage",
    "simulate": "shares of simulated studies, as of power",
}
NO_CHECK = {
    *("auc_pr_pairs", "partial_auc_interval", "partial_auc_pairs"),  # random
    *("mean_curve", "weighted_means"),  # checked with the curves, with weighted_pairs
}

NO_ESTIMAND = {
    "auc_exchange", "calibration_error", "clustered_runs", "crossed_anova",
    "curve_dominance", "delong_unpaired", "diagnostic_pairs", "five_by_two_cv", "glmm",
    "hanley_mcneil", "hotelling", "hotelling_one_sample", "linear_model",
    "multivariate_checks", "net_benefit", "network_synthesis", "replicated_anova",
    "residual_checks", "single_modality", "standalone", "synthesis", "welch_anova",
    "wins",
}  # fmt: skip
"""Tests outside the ledger of guarantees: no page claims an error rate for them."""


def names_in(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the names of all fields and columns of a result."""
    if isinstance(value, pd.DataFrame):
        yield from map(str, value.columns)
    elif isinstance(value, Mapping):
        yield from map(str, value)
        for one in value.values():
            yield from names_in(one, depth + 1)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from names_in(one, depth + 1)
    elif dataclasses.is_dataclass(value) and depth < 8:
        for field in dataclasses.fields(value):
            yield field.name
            yield from names_in(getattr(value, field.name), depth + 1)


def bases_in(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the bases of all results within a value, as the ledger names them."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for one in value:
            yield from bases_in(one, depth + 1)
    elif dataclasses.is_dataclass(value) and depth < 8:
        if isinstance(value, Result) and isinstance(getattr(value, "basis", 0), str):
            yield from filter(None, [value.basis])
        for field in dataclasses.fields(value):
            yield from bases_in(getattr(value, field.name), depth + 1)


def of_example(name: str, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Run the example of a public function; return what the function returned."""
    function, found = getattr(pc, name), []

    @functools.wraps(function)
    def kept(*arguments: Any, **options: Any) -> Any:
        found.append(function(*arguments, **options))
        return found[-1]

    text = inspect.getdoc(function)
    example = doctest.DocTestParser().get_doctest(text, {"pc": pc}, name, None, 0)
    with monkeypatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        patch.setattr(pc, name, kept)
        doctest.DocTestRunner(verbose=False).run(example)
    return found


def analyses() -> list[str]:
    """Return the public functions that return a result, and no text or path."""
    functions = (name for name in pc.PUBLIC if inspect.isfunction(getattr(pc, name)))
    return [name for name in functions if name not in NO_ANALYSIS and is_result(name)]


def is_result(name: str) -> bool:
    """Tell whether a function returns a dataclass, or one of several."""
    function = getattr(pc, name)
    module = importlib.import_module(function.__module__)
    named = str(function.__annotations__["return"]).split(" | ")
    made = [getattr(module, each, None) for each in named]
    return all(
        inspect.isclass(each) and dataclasses.is_dataclass(each) for each in made
    )


@pytest.fixture(scope="module")
def returned(tmp_path_factory) -> dict[str, set[str]]:
    """Return the names in what each public function returns in its example."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("examples"))
        return {name: {*names_in(of_example(name, patch))} for name in analyses()}


def with_any(returned: dict[str, set[str]], names: set[str]) -> set[str]:
    """Return the functions that return one of these names."""
    return {name for name, has in returned.items() if has & names}


def rows(table: Mapping[str, Any]) -> set[str]:
    """Return the public functions that have a row."""
    return {name.split(",")[0] for name in table}


def test_every_public_p_value_is_calibrated(returned):
    with_rows = rows(TESTS) | {*NO_TEST}
    assert with_any(returned, P_VALUES) == with_rows, "TESTS of calibration/rows.py"
    assert not rows(TESTS) & {*NO_TEST}


def test_every_public_interval_is_calibrated(returned):
    with_rows = rows(INTERVALS) | {*NO_INTERVAL}
    assert with_any(returned, LIMITS) == with_rows, "INTERVALS of calibration/rows.py"
    assert not rows(INTERVALS) & {*NO_INTERVAL}


def test_every_public_test_is_held_against_changes_of_its_data(returned):
    asked = with_any(returned, P_VALUES | LIMITS)
    held = {name.split()[0] for name in METHODS} | {*ELSEWHERE}
    assert asked == held, "METHODS of tests/test_metamorphic.py"


def test_every_public_test_has_its_requirement_and_with_it_its_checks():
    required = {name for one in REQUIREMENTS for name in one.functions}
    without = (rows(TESTS) | rows(INTERVALS)) - required
    assert without == NO_CHECK, "REQUIREMENTS of requirements.py, and validation/checks"


@pytest.mark.parametrize("name", sorted({n.split(",")[0] for n in TESTS}))
def test_every_public_p_value_has_an_estimand(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    found = {*bases_in(of_example(name, monkeypatch))}
    assert bool(found) == (name not in NO_ESTIMAND)
    for key in found:
        told = estimand(guarantee(key), "a quantity")
        assert all(getattr(told, word) for word in ("unit", "population", "null"))


def test_what_a_new_function_returns_is_found():
    made = pc.paired_t(pc.example(), algorithms=("C4.5", "CN2"))
    assert {*names_in([made])} > {"p_value", "conf_low"}
    frame = pd.DataFrame({"p_adjusted": [0.5]})
    assert {*names_in({"one": (frame,)})} == {"one", "p_adjusted"}
