"""Checks of rankings of challenges: whole and resampled cases, max-T of their ranks."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Matrix

from ..agreement import Case, Check, Package
from ..making import CLOSED, Makers, check


def challenge_scores(
    sizes: tuple[int, ...],
    a: int,
    seed: int,
    *,
    failing: float = 0.0,
    patients: int = 0,
    tied: bool = False,
) -> pc.Scores:
    """Return scores of tasks; ``patients`` have cases in each of them."""
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    x = rng.normal(size=(n, 1)) + rng.normal(size=(n, a)) - 0.2 * np.arange(a)
    x = np.rint(2 * x) / 4 + 3 if tied else 1 / (1 + np.exp(-x))
    failed = rng.random((n, a)) < failing
    failed[failed.all(axis=1)] = False
    groups = np.repeat([f"t{at}" for at in range(len(sizes))], sizes).tolist()
    owners = [f"p{i % patients}" for i in range(n)] if patients else None
    return pc.Scores(
        np.where(failed, np.nan, x)[:, :, None],
        blocks=tuple(f"c{i}" for i in range(n)),
        algorithms=tuple(f"A{i + 1}" for i in range(a)),
        metrics=(pc.Metric("score", "higher"),),
        missing="model" if failing else "error",
        groups=tuple(groups) if len(sizes) > 1 else None,
        clusters=None if owners is None else tuple(owners),
    )


ONE: Makers = {
    "30x4": lambda: challenge_scores((30,), 4, 81),
    "40x5, ties": lambda: challenge_scores((40,), 5, 82, tied=True),
    "24x3, patients": lambda: challenge_scores((24,), 3, 83, patients=7),
}
SEVERAL: Makers = {
    "20 and 35 x 4": lambda: challenge_scores((20, 35), 4, 84),
    "10, 12 and 30 x 3, ties": lambda: challenge_scores((10, 12, 30), 3, 85, tied=True),
    "15 and 25 x 4, patients in both": lambda: challenge_scores(
        (15, 25), 4, 86, patients=9
    ),
}
FAILED: Makers = {
    "30x4, failures": lambda: challenge_scores((30,), 4, 87, failing=0.06),
    "40x5, ties and failures": lambda: challenge_scores(
        (40,), 5, 88, failing=0.1, tied=True
    ),
}
_DERIVED = "derivation in R, resamples by stats::runif"


def challenge_checks() -> list[Check]:
    """Return the checks of this file."""
    ranked = partial(pc.challenge, ranking="rank-then-aggregate", resamples=40)
    by_scores = partial(pc.challenge, ranking="aggregate-then-rank", resamples=40)
    by_tests = partial(pc.challenge, ranking="test-then-rank", resamples=10)
    forms: dict[str, Any] = {
        "mean ranks": ranked,
        "median ranks, first of ties": partial(
            ranked, aggregate="median", tied_ranks="min"
        ),
        "mean scores": by_scores,
        "a quantile": partial(by_scores, aggregate=0.2),
        "tests": by_tests,
        "unadjusted tests": partial(by_tests, adjust="none", alpha=0.2),
    }
    # Weighted means of scores need clusters that lie within tasks.
    own_clusters = {name: make for name, make in SEVERAL.items() if "both" not in name}
    flips = partial(pc.max_t, on="ranks", weights="equal", flips=99)
    return [
        *(
            check(f"challenge, {title}", _DERIVED, ONE, form)
            for title, form in forms.items()
        ),
        *(
            check(
                f"challenge over tasks, {title}",
                _DERIVED,
                own_clusters if title == "mean scores" else SEVERAL,
                partial(form, weights="cases"),
            )
            for title, form in forms.items()
        ),
        *(
            check(
                f"challenge with failures, {ties} of ties",
                _DERIVED,
                FAILED,
                partial(ranked, tied_ranks=ties),
            )
            for ties in ("mean", "min")
        ),
        check(
            "challenge, max-T of ranks over tasks", "derivation in R", SEVERAL, flips
        ),
        check(
            "challenge, max-T of ranks against a control",
            "derivation in R",
            SEVERAL,
            partial(flips, control="A2"),
        ),
        check(
            "challenge, max-T of ranks with failures",
            "derivation in R",
            FAILED,
            lambda scores: _pairs_of(ranked(scores)),
        ),
        Check(
            "challenge, tests, second witness",
            Package("stats::wilcox.test"),
            lambda: [_wilcox(holm) for holm in (False, True)],
            {"*": CLOSED},
        ),
    ]


def _pairs_of(ranked: Any) -> Any:
    return ranked.pairs


def _wilcox(holm: bool) -> Case:
    """Return shares of beaten rivals beside those of R's own test."""
    scores = challenge_scores((40,), 4, 89)
    found = pc.challenge(
        scores, ranking="test-then-rank", adjust="holm" if holm else "none"
    )
    arguments = {
        "x": Matrix(scores.column(), scores.blocks, scores.algorithms),
        "better": "higher",
        "alpha": 0.05,
        "holm": holm,
    }
    call = RCall(
        ("ranks", "max_t", "case_ranks", "challenge"), "challenge_wilcox", arguments
    )
    return Case(f"holm {holm}", call, {"value": found.table["value"].to_numpy()})
