"""Checks of diagnostic tests, decision curves, and syntheses of studies."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pycompare as pc
from pycompare.base.interop.r_call import RCall
from pycompare.methods.over_datasets.network_synthesis import NetworkSynthesisResult
from pycompare.results.result import Result

from ..agreement import Case, Check, Package, Wanted

CLOSED = Wanted(12, "closed form")
TAIL = Wanted(11, "tail of a distribution: the last digit of the statistic, magnified")
DIFFERENCE = Wanted(10, "a difference of means of many cases", floor=1e-3)
ITERATED = Wanted(7, "metafor stops if tau2 changes little, a bisection at its width")
SEARCHED = Wanted(4, "the search of rma.mv ends after about 5 digits", floor=1e-2)
Maker = Callable[[], Result]


def check(
    title: str, reference: str, makers: Mapping[str, Maker], /, **wanted: Wanted
) -> Check:
    """Make the check of a method over its cases."""

    def cases() -> Iterator[Case]:
        for name, make in makers.items():
            result = make()
            yield Case(name, called(result, name), result.r_values())

    rules = {"*": CLOSED, "p_value": TAIL, "p_adjusted": TAIL} | wanted
    return Check(title, reference, cases, rules)


def called(result: Result, name: str) -> RCall:
    """Return the call of a result that R can repeat."""
    call = result.r_call()
    assert call is not None, f"{name} has no R call"
    return call


def diagnosed(n: int, k: int, seed: int) -> tuple[NDArray[Any], dict[str, Any]]:
    """Return true classes and results of k tests that depend on each other."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.4
    x = rng.normal(size=(n, k)) + rng.normal(size=(n, 1)) + 1.5 * label[:, None]
    return label, {f"test {j + 1}": x[:, j] > 0.8 + 0.2 * j for j in range(k)}


def risks(n: int, k: int, seed: int) -> tuple[NDArray[Any], dict[str, Any]]:
    """Return true classes and probabilities by k models."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    label = rng.random(n) < 1 / (1 + np.exp(-x))
    noise = rng.normal(size=(n, k)) * np.arange(k)
    return label, {
        f"model {j + 1}": 1 / (1 + np.exp(-x - noise[:, j])) for j in range(k)
    }


def studies(k: int, seed: int, spread: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return estimates and standard errors of k studies."""
    rng = np.random.default_rng(seed)
    error = rng.uniform(0.1, 0.5, size=k)
    return rng.normal(0.3, np.hypot(error, spread)), error


NETWORK = ("estimate", "std_error", "study", "algorithm_1", "algorithm_2")


@dataclass(frozen=True)
class Overlapping:
    """Studies of some of several methods, and a true difference of a new study.

    Attributes
    ----------
    rows : dict of str to list
        Arguments of ``network_synthesis``.
    truth : float
        Of the first pair in a new study; the mean of all is 0.
    """

    rows: dict[str, Any]
    truth: float


def network_of(
    k: int, methods: int = 4, most: int = 3, spread: float = 0.3
) -> Callable[[np.random.Generator], Overlapping]:
    """Draw studies of 2 to ``most`` methods, which are equal in the mean."""

    def draw(rng: np.random.Generator) -> Overlapping:
        rows: dict[str, Any] = {name: [] for name in NETWORK}
        for i in range(k):
            # The first studies link all methods in a chain.
            own = [i, i + 1] if i < methods - 1 else []
            size = int(rng.integers(2, most + 1))
            chosen = own or sorted(rng.choice(methods, size, replace=False).tolist())
            error = rng.uniform(0.1, 0.4, size=len(chosen))
            arms = rng.normal(0, np.hypot(error, spread / math.sqrt(2)))
            for a, b in combinations(range(len(chosen)), 2):
                row = (arms[a] - arms[b], math.hypot(error[a], error[b]), f"s{i}",
                       "ABCDEF"[chosen[a]], "ABCDEF"[chosen[b]])  # fmt: skip
                for name, value in zip(NETWORK, row, strict=True):
                    rows[name].append(value)
        return Overlapping(rows, rng.normal(0, spread))

    return draw


def network(seed: int, k: int, **options: Any) -> NetworkSynthesisResult:
    """Return the synthesis of simulated studies."""
    rows = network_of(k, **options)(np.random.default_rng(seed)).rows
    rest = {name: rows[name] for name in NETWORK[1:]}
    return pc.network_synthesis(rows["estimate"], **rest)


def network_cases() -> Iterator[Case]:
    """Yield networks of two and more methods a study."""
    for name, made in (
        ("12 studies of 4", network(1, 12)),
        ("30 studies of 6", network(2, 30, methods=6, most=4)),
        ("9 studies of 3, little spread", network(3, 9, methods=3, spread=0.05)),
    ):
        yield Case(name, called(made, name), made.r_values())


