"""``glmm``: a generalised linear mixed model of 0/1 outcomes of readers and cases."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import pandas as pd
from scipy import special

from pycompare.base.arguments import check_level, check_word, is_finite, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.hypotheses import LOG_ODDS
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show
from pycompare.base.metric import Direction
from pycompare.base.typing import Bools, Floats, LinkFunction
from pycompare.data.ratings import Ratings
from pycompare.kernels import laplace
from pycompare.kernels.laplace import BinaryOutcomes, LaplaceFit
from pycompare.kernels.new_answers import right_or_wrong
from pycompare.methods.multireader import tables
from pycompare.methods.multireader.family import ModalityPairs, family_of
from pycompare.methods.multireader.findings import Means
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.multireader.words import OutcomeName, RandomName
from pycompare.results.adjust import (
    Adjustment,
    family_adjustment,
    repeatable_in_r,
)
from pycompare.results.placement import Placement
from pycompare.results.result import PairsResult, Test, internal, plain

_OUTCOMES: tuple[OutcomeName, ...] = get_args(OutcomeName)
_RANDOM: tuple[RandomName, ...] = get_args(RandomName)
_LINKS: tuple[LinkFunction, ...] = get_args(LinkFunction)
_SCALE: dict[LinkFunction, str] = {"logit": "log odds", "probit": "probits"}
_REFERENCE = (
    "Pinheiro & Bates (1995) J. Comput. Graph. Stat. 4, 12-35; Bates et al. (2015) J. "
    "Stat. Softw. 67(1)"
)
_MOST_OUTCOMES = 20_000
"""With more a report leaves the model out: it would take seconds."""
_OWN: RandomName = "modality x reader"
_FEW_READERS = 20
_FEW = (
    "with {readers} Wald's z and the likelihood ratio test reject too often: they "
    "assume many readers"
)
_NO_OWN = (
    "the model has no effect of modality x reader: if differences between modalities "
    "vary between readers, its tests reject too often"
)
_LARGEST_SLOPE = 1e-4
"""In standard errors: a search that ends with more has not found the maximum."""


_OF_EFFECT = ("std_error", "probability", "conf_low", "conf_high")
"""Columns of ``effects`` beside the estimate."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GLMMResult(PairsResult):
    """Modalities compared by a mixed model of 0/1 outcomes; see ``PairsResult``.

    ``estimate`` is on the scale of the link: log odds, or probits, of algorithm_1 less
    those of algorithm_2, for a reader and a case with random effects of 0.

    Attributes
    ----------
    omnibus : Test
        Likelihood-ratio test that all modalities have the same fixed effect.
    effects : DataFrame
        One row per modality: ``algorithm estimate std_error probability conf_low
        conf_high``; limits are those of the estimate.
    random : DataFrame
        One row per random effect: ``effect levels sd``.
    link : {"logit", "probit"}
    outcome : str
        The event coded 1.
    deviance : float
        -2 log likelihood by Laplace's approximation.
    n_outcomes : int
    """

    omnibus: Test
    effects: pd.DataFrame
    random: pd.DataFrame
    link: LinkFunction
    outcome: str
    direction: Direction = internal()
    deviance: float
    n_outcomes: int
    asked: Mapping[str, Any] = internal()
    """The options of ``glmm`` as they were given."""
    call: RCall | None = internal()

    r_digits: ClassVar[Mapping[str, int]] = {
        "deviance": 7,
        "omnibus_statistic": 4,
        "omnibus_p_value": 3,
        "estimate": 3,
        "effect": 3,
        "sd": 3,
        "effect_std_error": 2,
        "effect_probability": 3,
        "effect_conf_low": 2,
        "effect_conf_high": 2,
        "std_error": 2,
        "statistic": 2,
        "conf_low": 2,
        "conf_high": 2,
        "p_value": 1,
        "p_adjusted": 1,
    }
    """glmer ends its search near the maximum; its errors are of differences."""

    r_paths: ClassVar[Mapping[str, str]] = {
        "effect": "effects/estimate",
        **{f"effect_{c}": f"effects/{c}" for c in _OF_EFFECT},
        "sd": "random/sd",
    }

    @property
    def lower_is_better(self) -> bool:
        """Whether a negative ``estimate`` means that algorithm_1 is better."""
        return self.direction == "lower"

    @property
    def basis(self) -> str:
        """None: no study shows an error rate of this sensitivity analysis."""
        return ""

    def summary(self, digits: int = 4) -> str:
        """Return the test of all modalities, then the pairs, as text."""
        pairs = PairsResult.summary(self, digits)
        return f"{self.omnibus.summary(digits)}\n{pairs}"

    def r_call(self) -> RCall | None:
        """Return the R call: lme4::glmer."""
        return self.call

    def r_also(self) -> dict[str, tuple[str, int]]:
        """Return the effects by which the modalities are ordered; low is good."""
        name = "effect" if self.direction == "lower" else "minus effect"
        places = enumerate(self.algorithms, start=1)
        return {f"positions/{algorithm}": (name, at) for at, algorithm in places}

    def r_values(self) -> dict[str, Any]:
        """Return estimates, standard deviations, deviance and tests."""
        columns = ["estimate", "std_error", "statistic", "df", "p_value"]
        columns += ["conf_low", "conf_high"]
        if repeatable_in_r(self.adjust, len(self.algorithms)) and self.adjusted_here:
            columns.append("p_adjusted")
        values: dict[str, Any] = self.columns_in_r(*columns)
        return values | {
            "effect": self.effects["estimate"].to_numpy(float),
            **{f"effect_{c}": self.effects[c].to_numpy(float) for c in _OF_EFFECT},
            "sd": self.random["sd"].to_numpy(float),
            "deviance": self.deviance,
            "omnibus_statistic": self.omnibus.statistic,
            "omnibus_df": self.omnibus.df,
            "omnibus_p_value": self.omnibus.p_value,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold."""
        return PairsResult.to_dict(self) | {"omnibus": plain(self.omnibus)}


@checked
def glmm(
    ratings: Ratings,
    *,
    outcome: OutcomeName = "mean",
    threshold: float | None = None,
    better: Literal["higher", "lower"] = "higher",
    random: Sequence[RandomName] = ("case", "reader"),
    link: LinkFunction = "logit",
    control: str | None = None,
    adjust: str = "holm",
    level: float = 0.95,
) -> GLMMResult:
    """Compare modalities in 0/1 outcomes by a generalised linear mixed model.

    Cases and readers are crossed random effects, modalities fixed ones. A sensitivity
    analysis beside ``mrmc``: it concerns a reader and a case with random effects of 0,
    not means over readers and cases.

    Parameters
    ----------
    ratings : Ratings
        Two modalities at least; any design.
    outcome : {"mean", "accuracy", "sensitivity", "specificity"}
        What is 1. ``mean``: the ratings themselves, which must be 0 and 1. The others:
        a right decision by the threshold, on all, the positive or the negative cases.
    threshold : float, optional
        For all but ``mean``: a rating >= threshold is a decision for positive.
    better : {"higher", "lower"}
        ``lower``, for all but ``mean``: lower ratings speak for the positive class, and
        a rating <= threshold is a decision for it.
    random : sequence of {"case", "reader", "modality x reader"}
        Random effects; ``case`` and ``reader`` are needed. With ``modality x reader``
        modalities differ from reader to reader, as in ``mrmc``.
    link : {"logit", "probit"}
    control : str, optional
        A modality: compare each other one with it only.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``, over the pairs compared.
    level : float
        Confidence level of the intervals, each separately.

    Returns
    -------
    GLMMResult

    Raises
    ------
    InputError
        For outcomes that are not 0 and 1, or an option that does not exist.
    DesignError
        If all outcomes of a modality are equal, so that its effect is infinite; if
        there are too few modalities or readers; or if the search finds no maximum.

    Notes
    -----
    Equation 9.3 of docs/equations.md.

    Maximum likelihood by Laplace's approximation. Standard errors of pairs allow for
    the estimated variances of random effects (second derivatives of the deviance by all
    parameters); tests are Wald's z, and the likelihood ratio for all modalities. Both
    are for large samples: with few readers they reject too often. In simulated
    studies of two equal modalities, with a standard deviation of 0.5 of modality x
    reader (log odds), z at 0.05 rejects in 16% of 200 studies of 4 readers and 60
    cases, and in 12% of 400 studies of 8 readers and 40 cases. Without that effect in
    the model it rejects in 32%.

    R: ``lme4::glmer(y ~ 0 + modality + (1 | case) + (1 | reader), family = binomial)``,
    with ``tolPwrss`` at 1e-13. With its default of 1e-7 its estimates have 3 digits.

    References
    ----------
    .. [1] Pinheiro, J. C., Bates, D. M. (1995). Journal of Computational and Graphical
       Statistics 4, 12-35.
    .. [2] Bates, D. et al. (2015). Journal of Statistical Software 67(1).

    Examples
    --------
    >>> import pycompare as pc
    >>> model = pc.RoeMetz(
    ...     separation=(1.0, 2.0), reader=0.01, modality_reader=0.01,
    ...     case=0.3, modality_case=0.3, reader_case=0.2, error=0.2,
    ... )
    >>> ratings = model.draw(n_readers=6, n_positive=40, n_negative=40, seed=1)
    >>> found = pc.glmm(ratings, outcome="sensitivity", threshold=1.0)
    >>> found.effects["probability"].round(2).tolist()
    [0.48, 0.88]
    """
    asked = {name: value for name, value in locals().items() if name != "ratings"}
    require(ratings, Ratings)
    if ratings.marks:
        raise InputError(
            "these are free-response marks, whose sites of one case depend on each "
            "other; choose mrmc"
        )
    check_level(level)
    family = family_of(ratings.modalities, control)
    chosen = family_adjustment(adjust, LOG_ODDS, control)
    _check(outcome, threshold, link, random, ratings)
    _require_better(better, outcome)
    if better == "lower":
        given = 0.0 - threshold if threshold is not None else None
        turned = dataclasses.replace(ratings, values=0.0 - ratings.values)
    else:
        given, turned = threshold, ratings
    data, used = _outcomes(turned, outcome, given, tuple(random), link)
    fit = laplace.fit(data)
    alone = laplace.fit(dataclasses.replace(data, x=np.ones((len(data.y), 1))))
    if not (_is_maximum(fit) and _is_maximum(alone)):
        raise DesignError(
            "the search for the maximum of the likelihood did not end: outcomes are "
            "nearly all equal, or random effects too many; use mrmc"
        )
    comparison = _result(family, data, fit, alone, chosen, level, used)
    return dataclasses.replace(
        comparison, asked=asked, notes=(*ratings.notes, *comparison.notes)
    )


def mixed_beside(study: MRMCResult) -> GLMMResult | str | None:
    """Return the mixed model of the outcomes behind a figure, for a report.

    None if the figure is no mean of 0/1 outcomes; a text states why there is no model.
    """
    asked, ratings = study.asked, study.ratings
    outcome, threshold = asked["figure"], asked["threshold"]
    x = ratings.values[ratings.read]
    if outcome not in _OUTCOMES or (outcome == "mean" and not right_or_wrong(x)):
        return None
    if x.size > _MOST_OUTCOMES:
        return f"{x.size} outcomes are many for a report (over {_MOST_OUTCOMES})"
    try:
        comparison = glmm(
            ratings,
            outcome=outcome,
            threshold=threshold,
            better="higher" if outcome == "mean" else asked["better"] or "higher",
            control=study.control,
            adjust=study.adjust,
            level=study.descriptive_level,
        )
    except DesignError as error:
        return str(error)
    if study.direction == "higher":
        return comparison
    # Outcomes are of a figure of which lower is better, such as the error.
    positions = -comparison.held("positions")
    return dataclasses.replace(comparison, direction="lower", positions=positions)


def _require_better(better: str, outcome: str) -> None:
    """Reject a direction that is unknown, or of ratings that are the outcomes."""
    check_word("better", better, ("higher", "lower"))
    if better == "lower" and outcome == "mean":
        raise InputError(
            setting("better", better)
            + " is for decisions at a threshold; with "
            + setting("outcome", outcome)
            + " the ratings are the outcomes: leave it out"
        )


def _is_maximum(fit: LaplaceFit) -> bool:
    """Return whether a search ended where the likelihood is largest."""
    variances = np.diag(fit.covariance)
    return bool(fit.slope <= _LARGEST_SLOPE and (variances > 0).all())


def _check(
    outcome: str,
    threshold: float | None,
    link: str,
    random: Sequence[str],
    ratings: Ratings,
) -> None:
    """Reject unknown words, and words that do not fit."""
    for name, word, known in (
        ("outcome", outcome, _OUTCOMES),
        ("link", link, _LINKS),
    ):
        check_word(name, word, known)
    names = () if isinstance(random, str) else tuple(random)
    if not {"case", "reader"} <= set(names) <= set(_RANDOM):
        raise InputError(
            f"random={show(random)}: give 'case' and 'reader', and 'modality x reader' "
            "if modalities differ from reader to reader"
        )
    if (threshold is None) != (outcome == "mean"):
        what = "has no" if outcome == "mean" else "needs"
        raise InputError(
            setting("outcome", outcome) + f" {what} " + setting("threshold")
        )
    if threshold is not None and not is_finite(threshold):
        raise InputError(setting("threshold", threshold) + ": give a finite number")
    if outcome != "mean" and ratings.truth is None:
        raise InputError(
            setting("outcome", outcome)
            + " needs the true classes: name their column, "
            + setting("truth")
        )
    if len(ratings.modalities) < 2:
        raise DesignError("a comparison needs two modalities, got 1")
    if len(ratings.readers) < 2:
        raise DesignError("one reader is no sample of readers: use pc.mcnemar")


@dataclass(frozen=True)
class _Used:
    """What outcomes stand for."""

    outcome: str
    random: tuple[RandomName, ...]
    codes: tuple[Any, Any, Any]


def _outcomes(
    ratings: Ratings,
    outcome: OutcomeName,
    threshold: float | None,
    random: tuple[RandomName, ...],
    link: LinkFunction,
) -> tuple[BinaryOutcomes, _Used]:
    """Return the outcomes of all cells that were rated, with their effects."""
    kept: Bools = ratings.read.copy()
    y = ratings.values
    if outcome != "mean":
        assert ratings.truth is not None
        assert threshold is not None
        y = ((ratings.values >= threshold) == ratings.truth).astype(float)
        sides = {"sensitivity": ratings.truth, "specificity": ~ratings.truth}
        kept &= sides.get(outcome, np.True_)
    i, j, k = np.nonzero(kept)
    values: Floats = y[kept]
    _require_binary(values, i, ratings)
    _, cases = np.unique(k, return_inverse=True)
    _, readers = np.unique(j, return_inverse=True)
    t, r = len(ratings.modalities), int(readers.max()) + 1
    both, of_both = np.unique(i * r + readers, return_inverse=True)
    levels = {
        "case": (cases, int(cases.max()) + 1),
        "reader": (readers, r),
        "modality x reader": (of_both, len(both)),
    }
    names = tuple(name for name in _RANDOM if name in random)
    ordered_levels = sorted(
        (levels[name] for name in names), key=lambda level: -level[1]
    )
    order = sorted(names, key=lambda name: -levels[name][1])
    data = BinaryOutcomes(
        y=values,
        x=np.eye(t)[i],
        codes=tuple(code for code, _ in ordered_levels),
        sizes=tuple(size for _, size in ordered_levels),
        link=link,
    )
    what = "rating" if outcome == "mean" else f"{outcome} at ratings >= {threshold:g}"
    return data, _Used(what, tuple(order), (i, readers, cases))


def _require_binary(y: Floats, modality: Any, ratings: Ratings) -> None:
    """Reject other outcomes than 0 and 1, and modalities without both."""
    other = np.flatnonzero((y != 0) & (y != 1))
    if other.size:
        raise InputError(
            setting("outcome", "mean")
            + f" needs ratings of 0 and 1, and {other.size} are others, "
            f"first {y[other[0]]:g}; choose an outcome with a threshold"
        )
    for place, name in enumerate(ratings.modalities):
        own = y[modality == place]
        if own.min() == own.max():
            raise DesignError(
                f"all outcomes of modality {show(name)} are {own[0]:g}: its effect is "
                "infinite on this scale; use mrmc"
            )


def _notes(
    random: Sequence[RandomName], sizes: Sequence[int], fit: LaplaceFit
) -> tuple[str, ...]:
    """Return the notes for readers; ``sizes``: levels of the random effects."""
    zero = [name for name, sd in zip(random, fit.theta, strict=True) if sd == 0]
    readers = int(sizes[random.index("reader")])
    notes = [f"estimated standard deviation 0: {', '.join(zero)}"] if zero else []
    if readers < _FEW_READERS:
        notes.append(_FEW.format(readers=counted(readers, "reader")))
    if _OWN not in random:
        notes.append(_NO_OWN)
    return tuple(notes)


def _result(
    family: ModalityPairs,
    data: BinaryOutcomes,
    fit: LaplaceFit,
    alone: LaplaceFit,
    chosen: Adjustment,
    level: float,
    used: _Used,
) -> GLMMResult:
    """Put the result together."""
    names, t = family.names, len(family.names)
    first, second = np.triu_indices(t, 1)
    variance = np.diag(fit.covariance)
    spread = variance[first] + variance[second] - 2 * fit.covariance[first, second]
    infinite = np.full(len(first), np.inf)
    pairs = Means(fit.beta[first] - fit.beta[second], np.sqrt(spread), infinite)
    each = Means(fit.beta, np.sqrt(variance), np.full(t, np.inf))
    scale = _SCALE[data.link]
    return GLMMResult(
        table=pd.DataFrame(tables.pair_columns(family, pairs, chosen, level)),
        positions=pd.Series(-fit.beta, pd.Index(names)),
        method=f"Mixed {'logistic' if data.link == 'logit' else 'probit'} model, "
        "Wald's z",
        **Placement(f"{scale} of {used.outcome}").difference(),
        statistic_name="z",
        hypotheses=LOG_ODDS,
        adjust=chosen.name,
        family=family.text(""),
        interval=f"{100 * level:g}% for each pair separately",
        level=level,
        control=family.control,
        reference=_REFERENCE,
        notes=_notes(used.random, data.sizes, fit),
        omnibus=_omnibus(fit, alone, t),
        effects=_effects(names, each, data.link, level),
        random=pd.DataFrame(
            {"effect": list(used.random), "levels": data.sizes, "sd": fit.theta}
        ),
        direction="higher",
        link=data.link,
        outcome=used.outcome,
        deviance=fit.deviance,
        n_outcomes=len(data.y),
        asked={},
        call=_call(data, used, chosen, family, level),
    )


def _omnibus(fit: LaplaceFit, alone: LaplaceFit, t: int) -> Test:
    """Return the likelihood-ratio test of equal modalities."""
    statistic = max(alone.deviance - fit.deviance, 0.0)
    return Test(
        name="Likelihood-ratio test that all modalities have the same effect",
        statistic_name="chi2",
        statistic=statistic,
        df=float(t - 1),
        p_value=float(special.chdtrc(t - 1, statistic)),
        p_source="chi2",
        reference=_REFERENCE,
    )


def _effects(
    names: tuple[str, ...], each: Means, link: LinkFunction, level: float
) -> pd.DataFrame:
    """Return the fixed effect of each modality with its interval."""
    low, high = each.limits(level)
    inverse = special.expit if link == "logit" else special.ndtr
    return pd.DataFrame(
        {
            "algorithm": np.array(names, object),
            "estimate": each.estimate,
            "std_error": each.std_error,
            "probability": inverse(each.estimate),
            "conf_low": low,
            "conf_high": high,
        }
    )


def _call(
    data: BinaryOutcomes,
    used: _Used,
    chosen: Adjustment,
    family: ModalityPairs,
    level: float,
) -> RCall:
    """Return the call of lme4::glmer."""
    modality, reader, case = (code + 1.0 for code in used.codes)
    arguments = {
        "y": data.y,
        "modality": modality,
        "reader": reader,
        "case": case,
        "random": list(used.random),
        "link": data.link,
        "adjust": chosen.name
        if repeatable_in_r(chosen.name, len(family.names))
        else "",
        "control": family.r_control(),
        "level": level,
    }
    return RCall(("adjust", "glmm"), "glmm_reference", arguments)
