"""The page's tables of defaults beside the most powerful valid methods."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

import pycompare as pc
from pycompare.designs import pair_methods
from pycompare.designs.curve_comparison import default_adjust
from pycompare.results.guarantees import guarantee
from validation.markdown import table

from .rows import Row

UNKNOWN = {"complete-null", "equal-variances", "transitive"}
"""Conditions that nobody can know to hold when a method is chosen."""
Z = "ranks/normal/bergmann-hommel"
RANK_KEYS = {
    "closed-permutation": "ranks/closed-permutation",
    "sign-flips": "ranks/sign-flips/bergmann-hommel",
    "max-t": "ranks/max-t",
}
"""Comparisons of all pairs of ranks by their names in a plan."""
RANK_CONTROL_KEYS = {**RANK_KEYS, "sign-flips": "ranks/sign-flips/holm"}
VARIANCES = (
    "The default is the analysis of variance, whose promise needs equal variances and "
    "independent folds. The sensitivity analyses have each pair's own variance."
)
TERM = (
    "The published overlap term (c = 1) promises the error if folds correlate by "
    "n_test / (n_train + n_test), as those of this study do. Folds of real learners "
    "correlate more: [FOLD_OVERLAP.md](FOLD_OVERLAP.md)."
)


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """An analysis, its candidates and its default.

    Attributes
    ----------
    title : str
    starts : tuple of str
        How the keys of its methods begin.
    designs : str
        Regular expression of whole names of designs.
    control : bool
    default : str
        Key of the default.
    reason : str
        Why the default is not the most powerful valid method, if it is not.
    """

    title: str
    starts: tuple[str, ...]
    designs: str
    default: str
    control: bool = False
    reason: str = ""

    def rows(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows of its methods."""
        return [
            r
            for r in rows
            if r.guarantee.startswith(self.starts)
            and r.control == self.control
            and re.fullmatch(self.designs, r.design)
            and "even with each" not in r.truth
            and "refused" not in r.method
        ]


TABLES = r"\d+ x \d+"
ANALYSES = (
    Analysis(
        title="means over data sets, all pairs",
        starts=("means/", "scores/", "two/wilcoxon/"),
        designs=TABLES,
        default=f"means/paired-t/{pair_methods.DATASET_MEANS_ALL_PAIRS[0]}",
        reason="Permutation tests of scores are about exchangeable algorithms, the "
        "default about equal means.",
    ),
    Analysis(
        title="means over data sets, comparisons with a control",
        starts=("means/", "scores/", "two/wilcoxon/"),
        designs=TABLES,
        control=True,
        default=f"means/paired-t/{pair_methods.DATASET_MEANS_CONTROL[0]}/control",
        reason="Hommel's adjustment needs positive dependence, which is not proven for "
        "two-sided tests of unequal variances. Permutation tests of scores are about "
        "exchangeable algorithms, the default about equal means.",
    ),
    Analysis(
        title="folds that share training data, all pairs",
        starts=("folds/corrected",),
        designs=r"\d+ overlapping folds x \d+",
        default=f"folds/corrected-t/{pair_methods.CORRECTED_ALL_PAIRS[0]}",
        reason=TERM,
    ),
    Analysis(
        title="folds that share training data, comparisons with a control",
        starts=("folds/corrected",),
        designs=r"\d+ overlapping folds x \d+",
        control=True,
        default=f"folds/corrected-t/{pair_methods.CORRECTED_CONTROL[0]}/control",
        reason=TERM,
    ),
    Analysis(
        title="independent folds, all pairs",
        starts=("folds/pooled", "folds/paired-t"),
        designs=r"\d+ independent folds x \d+",
        default=f"folds/pooled/{pair_methods.MEANS_ALL_PAIRS[0]}",
        reason=VARIANCES,
    ),
    Analysis(
        title="independent folds, comparisons with a control",
        starts=("folds/pooled", "folds/paired-t"),
        designs=r"\d+ independent folds x \d+",
        control=True,
        default=f"folds/pooled/{pair_methods.MEANS_CONTROL[0]}/control",
        reason=VARIANCES,
    ),
    Analysis(
        title="wins over data sets, all pairs",
        starts=("wins/",),
        designs=r"\d+ data sets x 10 .*",
        default=f"wins/sign/{pair_methods.SIGNS[0]}",
    ),
    Analysis(
        title="wins over data sets, comparisons with a control",
        starts=("wins/",),
        designs=r"\d+ data sets x 10 .*",
        control=True,
        default=f"wins/sign/{pair_methods.SIGNS[0]}/control",
    ),
    Analysis(
        title="mean vectors of several metrics, all pairs",
        starts=("mean-vectors/paired",),
        designs=r".* 3 metrics.*",
        default=f"mean-vectors/paired-T2/{pc.Plan(blocks='folds').t_method(4)}",
    ),
    Analysis(
        title="AUCs over cases, all pairs",
        starts=("auc/",),
        designs=r"\d+ cases x \d+",
        default=f"auc/delong/{default_adjust(2)}",
    ),
)

