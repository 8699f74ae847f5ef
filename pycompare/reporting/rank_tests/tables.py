"""The tables of the rank analysis."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from pycompare.analyses.rank_tests import RankAnalysis
from pycompare.formatting.numbers import percent
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.content import build, wording
from pycompare.reporting.content.build import PAIR, WINS, Field, limits_of
from pycompare.reporting.content.outcomes import singular
from pycompare.reporting.content.wording import sentence
from pycompare.reporting.document import Block, Fold, Paragraph, Section, Table, present
from pycompare.reporting.rank_tests.words import level_of


def blocks(
    analysis: RankAnalysis, alpha: float, role: str = "", files: str = ""
) -> Iterator[Block]:
    """Yield the tables of one rank analysis.

    ``role`` says what it is on the page, ``files`` begins the names of its CSV files.
    """
    pairs = build.pairs(analysis, alpha, role, f"{files}pairs")
    yield Section("Pairwise comparisons", (pairs,), "")
    caption = "Omnibus tests; the first is the planned one."
    omnibus = (analysis.omnibus, *analysis.witnesses)
    yield Fold("Omnibus tests", (build.tests(caption, omnibus, alpha),), "")
    no_wins = Paragraph("Wins and ties need a complete table; cells are missing here.")
    yield Fold(
        "Ranks and effect sizes",
        present(
            ranks(analysis),
            agreement(analysis),
            differences(analysis, files),
            _superiority(analysis, alpha, files) or no_wins,
        ),
        "",
    )


def ranks(analysis: RankAnalysis) -> Table:
    """Return the algorithms by mean rank."""
    values = analysis.decisive.positions.sort_values(kind="stable")
    title = singular(analysis.decisive.estimate_name)
    return build.positions(f"Algorithms by {title}, best first.", values, title)


def agreement(analysis: RankAnalysis) -> Paragraph | None:
    """Return Kendall's W as text; None where cells are missing."""
    found = analysis.agreement
    if found is None:
        return None
    interval = wording.interval((found.conf_low, found.conf_high), found.level)
    return Paragraph(
        f"Agreement of the blocks: {found.name} = {wording.value(found.estimate)}, "
        f"{interval} ({found.method}). 0: no agreement; 1: all blocks have the same "
        f"ranks."
    )


def differences(analysis: RankAnalysis, files: str = "") -> Table:
    """Return how far pairs differ, in the metric's own unit."""
    found = analysis.differences
    told = " ".join(map(sentence, found.notes))
    return build.table(
        f"Hodges-Lehmann differences in {analysis.metric.name}, first minus second: "
        f"medians of the means of all pairs of block differences. Intervals are "
        f"simultaneous over {found.family} (Bonferroni, exact signed rank test). "
        f"The matched-pairs rank-biserial correlation r is between −1 and 1. An "
        f"interval may include 0 although mean ranks differ significantly. "
        f"{told}".rstrip(),
        found.table,
        PAIR,
        Field("Hodges-Lehmann difference", "number", "estimate", digits=4),
        Field(f"{level_of(found.reached)}CI", "interval", limits_of),
        Field("r", "number", "rank_biserial"),
        file=f"{files}hodges_lehmann",
    )


def _superiority(analysis: RankAnalysis, alpha: float, files: str = "") -> Table | None:
    """Return wins, ties, losses and the probability of superiority."""
    effects = analysis.superiority
    if effects is None:
        return None

    return build.table(
        f"Probability that the first is better: (wins + ties / 2) / blocks; 0.5 is no "
        f"difference. Intervals: {effects.method}, each pair by itself. Sign tests are "
        f"exact, two-sided, without ties, adjusted over {effects.family}.",
        effects.table,
        PAIR,
        Field(f"{short_title(effects.adjust)} p", "p", "p_adjusted", alpha),
        Field("P(first better)", "number", "estimate"),
        Field(f"{percent(effects.level)} CI", "interval", limits_of),
        WINS,
        Field("sign test p", "p", "p_value"),
        file=f"{files}superiority",
    )


def csv_tables(analysis: RankAnalysis) -> dict[str, pd.DataFrame]:
    """Return the analysis' tables for CSV files, full precision."""
    tests = [analysis.omnibus, *analysis.witnesses]
    tables = {
        "omnibus": pd.concat([t.to_frame().iloc[:1] for t in tests], ignore_index=True),
        "pairs": analysis.pairs_table(),
        "mean_ranks": analysis.decisive.positions.rename("mean_rank")
        .rename_axis("algorithm")
        .reset_index(),
        "hodges_lehmann": analysis.differences.to_frame(),
    }
    if analysis.superiority is not None:
        tables["superiority"] = analysis.superiority.to_frame()
    return tables
