"""Methods of the study: decisions about pairs in many runs at once.

A method returns signs (runs, pairs): 1 where the first algorithm of a pair is found to
be better, -1 where it is found to be worse, 0 where nothing is found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.typing import Bools, Floats
from pycompare.kernels import exhaustive, many_to_one, studentized_range
from pycompare.kernels.ranks import permutation_chi2

from . import batch
from .closed_permutation import closed, closed_control, flipped_p
from .tables import FLIPS, Tables
from .truths import EXCHANGEABLE, MEAN, MEAN_RANK, VECTOR, WINS

Signs = NDArray[np.int8]

ALPHA = 0.05
FEWER = 0.3
"""Share of the runs of what costs more: 3,000, a standard error of 0.004 at 0.05."""
PERMUTED = 0.2
"""Of closed tests by permutation, and of calls run by run: 2,000, 0.005."""
FEWEST = 0.1
"""Of what costs most: 1,000, a standard error of 0.007."""
OF_EIGHT = 0.04
"""Of closed tests of 8 algorithms, which have 247 sets: 400, 0.011."""
MANY = 8
"""More algorithms than these have fewer runs."""


def always(n: int, a: int) -> bool:
    """Any number of blocks and algorithms."""
    return True


@dataclass(frozen=True, kw_only=True)
class Method:
    """A way to decide about pairs.

    Attributes
    ----------
    guarantee : str
        Key of the ledger of claims.
    title : str
    hypothesis : str
        Whose error is promised.
    also : str
        A second hypothesis under which errors are counted, where it is another one.
    decide : callable
    share : float
        Share of the study's runs, fewer where a run costs more.
    wide : float
        The same where algorithms are more than 10.
    over_data_sets : bool
        Whether its blocks are data sets, so that what folds share does not matter.
    directed : bool
        Whether a rejection says which algorithm is better; else any is right.
    widely : bool
        Whether it is applied to few truths only.
    fits : callable
        Whether it is applied to so many blocks and algorithms.
    """

    guarantee: str
    title: str
    hypothesis: str
    decide: Callable[[Any], Signs]
    also: str = ""
    share: float = 1.0
    wide: float = 1.0
    over_data_sets: bool = False
    directed: bool = True
    widely: bool = False
    fits: Callable[[int, int], bool] = always

    @property
    def control(self) -> bool:
        """Whether the family is each algorithm with the last one."""
        return self.guarantee.endswith("/control")

    def part(self, a: int) -> float:
        """Return the share of runs for so many algorithms: fewer where they cost more.

        It follows from method and size alone, never from a result.
        """
        many = FEWER if a > MANY else 1.0
        return min(self.share, many, self.wide if a > batch.MASKED else 1.0)

    @property
    def whole(self) -> bool:
        """Whether there is one hypothesis, that all algorithms are alike."""
        return self.guarantee.startswith("omnibus/")

    def signs(self, data: Any) -> Signs:
        """Return the decisions; of tables in the family of the method."""
        if self.control and isinstance(data, Tables):
            return self.decide(data.against_control)
        return self.decide(data)


def signed(rejected: Bools, estimate: Floats) -> Signs:
    """Return the signs of what is rejected."""
    return np.where(rejected, np.sign(estimate), 0).astype(np.int8)


def by_holm(p: Floats, a: int) -> Bools:
    """Decide by Holm; NaN counts as 1."""
    return batch.holm(np.where(np.isnan(p), 1.0, p), ALPHA)


def by_hommel(p: Floats, a: int) -> Bools:
    """Decide by Hommel; NaN counts as 1."""
    return batch.hommel(np.where(np.isnan(p), 1.0, p), ALPHA)


def by_holland(p: Floats, a: int) -> Bools:
    """Decide by Holland and Copenhaver; NaN counts as 1."""
    return batch.holland(np.where(np.isnan(p), 1.0, p), ALPHA)


def by_bergmann_hommel(p: Floats, a: int) -> Bools:
    """Decide by Bergmann and Hommel; NaN counts as 1."""
    return batch.bergmann_hommel(np.where(np.isnan(p), 1.0, p), a, ALPHA)


Adjust = Callable[[Floats, int], Bools]
ADJUST: dict[str, tuple[str, Adjust]] = {
    "holm": ("Holm", by_holm),
    "hommel": ("Hommel", by_hommel),
    "holland": ("Holland", by_holland),
    "bergmann-hommel": ("Bergmann-Hommel", by_bergmann_hommel),
}
RAW: dict[str, Callable[[Tables], tuple[Floats, Floats]]] = {
    "ranks/normal": lambda t: (t.p_rank_normal, t.rank_sums),
    "ranks/exact": lambda t: (t.p_rank_exact, t.rank_sums),
    "ranks/sign-flips": lambda t: (t.p_sign_flips, t.rank_sums),
    "aligned-ranks/normal": lambda t: (t.p_normal(t.aligned), t.sums(t.aligned)),
    "aligned-ranks/sign-flips": lambda t: (t.p_flips(t.aligned, 2), t.sums(t.aligned)),
    "quade-ranks/normal": lambda t: (t.p_normal(t.weighted), t.sums(t.weighted)),
    "quade-ranks/sign-flips": lambda t: (
        t.p_flips(t.weighted, 4),
        t.sums(t.weighted),
    ),
    "means/paired-t": lambda t: (t.p_paired_t(), t.mean),
    "means/pooled": lambda t: (pooled_p(t), t.mean),
    "superiority/sign": lambda t: (t.p_sign, t.wins),
    "two/wilcoxon": lambda t: (t.p_wilcoxon, t.signed_rank),
}


def pooled_p(t: Tables) -> Floats:
    """Return p-values of t with the error of the model."""
    return np.asarray(2 * special.stdtr(t.df_error, -np.abs(t.pooled_t)))


def adjusted(basis: str, adjust: str) -> Callable[[Tables], Signs]:
    """Return the decisions of raw p-values, adjusted."""

    def decide(t: Tables) -> Signs:
        p, estimate = RAW[basis](t)
        return signed(ADJUST[adjust][1](p, t.a), estimate)

    return decide


def z_bergmann_hommel(t: Tables) -> Signs:
    """Decide by z and Bergmann-Hommel, on the line where algorithms are many."""
    if t.a <= batch.MASKED:
        return signed(by_bergmann_hommel(t.p_rank_normal, t.a), t.rank_sums)
    m = len(t.first)
    found: Bools = np.zeros((t.runs, m), bool)
    for run in np.flatnonzero(m * t.p_rank_normal.min(axis=1) <= ALPHA):
        square = np.ones((t.a, t.a))
        square[t.first, t.second] = square[t.second, t.first] = t.p_rank_normal[run]
        sums = t.ranks[run].sum(axis=0)
        adjusted = exhaustive.bergmann_hommel_line(sums, square)
        found[run] = adjusted[t.first, t.second] <= ALPHA
    return signed(found, t.rank_sums)


def nemenyi(t: Tables) -> Signs:
    """Decide by the studentised range of mean ranks."""
    q = float(studentized_range.isf(ALPHA, t.a, np.inf))
    return signed(np.abs(t.rank_z) * np.sqrt(2) >= q, t.rank_sums)


def tukey(t: Tables, overlap: float = 0.0) -> Signs:
    """Decide by the studentised range of means with the error of the model.

    The variance is multiplied by 1 + n ``overlap`` for n folds.
    """
    q = float(studentized_range.isf(ALPHA, t.a, t.df_error))
    return signed(np.abs(corrected_t(t, overlap)) * np.sqrt(2) >= q, t.mean)


def dunnett(t: Tables, overlap: float = 0.0) -> Signs:
    """Decide by Dunnett's quantile."""
    quantile = dunnett_quantile(t.a - 1, t.df_error)
    return signed(np.abs(corrected_t(t, overlap)) >= quantile, t.mean)


