"""Every key of a plan with every design and every method: a result, or a refusal.

A sample is drawn anew for each design and number of algorithms, always the same one;
``CROSSED_KEYS=all`` tries all (``make study``).
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import PyCompareError
from pycompare.designs.pair_methods import FLIPS, MEANS
from pycompare.designs.plans.keys import keys_of
from pycompare.results.adjust import ADJUSTMENTS
from tests.designs.plans.test_ignored_keys import DESIGNS, VALUES, WITH, told

METHODS = (None, *ADJUSTMENTS, *MEANS, *FLIPS)
"""None: those of a plan that names none."""
KEYS = tuple(keys_of(pc.Plan))
SAMPLE = 12
Crossing = tuple[str | None, str, Any]
"""A method, and a key with its value."""
ALL: tuple[Crossing, ...] = tuple(
    (method, key, value)
    for method, (key, values) in itertools.product(METHODS, VALUES.items())
    for value in values
    if key != "adjust"
)


def crossings(name: str, k: int) -> Iterator[Crossing]:
    """Yield what is tried with one design: a sample of all, or all."""
    if os.environ.get("CROSSED_KEYS") == "all":
        yield from ALL
        return
    rng = np.random.default_rng([k, len(name), *name.encode()])
    yield from (ALL[at] for at in rng.choice(len(ALL), SAMPLE, replace=False))


def refusal(data: Any, keys: dict[str, Any]) -> str | None:
    """Return why a plan is refused; None if it has a result, which can be printed."""
    try:
        assert told(pc.compare(data, pc.Plan(**keys)))
    except PyCompareError as error:
        return str(error)
    return None


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", DESIGNS)
def test_a_key_and_a_method_have_a_result_or_a_refusal_in_words(name, k):
    data, given = DESIGNS[name](k)
    for method, key, value in crossings(name, k):
        keys = given | WITH.get(key, {}) | {key: value}
        keys |= {} if method is None else {"adjust": (method,)}
        why = refusal(data, keys)
        assert why is None or any(part in why for part in KEYS), (keys, why)


def test_some_crossings_have_results_and_some_are_refused():
    data, given = DESIGNS["data sets, ranks"](3)
    sample = list(crossings("data sets, ranks", 3))
    refused = [
        refusal(data, given | {key: value} | ({"adjust": (method,)} if method else {}))
        is not None
        for method, key, value in sample
    ]
    assert 0 < sum(refused) < len(sample)


@pytest.mark.parametrize("name", [name for name in DESIGNS if name.startswith("cases")])
def test_cases_have_no_step_down_flips(name):
    """Signed ranks flip in these; over cases the plan was taken, and crashed."""
    data, given = DESIGNS[name](3)
    with pytest.raises(pc.PlanError, match="step-down-flips: not for cases"):
        pc.compare(data, pc.Plan(**given, adjust=("step-down-flips",)))


@pytest.mark.parametrize(
    "key", [{"p_values": "approximate"}, {"std_error": "textbook"}]
)
def test_means_over_folds_of_data_sets_keep_their_own_seed(key):
    """Mean ranks beside them drew nothing, and the plan was refused for its seed."""
    data, given = DESIGNS["folds of data sets"](3)
    comparison = pc.compare(data, pc.Plan(**given, **key, compares="means", seed=4))
    assert comparison.plan.seed == 4
