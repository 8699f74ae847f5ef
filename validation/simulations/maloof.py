"""The page of Maloof's study."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pycompare import plotting
from pycompare.sizes.simulation import maloof
from pycompare.sizes.simulation import reader_tests as tests
from pycompare.sizes.simulation.result import SimulationResult

from ..markdown import spaced_table
from . import parts
from .maloof_published import facts, mismatches
from .parts import cells, head, share, spaced


def maloof_page(found: SimulationResult) -> list[str]:
    """Return the page of Maloof's study."""
    rows = cells(found)
    ours = {n: [rows[c, n]["estimate"] for c in found.wide().index] for n in SHOWN}
    more = sum(a > b for a, b in zip(ours[tests.TWO_WAY], ours[tests.DBM], strict=True))
    equal = sum(
        a == b for a, b in zip(ours[tests.TWO_WAY], ours[tests.DBM], strict=True)
    )
    far = mismatches(found)
    n = len(found.wide())
    return [
        *head("Maloof (2002): analysis of variance and multi-reader analysis", found),
        "",
        f"**The direction of Maloof's study is reproduced, its counts are not.** The "
        f"analysis of variance of AUCs rejects more often than DBM in {more} of {n} "
        f"conditions and as often in {equal}. "
        f"{far} of {3 * n} published counts lie more than three standard errors of the "
        "difference from ours. Nothing was tuned towards them.",
        "",
        "Naive Bayes, the nearest neighbour and nine nearest neighbours learn from ten "
        "training sets of two normal classes (nine independent features, distance d', "
        "n cases a class) and rate one test set of n/4 cases a class. The two-way "
        "analysis of variance of their AUCs has training sets as blocks: it "
        "generalises to new training sets tested on these very cases. DBM (Dorfman, "
        "Berbaum and Metz 1992, Maloof's LABMRMC) and OR (Obuchowski and Rockette, "
        "jackknife, Hillis' degrees of freedom) generalise to new cases as well. "
        "The three algorithms truly differ here, so the shares are powers; levels "
        "are on the page [Level of analyses of readers and cases](MULTIREADER.md).",
        "",
        "## Table 1: share of trials in which the test rejects at 0.05",
        "",
        "In brackets: Monte Carlo standard errors.",
        *spaced_table(
            [
                ["condition", *SHOWN, "published: ANOVA", "published: LABMRMC"],
                *(
                    [
                        c,
                        *(share(rows[c, name]) for name in SHOWN),
                        f"{rows[c, tests.TWO_WAY]['published']:.3f}",
                        f"{rows[c, tests.DBM]['published']:.3f}",
                    ]
                    for c in found.wide().index
                ),
            ]
        ),
        "## Table 2: share of trials in which two-way ANOVA and DBM agree",
        *spaced_table(
            [
                ["condition", "agree", "published", "only ANOVA", "only DBM"],
                *(
                    [
                        c,
                        share(rows[c, maloof.AGREE]),
                        f"{rows[c, maloof.AGREE]['published']:.3f}",
                        share(rows[c, maloof.ONLY_ANOVA]),
                        share(rows[c, maloof.ONLY_DBM]),
                    ]
                    for c in found.wide().index
                ),
            ]
        ),
        "## The published counts",
        "",
        "Each sentence follows from the printed counts, or from the stored trials of "
        "this page, by the computation that it names.",
        "",
        *(f"- {fact}" for fact in facts(found)),
        "",
        "## Figures",
        "",
        *spaced(maloof_pictures(found)),
    ]


SHOWN = maloof.SHOWN


def maloof_pictures(found: SimulationResult) -> Iterator[str]:
    """Draw Table 1, a picture for each distance of the classes."""
    for i, d in enumerate(dict.fromkeys(found.table["d_prime"]), start=1):
        yield f"d' = {d:g}:"
        draw = partial(
            plotting.simulated,
            found,
            x="n",
            statistics=SHOWN,
            where={"d_prime": d},
            x_label="Training cases of each class",
            label="Share of trials that reject",
        )
        yield parts.picture(f"MALOOF-{i}", draw)