def corrected_t(t: Tables, overlap: float) -> Floats:
    """Return t with the model's error, corrected for overlapping folds."""
    return t.pooled_t / np.sqrt(1 + t.n * overlap)


def step_down_dunnett(t: Tables) -> Signs:
    """Decide by Dunnett's quantiles, the largest statistic first."""
    size = np.abs(t.pooled_t)
    order = np.argsort(-size, axis=-1)
    quantiles = [dunnett_quantile(k, t.df_error) for k in range(t.a - 1, 0, -1)]
    kept = np.take_along_axis(size, order, -1) < np.array(quantiles)
    found = np.empty(size.shape, bool)
    np.put_along_axis(found, order, ~np.logical_or.accumulate(kept, axis=-1), -1)
    return signed(found, t.mean)


@lru_cache(maxsize=256)
def dunnett_quantile(m: int, df: float) -> float:
    """Return the quantile of the largest of m statistics that share a control."""
    return many_to_one.isf(ALPHA, np.full(m, np.sqrt(0.5)), df)


def rank_max_t(t: Tables) -> Signs:
    """Decide by step-down max-T of rank differences."""
    return signed(t.max_t(t.rank_differences, ALPHA), t.rank_sums)


def closed_ranks(t: Tables) -> Signs:
    """Decide by the closed permutation test of ranks."""
    found = closed(t.ranks, t.p_sign_flips, ALPHA, FLIPS, t.seed)
    return signed(found, t.rank_sums)


