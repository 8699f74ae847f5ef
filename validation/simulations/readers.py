"""The page of the studies of readers and cases."""

from __future__ import annotations

from typing import Any

import numpy as np

from pycompare.sizes.simulation import reader_pairs
from pycompare.sizes.simulation import reader_tests as tests
from pycompare.sizes.simulation.result import SimulationResult

from ..markdown import spaced_table, table
from .parts import head

BAND = (0.035, 0.06)
"""Wanted of the level of OR with Hillis' df where training sets are readers."""


def reader_page(
    found: SimulationResult,
    designs: SimulationResult,
    families: SimulationResult,
    few_readers: SimulationResult,
    coverage: SimulationResult,
    many: SimulationResult,
) -> list[str]:
    """Return the page of levels of analyses of readers and cases."""
    wide, runs = found.wide(), found.trials
    few = designs.trials
    return [
        *head(
            "Level of analyses of readers and cases",
            *(found, designs, families, few_readers, coverage, many),
        ),
        "",
        f"The share of {runs} studies without any difference in which the test rejects "
        f"at 0.05 (Monte Carlo standard error {error(runs):.4f} at 0.05). Pairs: the "
        f"share of studies in which at least one pair is rejected.",
        "",
        "In the first four rows ten training sets of 400 cases a class are the readers "
        "and one test set of 100 cases a class the cases. The two algorithms lack one "
        "feature each, so that their expected AUCs are equal, not their AUCs on these "
        "cases. The two-way analysis of variance of AUCs, with training sets as "
        "blocks, generalises to new training sets tested on these very cases. About "
        "new cases it says nothing, so it rejects far more often than 0.05.",
        "",
        f"**{level_sentence(wide[tests.HILLIS])}**",
        *spaced_table(
            [
                ["study", *wide.columns],
                *(
                    [name, *("" if np.isnan(v) else f"{v:.4f}" for v in row)]
                    for name, row in zip(wide.index, wide.to_numpy(), strict=True)
                ),
            ]
        ),
        "## Other designs",
        "",
        f"Roe and Metz's model, `pc.mrmc` with random readers and cases: the share of "
        f"{few} studies in which a pair is rejected at 0.05 (Holm; Monte Carlo "
        f"standard error {error(few):.4f}).",
        *spaced_table(
            [
                ["design", "share"],
                *(
                    [str(name), f"{value:.4f}"]
                    for name, value in designs.wide().iloc[:, 0].items()
                ),
            ]
        ),
        "## Controls and margins",
        "",
        f"Roe and Metz's model, 4 modalities x 5 readers x 100 cases, random readers "
        f"and cases: the share of {families.trials} studies in which a true hypothesis "
        "is rejected (Holm, alpha = 0.05, one-sided against a margin; Monte Carlo "
        f"standard error {error(families.trials):.4f} at 0.05). A pair on the margin "
        "differs by just the margin. Pairs have Hillis' test with their own error "
        '(`pair_tests="published"`), the pooled error, or the largest of three '
        "p-values, which is the default.",
        *spaced_table(
            [
                ["hypotheses", "modalities", "family-wise error"],
                *(
                    [name, "4", f"{value:.4f}"]
                    for name, value in families.wide().iloc[:, 0].items()
                ),
            ]
        ),
        "## All pairs with few readers",
        "",
        *pairs_of_few_readers(few_readers),
        "## Intervals of components of variance",
        "",
        f"The share of {coverage.trials} studies of Roe and Metz's model in which the "
        "95% limits hold the expected component of the AUC (Monte Carlo standard error "
        f"{error(coverage.trials):.4f}). The limits are the modified large-sample "
        "limits of Ting et al. (1990) for mean squares of pseudovalues.",
        "",
        "`pc.variance_components` gives them for readers and modality x reader only. "
        "Those of the covariances over cases are shown to say why it does not: "
        "pseudovalues of an AUC are not normal, and the limits are too narrow.",
        *spaced_table(
            [
                ["model", *coverage.wide().columns],
                *(
                    [name, *(f"{v:.4f}" for v in row)]
                    for name, row in zip(
                        coverage.wide().index, coverage.wide().to_numpy(), strict=True
                    )
                ),
            ]
        ),
        "## A million studies",
        "",
        f"Roe and Metz's model, {many.wide().index[0]}, {many.trials} studies: with so "
        f"many the Monte Carlo standard error at 0.05 is {error(many.trials):.5f}.",
        "",
        *table(
            [
                ["analysis", "share", "95% limits"],
                *(
                    [
                        row["statistic"],
                        f"{row['estimate']:.5f}",
                        f"{row['conf_low']:.5f} to {row['conf_high']:.5f}",
                    ]
                    for row in many.table.to_dict("records")
                ),
            ]
        ),
    ]


def pairs_of_few_readers(found: SimulationResult) -> list[str]:
    """Return the levels of two tests of all pairs, and the largest of each."""
    wide = found.wide()
    own, largest = wide[reader_pairs.HILLIS], wide[reader_pairs.LARGEST]
    return [
        f"Roe and Metz's model, 100 cases, no modality differs: the share of "
        f"{found.trials} studies in which a pair is rejected (Holm, alpha = 0.05; "
        f"Monte Carlo standard error {error(found.trials):.4f} at 0.05). Readers who "
        "are alike, unlike or very unlike have a variance of modality x reader of "
        f"{', '.join(f'{v:g}' for v in reader_pairs.SPREADS.values())}. Noisy ratings "
        "have separation 0.75, variances of cases and of modality x case of 0.1, and "
        "an error variance of 0.6; the others 1.5, 0.3 and 0.2.",
        "",
        "Each pair has its own error. The published analysis has Hillis' degrees of "
        "freedom, which are few with few readers. The adjustment of many pairs then "
        "needs the far tail of t, where the approximation is poorest. "
        '`pc.mrmc(pair_tests="published")` has it, without a claim about its level: of '
        "three or more modalities with fewer than ten readers, and of two modalities "
        "with fewer than five.",
        "",
        "The default of `pc.mrmc` for three or more modalities takes the largest "
        "p-value of three: Hillis', that of these readers with new cases, and that of "
        "new readers with these cases. The comparison of two modalities is the "
        "published one, with two readers as well.",
        "",
        f"**The largest family-wise error is {own.max():.3f} by Hillis' analysis and "
        f"{largest.max():.3f} by the largest of three p-values.**",
        *spaced_table(
            [
                ["study", *wide.columns],
                *(
                    [str(name), *(f"{v:.4f}" for v in row)]
                    for name, row in zip(wide.index, wide.to_numpy(), strict=True)
                ),
            ]
        ),
    ]


def error(runs: int) -> float:
    """Return the standard error of a share of 0.05."""
    return float(np.sqrt(0.05 * 0.95 / runs))


def level_sentence(levels: Any) -> str:
    """Say how many levels with training sets as readers lie in the band wanted."""
    low, high = BAND
    rows = levels.iloc[:4]
    inside = int(rows.between(low, high).sum())
    return (
        f"OR with Hillis' degrees of freedom: {inside} of {len(rows)} levels with "
        f"training sets as readers lie within [{low:g}, {high:g}]."
    )
