"""False findings over related data sets: families as clusters, and families ignored.

``python -m validation.related_datasets`` runs what ``related_datasets.json`` does not
have, and writes ``RELATED_DATASETS.md``. No pair of algorithms differs; the name of a
law is its seed.
"""

from __future__ import annotations

import dataclasses
import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.random import Generator

import pycompare as pc
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.methods.pairs.clustered_signed_rank_pairs import (
    clustered_signed_rank_tests,
)
from pycompare.methods.pairs.signed_rank_pairs import signed_rank_tests
from pycompare.results.guarantees import guarantee
from validation.cells import finish_rows

from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "related_datasets.json", HERE / "RELATED_DATASETS.md"
RUNS = 2000
ALPHA = 0.05
Draw = Callable[[Generator, int, int], Floats]


@dataclass(frozen=True)
class Law:
    """Algorithms that do not differ, on families of data sets.

    Attributes
    ----------
    effect : callable
        Draws the effects of families on algorithms.
    sizes : tuple of int
        Data sets in each family.
    algorithms : int
    share : float
        Weight of the squared effect in a score; that of noise is 1 - share.
    control : str or None
    decimals : int or None
    shared : int
        So many families share one effect: they depend on each other.
    violates : tuple of str
        Conditions that the law violates.
    """

    effect: Draw
    sizes: tuple[int, ...]
    algorithms: int
    share: float = 0.5
    control: str | None = None
    decimals: int | None = None
    shared: int = 1
    violates: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The guarantee."""
        if self.algorithms == 2:
            return "signed-ranks/clusters"
        return "signed-ranks/clusters/holm" + "/control" * (self.control is not None)

    def scores(self, rng: Generator) -> pc.Scores:
        """Return one table."""
        family = np.repeat(np.arange(len(self.sizes)), self.sizes)
        effects = self.effect(rng, len(self.sizes), self.algorithms)
        noise = rng.normal(size=(len(family), self.algorithms))
        owner = family // self.shared
        values = (
            math.sqrt(self.share) * effects[owner] + math.sqrt(1 - self.share) * noise
        )
        return pc.Scores(
            algorithms=tuple("ABCDEFGHIJ"[: self.algorithms]),
            blocks=tuple(f"set {i}" for i in range(len(family))),
            metrics=(Metric("score", "higher"),),
            values=values[:, :, None],
            clusters=tuple(f"family {i}" for i in family.tolist()),
        )

    def findings(self, rng: Generator) -> tuple[bool, bool]:
        """Return whether any pair is found: by clusters, and by data sets alone."""
        table = self.scores(rng)
        alone = dataclasses.replace(table, clusters=None)
        made = (
            tests(given, control=self.control, decimals=self.decimals)
            for tests, given in (
                (clustered_signed_rank_tests, table),
                (signed_rank_tests, alone),
            )
        )
        by_clusters, by_data_sets = (
            bool((pc.adjust(one.as_columns()["p_value"], "holm") <= ALPHA).any())
            for one in made
        )
        return by_clusters, by_data_sets


def normal(rng: Generator, n: int, a: int) -> Floats:
    """Return normal effects."""
    return rng.normal(size=(n, a))


def cauchy(rng: Generator, n: int, a: int) -> Floats:
    """Return effects with heavy tails."""
    return rng.standard_cauchy(size=(n, a))


def unequal(rng: Generator, n: int, a: int) -> Floats:
    """Return normal effects, of each algorithm twice that of the one before."""
    return rng.normal(size=(n, a)) * 2.0 ** np.arange(a)


def skewed(rng: Generator, n: int, a: int) -> Floats:
    """Return effects on the first algorithm alone, exponential about their median."""
    effects = np.zeros((n, a))
    effects[:, 0] = rng.exponential(size=n) - math.log(2)
    return effects


FAMILIES = {
    "12 families of 3": (3,) * 12,
    "8 families of 5": (5,) * 8,
    "20 families of 2": (2,) * 20,
    "10 families of 1 to 10": tuple(range(1, 11)),
}


def _laws() -> dict[str, Law]:
    found: dict[str, Law] = {}
    for title, sizes in FAMILIES.items():
        for draw in (normal, cauchy):
            for a in (2, 4):
                found[f"{draw.__name__}, {title}, {a} algorithms"] = Law(draw, sizes, a)
    twelve = FAMILIES["12 families of 3"]
    found |= {
        "no effects, 12 families of 3, 4 algorithms": Law(normal, twelve, 4, 0.0),
        "families alone, 12 families of 3, 4 algorithms": Law(normal, twelve, 4, 1.0),
        "unequal, 12 families of 3, 4 algorithms": Law(unequal, twelve, 4),
        "normal, 10 families of 1 to 10, 4 algorithms to a control": Law(
            normal, FAMILIES["10 families of 1 to 10"], 4, control="A"
        ),
        "rounded, 12 families of 3, 2 algorithms": Law(normal, twelve, 2, decimals=0),
        "pairs of families share an effect, 12 families of 3, 2 algorithms": Law(
            normal, twelve, 2, shared=2, violates=("independent-families",)
        ),
        "skewed, 20 families of 2, 2 algorithms": Law(
            skewed,
            FAMILIES["20 families of 2"],
            2,
            0.8,
            violates=("symmetric-families",),
        ),
    }
    return found


LAWS = _laws()


def simulated(name: str, runs: int) -> dict[str, float]:
    """Return the share of tables with a false finding, by both tests."""
    seed = zlib.crc32(name.encode())
    law = LAWS[name]
    made = [law.findings(np.random.default_rng((seed, run))) for run in range(runs)]
    clusters, alone = np.mean(made, axis=0).tolist()
    return {"clusters": clusters, "data sets": alone}


def bound(runs: int = RUNS) -> float:
    """Return the level with three Monte Carlo standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def promises(law: Law) -> bool:
    """Tell whether the ledger promises the level under this law."""
    claim = guarantee(law.key)
    return claim.error != "none" and not {*law.violates} & {*claim.conditions}