def closed_ranks_control(t: Tables) -> Signs:
    """Decide by closed permutation tests of ranks, sets with the control."""
    found = closed_control(t.ranks, t.p_sign_flips, ALPHA, FLIPS, t.seed)
    return signed(found, t.rank_sums)


def closed_scores_control(t: Tables) -> Signs:
    """Decide by closed permutation tests of scores, sets with the control."""
    centred = t.x - t.x.mean(axis=2, keepdims=True)
    pair_p = flipped_p(t.differences, t.flips)
    return signed(closed_control(centred, pair_p, ALPHA, FLIPS, t.seed), t.mean)


def closed_scores(t: Tables) -> Signs:
    """Decide by the closed permutation test of scores."""
    centred = t.x - t.x.mean(axis=2, keepdims=True)
    pair_p = flipped_p(t.differences, t.flips)
    return signed(closed(centred, pair_p, ALPHA, FLIPS, t.seed), t.mean)


def friedman(t: Tables) -> Signs:
    """Test that all algorithms are alike, chi-squared with ties."""
    chi2, _ = permutation_chi2(t.ranks)
    return (special.chdtrc(t.a - 1, chi2) <= ALPHA)[:, None].astype(np.int8)


def aligned(t: Tables) -> Signs:
    """Test that all algorithms are alike by aligned ranks, chi-squared."""
    chi2, _ = permutation_chi2(t.aligned)
    return (special.chdtrc(t.a - 1, chi2) <= ALPHA)[:, None].astype(np.int8)


def quade(t: Tables) -> Signs:
    """Test that all algorithms are alike by weighted ranks, F."""
    s = t.weighted - t.weighted.mean(axis=2, keepdims=True)
    between = np.square(s.sum(axis=1)).sum(axis=1) / t.n
    within = np.square(s).sum(axis=(1, 2)) - between
    with np.errstate(divide="ignore", invalid="ignore"):
        f = (t.n - 1) * between / within
    p = special.fdtrc(t.a - 1, (t.n - 1) * (t.a - 1), f)
    return (p <= ALPHA)[:, None].astype(np.int8)


def anova(t: Tables) -> Signs:
    """Test equal means of all algorithms."""
    p = special.fdtrc(t.a - 1, t.df_error, t.anova_f)
    return (p <= ALPHA)[:, None].astype(np.int8)


def small(n: int, a: int) -> bool:
    """Return whether the closed permutation test is fast enough for many runs."""
    return 3 <= a <= 5 and n <= 15


def at_the_border(n: int, a: int) -> bool:
    """Return whether the closed permutation test is the default, but only just."""
    return (n, a) in ((13, 8), (20, 8))


def few_blocks(n: int, a: int) -> bool:
    """Return whether a table is one of those of aligned and weighted ranks."""
    return 3 <= a <= 5 and n <= 15


def not_wide(n: int, a: int) -> bool:
    """Return whether Bergmann and Hommel's sets can be listed."""
    return a <= batch.MASKED


def score_max_t(t: Tables) -> Signs:
    """Decide by step-down max-T of score differences."""
    return signed(t.max_t(t.differences, ALPHA), t.mean)


EXACT = ("/sign-flips", "/exact", "/wilcoxon")
"""Bases whose exact p-values cost more than a formula."""


def where_fast(basis: str, adjust: str) -> Callable[[int, int], bool]:
    """Return to which sizes a method of raw p-values is applied."""
    if basis.startswith(("aligned", "quade")):
        return few_blocks
    slow = adjust == "bergmann-hommel" and basis != "ranks/sign-flips"
    return not_wide if slow else always


