"""Checks of ROC curves and of inference on AUCs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import pycompare as pc
from pycompare.methods.curves.interval import IN_CLUSTERS, AucIntervalMethod
from pycompare.results.result import Result

from ..agreement import Case, Check, Package, Wanted

EXACT = Wanted(14, "counts of pairs, one division")
CLOSED = Wanted(12, "closed form")
TAIL = Wanted(11, "tail of a distribution: the last digit of the statistic, magnified")
SUBTRACTED = Wanted(
    11, "pROC subtracts rounded areas, we subtract counts of pairs", floor=1e-2
)
LOG_WEIGHTS = Wanted(11, "R's lchoose has no more digits with thousands of cases")


class Data(NamedTuple):
    """Labels, and scores of several classifiers, one column each."""

    label: NDArray[Any]
    score: NDArray[np.float64]


def simulated(
    n: int, k: int, seed: int, strength: float = 1.0, grid: float = 0.0
) -> Data:
    """Make correlated normal scores of two classes, rounded to a grid if wanted."""
    rng = np.random.default_rng(seed)
    label = np.where(rng.random(n) < 0.4, "sick", "well")
    label[:4] = ["sick", "sick", "well", "well"]
    score = rng.normal(size=(n, k)) + rng.normal(size=(n, 1))
    score += strength * (label == "sick")[:, None]
    return Data(label, np.round(score / grid) * grid if grid else score)


def with_perfect(data: Data) -> Data:
    """Add a classifier without errors."""
    perfect = (data.label == "sick").astype(float)
    return Data(data.label, np.column_stack([data.score, perfect]))


DATA: Mapping[str, Callable[[], Data]] = {
    "200 cases x 3": lambda: simulated(200, 3, 1),
    "60 cases x 2, ties": lambda: simulated(60, 2, 2, grid=0.5),
    "90 cases x 5, few levels": lambda: simulated(90, 5, 3, grid=1.0),
    "12 cases x 2": lambda: simulated(12, 2, 4),
    "1000 cases x 2, strong": lambda: simulated(1000, 2, 5, strength=4.0),
    "500 cases x 4, no difference": lambda: simulated(500, 4, 6, strength=0.0),
    "scale 1e-300, 80 cases x 2": lambda: Data(
        simulated(80, 2, 7).label, simulated(80, 2, 7).score * 1e-300
    ),
    "one perfect, 50 cases x 3": lambda: with_perfect(simulated(50, 2, 8)),
}


def cases_of(method: Callable[[Data], Result], names: list[str]) -> Iterator[Case]:
    """Make one case per data set."""
    for name in names:
        result = method(DATA[name]())
        call = result.r_call()
        assert call is not None, f"{name} has no R call"
        yield Case(name, call, result.r_values())


def check(
    statistic: str,
    reference: str,
    method: Callable[[Data], Result],
    without: tuple[str, ...] = (),
    /,
    **wanted: Wanted,
) -> Check:
    """Make the check of a method over the data sets."""
    names = [name for name in DATA if not any(word in name for word in without)]
    rules = {"*": CLOSED, "p_value": TAIL, "p_adjusted": TAIL} | wanted
    cases = partial(cases_of, method, names)
    return Check(statistic, reference, cases, rules)


def one(function: Callable[..., Result], **options: Any) -> Callable[[Data], Result]:
    """Apply a function of one score to the last classifier."""
    return lambda d: function(d.label, d.score[:, -1], positive="sick", **options)


def many(function: Callable[..., Result], **options: Any) -> Callable[[Data], Result]:
    """Apply a function of several scores."""
    return lambda d: function(d.label, d.score, positive="sick", **options)


def two(function: Callable[..., Result], **options: Any) -> Callable[[Data], Result]:
    """Apply a function of two scores to the first two classifiers."""
    return lambda d: function(d.label, d.score[:, :2], positive="sick", **options)


def binormal_check() -> Check:
    """Return the check of the area of normal scores."""
    return check(
        "binormal area",
        "delta method (own derivation)",
        one(pc.binormal_auc),
        ("perfect", "scale"),
        **{"*": SUBTRACTED},
    )


def dominance_cases() -> Iterator[Case]:
    """Make cases of both kinds of curves, with ties and without."""
    for name in ("80 cases", "60 cases x 2, ties", "200 cases x 3"):
        for kind, low in (("roc", 0.0), ("pr", 0.0), ("pr", 0.2)):
            options = {"kind": kind, "low": low, "resamples": 99, "level": 0.9}
            if name == "200 cases x 3":
                options |= {"n_pairs": 3, "resamples": 60}
            data = simulated(80, 2, 9) if name == "80 cases" else DATA[name]()
            result = two(pc.curve_dominance, **options)(data)
            call = result.r_call()
            assert call is not None
            yield Case(f"{name}, {kind} from {low:g}", call, result.r_values())


def patients(d: Data) -> NDArray[np.intp]:
    """Return clusters of one to four cases, of both classes and of one."""
    rng = np.random.default_rng(11)
    sizes = rng.integers(1, 5, size=len(d.label))
    return np.repeat(np.arange(len(sizes)), sizes)[: len(d.label)]


def clustered(
    function: Callable[..., Result], **options: Any
) -> Callable[[Data], Result]:
    """Apply a function of several scores to cases in clusters."""
    return lambda d: function(
        d.label, d.score, positive="sick", cluster=patients(d), **options
    )


def interval_of_clusters(d: Data, method: AucIntervalMethod) -> Result:
    """Return the interval of the last classifier over clusters."""
    return pc.auc_interval(
        d.label, d.score[:, -1], positive="sick", method=method, cluster=patients(d)
    )


def unpaired(d: Data, alternative: Any) -> Result:
    """Compare two classifiers on the two halves of the cases."""
    # Every other case: both halves keep the two cases of each class at the front.
    first, second = np.arange(len(d.label)) % 2 == 0, np.arange(len(d.label)) % 2 == 1
    return pc.delong_unpaired(
        np.concatenate([d.label[:4], d.label[first]]),
        np.concatenate([d.score[:4, 0], d.score[first, 0]]),
        np.concatenate([d.label[:4], d.label[second]]),
        np.concatenate([d.score[:4, 1], d.score[second, 1]]),
        positive="sick",
        alternative=alternative,
    )


def folds(d: Data, n_folds: int = 2) -> NDArray[np.intp]:
    """Return folds with both classes in each."""
    fold = np.empty(len(d.label), np.intp)
    for side in ("sick", "well"):
        at = np.flatnonzero(d.label == side)
        fold[at] = np.arange(len(at)) % n_folds
    return fold


def repeated(d: Data) -> Result:
    """Cross-validate three times, with noise of training in the scores."""
    rng = np.random.default_rng(9)
    n, fold = len(d.label), folds(d)
    shifted = [np.where(rng.random() < 0.5, fold, 1 - fold) for _ in range(3)]
    noise = rng.normal(size=(3, n)) * np.std(d.score) / 3
    return pc.cv_auc(
        np.tile(d.label, 3),
        (d.score[:, 0] + noise).ravel(),
        fold=np.concatenate(shifted),
        positive="sick",
        repeat=np.repeat([1, 2, 3], n),
        case=np.tile(np.arange(n), 3),
    )


def mean_roc(d: Data) -> Result:
    """Average the ROC curves of the first of two classifiers over folds."""
    rows = {"label": d.label, "fold": folds(d)}
    frame = pd.concat(
        pd.DataFrame({**rows, "algorithm": f"A{j}", "score": d.score[:, j]})
        for j in range(2)
    )
    predictions = pc.Predictions.from_frame(
        frame,
        algorithm="algorithm",
        block="fold",
        label="label",
        score="score",
        positive="sick",
    )
    return pc.mean_curve(predictions, algorithm="A0")


def curve_checks() -> list[Check]:
    """Return the checks of ROC curves and inference on AUCs."""
    exact = {"area": EXACT, "covariance": EXACT, "area_1": EXACT, "area_2": EXACT}
    differences = {"estimate": SUBTRACTED, "statistic": SUBTRACTED}
    differences |= {"conf_low": SUBTRACTED, "conf_high": SUBTRACTED}
    together = {"omnibus_p_value": TAIL, "omnibus_statistic": SUBTRACTED}
    made = [
        binormal_check(),
        check(
            "ROC curve, AUC, partial AUC", Package("pROC::roc, auc"), one(pc.roc_curve)
        ),
        *(
            check(
                f"DeLong, all pairs and all together, {adjust}",
                Package("pROC::roc.test, cov; eigen"),
                many(pc.delong, adjust=adjust, level=level),
                **exact,
                **differences,
                **together,
            )
            for adjust, level in (("holm", 0.95), ("shaffer", 0.9), ("BH", 0.99))
        ),
        check(
            "DeLong, intervals that agree with decisions at 0.2",
            Package("pROC::roc.test, cov; eigen"),
            many(pc.delong, alpha=0.2),
            **exact,
            **differences,
            **together,
        ),
        check(
            "DeLong, comparisons with a control",
            Package("pROC::roc.test, cov; eigen"),
            many(pc.delong, control="score 2"),
            **exact,
            **differences,
            **together,
        ),
        *(
            check(
                f"AUC margins, {title}",
                "pROC::roc.test, pnorm",
                many(pc.auc_margins, **options),
                **exact,
                **differences,
            )
            for title, options in (
                ("all pairs", {"margin": 0.05}),
                (
                    "non-inferiority to a control",
                    {"margin": 0.1, "control": "score 2", "kind": "non-inferiority"},
                ),
            )
        ),
        check(
            "AUC margins, clusters",
            "definition (Obuchowski 1997), pnorm",
            clustered(partial(pc.auc_margins, margin=0.1)),
        ),
        check(
            "DeLong, clusters, all pairs and all together",
            "definition (Obuchowski 1997); eigen",
            clustered(pc.delong),
            **together,
        ),
        *(
            check(
                f"DeLong, different cases, {alternative}",
                Package("pROC::roc.test(paired = FALSE), qt"),
                partial(unpaired, alternative=alternative),
                **exact,
                **differences,
            )
            for alternative in ("two-sided", "greater", "less")
        ),
        *interval_checks(),
        *(
            check(
                f"Hanley-McNeil 1983, {kind}, {alternative}",
                "formula, cor, approx on the printed table",
                two(pc.hanley_mcneil, correlation=kind, alternative=alternative),
                # Correlated below 0, where the table ends; cor() squares 1e-300 to 0.
                ("12 cases", "scale 1e-300"),
                **differences,
            )
            for kind, alternative in (("pearson", "two-sided"), ("kendall", "less"))
        ),
        check(
            "Hanley-McNeil 1983, r given",
            "formula",
            two(pc.hanley_mcneil, r=0.35, alternative="greater"),
            **differences,
        ),
        Check(
            "one curve above another, simultaneous band",
            "heights by approx(), the same resamples",
            dominance_cases,
            {"*": Wanted(11, "interpolated heights, squared and summed")},
        ),
        Check(
            "exchange of ranks, exact p",
            "all exchanges listed",
            partial(cases_of, two(pc.auc_exchange, p_value="exact"), ["12 cases x 2"]),
            {"*": CLOSED},
        ),
    ]
    return made


def interval_checks() -> list[Check]:
    """Return the checks of intervals of one AUC."""
    behind = {
        "effective-size": Package("pROC::var, qbeta"),
        "delong": Package("pROC::ci.auc, var"),
        "delong-logit": "pROC::var, qlogis",
        "hanley-mcneil": "formula",
        "agarwal": "formula",
    }
    made = [
        check(
            f"AUC interval, {method}, {level:g}",
            witness,
            one(pc.auc_interval, method=method, level=level),
        )
        for method, witness in behind.items()
        for level in (0.9, 0.99)
    ]
    made += [
        check(
            f"average precision, interval, {level:g}",
            "definition, qbeta",
            one(pc.average_precision_interval, level=level),
        )
        for level in (0.9, 0.99)
    ]
    made += [
        check(
            "AUC interval, cortes-mohri",
            "lchoose, binom.test",
            lambda d: pc.auc_interval(
                d.label,
                d.score[:, 0],
                positive="sick",
                method="cortes-mohri",
                threshold=float(np.median(d.score[:, 0])),
            ),
            **{"*": LOG_WEIGHTS},
        ),
        *(
            check(
                f"AUC interval, {method}, clusters",
                "definition (Obuchowski 1997)",
                partial(interval_of_clusters, method=method),
            )
            for method in IN_CLUSTERS[:3]
        ),
        check(
            "AUC interval, fold-t",
            Package("pROC::roc, t.test"),
            lambda d: pc.auc_interval(
                d.label,
                d.score[:, 0],
                positive="sick",
                method="fold-t",
                fold=folds(d),
            ),
        ),
        check(
            "cross-validated AUC",
            "influence case by case",
            lambda d: pc.cv_auc(d.label, d.score[:, 0], positive="sick", fold=folds(d)),
        ),
        check("cross-validated AUC, repeated", "influence case by case", repeated),
        check(
            "AUCs cross-validated, pairs",
            "influence case by case",
            lambda d: pc.cv_auc_pairs(d.label, d.score, positive="sick", fold=folds(d)),
        ),
        check("mean ROC curve of folds", "approx, sd", mean_roc),
    ]
    return made
