"""Power of a planned study, and the number of units it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pycompare.base.arguments import is_finite, is_whole
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.parallel.progress import discard, each, heard_by
from pycompare.base.tables import Columns
from pycompare.kernels import binomial
from pycompare.results.result import Result, internal, made_when_read
from pycompare.sizes.design import StudyDesign

if TYPE_CHECKING:
    import pandas as pd


_CHUNK, _NUMBERS = 500, 2_000_000
"""Trials, and random numbers, of one generator: at most so many are held at once."""
_NUMBERS_OF_A_SIZE = 100_000_000
"""At most so many are drawn for one size of a search, which is under half a minute."""
_TEETH = 16
"""Sizes in a row after which the power of an exact test has risen.

It falls while the largest count that is significant stays, and rises with that count.
"""
_LEVEL = 0.95
"""Of the interval of a simulated power."""
_FORMULA, _SIMULATED = "power_formula", "power_simulated"


@dataclass(frozen=True, kw_only=True, eq=False)
class PowerResult(Result):
    """Power of a design at one or several sizes.

    Attributes
    ----------
    table : DataFrame
        One row per size: ``n power_formula power_simulated conf_low conf_high trials``.
        ``power_formula`` is NaN if there is no formula; the limits are those of
        the simulated power, exact at 95%.
    test, units, effect : str
        The test, what n counts, and the true effect, in words.
    alpha : float
    target : float or None
        The power that was asked for; None if sizes were given.
    n_required : int or None
        The smallest n from which on the power reaches the target.
    seed : int
        Of the simulation.
    reference : str
    notes : tuple of str
        Notes for readers, such as a formula for large samples in small ones.
    """

    table: pd.DataFrame = made_when_read()
    test: str
    units: str
    effect: str
    alpha: float
    target: float | None
    n_required: int | None
    seed: int
    reference: str
    notes: tuple[str, ...]
    design: StudyDesign = internal()

    @property
    def subject(self) -> str:
        """What has this power, in words."""
        return f"{self.test} at alpha = {self.alpha:g}"

    @property
    def studies(self) -> int:
        """Simulated studies of each size; 0 if the formula stands alone."""
        return int(np.max(self.as_columns()["trials"]))

    def curves(self) -> dict[str, Columns]:
        """Return ``n power conf_low conf_high`` of the drawing, by its name."""
        table = self.as_columns()
        n = np.asarray(table["n"])
        order = np.argsort(n, kind="stable")
        nothing = np.full(len(n), np.nan)
        series = {
            "Simulated": (_SIMULATED, table["conf_low"], table["conf_high"]),
            "By formula": (_FORMULA, nothing, nothing),
        }
        return {
            name: curve_of(n, table[column], low, high, order)
            for name, (column, low, high) in series.items()
            if not np.isnan(np.asarray(table[column], float)).all()
        }

    def sentence(self) -> str:
        """Return the paragraph for a protocol or a grant application."""
        [row] = self.as_columns().take([-1]).records()
        n, simulated = int(row["n"]), bool(row["trials"])
        # Without studies an unsafe formula is all there is; a note warns of it.
        safe = self.design.trusted(n) and not self.design.approximate
        by_formula = safe or not simulated
        power = row[_FORMULA] if by_formula else row[_SIMULATED]
        how = (
            "by formula" if by_formula else f"by {int(row['trials'])} simulated studies"
        )
        first = (
            f"With {n} {self.units}, the power of {self.test} at alpha = "
            f"{self.alpha:g} is {power:.1%} ({how}). The assumed truth is "
            f"{self.effect}."
        )
        if not by_formula or not simulated:
            return first
        return (
            f"{first} In {int(row['trials'])} simulated studies it rejected in "
            f"{row[_SIMULATED]:.1%} (95% CI [{row['conf_low']:.1%}, "
            f"{row['conf_high']:.1%}], seed {self.seed})."
        )

    def summary(self, digits: int = 4) -> str:
        """Return the sentence, the table and the notes."""
        notes = [f"  note: {note}" for note in self.notes]
        return "\n".join([self.sentence(), super().summary(digits), *notes])

    def r_call(self) -> RCall | None:
        """Return the call of R's formula; None if there is only a simulation."""
        if not self.design.has_formula:
            return None
        sizes = np.asarray(self.as_columns()["n"], int)
        given: dict[str, Any] = {"n": sizes.astype(float), "alpha": self.alpha}
        given |= self.design.r_arguments(sizes.tolist())
        return RCall(("power",), self.design.r_name, given)

    r_paths: ClassVar[Mapping[str, str]] = {"power": f"table/{_FORMULA}"}

    def r_values(self) -> dict[str, Any]:
        """Return the power by formula."""
        return {"power": np.asarray(self.as_columns()[_FORMULA], float)}


