"""Algorithms by people's labels of some answers and a judge's scores of all."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from pycompare.base.arguments import check_alpha, check_word, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted, have
from pycompare.base.hypotheses import MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import levels, show, show_all, unknown_control
from pycompare.base.tables import Columns, LabelColumn, Matrix
from pycompare.base.typing import Bools, Floats, Ints
from pycompare.data.blocks import Blocks
from pycompare.data.scores import Scores
from pycompare.kernels import student
from pycompare.kernels.judged_means import (
    Judged,
    JudgedFit,
    MeanLimits,
    StratumVariances,
    fit,
    mean_limits,
)
from pycompare.kernels.largest_normal import largest_differences
from pycompare.kernels.new_answers import right_or_wrong
from pycompare.kernels.r_random import checked_seed
from pycompare.methods.pairs.common import check_squares, pair_index, pairs_family
from pycompare.methods.pairs.last_step import TPairs, agreeing_limits, last_step
from pycompare.results.adjust import adjust_family, family_adjustment
from pycompare.results.family import Family
from pycompare.results.guarantees import MEASURED
from pycompare.results.placement import means_of
from pycompare.results.result import internal, made_when_read, rejected
from pycompare.results.schema import Schema, Turned, changed, column

if TYPE_CHECKING:
    import pandas as pd

Chosen = Literal["random", "strata"]
MAX_T = "max-t"
_ADJUSTMENTS = (MAX_T, "holm", "bonferroni", "bergmann-hommel")
LIKE, THESE = "items like these", "these items"
_FEWEST_LABELS, _FEWEST_IN_STRATUM = 10, 5
_FEW_VERDICTS = 5
_FEW_OTHERS = 10
_FAR = 3.29
"""Standard errors beyond which one mean in a thousand lies by chance."""
_REFERENCE = (
    "Cochran (1977) Sampling Techniques, sec. 12.6; Angelopoulos, Duchi & Zrnic (2023) "
    "PPI++, arXiv:2311.01453; Bonett & Price (2012) J. Educ. Behav. Stat. 37, 479-488"
)
_OF_MAX_T = "at the critical value of the last step of max-T"
_TESTS = ("std_error", "statistic", "df", "p_value", "p_adjusted")
_LIMITS = ("conf_low", "conf_high", "joint_low", "joint_high")
_POPULATIONS = ("estimate", *_TESTS, *_LIMITS, "gain")
_MEANS = (
    *("estimate", "std_error", "df", "conf_low", "conf_high"),
    *("judge_mean", "label_mean", "gain"),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelsResult(TPairs):
    """Pairs of algorithms by people's labels and a judge; see ``PairsResult``.

    ``estimate`` is the mean label of algorithm_1 minus that of algorithm_2, in the
    metric's own unit, for items like these. The quantity is the mean of
    people's labels over all items; the judge need not be right.

    Attributes
    ----------
    table : DataFrame
        Columns of ``PairsResult``, and ``joint_low joint_high judge_alone gain``.
        ``conf_low`` and ``conf_high`` exclude 0 exactly if ``p_adjusted`` is at most
        ``alpha``; ``joint_low`` and ``joint_high`` hold all differences together.
        ``judge_alone`` is the difference of the judge's means; ``gain`` the share of
        the variance that the judge saves: n labels with it are worth n / (1 - gain).
        Without pairs, of one algorithm, it is empty.
    means : DataFrame
        One row per algorithm and population: ``algorithm labels items estimate
        std_error df conf_low conf_high judge_mean label_mean gain population``. Each
        interval has the level separately.
    populations : DataFrame
        The pairs for items like these, and for these items with no others: columns of
        the table and ``population``.
    slope : float
        The judge's slope, one for all algorithms; NaN if ``slope_applies`` is False.
    chosen : {"random", "strata"}
    labels, items : int
        Labelled items, and all items.
    seed : int
        Of the draws behind max-T.
    scores : Scores
    """

    differences: ClassVar[str] = "mean"

    means: pd.DataFrame = made_when_read()
    populations: pd.DataFrame = made_when_read()
    slope: float
    chosen: Chosen
    labels: int
    items: int
    seed: int
    scores: Scores = internal()
    fitted: JudgedFit = internal()

    schema: ClassVar[Schema] = (
        *changed(TPairs.schema, "conf_low", "conf_high", only="repeatable"),
        column("joint_low", "limit", turned=Turned("minus", "joint_high"),
               unit="position", only="repeatable"),
        column("joint_high", "limit", turned=Turned("minus", "joint_low"),
               unit="position", only="repeatable"),
        column("judge_alone", "estimate", turned=Turned("minus")),
        column("gain", "share"),
    )  # fmt: skip

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "labels/max-t" if self.adjust == MAX_T else "labels/t"

    def centred_errors(self, estimate: Floats, std_error: Floats) -> Floats:
        """Return NaN: more labelled items of these leave the error of the items."""
        return np.full(len(std_error), math.nan)

    @property
    def fitted_to_shares(self) -> bool:
        """Whether every label is 0 or 1."""
        return _zero_or_one(self.scores)

    @property
    def is_drawn(self) -> bool:
        """Whether adjusted p-values are of random draws."""
        return self.adjust == MAX_T and len(self.as_columns()) > 1

    @property
    def repeatable(self) -> bool:
        """Whether R can repeat adjusted p-values and intervals: of no draws."""
        if self.adjust == MAX_T:
            return not self.is_drawn
        return super().repeatable

    @property
    def drawn_in_python(self) -> frozenset[str]:
        """Adjusted p-values and limits by max-T."""
        return frozenset({"p_adjusted", *_LIMITS} if self.is_drawn else ())

    def of_population(self, population: str) -> Columns:
        """Return the rows of one population."""
        held: Columns = Columns.of(self.held("populations"))
        return held.where(held["population"] == population)

    def following(
        self, columns: dict[str, Floats], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return intervals of the adjustment, for both populations."""
        limits, fields = super().following(columns, family)
        k, alpha = len(self.algorithms), self.alpha or 0.05
        index = pair_index(self.algorithms, self.control)
        sides = _sides(self.fitted, index.first, index.second)
        limits |= _together(sides[LIKE], alpha / family.size)
        adjust = family.chosen.name
        these = _by_name(sides[THESE], adjust, k, self.control, alpha)
        like = {**sides[LIKE], **columns, **limits}
        both = _populations(index.labels, {LIKE: like, THESE: sides[THESE] | these})
        return limits, fields | {"populations": both}

    def r_call(self) -> RCall:
        """Return the call of the regression of every pair, and of the means."""
        scores = self.scores
        assert scores.judge is not None
        strata = scores.strata or ("",) * scores.n_blocks
        arguments = {
            "y": Matrix(scores.column(), scores.blocks, scores.algorithms),
            "judge": Matrix(scores.judge, scores.blocks, scores.algorithms),
            "stratum": levels(strata, what="strata").codes + 1.0
            if self.chosen == "strata"
            else None,
            "zero_or_one": _zero_or_one(scores),
            "adjust": self.adjust if self.repeatable else "",
            "control": self.control or "",
            "alpha": self.alpha,
            "level": math.nan if self.repeatable else self.level,
        }
        files = ("ranks", "adjust", "judge_labels")
        return RCall(files, "judge_labels_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the pairs, the means and the slope."""
        names = ["estimate", "std_error", "statistic", "df", "p_value"]
        names += ["judge_alone", "gain"]
        of_both = ["estimate", *_TESTS[:-1], "gain"]
        if self.repeatable:
            names += ["p_adjusted", *_LIMITS]
            of_both += ["p_adjusted", *_LIMITS]
        both, means = (Columns.of(self.held(name)) for name in ("populations", "means"))
        values: dict[str, Any] = {"slope": self.slope}
        if len(self.as_columns()):
            values |= self.columns_in_r(*names)
            values |= {f"populations_{n}": both[n].astype(float) for n in of_both}
        return values | {f"means_{n}": means[n].astype(float) for n in _MEANS}


@checked
def labels(
    scores: Scores,
    *,
    chosen: Chosen,
    metric: str | None = None,
    control: str | None = None,
    adjust: str = MAX_T,
    alpha: float = 0.05,
    seed: int = 0,
) -> LabelsResult:
    """Compare algorithms by people's labels of some items and a judge's scores of all.

    A judge (a model) scored every answer, and people labelled the answers to some
    items. The mean of the people's labels over all items is estimated; the judge makes
    the estimate more precise, as far as its scores follow the labels, and never biased.

    Parameters
    ----------
    scores : Scores
        Items (blocks) with ``Scores.judge``: labels of all algorithms, or of none.
        With several labels of an answer (``replicate``), their mean.
    chosen : {"random", "strata"}
        How the labelled items were drawn: at random from all, or at random within
        strata (``Scores.strata``) that were known before. Labels of items that somebody
        picked cannot be corrected.
    metric : str, optional
        The metric that people labelled; there is one.
    control : str, optional
        Compare each other algorithm with this one only.
    adjust : {"max-t", "holm", "bonferroni", "bergmann-hommel"}
        The last needs all pairs.
    alpha : float, default 0.05
        Family-wise level of the decisions and intervals.
    seed : int, default 0
        Of the 10,000 draws behind ``max-t`` of two pairs or more.

    Returns
    -------
    LabelsResult

    Raises
    ------
    DesignError
        If fewer than 10 items are labelled, or 5 in a stratum; items are in clusters or
        groups; or graded labels leave a difference without any spread.
    InputError
        For an unknown word or control, or strata that do not go with ``chosen``.

    Notes
    -----
    Equation 10.21 of docs/equations.md.

    The slope is that of ``lm(y ~ item + model + f)`` on labelled items, one for all
    algorithms, so that differences do not contradict each other. t has n - 2 degrees of
    freedom. Labels of 0 and 1 have half a pseudo-label in each difference, and four in
    each mean; without these, intervals of few labels are far too short near 0 or 1.

    Here ``margin`` is not available, as the one-sided error against a margin is up to
    0.065 at 0.025; nor are clusters, whose error rate has not been measured.
    ``validation/LABELS.md`` has errors and coverage. R: ``lm``, own derivation.

    References
    ----------
    .. [1] Cochran, W. G. (1977). Sampling Techniques, 3rd ed., sec. 12.6.
    .. [2] Angelopoulos, A. N., Duchi, J. C., Zrnic, T. (2023). PPI++. arXiv:2311.01453.
    .. [3] Agresti, A., Min, Y. (2005). Biometrics 61, 515-523.
    .. [4] Bonett, D. G., Price, R. M. (2012). J. Educ. Behav. Stat. 37, 479-488.

    Examples
    --------
    >>> import pycompare as pc
    >>> def answer(i, a):
    ...     judge = int((7 * i + 3 * a) % 10 < 8 - a)
    ...     label = 1 - judge if (i + 2 * a) % 6 == 0 else judge
    ...     return {"model": "_ABC"[a], "item": i, "judge": judge,
    ...             "human": label if i <= 12 else None}
    >>> scores = pc.Scores.from_frame(
    ...     [answer(i, a) for i in range(1, 41) for a in (1, 2, 3)],
    ...     algorithm="model", block="item", judge="judge", metrics={"human": "higher"},
    ... )
    >>> labelled = pc.labels(scores, chosen="random")
    >>> labelled.table[["algorithm_1", "algorithm_2", "estimate", "std_error"]].round(4)
      algorithm_1 algorithm_2  estimate  std_error
    0           A           B    0.0657     0.1833
    1           A           C    0.1886     0.1808
    2           B           C    0.1229     0.2006
    """
    check_word("adjust", adjust, _ADJUSTMENTS)
    if adjust != MAX_T:
        family_adjustment(adjust, MEANS, control)
    own = MAX_T if adjust == MAX_T else "none"
    tests = label_tests(
        scores,
        chosen=chosen,
        metric=metric,
        control=control,
        adjust=own,
        alpha=alpha,
        seed=seed,
    )
    if own == adjust or not len(tests.as_columns()):
        return tests
    adjusted: LabelsResult = tests.adjusted(adjust)
    return adjusted


def label_tests(
    scores: Scores,
    *,
    chosen: Chosen,
    metric: str | None = None,
    control: str | None = None,
    adjust: str = MAX_T,
    alpha: float = 0.05,
    seed: int = 0,
) -> LabelsResult:
    """Return the tests adjusted by ``max-t``, or raw (``none``), without intervals."""
    require(scores, Scores)
    check_alpha(alpha)
    check_word("chosen", chosen, get_args(Chosen))
    seed = checked_seed(seed)
    at = scores.metric(metric)
    strata, names = _strata_of(scores, chosen)
    check_squares(scores.values, f"labels of {show(at.name)}")
    assert scores.judge is not None
    check_squares(scores.judge, "scores of the judge")
    is_share = _zero_or_one(scores)
    fitted = fit(strata, zero_or_one=is_share)
    k = scores.n_algorithms
    if control is not None and (control not in scores.algorithms or k == 1):
        raise InputError(unknown_control(control, scores.algorithms))
    columns: dict[str, Any] = {"algorithm_1": [], "algorithm_2": []}
    columns |= {name: np.empty(0) for name in (*_POPULATIONS, "judge_alone")}
    both = Columns(columns | {"population": []})
    interval = ""
    if k > 1:
        index = pair_index(scores.algorithms, control)
        sides = _sides(fitted, index.first, index.second)
        _require_spread(sides[LIKE], sides[THESE], scores, index.first, index.second)
        for name, side in sides.items():
            side |= (
                _drawn(side, fitted, name, index.first, index.second, alpha, seed)
                if adjust == MAX_T
                else _raw(side)
            )
        both = _populations(index.labels, sides)
        judge = fitted.judge_means
        columns = {
            **index.labels,
            **{name: sides[LIKE][name] for name in ("estimate", *_TESTS, *_LIMITS)},
            "judge_alone": judge[index.first] - judge[index.second],
            "gain": sides[LIKE]["gain"],
        }
        if adjust == MAX_T:
            interval = _OF_MAX_T if len(index.first) > 1 else "95%"
    scale = float(scores.judge.min()), float(scores.judge.max())
    limits = mean_limits(strata, fitted, zero_or_one=is_share, scale=scale)
    blocks = _labelled_blocks(scores, at.name)
    return LabelsResult(
        table=Columns(columns),
        positions=blocks.per_algorithm(at.sign * fitted.estimates),
        method="t tests of mean labels with one slope of the judge",
        **means_of(at.name).difference(),
        statistic_name="t",
        hypotheses=MEANS,
        adjust=adjust,
        family=pairs_family(blocks, control),
        interval=interval,
        level=1 - alpha,
        alpha=alpha,
        control=control,
        reference=_REFERENCE,
        notes=_notes(scores, strata, names, fitted),
        blocks=blocks,
        means=_means(scores, fitted, limits, is_share, alpha),
        populations=both,
        slope=fitted.slope,
        chosen=chosen,
        labels=len(blocks.values),
        items=scores.n_blocks,
        seed=seed,
        scores=scores,
        fitted=fitted,
    )


def _labelled(scores: Scores) -> Bools:
    """Return which items people labelled."""
    assert scores.labelled is not None
    return scores.labelled


def _zero_or_one(scores: Scores) -> bool:
    """Return whether every label, of each person, is 0 or 1."""
    held = scores.values if scores.runs is None else scores.runs
    return right_or_wrong(held)


def _strata_of(scores: Scores, chosen: Chosen) -> tuple[list[Judged], tuple[str, ...]]:
    """Return labels and judge's scores of each stratum; reject what cannot be used."""
    judge = scores.judge
    if judge is None:
        raise DesignError(
            "labels needs a judge's scores of all answers: name their column ("
            + setting("judge", ...)
            + ") when the scores are read"
        )
    for name, held in (("cluster", scores.clusters), ("group", scores.groups)):
        if held is not None:
            raise DesignError(
                setting(name, ...)
                + " and labels exclude each other: the error rate for "
                f"{'dependent items' if name == 'cluster' else 'weighted groups'} has "
                "not been measured; leave it out"
                + ("" if name == "cluster" else ", or name it as stratum")
            )
    if chosen == "strata" and scores.strata is None:
        raise InputError(
            setting("labels", "strata")
            + " needs the column of strata from which the labelled items were drawn: "
            + setting("stratum", ...)
        )
    if chosen == "random" and scores.strata is not None:
        raise InputError(
            setting("stratum", ...)
            + " is for labels drawn within strata: set "
            + setting("labels", "strata")
            + ", or leave it out"
        )
    has, y = _labelled(scores), scores.column()
    n = int(has.sum())
    if n < _FEWEST_LABELS:
        raise DesignError(
            f"{counted(n, 'item')} {have(n)} labels, and intervals of fewer than "
            f"{_FEWEST_LABELS} do not hold; label more"
        )
    names: tuple[str, ...] = ("",)
    codes = np.zeros(scores.n_blocks, int)
    if chosen == "strata":
        of_item = levels(scores.strata or (), what="strata")
        names, codes = of_item.labels, np.asarray(of_item.codes)
        if len(names) == 1:
            raise InputError(
                f"all items are in stratum {show(names[0])}: set "
                + setting("labels", "random")
                + " and leave stratum out"
            )
        counts = np.bincount(codes[has], minlength=len(names))
        if counts.min() < _FEWEST_IN_STRATUM:
            at = int(counts.argmin())
            raise DesignError(
                f"stratum {show(names[at])} has "
                f"{counted(int(counts[at]), 'labelled item')}, and needs "
                f"{_FEWEST_IN_STRATUM}; label more, or join strata that were labelled "
                "at one rate"
            )
    strata = []
    for code in range(len(names)):
        mine = codes == code
        kept = mine & has
        of_all = judge[mine].mean(axis=0)
        strata.append(Judged(y[kept], judge[kept], of_all, int(mine.sum())))
    return strata, names


def _labelled_blocks(scores: Scores, metric: str) -> Blocks:
    """Return the labels as blocks."""
    has = _labelled(scores)
    names = tuple(np.array(scores.blocks, dtype=object)[has].tolist())
    return Blocks(
        values=scores.oriented(metric)[has],
        metric=scores.metric(metric),
        algorithms=scores.algorithms,
        blocks=names,
        decimals=None,
    )


def _variances(fitted: JudgedFit, population: str) -> tuple[StratumVariances, Floats]:
    """Return covariances with the judge, and of the labels only."""
    if population == LIKE:
        return fitted.like, fitted.like_alone
    return fitted.these, fitted.these_alone


def _sides(fitted: JudgedFit, first: Ints, second: Ints) -> dict[str, dict[str, Any]]:
    """Return raw tests of the pairs, for each population."""
    estimate = fitted.estimates[first] - fitted.estimates[second]
    sides: dict[str, dict[str, Any]] = {}
    for population in (LIKE, THESE):
        with_judge, alone = _variances(fitted, population)
        error, df = with_judge.of_pairs(first, second)
        own = alone[first, first] + alone[second, second] - 2 * alone[first, second]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = estimate / error
            gain = 1 - error**2 / own
        sides[population] = {
            "estimate": estimate,
            "std_error": error,
            "statistic": t,
            "df": df,
            "p_value": student.two_sided(t, df),
            "gain": gain,
        }
    return sides


def _require_spread(
    like: dict[str, Floats],
    these: dict[str, Floats],
    scores: Scores,
    first: Ints,
    second: Ints,
) -> None:
    """Reject graded labels whose differences have no error at all."""
    size = 1e-12 * float(np.nanmax(np.abs(scores.values)))
    flat = (like["std_error"] <= size) | (these["std_error"] <= size)
    if flat.any():
        at = int(np.argmax(flat))
        names = [scores.algorithms[end[at]] for end in (first, second)]
        raise DesignError(
            f"labels of {show_all(names)} differ by one amount on all labelled items, "
            "or exactly as the judge has it: the error of their difference cannot be "
            "estimated; leave one of them out, or label more items"
        )


def _drawn(
    side: dict[str, Any],
    fitted: JudgedFit,
    population: str,
    first: Ints,
    second: Ints,
    alpha: float,
    seed: int,
) -> dict[str, Floats]:
    """Return adjusted p-values and limits by the largest statistic, step-down."""
    estimate, error, df = side["estimate"], side["std_error"], side["df"]
    if len(estimate) == 1:  # nothing to draw: the t distribution itself
        adjusted = side["p_value"]
        last = joint = student.isf(alpha / 2, float(df[0]))
    else:
        largest = largest_differences(
            _variances(fitted, population)[0].total,
            first,
            second,
            side["statistic"],
            error,
            df=float(df.min()),
            alpha=alpha,
            seed=seed,
        )
        adjusted, joint, last = largest.p_adjusted, largest.joint, largest.last
    low, high = agreeing_limits(
        estimate - last * error,
        estimate + last * error,
        estimate,
        rejected(adjusted, alpha),
    )
    return {
        "p_adjusted": adjusted,
        "conf_low": low,
        "conf_high": high,
        "joint_low": estimate - joint * error,
        "joint_high": estimate + joint * error,
    }


def _raw(side: dict[str, Any]) -> dict[str, Floats]:
    """Return what tests have before any adjustment: no limits."""
    none = np.full(len(side["estimate"]), math.nan)
    return {"p_adjusted": side["p_value"], **dict.fromkeys(_LIMITS, none)}


def _by_name(
    side: dict[str, Any], adjust: str, k: int, control: str | None, alpha: float
) -> dict[str, Floats]:
    """Return p-values of a named adjustment, and limits that agree with them."""
    p = side["p_value"]
    adjusted = adjust_family(p, k, family_adjustment(adjust, MEANS, control))
    excludes = rejected(adjusted, alpha)
    half = student.half_widths(
        side["std_error"], side["df"], last_step(p, excludes, alpha) / 2
    )
    estimate = side["estimate"]
    low, high = agreeing_limits(estimate - half, estimate + half, estimate, excludes)
    limits = {"p_adjusted": adjusted, "conf_low": low, "conf_high": high}
    return limits | _together(side, alpha / len(p))


def _together(side: dict[str, Any], alpha: float) -> dict[str, Floats]:
    """Return limits that hold together, by Bonferroni."""
    half = student.half_widths(side["std_error"], side["df"], alpha / 2)
    estimate = side["estimate"]
    return {"joint_low": estimate - half, "joint_high": estimate + half}


def _populations(
    pairs: dict[str, LabelColumn], sides: dict[str, dict[str, Any]]
) -> Columns:
    """Return the pairs for each population, one below the other."""
    columns: dict[str, Any] = {
        name: np.concatenate([np.asarray(ends.array)] * len(sides))
        for name, ends in pairs.items()
    }
    n = len(next(iter(sides.values()))["estimate"])
    columns["population"] = np.repeat(np.array(list(sides), dtype=object), n)
    for name in _POPULATIONS:
        columns[name] = np.concatenate([side[name] for side in sides.values()])
    return Columns(columns)


def _means(
    scores: Scores, fitted: JudgedFit, limits: MeanLimits, is_share: bool, alpha: float
) -> Columns:
    """Return the mean of each algorithm, for each population."""
    k, has = scores.n_algorithms, _labelled(scores)
    rows: dict[str, list[Floats]] = {name: [] for name in _MEANS}
    for population, error, df in (
        (LIKE, limits.like, limits.df_like),
        (THESE, limits.these, limits.df_these),
    ):
        with_judge, alone = _variances(fitted, population)
        half = student.half_widths(error, df, alpha / 2)
        low, high = limits.centre - half, limits.centre + half
        if is_share:
            low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = 1 - np.diag(with_judge.total) / np.diag(alone)
        parts = (
            *(fitted.estimates, error, df, low, high),
            *(fitted.judge_means, fitted.label_means, gain),
        )
        for name, values in zip(_MEANS, parts, strict=True):
            rows[name].append(values)
    columns: dict[str, Any] = {
        "algorithm": np.array(scores.algorithms * 2, dtype=object),
        "labels": np.full(2 * k, int(has.sum())),
        "items": np.full(2 * k, scores.n_blocks),
        **{name: np.concatenate(values) for name, values in rows.items()},
        "population": np.repeat(np.array([LIKE, THESE], dtype=object), k),
    }
    return Columns(columns)


def _notes(
    scores: Scores, strata: list[Judged], names: tuple[str, ...], fitted: JudgedFit
) -> tuple[str, ...]:
    """Return the notes for readers."""
    n = sum(part.n for part in strata)
    notes = [
        f"{counted(n, 'item')} labelled by people, "
        f"{counted(scores.n_blocks, 'item')} scored by the judge"
    ]
    if len(strata) > 1:
        each = (
            f"{show(name)} {part.n} of {part.items:,}"
            for name, part in zip(names, strata, strict=True)
        )
        notes.append(f"labelled items by stratum: {', '.join(each)}")
    if fitted.slope == 0:
        notes.append(
            "the judge's scores of labelled items do not vary between algorithms, or "
            "do not follow the labels at all: the judge adds nothing"
        )
    notes += _rare_verdicts(scores)
    notes += _rare_grades(scores)
    notes += _unlike(scores, strata)
    return tuple(notes)


def _rare_verdicts(scores: Scores) -> list[str]:
    """Note verdicts that hardly any labelled item has: intervals may be too short."""
    judge = scores.judge
    assert judge is not None
    kinds = np.unique(judge)
    if len(kinds) != 2:
        return []
    own = judge[_labelled(scores)]
    yes = (own == kinds[1]).sum(axis=0)
    least = np.minimum(yes, len(own) - yes)
    few = [
        f"{show(name)} {count}"
        for name, count in zip(scores.algorithms, least.tolist(), strict=True)
        if count < _FEW_VERDICTS
    ]
    if not few:
        return []
    return [
        f"fewer than {_FEW_VERDICTS} labelled items have the judge's rarer verdict "
        f"({', '.join(few)}): how far people agree with it is hardly known"
    ]


def _rare_grades(scores: Scores) -> list[str]:
    """Note graded labels that are nearly all equal: a mean's interval is too short."""
    if _zero_or_one(scores):
        return []
    own = scores.values[_labelled(scores)][..., 0].T
    alike = [int(np.unique(y, return_counts=True)[1].max()) for y in own]
    few = [
        f"{show(name)} {own.shape[1] - count}"
        for name, count in zip(scores.algorithms, alike, strict=True)
        if own.shape[1] - count < min(_FEW_OTHERS, count)
    ]
    if not few:
        return []
    return [
        f"fewer than {_FEW_OTHERS} labels differ from an algorithm's most common grade "
        f"({', '.join(few)}); {MEASURED['labels, few other grades'].text}"
    ]


def _unlike(scores: Scores, strata: list[Judged]) -> list[str]:
    """Note algorithms whose labelled items the judge scores unlike the others."""
    judge = scores.judge
    assert judge is not None
    total = sum(part.items for part in strata)
    gap, variance = np.zeros(scores.n_algorithms), np.zeros(scores.n_algorithms)
    spread = judge.var(axis=0)
    for part in strata:
        if part.items == part.n:
            continue
        weight = part.items / total
        gap += weight * (part.judge.mean(axis=0) - part.judge_means)
        variance += weight**2 * spread * part.unlabelled / part.n
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.abs(gap) / np.sqrt(variance) > _FAR
    odd = [name for name, is_far in zip(scores.algorithms, far, strict=True) if is_far]
    if not odd:
        return []
    return [
        f"the judge scores labelled items of {show_all(odd)} unlike the others (more "
        f"than {_FAR:g} standard errors): were the labelled items drawn at random?"
    ]


@dataclass(frozen=True, eq=False)
class OtherEstimate:
    """Another estimate from the same labels and scores.

    Attributes
    ----------
    name, short, assumes : str
    same_quantity : bool
        Whether it is of the people's labels; the judge only is not.
    estimate, p_value : ndarray, shape (pairs,)
        Of items like these.
    """

    name: str
    short: str
    assumes: str
    same_quantity: bool
    estimate: Floats
    p_value: Floats


def other_estimates(result: LabelsResult) -> Iterator[OtherEstimate]:
    """Yield labels alone, one slope per pair, a fixed slope, and the judge only."""
    scores, chosen = result.scores, result.chosen
    strata, _ = _strata_of(scores, chosen)
    index = pair_index(scores.algorithms, result.control)
    first, second = index.first, index.second
    is_share = _zero_or_one(scores)
    n, total = result.labels, result.items

    def by_slope(slope: float) -> tuple[Floats, Floats]:
        own = fit(strata, zero_or_one=is_share, slope=slope)
        side = _sides(own, first, second)[LIKE]
        return side["estimate"], side["p_value"]

    yield OtherEstimate(
        "Labels only", "labels", "nothing about the judge", True, *by_slope(0.0)
    )
    several = scores.n_algorithms > 2
    if several:
        parts = []
        for i, j in zip(first.tolist(), second.tolist(), strict=True):
            two = [
                Judged(
                    part.labels[:, [i, j]],
                    part.judge[:, [i, j]],
                    part.judge_means[[i, j]],
                    part.items,
                )
                for part in strata
            ]
            own = fit(two, zero_or_one=is_share)
            side = _sides(own, np.array([0]), np.array([1]))[LIKE]
            parts.append((side["estimate"][0], side["p_value"][0]))
        estimates, p_values = zip(*parts, strict=True)
        yield OtherEstimate(
            "A slope per pair",
            "own slopes",
            "as the primary analysis",
            True,
            np.array(estimates),
            np.array(p_values),
        )
    yield OtherEstimate(
        "Judge's scores as labels, corrected by their mean error (lambda = 1)",
        "lambda = 1",
        "the judge is on the labels' scale",
        True,
        *by_slope(total / (total - n)),
    )
    judge = scores.judge
    assert judge is not None
    d = judge[:, first] - judge[:, second]
    mean, error = d.mean(axis=0), d.std(axis=0, ddof=1) / math.sqrt(len(d))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > 0, mean / error, np.where(mean == 0, 0.0, np.inf))
    p = student.two_sided(t, np.full(len(t), len(d) - 1.0))
    assumed = "the judge is right"
    yield OtherEstimate("The judge only", "judge", assumed, False, mean, p)
