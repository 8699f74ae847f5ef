"""What a conclusion is about: its quantity, unit of analysis, population and null.

The ledger of guarantees states the basis of a comparison's p-values; unit,
population and null hypothesis follow from there, so that they are those of the error
rate that a page prints.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from pycompare.base.hypotheses import EXCHANGEABLE, MEAN_RANKS, WEIGHTED_RANKS
from pycompare.results.guarantees import Guarantee

NOT_STATED = "not stated"
"""What stands for an attribute that nobody gave."""
BlockNoun = Literal["block", "data set"]

_CASES = ("case", "cases like these, these trained models")
_DESIGNS = (
    (
        "independent-voters",
        "voter",
        "voters and prompts like these, this pool of models",
    ),
    (
        "drawn-labels",
        "case",
        "items like these, these models, this judge and these people",
    ),
    (
        "independent-answers",
        "answer",
        "new answers to these cases, these trained models",
    ),
    (
        "independent-runs",
        "case and run",
        "cases like these, and prompts, judges or trainings like these",
    ),
    (
        "independent-clusters",
        "cluster of cases",
        "clusters of cases like these, these trained models",
    ),
    (
        "independent-families",
        "cluster of data sets",
        "clusters of data sets like these",
    ),
    ("independent-cases", *_CASES),
    ("these-data-sets", "fold", "these data sets, new training sets of this size"),
    ("independent-folds", "fold", "new training sets of this size"),
    ("independent-samples", "score", "scores like these of each algorithm"),
    ("overlap-as-assumed", "fold", "new training sets of this size"),
)
"""Conditions of the ledger, with the unit and the population that each implies; the
first that a claim has counts."""


@dataclass(frozen=True, kw_only=True)
class Estimand:
    """What a comparison of pairs estimates, and of what.

    Attributes
    ----------
    quantity : str
        The kind of estimate, such as ``typical difference (Hodges-Lehmann)``.
    unit : str
        Units drawn independently: data set, fold, case, ...
    population : str
        To which the design generalises.
    null : str
        The hypothesis of each pair.
    population_stated, treatment, variable, intercurrent_events, summary_measure : str
        Statements of the user about them.
    """

    quantity: str
    unit: str
    population: str
    null: str
    population_stated: str = NOT_STATED
    treatment: str = NOT_STATED
    variable: str = NOT_STATED
    intercurrent_events: str = NOT_STATED
    summary_measure: str = NOT_STATED

    @property
    def text(self) -> str:
        """All attributes in one line."""
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        told = [f"{n.replace('_', ' ')}: {v}" for n, v in given.items()]
        return "; ".join(told)


def estimand(
    claim: Guarantee, quantity: str, *, block: BlockNoun = "block", **stated: str
) -> Estimand:
    """Return the estimand of a comparison with this guarantee.

    ``block`` names an independent block of the scores; ``stated`` has statements
    of the user by the names of the attributes.
    """
    unit, population = _design(claim, block)
    if claim.hypotheses in (MEAN_RANKS, WEIGHTED_RANKS, EXCHANGEABLE):
        population += ", these algorithms"
    return Estimand(
        quantity=quantity,
        unit=unit,
        population=population,
        null=claim.hypotheses.name,
        **stated,
    )


def _design(claim: Guarantee, block: BlockNoun) -> tuple[str, str]:
    """Return the unit of a guarantee, and the population that its units stand for."""
    names = claim.conditions
    if "multireader" in claim.key:
        needed = {"reader": "independent-readers", "case": "independent-cases"}
        if "independent-clusters" in names:
            needed = {
                "reader": "independent-readers",
                "cluster": "independent-clusters",
            }
        drawn = [n for n, condition in needed.items() if condition in names]
        these = "".join(f", these {n}s" for n in needed if n not in drawn)
        of_cases = " of cases" * ("cluster" in drawn)
        units = " and ".join(drawn) + of_cases
        return units, f"{'s and '.join(drawn)}s{of_cases} like these{these}"
    for condition, unit, population in _DESIGNS:
        if condition in names:
            return unit, population
    return block, f"{block}s like these"