def curve_of(n: Any, power: Any, low: Any, high: Any, order: Any) -> Columns:
    """Return one curve of power over size, in an order of its sizes."""
    columns = {"n": n, "power": power, "conf_low": low, "conf_high": high}
    return Columns({k: np.asarray(v, float)[order] for k, v in columns.items()})


@checked
def power(
    design: StudyDesign,
    *,
    n: int | Sequence[int] | None = None,
    target: float | None = None,
    alpha: float = 0.05,
    trials: int = 2000,
    seed: int = 1,
    progress: Callable[[str], None] | None = None,
) -> PowerResult:
    """Return the power of a planned study, or the size that it needs.

    Parameters
    ----------
    design : StudyDesign
        One of ``pycompare.sizes``: the test, and the true effect.
    n : int or sequence of int, optional
        Sizes of which the power is wanted, in the units of the design.
    target : float, optional
        Power that is wanted, between alpha and 1: the smallest size from which on it
        is reached is searched. Give ``n`` or ``target``; default ``target=0.8``.
    alpha : float, default 0.05
        Level of the test; of each of the one-sided tests of margins.
    trials : int, default 2000
        Simulated studies of each size; 0 for the formula alone.
    seed : int, default 1
        Random seed of the simulated studies.
    progress : callable, optional
        Called with a line per size.

    Returns
    -------
    PowerResult

    Raises
    ------
    DesignError
        If no size up to a million, or to the largest that can be simulated in a
        minute, reaches the target.
    InputError
        For both ``n`` and ``target``, or values out of range.

    Notes
    -----
    Equations 11.1, 11.2, 11.3, 11.4 of docs/equations.md.

    The formula is exact for tests of normal scores and of counts; for MANOVA of three
    or more algorithms it was at most 0.002 off. For AUCs it uses the mean, variance
    and skewness of the statistics that the test compares, and for readers and cases the
    first joint moments of the difference and both parts of its estimated error: there
    the simulated power is the one to state. With fewer than 10 cases of a class it is
    used instead of the formula. The simulation draws studies from the design and makes
    the test of each. R: ``power.t.test(strict = TRUE)``, and derivations with ``pf``,
    ``pt``, ``pgamma``, ``pnorm`` and ``dbinom``.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import sizes
    >>> found = pc.power(sizes.PairedT(difference=0.02, sd=0.04), trials=0)
    >>> found.n_required
    34
    >>> found = pc.power(sizes.Sign(win=0.75), n=[20, 40], seed=1, trials=1000)
    >>> found.table[["n", "power_formula", "power_simulated"]].round(3)
        n  power_formula  power_simulated
    0  20          0.617            0.629
    1  40          0.897            0.898
    """
    if not isinstance(design, StudyDesign):
        raise InputError(
            f"design={design!r}: give a design, such as "
            f"pycompare.sizes.PairedT(difference=0.02, sd=0.04)"
        )
    _check(alpha, trials, seed)
    if n is not None and target is not None:
        raise InputError("n and target: give sizes, or the power wanted, not both")
    runs = _SimulatedPower(design, alpha, trials, seed, progress or discard)
    with heard_by(runs.progress):
        if n is not None:
            sizes, wanted, required = _sizes(n, design), None, None
        else:
            wanted = _target(0.8 if target is None else target, alpha)
            required = _smallest(runs, wanted)
            sizes = [required]
        rows = [runs.row(size) for size in each(sizes, "size", often=True)]
    return PowerResult(
        table=Columns({name: [row[name] for row in rows] for name in rows[0]}),
        test=f"{design.article}{design.test}",
        units=design.units,
        effect=design.effect,
        alpha=alpha,
        target=wanted,
        n_required=required,
        seed=seed,
        reference=design.reference,
        notes=_notes(design, sizes),
        design=design,
    )


def _notes(design: StudyDesign, sizes: Sequence[int]) -> tuple[str, ...]:
    """Return the notes for readers, once each."""
    notes = [note for n in sizes for note in design.notes(n)]
    notes += [design.approximate] if design.approximate else []
    return tuple(dict.fromkeys([*notes, *design.remarks]))


