"""The page's count of conclusions: sentences that may be false, and their guarantees.

A sentence on a pair names a quantity. Each method counts once in each scenario, with
the hypothesis that pairs are equal in that quantity, whatever conditions the scenario
breaks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from validation import typical_differences
from validation.markdown import table

from .defaults import rank_default
from .folds import ENLARGED
from .rows import Row
from .truths import EXCHANGEABLE

KINDS = (
    (
        "mean ranks, permutations or sign flips",
        ("ranks/closed", "ranks/sign", "ranks/max"),
    ),
    ("mean ranks, z or exact sums", ("ranks/normal", "ranks/exact", "skillings")),
    ("aligned and weighted ranks", ("aligned-ranks/", "quade-ranks/")),
    ("typical differences (signed ranks)", ("two/wilcoxon",)),
    ("wins (sign tests)", ("superiority/", "two/sign", "wins/")),
    ("means, own variance of each pair", ("means/paired", "two/paired", "means/sign")),
    ("means, one variance of all pairs", ("means/pooled",)),
    ("means, permutations", ("scores/",)),
    ("folds, corrected t", ("folds/corrected-t", "two/corrected-t")),
    ("folds, other tests", ("folds/",)),
    ("one model of all folds", ("model/",)),
    ("claims against a margin", ("margins/",)),
    ("mean vectors, areas", ("mean-vectors/", "auc/", "partial-auc/", "auc-pr/")),
    ("one test of all algorithms", ("omnibus/",)),
)
"""What sentences are about, by how the keys of the ledger begin."""
SIGNED_RANKS = ("two/wilcoxon", "two/wilcoxon/holm", "two/wilcoxon/holm/control")
WITHDRAWN = {"independent-folds", "new-test-sets"}
"""Conditions of which a page knows that they fail: it claims no error rate then."""


@dataclass(frozen=True)
class Counted:
    """Conclusions of one kind.

    Attributes
    ----------
    n : int
        Scenarios in which such a sentence can be false.
    promised, withdrawn, within, above : int
        With a guarantee; of which the page claims no error rate; others within the
        bound; others above it.
    largest : float
        The largest share of runs with a false sentence.
    where : str
    """

    n: int
    promised: int
    withdrawn: int
    within: int
    above: int
    largest: float
    where: str

    def cells(self, title: str) -> list[str]:
        """Return a line of a table."""
        numbers = (self.n, self.promised, self.within, self.above, self.withdrawn)
        worst = f"{self.largest:.3f}"
        return [title, *map(str, numbers), worst, self.where]

    def share(self, n: int) -> str:
        """Return a number of conclusions with its share."""
        return f"{n} ({n / self.n:.1%})"


HEAD = [
    "conclusions on",
    "can be false",
    "guaranteed",
    "condition fails, within the bound",
    "above the bound",
    "no claim on the page",
    "largest error of a claim",
    "where",
]


def sentences(rows: Iterable[Row]) -> list[Row]:
    """Return one row of each method and scenario: that of its sentence's quantity.

    Exact tests promise the error for exchangeable algorithms; their sentences are on
    mean ranks or means, but those of signed ranks, whose typical difference may not be
    0 if means are equal. Where both hypotheses are true of the same pairs there is one
    row.
    """
    of_quantity: dict[tuple[str, str, str, str], Row] = {}
    for row in rows:
        at = row.truth, row.design, row.guarantee, row.method
        own = row.hypothesis != EXCHANGEABLE
        if at not in of_quantity or (own and row.guarantee not in SIGNED_RANKS):
            of_quantity[at] = row
    return [row for row in of_quantity.values() if row.true_pairs]


def counted(rows: Sequence[Row]) -> Counted:
    """Count the conclusions of some rows."""
    claimed = [row for row in rows if not row.missing & WITHDRAWN]
    promised = sum(row.promised and not row.above for row in claimed)
    above = sum(row.above for row in claimed)
    worst = max(claimed or rows, key=lambda row: row.error)
    return Counted(
        n=len(rows),
        promised=promised,
        withdrawn=len(rows) - len(claimed),
        within=len(claimed) - promised - above,
        above=above,
        largest=worst.error,
        where=f"{worst.method}; {worst.truth}; {worst.design}",
    )


def typical(method: str) -> Counted:
    """Count the conclusions of a method of the study of typical differences."""
    rows = [
        row
        for row in typical_differences.stored()
        if row.method == method and not math.isnan(row.false)
    ]
    promised = sum(row.promised and row.false <= row.bound for row in rows)
    above = sum(row.false > row.bound for row in rows)
    worst = max(rows, key=lambda row: row.false)
    return Counted(
        n=len(rows),
        promised=promised,
        withdrawn=0,
        within=len(rows) - promised - above,
        above=above,
        largest=worst.false,
        where=f"{worst.adjust}; {worst.law}; {worst.blocks} x {worst.algorithms}",
    )


def default_ranks(rows: Sequence[Row], control: bool) -> list[Row]:
    """Return the conclusions by mean ranks that are the default for their size."""
    return [
        row
        for row in rows
        if row.control == control
        and row.design == f"{row.blocks} x {row.algorithms}"
        and row.guarantee == rank_default(row.blocks, row.algorithms, control)
    ]


def of_folds(rows: Sequence[Row], *, enlarged: bool) -> list[Row]:
    """Return the conclusions on folds by corrected t tests with one overlap term."""
    return [
        row
        for row in rows
        if row.guarantee.startswith(("folds/corrected-t", "two/corrected-t"))
        and row.method.startswith(ENLARGED) == enlarged
    ]


def conclusion_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield how many conclusions have a guarantee, and what the others do."""
    told = sentences(rows)
    whole = counted(told)
    yield "## Conclusions"
    yield ""
    yield (
        "A sentence on a pair names a quantity, and is false of two algorithms that "
        "are equal in it. Each method counts once in each scenario in which such a "
        "sentence can be false, whatever conditions the scenario breaks. Of "
        f"{whole.n} conclusions {whole.share(whole.promised)} have a guarantee and "
        f"keep it. {whole.share(whole.withdrawn)} are of data for which the page "
        "itself claims no error rate (folds that share training data or one test set, "
        "by tests that do not allow for that). In the others a condition fails that "
        f"the page prints: {whole.share(whole.within)} are within the bound, and "
        f"{whole.share(whole.above)} above it."
    )
    yield ""
    lines = [HEAD]
    left = told
    for title, starts in KINDS:
        own = [row for row in left if row.guarantee.startswith(starts)]
        left = [row for row in left if not row.guarantee.startswith(starts)]
        if own:
            lines.append(counted(own).cells(title))
    yield from table(lines)
    yield ""
    yield (
        "The defaults, before and after a conclusion has one quantity: over data sets "
        "mean ranks became typical differences "
        "([TYPICAL_DIFFERENCES.md](TYPICAL_DIFFERENCES.md), other scenarios), and the "
        "overlap term of folds was enlarged."
    )
    yield ""
    yield from table([HEAD, *default_cells(told)])
    yield ""


def default_cells(told: Sequence[Row]) -> Iterator[list[str]]:
    """Yield the conclusions of defaults before and now."""
    for control, words in ((False, "all pairs"), (True, "a control")):
        ranks = default_ranks(told, control)
        if ranks:
            yield counted(ranks).cells(f"data sets, {words}, before: mean ranks")
        now = "Holm, control" if control else "default by size"
        yield typical(now).cells(f"data sets, {words}, now: typical differences")
    for enlarged, words in (
        (False, "before: c = 1"),
        (True, "now: enlarged overlap term"),
    ):
        own = of_folds(told, enlarged=enlarged)
        if own:
            yield counted(own).cells(f"folds, {words}")
