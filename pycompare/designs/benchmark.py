"""A benchmark of many groups of cases: one answer each for three populations.

The same difference of two algorithms has another standard error, and with equal
weights another value, if cases are independent, if each group has the same weight, or
if the groups themselves are a sample. The plan states which answer is the primary
analysis, whose family and guarantee no other answer enters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pycompare.base.tables import Columns, stacked
from pycompare.designs.analysis import Titled
from pycompare.methods.cases.group_means import GroupMeans
from pycompare.results.result import PairsResult

GROUPS_AS_CLUSTERS = "Groups as clusters"
PRIMARY, SUPPLEMENTARY = "primary", "supplementary"
_COLUMNS = ["algorithm_1", "algorithm_2", "estimate", "conf_low", "conf_high"]
_COLUMNS += ["p_value", "p_adjusted"]


@dataclass(frozen=True, kw_only=True, eq=False)
class BenchmarkAnswer:
    """The pairs of a benchmark, compared for one population.

    Attributes
    ----------
    name : str
        The assumption: ``Cases independent``, ``Equal weights``, ``Groups as
        clusters``; ``Clusters independent`` if cases are in clusters of their own.
    quantity : str
        The differences that are compared.
    population : str
        To which it generalises.
    role : {"primary", "supplementary"}
        The primary answer is the analysis that the plan states.
    pairs : PairsResult or None
        Supplementary pairs are adjusted over these pairs only.
    reason : str
        Why there are no pairs; empty if there are.
    fact : PairsResult or None
        Differences that are known without error, in the place of pairs.
    """

    name: str
    quantity: str
    population: str
    role: str
    pairs: PairsResult | None
    reason: str = ""
    fact: PairsResult | None = None

    def columns(self) -> Columns:
        """Return one row per pair, or one with the reason why there are none."""
        stated = {
            "answer": self.name,
            "role": self.role,
            "quantity": self.quantity,
            "population": self.population,
        }
        if self.pairs is None:
            nothing: dict[str, Any] = dict.fromkeys(_COLUMNS, float("nan"))
            nothing |= {"algorithm_1": "", "algorithm_2": "", "level": float("nan")}
            if self.fact is not None:
                known = self.fact.as_columns().only(_COLUMNS[:3])
                gone = dict.fromkeys([*_COLUMNS[3:], "level"], float("nan"))
                return known.but(test=self.reason, **stated, **gone).only(
                    [*stated, "test", *_COLUMNS, "level"]
                )
            return Columns.of_row(stated | {"test": self.reason} | nothing)
        own = self.pairs.as_columns().only(_COLUMNS)
        return own.but(level=self.pairs.level, test=self.pairs.method, **stated).only(
            [*stated, "test", *_COLUMNS, "level"]
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Benchmark:
    """All groups of cases as one benchmark.

    Attributes
    ----------
    answers : tuple of BenchmarkAnswer
        The primary one first.
    means : GroupMeans
        The mean of each algorithm on each group; no group is tested.
    """

    answers: tuple[BenchmarkAnswer, ...]
    means: GroupMeans

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return len(set(self.means.as_columns()["group"]))

    @property
    def of_groups(self) -> bool:
        """Whether the primary answer generalises to more groups."""
        return self.answers[0].name == GROUPS_AS_CLUSTERS

    @property
    def others(self) -> tuple[BenchmarkAnswer, ...]:
        """The supplementary answers."""
        return tuple(a for a in self.answers if a.role == SUPPLEMENTARY)

    def columns(self) -> Columns:
        """Return all pairs with all answers, one below the other."""
        return stacked([answer.columns() for answer in self.answers])

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything that is not the primary analysis."""
        pairs = [
            (f"{answer.pairs.method}, {answer.name.lower()}", answer.pairs)
            for answer in self.others
            if answer.pairs is not None
        ]
        return (*pairs, ("Mean of each group", self.means))