RANKS = tuple(
    Analysis(
        title=f"Mean ranks, {words}",
        starts=("ranks/", "superiority/"),
        designs=TABLES,
        control=control,
        default="",
    )
    for control, words in ((False, "all pairs"), (True, "comparisons with a control"))
)


def valid(rows: Sequence[Row]) -> dict[str, None]:
    """Return the methods whose promise holds under partial nulls.

    And with unequal variances, and whose promised errors are all within the bound.
    """
    above = {r.method for r in rows if r.promised and r.above}
    return {
        r.method: None
        for r in rows
        if r.method not in above
        and not UNKNOWN & set(guarantee(r.guarantee).conditions)
    }


def by_design(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Return each method's mean power over the truths that all methods have."""
    made = {}
    for design in dict.fromkeys(r.design for r in rows):
        powers: dict[str, dict[str, float]] = {}
        for r in rows:
            if r.design == design and r.power is not None:
                powers.setdefault(r.method, {})[r.truth] = r.power
        if powers:
            common = set.intersection(*(set(p) for p in powers.values()))
            made[design] = {
                m: float(np.mean([p[truth] for truth in sorted(common)]))
                for m, p in powers.items()
                if common
            }
    return made


def beside(rows: Sequence[Row], one: str, other: str) -> tuple[float, float]:
    """Return the mean powers of two methods over the designs that both have."""
    both = [p for p in by_design(rows).values() if one in p and other in p]
    mean_one, mean_other = (np.mean([p[m] for p in both]) for m in (one, other))
    return float(mean_one), float(mean_other)


def default_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the tables from which the defaults can be read off."""
    yield "## Defaults"
    yield ""
    yield (
        "A valid method promises the error under partial nulls and with unequal "
        "variances, and has no promised error above its bound. Power is the mean share "
        "of true differences that are found, over the truths and designs that both "
        "methods have."
    )
    yield ""
    head = ("analysis", "default", "power", "most powerful valid method", "power")
    lines: list[tuple[str, ...]] = [head]
    reasons = []
    for analysis in ANALYSES:
        chosen = analysis.rows(rows)
        if chosen:
            cells, differs = compared(analysis, chosen)
            lines.append(cells)
            if differs:
                reasons.append(f"- {analysis.title}: {analysis.reason}")
    yield from table(lines)
    yield ""
    if reasons:
        yield "Why a default is another method than the most powerful valid one:"
        yield ""
        yield from reasons
        yield ""
    yield (
        "Analyses of readers and cases have a study of their own: "
        "[MULTIREADER.md](MULTIREADER.md). Tests over cases have another: "
        "[CASES.md](CASES.md)."
    )
    yield ""
    yield (
        "The default for mean ranks follows from the numbers of blocks and algorithms "
        "alone. z is the published procedure. Its error is promised only if no "
        "algorithm differs."
    )
    yield ""
    for analysis in RANKS:
        yield from rank_defaults(rows, analysis)
    yield from max_t_note(rows)


def compared(
    analysis: Analysis, rows: Sequence[Row]
) -> tuple[tuple[str, str, str, str, str], bool]:
    """Return one line of the table, and whether its two methods differ."""
    title = next(r.method for r in rows if r.guarantee == analysis.default)
    powers = {m: beside(rows, title, m) for m in {title: None, **valid(rows)}}
    best = max(powers, key=lambda m: powers[m][1] - powers[m][0])
    own, most = powers[best]
    # A gain below 0.001 is none.
    if title in valid(rows) and most - own < 0.001:
        best, own, most = title, *powers[title]
    cells = (analysis.title, title, f"{own:.3f}", best, f"{most:.3f}")
    return cells, best != title


@cache
def rank_default(n: int, a: int, control: bool = False) -> str:
    """Return the key of the default comparison of mean ranks in complete tables."""
    if a == 2:
        return "two"
    plan = pc.Plan(
        blocks="datasets", compares="ranks", control="A" if control else None
    )
    name = plan.for_size(n, a).adjust[0]
    if control:
        return f"{RANK_CONTROL_KEYS.get(name, f'ranks/normal/{name}')}/control"
    return RANK_KEYS.get(name, f"ranks/normal/{name}")


def rank_defaults(rows: Sequence[Row], analysis: Analysis) -> Iterator[str]:
    """Yield the defaults for mean ranks, size by size."""
    chosen = analysis.rows(rows)
    if not chosen:
        return
    yield f"### {analysis.title}: the default by size"
    yield ""
    head = (
        "blocks x algorithms",
        "default",
        "power",
        "most powerful valid method",
        "power",
        f"z, {'Holm' if analysis.control else 'Bergmann-Hommel'}",
        "default less z",
    )
    lines = [head, *rank_lines(chosen, analysis.control)]
    yield from table(lines)
    yield ""


def rank_lines(rows: Sequence[Row], control: bool) -> Iterator[tuple[str, ...]]:
    """Yield a line for each size."""
    good = valid(rows)
    for design, power in by_design(rows).items():
        of_size = {r.guarantee: r for r in rows if r.design == design}
        some = next(iter(of_size.values()))
        key = rank_default(some.blocks, some.algorithms, control)
        best = max((m for m in power if m in good), key=lambda m: power[m])
        z = of_size.get("ranks/normal/holm/control" if control else Z)
        of_z = None if z is None else power[z.method]
        default = of_size.get(key)
        own = None if default is None else power.get(default.method)
        yield (
            design,
            default.method if default else NOT_RUN[key.removesuffix("/control")],
            number(own),
            best if power[best] > 0 else "none finds any",
            number(power[best]),
            number(of_z),
            number(None if own is None or of_z is None else own - of_z),
        )


def max_t_note(rows: Sequence[Row]) -> Iterator[str]:
    """Yield why max-T is not the default wherever it has the greatest power."""
    worst = [worst_unpromised(rows, f"ranks/max-t{end}") for end in ("", "/control")]
    if not all(worst):
        return
    yield (
        "Where max-T of all pairs has more power than the default, the default "
        "promises more. "
        "Closed permutation and sign flips are exact whichever algorithms are equal. "
        "Max-T also needs jointly symmetric differences, which three equal algorithms "
        "among others may lack. Its largest errors without that condition: all pairs "
        f"{worst[0]}; comparisons with a control {worst[1]}. With 5 or 6 blocks an "
        "exact test of a pair can hardly reject, so there the default finds nothing."
    )


def worst_unpromised(rows: Sequence[Row], key: str) -> str:
    """Return the largest error that is not promised; empty if there is none."""
    some = [r for r in rows if r.guarantee == key and not r.promised and r.true_pairs]
    if not some:
        return ""
    r = max(some, key=lambda r: (r.above, r.error))
    return (
        f"{r.error:.4f} ({r.truth}, {r.design}, {r.hypothesis}, {r.runs} runs, bound "
        f"{r.bound:.4f})"
    )


NOT_RUN = {
    "two": "one pair: no adjustment",
    "ranks/closed-permutation": "closed permutation test of ranks (not run)",
}


def number(x: float | None) -> str:
    """Return three decimals, or nothing."""
    return "" if x is None else f"{x:.3f}"
