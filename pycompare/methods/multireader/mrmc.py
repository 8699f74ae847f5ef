"""``mrmc``: compare modalities over several readers and cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from pycompare.base.arguments import (
    check_alpha,
    check_level,
    check_resampling,
    check_word,
    is_finite,
    require,
)
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.numbers import percent
from pycompare.base.hypotheses import FIGURES_OF_MERIT, MARGIN
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show
from pycompare.base.tables import Columns, Labelled
from pycompare.base.typing import Floats, Hypothesis
from pycompare.data.ratings import Ratings
from pycompare.kernels import pseudovalues as pseudo
from pycompare.methods.multireader import tables
from pycompare.methods.multireader.covariances import (
    ReaderCells,
    cells,
    is_plain,
    leave_one_out,
)
from pycompare.methods.multireader.designs import (
    POPULATIONS,
    Crossed,
    ReaderDesign,
    Uncrossed,
    analyses,
    pairs_by_scope,
)
from pycompare.methods.multireader.error_terms import Model
from pycompare.methods.multireader.family import ModalityPairs, family_of
from pycompare.methods.multireader.figures import FigureOfMerit, figure_of
from pycompare.methods.multireader.findings import Findings
from pycompare.methods.multireader.largest import (
    LargestMRMCResult,
    raw_columns,
    scope_columns,
    three_tests,
)
from pycompare.methods.multireader.notes import notes_of, omnibus_notes
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.multireader.words import (
    LARGEST_R_FILES,
    R_FILES,
    CovarianceName,
    DfRule,
    Effect,
    ErrorName,
    FigureName,
    PairTestsName,
    ReaderMethod,
)
from pycompare.methods.pairs.equivalence import wrong_hypothesis
from pycompare.results.adjust import (
    Adjustment,
    family_adjustment,
    repeatable_in_r,
)
from pycompare.results.placement import Placement
from pycompare.results.result import Test

_REFERENCES: dict[ReaderMethod, str] = {
    "or": "Obuchowski & Rockette (1995) Commun. Stat. Simul. Comput. 24, 285-308; "
    "Hillis (2007) Stat. Med. 26, 596-619",
    "dbm": "Dorfman, Berbaum & Metz (1992) Invest. Radiol. 27, 723-731; Hillis et al. "
    "(2005) Stat. Med. 24, 1579-1607",
}
_TITLES: dict[ReaderMethod, str] = {
    "or": "Obuchowski-Rockette",
    "dbm": "Dorfman-Berbaum-Metz",
}
_OWN = "; the largest of three p-values is our own derivation"
RESAMPLES = 2000


@dataclass(frozen=True)
class Choices:
    """The arguments of ``mrmc``, checked."""

    figure: FigureOfMerit
    model: Model
    family: ModalityPairs
    covariance: CovarianceName
    pooled: bool
    adjust: Adjustment
    alpha: float
    level: float
    margin: float | None
    seed: int | None
    resamples: int | None
    largest: bool


@checked
def mrmc(
    ratings: Ratings,
    *,
    method: ReaderMethod = "or",
    covariance: CovarianceName = "jackknife",
    readers: Effect = "random",
    cases: Effect = "random",
    figure: FigureName = "auc",
    threshold: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    better: Literal["higher", "lower"] | None = None,
    control: str | None = None,
    margin: float | None = None,
    hypothesis: Hypothesis | None = None,
    adjust: str = "holm",
    error: ErrorName = "own",
    df: DfRule = "hillis",
    pair_tests: PairTestsName | None = None,
    alpha: float | None = None,
    level: float | None = None,
    seed: int | None = None,
    resamples: int | None = None,
) -> MRMCResult:
    """Compare modalities over several readers and cases (MRMC analysis).

    Parameters
    ----------
    ratings : Ratings
        At least two modalities.
    method : {"or", "dbm"}
        Obuchowski and Rockette's analysis of figures and their covariances, or Dorfman,
        Berbaum and Metz's analysis of jackknife pseudovalues.
    covariance : {"jackknife", "delong", "unbiased", "bootstrap"}
        How covariances over cases are estimated; ``unbiased`` is the one-shot estimate
        of Gallas. ``dbm`` has the jackknife only.
    readers, cases : {"random", "fixed"}
        Whether conclusions concern new readers, and new cases, or the ones at hand. Not
        both can be fixed.
    figure : str, default "auc"
        Figure of merit: ``auc``, ``partial_auc``, ``sensitivity``, ``specificity``,
        ``mean``, ``afroc`` or ``wafroc``. ``mean`` is the mean rating, if ratings are
        scores of cases. ``afroc`` and ``wafroc`` are the areas of free-response marks
        (``pc.read_marks``): all lesions, or all cases with lesions, count equally.
    threshold : float, optional
        For sensitivity and specificity: positive is a rating >= threshold.
    fpr_range : pair of float, optional
        For ``partial_auc``: the area between these false positive rates.
    better : {"higher", "lower"}, optional
        Direction of the ratings. For ``mean``, which needs it: whether higher or lower
        ratings are better (losses). For the other figures ``lower`` means that lower
        ratings speak for the positive class, of which positive is a rating <=
        ``threshold``; higher ones if not given.
    control : str, optional
        A modality: compare each other one with it only. The test of all modalities
        stays that of all.
    margin : float, optional
        Positive, in units of the figure: also test superiority, non-inferiority and
        equivalence of pairs (``claims``); with a control, of the others to it.
        Superiority and non-inferiority to a control are tested one-sided at alpha/2, as
        the margins of ``compare``; of all pairs both directions are tested together at
        alpha, and equivalence by two tests at alpha.
    hypothesis : {"superiority", "non-inferiority", "equivalence"}, optional
        The first statement of a report's conclusion; no number depends on it. Required
        with a margin. The last two need a margin, non-inferiority also a control;
        superiority, the default, has none.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``, over the pairs compared. Equal means
        are transitive, so ``shaffer`` and ``bergmann-hommel`` are allowed for all
        pairs; with a control, which leaves no logical relations, and with a margin,
        within which differences are not transitive, they are rejected.
    error : {"own", "pooled"}
        Whether the test of a pair uses the ratings of its two modalities alone, or mean
        squares and covariances averaged over all modalities, as MRMCaov and RJafroc do.
        The pooled error assumes that all differences have one variance, which
        modalities with different AUCs or readers who vary more with some of them do not
        give.
    df : {"hillis", "1992"}
        Degrees of freedom for random readers and cases. ``1992`` is the original rule
        of ``dbm``, whose error and df jump if a component is estimated negative.
    pair_tests : {"largest", "published"}, optional
        How pairs are tested for new readers and new cases. ``largest``: p is the
        largest of three, of new cases with these readers, of new readers with these
        cases (paired t), and of both by Hillis' own-error test. ``published``: Hillis'
        test alone, which with few readers and many pairs rejects too often (family-wise
        0.339 with 8 modalities x 3 readers at 0.05). By default ``largest`` for three
        or more modalities with their own error and Hillis' degrees of freedom, else
        ``published``. The test of all modalities is the published one in any case.
    alpha : float, optional
        Family-wise significance level; by default 1 - level, which is 0.05 if neither
        is given.
    level : float, optional
        Confidence level of the intervals that describe, each separately; by default
        1 - alpha. Those of pairs have 1 - alpha, each separately as published, and by
        ``largest`` the level of Holm's last step, which follows from
        alpha: alpha/(m - r) of m pairs with r rejected, so that each excludes 0 exactly
        when the difference is significant.
    seed, resamples : int, optional
        For ``bootstrap`` only; 0 and 2000 if not given.

    Returns
    -------
    MRMCResult
        A ``LargestMRMCResult`` if pairs have the largest of three p-values.

    Raises
    ------
    DesignError
        If there are too few modalities, readers or cases, or the design has no such
        analysis.
    InputError
        For an option that does not exist or does not belong to the method.

    Notes
    -----
    Equations 9.1, 9.5, 9.8 of docs/equations.md.

    For t modalities and r readers, both random: F = MS(T) / D with
    D = MS(TR) + max(r (Cov2 - Cov3), 0) on t - 1 and
    D^2 / (MS(TR)^2 / ((t - 1)(r - 1))) degrees of freedom (Hillis). Fixed readers:
    chi-squared with D = Var - Cov1 + (r - 1)(Cov2 - Cov3), not floored, which is r / 2
    times the variance of a difference of means; ``dbm`` has F on t - 1 and
    (t - 1)(n - 1). Fixed cases: D = MS(TR), the two-way analysis of variance.

    Estimates of components may be negative. The rule: they are reported as they are and
    also floored at 0 (``floored``); in a test only Cov2 - Cov3 is floored.

    The largest of three p-values is our own derivation. Margins are
    tested in the same way.

    The test of three or more modalities assumes that all differences have one
    variance; pairs with their own error do not. ``validation/MULTIREADER.md`` has the
    simulated levels of both.

    Cells of different cases are independent, so cases nested in readers or modalities
    have covariances of 0 if no case is common. If some reader does not read with
    some modality, the covariances of the means of modalities are estimated from common
    readers and common cases (``multireader.uncrossed``): with unbiased covariances the
    one-shot estimate, with readers nested in modalities Hillis' (2014) analysis, pairs
    with Welch's degrees of freedom. There ``readers="fixed"`` tests all modalities by
    the quadratic form of their covariances; with random readers three or more
    modalities are tested together only if each has equally many readers of its own.

    R: MRMCaov and RJafroc (stored numbers); live: ``pROC``, ``aov(Error())``.

    References
    ----------
    .. [1] Obuchowski, N. A., Rockette, H. E. (1995). Communications in Statistics -
       Simulation and Computation 24, 285-308.
    .. [2] Dorfman, D. D., Berbaum, K. S., Metz, C. E. (1992). Investigative Radiology
       27, 723-731.
    .. [3] Hillis, S. L. (2007). Statistics in Medicine 26, 596-619.
    .. [4] Gallas, B. D. (2006). Academic Radiology 13, 353-362.
    .. [5] Hillis, S. L. (2014). Statistics in Medicine 33, 330-360.
    .. [6] Maloof, M. A. (2002). On machine learning, ROC analysis, and statistical
       tests of significance. ICPR.

    Examples
    --------
    >>> import numpy as np, pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ill = np.arange(40) < 20
    >>> shift = np.array([0.4, 0.5])[:, None, None] * ill
    >>> ratings = pc.Ratings(
    ...     values=rng.normal(size=(2, 4, 40)) + rng.normal(size=40) + shift,
    ...     truth=ill, modalities=("old", "new"), readers=("a", "b", "c", "d"),
    ...     cases=tuple(map(str, range(40))),
    ... )
    >>> found = pc.mrmc(ratings)
    >>> found.areas["estimate"].round(3).tolist()
    [0.571, 0.65]
    >>> print(f"F = {found.statistic:.2f}, p = {found.p_value:.3f}")
    F = 13.81, p = 0.016
    """
    asked = {name: value for name, value in locals().items() if name != "ratings"}
    require(ratings, Ratings)
    if margin is not None and not (is_finite(margin) and margin > 0):
        raise InputError(setting("margin", margin) + ": give a positive number")
    wrong = wrong_hypothesis(hypothesis, margin, control)
    if wrong is not None:
        raise InputError(wrong)
    chosen = _checked(
        ratings,
        _model_of(ratings, method, readers, cases, df),
        figure_of(figure, threshold, fpr_range, better, ratings),
        family_of(ratings.modalities, control),
        covariance=covariance,
        error=error,
        pair_tests=pair_tests,
        adjust=adjust,
        alpha=alpha,
        level=level,
        margin=margin,
        seed=seed,
        resamples=resamples,
    )
    rng = np.random.default_rng(chosen.seed)
    turned = chosen.figure.turned(ratings)
    figure_cells = cells(turned, chosen.figure, covariance, rng, chosen.resamples or 0)
    return replace(_analysed(turned, figure_cells, chosen, asked), ratings=ratings)


def _model_of(
    ratings: Ratings, method: ReaderMethod, readers: Effect, cases: Effect, rule: DfRule
) -> Model:
    """Return the random factors, with the numbers of readers and cases."""
    return Model(
        method=method,
        readers=readers,
        cases=cases,
        rule=rule,
        n_readers=len(ratings.readers),
        n_units=len(ratings.clusters) or len(ratings.cases),
        fewest_readers=int(ratings.read.any(axis=2).sum(axis=1).min()),
    )


def _checked(
    ratings: Ratings,
    model: Model,
    figure: FigureOfMerit,
    family: ModalityPairs,
    *,
    covariance: CovarianceName,
    error: str,
    pair_tests: str | None,
    adjust: str,
    alpha: float | None,
    level: float | None,
    margin: float | None,
    seed: int | None,
    resamples: int | None,
) -> Choices:
    """Check the arguments, one against the other."""
    alpha, level = _levels(alpha, level)
    _require_words(model, error)
    _require_design(ratings, model, covariance, error)
    if margin is not None:
        family_adjustment(adjust, MARGIN, family.control)
    largest = _is_largest(pair_tests, len(ratings.modalities), model, error)
    if covariance == "bootstrap":
        check_resampling(seed, resamples, least=2)
        seed, resamples = seed or 0, RESAMPLES if resamples is None else resamples
    elif seed is not None or resamples is not None:
        raise InputError(
            setting("seed")
            + " and "
            + setting("resamples")
            + " belong to "
            + setting("covariance", "bootstrap")
        )
    return Choices(
        figure,
        model,
        family,
        covariance,
        error == "pooled",
        family_adjustment(adjust, FIGURES_OF_MERIT, family.control),
        alpha,
        level,
        margin,
        seed,
        resamples,
        largest,
    )


def _is_largest(
    pair_tests: str | None, n_modalities: int, model: Model, error: str
) -> bool:
    """Return whether pairs have the largest of three p-values, or reject it."""
    known = get_args(PairTestsName)
    if pair_tests is not None and pair_tests not in known:
        raise InputError(
            setting("pair_tests", pair_tests)
            + f": choose {' or '.join(map(repr, known))}"
        )
    why_not = None
    if n_modalities < 3:
        why_not = "needs three modalities; the pair of two is the test of both"
    elif model.fewest_readers < 2:
        why_not = "needs two readers of each modality"
    elif error == "pooled":
        why_not = "has each pair's own error; leave out " + setting("error", error)
    elif model.rule != "hillis":
        why_not = "has Hillis' degrees of freedom; leave out " + setting("df", "1992")
    if pair_tests == "largest" and why_not is not None:
        raise InputError(setting("pair_tests", pair_tests) + f" {why_not}")
    return why_not is None and pair_tests != "published"


def _levels(alpha: float | None, level: float | None) -> tuple[float, float]:
    """Return both levels: one not given follows from the other."""
    if level is not None:
        check_level(level)
    if alpha is None:
        # 1 - 0.95 is not 0.05, and decisions at the level are the reader's 0.05.
        alpha = 0.05 if level is None else round(1 - level, 12)
    check_alpha(alpha)
    return alpha, 1 - alpha if level is None else level


_WORDS = {
    "method": ("or", "dbm"),
    "readers": ("random", "fixed"),
    "cases": ("random", "fixed"),
    "rule": ("hillis", "1992"),
}


def _require_words(model: Model, error: str) -> None:
    """Reject unknown words, and words that contradict each other."""
    for name, known in _WORDS.items():
        if (word := getattr(model, name)) not in known:
            option = "df" if name == "rule" else name
            raise InputError(
                setting(option, word) + f": choose {' or '.join(map(repr, known))}"
            )
    check_word("error", error, ("own", "pooled"))
    if (model.readers, model.cases) == ("fixed", "fixed"):
        raise InputError(
            "readers and cases cannot both be fixed: nothing is left that varies"
        )
    if model.rule == "1992" and (
        model.method != "dbm" or "fixed" in (model.readers, model.cases)
    ):
        raise InputError(
            setting("df", "1992")
            + " is for "
            + setting("method", "dbm")
            + " with random readers and random cases"
        )


def _require_design(
    ratings: Ratings, model: Model, covariance: str, error: str
) -> None:
    """Reject a design without this analysis."""
    t = len(ratings.modalities)
    if t < 2:
        raise DesignError(
            f"a comparison needs two modalities, got {t}; pc.single_modality "
            "(pycompare mrmc --only NAME) has the mean of one"
        )
    readers = ratings.read.any(axis=2)
    if model.fewest_readers < 2 and model.readers == "random":
        i = int(readers.sum(axis=1).argmin())
        raise DesignError(
            f"modality {show(ratings.modalities[i])} has one reader, from "
            f"which new readers cannot be inferred; choose "
            + setting("readers", "fixed")
        )
    if error == "pooled" and not readers.all():
        raise DesignError(
            setting("error", "pooled")
            + " needs every reader to read with every modality; choose "
            + setting("error", "own")
        )
    if model.method == "dbm" and covariance != "jackknife":
        raise InputError(
            setting("method", "dbm")
            + " analyses jackknife pseudovalues: "
            + setting("covariance", covariance)
            + " is for "
            + setting("method", "or")
        )
    if model.method == "dbm" and ratings.design != "factorial":
        raise DesignError(
            setting("method", "dbm")
            + " needs every reader to rate every case with every modality, and the "
            f"design is {show(ratings.design)}; choose " + setting("method", "or")
        )


def pseudovalues_of(ratings: Ratings, figure: FigureOfMerit) -> Floats:
    """Return pseudovalues of all cells, shape (t, r, n_units), with the figure as mean.

    Those of a figure that is no mean over cases are shifted to it (Hillis et al. 2005,
    normalised pseudovalues).
    """
    t, r, n = ratings.shape
    truth = np.ones(n, bool) if ratings.truth is None else ratings.truth
    if is_plain(ratings, figure):
        return pseudo.auc(truth, ratings.values)[1]
    theta, less = leave_one_out(
        ratings, ratings.values.reshape(t * r, n), truth, figure
    )
    pseudovalues = len(less) * theta - (len(less) - 1) * less
    pseudovalues += theta - pseudovalues.mean(axis=0)
    return np.asarray(pseudovalues.T.reshape(t, r, -1))


def _analysed(
    ratings: Ratings, cells: ReaderCells, chosen: Choices, asked: Mapping[str, Any]
) -> MRMCResult:
    """Analyse figures and covariances and put the result together."""
    model, names, family = chosen.model, ratings.modalities, chosen.family
    design = _design_of(ratings, cells, chosen)
    findings = design.findings(model, chosen.pooled)
    sign = -1.0 if chosen.figure.better == "higher" else 1.0
    by = "with the error of all modalities" if chosen.pooled else "with their own error"
    kind: type[MRMCResult] = MRMCResult
    if chosen.largest and model.of_both:
        kind, by = LargestMRMCResult, "by the largest of three p-values"
        columns = raw_columns(family, three_tests(design, model, family))
    else:
        columns = tables.pair_columns(
            family, findings.pairs, chosen.adjust, 1 - chosen.alpha
        )
    result = kind(
        table=Columns(columns),
        positions=Labelled(sign * findings.each.estimate, names),
        method=f"{_TITLES[model.method]} analysis, pairs {by}",
        **Placement(f"mean {chosen.figure.title}").difference(),
        statistic_name="t",
        hypotheses=FIGURES_OF_MERIT,
        adjust=chosen.adjust.name,
        family=family.text(f" on {chosen.figure.title}"),
        interval=f"{percent(1 - chosen.alpha)} for each pair separately",
        level=1 - chosen.alpha,
        alpha=chosen.alpha,
        control=family.control,
        reference=_REFERENCES[model.method] + _OWN * (kind is LargestMRMCResult),
        notes=(
            *ratings.notes,
            *notes_of(
                ratings,
                cells,
                findings,
                design,
                model,
                family,
                figure=chosen.figure,
                pooled=chosen.pooled,
                largest=chosen.largest,
                with_margin=chosen.margin is not None,
            ),
        ),
        omnibus=_omnibus_test(findings, design, chosen),
        figure=chosen.figure.title,
        merit=chosen.figure.name,
        direction=chosen.figure.better,
        population=POPULATIONS[model.readers, model.cases],
        readers=model.readers,
        cases=model.cases,
        covariance_method=chosen.covariance,
        df_rule=model.rule,
        error="pooled" if chosen.pooled else "own",
        pair_tests="largest" if chosen.largest else "published",
        descriptive_level=chosen.level,
        margin=chosen.margin,
        n_readers=model.n_readers,
        fewest_readers=model.fewest_readers,
        n_units=cells.n_units,
        seed=chosen.seed,
        resamples=chosen.resamples,
        asked=asked,
        ratings=ratings,
        call=_call_of(ratings, chosen),
        make=_makers(ratings, cells, design, findings, chosen),
    )
    if not isinstance(result, LargestMRMCResult):
        return result
    adjusted: MRMCResult = result.adjusted(chosen.adjust.name)
    return adjusted


def _design_of(ratings: Ratings, cells: ReaderCells, chosen: Choices) -> ReaderDesign:
    """Choose how the design is analysed."""
    if np.isnan(cells.theta).any():
        return Uncrossed(cells)
    if chosen.model.method == "or":
        return Crossed(cells, None)
    return Crossed(cells, pseudovalues_of(ratings, chosen.figure))


def _makers(
    ratings: Ratings,
    cells: ReaderCells,
    design: ReaderDesign,
    findings: Findings,
    chosen: Choices,
) -> dict[str, Callable[[], pd.DataFrame | None]]:
    """Return the maker of each table."""
    names, readers, level = ratings.modalities, ratings.readers, chosen.level
    figure, model, family = chosen.figure, chosen.model, chosen.family
    t, n = len(names), cells.n_units
    largest = chosen.largest and model.of_both
    finite = (n - 1.0, (t - 1) * (n - 1.0)) if model.method == "dbm" else (np.inf,) * 2

    def claims() -> pd.DataFrame | None:
        if chosen.margin is None:
            return None
        return tables.claim_table(
            family,
            three_tests(design, model, family)
            if largest
            else [family.of(findings.pairs)],
            chosen.margin,
            chosen.adjust,
            figure.better,
            chosen.alpha,
        )

    def limits() -> dict[str, tuple[float, float]]:
        crossed = ratings.design == "factorial" and len(readers) > 1
        if not crossed or chosen.covariance != "jackknife":
            return {}
        return tables.reader_limits(pseudovalues_of(ratings, figure), level)

    def reader_pairs() -> pd.DataFrame:
        pairs = tables.reader_pair_means(cells, family, chosen.pooled, finite)
        return tables.reader_pair_table(family, readers, pairs, level)

    def of_both() -> dict[str, Any]:
        tests = three_tests(design, model, family)
        return scope_columns(family, tests, chosen.adjust, chosen.alpha)

    return {
        "areas": lambda: tables.area_table(names, findings.each, level, figure),
        "by_reader": lambda: tables.reader_table(names, readers, cells, level, figure),
        "reader_pairs": reader_pairs,
        "components": lambda: tables.component_table(design.components, limits()),
        "analyses": lambda: analyses(design, model),
        "scopes": lambda: pairs_by_scope(
            *(family, design, model, chosen.pooled, chosen.adjust, level),
            of_both=of_both if chosen.largest else None,
        ),
        "anova": design.anova,
        "covariance": lambda: tables.covariance_table(names, readers, cells),
        "claims": claims,
    }


def _omnibus_test(findings: Findings, design: ReaderDesign, chosen: Choices) -> Test:
    """Return the test that all modalities have one mean."""
    omnibus = findings.omnibus
    df: Any = omnibus.df[0] if len(omnibus.df) == 1 else omnibus.df
    testable = np.isfinite(omnibus.statistic)
    title = _TITLES[chosen.model.method]
    return Test(
        name=f"{title} test that all modalities have the same mean "
        f"{chosen.figure.title}",
        statistic_name=omnibus.name,
        statistic=omnibus.statistic,
        df=df,
        p_value=omnibus.p_value,
        p_source=omnibus.name if testable else "none",
        reference=_REFERENCES[chosen.model.method],
        notes=omnibus_notes(omnibus, design),
    )


def _call_of(ratings: Ratings, chosen: Choices) -> RCall | None:
    """Return the R call that repeats the result, None if R has none."""
    whole = ratings.design == "factorial"
    if chosen.covariance == "bootstrap" or (
        chosen.covariance != "jackknife" and not whole
    ):
        return None
    model = chosen.model
    repeatable = repeatable_in_r(chosen.adjust.name, len(ratings.modalities))
    return r_call_of(
        ratings,
        chosen.figure,
        model.method,
        covariance=chosen.covariance,
        readers=model.readers,
        cases=model.cases,
        rule=model.rule,
        pooled=chosen.pooled,
        adjust=chosen.adjust.name if repeatable else "",
        descriptive_level=chosen.level,
        margin=chosen.margin,
        control=chosen.family.r_control(),
        **_pairs_in_r(chosen),
    )


def _pairs_in_r(chosen: Choices) -> dict[str, Any]:
    """Return the arguments of R for pairs: their tests, or the level of intervals."""
    arguments: dict[str, Any] = {}
    if chosen.largest:
        arguments = {"pair_tests": "largest", "alpha": chosen.alpha}
    follows = chosen.largest and chosen.model.of_both
    if not follows and chosen.level != 1 - chosen.alpha:
        arguments["pair_level"] = 1 - chosen.alpha
    return arguments


_USUAL = {
    "covariance": "jackknife",
    "readers": "random",
    "cases": "random",
    "rule": "hillis",
    "pooled": False,
}


def r_call_of(
    ratings: Ratings, figure: FigureOfMerit, method: ReaderMethod, **options: Any
) -> RCall:
    """Return the call of the R reference with the ratings as a matrix."""
    t, r, n = ratings.shape
    arguments = {
        "rating": ratings.values.reshape(t * r, n).T,
        "truth": figure.r_truth(ratings),
        "cluster": None if ratings.cluster is None else ratings.cluster + 1.0,
        "n_modalities": t,
        "figure": figure.name,
        "parameters": figure.r_parameters,
        "method": method,
        **(_USUAL | options),
        "higher": figure.better == "higher",
        "limits": figure.r_limits,
    }
    largest = options.get("pair_tests") == "largest"
    files = LARGEST_R_FILES if largest else R_FILES
    return RCall(files, "mrmc_reference", arguments)
