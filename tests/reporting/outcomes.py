"""Outcomes made by hand: facts about pairs, and the numbers they are ordered by."""

from __future__ import annotations

from types import SimpleNamespace

from pycompare.base.metric import Metric
from pycompare.reporting.content.facts import Outcome, PairFact

ERROR = Metric("error", "lower")
BETTER, EQUAL, NOT = "better", "no significant difference", "not tested"


def fact(subject, relation, other, p=0.01, **parts):
    parts = {"estimate": -0.25, "interval": (-0.5, -0.125), "level": 0.95} | parts
    return PairFact(
        subject=subject,
        relation=relation,
        object=other,
        metric=ERROR,
        p_value=p / 2,
        p_adjusted=p,
        alpha=0.05,
        method="t, Holm",
        lower_is_better=True,
        **parts,
    )


def outcome(*pairs, values=None, control=None, omnibus=None):
    return Outcome(
        metric=ERROR,
        quantity="mean error",
        values=values or {},
        pairs=pairs,
        omnibus=omnibus,
        method="t tests, Holm adjustment",
        family="all pairs",
        guarantee=SimpleNamespace(stated=lambda alpha: f"FWER {alpha}"),
        alpha=0.05,
        control=control,
    )


THREE = {"A": 0.125, "B": 0.25, "C": 0.5}
