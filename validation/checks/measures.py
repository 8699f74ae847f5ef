"""Checks of measures of predictions: rates, curves, areas, risk, probabilities."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Bools, Floats
from pycompare.data.measures.measure import measure_groups
from pycompare.data.measures.request import request
from pycompare.kernels import cumulative_counts, rates
from pycompare.results.result import Result

from ..agreement import Case, Check, Wanted

CLOSED = Wanted(13, "closed form")
RATES = (
    *("tpr", "fpr", "tnr", "fnr", "precision", "npv", "error", "accuracy"),
    *("balanced_accuracy", "f1", "mcc", "kappa"),
)


def made(
    n: int, seed: int, shift: float = 1.0, levels: int = 0
) -> tuple[Bools, Floats]:
    """Return labels and scores; with levels, whole scores with many ties."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.35
    label[:2] = True, False
    score = rng.normal(size=n) + shift * label
    return label, np.round(score * levels / 4) if levels else score


CASES: dict[str, Callable[[], tuple[Bools, Floats]]] = {
    "normal, 200": lambda: made(200, 81),
    "no information, 150": lambda: made(150, 82, 0.0),
    "strong, 400": lambda: made(400, 83, 3.0),
    "worse than chance, 100": lambda: made(100, 84, -1.0),
    "ties, 120": lambda: made(120, 85, 1.0, 6),
    "few levels, 60": lambda: made(60, 86, 1.0, 2),
    "all scores equal, 30": lambda: (made(30, 87)[0], np.zeros(30)),
    "perfect, 25": lambda: (made(25, 88)[0], made(25, 88)[0].astype(float)),
    "two cases": lambda: (np.array([True, False]), np.array([0.3, 0.7])),
    "scale 1e300, 80": lambda: (made(80, 89)[0], made(80, 89)[1] * 1e300),
    "scale 1e-300, 80": lambda: (made(80, 90)[0], made(80, 90)[1] * 1e-300),
}


def arguments(label: Bools, score: Floats, **more: Any) -> dict[str, Any]:
    """Return cases as R gets them."""
    return {"positive": label.astype(float), "score": score} | more


def steps_of(label: Bools, score: Floats) -> cumulative_counts.Steps:
    """Return the steps of one group."""
    return cumulative_counts.steps(score, label, [0, score.size])


def rate_cases() -> list[Case]:
    """Return all rates at several thresholds, some beyond all scores."""
    found = []
    for name, make in CASES.items():
        label, score = make()
        t = np.quantile(score, [0.0, 0.3, 0.5, 0.9, 1.0])
        t = np.unique(np.r_[t, 2 * abs(t[-1]) + 1.0])
        counts = cumulative_counts.counts_at(steps_of(label, score), t)
        ours = {field: value[0] for field, value in counts._asdict().items()}
        ours |= {rate: getattr(rates, rate)(counts)[0] for rate in RATES}
        call = arguments(label, score, threshold=t)
        found.append(
            Case(name, RCall(("measures",), "confusion_reference", call), ours)
        )
    return found


def area_cases() -> list[Case]:
    """Return the areas under both curves."""
    found = []
    for name, make in CASES.items():
        label, score = make()
        s = steps_of(label, score)
        ours = {
            "auc": cumulative_counts.auc(s),
            "auc_pr": cumulative_counts.pr_trapezoid(s),
            "auc_pr_davis_goadrich": cumulative_counts.pr_davis_goadrich(s),
            "average_precision": cumulative_counts.average_precision(s),
        }
        call = RCall(("measures",), "curve_areas_reference", arguments(label, score))
        found.append(Case(name, call, ours))
    return found


def partial_cases() -> list[Case]:
    """Return areas under parts of the ROC curve."""
    found = []
    for name, make in CASES.items():
        label, score = make()
        for low, high in ((0.0, 0.1), (0.2, 0.55), (0.0, 1.0)):
            area = cumulative_counts.partial_auc(steps_of(label, score), low, high)
            call = arguments(label, score, low=low, high=high)
            found.append(
                Case(
                    f"{name}, {low:g} to {high:g}",
                    RCall(("measures",), "partial_auc_reference", call),
                    {"partial_auc": area},
                )
            )
    return found


def probability_cases() -> list[Case]:
    """Return Brier's and the logarithmic score."""
    found = []
    for name in ("normal, 200", "strong, 400", "ties, 120"):
        label, score = CASES[name]()
        p = 1 / (1 + np.exp(-score))
        offsets = np.array([0, p.size])
        ours = {
            "brier": rates.brier(p, label, offsets),
            "log_loss": rates.log_loss(p, label, offsets),
            "ece": rates.calibration_error(p, label, offsets),
        }
        call = RCall(("measures",), "probability_scores_reference", arguments(label, p))
        found.append(Case(name, call, ours))
    return found


