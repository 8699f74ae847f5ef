"""Each case is left out of the tests of AUCs against a margin in turn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.designs.curves_left_out import claims_left_out, stricter_claims
from pycompare.reporting.curves_report import contents
from pycompare.reporting.provenance import Origin


def compared(clusters: bool) -> pc.CurveComparison:
    """Return three tests of 24 cases, which may lie in eight patients."""
    rng = np.random.default_rng(5)
    ill = np.arange(24) % 2 == 0
    base = rng.normal(size=24) + 1.6 * ill
    rows = [
        (
            name,
            k,
            f"p{k // 3}",
            ill[k],
            base[k] + rng.normal(scale=0.3) + shift * ill[k],
        )
        for name, shift in zip("abc", (0.0, 0.1, -0.2), strict=True)
        for k in range(24)
    ]
    frame = pd.DataFrame(rows, columns=["test", "case", "patient", "ill", "score"])
    predictions = pc.Predictions.from_frame(
        frame, algorithm="test", case="case", label="ill", score="score", positive=True,
        cluster="patient" if clusters else None,
    )  # fmt: skip
    return pc.compare_curves(
        predictions, margin=0.1, hypothesis="non-inferiority", control="a"
    )


@pytest.mark.parametrize("clusters", [False, True])
def test_claims_are_those_of_the_tests_without_the_case(clusters):
    comparison = compared(clusters)
    [analysis] = comparison.analyses
    found = claims_left_out(comparison, analysis)
    cases, tests = analysis.over_cases.cases, analysis.margin_over_cases
    of = np.arange(24) if cases.cluster is None else cases.cluster

    def shown(kept):
        scores = dict(zip(cases.names, cases.score[:, kept], strict=True))
        table = pc.auc_margins(
            cases.truth[kept], scores, positive=True, margin=0.1, control="a",
            kind="non-inferiority", alpha=tests.alpha,
            cluster=None if cases.cluster is None else of[kept],
        ).table  # fmt: skip
        return dict(zip(table["algorithm_1"], table["shown"], strict=True))

    planned = shown(of >= 0)
    changed = {
        (frozenset((name, "a")), str(k + 1))
        for k in np.unique(of).tolist()
        for name, now in shown(of != k).items()
        if now != planned[name]
    }
    assert changed == {(p, n) for p, names in found.changes.items() for n in names}
    assert changed and found.n_units == (8 if clusters else 24)
    [page] = contents(comparison, Origin(), None).report.results
    told = str(page.sensitivity)
    unit = "8 clusters" if clusters else "24 cases"
    assert f"without each of the {unit}" in told
    same, of_all = stricter_claims(tests)
    assert f"in place of Holm's, {same} of {of_all} claims" in told
    [held] = contents(comparison, Origin(), None).results()["claims_left_out"]
    assert held["n_units"] == found.n_units