@dataclass(frozen=True)
class _SimulatedPower:
    """The power of one design at any size."""

    design: StudyDesign
    alpha: float
    trials: int
    seed: int
    progress: Callable[[str], None]

    def rejected(self, n: int) -> int:
        """Count simulated studies in which the test rejects."""
        self.progress(f"n = {n}: {self.trials} studies")
        count, size = 0, min(_CHUNK, max(1, _NUMBERS // self.design.numbers(n)))
        starts = enumerate(range(0, self.trials, size))
        for k, start in each(starts, f"n = {n}: part", often=True):
            rng = np.random.default_rng([self.seed, n, k])
            p = self.design.p_values(rng, n, min(size, self.trials - start))
            count += int(np.sum(p <= self.alpha))
        return count

    def power(self, n: int) -> float:
        """Return the power that a search goes by."""
        by_formula = self.design.has_formula and not self.trials
        if by_formula or self.design.trusted(n):
            return self.design.formula(n, self.alpha)
        return self.rejected(n) / self.trials

    def is_too_long(self, n: int) -> bool:
        """Return whether a size is one that a search must not simulate."""
        drawn = self.trials * self.design.numbers(n)
        return drawn > _NUMBERS_OF_A_SIZE and not self.design.trusted(n)

    def row(self, n: int) -> dict[str, Any]:
        """Return a row of the table."""
        formula = self.design.formula(n, self.alpha)
        row = {"n": n, _FORMULA: formula, _SIMULATED: np.nan}
        low = high = np.nan
        if self.trials:
            count = self.rejected(n)
            row[_SIMULATED] = count / self.trials
            limits = binomial.clopper_pearson(
                count, self.trials - count, "two-sided", _LEVEL
            )
            low, high = map(float, limits)
        return {**row, "conf_low": low, "conf_high": high, "trials": self.trials}


def _smallest(runs: _SimulatedPower, target: float) -> int:
    """Return the smallest n from which on the power reaches the target."""
    design = runs.design
    if not runs.trials and not design.has_formula:
        raise InputError(
            f"trials=0: {design.name} has no formula; give trials, such as 2000"
        )
    design.require_effect()
    low, high = design.least - 1, design.least
    while runs.power(high) < target:
        if high == design.most:
            raise DesignError(_none_reaches(design, target))
        low, high = high, min(2 * high, design.most)
        if runs.is_too_long(high):
            raise DesignError(
                f"no size up to {low} reaches a power of {target:g} with "
                f"{design.effect}; larger ones take too long to simulate: give n, or "
                "state a larger effect or a smaller target"
            )
    if not design.monotone:
        # Exact tests of counts: the last n that misses lies below twice the first hit.
        high *= 2
    steps = 1 if design.monotone else _TEETH
    while high - low > steps:
        middle = (low + high) // 2
        if any(runs.power(middle + i) < target for i in range(steps)):
            low = middle
        else:
            high = middle
    if design.monotone:
        return high
    missed = (n for n in range(high + steps, low, -1) if runs.power(n) < target)
    return next(missed, low) + 1


def _none_reaches(design: StudyDesign, target: float) -> str:
    """Return the sentence for a target that no size reaches."""
    goal = f"reaches a power of {target:g} with {design.effect}"
    if not design.limit:
        return (
            f"no size up to {design.most} {goal}; state a larger effect or a smaller "
            "target"
        )
    return (
        f"no number of {design.units} {goal}: {design.limit}, or state a larger "
        "effect or a smaller target"
    )


def _sizes(n: int | Sequence[int], design: StudyDesign) -> list[int]:
    given: list[Any] = list(n) if isinstance(n, Iterable) else [n]
    for size in given:
        if not is_whole(size) or not design.least <= size <= design.most:
            raise InputError(
                f"n={size!r}: give whole numbers of {design.units}, from "
                f"{design.least} to {design.most}"
            )
    if not given:
        raise InputError("n=[]: give one size or more")
    return [int(size) for size in given]


def _target(target: float, alpha: float) -> float:
    if not (is_finite(target) and alpha < target < 1):
        raise InputError(
            f"target={target!r}: give a power between alpha={alpha:g} and 1"
        )
    return target


def _check(alpha: float, trials: int, seed: int) -> None:
    if not (is_finite(alpha) and 0 < alpha < 0.5):
        raise InputError(f"alpha={alpha!r}: give a number between 0 and 0.5")
    for name, value in (("trials", trials), ("seed", seed)):
        if not is_whole(value) or value < 0:
            raise InputError(f"{name}={value!r}: give a whole number, 0 or more")
