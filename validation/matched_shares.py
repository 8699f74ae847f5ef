"""Errors of tests of matched shares against a margin, enumerated and simulated.

``python -m validation.matched_shares`` runs what ``matched_shares.json`` does not have,
and writes ``MATCHED_SHARES.md``. The exact test and the score test of one pair are
enumerated: all tables of n cases, the largest error over the shares of discordant
cases. Families, runs and clusters are simulated by the public functions; the name of a
law is its seed.
"""

from __future__ import annotations

import dataclasses
import json
import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import special

import pycompare as pc
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.kernels import matched_pairs as kernel
from pycompare.results.guarantees import guarantee
from validation.cells import finish_parts

from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "matched_shares.json", HERE / "MATCHED_SHARES.md"
RUNS, FEWER = 4000, 1000
"""Tables of a law, and of a costly one."""
ALPHA = 0.025
SIZES, MARGINS = (50, 100, 200), (0.02, 0.05, 0.1)
SHARES = 400
"""Shares of discordant cases over which the largest error of a table is taken."""
SIDES = {"not worse": "greater", "worse": "less"}
"""What is claimed against -margin, and the alternative of the kernel."""


def enumerated(n: int, margin: float, side: str) -> dict[str, float]:
    """Return the largest error of the exact and of the score test of n cases."""
    wins, losses = (np.array(c) for c in zip(*_tables(n), strict=True))
    alternative = SIDES[side]
    sign = 1.0 if side == "not worse" else -1.0
    z = kernel.score_statistic(wins, losses, n, -margin)
    rejects = {
        "score": special.ndtr(-sign * z) <= ALPHA,
        "exact": np.array([
            kernel.exact_p(int(w), int(x), n, -margin, alternative, ALPHA / 1000)
            <= ALPHA
            for w, x in zip(wins, losses, strict=True)
        ]),
    }  # fmt: skip
    return {
        f"{name} {what}": float(value)
        for name, chosen in rejects.items()
        for what, value in (
            ("error", _largest_error(wins[chosen], losses[chosen], n, margin)),
            ("at 0", _power_at_0(wins[chosen], losses[chosen], n)),
        )
    }


def _tables(n: int) -> list[tuple[int, int]]:
    """Return wins and losses of all tables of n cases."""
    return [(w, x) for w in range(n + 1) for x in range(n + 1 - w)]


def _probability(
    wins: Floats, losses: Floats, n: int, won: float, lost: float
) -> float:
    """Return the probability of these tables."""
    same = n - wins - losses
    log_count = (
        special.gammaln(n + 1)
        - special.gammaln(wins + 1)
        - special.gammaln(losses + 1)
        - special.gammaln(same + 1)
    )
    log_p = special.xlogy(wins, won) + special.xlogy(losses, lost)
    return float(np.exp(log_count + log_p + special.xlogy(same, 1 - won - lost)).sum())


def _largest_error(wins: Floats, losses: Floats, n: int, margin: float) -> float:
    """Return the largest probability of tables where the difference is -margin."""
    angle = np.linspace(0, np.pi / 2, SHARES)
    shares = margin + (1 - margin) * np.sin(angle) ** 2
    return max(
        _probability(wins, losses, n, (s - margin) / 2, (s + margin) / 2)
        for s in shares
    )


def _power_at_0(wins: Floats, losses: Floats, n: int) -> float:
    """Return the probability of tables of equal shares, 10 % of cases discordant."""
    return _probability(wins, losses, n, 0.05, 0.05)


# ---- simulated -----------------------------------------------------------------------


@dataclass(frozen=True)
class Law:
    """Answers of algorithms, of which A is the control, and what is claimed of them.

    Attributes
    ----------
    draw : callable
        Scores from a generator.
    options : dict
        Of ``pc.matched_shares``, with a range of ``pc.bounded_means``, without a margin
        of ``pc.share_pairs``.
    key : str
        The guarantee.
    false : tuple of int
        Rows of the table of pairs that are not within the margin, or do not differ.
    violates : tuple of str
        Conditions that the law violates.
    runs : int
        How many tables are drawn.
    """

    draw: Callable[[Generator], pc.Scores]
    options: Mapping[str, Any]
    key: str
    false: tuple[int, ...]
    violates: tuple[str, ...] = ()
    runs: int = RUNS


