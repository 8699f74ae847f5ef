"""Strengths of models from battles, compared in pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, get_args

import numpy as np
from scipy import linalg, special

from pycompare.base.arguments import check_alpha, check_flags, check_word, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.families import family_text
from pycompare.base.hypotheses import STRENGTHS
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show, unknown_control
from pycompare.base.tables import Columns, Labelled, stacked
from pycompare.base.typing import Bools, Floats, Ints
from pycompare.data.battles import Battles
from pycompare.kernels.largest_normal import LargestDifferences, largest_differences
from pycompare.kernels.r_random import checked_seed
from pycompare.methods.battles.fitted import (
    FEWEST_VOTERS,
    AdjustOfBattles,
    Asked,
    FamilyOfBattles,
    Fitted,
    Position,
    TiesOfBattles,
    Unconnected,
    fitted_to,
    goodness,
)
from pycompare.methods.battles.graph import unbounded
from pycompare.methods.pairs.common import pair_index
from pycompare.methods.pairs.last_step import TLimits
from pycompare.results.adjust import repeatable_in_r
from pycompare.results.family import Adjustable, Family
from pycompare.results.placement import Placement
from pycompare.results.result import (
    PairsResult,
    Result,
    internal,
    made_when_read,
)
from pycompare.results.result import (
    changed as with_fields,
)
from pycompare.results.schema import Schema, Turned, changed, column

if TYPE_CHECKING:
    import pandas as pd

_REFERENCE = (
    "Davidson (1970) JASA 65, 317-328; Davidson & Beaver (1977) Biometrics 33, "
    "693-702; Firth (1993) Biometrika 80, 27-38"
)
_PLACEMENT = Placement("strengths, in log odds of winning a decided battle")
_ELO = 400 / math.log(10)
"""Elo points of a log odds of 1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BattlesResult(TLimits, Adjustable, PairsResult):
    """Pairs of models by their strengths; see ``PairsResult``.

    Attributes
    ----------
    table : DataFrame
        Columns of ``PairsResult``, and ``win_share joint_low joint_high``. ``estimate``
        is the difference of strengths, algorithm_1 minus algorithm_2: the log odds that
        algorithm_1 wins a battle that is decided, shown in no particular order;
        ``win_share`` is that probability. ``p_adjusted`` is step-down. ``conf_low`` and
        ``conf_high`` exclude 0 exactly if it is at most ``alpha``; ``joint_low`` and
        ``joint_high`` hold all differences together. A limit is infinite if nothing
        bounds the difference: one model took no point from the other, directly or by
        others.
    positions : Series
        Strengths with the sign such that lower is better.
    strengths : DataFrame
        One row per model, strongest first: ``algorithm strength std_error conf_low
        conf_high battles wins ties losses``. The mean of all strengths is 0; the
        intervals hold all strengths together. With ``elo`` also ``elo elo_low
        elo_high``: 400/ln 10 times strength and limits.
    order_effect, order_error, order_df : float
        Log odds that the model that was shown first wins between equals, with its
        standard error and degrees of freedom; NaN if the order is ignored.
    log_nu : float
        Logarithm of the odds of a tie between equals; minus infinity without ties.
    smallest_df : float
        Smallest degrees of freedom of a pair, which the joint tests use.
    voters : int
        Independent voters.
    effective_voters, busiest_share : float
        1 / sum of squared shares of battles, and the share of the busiest voter.
    fit_statistic, fit_df, fit_p_value : float
        Sum over pairs of models of (observed - expected)^2 / variance of their wins,
        with its p-value: whether one order of models describes all pairs.
    ties : {"davidson", "half", "drop"}
    alpha : float
    seed : int
    group : str
        Whose battles these are; empty if they are not of a group.
    battles : Battles
    asked : mapping
        The arguments of the call.
    """

    r_named: ClassVar[bool] = True
    lower_is_better: ClassVar[bool] = False

    strengths: pd.DataFrame = made_when_read()
    order_effect: float
    order_error: float
    order_df: float
    log_nu: float
    smallest_df: float
    voters: int
    effective_voters: float
    busiest_share: float
    fit_statistic: float
    fit_df: int
    fit_p_value: float
    ties: TiesOfBattles
    alpha: float
    seed: int
    group: str = ""
    battles: Battles = internal()
    asked: Mapping[str, Any] = internal()

    schema: ClassVar[Schema] = (
        *changed(
            changed(
                changed(PairsResult.schema, "conf_low", "conf_high", r=None),
                "p_adjusted",
                only="repeatable",
            ),
            "estimate", "std_error", "conf_low", "conf_high", unit="",
        ),
        column("win_share", "share", turned=Turned("share")),
        column("joint_low", "limit", turned=Turned("minus", "joint_high"), r=None),
        column("joint_high", "limit", turned=Turned("minus", "joint_low"), r=None),
    )  # fmt: skip
    r_digits: ClassVar[Mapping[str, int]] = {
        **{"p_value": 8, "p_adjusted": 8, "fit_p_value": 8},
        **{"log_nu": 8, "order_effect": 8, "fit_statistic": 8},
    }
    r_paths: ClassVar[Mapping[str, str]] = {
        "strength": "strengths/strength",
        "strength_error": "strengths/std_error",
        "elo": "strengths/elo",
    }
    interval_note: ClassVar[str] = (
        "Each interval excludes 0 exactly when the difference is significant."
    )

    @property
    def measured(self) -> tuple[str, int]:
        """The quantity, and how many battles there are."""
        return "strength", len(self.battles.first)

    @property
    def has_tests(self) -> bool:
        """Whether voters are enough for p-values and intervals."""
        return self.voters >= FEWEST_VOTERS

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "battles/max-t" if self.adjust == "max-t" else "battles/t"

    @property
    def repeatable(self) -> bool:
        """Whether R adjusts these p-values: its random numbers are others."""
        able = repeatable_in_r(self.adjust, len(self.algorithms))
        return self.adjust != "max-t" and self.adjusted_here and able

    def numbered_voters(self) -> Floats:
        """Return the voter of each battle, numbered from 1 as they come."""
        voter = self.battles.voter
        if voter is None:
            return np.arange(1, len(self.battles.first) + 1, dtype=float)
        _, first, codes = np.unique(voter, return_index=True, return_inverse=True)
        return np.asarray(np.argsort(np.argsort(first))[codes] + 1, float)

    def r_call(self) -> RCall:
        """Return the call that maximises the penalised likelihood in R."""
        battles = self.battles
        arguments = {
            "first": battles.first + 1.0,
            "second": battles.second + 1.0,
            "outcome": battles.outcome,
            "voter": self.numbered_voters(),
            "models": list(battles.models),
            "ties": self.ties,
            "position": not np.isnan(self.order_effect),
            "control": self.control or "",
            "adjust": self.adjust if self.repeatable else "",
        }
        return RCall(("ranks", "adjust", "battles"), "battles_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return what R has: all but the drawn distribution of the largest."""
        names = ["estimate", "std_error", "statistic", "df", "p_value", "win_share"]
        names += ["p_adjusted"] * self.repeatable
        strengths = self.held("strengths")
        elo = {"elo": strengths["elo"]} if "elo" in strengths else {}
        single = {
            "order_effect": self.order_effect,
            "order_error": self.order_error,
            "order_df": self.order_df,
            "log_nu": self.log_nu,
            "fit_statistic": self.fit_statistic,
            "fit_df": self.fit_df,
            "smallest_df": self.smallest_df,
            "fit_p_value": self.fit_p_value,
            "effective_voters": self.effective_voters,
            "busiest_share": self.busiest_share,
        }
        return {
            **self.columns_in_r(*names),
            "strength": np.asarray(strengths["strength"]),
            "strength_error": np.asarray(strengths["std_error"]),
            **elo,
            **{name: value for name, value in single.items() if np.isfinite(value)},
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupedBattlesResult(Result):
    """Strengths of models in each group of battles.

    Attributes
    ----------
    table : DataFrame
        The tables of all groups, with the column ``group`` first.
    groups : mapping of str to BattlesResult
        Those that were ranked, in order of first appearance.
    not_ranked : mapping of str to str
        The others, each with the reason.
    family : {"all"} or None
        Whether p-values are adjusted over all groups.
    battles : Battles
    asked : mapping
        The arguments of the call.
    """

    table: pd.DataFrame = made_when_read()
    groups: Mapping[str, BattlesResult]
    not_ranked: Mapping[str, str]
    family: FamilyOfBattles | None
    battles: Battles = internal()
    asked: Mapping[str, Any] = internal()

    @property
    def alpha(self) -> float:
        """The level of all groups."""
        return next(iter(self.groups.values())).alpha

    def summary(self, digits: int = 4) -> str:
        """Return the table of each group as text."""
        parts = [f"{n}\n{r.summary(digits)}" for n, r in self.groups.items()]
        parts += [f"{name}: not ranked: {why}" for name, why in self.not_ranked.items()]
        return "\n\n".join(parts)


@checked
def battles(
    battles: Battles,
    *,
    ties: TiesOfBattles = "davidson",
    position: Position = "estimate",
    unconnected: Unconnected = "error",
    control: str | None = None,
    adjust: AdjustOfBattles = "max-t",
    family: FamilyOfBattles | None = None,
    elo: bool = False,
    alpha: float = 0.05,
    seed: int = 0,
) -> BattlesResult | GroupedBattlesResult:
    """Compare the strengths of models by the battles that voters decided.

    Parameters
    ----------
    battles : Battles
        Of ``pc.read_battles`` or ``pc.Battles.from_frame``.
    ties : {"davidson", "half", "drop"}
        Davidson's model of ties; a tie is half a win for either; or ties are left out.
        The last two estimate another quantity.
    position : {"estimate", "ignore"}
        Whether being shown first has an effect, which is estimated.
    unconnected : {"error", "largest"}
        Sets of models that never met cannot be compared: reject them, or compare the
        largest set.
    control : str, optional
        Compare each other model with this one only.
    adjust : {"max-t", "holm", "bonferroni", "bergmann-hommel"}
        Adjustment over the pairs: by the largest difference, or of the p-values of
        pairs. The last one is for all pairs only.
    family : {"all"}, optional
        With groups: adjust over the pairs of all groups; by default each group is a
        family of its own.
    elo : bool, default False
        Also give strengths in Elo points, with limits.
    alpha : float, default 0.05
        Family-wise level of the intervals.
    seed : int, default 0
        Of the draws behind adjusted p-values and joint intervals.

    Returns
    -------
    BattlesResult, or GroupedBattlesResult of battles with groups

    Raises
    ------
    DesignError
        If models form sets that never met, the first shown always wins, or all battles
        have one voter. Of several groups those are not ranked, and named.
    InputError
        For an unknown word or control, ``family`` without groups, or
        ``"bergmann-hommel"`` with a control or over groups.

    Notes
    -----
    Equation 10.15 of docs/equations.md.

    Jeffreys' penalty keeps all estimates finite. The variance counts voters as
    independent, with their leverage taken out; each pair has degrees of freedom by the
    fourth moments of voters, and joint tests use the smallest. Adjusted p-values are
    those of the largest studentised difference, step-down, over 10,000 draws. Groups
    are drawn as independent, which is conservative if they share voters (Royen 2014).
    With fewer than ten voters there are estimates, but no p-values or intervals.

    The quantity depends on who met whom, unless one order of models describes all
    battles, which ``fit_p_value`` tests. R: ``optim`` of the penalised likelihood, own
    derivation of the variance; ``psychotools::btmodel`` without order and penalty.

    References
    ----------
    .. [1] Davidson, R. R. (1970). JASA 65, 317-328.
    .. [2] Firth, D. (1993). Biometrika 80, 27-38.
    .. [3] Pustejovsky, J. E., Tipton, E. (2018). J. Bus. Econ. Stat. 36, 672-683.
    .. [4] Royen, T. (2014). Far East J. Theor. Stat. 48, 139-145.

    Examples
    --------
    >>> import pycompare as pc
    >>> counts = {"AB": (30, 8, 12), "BA": (16, 8, 26), "BC": (25, 9, 16)}
    >>> rows = [
    ...     {"left": pair[0], "right": pair[1], "winner": winner}
    ...     for pair, numbers in counts.items()
    ...     for winner, number in zip(("left", "tie", "right"), numbers)
    ...     for _ in range(number)
    ... ]
    >>> fitted = pc.battles(pc.Battles.from_frame(rows))
    >>> fitted.table[["algorithm_1", "algorithm_2", "estimate", "p_adjusted"]].round(2)
      algorithm_1 algorithm_2  estimate  p_adjusted
    0           A           B      0.69        0.01
    1           A           C      0.91        0.07
    2           B           C      0.22        0.57
    """
    require(battles, Battles)
    check_alpha(alpha)
    check_flags(elo=elo)
    for name, word, words in (
        ("ties", ties, TiesOfBattles),
        ("position", position, Position),
        ("unconnected", unconnected, Unconnected),
        ("adjust", adjust, AdjustOfBattles),
    ):
        check_word(name, word, get_args(words))
    if family is not None:
        check_word("family", family, get_args(FamilyOfBattles))
    if control is not None and control not in battles.models:
        raise InputError(unknown_control(control, battles.models))
    asked = Asked(
        ties, position, unconnected, control, adjust, family, elo, alpha,
        checked_seed(seed),
    )  # fmt: skip
    _require_together(asked, grouped=battles.group is not None)
    if battles.group is None:
        [result] = _results([fitted_to(battles, asked)], asked)
        return result
    return _by_group(battles, asked)


def _require_together(asked: Asked, *, grouped: bool) -> None:
    """Reject arguments that do not go together."""
    if asked.family is not None and not grouped:
        raise InputError(
            setting("family", asked.family)
            + " is over the groups of battles, and these have none: leave it out, or "
            "name the column, " + setting("group", ...)
        )
    if asked.adjust != "bergmann-hommel":
        return
    for name, given, why in (
        ("control", asked.control, "with a control not all pairs are compared"),
        ("family", asked.family, "over groups not all pairs are compared"),
    ):
        if given is not None:
            raise InputError(
                setting("adjust", asked.adjust)
                + f" uses the logic of all pairs, and {why} ("
                + setting(name, given)
                + "): choose "
                + setting("adjust", "holm")
            )


def _by_group(battles: Battles, asked: Asked) -> GroupedBattlesResult:
    """Return strengths in each group; those that cannot be ranked are named."""
    fits: dict[str, Fitted] = {}
    not_ranked: dict[str, str] = {}
    for name in battles.groups:
        try:
            fits[name] = fitted_to(battles.of_group(name), asked, name)
        except (DesignError, InputError) as error:
            not_ranked[name] = error.message
    if not fits:
        name, why = next(iter(not_ranked.items()))
        raise DesignError(f"no group can be ranked; {show(name)}: {why}")
    parts = [[each] for each in fits.values()]
    if asked.family == "all":
        parts = [list(fits.values())]
    results = [result for part in parts for result in _results(part, asked)]
    groups = dict(zip(fits, results, strict=True))
    table = stacked(
        Columns({"group": np.full(len(table), name, object), **dict(table.items())})
        for name, result in groups.items()
        for table in (result.as_columns(),)
    )
    return GroupedBattlesResult(
        table=table,
        groups=groups,
        not_ranked=not_ranked,
        family=asked.family,
        battles=battles,
        asked=vars(asked),
    )


def _results(fits: Sequence[Fitted], asked: Asked) -> list[BattlesResult]:
    """Return the results of sets of battles that are one family."""
    tables = [_table(each, asked.control) for each in fits]
    joint = _joint(fits, tables, asked)
    results = []
    for fitted, table, held in zip(fits, tables, joint, strict=True):
        estimate, error = table["estimate"], table["std_error"]
        columns = dict(table)
        columns |= {"p_adjusted": held.p_adjusted}
        for name, critical in (("conf", held.last), ("joint", held.joint)):
            columns[f"{name}_low"] = estimate - critical * error
            columns[f"{name}_high"] = estimate + critical * error
        columns["win_share"] = special.expit(estimate)
        results.append(_result(fitted, columns, asked, over=len(fits)))
    if asked.adjust == "max-t":
        return [_with_open_limits(*each) for each in zip(results, fits, strict=True)]
    words = f"the pairs of {len(fits)} groups" if len(fits) > 1 else ""
    whole = Family(
        tables=tuple(results), adjust=asked.adjust, words=words, level=1 - asked.alpha
    )
    return [_with_open_limits(*each) for each in zip(whole.members, fits, strict=True)]


def _table(fitted: Fitted, control: str | None) -> dict[str, Any]:
    """Return the columns of pairs, of which each has a p-value of its own."""
    pairs = pair_index(fitted.battles.models, control)
    first, second = pairs.first, pairs.second
    theta, c = fitted.strengths.theta, fitted.variance.covariance
    estimate = theta[first] - theta[second]
    error = np.sqrt(c[first, first] + c[second, second] - 2 * c[first, second])
    df = fitted.variance.df[first, second]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = estimate / error
    p = np.full(len(t), np.nan)
    if fitted.has_tests:
        p = 2 * special.stdtr(df, -np.abs(t))
    return {
        **pairs.labels,
        "estimate": estimate, "std_error": error, "statistic": t, "df": df,
        "p_value": p,
    }  # fmt: skip


def _joint(
    fits: Sequence[Fitted], tables: Sequence[Mapping[str, Any]], asked: Asked
) -> list[LargestDifferences]:
    """Return the joint tests of each table, over all of them.

    Sets of battles are drawn as independent: by the Gaussian correlation inequality
    (Royen 2014) that is conservative, however voters of several sets depend.
    """
    held = [
        LargestDifferences(np.full(len(t["estimate"]), np.nan), np.nan, np.nan)
        for t in tables
    ]
    tested = [at for at, fitted in enumerate(fits) if fitted.has_tests]
    if not tested:
        return held
    ends: list[list[Ints]] = [[], []]
    start = 0
    for at in tested:
        pairs = pair_index(fits[at].battles.models, asked.control)
        ends[0].append(pairs.first + start)
        ends[1].append(pairs.second + start)
        start += len(fits[at].battles.models)
    largest = largest_differences(
        linalg.block_diag(*(fits[at].variance.covariance for at in tested)),
        np.concatenate(ends[0]),
        np.concatenate(ends[1]),
        np.concatenate([tables[at]["statistic"] for at in tested]),
        np.concatenate([tables[at]["std_error"] for at in tested]),
        df=min(float(tables[at]["df"].min()) for at in tested),
        alpha=asked.alpha,
        seed=asked.seed,
    )  # fmt: skip
    places = np.cumsum([len(tables[at]["estimate"]) for at in tested])[:-1]
    for at, p in zip(tested, np.split(largest.p_adjusted, places), strict=True):
        held[at] = LargestDifferences(p, largest.joint, largest.last)
    return held


def _result(
    fitted: Fitted, columns: Mapping[str, Any], asked: Asked, over: int
) -> BattlesResult:
    """Return the result of one set of battles."""
    strengths, models = fitted.strengths, fitted.battles.models
    statistic, df, p = goodness(fitted.games, strengths)
    family = family_text(len(models), asked.control)
    if over > 1:
        family = f"the pairs of {over} groups"
    order = ("p_value", "p_adjusted", "conf_low", "conf_high", "win_share")
    names = [n for n in columns if n not in (*order, "joint_low", "joint_high")]
    names += [*order, "joint_low", "joint_high"]
    smallest = float(columns["df"].min())
    return BattlesResult(
        table=Columns({name: columns[name] for name in names}),
        positions=Labelled(-strengths.theta, models),
        method="Davidson's model of battles"
        if strengths.has_ties
        else "Bradley-Terry model of battles",
        **_PLACEMENT.difference(),
        statistic_name="t",
        hypotheses=STRENGTHS,
        adjust="max-t" if asked.adjust == "max-t" else "none",
        family=family,
        interval="at the critical value of the last step of max-T",
        level=1 - asked.alpha,
        control=asked.control,
        reference=_REFERENCE,
        notes=fitted.notes,
        strengths=_strength_table(fitted, asked, smallest),
        order_effect=strengths.gamma if strengths.has_order else np.nan,
        order_error=float(np.sqrt(fitted.variance.order)),
        order_df=fitted.variance.order_df,
        log_nu=strengths.log_nu,
        smallest_df=smallest,
        voters=len(fitted.share),
        effective_voters=float(1 / (fitted.share @ fitted.share)),
        busiest_share=float(fitted.share.max()),
        fit_statistic=statistic,
        fit_df=df,
        fit_p_value=p,
        ties=asked.ties,
        alpha=asked.alpha,
        seed=asked.seed,
        group=fitted.group,
        battles=fitted.battles,
        asked=vars(asked),
    )


def _with_open_limits(result: BattlesResult, fitted: Fitted) -> BattlesResult:
    """Return a result whose limits are open if no battle bounds a difference."""
    if fitted.points.one_group or not fitted.has_tests:
        return result
    pairs = pair_index(result.algorithms, result.control)
    reaches: Bools = fitted.points.reaches
    table = result.as_columns()
    limits: dict[str, Any] = {}
    for name in ("conf", "joint"):
        for end, bounded, infinite in (
            ("low", reaches[pairs.first, pairs.second], -np.inf),
            ("high", reaches[pairs.second, pairs.first], np.inf),
        ):
            limits[f"{name}_{end}"] = np.where(
                bounded, table[f"{name}_{end}"].astype(float), infinite
            )
    return with_fields(result, table=table.but(**limits))


def _strength_table(fitted: Fitted, asked: Asked, smallest: float) -> Columns:
    """Return strengths with joint limits and counts, strongest first."""
    battles, theta = fitted.battles, fitted.strengths.theta
    k = len(battles.models)
    own = np.concatenate([battles.first, battles.second])
    outcome = np.concatenate([battles.outcome, 1 - battles.outcome])
    error = np.sqrt(np.diag(fitted.variance.covariance))
    half = np.full(k, np.nan)
    if fitted.has_tests:
        half = error * _critical_of_strengths(fitted, error, asked, smallest)
    _, above, below = unbounded(fitted.points, battles.models)
    columns: dict[str, Any] = {
        "algorithm": np.array(battles.models, dtype=object),
        "strength": theta,
        "std_error": error,
        "conf_low": np.where(below & fitted.has_tests, -np.inf, theta - half),
        "conf_high": np.where(above & fitted.has_tests, np.inf, theta + half),
    }
    if asked.elo:
        for end, of in (
            ("", "strength"),
            ("_low", "conf_low"),
            ("_high", "conf_high"),
        ):
            columns[f"elo{end}"] = _ELO * columns[of]
    columns["battles"] = np.bincount(own, minlength=k)
    for name, value in (("wins", 1.0), ("ties", 0.5), ("losses", 0.0)):
        columns[name] = np.bincount(own[outcome == value], minlength=k)
    order = np.argsort(-theta, kind="stable")
    return Columns({name: values[order] for name, values in columns.items()})


def _critical_of_strengths(
    fitted: Fitted, error: Floats, asked: Asked, smallest: float
) -> float:
    """Return the critical value with which limits hold all strengths together.

    A strength is its difference to the mean of all: a further one, without variance.
    """
    k = len(error)
    covariance = np.zeros((k + 1, k + 1))
    covariance[:k, :k] = fitted.variance.covariance
    largest = largest_differences(
        covariance,
        np.arange(k),
        np.full(k, k),
        fitted.strengths.theta / error,
        error,
        df=smallest,
        alpha=asked.alpha,
        seed=asked.seed,
    )
    return largest.joint