def knha_cases() -> Iterator[Case]:
    """Yield networks of two methods a study, against the first method."""
    for name, made in (
        ("12 studies of 4", network(4, 12, most=2)),
        ("25 studies of 5", network(5, 25, methods=5, most=2)),
    ):
        call, ours = called(made, name), made.r_values()
        given = {name: call.arguments[name] for name in ("y", "variance", "x", "level")}
        function = "network_synthesis_knha_reference"
        rows = slice(len(made.algorithms) - 1)  # the first method with each other one
        dropped = ("p_adjusted", "predicted_low", "predicted_high", "q_df")
        ours = {
            name: x[rows] if np.ndim(x) else x
            for name, x in ours.items()
            if name not in dropped
        }
        yield Case(name, RCall(call.files, function, given), ours)


def diagnostic_checks() -> list[Check]:
    """Return the checks of diagnostics and of syntheses."""

    def pairs(n: int, k: int, seed: int, **options: Any) -> Maker:
        label, results = diagnosed(n, k, seed)
        return lambda: pc.diagnostic_pairs(label, results, positive=True, **options)

    def benefit(n: int, k: int, seed: int, **options: Any) -> Maker:
        label, scores = risks(n, k, seed)
        return lambda: pc.net_benefit(label, scores, positive=True, **options)

    def over(k: int, seed: int, spread: float, unit: float = 1.0) -> Maker:
        estimate, error = studies(k, seed, spread)
        return lambda: pc.synthesis(estimate * unit, std_error=error * unit)

    def calibration(n: int, k: int, seed: int, **options: Any) -> Maker:
        label, scores = risks(n, k, seed)
        return lambda: pc.calibration_error(label, scores, positive=True, **options)

    def top_label() -> Result:
        rng = np.random.default_rng(13)
        p = rng.dirichlet([1, 1, 2], size=250)
        label = np.array([rng.choice(3, p=row) for row in p])
        scores = {str(j): p[:, j] for j in range(3)}
        return pc.calibration_error(
            label, scores, top_label=True, bins="equal-mass", n_bins=12
        )

    return [
        check(
            "calibration error within bins",
            "mean over pairs of cases, roots of tails (own derivation)",
            {
                "300 cases x 3, equal width": calibration(
                    300, 3, 10, bins="equal-width", n_bins=10
                ),
                "900 cases x 2, equal mass": calibration(
                    900, 2, 11, bins="equal-mass", n_bins=15, level=0.9
                ),
                "top label": top_label,
            },
            estimate=DIFFERENCE,
            squared=Wanted(10, "a difference of squares", floor=1e-4),
            bin_low=CLOSED,
            bin_high=CLOSED,
            bin_mean_score=CLOSED,
            bin_share=CLOSED,
            bin_difference=DIFFERENCE,
            p_value=Wanted(10, "moments of a sum of squares, magnified in the tail"),
            conf_low=Wanted(9, "a root", floor=1e-6),
            conf_high=Wanted(9, "a root"),
        ),
        check(
            "diagnostic tests, ratios of predictive values and likelihood ratios",
            "counts of cases (own derivation)",
            {
                "300 cases x 2": pairs(300, 2, 1),
                "90 cases x 4, hommel": pairs(90, 4, 2, adjust="hommel"),
                "40 cases x 3, predictive values": pairs(
                    40, 3, 3, measures=["ppv", "npv"], level=0.9
                ),
            },
        ),
        check(
            "net benefit of models at thresholds",
            Package("stats::t.test, p.adjust"),
            {
                "200 cases x 2": benefit(200, 2, 4, threshold=[0.2, 0.5]),
                "80 cases x 3, bonferroni": benefit(
                    80, 3, 5, threshold=0.4, adjust="bonferroni", level=0.9
                ),
            },
            statistic=DIFFERENCE,
            estimate=DIFFERENCE,
            conf_low=DIFFERENCE,
            conf_high=DIFFERENCE,
            net_benefit=DIFFERENCE,
            p_value=DIFFERENCE,
            p_adjusted=DIFFERENCE,
        ),
        check(
            "synthesis of studies",
            Package("metafor::rma(test = 'knha'), confint, predict"),
            {
                "13 studies": over(13, 6, 0.5),
                "5 studies": over(5, 7, 0.6),
                "40 studies, unit 1e6": over(40, 8, 0.3, 1e6),
                "8 studies without spread": over(8, 9, 0.0),
            },
            **{"*": ITERATED, "q": CLOSED},
        ),
        Check(
            "synthesis over overlapping studies",
            Package("metafor::rma.mv(rho = 1 / 2)"),
            network_cases,
            {"*": SEARCHED, "q": CLOSED, "q_p_value": TAIL, "df": CLOSED},
        ),
        Check(
            "synthesis over overlapping studies, two methods each",
            Package("metafor::rma(mods =, test = 'knha')"),
            knha_cases,
            {"*": ITERATED, "q": CLOSED},
        ),
    ]