def _scores(x: Floats, sizes: int | None = None) -> pc.Scores:
    """Return scores of right answers, cases x algorithms x runs."""
    n, a, runs = x.shape
    more: dict[str, Any] = {}
    if runs > 1:
        names = tuple(map(str, range(runs)))
        more = {"runs": x[:, :, None], "replicates": names}
    if sizes is not None:
        more["clusters"] = tuple(map(str, (np.arange(n) // sizes).tolist()))
    return pc.Scores(
        values=x.mean(axis=-1)[:, :, None],
        blocks=tuple(map(str, range(n))),
        algorithms=tuple("ABCDE"[:a]),
        metrics=(Metric("right", "higher"),),
        **more,
    )


def independent(n: int, losses: tuple[float, ...], wins: float) -> Any:
    """Draw one answer per case: A right in .7, others losing and winning so often."""

    def draw(rng: Generator) -> pc.Scores:
        best = rng.random((n, 1)) < 0.7
        stays = np.where(best, 1 - np.array(losses) / 0.7, wins / 0.3)
        others = rng.random((n, len(losses))) < stays
        return _scores(np.hstack([best, others])[:, :, None].astype(float))

    return draw


def answered(n: int, margin: float, runs: int) -> Any:
    """Draw several answers per case: B a margin below A on every case."""

    def draw(rng: Generator) -> pc.Scores:
        chance = rng.uniform(margin, 0.95, (n, 1)) - [0.0, margin]
        return _scores((rng.random((n, 2, runs)) < chance[:, :, None]).astype(float))

    return draw


def lost(n: int, margin: float, runs: int, size: int | None = None) -> Any:
    """Draw answers of which B loses whole cases, or clusters of a size, rarely."""

    def draw(rng: Generator) -> pc.Scores:
        groups = n // (size or 1)
        gone = np.repeat(rng.random(groups) < margin / 0.95, size or 1)
        right = rng.random((n, 1, 1)) < 0.95
        x = np.broadcast_to(right, (n, 2, runs)).copy()
        x[gone, 1] = False
        return _scores(x.astype(float), size)

    return draw


def in_clusters(groups: int, size: int, margin: float) -> Any:
    """Draw one answer per case; difficulty and B's difference vary over clusters."""

    def draw(rng: Generator) -> pc.Scores:
        chance = rng.uniform(2 * margin, 0.9, (groups, 1)).repeat(size, axis=0)
        less = rng.uniform(0, 2 * margin, (groups, 1)).repeat(size, axis=0)
        x = rng.random((groups * size, 2)) < np.hstack([chance, chance - less])
        return _scores(x[:, :, None].astype(float), size)

    return draw


def graded(n: int, losses: tuple[float, ...], noise: float) -> Any:
    """Draw graded answers: small differences, and whole losses to A so often."""

    def draw(rng: Generator) -> pc.Scores:
        best = np.full((n, 1), 1 - noise / 2)
        others = 1 - noise * rng.random((n, len(losses)))
        others[rng.random(others.shape) < losses] = 0.0
        return _scores(np.hstack([best, others])[:, :, None])

    return draw


def judged(n: int, a: int, margin: float) -> Any:
    """Draw grades 0, 0.5 and 1 of which all but A are worse by the margin."""

    def draw(rng: Generator) -> pc.Scores:
        common = rng.choice([0.0, 0.5, 1.0], (n, 1), p=[0.2, 0.2, 0.6])
        apart = rng.random((n, a)) < 0.25
        x = np.where(apart, rng.choice([0.0, 0.5, 1.0], (n, a)), common)
        falls = (x >= 0.5) & (rng.random((n, a)) < _falling(margin))
        x[:, 1:] -= 0.5 * falls[:, 1:]
        return _scores(x[:, :, None])

    return draw


def _falling(margin: float) -> float:
    """Return how often a grade of 0.5 or 1 falls by 0.5, for this mean loss."""
    above_0 = 0.75 * 0.8 + 0.25 * 2 / 3
    return margin / (0.5 * above_0)


_NI: dict[str, Any] = {"kind": "non-inferiority", "control": "A"}
_FEW = ("large-sample",)


def _of_pairs(source: str, n: int) -> dict[str, Law]:
    """Return families at their margins."""
    same = independent(n, (0.08, 0.08, 0.08), 0.03)
    partly = independent(n, (0.08, 0.03, 0.03), 0.03)
    rare = independent(n, (0.05, 0.05, 0.05), 0.0)
    low = independent(n, (0.08,), 0.03)
    key = f"margins/{source}-shares"
    laws = {
        f"one pair, {n} cases": Law(low, {"margin": 0.05, **_NI}, key, (0,)),
        f"3 at the margin to a control, {n} cases": Law(
            same, {"margin": 0.05, **_NI}, f"{key}/holm/control", (0, 1, 2)
        ),
        f"1 of 3 at the margin to a control, {n} cases": Law(
            partly, {"margin": 0.05, **_NI}, f"{key}/holm/control", (0,)
        ),
        f"3 that only lose, to a control, {n} cases": Law(
            rare, {"margin": 0.05, **_NI}, f"{key}/holm/control", (0, 1, 2)
        ),
        f"A apart by the margin, all pairs, {n} cases": Law(
            same, {"margin": 0.05, "alpha": ALPHA}, f"{key}/holm", (0, 1, 2)
        ),
        f"A and B apart by the margin, all pairs, {n} cases": Law(
            partly, {"margin": 0.05, "alpha": ALPHA}, f"{key}/holm", (0, 3, 4)
        ),
    }
    if source == "exact":
        return laws
    few = ("one pair", "3 at the margin", "A apart")
    return {
        name: dataclasses.replace(law, runs=400 if "all pairs" in name else FEWER)
        for name, law in laws.items()
        if name.startswith(few)
    }


_NOISE = 0.02
_EFFECTIVE = "margins/effective-size-shares"
LAWS: Mapping[str, Law] = {
    **_of_pairs("exact", 120),
    **_of_pairs("exact", 500),
    **_of_pairs("score", 20_500),
    **{
        f"{runs} answers to each of {n} cases": Law(
            answered(n, 0.05, runs), {"margin": 0.05, **_NI}, _EFFECTIVE, (0,)
        )
        for n, runs in ((100, 5), (400, 2))
    },
    **{
        f"whole cases lost rarely, {n} cases x 5, margin {margin}": Law(
            lost(n, margin, 5), {"margin": margin, **_NI}, _EFFECTIVE, (0,), _FEW, 2000
        )
        for n, margin in ((100, 0.05), (200, 0.02), (200, 0.05), (1000, 0.02))
    },
    **{
        f"{groups} clusters of {size}": Law(
            in_clusters(groups, size, 0.05), {"margin": 0.05, **_NI}, _EFFECTIVE, (0,)
        )
        for groups, size in ((100, 5), (200, 3))
    },
    **{
        f"whole clusters lost rarely, {groups} of {size}, margin {margin}": Law(
            lost(groups * size, margin, 1, size),
            {"margin": margin, **_NI}, _EFFECTIVE, (0,), _FEW, 2000,
        )
        for groups, size, margin in ((100, 5, 0.05), (200, 5, 0.02), (200, 5, 0.05))
    },
    **{
        f"whole losses rarely, graded, {n} cases, margin {margin}": Law(
            graded(n, (margin / (1 - _NOISE / 2),), _NOISE),
            {"margin": margin, "range": (0, 1), **_NI}, "margins/bounded-means", (0,),
            runs=500,
        )
        for n, margin in ((50, 0.05), (200, 0.05))
    },
    **{
        f"grades, 3 at the margin {what}, 200 cases": Law(
            judged(200, 4, 0.1), {"margin": 0.1, "range": (0, 1), **options},
            f"margins/bounded-means/holm{end}", (0, 1, 2), runs=500,
        )
        for what, end, options in (
            ("to a control", "/control", _NI),
            ("apart from A, all pairs", "", {"alpha": ALPHA}),
        )
    },
}  # fmt: skip


def equal_in_runs(n: int, runs: int, size: int | None = None) -> Any:
    """Draw answers of three algorithms alike; with clusters, of equal difficulty."""

    def draw(rng: Generator) -> pc.Scores:
        groups = n // (size or 1)
        chance = rng.uniform(0.05, 0.95, (groups, 1)).repeat(size or 1, axis=0)
        own = chance + 0.2 * (rng.random((groups, 3)) - 0.5).repeat(size or 1, axis=0)
        return _scores((rng.random((n, 3, runs)) < own[:, :, None]).astype(float), size)

    return draw


def simulated(name: str, runs: int) -> float:
    """Return the share of tables with a false claim."""
    law, n_false = LAWS[name], 0
    for run in range(runs):
        rng = np.random.default_rng((zlib.crc32(name.encode()), run))
        n_false += bool(_claims(law, law.draw(rng))[list(law.false)].any())
    return n_false / runs


_ALL: dict[str, Any] = {}
_CONTROL: dict[str, Any] = {"control": "A"}
_LOGICAL: dict[str, Any] = {"adjust": "bergmann-hommel"}


def _of_differences() -> dict[str, Law]:
    """Return families of equal shares, or partly so."""
    laws: dict[str, Law] = {}
    for source, n in (("exact", 80), ("score", 3000)):
        key = f"cases/{source}-shares"
        null = independent(n, (0.06, 0.06, 0.06), 0.06)
        rare = independent(n, (0.02, 0.02, 0.02), 0.02)
        partly = independent(n, (0.3, 0.3, 0.3), 0.02)
        same, apart = (0, 1, 2, 3, 4, 5), (3, 4, 5)
        laws |= {
            f"all equal, {n} cases": Law(null, _ALL, f"{key}/holm", same, (), FEWER),
            f"all equal, few discordant, {n} cases": Law(
                rare, _ALL, f"{key}/holm", same, (), FEWER
            ),
            f"A apart, {n} cases": Law(partly, _ALL, f"{key}/holm", apart, (), FEWER),
            f"all equal, Bergmann-Hommel, {n} cases": Law(
                null, _LOGICAL, f"{key}/bergmann-hommel", same, (), FEWER
            ),
            f"A apart, Bergmann-Hommel, {n} cases": Law(
                partly, _LOGICAL, f"{key}/bergmann-hommel", apart, (), FEWER
            ),
            f"all equal to a control, {n} cases": Law(
                null, _CONTROL, f"{key}/holm/control", (0, 1, 2), (), FEWER
            ),
        }
    key = "cases/effective-size-shares"
    for what, draw in (
        ("5 answers to each of 80 cases", equal_in_runs(80, 5)),
        ("100 clusters of 4", equal_in_runs(400, 1, 4)),
    ):
        laws |= {
            f"all equal, {what}": Law(draw, _ALL, f"{key}/holm", (0, 1, 2), (), FEWER),
            f"all equal, Bergmann-Hommel, {what}": Law(
                draw, _LOGICAL, f"{key}/bergmann-hommel", (0, 1, 2), (), FEWER
            ),
            f"all equal to a control, {what}": Law(
                draw, _CONTROL, f"{key}/holm/control", (0, 1), (), FEWER
            ),
        }
    return laws


LAWS = {**LAWS, **_of_differences()}


def _claims(law: Law, scores: pc.Scores) -> Any:
    """Return which pairs are claimed to be within the margin, or to differ."""
    if "margin" not in law.options:
        pairs = pc.share_pairs(scores, alpha=ALPHA, **law.options)
        return pairs.table["p_adjusted"].to_numpy() <= ALPHA
    method: Any = pc.bounded_means if "range" in law.options else pc.matched_shares
    return method(scores, **law.options).table["shown"].to_numpy()


def bound(runs: int) -> float:
    """Return the level with three Monte Carlo standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def promises(law: Law) -> bool:
    """Tell whether the ledger promises the level under this law."""
    claim = guarantee(law.key)
    return claim.error != "none" and not {*law.violates} & {*claim.conditions}


def page(found: Mapping[str, Any]) -> str:
    """Return the page of the study."""
    levels, errors = found["enumerated"], found["simulated"]
    promised = [name for name, law in LAWS.items() if promises(law)]
    held = sum(errors[name] <= bound(LAWS[name].runs) for name in promised)
    lines = [
        "# Shares on the same cases against a margin: errors of the tests",
        "",
        "Written by `python -m validation.matched_shares`. Level 0.025, one-sided.",
        "",
        "## One answer per case: all tables",
        "",
        "The largest error over all shares of discordant cases, where the difference",
        "is just the margin, and the power where both shares are equal and 10% of",
        "cases are discordant. *Not worse* is the claim of non-inferiority, *worse*",
        "its opposite. The score test is not used up to 20,000 cases.",
        "",
        *table_lines(list(_enumerated_rows(levels))),
        "",
        "## Families, runs and clusters: simulated",
        "",
        "By `pc.matched_shares`; of graded scores by `pc.bounded_means`, of equal "
        "shares by",
        f"`pc.share_pairs` (two-sided). With Holm if nothing else is said. **{held} of "
        f"{len(promised)} promised",
        "error rates are at most their bound** (0.025 and three Monte Carlo standard "
        "errors).",
        "Rows that violate a condition are not promised.",
        "",
        *table_lines(
            [["law", "guarantee", "violates", "tables", "error", "bound"]]
            + [
                [
                    name,
                    law.key,
                    ", ".join(law.violates),
                    str(law.runs),
                    f"{errors[name]:.4f}",
                    f"{bound(law.runs):.4f}",
                ]
                for name, law in LAWS.items()
            ]
        ),
        "",
    ]
    return "\n".join(lines)


def _enumerated_rows(levels: Mapping[str, Mapping[str, float]]) -> Iterator[list[str]]:
    """Yield the head and a row per size, margin and claim."""
    names = ["exact error", "score error", "exact at 0", "score at 0"]
    yield ["cases", "margin", "claim", *names]
    for place, found in levels.items():
        n, margin, side = place.split(", ")
        yield [n, margin, side, *(f"{found[name]:.4f}" for name in names)]


def main() -> None:
    """Run what is not stored, and write the page."""
    places = {_place((n, m, s)): (n, m, s)
              for n in SIZES for m in MARGINS for s in SIDES}  # fmt: skip

    def row(part: str, name: str) -> Any:
        if part == "enumerated":
            return enumerated(*places[name])
        return simulated(name, LAWS[name].runs)

    parts = {"enumerated": places, "simulated": LAWS}
    found = finish_parts(STORED, parts, row, "shares")
    PAGE.write_text(page(found), encoding="utf-8")


def _place(place: tuple[int, float, str]) -> str:
    """Return the name of an enumerated row."""
    return ", ".join(map(str, place))


def _store(found: Mapping[str, Any]) -> None:
    """Keep what is finished."""
    STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
