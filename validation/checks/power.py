"""Checks of the power by formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import pycompare as pc
from pycompare import sizes
from pycompare.sizes.design import StudyDesign

from ..agreement import Case, Check, Package, Wanted

EXACT = Wanted(11, "R's pt(ncp =) has 12 decimals")
NONCENTRAL_F = Wanted(8, "R's pf(ncp =) ends its sum at 1e-9")
ROOT = Package("base R: power.t.test, pt, pf, pnorm, dbinom")
VAN_DYKE = {
    "VAR_R": 0.00153499935,
    "VAR_TR": 0.00020040252,
    "COV1": 0.00034661371,
    "COV2": 0.00034407483,
    "COV3": 0.00023902837,
    "ERROR": 0.00080228827,
}
"""Published components of a study of 5 readers and 114 cases (Van Dyke et al. 1993),
as in the documentation of RJafroc; its data are not here."""
RATED: dict[str, Any] = {
    "reader": 0.0055,
    "modality_reader": 0.01,
    "case": 0.3,
    "modality_case": 0.2,
    "reader_case": 0.2,
    "error": 0.3,
}
SIZES: Mapping[str, tuple[StudyDesign, list[int]]] = {
    "paired t": (sizes.PairedT(difference=0.02, sd=0.04), [5, 34, 200]),
    "paired t, no difference": (sizes.PairedT(difference=0.0, sd=1.0), [2, 10]),
    "corrected t": (
        sizes.CorrectedT(difference=0.05, sd=0.05, test_share=1 / 9),
        [5, 10, 100],
    ),
    "sign": (sizes.Sign(win=0.75, tie=0.1), [8, 40, 150]),
    "gate": (sizes.Gate(margin=0.05, discordance=0.1), [60, 200, 340]),
    "gate, worse": (
        sizes.Gate(margin=0.05, discordance=0.1, difference=-0.02),
        [120],
    ),
    "labels": (
        sizes.Labels(difference=0.1, sd=0.535, correlation=0.7, items=3000),
        [10, 61, 127, 2999],
    ),
    "labels, these items, graded": (
        sizes.Labels(
            difference=-0.2,
            sd=1.1,
            correlation=-0.4,
            items=800,
            binary=False,
            population="these",
        ),
        [12, 200, 500],
    ),
    "McNemar": (sizes.McNemar(only_first=0.1, only_second=0.05), [60, 200]),
    "equivalence": (sizes.Equivalence(margin=0.02, sd=0.04), [5, 20, 60]),
    "equivalence, off centre": (
        sizes.Equivalence(margin=0.02, sd=0.02, difference=0.012),
        [12, 80],
    ),
    "non-inferiority": (
        sizes.NonInferiority(margin=0.02, sd=0.04, difference=-0.005),
        [10, 60],
    ),
    "blocked ANOVA": (sizes.BlockedAnova(means=(0, 0.01, 0.03), sd=0.04), [4, 30]),
    "mean vectors": (
        sizes.MeanVectors(difference=(0.02, 0.01), sd=(0.04, 0.03), correlation=0.3),
        [4, 25],
    ),
    "MANOVA of two metrics": (
        sizes.Manova(
            means=((0.9, 0.8), (0.92, 0.8), (0.93, 0.81)),
            sd=(0.04, 0.03),
            correlation=0.3,
        ),
        [3, 20, 60],
    ),
    "MANOVA of three metrics": (
        sizes.Manova(
            means=((0, 0, 0), (0.04, 0, 0), (0, 0.04, 0), (0, 0, 0.04)), sd=(0.03,) * 3
        ),
        [5],
    ),
    "MANOVA of two algorithms": (
        sizes.Manova(means=((0, 0), (0.02, 0.01)), sd=(0.04, 0.03)),
        [5, 30],
    ),
    "AUC": (sizes.Auc(auc=0.7, prevalence=0.3), [20, 90]),
    "AUC, Hanley-McNeil": (
        sizes.Auc(auc=0.7, null=0.6, variance="hanley-mcneil"),
        [20, 90],
    ),
    "DeLong": (
        sizes.Delong(auc_1=0.8, auc_2=0.88, correlation=0.5, prevalence=0.4),
        [50, 400],
    ),
    "DeLong, margin": (
        sizes.DelongMargin(auc_1=0.84, auc_2=0.85, correlation=0.6, margin=0.05),
        [60, 300],
    ),
    "sensitivity of readers": (
        sizes.Mrmc(areas=(0.75, 0.85, 0.8), figure="sensitivity", n_cases=160, **RATED),
        [3, 8, 30],
    ),
    "specificity of readers, cases": (
        sizes.MrmcCases(
            areas=(0.8, 0.9),
            figure="specificity",
            n_readers=5,
            prevalence=0.3,
            **RATED,
        ),
        [60, 200],
    ),
    "readers and cases": (
        sizes.Mrmc(
            areas=(0.8, 0.86, 0.85),
            reader=0.0055,
            modality_reader=0.01,
            case=0.3,
            modality_case=0.3,
            reader_case=0.2,
            error=0.2,
            n_cases=120,
        ),
        [3, 8, 30],
    ),
    "readers and cases, cases": (
        sizes.MrmcCases(
            areas=(0.8, 0.86),
            reader=0.0055,
            modality_reader=0.01,
            case=0.3,
            modality_case=0.3,
            reader_case=0.2,
            error=0.2,
            n_readers=4,
        ),
        [60, 200],
    ),
    "components of readers": (
        sizes.Mrmc(
            areas=(0.8, 0.86, 0.85),
            components={**VAN_DYKE, "VAR_TR": -0.0001},
            component_cases=114,
            n_cases=200,
        ),
        [3, 8, 30],
    ),
    "components of readers, cases": (
        sizes.MrmcCases(
            areas=(0.897037, 0.940837322),
            components=VAN_DYKE,
            component_cases=114,
            n_readers=10,
        ),
        [60, 165],
    ),
}

OF_F = (
    sizes.BlockedAnova,
    sizes.MeanVectors,
    sizes.Manova,
    sizes.Mrmc,
    sizes.MrmcCases,
)


def power_checks() -> list[Check]:
    """Return the checks of every formula."""

    def cases(of_f: bool) -> Iterator[Case]:
        for title, (design, n) in SIZES.items():
            if isinstance(design, OF_F) != of_f:
                continue
            found = pc.power(design, n=n, trials=0)
            call = found.r_call()
            assert call is not None
            yield Case(title, call, found.r_values())

    return [
        Check("power by formula", ROOT, partial(cases, False), {"*": EXACT}),
        Check("power of F tests", ROOT, partial(cases, True), {"*": NONCENTRAL_F}),
    ]
