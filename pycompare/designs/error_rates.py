"""The error rates that reports print: guarantees of the ledger under the plan."""

from __future__ import annotations

from pycompare.designs.plans.plan import Plan
from pycompare.results.guarantees import (
    BLOCKS,
    NO_CLAIM,
    Guarantee,
    Guaranteed,
    Units,
    guarantee,
    guarantee_of,
    weakest,
)
from pycompare.results.result import Test


def error_rate(compared: Guaranteed, plan: Plan, units: Units) -> Guarantee:
    """Return the guarantee of a comparison, given the plan's facts about its folds.

    It is that of the family in which the comparison is decided: the weakest among all
    members.
    """
    members = (
        (compared,) if compared.decided_in is None else compared.decided_in.members
    )
    claims = (guarantee_of(member, units) for member in members)
    return weakest(claims).where(plan.violated)


def test_rate(test: Test, plan: Plan, units: Units) -> str:
    """Return the error rate of one test, given the plan's facts about its folds."""
    if not test.basis:
        return NO_CLAIM
    # One test against a margin is a family of its own.
    alone = "/none" if test.basis.startswith("margins/") else ""
    claim = guarantee(f"{test.basis}{alone}")
    if test.clustered:
        return claim.of_clusters().text
    return _rate(claim, plan, units)


def key_rate(key: str, plan: Plan, units: Units) -> str:
    """Return the error rate of a test of the ledger."""
    return _rate(guarantee(key), plan, units)


def _rate(claim: Guarantee, plan: Plan, units: Units) -> str:
    """Return a claim, with the statements of the plan about its folds."""
    named = claim.of(units)
    return named.text if units == BLOCKS else named.where(plan.violated).text


def of_plan(plan: Plan) -> Units:
    """Return the units of the comparison that the plan names."""
    return plan.design.units_of(plan.quantity)


def of_margin(compared: Guaranteed, plan: Plan) -> Guarantee:
    """Return the guarantee of tests against a margin, which compare data-set means."""
    units = plan.design.units if plan.design.of_folds else BLOCKS
    return error_rate(compared, plan, units)
