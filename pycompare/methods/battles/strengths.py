"""Strengths of models from battles, compared in pairs."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np
from scipy import sparse, special
from scipy.sparse.csgraph import connected_components

from pycompare.base.arguments import check_alpha, check_word, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.families import family_text
from pycompare.base.hypotheses import STRENGTHS
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show_all, unknown_control
from pycompare.base.tables import Columns, Labelled
from pycompare.base.typing import Floats, Ints
from pycompare.data.battles import Battles
from pycompare.kernels.davidson import Games, RobustVariance, Strengths, fit, robust
from pycompare.kernels.largest_normal import largest_differences
from pycompare.kernels.r_random import checked_seed
from pycompare.methods.pairs.common import pair_index
from pycompare.results.placement import Placement
from pycompare.results.result import PairsResult, internal, made_when_read
from pycompare.results.schema import Schema, Turned, changed, column

if TYPE_CHECKING:
    import pandas as pd

TiesOfBattles = Literal["davidson", "half", "drop"]
Position = Literal["estimate", "ignore"]
Unconnected = Literal["error", "largest"]
_REFERENCE = (
    "Davidson (1970) JASA 65, 317-328; Davidson & Beaver (1977) Biometrics 33, "
    "693-702; Firth (1993) Biometrika 80, 27-38"
)
_PLACEMENT = Placement("strengths, in log odds of winning a decided battle")
_FEWEST_VOTERS = 10
_MODELS_NAMED = 6


@dataclass(frozen=True, kw_only=True, eq=False)
class BattlesResult(PairsResult):
    """Pairs of models by their strengths; see ``PairsResult``.

    Attributes
    ----------
    table : DataFrame
        Columns of ``PairsResult``, and ``win_share joint_low joint_high``. ``estimate``
        is the difference of strengths, algorithm_1 minus algorithm_2: the log odds that
        algorithm_1 wins a battle that is decided, shown in no particular order;
        ``win_share`` is that probability. ``p_adjusted`` is step-down. ``conf_low`` and
        ``conf_high`` exclude 0 exactly if it is at most ``alpha``; ``joint_low`` and
        ``joint_high`` hold all differences together.
    positions : Series
        Strengths with the sign such that lower is better.
    strengths : DataFrame
        One row per model, strongest first: ``algorithm strength std_error battles wins
        ties losses``. The mean of all strengths is 0.
    order_effect, order_error : float
        Log odds that the model that was shown first wins between equals, and its
        standard error; NaN if the order is ignored.
    log_nu : float
        Logarithm of the odds of a tie between equals; minus infinity without ties.
    smallest_df : float
        Smallest degrees of freedom of a pair, which the joint tests use.
    voters : int
        Independent voters.
    fit_statistic, fit_df, fit_p_value : float
        Sum over pairs of models of (observed - expected)^2 / variance of their wins,
        with its p-value: whether one order of models describes all pairs.
    ties : {"davidson", "half", "drop"}
    seed : int
    battles : Battles
    """

    r_named: ClassVar[bool] = True
    lower_is_better: ClassVar[bool] = False

    strengths: pd.DataFrame = made_when_read()
    order_effect: float
    order_error: float
    log_nu: float
    smallest_df: float
    voters: int
    fit_statistic: float
    fit_df: int
    fit_p_value: float
    ties: TiesOfBattles
    seed: int
    battles: Battles = internal()

    schema: ClassVar[Schema] = (
        *changed(
            changed(PairsResult.schema, "p_adjusted", "conf_low", "conf_high", r=None),
            "estimate", "std_error", "conf_low", "conf_high", unit="",
        ),
        column("win_share", "share", turned=Turned("share")),
        column("joint_low", "limit", turned=Turned("minus", "joint_high"), r=None),
        column("joint_high", "limit", turned=Turned("minus", "joint_low"), r=None),
    )  # fmt: skip

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "battles/max-t"

    def r_call(self) -> RCall:
        """Return the call that maximises the penalised likelihood in R."""
        battles = self.battles
        voter = battles.voter
        if voter is None:
            voter = np.arange(len(battles.first))
        arguments = {
            "first": battles.first + 1.0,
            "second": battles.second + 1.0,
            "outcome": battles.outcome,
            "voter": voter + 1.0,
            "models": list(battles.models),
            "ties": self.ties,
            "position": not np.isnan(self.order_effect),
            "control": self.control or "",
        }
        return RCall(("ranks", "adjust", "battles"), "battles_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return what R has: all but the drawn distribution of the largest."""
        names = ("estimate", "std_error", "statistic", "df", "p_value", "win_share")
        strengths = self.held("strengths")
        single = {
            "order_effect": self.order_effect,
            "order_error": self.order_error,
            "log_nu": self.log_nu,
            "fit_statistic": self.fit_statistic,
        }
        return {
            **self.columns_in_r(*names),
            "strength": np.asarray(strengths["strength"]),
            "strength_error": np.asarray(strengths["std_error"]),
            **{name: value for name, value in single.items() if np.isfinite(value)},
        }