def rank_cases() -> list[Case]:
    """Return the break-even point and the Kolmogorov-Smirnov statistic."""
    cases = []
    for name, make in CASES.items():
        label, score = make()
        s = steps_of(label, score)
        ours = {
            "break_even": cumulative_counts.break_even(s),
            "ks": cumulative_counts.kolmogorov_smirnov(s),
        }
        call = RCall(("measures",), "rank_measures_reference", arguments(label, score))
        cases.append(Case(name, call, ours))
    return cases


def lift_cases() -> list[Case]:
    """Return the lift at shares that cut ties and that do not."""
    cases = []
    for name, make in CASES.items():
        label, score = make()
        for share in (0.01, 0.1, 1 / 3, 1.0):
            call = RCall(
                ("measures",), "lift_reference", arguments(label, score, share=share)
            )
            ours = {"lift": cumulative_counts.lift(steps_of(label, score), share)}
            cases.append(Case(f"{name}, {share:.2g}", call, ours))
    return cases


def sar_cases() -> list[Case]:
    """Return SAR at three thresholds, as predictions are measured."""
    cases = []
    thresholds = [0.25, 0.5, 0.9]
    for name in ("normal, 200", "strong, 400", "ties, 120"):
        label, score = CASES[name]()
        p = 1 / (1 + np.exp(-score))
        wanted = request("sar", threshold=thresholds)
        values = measure_groups(wanted, p, label, np.array([0, p.size]), str)
        call = arguments(label, p, threshold=thresholds)
        cases.append(
            Case(name, RCall(("measures",), "sar_reference", call), {"sar": values[0]})
        )
    return cases


def result_cases(method: Callable[[Bools, Floats], Result]) -> list[Case]:
    """Return one case per data set from a function that returns a result."""
    found = []
    for name, make in CASES.items():
        result = method(*make())
        call = result.r_call()
        assert call is not None
        found.append(Case(name, call, result.r_values()))
    return found


def area(label: Bools, score: Floats, method: Any) -> Result:
    """Return the area under the precision-recall curve."""
    return pc.auc_pr(label, score, positive=True, method=method)


def cost(label: Bools, score: Floats, **options: Any) -> Result:
    """Return the risk at the median score."""
    t = float(np.median(score))
    return pc.risk(label, score, positive=True, threshold=t, **options)


def measure_checks() -> list[Check]:
    """Return the checks of every measure of predictions."""
    checks = [
        Check(
            "confusion counts and rates",
            "table(), mean(), cor() by definition",
            rate_cases,
            {"*": CLOSED},
        ),
        Check(
            "AUC, AUC-PR by three methods",
            "wilcox.test; sums over the curve and the cases",
            area_cases,
            {"*": CLOSED},
        ),
        Check("partial AUC", "approx()", partial_cases, {"*": CLOSED}),
        Check(
            "Brier score, log loss, calibration error",
            "mean(); dbinom(log = TRUE); findInterval()",
            probability_cases,
            {"*": CLOSED, "ece": Wanted(10, "differences of means that nearly cancel")},
        ),
        Check(
            "break-even point, Kolmogorov-Smirnov statistic",
            "ecdf(); a sum over the cases",
            rank_cases,
            {"*": CLOSED},
        ),
        Check("lift", "a sum over the cases", lift_cases, {"*": CLOSED}),
        Check("SAR", "mean(); wilcox.test", sar_cases, {"*": CLOSED}),
        Check(
            "precision-recall curve",
            "cumsum() of the sorted cases",
            partial(result_cases, partial(pc.pr_curve, positive=True)),
            {"*": CLOSED},
        ),
        *(
            Check(
                f"precision-recall curve, prevalence 0.02{title}",
                "weighted cumsum() of the sorted cases",
                partial(
                    result_cases,
                    partial(pc.pr_curve, positive=True, prevalence=0.02, **options),
                ),
                {"*": CLOSED},
            )
            for title, options in (("", {}), (", hull", {"hull": True}))
        ),
        *(
            Check(
                f"auc_pr, {method}, prevalence 0.7",
                "weighted sums over the curve and the cases",
                partial(
                    result_cases,
                    partial(pc.auc_pr, positive=True, prevalence=0.7, method=method),
                ),
                {"*": CLOSED},
            )
            for method in ("trapezoid", "davis-goadrich", "average-precision")
        ),
        Check(
            "precision-recall curve of the ROC hull",
            "chull(), approx()",
            partial(result_cases, partial(pc.pr_curve, positive=True, hull=True)),
            {"*": CLOSED},
        ),
    ]
    checks += [
        Check(
            f"auc_pr, {method}",
            "sums over the curve and the cases",
            partial(result_cases, partial(area, method=method)),
            {"*": CLOSED},
        )
        for method in ("trapezoid", "davis-goadrich", "average-precision")
    ]
    forms: dict[str, dict[str, Any]] = {
        "risk, cost ratio 2": {"cost_ratio": 2.0},
        "risk, loss matrix": {"loss": [[-0.5, 4.0], [1.5, 0.2]]},
    }
    checks += [
        Check(
            title,
            "sum of costs times table()",
            partial(result_cases, partial(cost, **options)),
            {"*": CLOSED},
        )
        for title, options in forms.items()
    ]
    return checks
