"""The methods under study: public functions that compare all pairs of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pycompare as pc
from pycompare.results.result import PairsResult

FLIPS = 399

Method = Callable[[pc.Scores], PairsResult]


def mcnemar(form: str, adjust: str, control: str | None = None) -> Method:
    """Return McNemar's tests of pairs."""

    def made(scores: pc.Scores) -> PairsResult:
        words = {"p_value": form, "adjust": adjust, "control": control}
        return pc.mcnemar_pairs(scores, **words)  # type: ignore[arg-type]

    return made


def of_clusters(adjust: str, control: str | None = None) -> Method:
    """Return cluster-robust t tests."""
    return lambda scores: pc.cluster_pairs(scores, adjust=adjust, control=control)


def flips(scores: pc.Scores) -> PairsResult:
    """Return max-T by flips of items or clusters."""
    return pc.max_t(scores, flips=FLIPS)


OF_CASES: Mapping[str, Method] = {
    "cases/mcnemar-exact/bergmann-hommel": mcnemar("exact", "bergmann-hommel"),
    "cases/mcnemar-exact/holm/control": mcnemar("exact", "holm", "A"),
    "cases/mcnemar-mid-p/bergmann-hommel": mcnemar("mid-p", "bergmann-hommel"),
    "cases/mcnemar-mid-p/holm/control": mcnemar("mid-p", "holm", "A"),
    "cases/mcnemar-chi2/bergmann-hommel": mcnemar("chi2", "bergmann-hommel"),
    "cases/mcnemar-chi2/holm/control": mcnemar("chi2", "holm", "A"),
    "cases/mcnemar-chi2-corrected/bergmann-hommel": mcnemar(
        "chi2-corrected", "bergmann-hommel"
    ),
    "cases/mcnemar-chi2-corrected/holm/control": mcnemar("chi2-corrected", "holm", "A"),
    "scores/max-t": flips,
}
OF_CLUSTERS: Mapping[str, Method] = {
    "cases/cluster-t/bergmann-hommel": of_clusters("bergmann-hommel"),
    "cases/cluster-t/holm/control": of_clusters("holm", "A"),
    "scores/max-t": flips,
}


def by_weights(weights: Mapping[str, float]) -> Mapping[str, Method]:
    """Return the methods for weighted means."""

    def t(adjust: str, control: str | None = None) -> Method:
        words: Any = {"weights": weights, "adjust": adjust, "control": control}
        return lambda scores: pc.weighted_pairs(scores, **words)

    def of_flips(control: str | None = None) -> Method:
        words: Any = {"weights": weights, "control": control, "flips": FLIPS}
        return lambda scores: pc.max_t(scores, **words)

    return {
        "weighted/t/bergmann-hommel": t("bergmann-hommel"),
        "weighted/t/holm/control": t("holm", "A"),
        "weighted/max-t": of_flips(),
        "weighted/max-t/control": of_flips("A"),
    }


OF_RANKS: Mapping[str, Method] = {
    "max-T, step-down": flips,
    "McNemar exact, Bergmann-Hommel": mcnemar("exact", "bergmann-hommel"),
    "paired t, Holm": lambda scores: pc.paired_t_pairs(scores, adjust="holm"),
    "paired t, Bergmann-Hommel": lambda scores: pc.paired_t_pairs(
        scores, adjust="bergmann-hommel"
    ),
    "paired t, Bonferroni": lambda scores: pc.paired_t_pairs(
        scores, adjust="bonferroni"
    ),
}