def plain(
    key: str,
    title: str,
    decide: Callable[..., Signs],
    hypothesis: str = MEAN,
    share: float = 1.0,
) -> Method:
    """Return a method for data of its own shape."""
    return Method(
        guarantee=key,
        title=title,
        hypothesis=hypothesis,
        decide=decide,
        share=share,
        over_data_sets=key.startswith("wins/"),
        directed=hypothesis != VECTOR and not key.startswith("omnibus/"),
    )


def raw(
    basis: str, adjust: str, title: str, hypothesis: str, also: str = "", end: str = ""
) -> Method:
    """Return a method of raw p-values and an adjustment."""
    return Method(
        guarantee=f"{basis}/{adjust}{end}",
        title=f"{title}, {ADJUST[adjust][0]}",
        hypothesis=hypothesis,
        also=also,
        decide=adjusted(basis, adjust),
        fits=where_fast(basis, adjust),
        share=FEWER if basis.endswith(EXACT) else 1.0,
        wide=FEWEST if adjust == "bergmann-hommel" else 1.0,
    )


OTHER_RANKS = (
    ("aligned-ranks", "aligned ranks"),
    ("quade-ranks", "weighted ranks (Quade)"),
)
RANKS_ALL = (
    Method(
        guarantee="ranks/normal/bergmann-hommel",
        title="z of mean ranks, Bergmann-Hommel",
        hypothesis=MEAN_RANK,
        decide=z_bergmann_hommel,
        wide=FEWEST,
    ),
    raw("ranks/normal", "holm", "z of mean ranks", MEAN_RANK),
    Method(
        guarantee="ranks/normal/nemenyi",
        title="Nemenyi",
        hypothesis=MEAN_RANK,
        decide=nemenyi,
    ),
    raw("ranks/exact", "bergmann-hommel", "exact ranks", MEAN_RANK),
    raw(
        "ranks/sign-flips",
        "bergmann-hommel",
        "sign flips of ranks",
        EXCHANGEABLE,
        also=MEAN_RANK,
    ),
    raw(
        "ranks/sign-flips", "holm", "sign flips of ranks", EXCHANGEABLE, also=MEAN_RANK
    ),
    Method(
        guarantee="ranks/max-t",
        title="max-T of ranks, step-down",
        hypothesis=EXCHANGEABLE,
        also=MEAN_RANK,
        decide=rank_max_t,
        share=FEWER,
    ),
    Method(
        guarantee="ranks/closed-permutation",
        title="closed permutation test of ranks",
        hypothesis=EXCHANGEABLE,
        also=MEAN_RANK,
        decide=closed_ranks,
        share=PERMUTED,
        fits=small,
    ),
    Method(
        guarantee="ranks/closed-permutation",
        title="closed permutation test of ranks",
        hypothesis=EXCHANGEABLE,
        also=MEAN_RANK,
        decide=closed_ranks,
        share=OF_EIGHT,
        fits=at_the_border,
        widely=True,
    ),
    *(
        raw(f"{kind}/normal", adjust, f"z of {title}", MEAN_RANK)
        for kind, title in OTHER_RANKS
        for adjust in ("bergmann-hommel", "holm")
    ),
    *(
        raw(
            f"{kind}/sign-flips",
            adjust,
            f"sign flips of {title}",
            EXCHANGEABLE,
            also=MEAN_RANK,
        )
        for kind, title in OTHER_RANKS
        for adjust in ("bergmann-hommel", "holm")
    ),
    raw("superiority/sign", "holm", "sign tests", WINS),
    raw("two/wilcoxon", "holm", "Wilcoxon", EXCHANGEABLE, also=MEAN),
)
RANKS_CONTROL = (
    raw("ranks/normal", "holm", "z of mean ranks", MEAN_RANK, end="/control"),
    raw("ranks/normal", "hommel", "z of mean ranks", MEAN_RANK, end="/control"),
    raw("ranks/normal", "holland", "z of mean ranks", MEAN_RANK, end="/control"),
    *(
        raw(f"{kind}/normal", "holm", f"z of {title}", MEAN_RANK, end="/control")
        for kind, title in OTHER_RANKS
    ),
    *(
        raw(
            f"{kind}/sign-flips",
            "holm",
            f"sign flips of {title}",
            EXCHANGEABLE,
            also=MEAN_RANK,
            end="/control",
        )
        for kind, title in OTHER_RANKS
    ),
    raw(
        "ranks/sign-flips",
        "holm",
        "sign flips of ranks",
        EXCHANGEABLE,
        also=MEAN_RANK,
        end="/control",
    ),
    Method(
        guarantee="ranks/max-t/control",
        title="max-T of ranks, step-down",
        hypothesis=EXCHANGEABLE,
        also=MEAN_RANK,
        decide=rank_max_t,
        share=FEWER,
    ),
    Method(
        guarantee="ranks/closed-permutation/control",
        title="closed permutation test of ranks",
        hypothesis=EXCHANGEABLE,
        also=MEAN_RANK,
        decide=closed_ranks_control,
        share=PERMUTED,
        fits=small,
    ),
    Method(
        guarantee="ranks/closed-permutation/control",
        title="closed permutation test of ranks",
        hypothesis=EXCHANGEABLE,
        also=MEAN_RANK,
        decide=closed_ranks_control,
        share=OF_EIGHT,
        fits=at_the_border,
        widely=True,
    ),
    raw("superiority/sign", "holm", "sign tests", WINS, end="/control"),
    raw("two/wilcoxon", "holm", "Wilcoxon", EXCHANGEABLE, also=MEAN, end="/control"),
)
MEANS_ALL = (
    Method(
        guarantee="means/pooled/tukey",
        title="Tukey, pooled error",
        hypothesis=MEAN,
        decide=tukey,
    ),
    raw("means/pooled", "bergmann-hommel", "pooled t", MEAN),
    raw("means/paired-t", "bergmann-hommel", "paired t", MEAN),
    raw("means/paired-t", "holm", "paired t", MEAN),
    Method(
        guarantee="scores/max-t",
        title="max-T of scores, step-down",
        hypothesis=EXCHANGEABLE,
        also=MEAN,
        decide=score_max_t,
        share=FEWER,
    ),
    Method(
        guarantee="scores/closed-permutation",
        title="closed permutation test of scores",
        hypothesis=EXCHANGEABLE,
        also=MEAN,
        decide=closed_scores,
        share=PERMUTED,
        fits=small,
    ),
)
OMNIBUS = (
    Method(
        guarantee="omnibus/friedman",
        title="Friedman",
        hypothesis=EXCHANGEABLE,
        decide=friedman,
        directed=False,
    ),
    *(
        Method(
            guarantee=f"omnibus/{key}",
            title=title,
            hypothesis=EXCHANGEABLE,
            decide=decide,
            directed=False,
            fits=few_blocks,
        )
        for key, title, decide in (
            ("aligned-ranks", "aligned ranks", aligned),
            ("quade", "Quade", quade),
        )
    ),
    Method(
        guarantee="omnibus/anova",
        title="analysis of variance",
        hypothesis=MEAN,
        decide=anova,
        directed=False,
    ),
)
MEANS_CONTROL = (
    Method(
        guarantee="means/pooled/dunnett/control",
        title="Dunnett",
        hypothesis=MEAN,
        decide=dunnett,
    ),
    Method(
        guarantee="means/pooled/dunnett-step-down/control",
        title="step-down Dunnett",
        hypothesis=MEAN,
        decide=step_down_dunnett,
    ),
    raw("means/pooled", "holm", "pooled t", MEAN, end="/control"),
    raw("means/pooled", "hommel", "pooled t", MEAN, end="/control"),
    raw("means/paired-t", "holm", "paired t", MEAN, end="/control"),
    raw("means/paired-t", "hommel", "paired t", MEAN, end="/control"),
    Method(
        guarantee="scores/closed-permutation/control",
        title="closed permutation test of scores",
        hypothesis=EXCHANGEABLE,
        also=MEAN,
        decide=closed_scores_control,
        share=FEWEST,
        fits=small,
    ),
    Method(
        guarantee="scores/max-t/control",
        title="max-T of scores, step-down",
        hypothesis=EXCHANGEABLE,
        also=MEAN,
        decide=score_max_t,
        share=FEWER,
    ),
)
LOGICAL = (raw("superiority/sign", "bergmann-hommel", "sign tests (refused)", WINS),)
"""Refused by ``pycompare``; for the page to show why."""
METHODS = (*RANKS_ALL, *RANKS_CONTROL, *MEANS_ALL, *MEANS_CONTROL, *OMNIBUS)