def page(found: Mapping[str, Mapping[str, float]]) -> str:
    """Return the page of the study."""
    promised = [name for name, law in LAWS.items() if promises(law)]
    held = sum(found[name]["clusters"] <= bound() for name in promised)
    broken = max(found[n]["clusters"] for n, law in LAWS.items() if not promises(law))
    related = [found[name]["data sets"] for name in promised if LAWS[name].share > 0]
    lines = [
        "# Related data sets: errors with families as clusters, and without",
        "",
        "Written by `python -m validation.related_datasets`. No pair of algorithms",
        f"differs. Share of {RUNS} tables with a finding at 0.05, Holm, by",
        "`pc.clustered_signed_rank_pairs`, which flips whole families, and by",
        "`pc.signed_rank_pairs`, which takes data sets as independent. Unless a law",
        "says otherwise, effects of families have half of the weight.",
        f"**{held} of {len(promised)} promised error rates are at most their bound** "
        f"({bound():.4f}: 0.05 and",
        f"three Monte Carlo standard errors). Families ignored: {min(related):.3f} to "
        f"{max(related):.3f} where families have",
        "effects. Where a condition fails, the largest error by clusters is "
        f"{broken:.3f}.",
        "",
        *table_lines(
            [["law", "guarantee", "violates", "clusters", "data sets"]]
            + [
                [
                    name,
                    law.key,
                    ", ".join(law.violates),
                    f"{found[name]['clusters']:.4f}",
                    f"{found[name]['data sets']:.4f}",
                ]
                for name, law in LAWS.items()
            ]
        ),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run what is not stored, and write the page."""
    rows = finish_rows(
        STORED, LAWS, lambda name: simulated(name, RUNS), "related data sets"
    )
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
