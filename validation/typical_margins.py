"""False claims of typical differences against a margin, where they are just at it.

``python -m validation.typical_margins`` runs what ``typical_margins.json`` does not
have, and writes ``TYPICAL_MARGINS.md``. Each algorithm differs from the control by the
margin, or all pairs do from each other; the name of a law is its seed.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

import pycompare as pc
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.results.guarantees import guarantee
from validation.cells import finish_rows

from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "typical_margins.json", HERE / "TYPICAL_MARGINS.md"
RUNS = 2000
ALPHA = 0.025
MARGIN = 1.0
_CONTROL: dict[str, Any] = {"kind": "non-inferiority", "control": "A"}


@dataclass(frozen=True)
class Law:
    """Algorithms whose typical differences are just at the margin.

    Attributes
    ----------
    draw : callable
        Noise of data sets x algorithms, whose differences have the centre 0.
    blocks, algorithms : int
    key : str
        The guarantee.
    options : dict
        Of ``pc.signed_rank_margins``.
    violates : tuple of str
        Conditions that the law violates.
    """

    draw: Callable[[Generator, int, int], Floats]
    blocks: int
    algorithms: int
    key: str
    options: Mapping[str, Any] = field(default_factory=lambda: _CONTROL)
    violates: tuple[str, ...] = ()

    def scores(self, rng: Generator) -> pc.Scores:
        """Return one table: A is the margin above all others."""
        values = self.draw(rng, self.blocks, self.algorithms)
        values[:, 0] += MARGIN
        return pc.Scores(
            algorithms=tuple("ABCDEFGHIJ"[: self.algorithms]),
            blocks=tuple(f"set {i}" for i in range(self.blocks)),
            metrics=(Metric("score", "higher"),),
            values=values[:, :, None],
        )

    def claims(self, rng: Generator) -> bool:
        """Return whether any pair at the margin is said to be within it."""
        found = pc.signed_rank_margins(
            self.scores(rng), margin=MARGIN, alpha=ALPHA, **self.options
        ).table
        at_margin = (found[["algorithm_1", "algorithm_2"]] == "A").any(axis=1)
        return bool(found.loc[at_margin, "shown"].any())


def normal(rng: Generator, n: int, a: int) -> Floats:
    """Return normal noise."""
    return rng.normal(size=(n, a))


def unequal(rng: Generator, n: int, a: int) -> Floats:
    """Return normal noise, of each algorithm twice that of the one before."""
    return rng.normal(size=(n, a)) * 2.0 ** np.arange(a)


def cauchy(rng: Generator, n: int, a: int) -> Floats:
    """Return noise with heavy tails."""
    return rng.standard_cauchy(size=(n, a))


def rounded(rng: Generator, n: int, a: int) -> Floats:
    """Return normal noise in steps of 0.5: many differences tie or are the margin."""
    return np.round(2 * rng.normal(size=(n, a))) / 2


def skewed(rng: Generator, n: int, a: int) -> Floats:
    """Return noise of the control alone, exponential about its pseudomedian."""
    noise = np.zeros((n, a))
    # The pseudomedian of the exponential law: P(X1 + X2 < 2 m) = 1/2.
    noise[:, 0] = rng.exponential(size=n) - 0.83917
    return noise + 1e-3 * rng.normal(size=(n, a))


def skewed_down(rng: Generator, n: int, a: int) -> Floats:
    """Return the same, skewed to the other side."""
    return -skewed(rng, n, a)


def _laws() -> dict[str, Law]:
    found: dict[str, Law] = {}
    key = "margins/signed-ranks"
    for draw in (normal, unequal, cauchy, rounded):
        for n, a in ((8, 2), (30, 2), (12, 4), (40, 4)):
            end = "" if a == 2 else "/holm/control"
            name = f"{draw.__name__}, {n} x {a} to a control"
            found[name] = Law(draw, n, a, key + end)
        found[f"{draw.__name__}, 30 x 3, equivalence of all pairs"] = Law(
            draw, 30, 3, f"{key}/holm", {}
        )
    for draw in (skewed, skewed_down):
        for n in (8, 30, 100):
            name = f"{draw.__name__.replace('_', ' ')}, {n} x 2 to a control"
            found[name] = Law(draw, n, 2, key, violates=("symmetric-about-centre",))
    return found


LAWS = _laws()


def simulated(name: str, runs: int) -> float:
    """Return the share of tables with a false claim."""
    seed = zlib.crc32(name.encode())
    law = LAWS[name]
    made = (law.claims(np.random.default_rng((seed, run))) for run in range(runs))
    return sum(made) / runs


def bound(runs: int = RUNS) -> float:
    """Return the level with three Monte Carlo standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def promises(law: Law) -> bool:
    """Tell whether the ledger promises the level under this law."""
    claim = guarantee(law.key)
    return claim.error != "none" and not {*law.violates} & {*claim.conditions}


def page(found: Mapping[str, float]) -> str:
    """Return the page of the study."""
    promised = [name for name, law in LAWS.items() if promises(law)]
    held = sum(found[name] <= bound() for name in promised)
    broken = max(found[name] for name, law in LAWS.items() if not promises(law))
    lines = [
        "# Typical differences against a margin: errors of the tests",
        "",
        "Written by `python -m validation.typical_margins`. One-sided level 0.025,",
        "Holm. Algorithm A is better than each other one by just the margin: no",
        f"claim about it is true. {RUNS} tables each, by `pc.signed_rank_margins`.",
        f"**{held} of {len(promised)} promised error rates are at most their bound** "
        f"({bound():.4f}: 0.025 and",
        "three Monte Carlo standard errors). Differences that are not symmetric about",
        f"their centre violate the condition: the largest error found is {broken:.3f}.",
        "",
        *table_lines(
            [["law", "guarantee", "violates", "error"]]
            + [
                [name, law.key, ", ".join(law.violates), f"{found[name]:.4f}"]
                for name, law in LAWS.items()
            ]
        ),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run what is not stored, and write the page."""
    rows = finish_rows(
        STORED, LAWS, lambda name: simulated(name, RUNS), "typical margins"
    )
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
