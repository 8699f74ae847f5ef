"""Each reader is left out in turn."""

from __future__ import annotations

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.readers_left_out import readers_left_out, stricter_claims
from pycompare.reporting.mrmc_report import contents
from pycompare.reporting.provenance import Origin


def ratings(odd: float, n_readers: int = 5, t: int = 3) -> pc.Ratings:
    """Return readers of whom the first sees a difference that is ``odd`` larger."""
    rng = np.random.default_rng(2)
    ill = np.arange(60) < 30
    shift = np.full((t, n_readers), 1.0)
    shift[0] += 0.25
    shift[0, 0] += odd
    noise = 0.7 * rng.normal(size=(t, n_readers, 60)) + 0.7 * rng.normal(size=60)
    return pc.Ratings(
        values=noise + shift[:, :, None] * ill,
        truth=ill,
        modalities=tuple("ABC"[:t]),
        readers=tuple(f"r{j}" for j in range(n_readers)),
        cases=tuple(map(str, range(60))),
    )


def test_decisions_are_those_of_the_analysis_without_the_reader():
    study = pc.mrmc(ratings(1.5), pair_tests="published", readers="fixed")
    found = readers_left_out(study)
    assert (found.unit, found.n_units, found.why_not) == ("reader", 5, "")
    planned = study.rejected(0.05).tolist()
    changed = set()
    for name in study.ratings.readers:
        others = pc.Ratings(
            values=study.ratings.values[:, [r != name for r in study.ratings.readers]],
            truth=study.ratings.truth,
            modalities=study.ratings.modalities,
            readers=tuple(r for r in study.ratings.readers if r != name),
            cases=study.ratings.cases,
        )
        own = pc.mrmc(others, pair_tests="published", readers="fixed").table
        for row, before in zip(own.itertuples(), planned, strict=True):
            if (row.p_adjusted <= 0.05) != before:
                changed.add((frozenset((row.algorithm_1, row.algorithm_2)), name))
    assert changed == {(p, n) for p, names in found.changes.items() for n in names}
    assert changed


def test_what_cannot_be_left_out_says_why():
    few = readers_left_out(pc.mrmc(ratings(0.0, 2, 2)))
    assert few.n_units == 0 and "takes 3" in few.why_not
    drawn = pc.mrmc(ratings(0.0), covariance="bootstrap", resamples=20)
    assert "at random" in readers_left_out(drawn).why_not


@pytest.mark.parametrize("odd", [0.0, 1.5])
def test_the_report_has_the_decisions_that_change(odd):
    study = pc.mrmc(ratings(odd), readers="fixed", pair_tests="published")
    made = contents(study, None, 0.05, Origin(), None)
    changes = readers_left_out(study).changes
    [page] = made.report.results
    told = str(page.sensitivity)
    assert "stay the same without any one of them" in told
    assert all(name in told for names in changes.values() for name in names)
    held = made.results()["left_out"]
    assert held["n_units"] == 5 and len(held["changes"]) == len(changes)


@pytest.mark.parametrize("hypothesis", ["non-inferiority", "equivalence"])
def test_claims_about_a_margin_are_those_of_the_analysis_without_the_reader(hypothesis):
    margin = 0.05 if hypothesis == "non-inferiority" else 0.1
    asked = {"margin": margin, "hypothesis": hypothesis, "control": "B"}
    study = pc.mrmc(ratings(1.5), readers="fixed", **asked)
    found = readers_left_out(study)

    def claimed(result):
        own = "equivalent" if hypothesis == "equivalence" else "non-inferior"
        rows = result.claims[result.claims["claim"] == own]
        rows = rows.assign(stricter=len(rows) * rows["p_value"] <= rows["alpha"])
        ends = rows[["algorithm_1", "algorithm_2"]].itertuples(index=False)
        return dict(zip(map(frozenset, ends), rows["shown"], strict=True)), rows

    planned, rows = claimed(study)
    changed = set()
    for name in study.ratings.readers:
        others = pc.mrmc(study.ratings.without_reader(name), readers="fixed", **asked)
        own, _ = claimed(others)
        changed |= {(pair, name) for pair in planned if own[pair] != planned[pair]}
    assert changed == {(p, n) for p, names in found.changes.items() for n in names}
    assert changed
    same = int((rows["stricter"] == rows["shown"]).sum())
    assert stricter_claims(study) == (same, 2)
    [page] = contents(study, None, 0.05, Origin(), None).report.results
    told = str(page.sensitivity)
    assert "Claims that change without one reader" in told
    assert f"Bonferroni's adjustment in place of Holm's, {same} of 2 claims" in told