@checked
def battles(
    battles: Battles,
    *,
    ties: TiesOfBattles = "davidson",
    position: Position = "estimate",
    unconnected: Unconnected = "error",
    control: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> BattlesResult:
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
        Groups of models that never met cannot be compared: reject them, or compare the
        largest group.
    control : str, optional
        Compare each other model with this one only.
    alpha : float, default 0.05
        Family-wise level of the intervals.
    seed : int, default 0
        Of the draws behind adjusted p-values.

    Returns
    -------
    BattlesResult

    Raises
    ------
    DesignError
        If models form groups that never met, or the first shown always wins.
    InputError
        For an unknown word or control.

    Notes
    -----
    Equation 10.15 of docs/equations.md.

    Jeffreys' penalty keeps all estimates finite. The variance counts voters as
    independent, with their leverage taken out; each pair has degrees of freedom by the
    fourth moments of voters, and joint tests use the smallest. Adjusted p-values are
    those of the largest studentised difference, step-down, over 10,000 draws. With
    fewer than ten voters there are estimates, but no p-values or intervals.

    The quantity depends on who met whom, unless one order of models describes all
    battles, which ``fit_p_value`` tests. R: ``optim`` of the penalised likelihood, own
    derivation of the variance; ``psychotools::btmodel`` without order and penalty.

    References
    ----------
    .. [1] Davidson, R. R. (1970). JASA 65, 317-328.
    .. [2] Firth, D. (1993). Biometrika 80, 27-38.
    .. [3] Pustejovsky, J. E., Tipton, E. (2018). J. Bus. Econ. Stat. 36, 672-683.

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
    for name, word, words in (
        ("ties", ties, TiesOfBattles),
        ("position", position, Position),
        ("unconnected", unconnected, Unconnected),
    ):
        check_word(name, word, get_args(words))
    seed = checked_seed(seed)
    battles = _connected(battles, unconnected)
    if ties == "drop":
        battles = _taken(battles, battles.outcome != 0.5)
        battles = _connected(battles, unconnected)
    if control is not None and control not in battles.models:
        raise InputError(unknown_control(control, battles.models))
    order = position == "estimate"
    games, pair = _counted(battles)
    tied = (battles.outcome == 0.5).astype(float)
    notes = list(battles.notes)
    model_ties = ties == "davidson" and bool(tied.any())
    if ties == "davidson" and not tied.any():
        notes.append("no battle is tied: the model has no ties")
    if order:
        _require_order(games)
    fitted = fit(games, order=order, ties=model_ties)
    n = len(battles.first)
    voter = np.arange(n) if battles.voter is None else battles.voter
    used = np.unique(voter)
    voters = len(used)
    if voters == 1:
        raise DesignError(
            "all battles have one voter: how voters differ is not known; leave "
            + setting("voter", ...)
            + " out only if each vote is independent of the others"
        )
    if battles.voter is None:
        notes.append(
            "each battle has a voter of its own; votes of one person that depend "
            "on each other make intervals too short"
        )
    notes += _one_sided(games, battles.models)
    variance = robust(
        games,
        fitted,
        pair,
        battles.outcome,
        tied if model_ties else np.zeros(n),
        np.searchsorted(used, voter),
        voters,
    )
    columns, smallest = _tests(
        fitted.theta, variance, battles.models, control, alpha, seed, voters
    )
    if voters < _FEWEST_VOTERS:
        notes.append(
            f"{counted(voters, 'voter')}: fewer than {_FEWEST_VOTERS}, so that there "
            "are no p-values and no intervals"
        )
    statistic, df, p = _goodness(games, fitted)
    theta = fitted.theta
    return BattlesResult(
        table=Columns(columns),
        positions=Labelled(-theta, battles.models),
        method="Davidson's model of battles"
        if model_ties
        else "Bradley-Terry model of battles",
        **_PLACEMENT.difference(),
        statistic_name="t",
        hypotheses=STRENGTHS,
        adjust="max-t",
        family=family_text(len(battles.models), control),
        interval="at the critical value of the last step of max-T",
        level=1 - alpha,
        control=control,
        reference=_REFERENCE,
        notes=tuple(notes),
        strengths=_strength_table(battles, theta, variance),
        order_effect=fitted.gamma if order else np.nan,
        order_error=float(np.sqrt(variance.order)),
        log_nu=fitted.log_nu,
        smallest_df=smallest,
        voters=voters,
        fit_statistic=statistic,
        fit_df=df,
        fit_p_value=p,
        ties=ties,
        seed=seed,
        battles=battles,
    )


def _counted(battles: Battles) -> tuple[Games, Ints]:
    """Return battles by ordered pair, and the ordered pair of each battle."""
    k = len(battles.models)
    code = battles.first * k + battles.second
    codes, pair = np.unique(code, return_inverse=True)
    tied = (battles.outcome == 0.5).astype(float)
    halves, ties, n = (
        np.asarray(np.bincount(pair, weights, len(codes)), float)
        for weights in (battles.outcome, tied, np.ones(len(code)))
    )
    games = Games(
        first=codes // k, second=codes % k, n=n, halves=halves, ties=ties, models=k
    )
    return games, pair


def _connected(battles: Battles, unconnected: Unconnected) -> Battles:
    """Return battles of models that can all be compared."""
    k = len(battles.models)
    meets = np.ones(len(battles.first))
    graph = sparse.coo_array((meets, (battles.first, battles.second)), (k, k))
    count, group = connected_components(graph, directed=False)
    if count == 1:
        return battles
    fought = np.bincount(group[battles.first], minlength=count)
    if unconnected == "error":
        names = np.array(battles.models, dtype=object)
        groups = ", ".join(
            f"{{{show_all(names[group == g].tolist()[:_MODELS_NAMED])}}} "
            f"({counted(int(fought[g]), 'battle')})"
            for g in np.argsort(-fought, kind="stable").tolist()
        )
        raise DesignError(
            f"the battles form {count} groups that never met: {groups}. Strengths of "
            "different groups cannot be compared; add battles between them, or give "
            + setting("unconnected", "largest")
        )
    largest = int(np.argmax(fought))
    left = [name for name, g in zip(battles.models, group, strict=True) if g != largest]
    taken = _taken(battles, group[battles.first] == largest)
    note = f"left out, for they never met the others: {show_all(left)}"
    return dataclasses.replace(taken, notes=(*battles.notes, note))


def _taken(battles: Battles, rows: Any) -> Battles:
    """Return some battles; models without any are left out."""
    first, second = battles.first[rows], battles.second[rows]
    used, codes = np.unique(np.concatenate([first, second]), return_inverse=True)
    return dataclasses.replace(
        battles,
        models=tuple(battles.models[at] for at in used),
        first=codes[: len(first)],
        second=codes[len(first) :],
        outcome=battles.outcome[rows],
        voter=None if battles.voter is None else battles.voter[rows],
    )


def _require_order(games: Games) -> None:
    """Reject an order effect that the file cannot show."""
    for share, name in ((games.halves, "model_1"), (games.n - games.halves, "model_2")):
        if np.array_equal(share, games.n):
            raise DesignError(
                f"the winner is always in {name}: the file does not keep the order in "
                "which models were shown; give " + setting("position", "ignore")
            )


def _one_sided(games: Games, models: tuple[str, ...]) -> list[str]:
    """Name models, or sets of them, that never lost to the rest (Ford 1957)."""
    k = len(models)
    won, lost = games.halves > 0, games.n > games.halves
    taken = np.concatenate([games.first[won], games.second[lost]])
    from_whom = np.concatenate([games.second[won], games.first[lost]])
    graph = sparse.coo_array((np.ones(len(taken)), (taken, from_whom)), (k, k))
    count, group = connected_components(graph, directed=True, connection="strong")
    if count == 1:
        return []
    across = group[taken] != group[from_whom]
    beaten = set(group[from_whom][across].tolist())
    notes = []
    for g in range(count):
        if g in beaten:
            continue
        names = [models[at] for at in np.flatnonzero(group == g)]
        notes.append(
            f"{show_all(names)} lost and tied no battle against the other models: by "
            "how much they are stronger has no upper bound in these battles"
        )
    return notes


def _tests(
    theta: Floats,
    variance: RobustVariance,
    models: tuple[str, ...],
    control: str | None,
    alpha: float,
    seed: int,
    voters: int,
) -> tuple[dict[str, Any], float]:
    """Return the columns of the table, and the smallest degrees of freedom."""
    of_pairs = pair_index(models, control)
    first, second = of_pairs.first, of_pairs.second
    c = variance.covariance
    estimate = theta[first] - theta[second]
    error = np.sqrt(c[first, first] + c[second, second] - 2 * c[first, second])
    df = variance.df[first, second]
    columns: dict[str, Any] = dict(of_pairs.labels)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = estimate / error
    columns |= {"estimate": estimate, "std_error": error, "statistic": t, "df": df}
    smallest = float(df.min())
    none = np.full(len(t), np.nan)
    adjusted, p = none, none
    joint = last = np.nan
    if voters >= _FEWEST_VOTERS:
        p = 2 * special.stdtr(df, -np.abs(t))
        largest = largest_differences(
            c, first, second, t, error, df=smallest, alpha=alpha, seed=seed
        )
        adjusted, joint, last = largest.p_adjusted, largest.joint, largest.last
    columns |= {
        "p_value": p,
        "p_adjusted": adjusted,
        "conf_low": estimate - last * error,
        "conf_high": estimate + last * error,
        "win_share": special.expit(estimate),
        "joint_low": estimate - joint * error,
        "joint_high": estimate + joint * error,
    }
    return columns, smallest


def _goodness(games: Games, fitted: Strengths) -> tuple[float, int, float]:
    """Return the statistic of fit over pairs of models, its df and p-value."""
    k = games.models
    low = np.minimum(games.first, games.second)
    high = np.maximum(games.first, games.second)
    codes, at = np.unique(low * k + high, return_inverse=True)
    turn = np.where(games.first == low, 1.0, -1.0)
    # Turned round, wins of the second are battles less those of the first.
    over = turn * (games.halves - games.n * fitted.expected_halves)
    e, p_tie = fitted.expected_halves, fitted.expected_ties
    variance = games.n * (e - p_tie / 4 - e**2)
    observed = np.bincount(at, over, len(codes))
    expected = np.bincount(at, variance, len(codes))
    statistic = float((observed**2 / expected).sum())
    df = len(codes) - (k - 1) - int(fitted.has_order)
    p = float(special.chdtrc(df, statistic)) if df > 0 else np.nan
    return statistic, df, p


def _strength_table(
    battles: Battles, theta: Floats, variance: RobustVariance
) -> Columns:
    """Return strengths with their counts, strongest first."""
    k = len(battles.models)
    own = np.concatenate([battles.first, battles.second])
    outcome = np.concatenate([battles.outcome, 1 - battles.outcome])

    def count(which: Any) -> Ints:
        return np.bincount(own[which], minlength=k)

    order = np.argsort(-theta, kind="stable")
    columns = {
        "algorithm": np.array(battles.models, dtype=object),
        "strength": theta,
        "std_error": np.sqrt(np.diag(variance.covariance)),
        "battles": count(outcome >= 0),
        "wins": count(outcome == 1),
        "ties": count(outcome == 0.5),
        "losses": count(outcome == 0),
    }
    return Columns({name: values[order] for name, values in columns.items()})
